"""Reads the lines that a person types at the board into values."""

import re
from dataclasses import dataclass

from records.squares import renju_name_of, renju_named

from ..rules.referee import Point
from .notation import Squares

__all__ = ["COMMANDS", "Command", "InputError", "Place", "Places", "help_lines", "read_command"]

_SQUARE = re.compile(
    r"(?P<name>[a-z]\d{1,2}|(?P<x>-?\d{1,4})\s*[,;\s]\s*(?P<y>-?\d{1,4}))(?!\d)[\s,;]*",
    re.IGNORECASE,
)
_SHOWN = 40

COMMANDS = {
    "undo": "undo [N]          take back your last move, or N moves",
    "redo": "redo [N]          play again what was taken back, or N moves of it",
    "hint": "hint              ask the engine for a move; `take` plays it",
    "analyse": "analyse [N]       analyse the position with N lines (default 3)",
    "take": "take [N]          play the hint, or the move of line N of the analysis",
    "board": "board             draw the board again",
    "moves": "moves             list the moves of the game",
    "squares": "squares a1|xy     write squares as h8 (a1 at the bottom left) or as 7,7",
    "save": "save [as] FILE    write the game to FILE.psq (or FILE.sgf); `as` replaces a file",
    "review": "review [DIR]      show where the game turned; write the pages to the folder DIR",
    "resign": "resign            resign the game",
    "help": "help              show this help",
    "quit": "quit              quit the program; so does Ctrl-D",
}
ALIASES = {"analyze": "analyse", "exit": "quit", "?": "help"}
NUMBERED = {"undo", "redo", "analyse", "take"}


def help_lines(squares: Squares, size: int) -> tuple[str, ...]:
    """Returns the lines of the help; the first one explains squares."""
    corner = renju_name_of((0, 0), size)
    shown = {
        Squares.A1: f"a1 is the bottom left corner, and {corner} is 0,0.",
        Squares.XY: f"0,0 is the top left corner, and {corner}.",
    }
    return (
        f"Type a move as h8 or 7,7 (column,row from 0 at the top). {shown[squares]}",
        "You can type several moves on one line; an engine answers after each.",
        *(f"  {line}" for line in COMMANDS.values()),
        "You can shorten commands while they are unambiguous: u for undo.",
    )


class InputError(ValueError):
    """Says why a line was not understood."""


@dataclass(frozen=True)
class Place:
    """A move to a square."""

    point: Point


@dataclass(frozen=True)
class Places:
    """Several moves, in this order."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Command:
    """A command with its number or its text, if it has one."""

    name: str
    number: int | None = None
    text: str = ""
    replaces: bool = False
    """Of `save`: an existing file may be replaced."""


def read_command(line: str, size: int) -> Place | Places | Command | None:
    """Reads a line; returns None for a blank one. Raises InputError with the reason."""
    line = line.strip()
    if not line:
        return None
    if points := _read_squares(line, size):
        return Place(points[0]) if len(points) == 1 else Places(points)
    head, _, rest = line.partition(" ")
    name = _command_of(head)
    rest = rest.strip()
    if name == "save":
        first, _, after = rest.partition(" ")
        replaces = first.lower() == "as" and bool(after.strip())
        return Command(name, text=after.strip() if replaces else rest, replaces=replaces)
    if name == "review":
        return Command(name, text=rest)
    if name == "squares":
        if rest.lower() not in tuple(Squares):
            raise InputError(f"squares: {_shown(rest)}: expected a1 or xy")
        return Command(name, text=rest.lower())
    if name in NUMBERED and rest:
        if not rest.isascii() or not rest.isdigit() or not 1 <= int(rest[:6]) <= 999:
            raise InputError(f"{name}: {_shown(rest)} is not a number from 1 to 999")
        return Command(name, number=int(rest[:6]))
    if rest:
        raise InputError(f"{name} takes no argument, not {_shown(rest)}")
    return Command(name)


def _read_squares(line: str, size: int) -> tuple[Point, ...]:
    """Reads squares; returns none if the line does not begin with one.

    Raises InputError for a square off the board, and for anything else among squares.
    """
    points: list[Point] = []
    at = 0
    while at < len(line):
        found = _SQUARE.match(line, at)
        if found is None:
            if not points:
                return ()
            strange = line[at:].split()[0]
            raise InputError(
                f"{_shown(strange)} is not a square (e.g. h8 or 7,7); no move was played"
            )
        name = found["name"]
        if found["x"] is None:
            point = renju_named(name, size)
        else:
            point = (int(found["x"]), int(found["y"]))
        points.append(_on_board(point, name, size))
        at = found.end()
    if len(points) > size * size:
        raise InputError(f"{len(points)} moves: the board has {size * size} squares")
    return tuple(points)


def _on_board(point: Point, line: str, size: int) -> Point:
    if not (0 <= point[0] < size and 0 <= point[1] < size):
        last = size - 1
        raise InputError(
            f"{_shown(line)} is off the board, which goes from a1 (0,{last}) to "
            f"{renju_name_of((last, 0), size)} ({last},0)"
        )
    return point


def _command_of(head: str) -> str:
    wanted = head.lower()
    if wanted in ALIASES:
        return ALIASES[wanted]
    fitting = [name for name in COMMANDS if name.startswith(wanted)]
    if wanted in COMMANDS or len(fitting) == 1:
        return wanted if wanted in COMMANDS else fitting[0]
    if fitting:
        raise InputError(f"{_shown(head)} may be {' or '.join(fitting)}")
    raise InputError(f"{_shown(head)} is not a square (e.g. h8 or 7,7) or a command; type help")


def _shown(text: str) -> str:
    cut = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    return ascii(cut)
