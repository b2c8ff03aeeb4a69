"""Talks to a brain over pipes, and plays scripts against it.

    python -m tests.support.protocol_runner [SCRIPT ...]

plays the scripts of tests/protocol/scripts/ against `python -m protocol`, or against the executable
in TENGEN_EXE. A script is a list of lines:

    # text            a comment
    > text            sent to the brain
    < text            its next answer (MESSAGE and DEBUG lines are skipped)
    < /regex/         the same, the whole line matches
    m /regex/         the next MESSAGE line, before any other answer
    silent 0.2        no answer for this number of seconds
    wait 0.2          a pause of this number of seconds
    eof               closes the brain's input
    gone              the brain exits with status 0 within half a second, without another line

Answers may take as long as a busy machine needs, or the time of the last `within 1.5`. Waits for a
core count for neither that time nor the half second. All managers must accept every line, and
stderr must be empty.
"""

import argparse
import contextlib
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.paths import ROOT
from tests.support.stopwatch import Stopwatch

SCRIPTS = ROOT / "tests" / "protocol" / "scripts"
MODULE = (sys.executable, "-m", "protocol")
FAKE = (sys.executable, "-m", "tests.support.fake_main")

NUMBER = r"(0|[1-9]\d?)"
MOVE = rf"{NUMBER},{NUMBER}"
WELL_FORMED = re.compile(
    rf"OK|{MOVE}( {MOVE}){{0,2}}|SWAP|FORBID (\d{{4}})*\.?|ERROR [ -~]{{1,490}}|"
    r"UNKNOWN [ -~]{1,490}|MESSAGE [ -~]{1,490}|name=\"[^\"]+\"(, [a-z]+=\"[^\"]+\")*"
)
GONE_S = 0.5
PATIENCE_S = 60.0
"""The limit without `within`: a slower brain hangs, however busy the machine is."""


class ScriptError(AssertionError):
    """The brain does not follow the script; the text has the lines before."""


class Brain:
    """A brain in its own process, and its lines with their times."""

    def __init__(self, command: Sequence[str] = MODULE, *, line_end: str = "\n") -> None:
        self._line_end = line_end
        self.transcript: list[str] = []
        self._answers: queue.SimpleQueue[tuple[float, str] | None] = queue.SimpleQueue()
        self._errors = bytearray()
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            bufsize=0,
        )
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Close its input first: a one-file executable that is killed leaves its files behind.
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(10)

    def send(self, *lines: str) -> None:
        """Sends lines, in one write."""
        self.transcript += [f"> {line}" for line in lines]
        self.send_bytes("".join(line + self._line_end for line in lines).encode("utf-8"))

    def send_bytes(self, data: bytes) -> None:
        """Sends bytes without a change."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
        except BrokenPipeError as error:
            raise ScriptError(f"the brain is gone\n{self.told()}") from error

    def close(self) -> None:
        """Closes the brain's input."""
        self.transcript.append("eof")
        assert self.process.stdin is not None
        self.process.stdin.close()

    def line(self, seconds: float | None = None) -> tuple[float, str]:
        """Returns the next line of any kind and its time. Raises ScriptError.

        seconds: the limit, without waits for a core.
        """
        return self._line(self._time_for(seconds))

    def answer(self, seconds: float | None = None) -> str:
        """Returns the next answer like `line`, without MESSAGE lines. Raises ScriptError."""
        left = self._time_for(seconds)
        while True:
            _, text = self._line(left)
            if not text.startswith("MESSAGE "):
                return text

    def ask(self, *lines: str, seconds: float | None = None) -> str:
        """Sends lines; returns the next answer."""
        self.send(*lines)
        return self.answer(seconds)

    def silent(self, seconds: float) -> None:
        """Waits; any line is an error."""
        try:
            found = self._answers.get(timeout=seconds)
        except queue.Empty:
            return
        raise ScriptError(f"unasked: {found}\n{self.told()}")

    def gone(self, seconds: float = GONE_S) -> list[str]:
        """Waits until the brain has exited properly; returns its lines meanwhile."""
        status, left = None, self._time_for(seconds)
        while status is None:
            if (wait_s := left()) <= 0:
                raise ScriptError(f"still there after {seconds} s\n{self.told()}")
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self.process.wait(wait_s)
        for thread in self._threads:
            thread.join(10)
        if status != 0 or self._errors:
            errors = bytes(self._errors)
            raise ScriptError(f"status {status}, on stderr {errors!r}\n{self.told()}")
        rest: list[str] = []
        while (found := self._answers.get()) is not None:
            rest.append(found[1])
        self.transcript += [f"< {text}" for text in rest]
        return rest

    def told(self) -> str:
        """Returns the last lines in both directions."""
        return "\n".join(self.transcript[-30:])

    def _time_for(self, seconds: float | None) -> Callable[[], float]:
        """Returns the time left from now on, of a given limit or of the default one."""
        if seconds is None:
            until = time.monotonic() + PATIENCE_S
            return lambda: until - time.monotonic()
        watch = Stopwatch()
        return lambda: seconds - watch.own_s

    def _line(self, left: Callable[[], float]) -> tuple[float, str]:
        found = self._next(left)
        if found is None:
            raise ScriptError(f"the brain is gone\n{self.told()}")
        self.transcript.append(f"< {found[1]}")
        if not WELL_FORMED.fullmatch(found[1]):
            raise ScriptError(f"no manager takes {found[1]!r}\n{self.told()}")
        return found

    def _next(self, left: Callable[[], float]) -> tuple[float, str] | None:
        while (wait_s := left()) > 0:
            with contextlib.suppress(queue.Empty):
                return self._answers.get(timeout=wait_s)
        raise ScriptError(f"no line in time\n{self.told()}")

    def _read(self) -> None:
        assert self.process.stdout is not None
        held = b""
        while chunk := self.process.stdout.read(65536):
            now = time.monotonic()
            *whole, held = (held + chunk).split(b"\n")
            for line in whole:
                self._answers.put((now, line.decode("latin-1")))
        if held:
            self._answers.put((time.monotonic(), f"{held!r} without a line end"))
        self._answers.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while chunk := self.process.stderr.read(65536):
            self._errors += chunk


