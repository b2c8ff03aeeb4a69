"""Analysis for the page: Tengen as a native engine, asked by YXNBEST, its lines told as they come.

One process serves one position after the other, so that its transposition table is kept while a
person goes through a game. A search has no limit; it runs until it is halted.
"""

import contextlib
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..engines.brain import position_lines
from ..engines.clock import UNLIMITED_MS
from ..engines.managers import STRICT, Opens, Reading, Stderr
from ..engines.process import NOTED_LENGTH, BrainProcess
from ..engines.reports import points_of, read_report
from ..engines.spec import EngineSpec
from ..util.faults import BrainFault, Fault
from .messages import Analyse

__all__ = ["Analyst"]

START_MS = 10_000
HALT_S = 2.0
"""A search that goes on for so long after YXSTOP is ended with its process."""
AGAIN_S = 0.05
MEMORY_MIB = 1024
"""The limit of the engine if the page sends none."""

_READING = Reading(rest_is_skipped=True, stderr=Stderr.IGNORED, long_lines=True)
_BOARD = replace(STRICT, opens=Opens.BOARD)
_START = re.compile(r"(?:OK|ERROR|UNKNOWN)\b.*", re.IGNORECASE)
_END = re.compile(r"\s*\d+\s*,\s*\d+\s*|(?:ERROR|UNKNOWN)\b.*", re.IGNORECASE)
_NUMBERS = re.compile(r"MESSAGE depth \d+-(\d+) .*\bn (\d+) n/ms \d+ tm (\d+) ")


class Analyst:
    """Analyses one position at a time; any thread may ask it to."""

    def __init__(self, spec: EngineSpec, tell: Callable[[dict[str, Any]], None]) -> None:
        """Makes an analyst. tell: receives the end of each analysis, from any thread."""
        self._spec = spec
        self._tell = tell
        self._process: BrainProcess | None = None
        self._game: tuple[int, int, int] | None = None
        self._thread: threading.Thread | None = None
        self._asked: Analyse | None = None
        self._asking = threading.RLock()
        self._lock = threading.Lock()
        self._lines: dict[int, dict[str, Any]] = {}
        self._is_new = False

    def begin(self, asked: Analyse) -> None:
        """Analyses a position; the analysis before is halted."""
        with self._asking:
            self.halt()
            with self._lock:
                self._asked, self._lines, self._is_new = asked, {}, False
            self._thread = threading.Thread(target=self._run, args=(asked,), name="analysis")
            self._thread.daemon = True
            self._thread.start()

    def news(self) -> dict[str, Any] | None:
        """Returns the lines as they are now, None where nothing has changed since the last call."""
        with self._lock:
            if not self._is_new or self._asked is None:
                return None
            self._is_new = False
            lines = [self._lines[number] for number in sorted(self._lines)]
            return {"is": "analysis", "id": self._asked.number, "lines": lines}

    def halt(self) -> None:
        """Ends the analysis, where there is one; returns when it has ended."""
        with self._asking:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._wait_for(thread)

    def close(self) -> None:
        """Ends the analysis and the process."""
        with self._asking:
            self.halt()
            self._end_process()

    def _wait_for(self, thread: threading.Thread) -> None:
        until = time.monotonic() + HALT_S
        while thread.is_alive():
            process = self._process
            if process is not None and time.monotonic() > until:
                process.close()
            elif process is not None:
                # Said again and again: the first may come before the search has begun.
                with contextlib.suppress(BrainFault):
                    process.interject("YXSTOP")
            thread.join(AGAIN_S)

    def _run(self, asked: Analyse) -> None:
        problem = ""
        try:
            self._search(asked)
        except (BrainFault, OSError) as error:
            self._end_process()
            problem = f"{self._spec.name} broke down: {error}"
        self._tell({"is": "analysed", "id": asked.number, "problem": problem})

    def _search(self, asked: Analyse) -> None:
        process = self._ready(asked)
        lines = position_lines(asked.request, _BOARD)
        lines = ["YXBOARD" if line == "BOARD" else line for line in lines]
        answer = process.ask(*lines, f"YXNBEST {asked.lines}", form=_END, limit_ms=None)
        if not answer.text.lstrip()[:1].isdigit():
            raise BrainFault(Fault.PROTOCOL, f"YXNBEST is answered by {answer.text[:100]!a}")

    def _ready(self, asked: Analyse) -> BrainProcess:
        """Returns the process, started or begun anew where board, rule or memory are others."""
        game = (asked.size, int(asked.rule), asked.memory_mib or MEMORY_MIB)
        if self._process is None:
            cwd = None if self._spec.cwd is None else Path(self._spec.cwd)
            self._process = BrainProcess(
                self._spec.command, cwd=cwd, reading=_READING, on_line=self._on_line
            )
        elif game == self._game:
            return self._process
        self._game = game
        answer = self._process.ask(f"START {asked.size}", form=_START, limit_ms=START_MS)
        if not answer.text.upper().startswith("OK"):
            text = f"START {asked.size} is answered by {answer.text[:100]!a}"
            raise BrainFault(Fault.PROTOCOL, text)
        self._process.send(
            f"INFO max_memory {game[2] << 20}",
            f"INFO rule {int(asked.rule)}",
            f"INFO time_left {UNLIMITED_MS}",
            *(f"INFO {key} {value}" for key, value in self._spec.extra_info),
        )
        return self._process

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _on_line(self, mark: str, text: str) -> None:
        """Keeps what a line tells; called by the thread that reads the engine's output."""
        if mark != "<" or not text.startswith("MESSAGE "):
            return
        if len(text) >= NOTED_LENGTH:  # what was cut off may be half of the last square
            text = text.rpartition(" ")[0]
        report, numbers = read_report(text), _NUMBERS.match(text)
        if report is None or numbers is None or self._game is None:
            return
        line = {
            "pv": [list(point) for point in points_of(report, self._game[0])],
            "depth": report.depth,
            "seldepth": int(numbers[1]),
            "score": int(report.score) if report.mate is None else 0,
            "mate": report.mate or 0,
            "nodes": int(numbers[2]),
            "timeMs": int(numbers[3]),
        }
        with self._lock:
            self._lines[report.line] = line
            self._is_new = True
