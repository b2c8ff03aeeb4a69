"""Draws a board as text for a terminal."""

from collections.abc import Mapping
from dataclasses import dataclass

from records.squares import name_of

from .referee import Color, Point

__all__ = [
    "ASCII",
    "UNICODE",
    "Charset",
    "charset_for",
    "coloured",
    "draw_board",
    "name_of",
    "star_points",
]


@dataclass(frozen=True)
class Charset:
    """Holds the characters of a board, each one column wide."""

    black: str
    white: str
    empty: str
    star: str
    forbidden: str = "#"

    def stone(self, color: Color) -> str:
        """Returns the character of a stone."""
        return self.black if color is Color.BLACK else self.white


ASCII = Charset(black="X", white="O", empty=".", star="+")
UNICODE = Charset(black="●", white="○", empty="·", star="+", forbidden="x")


def charset_for(encoding: str | None) -> Charset:
    """Returns the best character set that an output with this encoding can show."""
    try:
        "".join((UNICODE.black, UNICODE.white, UNICODE.empty)).encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return UNICODE


def coloured(charset: Charset) -> Charset:
    """Returns the characters with terminal colours around them, each one column wide."""

    def paint(code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m"

    return Charset(
        black=paint("1;36", charset.black),
        white=paint("1;33", charset.white),
        empty=paint("2", charset.empty),
        star=paint("2", charset.star),
        forbidden=paint("31", charset.forbidden),
    )


def star_points(size: int) -> frozenset[Point]:
    """Returns the star points, as on a printed board."""
    middle = {size // 2} if size % 2 else set()
    if size < 9:
        return frozenset((m, m) for m in middle)
    edge = 3 if size >= 13 else 2
    outer = {edge, size - 1 - edge}
    corners = {(x, y) for x in outer for y in outer}
    if size >= 19:
        lines = outer | middle
        corners |= {(x, y) for x in lines for y in lines}
    return frozenset(corners | {(m, m) for m in middle})


def draw_board(
    size: int,
    stones: Mapping[Point, Color],
    *,
    last: Point | None = None,
    marks: Mapping[Point, str] | None = None,
    charset: Charset = ASCII,
) -> list[str]:
    """Returns the lines of a board, columns lettered from a, rows numbered from 1 at the top.

    `last` stands in brackets. `marks` are single characters for empty squares, such as forbidden
    ones. They replace star points.
    """
    stars = star_points(size)
    marks = marks or {}

    def cell(point: Point) -> str:
        if point in stones:
            return charset.stone(stones[point])
        return marks.get(point) or (charset.star if point in stars else charset.empty)

    letters = "   " + "".join(f" {_letter(x)}" for x in range(size))
    lines = [letters]
    for y in range(size):
        gaps = [" "] * (size + 1)
        if last is not None and last[1] == y:
            gaps[last[0]], gaps[last[0] + 1] = "[", "]"
        cells = "".join(gap + cell((x, y)) for x, gap in enumerate(gaps[:-1]))
        lines.append(f"{y + 1:>3}{cells}{gaps[-1]}{y + 1}")
    lines.append(letters)
    return lines


def _letter(x: int) -> str:
    return chr(ord("a") + x)
