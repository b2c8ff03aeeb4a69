"""Keeps a game at the board: moves, undo and redo, resignation, and the result."""

from dataclasses import dataclass
from typing import Self

from ..engines.clock import UNLIMITED_MS
from ..engines.player import MoveRequest, Thought
from ..game.formats import to_psq, to_sgf
from ..game.game import GameSettings
from ..game.record import (
    EMPTY_BOARD,
    EndReason,
    GameRecord,
    MoveRecord,
    PlayerRecord,
    Setup,
    end_words,
)
from ..rules.referee import Color, Outcome, Point, Position, Rule, Status
from ..util.faults import BrainFault

__all__ = ["End", "Table"]


@dataclass(frozen=True)
class End:
    """Holds how a game ended."""

    winner: Color | None
    reason: EndReason
    detail: str


class Table:
    """Holds one game. Moves can be taken back, also after the end; the opening cannot."""

    def __init__(
        self,
        size: int,
        rule: Rule,
        turn_ms: int,
        opening: tuple[Point, ...] = (),
        setup: Setup = EMPTY_BOARD,
    ) -> None:
        """Sets up a board with the stones of an opening; raises ValueError for an illegal opening.

        `setup` are stones before the first move, in place of an opening.
        """
        self.settings = GameSettings(size=size, rule=rule, turn_ms=turn_ms, opening=opening)
        self.setup = setup
        self.position: Position = self.settings.position()
        if setup != EMPTY_BOARD:
            self.position.set_position(
                black=setup.black, white=setup.white, to_move=Color(setup.first)
            )
        self.first = self.position.to_move
        """The color of the first move that can be taken back."""
        self.moves: list[MoveRecord] = []
        self._undone: list[MoveRecord] = []
        self._given_up: End | None = None

    @classmethod
    def of(cls, record: GameRecord, turn_ms: int) -> Self:
        """Returns the game of a record, to play on; all its moves can be taken back."""
        table = cls(record.size, Rule(record.rule), turn_ms, setup=record.setup)
        for point in record.opening:
            table.play(point, 0.0)
        for move in record.moves:
            table.play(
                move.point, move.ms, thought=Thought(move.depth, move.nodes, move.score, move.mate)
            )
        return table

    @property
    def to_move(self) -> Color:
        """Returns whose turn it is."""
        return self.position.to_move

    @property
    def end(self) -> End | None:
        """Returns the end of the game; None while it goes on."""
        if self._given_up is not None or not self.position.is_over:
            return self._given_up
        assert self.position.reason is not None
        reason = EndReason(self.position.reason.value)
        return End(self.position.winner, reason, end_words(self.position.rule, reason))

    @property
    def undone(self) -> int:
        """Returns how many moves can be played again."""
        return len(self._undone)

    def color_after(self, moves: int) -> Color:
        """Returns whose turn it is after so many moves."""
        return self.first if moves % 2 == 0 else self.first.other

    def spent_ms(self, color: Color) -> float:
        """Returns the time that a side has used."""
        return sum(move.ms for move in self.moves if move.color == color.value)

    @property
    def is_pending(self) -> bool:
        """Says whether the side to move must break a five with this move."""
        return self.position.status is Status.PENDING

    def play(
        self, point: Point, ms: float, *, limit_ms: float = 0.0, thought: Thought | None = None
    ) -> Outcome:
        """Plays a move; raises RefereeError and changes nothing if it is illegal."""
        color = self.to_move
        outcome = self.position.play(point)
        self._undone = []
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
                mate=told.mate,
                captured=tuple(outcome.captured),
            )
        )
        return outcome

    def undo(self, count: int) -> None:
        """Takes `count` moves back, and any end of the game. `redo` plays them again."""
        self._given_up = None
        for _ in range(count):
            self.position.undo()
            self._undone.append(self.moves.pop())

    def redo(self, count: int) -> None:
        """Plays `count` of the moves again that were taken back."""
        for _ in range(count):
            move = self._undone.pop()
            self.position.play(move.point)
            self.moves.append(move)

    def resign(self, color: Color) -> None:
        """Ends the game by a resignation."""
        self._given_up = End(color.other, EndReason.UNKNOWN, f"{color.value} resigns")

    def forfeit(self, color: Color, fault: BrainFault) -> None:
        """Ends the game by a fault of this side's player."""
        detail = f"{color.value} forfeits ({fault.kind.value}): {fault.detail}"
        self._given_up = End(color.other, EndReason(fault.kind.value), detail)

    def play_forbidden(self, color: Color, point: Point) -> None:
        """Ends the game by a forbidden move, which loses."""
        detail = f"{color.value} plays {point[0]},{point[1]}, which is forbidden"
        self._given_up = End(color.other, EndReason.FORBIDDEN, detail)

    def request(self, *, limit_ms: float, is_new: bool) -> MoveRequest:
        """Returns the request for a move; `is_new`: the player does not know the game yet."""
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
        """Returns the stones on the board, in the order of the moves that put them there."""
        stones = self.position.stones
        before = (*self.setup.black, *self.setup.white, *self.settings.opening)
        order = [*before, *(move.point for move in self.moves)]
        latest = dict.fromkeys(reversed(order))
        return tuple((point, stones[point]) for point in reversed(latest) if point in stones)

    def record(self, names: dict[Color, str]) -> GameRecord:
        """Returns the record of the game so far."""
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
            setup=self.setup,
        )

    def as_file(self, suffix: str, names: dict[Color, str]) -> str:
        """Returns the text of a .psq or .sgf file; an unfinished game has no result."""
        record = self.record(names)
        return to_sgf(record) if suffix == ".sgf" else to_psq(record)
