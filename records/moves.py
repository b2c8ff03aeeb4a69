"""Moves as plain text, as people write and paste them: `h8 i9 j10`, `1. h8 i9`, `7,7 8,8`."""

import re
from collections.abc import Iterable

from records.errors import FormatError, quoted
from records.squares import NAME, Point, name_of, named, renju_name_of, renju_named
from records.text import plain

__all__ = ["read_moves", "write_moves"]

_PAIR = re.compile(r"\(?\s*([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*\)?")
_COUNT = re.compile(r"[0-9]{1,4}[.:)]+")
_NAMES = re.compile(rf"(?:{NAME.pattern})+")
_GAP = re.compile(r"[\s,;]+")


def read_moves(text: str, size: int | None = None) -> list[tuple[Point, int]]:
    """Reads moves; returns the squares, each with its line. Raises FormatError.

    With `size` names have a1 at the bottom left, as renju players write them, otherwise at the top
    left. Pairs of numbers count from 0, as in the protocol. Move numbers (`1.`) and lines that
    begin with # are skipped.
    """
    moves: list[tuple[Point, int]] = []
    for number, line in enumerate(plain(text).split("\n"), 1):
        rest = "" if line.lstrip().startswith("#") else line
        while rest := _GAP.sub("", rest, count=1) if _GAP.match(rest) else rest:
            found, points = _next(rest, size)
            if found is None:
                word = rest.split()[0]
                raise FormatError(f"{quoted(word)}: expected moves such as h8 i9 j7", line=number)
            moves += [(point, number) for point in points]
            rest = rest[found:]
    return moves


def _next(text: str, size: int | None) -> tuple[int | None, list[Point]]:
    """Returns the length of the first word of a text, None for a wrong one, and its squares."""
    if (count := _COUNT.match(text)) is not None:
        return count.end(), []
    if (pair := _PAIR.match(text)) is not None:
        return pair.end(), [(int(pair[1]), int(pair[2]))]
    names = _NAMES.match(text)
    if names is None or text[names.end() : names.end() + 1].isalnum():
        return None, []
    words = [found[0] for found in NAME.finditer(names[0])]
    return names.end(), [named(word) if size is None else renju_named(word, size) for word in words]


def write_moves(moves: Iterable[Point], size: int | None = None) -> str:
    """Returns moves as one line of names, which `read_moves` reads with the same size."""
    names = [name_of(move) if size is None else renju_name_of(move, size) for move in moves]
    return " ".join(names) + "\n"
