"""The text between manager and brain: what an answer looks like, and a reader that collects it."""

import enum
import os
import queue
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

__all__ = ["BACKLOG", "MAX_LINE", "MESSAGE", "MOVE", "OK", "Answer", "Line", "LineReader", "Source"]

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


class LineReader:
    """Reads a brain's stdout and stderr in two threads of its own, and hands out their lines.

    `next` is for one thread at a time. The threads end with the streams; `abandon` lets them end
    when nobody wants the lines any longer.
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
            self._end = line
        return line

    def abandon(self, timeout_s: float) -> bool:
        """Stops handing out lines and waits for the threads; says whether they have ended."""
        self._abandoned.set()
        for thread in self._threads:
            thread.join(timeout_s)
        return not any(thread.is_alive() for thread in self._threads)

    def _put(self, line: Line) -> None:
        while not self._abandoned.is_set():
            try:
                self._lines.put(line, timeout=0.1)
            except queue.Full:
                continue
            return

    def _read(self, stream: IO[bytes], source: Source) -> None:
        rest = b""
        while True:
            try:
                chunk = os.read(stream.fileno(), 1 << 16)
            except (OSError, ValueError):
                chunk = b""
            at = time.monotonic()
            if not chunk:
                break
            *whole, rest = (rest + chunk).split(b"\n")
            for raw in whole:
                self._take(raw, source, at, "too long" if len(raw) > MAX_LINE else "")
            if len(rest) > 4 * MAX_LINE:
                self._take(rest, source, at, "too long and not ended")
                rest = b""
        if rest:
            self._take(rest, source, at, "not ended")
        if source is Source.OUT:
            self._put(Line(Source.END, "", at))

    def _take(self, raw: bytes, source: Source, at: float, broken: str) -> None:
        text = raw[:MAX_LINE].decode("utf-8", "backslashreplace")
        self._note("<" if source is Source.OUT else "!", text)
        self._put(Line(source, text, at, broken))
