"""Captures, double threes and fives of Ninuki-renju, by plain application of the definitions."""

from .grid import DIRECTIONS, EMPTY, RAYS, Color, Grid, Point, Step, shifted


def captured_by(grid: Grid, point: Point, color: Color) -> list[Point]:
    """Returns the stones that a stone of `color` on `point` captures, sorted by (x, y)."""
    captured: list[Point] = []
    prey = color.other.letter
    for ray in RAYS:
        first = shifted(point, ray, 1)
        if grid.at(first) != prey:
            continue
        second, bracket = shifted(point, ray, 2), shifted(point, ray, 3)
        if grid.at(second) == prey and grid.at(bracket) == color.letter:
            captured += [first, second]
    return sorted(captured)


def is_forbidden(grid: Grid, point: Point, color: Color) -> bool:
    """Says whether a stone on an empty square would be a forbidden double three of `color`."""
    if captured_by(grid, point, color):
        return False
    with grid.trying(point, color):
        return sum(is_free_three(grid, point, step, color) for step in DIRECTIONS) >= 2


def is_free_three(grid: Grid, point: Point, step: Step, color: Color) -> bool:
    """Says whether the stone on `point` stands in a free three along one direction."""
    forward = _group_on_one_side(grid, point, step, color)
    backward = _group_on_one_side(grid, point, (-step[0], -step[1]), color)
    group = [*(-distance for distance in backward), 0, *forward]
    first, last = min(group), max(group)
    ends = (shifted(point, step, first - 1), shifted(point, step, last + 1))
    return len(group) == 3 and last - first + 1 <= 4 and all(grid.at(end) == EMPTY for end in ends)


def _group_on_one_side(grid: Grid, point: Point, step: Step, color: Color) -> list[int]:
    """Returns the distances of own stones that `point` reaches over at most one gap."""
    reached: list[int] = []
    distance, gaps = 1, 0
    here = grid.at(shifted(point, step, 1))
    while True:
        following = grid.at(shifted(point, step, distance + 1))
        if here == color.letter:
            reached.append(distance)
        elif here == EMPTY and following == color.letter and gaps == 0:
            gaps = 1
        else:
            return reached
        distance, here = distance + 1, following


def has_five(grid: Grid, color: Color) -> bool:
    """Says whether `color` has a line of five or more on the board."""
    return any(
        grid.run(point, step, color).length >= 5
        for point in grid.squares(color.letter)
        for step in DIRECTIONS
    )


def can_break(grid: Grid, breaker: Color) -> bool:
    """Says whether `breaker` has a capture after which the opponent has no five.

    A capture is never a forbidden double three, so every empty square is tried.
    """
    return any(_breaks(grid, point, breaker) for point in grid.squares(EMPTY))


def _breaks(grid: Grid, point: Point, breaker: Color) -> bool:
    """Says whether a stone on an empty square captures and leaves no five of the opponent."""
    captured = captured_by(grid, point, breaker)
    for stone in captured:
        grid.put(stone, EMPTY)
    broken = bool(captured) and not has_five(grid, breaker.other)
    for stone in captured:
        grid.put(stone, breaker.other.letter)
    return broken
