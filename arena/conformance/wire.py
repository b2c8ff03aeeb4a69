"""A brain on its pipes: every line with its bytes, stream, end and time.

`arena.engines.process` refuses faulty lines. This module records everything, to be judged later.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from ..engines.launch import Launch
from ..engines.lines import Source
from ..engines.process_tree import ProcessTree, is_alive

__all__ = ["RawLine", "Wire"]

BACKLOG = 20_000
"""The number of lines that may wait unread. Beyond it the brain blocks, as on a full pipe."""
LONGEST = 1 << 20
KILL_S = 1.0


@dataclass(frozen=True)
class RawLine:
    """Holds a line without its LF; `ended` is False for a last line without an end.

    `at` is the monotonic time of its last byte. END follows the end of stdout.
    """

    source: Source
    data: bytes
    at: float
    ended: bool = True

    @property
    def text(self) -> str:
        """Returns the line for a report: ASCII, on one line, shortened."""
        text = self.data[:160].decode("latin-1")
        shown = text if text.isascii() and text.isprintable() else ascii(text)[1:-1]
        return shown + ("..." if len(self.data) > 160 else "") + ("" if self.ended else " (no end)")


class Wire:
    """Runs one brain. Only one thread may use it. `kill` ends all its processes."""

    def __init__(self, command: Sequence[str], cwd: Path | None, *, listen: bool = True) -> None:
        """Starts the command; raises CannotStartError. Without `listen` no line is read."""
        self.started = time.monotonic()
        self._launch = Launch(command, cwd)
        self._popen = self._launch.process
        self.tree = ProcessTree(self._popen.pid, self._launch.mark)
        self._changed = threading.Condition()
        self._lines: list[RawLine] = []
        self._rest: dict[Source, tuple[bytes, float]] = {}
        self._killed = False
        assert self._popen.stdout and self._popen.stderr
        streams = [(self._popen.stderr, Source.ERR)]
        if listen:
            streams.append((self._popen.stdout, Source.OUT))
        self._threads = [
            threading.Thread(target=self._read, args=pair, daemon=True) for pair in streams
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """Returns the id of the started process."""
        return self._popen.pid

    def write(self, data: bytes) -> float:
        """Writes bytes; returns the time just before. Raises OSError if the pipe is closed."""
        assert self._popen.stdin
        sent = time.monotonic()
        self._popen.stdin.write(data)
        return sent

    def shut_input(self) -> None:
        """Closes the brain's input."""
        assert self._popen.stdin
        with contextlib.suppress(OSError):
            self._popen.stdin.close()

    def next(self, until: float) -> RawLine | None:
        """Returns the next line; None if there is none by `until`. After the end it returns END.

        A line read after `until` stays for the next call, even if lines keep coming.
        """
        with self._changed:
            while not self._lines:
                left = until - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
            if not self._lines or self._lines[0].at > until:
                return None
            line = self._lines[0]
            if line.source is not Source.END:
                del self._lines[0]
                self._changed.notify_all()
            return line

    def take_rest(self) -> RawLine | None:
        """Returns stdout's last text without a line end, if there is any."""
        with self._changed:
            data, at = self._rest.pop(Source.OUT, (b"", 0.0))
        return RawLine(Source.OUT, data, at, ended=False) if data else None

    def exit_code(self) -> int | None:
        """Returns the exit code, negative for a signal; None while the process runs."""
        return self._popen.poll()

    def wait_exit(self, until: float) -> int | None:
        """Waits for the process to exit; returns the same as `exit_code`."""
        while (code := self._popen.poll()) is None and time.monotonic() < until:
            time.sleep(0.002)
        return code

    def suspend(self) -> None:
        """Stops the started process without its children, as managers do."""
        with contextlib.suppress(psutil.Error):
            psutil.Process(self.pid).suspend()

    def resume(self) -> None:
        """Continues the stopped process."""
        with contextlib.suppress(psutil.Error):
            psutil.Process(self.pid).resume()

    def cpu_seconds(self) -> float:
        """Returns the processor time of all its processes."""
        total = 0.0
        for process in self.tree.living():
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                total += times.user + times.system
        return total

    def orphans(self) -> int:
        """Returns the number of living processes with the brain's mark."""
        self.tree.find_marked()
        return len(self.tree.living())

    def kill(self) -> None:
        """Kills every process of the brain and closes the pipes; a second call is allowed."""
        if self._killed:
            return
        self._killed = True
        self.tree.find_marked()
        left = self.tree.living()
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        self._popen.kill()
        self._popen.wait()
        until = time.monotonic() + KILL_S
        # A zombie counts as dead: its parent was killed with it.
        while any(is_alive(process) for process in left) and time.monotonic() < until:
            time.sleep(0.002)
        self._launch.forget()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(1.0)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with contextlib.suppress(OSError):
                assert pipe
                pipe.close()

    def shut_output(self) -> None:
        """Closes this end of the brain's output."""
        assert self._popen.stdout
        self._popen.stdout.close()

    def _put(self, line: RawLine) -> None:
        with self._changed:
            while len(self._lines) >= BACKLOG and not self._killed:
                self._changed.wait(0.1)
            self._lines.append(line)
            self._changed.notify_all()

    def _read(self, stream: IO[bytes], source: Source) -> None:
        while True:
            try:
                chunk = os.read(stream.fileno(), 1 << 16)
            except (OSError, ValueError):
                chunk = b""
            at = time.monotonic()
            with self._changed:
                held, held_at = self._rest.pop(source, (b"", at))
            if not chunk:
                break
            *whole, rest = (held + chunk).split(b"\n")
            for data in whole:
                self._put(RawLine(source, data[:LONGEST], at))
            if rest:
                with self._changed:
                    self._rest[source] = (rest[:LONGEST], at)
        if held:
            self._put(RawLine(source, held, held_at, ended=False))
        if source is Source.OUT:
            self._put(RawLine(Source.END, b"", at))
