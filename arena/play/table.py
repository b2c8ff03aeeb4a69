"""The game on the table: moves, taking back, giving up, and how it stands."""

from dataclasses import dataclass

from ..engines.clock import UNLIMITED_MS
from ..engines.player import MoveRequest, Thought
from ..game.formats import to_psq, to_sgf
from ..game.game import GameSettings
from ..game.record import EndReason, GameRecord, MoveRecord, PlayerRecord
from ..rules.referee import Color, Outcome, Point, Position, Rule, Status
from ..util.faults import BrainFault

__all__ = ["End", "Table"]

_WORDS = {
    EndReason.FIVE: "five in a row",
    EndReason.CAPTURES: "five pairs are captured",
    EndReason.FIVE_NOT_BROKEN: "the five was not broken",
    EndReason.BOARD_FULL: "the board is full",
    EndReason.NO_LEGAL_MOVE: "the side to move has no legal move",
}


@dataclass(frozen=True)
class End:
    """Holds how a game ended."""

    winner: Color | None
    reason: EndReason
    detail: str


class Table:
    """Holds one game. Moves can be taken back, also after its end; those of an opening cannot."""

    def __init__(
        self, size: int, rule: Rule, turn_ms: int, opening: tuple[Point, ...] = ()
    ) -> None:
        """Lays out a board with the stones of an opening; raises ValueError where it cannot."""
        self.settings = GameSettings(size=size, rule=rule, turn_ms=turn_ms, opening=opening)
        self.position: Position = self.settings.position()
        self.moves: list[MoveRecord] = []
        self._given_up: End | None = None

    @property
    def to_move(self) -> Color:
        """Returns whose turn it is."""
        return self.position.to_move

    @property
    def end(self) -> End | None:
        """Returns how the game ended, None while it goes on."""
        if self._given_up is not None or not self.position.is_over:
            return self._given_up
        assert self.position.reason is not None
        reason = EndReason(self.position.reason.value)
        return End(self.position.winner, reason, _WORDS[reason])

    @property
    def is_pending(self) -> bool:
        """Says whether a five stands that the side to move may break by this move only."""
        return self.position.status is Status.PENDING

    def play(
        self, point: Point, ms: float, *, limit_ms: float = 0.0, thought: Thought | None = None
    ) -> Outcome:
        """Plays a move; raises RefereeError, changing nothing, where it cannot be."""
        color = self.to_move
        outcome = self.position.play(point)
        told = thought or Thought()
        self.moves.append(
            MoveRecord(
                *point,
                color=color.value,
                ms=round(ms, 3),
                limit_ms=limit_ms,
                depth=told.depth,
                nodes=told.nodes,
                score=told.score,
                captured=tuple(outcome.captured),
            )
        )
        return outcome

    def undo(self, count: int) -> None:
        """Takes moves back, and with them whatever ended the game; there are as many."""
        self._given_up = None
        for _ in range(count):
            self.position.undo()
            self.moves.pop()

    def resign(self, color: Color) -> None:
        """Ends the game: this side gives up."""
        self._given_up = End(color.other, EndReason.UNKNOWN, f"{color.value} resigns")

    def forfeit(self, color: Color, fault: BrainFault) -> None:
        """Ends the game by a fault of this side's player."""
        detail = f"{color.value} forfeits ({fault.kind.value}): {fault.detail}"
        self._given_up = End(color.other, EndReason(fault.kind.value), detail)

    def foul(self, color: Color, point: Point) -> None:
        """Ends the game by a forbidden move, which loses."""
        detail = f"{color.value} plays {point[0]},{point[1]}, which is forbidden"
        self._given_up = End(color.other, EndReason.FORBIDDEN, detail)

    def request(self, *, limit_ms: float, is_new: bool) -> MoveRequest:
        """Returns what a player is asked; `is_new`: he knows nothing of the moves before."""
        last = self.moves[-1].point if self.moves and not is_new else None
        return MoveRequest(
            color=self.to_move,
            stones=self._stones_in_order(),
            captures=self.position.captures,
            last=last,
            limit_ms=limit_ms,
            time_left=UNLIMITED_MS,
        )

    def _stones_in_order(self) -> tuple[tuple[Point, Color], ...]:
        """Returns the stones that still stand, each at the place of the last move onto it."""
        stones = self.position.stones
        order = [*self.settings.opening, *(move.point for move in self.moves)]
        latest = dict.fromkeys(reversed(order))
        return tuple((point, stones[point]) for point in reversed(latest) if point in stones)

    def record(self, names: dict[Color, str]) -> GameRecord:
        """Returns the game as it stands, be it over or not."""
        end = self.end or End(None, EndReason.UNKNOWN, "the game is not over")
        settings = self.settings
        return GameRecord(
            black=PlayerRecord(names[Color.BLACK]),
            white=PlayerRecord(names[Color.WHITE]),
            size=settings.size,
            rule=int(settings.rule),
            turn_ms=settings.turn_ms,
            match_ms=None,
            memory_mib=0,
            tolerance_ms=0,
            opening=settings.opening,
            moves=tuple(self.moves),
            winner=None if end.winner is None else end.winner.value,
            reason=end.reason,
            detail=end.detail,
            captures=self.position.captures,
        )

    def as_file(self, suffix: str, names: dict[Color, str]) -> str:
        """Returns the text of a .psq or .sgf file; a game that goes on has no result there."""
        record = self.record(names)
        return to_sgf(record) if suffix == ".sgf" else to_psq(record)
