"""Squares and their names.

A square is (x, y) from 0: x is the column from the left, y the row from the top. Three notations
use letters: `h8` with a1 at the top left (c-gomoku-cli, the arena's boards), `h8` with a1 at the
bottom left (renju players), and two letters in .sgf. No column letter is skipped: `i` is a column.
"""

import re
from typing import TypeAlias

from records.errors import FormatError, quoted

__all__ = [
    "NAME",
    "PASS",
    "Point",
    "name_of",
    "named",
    "renju_name_of",
    "renju_named",
    "sgf_letters",
    "sgf_square",
    "shown_square",
    "square_of",
]

Point: TypeAlias = tuple[int, int]

PASS: Point = (-1, -1)
"""A move without a stone."""

NAME = re.compile(r"([A-Za-z])([0-9]{1,2})")
_PAIR = re.compile(r"\s*([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def name_of(point: Point) -> str:
    """Returns a square's name with a1 at the top left: `h8` is (7, 7)."""
    x, y = point
    return f"{_LETTERS[x]}{y + 1}"


def named(text: str) -> Point:
    """Reads a name with a1 at the top left, in either case; raises FormatError.

    The square may be off the board: `a0` is (0, -1).
    """
    found = NAME.fullmatch(text)
    if found is None:
        raise FormatError(f"{quoted(text)}: expected a square such as h8")
    return (_LETTERS.index(found[1].lower()), int(found[2]) - 1)


def renju_name_of(point: Point, size: int) -> str:
    """Returns a square's name with a1 at the bottom left of a board."""
    return name_of((point[0], size - 1 - point[1]))


def shown_square(point: Point, size: int) -> str:
    """Returns a square for a message: its name if it can have one, else its numbers."""
    is_named = 0 <= point[0] < len(_LETTERS) and point[1] < size
    return renju_name_of(point, size) if is_named else f"{point[0]},{point[1]}"


def renju_named(text: str, size: int) -> Point:
    """Reads a name with a1 at the bottom left of a board; raises FormatError."""
    x, row = named(text)
    return (x, size - 1 - row)


def sgf_letters(point: Point) -> str:
    """Returns the two letters of a square in .sgf: column, then row from the top."""
    return _LETTERS[point[0]] + _LETTERS[point[1]]


def sgf_square(text: str) -> Point:
    """Reads the two letters of a square in .sgf; raises FormatError."""
    if len(text) != 2 or any(letter not in _LETTERS for letter in text):
        raise FormatError(f"{quoted(text)}: expected two letters such as hh")
    return (_LETTERS.index(text[0]), _LETTERS.index(text[1]))


def square_of(text: str, size: int) -> Point:
    """Reads a square of a board: `h8` or `H8` with a1 at the bottom left, or Piskvork's `7,7`.

    Raises FormatError for anything else and for a square off the board.
    """
    pair = _PAIR.fullmatch(text)
    try:
        point = (int(pair[1]), int(pair[2])) if pair else renju_named(text.strip(), size)
    except FormatError:
        raise FormatError(f"{quoted(text)}: expected a square such as h8 or 7,7") from None
    if not all(0 <= value < size for value in point):
        last = renju_name_of((size - 1, 0), size) if size <= len(_LETTERS) else f"row {size}"
        raise FormatError(f"{quoted(text)}: off the board: expected a1 to {last}")
    return point
