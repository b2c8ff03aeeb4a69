"""A brain as a process: requests and answers with a deadline, memory, and a reliable end.

The process gets its own session. Its child processes can therefore be found and killed with it.
"""

import atexit
import contextlib
import os
import re
import signal
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from ..util.faults import BrainFault, Fault
from .launch import Launch
from .lines import BACKLOG, Answer, Line, LineReader, Source
from .managers import STRICT_READING, Reading, Stderr
from .process_tree import MARK_VARIABLE, ProcessTree

__all__ = ["CR_LF", "LF", "MARK_VARIABLE", "NOTED_LENGTH", "BrainProcess", "Ending"]
__all__ += ["end_all_brains"]

CR_LF = "\r\n"
LF = "\n"

LATE_WAIT_S = 1.0
"""The wait after the limit for a late answer, only to report how late it was."""
LAST_WORDS_S = 2.0
"""The wait for the end of the process after text on stderr, which may come from a crash."""
END_GRACE_S = 0.7
TRANSCRIPT_LINES = 400
KEPT_MESSAGES = 400
NOTED_LENGTH = 200
"""Of a longer line the transcript keeps so many characters."""


@dataclass(frozen=True)
class Ending:
    """Holds the end of a brain: exit code (negative: a signal), ms after END, and faults."""

    exit_code: int | None = None
    ms: float | None = None
    notes: tuple[str, ...] = ()


