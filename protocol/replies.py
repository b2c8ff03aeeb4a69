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


def progress(line: Line, *, numbered: bool) -> tuple[str, str]:
    """One finished iteration: its win rate, then what clients of Rapfi's form read.

    Their form has no place for a win rate, and is in lower case. numbered: say which of several
    lines it is.
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
    """The score, or the plies to a proven end: `+M7`, `-M8`."""
    if not line.mate:
        return str(line.score)
    return f"{'+' if line.mate > 0 else '-'}M{abs(line.mate)}"


def abilities(*, threads: int, table_kib: int) -> tuple[str, ...]:
    """The answer to YXSHOWINFO. The largest table is a power of two KiB, told by its exponent."""
    return (
        f"MESSAGE Tengen {__version__}",
        f"MESSAGE INFO MAX_THREAD_NUM {threads}",
        f"MESSAGE INFO MAX_HASH_SIZE {max(0, table_kib.bit_length() - 1)}",
    )


def nothing_stored(word: str) -> tuple[str, ...]:
    """The answer to a query of a database, as from an empty one."""
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
