"""The text between manager and brain: what an answer looks like, and a reader that collects it."""

import contextlib
import enum
import os
import queue
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

__all__ = [
    "BACKLOG",
    "MAX_LINE",
    "MESSAGE",
    "MOVE",
    "OK",
    "Answer",
    "Line",
    "LineReader",
    "LineSplitter",
    "Source",
]

MAX_LINE = 2000
"""The longest line, in bytes, that every manager reads whole."""
BACKLOG = 4096
"""Lines that may wait unread; a brain that writes more is held up, as by a full pipe."""

OK = re.compile(r"OK")
MOVE = re.compile(r"(?:0|-?[1-9][0-9]{0,8}),(?:0|-?[1-9][0-9]{0,8})")
"""A move as every manager reads it; a minus is let through, for the referee to call illegal."""
MESSAGE = re.compile(r"(?:MESSAGE|DEBUG) .*\S.*")


class Source(enum.Enum):
    """Says where a line came from; END is the end of the brain's output."""

    OUT = "out"
    ERR = "err"
    END = "end"


@dataclass(frozen=True)
class Line:
    """Holds one line without its line feed, and the monotonic time in seconds of its last byte."""

    source: Source
    text: str
    at: float
    broken: str = ""

    @property
    def is_message(self) -> bool:
        """Says whether managers skip the line while they wait for an answer."""
        sound = self.source is Source.OUT and not self.broken
        return sound and MESSAGE.fullmatch(self.text) is not None


@dataclass(frozen=True)
class Answer:
    """Holds an answer line, the ms it took from the write of the request, and what was said."""

    text: str
    ms: float
    messages: tuple[str, ...] = ()
    at: float = 0.0
    """The monotonic time in seconds of the answer's last byte."""


class LineSplitter:
    """Cuts bytes into lines, the same ones in whichever pieces the bytes arrive."""

    def __init__(self) -> None:
        """Begins before the first byte."""
        self._rest = b""
        self._is_told = False
        """The line under way is too long and was handed out: the rest of it is dropped."""

    def feed(self, chunk: bytes) -> list[tuple[bytes, str]]:
        """Takes bytes; returns the lines that they end, each with what is broken about it.

        A line that is far too long is handed out at once: its end may never come.
        """
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        lines = []
        for line in whole:
            if not self._is_told:
                lines.append((line, "too long" if len(line) > MAX_LINE else ""))
            self._is_told = False
        if len(self._rest) > 4 * MAX_LINE and not self._is_told:
            lines.append((self._rest, "too long"))
            self._is_told = True
        if self._is_told:
            self._rest = b""
        return lines

    def end(self) -> list[tuple[bytes, str]]:
        """Returns the last line, which has no end, where there is one."""
        return [(self._rest, "not ended")] if self._rest else []


class LineReader:
    """Reads a brain's stdout and stderr in two threads of its own, and hands out their lines.

    The END line reaches every thread that waits in `next`. The reading threads end with the
    streams; `abandon` lets them end when nobody wants the lines any longer.
    """

    def __init__(self, out: IO[bytes], err: IO[bytes], note: Callable[[str, str], None]) -> None:
        """Starts reading; `note(mark, text)` is called for each line from the reading threads."""
        self._lines: queue.Queue[Line] = queue.Queue(maxsize=BACKLOG)
        self._abandoned = threading.Event()
        self._end: Line | None = None
        self._note = note
        self._threads = [
            threading.Thread(target=self._read, args=(stream, source), daemon=True)
            for stream, source in ((out, Source.OUT), (err, Source.ERR))
        ]
        for thread in self._threads:
            thread.start()

    def next(self, until: float | None) -> Line | None:
        """Returns the next line, None when there is none by the monotonic time `until`.

        None as the time waits without end. After the end of the output the END line comes again
        with each call.
        """
        if self._end is not None:
            until = 0.0  # What stderr still brings is here by now, or of no interest.
        try:
            if until is None:
                line = self._lines.get()
            else:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return self._end
        if line.source is Source.END:
            self._tell_end(line)
        return line

    def wait_for_end(self, timeout_s: float) -> None:
        """Waits until both streams were read to their end, so long at most."""
        until = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def abandon(self, timeout_s: float) -> bool:
        """Stops handing out lines and waits for the threads; says whether they have ended."""
        self._abandoned.set()
        for thread in self._threads:
            thread.join(timeout_s)
        return not any(thread.is_alive() for thread in self._threads)

    def _tell_end(self, line: Line) -> None:
        """Leaves the END line for every thread: one may wait while another one closes."""
        self._end = line
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(line)

    def _put(self, line: Line) -> None:
        while not self._abandoned.is_set():
            try:
                self._lines.put(line, timeout=0.1)
            except queue.Full:
                continue
            return

    def _read(self, stream: IO[bytes], source: Source) -> None:
        lines = LineSplitter()
        while True:
            try:
                chunk = os.read(stream.fileno(), 1 << 16)
            except (OSError, ValueError):
                chunk = b""
            at = time.monotonic()
            if not chunk:
                break
            for raw, broken in lines.feed(chunk):
                self._take(raw, source, at, broken)
        for raw, broken in lines.end():
            self._take(raw, source, at, broken)
        if source is Source.OUT:
            end = Line(Source.END, "", at)
            self._put(end)
            if self._abandoned.is_set():
                self._tell_end(end)

    def _take(self, raw: bytes, source: Source, at: float, broken: str) -> None:
        text = raw[:MAX_LINE].decode("utf-8", "backslashreplace")
        self._note("<" if source is Source.OUT else "!", text)
        self._put(Line(source, text, at, broken))
