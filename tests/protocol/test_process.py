"""The brain as a process: scripts, pipes, the end of the input, memory.

Everything that needs no playing strength runs against the scripted engine too; what TENGEN_EXE
names is taken in where it exists.
"""

import contextlib
import os
import re
import subprocess
import threading
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from protocol import stdio
from tests.support.brains import ALL_BRAINS, ALL_PLAYERS, BRAINS
from tests.support.paths import ROOT
from tests.support.protocol_runner import (
    PATIENCE_S,
    SCRIPTS,
    Brain,
    ScriptError,
    run_script,
)

ALL_SCRIPTS = sorted(SCRIPTS.glob("*.txt"))


@pytest.mark.parametrize(
    ("script", "command"),
    [
        pytest.param(script, command, id=f"{script.stem}-{name}")
        for script in ALL_SCRIPTS
        for name, command in BRAINS.items()
        if name != "fake" or not script.stem.startswith("engine_")
    ],
)
def test_script(script: Path, command: Sequence[str]) -> None:
    run_script(script, command)


def test_the_runner_can_fail(tmp_path: Path) -> None:
    for text in ("> ABOUT\n< OK\n", "> START 15\nsilent 60\n", "gone\n", "> END\n< OK\n"):
        path = tmp_path / "bad.txt"
        path.write_text(text)
        with pytest.raises(ScriptError):
            run_script(path, BRAINS["fake"])


@ALL_BRAINS
def test_after_the_end_of_the_input_nothing_is_left_unanswered(command: Sequence[str]) -> None:
    # squares where the engine does not play
    apart = [f"TURN {x},{y}" for y in (0, 14) for x in range(1, 15, 3)]
    lines = ["START 15", "INFO timeout_turn 20000", "BEGIN", *apart]
    with Brain(command) as brain:
        assert brain.ask("ABOUT").startswith("name=")
        brain.send(*lines, "NONSENSE")
        brain.close()
        said = [line for line in brain.gone() if not line.startswith("MESSAGE")]
    assert [re.sub(r"\d+,\d+", "move", line) for line in said] == [
        "OK",
        *["move"] * 11,
        "UNKNOWN NONSENSE",
    ]


def test_the_last_answers_come_from_a_process_that_seldom_runs() -> None:
    """A process that gets 1 ms in 20 answers every line before the end of its input."""
    count = 40
    with Brain(BRAINS["fake"]) as brain:
        brain.ask("ABOUT")
        brain.send(*["START 15"] * count)
        brain.close()
        with seldom_running(brain.process.pid):
            said = brain.gone(PATIENCE_S)
    assert said == ["OK"] * count


@contextlib.contextmanager
def seldom_running(pid: int) -> Iterator[None]:
    """Suspends a process most of the time, as a busy machine does, until it has ended."""
    process, over = psutil.Process(pid), threading.Event()

    def hold() -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            while not over.is_set():
                process.suspend()
                time.sleep(0.019)
                process.resume()
                time.sleep(0.001)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        yield
    finally:
        over.set()
        holder.join()


class Clock:
    """The times of a wait in which the main thread takes a step at each look for `active_s`."""

    def __init__(self, work: stdio.Work, active_s: float, busy: float) -> None:
        """Takes the share of the time in which the process computes."""
        self._work, self._active_s, self._busy = work, active_s, busy
        self.at = 0.0

    def sleep(self, seconds: float) -> None:
        self.at += seconds
        self._work.steps += self.at < self._active_s

    def process_time(self) -> float:
        return self._busy * self.at


