"""Openings that the two engines of a game make by an opening rule."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..engines.brain import Brain
from ..engines.clock import UNLIMITED_MS
from ..engines.managers import ManagerProfile
from ..engines.player import MoveRequest, Player, StartRequest
from ..engines.spec import EngineSpec
from ..game.adjudication import points_of_thought
from ..game.game import GameSettings
from ..game.record import EndReason, GameRecord, PlayerRecord
from ..openings.negotiation import (
    Negotiated,
    OpeningFault,
    SearchAdviser,
    Verdict,
    negotiate,
)
from ..rules.opening_rules import Opening, OpeningRule, Seat
from ..rules.referee import Color, Point

__all__ = ["BrainJudge", "OpeningPlay", "default_think_ms", "open_game"]

MOVES_IN_A_GAME = 50
LEAST_THINK_MS, MOST_THINK_MS = 100, 1000
"""Below 100 ms an engine with a reserve for slow managers may finish no depth."""


@dataclass(frozen=True)
class OpeningPlay:
    """Holds the opening rule of a game, and the time to judge one position of the opening.

    `seed` and the number of the pair determine random choices.
    """

    rule: OpeningRule
    think_ms: int
    seed: int = 1

    @property
    def told(self) -> str:
        """Returns a description of the source of the openings."""
        return f"made by {self.rule}, {self.think_ms} ms a position, seed {self.seed}"


def default_think_ms(settings: GameSettings) -> int:
    """Returns half of a move's time, within bounds. An opening needs up to 90 judgements."""
    turn = settings.turn_ms or (settings.match_ms or 0) // MOVES_IN_A_GAME
    return max(LEAST_THINK_MS, min(MOST_THINK_MS, turn // 2))


def open_game(
    play: OpeningPlay,
    engines: Mapping[Seat, EngineSpec],
    settings: GameSettings,
    make: Callable[[EngineSpec, ManagerProfile], Player],
    *,
    manager: ManagerProfile,
    pair: int,
) -> Negotiated | GameRecord:
    """Lets two engines make an opening; returns the record of a forfeit after a fault.

    The engines run for the opening only. Raises OpeningRuleError if the rule does not fit the game.
    """
    opening = Opening.begin(play.rule, settings.rule, settings.size)
    judges = {
        seat: BrainJudge(engine, settings, play.think_ms, manager, make)
        for seat, engine in engines.items()
    }
    advisers = {
        seat: SearchAdviser(judge, seed=f"{play.seed} {pair}") for seat, judge in judges.items()
    }
    try:
        made = negotiate(opening, advisers)
    except OpeningFault as fault:
        return _forfeit(fault, engines, settings, judges[fault.seat].last_lines)
    finally:
        for judge in judges.values():
            judge.close()
    notes = (note for adviser in advisers.values() for note in adviser.notes)
    return Negotiated(made.opening, (*made.log, *notes))


@dataclass
class BrainJudge:
    """Judges positions by an engine, in one process for the whole opening."""

    engine: EngineSpec
    settings: GameSettings
    think_ms: int
    manager: ManagerProfile
    make: Callable[[EngineSpec, ManagerProfile], Player]
    _player: Player | None = None
    _knows_swap2: bool = True
    last_lines: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Returns the engine's name."""
        return self.engine.name

    @property
    def _limit_ms(self) -> float:
        return self.think_ms + self.settings.tolerance_ms * self.manager.tolerance_share

    def judge(self, stones: Sequence[Point]) -> Verdict:
        """Returns the engine's move and score for the position after these stones."""
        colors = (Color.BLACK, Color.WHITE)
        request = MoveRequest(
            color=colors[len(stones) % 2],
            stones=tuple((stone, colors[n % 2]) for n, stone in enumerate(stones)),
            captures=(0, 0),
            last=None,
            limit_ms=self._limit_ms,
            time_left=UNLIMITED_MS,
        )
        reply = self._running().move(request)
        return Verdict(reply.move, points_of_thought(reply.thought.score, reply.thought.mate))

    def swap2(self, stones: Sequence[Point]) -> str | None:
        """Returns the answer to SWAP2BOARD; None if the engine does not support it."""
        player = self._running()
        if not self._knows_swap2 or not isinstance(player, Brain):
            return None
        answer = player.swap2(stones, self._limit_ms)
        if answer is None:
            self._knows_swap2 = False
            self.close()
        return answer

    def _running(self) -> Player:
        """Returns the engine and starts it if necessary; raises BrainFault."""
        if self._player is None:
            own = self.settings.under(self.engine.limits)
            self._player = self.make(self.engine, self.manager)
            self._player.launch()
            self._player.open(
                StartRequest(
                    size=own.size,
                    rule=int(own.rule),
                    turn_ms=self.think_ms,
                    match_ms=None,
                    memory_mib=own.memory_mib,
                    start_ms=own.start_ms,
                )
            )
        return self._player

    def close(self) -> None:
        """Ends the process. The next judgement starts another one."""
        if self._player is not None:
            self.last_lines = self._player.last_lines
            self._player.close()
            self._player = None


def _forfeit(
    fault: OpeningFault,
    engines: Mapping[Seat, EngineSpec],
    settings: GameSettings,
    lines: list[str],
) -> GameRecord:
    """Returns the record of a game that a player forfeited in the opening."""
    opening = fault.opening
    loser = opening.color_of(fault.seat)
    kind = fault.fault.kind.value
    black, white = (PlayerRecord(engines[opening.seat_of(color)].name) for color in Color)
    return GameRecord(
        black=black,
        white=white,
        size=settings.size,
        rule=int(settings.rule),
        turn_ms=settings.turn_ms,
        match_ms=settings.match_ms,
        memory_mib=settings.memory_mib,
        tolerance_ms=settings.tolerance_ms,
        opening=opening.stones,
        moves=(),
        winner=loser.other.value,
        reason=EndReason(kind),
        detail=f"{loser.value} forfeits in the opening ({kind}): {fault.fault.detail}",
        over_ms=fault.fault.over_ms,
        lines=tuple(lines),
        opening_rule=str(opening.rule),
    )
