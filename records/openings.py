"""Lines of opening files: offsets from the centre, and names of squares.

`offset` is the format of Gomocup, Piskvork's openings.txt and c-gomoku-cli: `0,0, 1,-1, 2,0`,
relative to the square (size // 2, size // 2). `pos` is that of c-gomoku-cli: `h8i9j7`, with a1 at
the top left.
"""

import re
from collections.abc import Iterable

from records.errors import FormatError, quoted
from records.squares import NAME, Point, name_of, named

__all__ = ["offset_text", "pos_text", "read_offsets", "read_pos"]

_NUMBER = re.compile(r"[+-]?[0-9]{1,3}")


def read_offsets(line: str, size: int) -> list[tuple[Point, str]]:
    """Reads offsets from the centre; returns the squares and their text. Raises FormatError."""
    numbers = [part.strip() for part in line.strip().removesuffix(",").split(",")]
    bad = next((part for part in numbers if not _NUMBER.fullmatch(part)), None)
    if bad is not None:
        raise FormatError(
            f"{quoted(bad)} is not a number: expected offsets from the centre with commas between "
            "them, as `0,0, 1,-1, 2,0`"
        )
    if len(numbers) % 2:
        raise FormatError(f"{len(numbers)} numbers: expected two for each move, x and y")
    half = size // 2
    pairs = zip(map(int, numbers[::2]), map(int, numbers[1::2]), strict=True)
    return [((x + half, y + half), f"{x},{y}") for x, y in pairs]


def read_pos(line: str) -> list[tuple[Point, str]]:
    """Reads names of squares; returns the squares and their text. Raises FormatError."""
    line = line.strip()
    names = [found[0] for found in NAME.finditer(line)]
    if "".join(names) != line:
        raise FormatError(
            f"{quoted(line)}: expected squares without anything between them, such as `h8i9j7`"
        )
    return [(named(text), text) for text in names]


def offset_text(moves: Iterable[Point], size: int) -> str:
    """Returns an opening as a line of offsets from the centre."""
    half = size // 2
    return ", ".join(f"{x - half},{y - half}" for x, y in moves)


def pos_text(moves: Iterable[Point]) -> str:
    """Returns an opening as a line of names of squares."""
    return "".join(name_of(move) for move in moves)
