"""Finds the forbidden moves of Black under renju, by plain application of the definitions.

The code reads eleven cells of each line: the new stone and five cells on each side. That is
enough. A four lies in five adjacent squares and depends on the squares just outside them. A
straight four lies in four squares and depends on two squares on each side.
"""

import enum

from .grid import DIRECTIONS, EMPTY, Color, Grid, Point, Step, shifted

_REACH = 5
_MINE = Color.BLACK.letter


class Forbidden(enum.Enum):
    """The reasons why a square is forbidden."""

    OVERLINE = "overline"
    DOUBLE_FOUR = "double_four"
    DOUBLE_THREE = "double_three"


def why_forbidden(grid: Grid, point: Point) -> Forbidden | None:
    """Returns why an empty square is forbidden for Black; None if it is allowed.

    If several reasons apply, returns the first in the order of `Forbidden`.
    """
    # An overline needs five other stones. Two fours need four: two sets of four that share at least
    # the new stone. Two threes need four. All are in line with the square, at most five steps away.
    if grid.count_on_rays(point, _MINE, _REACH) < 4:
        return None
    return judge(grid, point)


def judge(grid: Grid, point: Point) -> Forbidden | None:
    """Returns the same as `why_forbidden`, without its shortcut of counting the stones in reach."""
    with grid.trying(point, Color.BLACK):
        lengths = [grid.run(point, step, Color.BLACK).length for step in DIRECTIONS]
        if 5 in lengths:
            return None
        if max(lengths) > 5:
            return Forbidden.OVERLINE
        if sum(count_fours(grid.line(point, step, _REACH)) for step in DIRECTIONS) >= 2:
            return Forbidden.DOUBLE_FOUR
        if sum(_has_three(grid, point, step) for step in DIRECTIONS) >= 2:
            return Forbidden.DOUBLE_THREE
        return None


def makes_five(grid: Grid, point: Point) -> bool:
    """Says whether a black stone on `point` stands in a line of exactly five."""
    return any(grid.run(point, step, Color.BLACK).length == 5 for step in DIRECTIONS)


def count_fours(line: str) -> int:
    """Counts the fours through the middle cell of a line of eleven, a black stone.

    Fours differ in their stones. A straight four, which two squares complete, is therefore one.
    """
    fours = set()
    for start in range(_REACH - 4, _REACH + 1):
        window = line[start : start + 5]
        becomes_longer = _MINE in (line[start - 1], line[start + 5])
        if window.count(_MINE) == 4 and EMPTY in window and not becomes_longer:
            fours.add(frozenset(i for i in range(start, start + 5) if line[i] == _MINE))
    return len(fours)


def straight_four_cells(line: str) -> list[int]:
    """Returns the empty cells that make a straight four, as distances from the middle.

    The line has eleven cells. Its middle holds a black stone, which is part of the straight four.
    """
    found = []
    for start in range(_REACH - 3, _REACH + 1):
        window = line[start : start + 4]
        ends_are_empty = line[start - 1] == line[start + 4] == EMPTY
        becomes_longer = _MINE in (line[start - 2], line[start + 5])
        if window.count(_MINE) == 3 and EMPTY in window and ends_are_empty and not becomes_longer:
            found.append(start + window.index(EMPTY) - _REACH)
    return found


def _has_three(grid: Grid, point: Point, step: Step) -> bool:
    """Says whether the black stone on `point` has a three that counts in one direction.

    One line has at most one three through a stone: two would need the same squares both empty and
    occupied. The function stops at the first.
    """
    for distance in straight_four_cells(grid.line(point, step, _REACH)):
        fourth = shifted(point, step, distance)
        if not makes_five(grid, fourth) and why_forbidden(grid, fourth) is None:
            return True
    return False
