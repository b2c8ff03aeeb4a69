"""Faults around an engine: it is stopped, nobody reads, the disk is full, clocks jump.

docs/reliability.md says in words what is tried out here. Refused memory: tests/c/test_scarce.c.
"""

import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

import build_toolchain
from arena.engines.process import BrainProcess
from arena.engines.process_tree import is_alive
from protocol.stdio import lines
from tests.support.brains import ALL_BRAINS, ALL_PLAYERS
from tests.support.paths import ROOT, SUPPORT
from tests.support.protocol_runner import MOVE, PATIENCE_S, Brain
from tests.support.stopwatch import Stopwatch
from tools.starts import WAYS, start_and_end

TURN_S = 0.4
QUIET = ("YXHASHCLEAR", "BOARD", "7,7,2", "DONE")
"""Asks for a move that is not found at once."""
SLACK_S = 0.35
"""Time limit for a stopped engine to continue, without its waits for a core."""


def tree(brain: Brain) -> list[psutil.Process]:
    ours = psutil.Process(brain.process.pid)
    return [ours, *ours.children(recursive=True)]


@contextlib.contextmanager
def stopped(processes: Sequence[psutil.Process]) -> Iterator[None]:
    """Holds processes as a manager does that suspends a brain.

    Until the thread that takes the signal gets a core, the others run on.
    """
    for process in processes:
        process.send_signal(signal.SIGSTOP)
    while any(process.status() != psutil.STATUS_STOPPED for process in processes):
        time.sleep(0.001)
    try:
        yield
    finally:
        for process in reversed(processes):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGCONT)


def asked(brain: Brain, *request: str) -> Stopwatch:
    """Asks for a move; the watch has run since then."""
    watch = Stopwatch()
    assert re.fullmatch(MOVE, brain.ask(*request))
    return watch


# Stopped


@ALL_PLAYERS
def test_stopped_between_moves_costs_no_time_of_ours(command: Sequence[str]) -> None:
    """The turn begins when the brain can read; the game's clock has not run either."""
    with Brain(command) as brain:
        brain.ask(f"INFO timeout_turn {TURN_S * 1000:.0f}", "START 15")
        brain.ask("BEGIN")
        for _ in range(3):
            with stopped(tree(brain)):
                brain.send(*QUIET)
                time.sleep(0.6)
            watch = Stopwatch()
            assert re.fullmatch(MOVE, brain.answer())
            assert watch.wall_s > TURN_S / 8 and watch.own_s < TURN_S + SLACK_S
        brain.ask("INFO timeout_match 1500", "START 15")
        brain.ask("BEGIN")
        with stopped(tree(brain)):
            time.sleep(2.0)
        assert asked(brain, *QUIET).wall_s > 0.02


@ALL_PLAYERS
def test_stopped_in_the_middle_of_a_move_it_answers_when_it_goes_on(
    command: Sequence[str],
) -> None:
    with Brain(command) as brain:
        brain.ask(f"INFO timeout_turn {TURN_S * 1000:.0f}", "START 15")
        brain.ask("BEGIN")
        brain.send(*QUIET)
        time.sleep(TURN_S / 4)
        with stopped(tree(brain)):
            time.sleep(2 * TURN_S)
        watch = Stopwatch()
        assert re.fullmatch(MOVE, brain.answer())
        assert watch.own_s < SLACK_S
        assert asked(brain, "TURN 0,1").own_s < TURN_S + SLACK_S


@ALL_PLAYERS
def test_with_only_the_first_process_stopped_it_plays_on_or_waits(command: Sequence[str]) -> None:
    """Some managers hold only the process that they started. One that waits has no turn to lose."""
    with Brain(command) as brain:
        brain.ask(f"INFO timeout_turn {TURN_S * 1000:.0f}", "START 15")
        brain.ask("BEGIN")
        with stopped(tree(brain)[:1]):
            brain.send("TURN 0,0")
            time.sleep(0.2)
        assert re.fullmatch(MOVE, brain.answer())
        brain.send("END")
        assert brain.gone() == []


