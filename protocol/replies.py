"""Writes lines for the manager: short, ASCII, without a line end."""

from collections.abc import Iterable, Sequence
from typing import Final

from protocol.commands import Square, shown
from pyengine import Line, __version__

OK: Final = "OK"
ABOUT: Final = f'name="Tengen", version="{__version__}", author="Tengen developers"'
# A line with its end must stay under 500 bytes.
_LONGEST: Final = 480
_PV_SHOWN: Final = 16


def move(square: Square) -> str:
    """Returns `x,y`."""
    return f"{square[0]},{square[1]}"


def moves(squares: Iterable[Square]) -> str:
    """Returns several moves with blanks between them."""
    return " ".join(move(square) for square in squares)


def error(text: str) -> str:
    """Returns an ERROR line."""
    return f"ERROR {_clean(text)}"


def unknown(word: str) -> str:
    """Returns the answer to an unknown command."""
    return f"UNKNOWN {shown(word)}"


def forbidden(squares: Sequence[Square]) -> str:
    """Returns `FORBID xxyyxxyy.`, with two digits for each number."""
    return "FORBID " + "".join(f"{x:02}{y:02}" for x, y in squares) + "."


def message(text: str) -> str:
    """Returns a note for a person, to be said before a move: a manager may misread it elsewhere."""
    return f"MESSAGE {_clean(text.upper())}"


def progress(line: Line, *, numbered: bool) -> tuple[str, str]:
    """Returns the report of a finished iteration: the win rate, and a line in Rapfi's form.

    Rapfi's form has no place for a win rate (docs/decisions/0131). numbered: add the number of the
    line of play.
    """
    head = f"depth {line.depth}-{line.seldepth}"
    if numbered:
        head += f" multipv {line.line + 1}"
    head += f" ev {_evaluation(line)}"
    speed = line.nodes // max(1, line.time_ms)
    pv = moves(line.pv[:_PV_SHOWN])
    return (
        f"MESSAGE winrate {100 * line.win_rate:.1f}% {head}",
        f"MESSAGE {head} n {line.nodes} n/ms {speed} tm {line.time_ms} pv {pv}",
    )


def _evaluation(line: Line) -> str:
    """Returns the score, or the plies to a proven end, such as `+M7` or `-M8`."""
    if not line.mate:
        return str(line.score)
    return f"{'+' if line.mate > 0 else '-'}M{abs(line.mate)}"


def abilities(*, threads: int, table_kib: int) -> tuple[str, ...]:
    """Returns the answer to YXSHOWINFO. The last line has the exponent n of 2^n KiB."""
    return (
        f"MESSAGE Tengen {__version__}",
        f"MESSAGE INFO MAX_THREAD_NUM {threads}",
        f"MESSAGE INFO MAX_HASH_SIZE {max(0, table_kib.bit_length() - 1)}",
    )


def nothing_stored(word: str) -> tuple[str, ...]:
    """Returns the answer of an empty database to a query."""
    query = word.removeprefix("YXQUERYDATABASE")
    entries = ("MESSAGE DATABASE REFRESH", "MESSAGE DATABASE DONE")
    text = 'MESSAGE DATABASE TEXT ""'
    if query == "ONE":
        return ("MESSAGE DATABASE ONE 0 0 0 0",)
    if query == "TEXT":
        return (text,)
    return (*entries, text) if query == "ALLT" else entries


def _clean(text: str) -> str:
    return "".join(c if " " <= c <= "~" else "?" for c in text)[:_LONGEST]
