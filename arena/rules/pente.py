"""Captures of Pente, by walking from the new stone. Pente has no forbidden moves; any five wins."""

from .grid import RAYS, Color, Grid, Point, shifted

PAIRS_TO_WIN = 5
CAPTURED_LENGTHS = (2,)


def captured_by(grid: Grid, point: Point, color: Color) -> list[Point]:
    """Returns the stones that a stone of `color` on `point` captures, sorted by (x, y)."""
    taken: list[Point] = []
    for ray in RAYS:
        row: list[Point] = []
        while grid.at(shifted(point, ray, len(row) + 1)) == color.other.letter:
            row.append(shifted(point, ray, len(row) + 1))
        is_closed = grid.at(shifted(point, ray, len(row) + 1)) == color.letter
        if is_closed and len(row) in CAPTURED_LENGTHS:
            taken += row
    return sorted(taken)
