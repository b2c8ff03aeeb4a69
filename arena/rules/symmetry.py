"""The eight symmetries of the square board."""

from collections.abc import Iterable, Mapping

from .referee import Color, Point, Position

__all__ = ["SYMMETRIES", "Key", "key_of", "stones_key", "turned"]

SYMMETRIES = range(8)
"""Numbers of the symmetries: bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps the two."""

Key = tuple[tuple[int, int, str], ...]


def turned(point: Point, size: int, symmetry: int) -> Point:
    """Returns the image of a square; symmetry 0 is the identity."""
    x, y = point
    if symmetry & 1:
        x = size - 1 - x
    if symmetry & 2:
        y = size - 1 - y
    return (y, x) if symmetry & 4 else (x, y)


def stones_key(stones: Mapping[Point, Color], size: int) -> Key:
    """Returns a value that is equal for symmetric copies of a set of stones.

    The colour of each stone matters, the order of play does not.
    """
    return min(_image(stones.items(), size, symmetry) for symmetry in SYMMETRIES)


def key_of(position: Position) -> tuple[Key, tuple[int, int]]:
    """Returns a value that is equal for symmetric copies of a position with equal captures."""
    return stones_key(position.stones, position.size), position.captures


def _image(stones: Iterable[tuple[Point, Color]], size: int, symmetry: int) -> Key:
    return tuple(sorted((*turned(point, size, symmetry), color.letter) for point, color in stones))
