"""A board as text, and text as a board.

    a b c d e
 5  . . . . .  5
 4  . X O . .  4
 3  . . X . .  3
 2  . . . . .  2
 1  . . . . .  1
    a b c d e
renju, white to move, captures 0:0
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pyengine.types import Color, Rule, Square
from records.errors import FormatError, quoted
from records.rules import rule_name, rule_named
from records.text import plain

__all__ = ["Diagram", "brief", "draw", "footer", "is_diagram", "read"]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BLACK, _WHITE, _NEUTRAL, _EMPTY = "XxBb●", "OoWw○", "#", ".-_+*·┼"
_CELLS = re.escape(_BLACK + _WHITE + _NEUTRAL + _EMPTY)
_ROW = re.compile(
    rf"\s*(?:\d{{1,2}}(?=[\s|]))?[\s|]*((?:[{_CELLS}][\s|]*)+)(?:(?<=[\s|])\d{{1,2}})?\s*"
)
_LEAST_ROWS, _LEAST_SQUARES = 3, 5  # else a text is no board
_TO_MOVE = re.compile(r"\b(black|white)\s+to\s+move\b", re.IGNORECASE)
_CAPTURES = re.compile(r"\bcaptures\s+(\d)\s*:\s*(\d)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Diagram:
    """Holds what a drawn board tells; rule and turn are None where it does not say."""

    size: int
    black: tuple[Square, ...]
    white: tuple[Square, ...]
    neutral: tuple[Square, ...] = ()
    rule: Rule | None = None
    turn: Color | None = None
    captures: tuple[int, int] = (0, 0)


def draw(size: int, stones: Mapping[Square, Color], neutral: tuple[Square, ...] = ()) -> str:
    """Draws a board: X is Black, O is White, # a stone of nobody."""
    letters = "    " + " ".join(_LETTERS[:size])

    def cell(m: Square) -> str:
        if m in stones:
            return "X" if stones[m] is Color.BLACK else "O"
        return "#" if m in neutral else "."

    rows = [
        f"{size - y:>2}  {' '.join(cell((x, y)) for x in range(size))}  {size - y}"
        for y in range(size)
    ]
    return "\n".join([letters, *rows, letters])


def is_diagram(text: str) -> bool:
    """Says whether a text has rows of a board."""
    rows = [_cells(line) or "" for line in plain(text).split("\n")]
    return sum(len(row) >= _LEAST_SQUARES for row in rows) >= _LEAST_ROWS


def _cells(line: str) -> str | None:
    """Returns the squares of a row, None where the line is none."""
    found = _ROW.fullmatch(line)
    if found is None:
        return None
    return "".join(letter for letter in found[1] if not (letter.isspace() or letter == "|"))


def _is_letters(line: str) -> bool:
    """Says whether a line names the columns."""
    word = "".join(line.split()).lower()
    return bool(word) and word == _LETTERS[: len(word)]


def read(text: str) -> Diagram:
    """Reads a drawn board; raises FormatError, which names the line.

    A row has one letter for each square: X, B or ● is Black, O, W or ○ is White, `.`, `-`, `_`,
    `+`, `*` or `·` is empty, # belongs to nobody. Numbers of rows, letters of columns and blanks
    do not matter. A line below may say `renju, white to move, captures 1:0`.
    """
    rows: list[tuple[int, str]] = []
    rule: Rule | None = None
    turn: Color | None = None
    captures = (0, 0)
    for number, line in enumerate(plain(text).split("\n"), 1):
        if not line.strip() or (_is_letters(line) and len(line.split()) > 1):
            continue
        if (cells := _cells(line)) is not None:
            rows.append((number, cells))
            continue
        known = rule_named(line.split(",")[0])
        to_move, pairs = _TO_MOVE.search(line), _CAPTURES.search(line)
        if known is None and to_move is None and pairs is None:
            problem = f"{quoted(line.strip())}: expected a row of the board, or `black to move`"
            raise FormatError(problem, line=number)
        rule = rule if known is None else Rule(known)
        turn = turn if to_move is None else Color(to_move[1].lower())
        captures = captures if pairs is None else (int(pairs[1]), int(pairs[2]))
    size = len(rows)
    for number, cells in rows:
        if len(cells) != size:
            problem = f"{len(cells)} squares: expected {size}, as many as there are rows"
            raise FormatError(problem, line=number)
    found: dict[str, list[Square]] = {kind: [] for kind in (_BLACK, _WHITE, _NEUTRAL, _EMPTY)}
    for y, (_, cells) in enumerate(rows):
        for x, letter in enumerate(cells):
            next(found[kind] for kind in found if letter in kind).append((x, y))
    black, white, neutral = (tuple(found[kind]) for kind in (_BLACK, _WHITE, _NEUTRAL))
    return Diagram(size, black, white, neutral, rule, turn, captures)


def footer(rule: Rule, turn: Color, captures: tuple[int, int]) -> str:
    """Returns the line below a board, which `read` reads."""
    told = f"{rule_name(rule)}, {turn.value} to move"
    return f"{told}, captures {captures[0]}:{captures[1]}" if rule.has_captures else told


def brief(size: int, rule: Rule, stones: int, turn: Color) -> str:
    """Returns a position in a few words, for `repr`."""
    count = f"{stones} stone{'' if stones == 1 else 's'}"
    return f"{size}x{size} {rule_name(rule)}, {count}, {turn.value} to move"
