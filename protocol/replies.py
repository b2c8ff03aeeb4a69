"""Lines for the manager. Pure; every line is ASCII without an end, and short."""

from collections.abc import Iterable, Sequence
from typing import Final

from protocol.commands import Square, shown
from pyengine import Line, __version__

OK: Final = "OK"
ABOUT: Final = f'name="Tengen", version="{__version__}", author="Tengen developers"'
# A line must stay under 500 bytes with its end.
_LONGEST: Final = 480
_PV_SHOWN: Final = 16


def move(square: Square) -> str:
    """`x,y`, and nothing else."""
    return f"{square[0]},{square[1]}"


def moves(squares: Iterable[Square]) -> str:
    """Several moves in one answer."""
    return " ".join(move(square) for square in squares)


def error(text: str) -> str:
    """What was wrong with a request."""
    return f"ERROR {_clean(text)}"


def unknown(word: str) -> str:
    """The answer to a word that is no command."""
    return f"UNKNOWN {shown(word)}"


def forbidden(squares: Sequence[Square]) -> str:
    """`FORBID xxyyxxyy.`, two digits a number."""
    return "FORBID " + "".join(f"{x:02}{y:02}" for x, y in squares) + "."


def message(text: str) -> str:
    """A line for a person. Only while thinking: elsewhere some manager takes it for the answer."""
    return f"MESSAGE {_clean(text.upper())}"


def progress(line: Line, *, numbered: bool) -> str:
    """One finished iteration. numbered: say which of several lines it is."""
    which = f"LINE {line.line + 1} " if numbered else ""
    mate = f"MATE {line.mate} " if line.mate else ""
    return message(
        f"{which}DEPTH {line.depth}-{line.seldepth} SCORE {line.score} {mate}"
        f"WINRATE {100 * line.win_rate:.1f}% NODES {line.nodes} TIME {line.time_ms} "
        f"PV {moves(line.pv[:_PV_SHOWN])}"
    )


def _clean(text: str) -> str:
    return "".join(c if " " <= c <= "~" else "?" for c in text)[:_LONGEST]