@pytest.mark.parametrize(
    ("writing", "busy", "limit_s"),
    [
        (True, 0.0, stdio.BLOCKED_SECONDS),
        (False, 0.5, 2 * stdio.BUSY_SECONDS),
        (False, 0.0, stdio.IDLE_SECONDS),
    ],
    ids=["in a write", "with a command", "idle"],
)
def test_answers_are_awaited_as_long_as_there_is_progress(
    writing: bool, busy: float, limit_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step gets the whole limit again; without a step the wait ends."""
    work, active_s = stdio.Work(), 50.0
    work.writing = writing
    clock = Clock(work, active_s, busy)
    monkeypatch.setattr(stdio, "time", clock)
    monkeypatch.setattr(stdio, "now", lambda: clock.at)
    stdio.wait_while_it_answers(work)
    assert active_s + limit_s == pytest.approx(clock.at, abs=0.05)


@ALL_BRAINS
def test_a_manager_that_is_gone_ends_the_brain(command: Sequence[str]) -> None:
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"START 15\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"OK\n"
        process.stdout.close()
        process.stdin.write(b"ABOUT\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == b""


def test_a_blocked_output_does_not_keep_the_brain() -> None:
    with subprocess.Popen(
        BRAINS["fake"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin
        process.stdin.write(b"ABOUT\n" * 5000)  # more than a pipe holds, and nobody reads it
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


def test_pipes_may_be_left_in_non_blocking_mode() -> None:
    theirs, ours = os.pipe()
    os.set_blocking(theirs, False)
    with subprocess.Popen(BRAINS["fake"], stdin=theirs, stdout=subprocess.PIPE, cwd=ROOT) as brain:
        os.close(theirs)
        assert brain.stdout
        time.sleep(0.5)
        os.write(ours, b"START 15\n")
        assert brain.stdout.readline() == b"OK\n"
        os.close(ours)
        assert brain.wait(PATIENCE_S) == 0


def test_lines_come_in_pieces_and_in_heaps() -> None:
    with Brain(BRAINS["fake"]) as brain:
        for piece in (b"\xef\xbb\xbfSTA", b"RT 1", b"5\r", b"\n\r\n\nABO", b"UT\rFOO\n"):
            brain.send_bytes(piece)
            time.sleep(0.05)
        assert [brain.answer() for _ in range(3)][::2] == ["OK", "UNKNOWN FOO"]
        brain.send_bytes(b"X" * 300_000 + b"\nABOUT\n")
        assert re.fullmatch(r"UNKNOWN X{30,40}\.\.\.", brain.answer())
        assert brain.answer().startswith("name=")
        brain.send_bytes(bytes(range(1, 256)).replace(b"\n", b"").replace(b"\r", b"") + b"\nABOUT")
        assert brain.answer().startswith("UNKNOWN")
        brain.close()
        (last,) = brain.gone()
        assert last.startswith("name=")


def test_stderr_leads_nowhere() -> None:
    with Brain() as brain:
        brain.ask("START 15")
        link = Path(f"/proc/{brain.process.pid}/fd/2")
        if link.parent.exists():  # elsewhere nobody says
            assert str(link.readlink()) == os.devnull


def test_an_endless_line_is_not_kept() -> None:
    chunks = iter([b"X" * 65536] * 300 + [b"\nABOUT\n"])
    tracemalloc.start()
    (first, _), (second, _) = stdio.lines(lambda: next(chunks, b""))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (set(first), second) == ({"X"}, "ABOUT")
    assert peak < 2**20


# The real engine


@ALL_PLAYERS
@pytest.mark.parametrize("limit_mib", [64, 100, 350])
def test_memory_stays_under_the_limit(command: Sequence[str], limit_mib: int) -> None:
    with Brain(command) as brain:
        brain.send(f"INFO max_memory {limit_mib * 2**20}", "INFO timeout_turn 700")
        brain.ask("INFO hash_size 4194304", "START 20")  # as large as it may be
        brain.ask("BEGIN")
        brain.ask("TURN 11,11")
        ours = psutil.Process(brain.process.pid)
        held = sum(process.memory_info().rss for process in [ours, *ours.children(recursive=True)])
        assert held < limit_mib * 2**20 * 3 // 4
        assert not any("TOO SMALL" in line for line in brain.transcript)
