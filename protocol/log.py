"""Writes the log of `INFO log PATH`: one block for each move. Nothing here raises or prints.

The log must be a regular file other than the one behind stdout, which the manager reads. While a
log is open, stderr goes there as well.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from protocol.commands import Square
from protocol.position import Setup
from protocol.replies import move, moves
from pyengine import Rule, SearchResult, Stage, StageNote, TraceRow

_STDOUT = 1
_STDERR = 2
# The names of the stages, in the order in which the search asks them.
_STAGES = {
    Stage.STATIC: "static",
    Stage.ANSWER_FIVE: "answer a pending five",
    Stage.WIN: "win now",
    Stage.BLOCK: "stop a win",
    Stage.VCF: "own VCF",
    Stage.VCT: "own VCT",
    Stage.ANSWER_VCF: "opponent's VCF",
    Stage.SEARCH: "search",
}


@dataclass(frozen=True)
class Entry:
    """The facts of one move. result: None = the move comes from no search."""

    number: int
    rule: Rule
    setup: Setup
    move: Square
    spent_ms: float
    result: SearchResult | None
    trace: Sequence[TraceRow] = ()


def block(entry: Entry) -> str:
    """Returns the text of one move, with an empty line at its end."""
    setup, result = entry.setup, entry.result
    black, white = len(setup.black), len(setup.white)
    rows = [
        f"move {entry.number} {setup.to_move.value} {move(entry.move)}",
        f"rule {entry.rule.name.lower()} size {setup.size}",
        f"stones {black} black {white} white {len(setup.neutral)} neutral",
        f"captures {setup.captures[0]} black {setup.captures[1]} white",
        f"time {entry.spent_ms:.0f} ms",
    ]
    if result is None:
        rows.append("stage fallback")
    else:
        nps = result.nodes * 1000 // max(1, result.time_ms)
        mate = "" if result.mate is None else f" mate {result.mate}"
        rows += [f"passed {_passed(note)}" for note in result.passed]
        rows += [
            f"stage {_STAGES[result.stage]}",
            f"score {result.score}{mate} winrate {100 * result.win_rate:.1f} %",
            f"wdl {result.wdl}",
            f"depth {result.depth} seldepth {result.seldepth}",
            f"nodes {result.nodes} search {result.time_ms} ms nps {nps} threads {result.threads}",
            f"table {result.table_permille / 10:.1f} %",
            f"line {moves(result.pv)}",
        ]
    rows += [f"trace {move(row.move)} {row}" for row in entry.trace]
    return "\n".join(rows) + "\n\n"


def _passed(note: StageNote) -> str:
    """Returns one stage with its result, such as `own VCF: none, 812 nodes`."""
    result = "found" if note.found else "none"
    return f"{_STAGES[note.stage]}: {result}, {note.nodes} nodes"


def silence_stderr() -> None:
    """Discards stderr, because some managers read it as an answer."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDERR)
        os.close(nowhere)


class Log:
    """The open log, if any."""

    def __init__(self) -> None:
        self._file = -1

    def open(self, path: str) -> bool:
        """Opens a log, or no log for an empty path; returns False if the file cannot be written."""
        self.close()
        if not path:
            return True
        try:
            # Without O_NONBLOCK, opening a pipe without a reader blocks. Windows has no such pipes.
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
            file = os.open(_path(path), flags, 0o644)
        except (OSError, ValueError):
            return False
        if not _is_proper(file):
            os.close(file)
            return False
        self._file = file
        with contextlib.suppress(OSError):
            os.dup2(file, _STDERR)
        return True

    def close(self) -> None:
        """Closes the log and discards stderr again."""
        if self._file >= 0:
            silence_stderr()
            os.close(self._file)
            self._file = -1

    def write(self, entry: Entry) -> None:
        """Writes one block in one piece; ignores a full disk."""
        if self._file < 0:
            return
        with contextlib.suppress(OSError):
            os.write(self._file, block(entry).encode("ascii", "replace"))


def _path(text: str) -> str:
    """Decodes a path that was read as bytes: UTF-8, or else the encoding of the system."""
    raw = text.encode("latin-1")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("mbcs") if sys.platform == "win32" else os.fsdecode(raw)


def _is_proper(file: int) -> bool:
    try:
        found = os.fstat(file)
        return stat.S_ISREG(found.st_mode) and not os.path.samestat(found, os.fstat(_STDOUT))
    except OSError:
        return False