def run_script(path: Path, command: Sequence[str]) -> None:
    """Plays one script against a brain. Raises ScriptError with the line that failed."""
    line_end = "\r\n" if "crlf" in path.stem else "\n"
    with Brain(command, line_end=line_end) as brain:
        within: float | None = None
        for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            word, _, rest = line.partition(" ")
            try:
                if word == "within":
                    within = float(rest)
                else:
                    _step(brain, word, rest, within)
            except ScriptError as error:
                raise ScriptError(f"{path.name}:{number}: {line}\n{error}") from None


def _step(brain: Brain, word: str, rest: str, within: float | None) -> None:
    match word:
        case ">":
            brain.send(rest)
        case "<":
            _compare(brain, rest, brain.answer(within))
        case "m":
            _compare(brain, rest, brain.line(within)[1])
        case "silent":
            brain.silent(float(rest))
        case "wait":
            time.sleep(float(rest))
        case "eof":
            brain.close()
        case "gone":
            rest_said = brain.gone()
            if rest_said:
                raise ScriptError(f"after the end: {rest_said}\n{brain.told()}")
        case _:
            raise ScriptError(f"the script is wrong: {word}")


def _compare(brain: Brain, wanted: str, found: str) -> None:
    if wanted.startswith("/") and wanted.endswith("/") and len(wanted) > 1:
        good = re.fullmatch(wanted[1:-1], found) is not None
    else:
        good = wanted == found
    if not good:
        raise ScriptError(f"wanted {wanted}, got {found}\n{brain.told()}")


def main() -> int:
    """Plays the named scripts, or all; returns 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.protocol_runner")
    parser.description = "Plays protocol scripts against $TENGEN_EXE, or against the tree."
    parser.add_argument("scripts", nargs="*", type=Path, help="default: all of the project")
    paths = parser.parse_args().scripts or sorted(SCRIPTS.glob("*.txt"))
    exe = os.environ.get("TENGEN_EXE")
    command = (str(Path(exe).resolve()),) if exe else MODULE
    failed = 0
    for path in paths:
        try:
            run_script(path, command)
            print(f"{path.name}: good")
        except ScriptError as error:
            failed = 1
            print(f"{path.name}: FAILED\n{error}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
