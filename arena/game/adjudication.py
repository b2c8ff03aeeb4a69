"""Adjudication: the manager ends a game before the board decides it.

Both engines must agree that a game is lost, won or even. A score counts only for the side that
reported it, in points of that engine. An engine that reports no scores never ends a game early.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..rules.referee import Color
from .record import MoveRecord

__all__ = ["Adjudication", "Decision", "DrawRule", "ResignRule", "points_of_thought"]

_POINTS = re.compile(r"[+-]?\d{1,9}")
MATE_POINTS = 1_000_000
"""The points of a proven win, above every score."""


@dataclass(frozen=True)
class DrawRule:
    """Draws a game after each side reported at most `score` for its last `moves` moves.

    At least `start` stones must have been played, including the opening.
    """

    moves: int
    score: int
    start: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError with the name of a field that is out of bounds."""
        _refuse_less("draw", moves=(self.moves, 1), score=(self.score, 0), start=(self.start, 0))


@dataclass(frozen=True)
class ResignRule:
    """Ends a game if both sides saw the same side ahead for the last `moves` moves of each.

    One side reported at least `score`, the other at most `-score`.
    """

    moves: int
    score: int

    def __post_init__(self) -> None:
        """Raises ValueError with the name of a field that is out of bounds."""
        _refuse_less("resign", moves=(self.moves, 1), score=(self.score, 1))


@dataclass(frozen=True)
class Decision:
    """Holds the result of an adjudication; without a winner it is a draw."""

    winner: Color | None
    detail: str


@dataclass(frozen=True)
class Adjudication:
    """Holds the conditions for ending a game early; the default is never.

    `max_moves`: a draw after that many stones, including the opening. `mates`: a win as soon as
    both engines announce a forced win of the same side in their last moves.
    """

    max_moves: int | None = None
    draw: DrawRule | None = None
    resign: ResignRule | None = None
    mates: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError with the name of a field that is out of bounds."""
        if self.max_moves is not None and self.max_moves < 1:
            raise ValueError(f"max_moves: {self.max_moves} is less than 1")

    def judge(self, moves: Sequence[MoveRecord], opening: int) -> Decision | None:
        """Returns the decision on the game now; None if it continues.

        `moves` are those of the engines; `opening` is the number of stones before them.
        """
        stones = opening + len(moves)
        if self.mates and (winner := _agreed(moves, 1, lambda move: move.mate)):
            return Decision(winner, f"both engines announce a forced win for {winner.value}")
        if self.resign is not None and (decision := self._resigned(self.resign, moves)):
            return decision
        if self.draw is not None and (decision := self._drawn(self.draw, moves, stones)):
            return decision
        if self.max_moves is not None and stones >= self.max_moves:
            return Decision(None, f"{stones} stones were played, the limit of this match")
        return None

    def _resigned(self, rule: ResignRule, moves: Sequence[MoveRecord]) -> Decision | None:
        def counts(move: MoveRecord) -> int | None:
            points = points_of(move)
            return None if points is None or abs(points) < rule.score else points

        winner = _agreed(moves, rule.moves, counts)
        if winner is None:
            return None
        moves_text = _count(rule.moves, "move")
        text = f"both engines see {winner.value} ahead by {rule.score} or more for {moves_text}"
        return Decision(winner, text)

    def _drawn(self, rule: DrawRule, moves: Sequence[MoveRecord], stones: int) -> Decision | None:
        last = moves[-2 * rule.moves :]
        if stones < rule.start or len(last) < 2 * rule.moves:
            return None
        points = [points_of(move) for move in last]
        if any(one is None or abs(one) > rule.score for one in points):
            return None
        moves_text = _count(rule.moves, "move")
        return Decision(None, f"both engines report at most {rule.score} for {moves_text}")


def points_of(move: MoveRecord) -> int | None:
    """Returns the reported score of a move in points, for its mover; None without one."""
    return points_of_thought(move.score, move.mate)


def points_of_thought(score: str | None, mate: int | None) -> int | None:
    """Returns a reported score in points; None without one."""
    if mate is not None:
        return MATE_POINTS if mate > 0 else -MATE_POINTS
    return int(score) if score is not None and _POINTS.fullmatch(score) else None


def _agreed(
    moves: Sequence[MoveRecord], count: int, value: Callable[[MoveRecord], int | None]
) -> Color | None:
    """Returns the side that both see ahead in their last `count` moves; None if they disagree."""
    last = moves[-2 * count :]
    if len(last) < 2 * count:
        return None
    ahead: set[Color] = set()
    for move in last:
        number = value(move)
        if not number:
            return None
        mover = Color(move.color)
        ahead.add(mover if number > 0 else mover.other)
    return ahead.pop() if len(ahead) == 1 else None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'} of each"


def _refuse_less(what: str, **fields: tuple[int, int]) -> None:
    for name, (value, least) in fields.items():
        if value < least:
            raise ValueError(f"{what}: {name}: {value} is less than {least}")
