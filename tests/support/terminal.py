"""A person's terminal for tests: programs see a terminal, with Ctrl-C and Ctrl-D."""

import errno
import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import psutil

from tests.support.paths import ROOT

__all__ = ["PLAY", "Terminal", "are_gone", "playing"]

PLAY = (sys.executable, "-m", "arena", "play")

ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PATIENCE_S = 60.0


def words_of(process: psutil.Process) -> list[str]:
    """Returns the command of a process; empty if it is gone."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def are_gone(processes: Sequence[psutil.Process]) -> bool:
    """Says whether all processes are gone after a moment."""
    return not psutil.wait_procs(processes, timeout=PATIENCE_S)[1]


class Terminal:
    """Runs one command in the top of the source tree; `seen` is its output without colours."""

    def __init__(self, *command: str, environment: dict[str, str] | None = None) -> None:
        self.seen = ""
        self.raw = ""
        self._at = 0
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.chdir(ROOT)
            os.environ.update({"TERM": "xterm", "LC_ALL": "C.UTF-8", **(environment or {})})
            os.execv(command[0], command)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            os.kill(self._pid, signal.SIGKILL)
        os.close(self._fd)

    def expect(self, pattern: str) -> "re.Match[str]":
        """Waits for text after the last expected text; colours are ignored."""
        until = time.monotonic() + PATIENCE_S
        while (found := re.compile(pattern).search(self.seen, self._at)) is None:
            assert self._read(until), f"no {pattern!r} in:\n{self.seen[self._at :]}"
        self._at = found.end()
        return found

    def type(self, *lines: str) -> None:
        """Types lines."""
        for line in lines:
            self.press((line + "\n").encode())

    def press(self, keys: bytes) -> None:
        """Types keys."""
        os.write(self._fd, keys)

    def engines(self, count: int) -> list[psutil.Process]:
        """Waits until the given number of engines runs; returns them."""
        until = time.monotonic() + PATIENCE_S
        while len(found := self._engines()) != count:
            assert time.monotonic() < until, f"{found} are not {count}"
            time.sleep(0.02)
        return found

    def _engines(self) -> list[psutil.Process]:
        children = psutil.Process(self._pid).children(recursive=True)
        return [process for process in children if any("_brain" in w for w in words_of(process))]

    def signal(self, number: int) -> None:
        """Sends a signal to the program in the terminal."""
        os.kill(self._pid, number)

    def exit_code(self) -> int:
        """Waits for the end and returns the exit code."""
        until = time.monotonic() + PATIENCE_S
        while self._read(until):
            pass
        assert time.monotonic() < until, f"it goes on:\n{self.seen[-2000:]}"
        _, status = os.waitpid(self._pid, 0)
        return os.waitstatus_to_exitcode(status)

    def _read(self, until: float) -> bool:
        """Reads some output; says whether there may be more."""
        ready, _, _ = select.select([self._fd], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._fd, 65536)
        except OSError as error:
            assert error.errno == errno.EIO
            return False
        raw = data.decode("utf-8", "replace").replace("\r\n", "\n")
        self.seen += ANSI.sub("", raw)
        self.raw += raw
        return bool(data)


def playing(*arguments: str) -> Terminal:
    """Returns a terminal with a game."""
    return Terminal(*PLAY, *arguments)
