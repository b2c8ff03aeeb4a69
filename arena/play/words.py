"""What a person can type at the board, read into values. Pure."""

import re
from dataclasses import dataclass

from ..rules.board_view import name_of
from ..rules.referee import Point

__all__ = ["HELP_LINES", "Place", "Places", "Word", "WordError", "read_word"]

_SQUARE = re.compile(
    r"(?P<name>[a-z]\d{1,2}|(?P<x>-?\d{1,4})\s*[,;\s]\s*(?P<y>-?\d{1,4}))(?!\d)[\s,;]*",
    re.IGNORECASE,
)
_SHOWN = 40

WORDS = {
    "undo": "undo [N]          take back your last move, or N moves",
    "hint": "hint              ask the engine for a move; `take` plays it",
    "analyse": "analyse [N]       analyse the position with N lines (default 3)",
    "take": "take [N]          play the hint, or the move of line N of the analysis",
    "board": "board             draw the board again",
    "moves": "moves             list the moves of the game",
    "save": "save FILE         write the game to FILE.psq (or FILE.sgf)",
    "resign": "resign            resign the game",
    "help": "help              show this help",
    "quit": "quit              quit the program; so does Ctrl-D",
}
ALIASES = {"analyze": "analyse", "exit": "quit", "?": "help"}
NUMBERED = {"undo", "analyse", "take"}
HELP_LINES = (
    "Type a move as h8 or 7,7 (column,row from 0); a1 is 0,0, the top left corner.",
    "You can type several moves on one line; an engine answers after each.",
    *(f"  {line}" for line in WORDS.values()),
    "You can shorten commands while they are unambiguous: u for undo.",
)


class WordError(ValueError):
    """Says why a line was not understood."""


@dataclass(frozen=True)
class Place:
    """A stone on a square of the board."""

    point: Point


@dataclass(frozen=True)
class Places:
    """Several stones, in this order."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Word:
    """One of the words, with its number or its text where it has one."""

    name: str
    number: int | None = None
    text: str = ""


def read_word(line: str, size: int) -> Place | Places | Word | None:
    """Reads a line; None for a blank one. Raises WordError, which says what is wrong."""
    line = line.strip()
    if not line:
        return None
    if points := _read_squares(line, size):
        return Place(points[0]) if len(points) == 1 else Places(points)
    head, _, rest = line.partition(" ")
    name = _name_of_word(head)
    rest = rest.strip()
    if name == "save":
        if not rest:
            raise WordError("save needs a file name, e.g. save game.psq")
        return Word(name, text=rest)
    if name in NUMBERED and rest:
        if not rest.isascii() or not rest.isdigit() or not 1 <= int(rest[:6]) <= 999:
            raise WordError(f"{name}: {_shown(rest)} is not a number from 1 to 999")
        return Word(name, number=int(rest[:6]))
    if rest:
        raise WordError(f"{name} takes no argument, not {_shown(rest)}")
    return Word(name)


def _read_squares(line: str, size: int) -> tuple[Point, ...]:
    """Reads squares, none where the line does not begin with one.

    Raises WordError for one that is off the board and for anything else among them.
    """
    points: list[Point] = []
    at = 0
    while at < len(line):
        found = _SQUARE.match(line, at)
        if found is None:
            if not points:
                return ()
            strange = line[at:].split()[0]
            raise WordError(
                f"{_shown(strange)} is not a square (e.g. h8 or 7,7); no move was played"
            )
        name = found["name"]
        if found["x"] is None:
            point = (ord(name[0].lower()) - ord("a"), int(name[1:]) - 1)
        else:
            point = (int(found["x"]), int(found["y"]))
        points.append(_on_board(point, name, size))
        at = found.end()
    if len(points) > size * size:
        raise WordError(f"{len(points)} moves: the board has {size * size} squares")
    return tuple(points)


def _on_board(point: Point, line: str, size: int) -> Point:
    if not (0 <= point[0] < size and 0 <= point[1] < size):
        last = (size - 1, size - 1)
        raise WordError(
            f"{_shown(line)} is off the board, which goes from a1 (0,0) to "
            f"{name_of(last)} ({last[0]},{last[1]})"
        )
    return point


def _name_of_word(head: str) -> str:
    wanted = head.lower()
    if wanted in ALIASES:
        return ALIASES[wanted]
    fitting = [name for name in WORDS if name.startswith(wanted)]
    if wanted in WORDS or len(fitting) == 1:
        return wanted if wanted in WORDS else fitting[0]
    if fitting:
        raise WordError(f"{_shown(head)} may be {' or '.join(fitting)}")
    raise WordError(f"{_shown(head)} is not a square (e.g. h8 or 7,7) or a command; type help")


def _shown(text: str) -> str:
    cut = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    return ascii(cut)
