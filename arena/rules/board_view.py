"""Draws a board as text for a terminal."""

from collections.abc import Mapping
from dataclasses import dataclass

from records.squares import name_of

from .referee import Color, Point

__all__ = [
    "ASCII",
    "UNICODE",
    "Charset",
    "Labels",
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


@dataclass(frozen=True)
class Labels:
    """Holds what stands above each column, and beside each row from the top on."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]


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
    labels: Labels | None = None,
) -> list[str]:
    """Returns the lines of a board.

    Without `labels`, columns are lettered from a and rows numbered from 1 at the top.

    `last` stands in brackets. `marks` are single characters for empty squares, such as forbidden
    ones. They replace star points.
    """
    stars = star_points(size)
    marks = marks or {}

    def cell(point: Point) -> str:
        if point in stones:
            return charset.stone(stones[point])
        return marks.get(point) or (charset.star if point in stars else charset.empty)

    labels = labels or Labels(
        tuple(_letter(x) for x in range(size)), tuple(str(y + 1) for y in range(size))
    )
    heads = _heads(labels.columns)
    lines = [*heads]
    for y in range(size):
        gaps = [" "] * (size + 1)
        if last is not None and last[1] == y:
            gaps[last[0]], gaps[last[0] + 1] = "[", "]"
        cells = "".join(gap + cell((x, y)) for x, gap in enumerate(gaps[:-1]))
        lines.append(f"{labels.rows[y]:>3}{cells}{gaps[-1]}{labels.rows[y]}")
    return [*lines, *heads]


def _heads(columns: tuple[str, ...]) -> list[str]:
    """Returns the lines above the columns; a label of two digits stands upright."""
    height = max(len(label) for label in columns)
    return [
        "   " + "".join(f" {label.rjust(height)[n]}" for label in columns) for n in range(height)
    ]


def _letter(x: int) -> str:
    return chr(ord("a") + x)