class BrainProcess:
    """Runs one brain and exchanges lines with it, as strictly as the strictest manager.

    `reading` can be the rules of another manager. One thread sends and asks. Any thread may call
    `close`, more than once. Faults of the brain are raised as BrainFault; the process runs until
    `close`. The class is also a context manager.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        line_end: str = CR_LF,
        cwd: Path | None = None,
        reading: Reading = STRICT_READING,
        on_line: Callable[[str, str], None] | None = None,
    ) -> None:
        """Starts the command (program and arguments); raises CannotStartError if that fails.

        `on_line` is called with the mark and the text of each line of the transcript.
        """
        self._on_line = on_line
        self._closing = threading.Lock()
        self.transcript: deque[tuple[str, str]] = deque(maxlen=TRANSCRIPT_LINES)
        self.peak_bytes = 0
        self._line_end = line_end
        self._ending: Ending | None = None
        self._reading = reading
        self.started_at = time.monotonic()
        self._launch = Launch(command, cwd)
        self._popen = self._launch.process
        self._tree = ProcessTree(self._popen.pid, self._launch.mark)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        if os.name == "posix":
            # The manager must not block when a brain does not read its input: see _write.
            os.set_blocking(self._popen.stdin.fileno(), False)
        self._reader = LineReader(self._popen.stdout, self._popen.stderr, self._note)
        _living.add(self)

    def __enter__(self) -> "BrainProcess":
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the brain."""
        self.close()

    @property
    def pid(self) -> int:
        """Returns the id of the started process."""
        return self._popen.pid

    def send(self, *lines: str) -> None:
        """Writes lines that need no answer; raises BrainFault for unexpected output."""
        self._refuse_unasked()
        self._write(lines)

    def interject(self, line: str) -> None:
        """Writes a line while another thread waits for an answer; raises BrainFault."""
        self._write([line])

    def ask(
        self,
        *lines: str,
        form: re.Pattern[str],
        limit_ms: float | None,
        since: float | None = None,
        first: re.Pattern[str] | None = None,
    ) -> Answer:
        """Writes a request and returns an answer that matches `form` and came in time.

        The time ends with the last byte of the answer. It starts at the monotonic time `since`, if
        given, else at the end of a suspension, else just before the lines are written. With `first`
        an answer of that form must come before. Raises BrainFault: TIME (after the limit), CRASH
        (the output ended), PROTOCOL (text on stderr, or a line that neither matches nor may be
        skipped).
        """
        self._refuse_unasked()
        sent = self._write(lines)
        if self._tree.is_suspended:
            sent = time.monotonic()
            self._tree.resume()
        sent = sent if since is None else since
        what = _head(lines)
        if first is not None:
            self._await(first, what, sent, limit_ms)
        return self._await(form, what, sent, limit_ms)

    def _await(
        self, form: re.Pattern[str], what: str, sent: float, limit_ms: float | None
    ) -> Answer:
        until = None if limit_ms is None else sent + limit_ms / 1000 + LATE_WAIT_S
        messages: deque[str] = deque(maxlen=KEPT_MESSAGES)
        while True:
            line = self._reader.next(until)
            # A brain that floods the manager with messages always has a next line. Check its time,
            # too.
            if line is None or (until is not None and line.at > until):
                raise BrainFault(Fault.TIME, f"no answer to {what} within {limit_ms:.0f} ms")
            if self._is_skipped(line, form):
                messages.append(line.text)
                continue
            self._refuse_unsound(line, form, what, sent)
            took = max(0.0, (line.at - sent) * 1000)
            if limit_ms is not None and took > limit_ms:
                over = took - limit_ms
                text = f"answer to {what} after {took:.1f} ms, limit {limit_ms:.0f} ms"
                raise BrainFault(Fault.TIME, text, over_ms=over)
            return Answer(line.text, took, tuple(messages), line.at)

    def suspend(self) -> None:
        """Suspends the whole process tree until the next request or `close`."""
        self._tree.suspend()

    def memory_bytes(self) -> int:
        """Returns the private memory (USS) of the process tree now; updates the peak."""
        total = self._tree.private_bytes()
        self.peak_bytes = max(self.peak_bytes, total)
        return total

    def root_peak_bytes(self) -> int:
        """Returns the peak working set of the started process; updates the peak."""
        self.peak_bytes = max(self.peak_bytes, self._tree.root_peak_bytes())
        return self.peak_bytes

    def close(self, *, grace_s: float = END_GRACE_S, close_input: bool = False) -> Ending:
        """Sends END, waits, and kills the rest of the process tree; returns how the brain ended."""
        with self._closing:  # two threads may close it at once
            if self._ending is None:
                self._ending = self._end(grace_s, close_input)
                _living.discard(self)
            return self._ending

    def _note(self, mark: str, text: str) -> None:
        self.transcript.append((mark, text[:NOTED_LENGTH]))
        if self._on_line is not None:
            self._on_line(mark, text[:NOTED_LENGTH])

    def _write(self, lines: Sequence[str]) -> float:
        """Writes all lines at once; returns the time just before. Never blocks on POSIX."""
        assert self._popen.stdin
        data = "".join(line + self._line_end for line in lines).encode()
        for line in lines:
            self._note(">", line)
        sent = time.monotonic()
        try:
            written = self._popen.stdin.write(data)
        except (OSError, ValueError) as error:
            raise self._crash(f"could not be written to ({error})") from None
        if written != len(data):
            raise BrainFault(Fault.PROTOCOL, "does not read its input: the pipe is full")
        return sent

    def _refuse_unasked(self) -> None:
        """Raises BrainFault if the brain wrote other lines than messages since its last answer."""
        if self._reading.old_lines_count:
            return
        for _ in range(BACKLOG):
            if (line := self._reader.next(0.0)) is None:
                return
            if not self._is_skipped(line, None):
                self._refuse_unsound(line, None, "nothing", 0.0)

    def _is_skipped(self, line: Line, form: re.Pattern[str] | None) -> bool:
        """Says whether the manager skips the line while it waits for the form."""
        reading = self._reading
        if line.source is Source.ERR and reading.stderr is not Stderr.MERGED:
            return reading.stderr is Stderr.IGNORED
        if line.source is Source.END or line.broken == "not ended":
            return False
        if line.broken and not reading.long_lines:
            return False
        if reading.rest_is_skipped:
            return form is None or form.fullmatch(line.text) is None
        return reading.skipped.fullmatch(line.text) is not None

    def _refuse_unsound(
        self, line: Line, form: re.Pattern[str] | None, what: str, sent: float
    ) -> None:
        """Raises BrainFault unless the line answers `what` in the given form."""
        if line.source is Source.ERR and self._reading.stderr is Stderr.MERGED:
            line = replace(line, source=Source.OUT)
        if line.source is Source.END:
            raise self._crash("ended its output")
        if line.source is Source.ERR:
            if self._ends_within(LAST_WORDS_S):
                raise self._crash("wrote on stderr and ended")
            raise BrainFault(Fault.PROTOCOL, f"text on stderr: {_shown(line.text)}")
        if line.broken == "not ended":
            raise self._crash(f"ended within a line: {_shown(line.text)}")
        if line.broken and not self._reading.long_lines:
            raise BrainFault(Fault.PROTOCOL, f"line {line.broken}: {_shown(line.text)}")
        if form is None or (line.at < sent and not self._reading.old_lines_count):
            raise BrainFault(Fault.PROTOCOL, f"unexpected line: {_shown(line.text)}")
        if form.fullmatch(line.text) is None:
            raise BrainFault(Fault.PROTOCOL, f"answer to {what}: {_shown(line.text)}")

    def _ends_within(self, seconds: float) -> bool:
        """Waits for the process to exit, without reaping it; says whether it exited."""
        until = time.monotonic() + seconds
        while not (gone := self._exit_text() is not None) and time.monotonic() < until:
            time.sleep(0.003)
        return gone

    def _exit_text(self) -> str | None:
        """Returns how the process exited; None while it runs.

        Where the system can, this does not reap the process. Until then its id cannot be reused,
        and a kill of its group hits no other process.
        """
        if hasattr(os, "waitid") and self._popen.returncode is None:
            with contextlib.suppress(ChildProcessError):
                flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
                info = os.waitid(os.P_PID, self._popen.pid, flags)
                if info is None:
                    return None
                return _exit_words(info.si_status, signalled=info.si_code != os.CLD_EXITED)
        code = self._popen.poll()
        return None if code is None else _exit_words(abs(code), signalled=code < 0)

    def _crash(self, seen: str) -> BrainFault:
        """Returns the fault of a brain that has ended: its exit code and last line on stderr."""
        if self._ends_within(LAST_WORDS_S):
            # The last lines are in the pipe by now, but may be unread.
            self._reader.wait_for_end(LAST_WORDS_S)
        how = self._exit_text() or "the process is still running"
        words = [text for mark, text in tuple(self.transcript) if mark == "!"]
        if words:
            how += f"; stderr: {_shown(words[-1])}"
        return BrainFault(Fault.CRASH, f"{seen}: {how}")

    def _end(self, grace_s: float, close_input: bool) -> Ending:
        notes: list[str] = []
        self._tree.living()
        before = self._exit_text()
        started = time.monotonic()
        if before is None:
            with contextlib.suppress(BrainFault):
                self._write(["END"])
            if close_input:
                with contextlib.suppress(OSError):
                    assert self._popen.stdin
                    self._popen.stdin.close()
            self._tree.resume()
            if self._ends_within(grace_s):
                exit_text = self._exit_text()
                if exit_text != _exit_words(0, signalled=False):
                    notes.append(f"after END: {exit_text}")
            else:
                notes.append(f"ignored END for {grace_s * 1000:.0f} ms and was killed")
        else:
            notes.append(f"ended before END: {before}")
        took = (time.monotonic() - started) * 1000
        orphans = self._kill_all()
        if orphans:
            notes.append(f"left {orphans} process(es) behind, which were killed")
        left = self._launch.left()
        if left and self._popen.returncode >= 0:  # a killed process cannot remove its files
            notes.append(f"left {_shown(', '.join(left))} in its temporary folder")
        self._launch.forget()
        notes += self._shut_pipes(started)
        return Ending(self._popen.returncode, took, tuple(notes))

    def _kill_all(self) -> int:
        """Kills and reaps the tree; returns the number of processes that outlived their root."""
        root_gone = self._exit_text() is not None
        self._tree.find_marked()
        others = self._tree.others()
        if root_gone and others:
            # A child that ends together with its parent is not an orphan. Wait for it briefly.
            _, others = psutil.wait_procs(others, timeout=0.2)
        for process in others:
            with contextlib.suppress(psutil.Error):
                process.kill()
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()
        self._popen.wait()
        psutil.wait_procs(others, timeout=1.0)
        return len(others) if root_gone else 0

    def _shut_pipes(self, ended: float) -> list[str]:
        """Closes the pipes; returns notes on unexpected output, also after END."""
        found: list[str] = []
        until = time.monotonic() + 0.2
        while (line := self._reader.next(until)) is not None and line.source is not Source.END:
            if not line.is_message or line.at > ended:
                when = "after END" if line.at > ended else "unasked, before END"
                found.append(f"wrote on std{line.source.value} {when}: {_shown(line.text)}")
        more = f" (and {len(found) - 1} more lines)" if len(found) > 1 else ""
        if self._reader.abandon(1.0):
            for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
                with contextlib.suppress(OSError):
                    assert pipe
                    pipe.close()
        return [found[0] + more] if found else []


_living: "weakref.WeakSet[BrainProcess]" = weakref.WeakSet()


@atexit.register
def end_all_brains() -> None:
    """Kills all brains of this process. It runs when the interpreter exits."""
    for brain in list(_living):
        brain.close(grace_s=0.0)


def _exit_words(status: int, *, signalled: bool) -> str:
    if not signalled:
        return f"exit code {status}"
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(status).name}"
    return f"killed by signal {status}"


def _shown(text: str) -> str:
    """Returns a text for a report: quoted, ASCII, at most 120 characters."""
    return ascii(text if len(text) <= 120 else text[:120] + "...")


def _head(lines: Sequence[str]) -> str:
    """Returns the command of a request, without the INFO lines before it."""
    return next((line.split(" ")[0] for line in lines if not line.startswith("INFO")), "INFO")
