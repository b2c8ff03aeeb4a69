"""Captures of Pente and Keryo-Pente, by walking from the new stone.

Nothing is forbidden, and any five wins.
"""

from collections.abc import Container
from typing import Final

from .grid import RAYS, Color, Grid, Point, shifted

PAIRS: Final = frozenset({2})
PAIRS_AND_TRIPLES: Final = frozenset({2, 3})


def captured_by(
    grid: Grid, point: Point, color: Color, lengths: Container[int] = PAIRS
) -> list[Point]:
    """Returns the stones that a stone of `color` on `point` captures, sorted by (x, y).

    lengths: how many stones in a row are captured together.
    """
    captured: list[Point] = []
    for ray in RAYS:
        row: list[Point] = []
        while grid.at(shifted(point, ray, len(row) + 1)) == color.other.letter:
            row.append(shifted(point, ray, len(row) + 1))
        is_closed = grid.at(shifted(point, ray, len(row) + 1)) == color.letter
        if is_closed and len(row) in lengths:
            captured += row
    return sorted(captured)