# Nobody reads


@ALL_BRAINS
def test_what_is_read_late_is_whole_and_in_order(command: Sequence[str]) -> None:
    count = 3000  # more than the pipes hold
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin and process.stdout
        said = b"".join(b"ABOUT\nNO%d\n" % number for number in range(count))
        said += b"START 15\nINFO timeout_turn 50\nBEGIN\nLAST\n"
        writer = threading.Thread(target=write_all, args=(process.stdin, said))
        writer.start()
        time.sleep(1.0)
        answers = []
        while (line := process.stdout.readline()) != b"UNKNOWN LAST\n":
            assert line, "it has left"
            if not line.startswith(b"MESSAGE "):
                answers.append(line.decode().removesuffix("\n"))
        writer.join()
        process.stdin.write(b"END\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0
    assert answers[1 : 2 * count : 2] == [f"UNKNOWN NO{number}" for number in range(count)]
    assert set(answers[0 : 2 * count : 2]) == {answers[0]}
    assert answers[2 * count] == "OK" and re.fullmatch(MOVE, answers[-1])


def write_all(pipe: object, data: bytes) -> None:
    with contextlib.suppress(OSError):
        pipe.write(data)  # type: ignore[attr-defined]
        pipe.flush()  # type: ignore[attr-defined]


@ALL_BRAINS
def test_end_is_obeyed_with_a_full_output(command: Sequence[str]) -> None:
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin
        process.stdin.write(b"ABOUT\n" * 5000 + b"END\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0


# The input ends


@ALL_BRAINS
def test_the_input_ends_in_the_middle_of_a_board(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("START 15")
        brain.send("BOARD", "7,7,1")
        brain.send_bytes(b"8,")
        brain.close()
        assert brain.gone() == []


# Files


@pytest.mark.linux
@ALL_PLAYERS
def test_a_full_disk_costs_the_log_and_no_move(command: Sequence[str], tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with Brain(command) as brain:
        brain.ask(f"INFO log {log}", "INFO timeout_turn 50", "START 15")
        for process in tree(brain):
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (600, 600))
        assert asked(brain, "BEGIN").own_s < 5
        for _ in range(5):
            assert re.fullmatch(MOVE, brain.ask(*QUIET))
        brain.send("END")
        assert brain.gone() == []
    assert log.stat().st_size == 600


@ALL_PLAYERS
@pytest.mark.parametrize("device", ["/dev/full", "/dev/null/no", "/", "{folder}"])
def test_a_log_that_cannot_be_written_is_told_once(
    command: Sequence[str], tmp_path: Path, device: str
) -> None:
    path = device.format(folder=tmp_path)
    with Brain(command) as brain:
        brain.ask(f"INFO log {path}", "INFO timeout_turn 50", "START 15")
        for request in ("BEGIN", "TURN 0,0"):
            assert re.fullmatch(MOVE, brain.ask(request))
        told = [line for line in brain.transcript if line.startswith("< ")]
        assert told[1] == "< MESSAGE THE LOG CANNOT BE WRITTEN"
        assert told.count(told[1]) == 1


@ALL_PLAYERS
def test_a_folder_is_taken_as_it_comes_and_left_alone(
    command: Sequence[str], tmp_path: Path
) -> None:
    folders = ["there is none", "with blanks in it", "", "a" * 5000, "../..", "C:\\Program Files"]
    (tmp_path / "with blanks in it").mkdir()
    with Brain(command) as brain:
        for folder in folders:
            brain.send(f"INFO folder {tmp_path / folder if folder else ''}")
        assert brain.ask("INFO timeout_turn 50", "START 15") == "OK"
        assert re.fullmatch(MOVE, brain.ask("BEGIN"))
    assert [path.name for path in tmp_path.rglob("*")] == ["with blanks in it"]


# Clocks


@pytest.fixture(scope="session")
def jumping_clock(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A library that makes the clock on the wall jump; see its source."""
    library = tmp_path_factory.mktemp("clock") / "jumping_clock.so"
    source = SUPPORT / "faults" / "jumping_clock.c"
    compiler = build_toolchain.find_toolchain().command
    subprocess.run([*compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return f"LD_PRELOAD={library}"


@pytest.mark.linux
def test_the_clock_does_jump(jumping_clock: str) -> None:
    look = "import time; a = time.time(); print(abs(time.time() - a) > 1e6)"
    said = subprocess.run(
        ["env", jumping_clock, sys.executable, "-c", look], capture_output=True, check=True
    )
    assert said.stdout == b"True\n"


@pytest.mark.linux
@ALL_PLAYERS
def test_a_clock_that_jumps_changes_nothing(command: Sequence[str], jumping_clock: str) -> None:
    with Brain(["env", jumping_clock, *command]) as brain:
        turn = f"INFO timeout_turn {TURN_S * 1000:.0f}"
        brain.ask(turn, "INFO timeout_match 60000", "START 15")
        brain.ask("BEGIN")
        for _ in range(5):
            watch = asked(brain, *QUIET)
            assert watch.wall_s > TURN_S / 8 and watch.own_s < TURN_S + SLACK_S
        brain.send("INFO timeout_turn 60000", "INFO time_left 60000", *QUIET)
        time.sleep(0.2)
        assert re.fullmatch(MOVE, brain.ask("STOP"))


# Starts and ends


@pytest.mark.linux
@pytest.mark.parametrize("way", WAYS)
def test_nothing_stays_of_one_file(executable: Path, way: str) -> None:
    start_and_end([str(executable)], way)


@pytest.mark.linux
@pytest.mark.parametrize("way", WAYS)
def test_nothing_stays_of_one_folder(one_folder: Path, way: str) -> None:
    start_and_end([str(one_folder)], way)


@pytest.mark.linux
def test_the_arena_kills_one_file_and_leaves_nothing(
    executable: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    brain = BrainProcess([str(executable)])
    brain.ask("START 15", form=re.compile("OK"), limit_ms=60_000)
    assert list(tmp_path.iterdir()), "one file is unpacked here"
    child = psutil.Process(brain.pid).children()[0]
    with stopped([child]):
        brain.close(grace_s=0.1)
    assert not list(tmp_path.iterdir())


MATCH = """
import sys, time
from arena.engines.process import BrainProcess
from arena.engines.process_tree import is_alive
import re
brain = BrainProcess(sys.argv[1:])
brain.ask("START 15", "INFO timeout_turn 60000", form=re.compile("OK"), limit_ms=60_000)
brain.send("BEGIN")
print(brain.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_stays_when_the_manager_is_killed(
    executable: Path, tmp_path: Path, number: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MATCH, str(executable)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as manager:
        assert manager.stdout
        pid = int(manager.stdout.readline())
        assert list(tmp_path.iterdir()), "one file is unpacked here"
        manager.send_signal(number)
    until = time.monotonic() + PATIENCE_S
    while (list(tmp_path.iterdir()) or lives(pid)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not list(tmp_path.iterdir()) and not lives(pid)


def lives(pid: int) -> bool:
    try:
        return is_alive(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return False


# Bounds


@ALL_BRAINS
def test_what_comes_in_is_bounded(command: Sequence[str]) -> None:
    """A block without end, a number without end, and no answer that repeats them."""
    with Brain(command) as brain:
        brain.ask("START 15")
        before = sum(process.memory_info().rss for process in tree(brain))
        brain.send("BOARD", *["7,7,1"] * 50_000, "DONE")
        assert brain.answer() == "ERROR BOARD: too many lines"
        brain.send("TURN " + "7" * 1_000_000 + ",7", "X" * 1_000_000)
        assert len(brain.answer()) < 100
        assert len(brain.answer()) < 100
        assert sum(process.memory_info().rss for process in tree(brain)) - before < 2**23


def test_a_line_is_cut() -> None:
    chunks = iter([b"INFO log /" + b"x" * 100_000 + b"\n", b""])
    ((line, _),) = lines(lambda: next(chunks, b""))
    assert len(line) == 8192
