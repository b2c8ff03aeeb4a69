"""Worked cases of the rules with captures: core and referee play each drawn move."""

from dataclasses import dataclass

from arena.rules import referee
from arena.rules.referee import Point
from pyengine import Color, Engine, Rule
from tests.support.drawn import drawn

SIZE = 19
AT = (6, 6)


@dataclass(frozen=True)
class Case:
    """A drawn position with Black to move on the star, and the expected result.

    taken: columns and rows of the captured stones in the drawing. reason: why Black wins, if he
    does. captures: of Black and White before the move.
    """

    name: str
    rows: list[str]
    taken: list[Point]
    reason: str | None = None
    captures: tuple[int, int] = (0, 0)
    at: Point = AT


def check(rule: Rule, case: Case, *, swapped: bool) -> None:
    """Plays a case by core and referee, with the colours swapped on request."""
    rows, captures = case.rows, case.captures
    if swapped:
        rows = [row.translate(str.maketrans("BW", "WB")) for row in rows]
        captures = (captures[1], captures[0])
    mover = Color.WHITE if swapped else Color.BLACK
    position, move = drawn(
        referee.Rule(rule),
        rows,
        size=SIZE,
        at=case.at,
        to_move=referee.Color(mover.value),
        captures=captures,
    )
    stones = position.stones
    with Engine(size=SIZE, rule=rule, memory_mib=1) as e:
        e.set_position(
            black=[m for m, color in stones.items() if color is referee.Color.BLACK],
            white=[m for m, color in stones.items() if color is referee.Color.WHITE],
            neutral=position.neutral,
            captures=captures,
            to_move=mover,
        )
        assert e.forbidden() == position.forbidden() == []
        got = e.play(move)
    told = position.play(move)
    taken = sorted((case.at[0] + x, case.at[1] + y) for x, y in case.taken)
    assert got.captured == told.captured == taken
    assert got.status.value == told.status.value == ("ongoing" if case.reason is None else "win")
    assert (got.reason.value if got.reason else None) == case.reason
    assert (told.reason.value if told.reason else None) == case.reason
