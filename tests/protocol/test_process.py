"""The brain as a process: scripts, clocks, the end, memory, whole games.

Everything that needs no playing strength runs against the scripted engine too; what TENGEN_EXE
names is taken in where it exists.
"""

import os
import pty
import random
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from protocol import __main__ as program
from protocol import stdio
from pyengine import Color, Engine, LibraryError, Rule, __version__, bench
from pyengine.__main__ import FNV_OFFSET, sign
from tests.support.brains import ALL_BRAINS, ALL_PLAYERS, BRAINS
from tests.support.paths import ROOT
from tests.support.protocol_runner import (
    MODULE,
    PATIENCE_S,
    SCRIPTS,
    Brain,
    ScriptError,
    run_script,
)
from tests.support.stopwatch import Stopwatch

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


# Clocks and ends


def test_a_turn_takes_its_time_and_no_more() -> None:
    with Brain(BRAINS["fake"]) as brain:
        brain.ask("START 15", "INFO timeout_turn 250")
        brain.ask("BEGIN")  # pays for the start
        for x in range(3):
            watch = Stopwatch()
            brain.ask(f"TURN {x},0")
            assert watch.wall_s > 0.15 and watch.own_s < 0.25


def test_the_clock_of_a_board_runs_from_its_first_line() -> None:
    with Brain(BRAINS["fake"]) as brain:
        brain.ask("START 15", "INFO timeout_turn 500")
        brain.ask("BEGIN")
        watch = Stopwatch()
        brain.send("BOARD")
        time.sleep(0.3)
        brain.ask("DONE")
        assert watch.own_s < 0.6


@ALL_BRAINS
def test_after_the_end_of_the_input_nothing_is_left_unanswered(command: Sequence[str]) -> None:
    lines = ["START 15", "INFO timeout_turn 20000", "BEGIN", *(f"TURN {x},0" for x in range(10))]
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


@ALL_BRAINS
def test_thinking_is_told_in_good_form_and_not_after_the_answer(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("START 15", "INFO timeout_turn 1300")
        brain.send("BEGIN")
        said = [brain.line()]
        while said[-1][1].startswith("MESSAGE"):
            said.append(brain.line())
        told = said[:-1]
        assert told
        for at, _ in told:
            assert sum(at <= other < at + 0.95 for other, _ in told) <= 20
        depths = [text.split(" SCORE")[0] for _, text in told]
        assert len(set(depths)) == len(depths)
        brain.silent(0.2)


# As a program


def run(*arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*MODULE, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE_S,
    )


def test_help_and_version_are_for_a_person() -> None:
    assert run("--version").stdout == f"Tengen {__version__}\n"
    assert run("--level", "3", "--help").stdout == run("--help").stdout
    shown = run("--help")
    assert shown.returncode == 0 and "BEGIN" in shown.stdout and shown.stderr == ""
    wrong = run("--nonsense")
    assert wrong.returncode == 2 and wrong.stdout == "" and "--nonsense" in wrong.stderr


def test_switches_and_numbers_of_the_search_on_the_command_line(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def nodes(*arguments: str) -> str:
        with Brain([*MODULE, *arguments]) as brain:
            brain.ask("START 15")
            brain.send(f"INFO log {log}", "INFO max_depth 9", "INFO timeout_turn 60000")
            brain.ask("BOARD", "7,7,1", "8,8,2", "6,9,1", "5,3,2", "DONE")
        (found,) = re.findall(r"nodes (\d+)", log.read_text())
        log.unlink()
        return str(found)

    usual = nodes()
    assert nodes("--set", "prune.lmr=0") != usual != nodes("--set", "tune.lmr_scale=90")
    for wrong, named in (
        ("prune.nonsense=1", "prune.nonsense"),
        ("prune.lmr=2", "prune.lmr"),
        ("prune.lmr", "NAME=VALUE"),
        ("threads=2", "thread_num"),
    ):
        refused = run("--set", wrong)
        assert refused.returncode == 2 and refused.stdout == "" and named in refused.stderr


@pytest.fixture(scope="module")
def bench_summary() -> list[str]:
    """The last lines of the bench but for its speed, from the library in this process."""
    signature, nodes = FNV_OFFSET, 0
    for row in bench():
        signature, nodes = sign(signature, row), nodes + row.nodes
    return [f"nodes {nodes}", f"signature 0x{signature:016x}"]


@ALL_PLAYERS
def test_the_bench_is_that_of_the_library(command: Sequence[str], bench_summary: list[str]) -> None:
    said = subprocess.run(
        [*command, "--bench"], capture_output=True, text=True, cwd=ROOT, timeout=5 * PATIENCE_S
    )
    lines = said.stdout.splitlines()
    assert said.returncode == 0 and said.stderr == ""
    assert re.fullmatch(r"\d+ nodes/s", lines[-1])
    assert lines[-3:-1] == bench_summary


def test_without_a_core_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise LibraryError("the core is not built")

    monkeypatch.setattr(program, "Engine", fail)
    monkeypatch.setattr("sys.argv", ["protocol"])
    assert program.main() == 1
    assert capsys.readouterr() == ("ERROR the core is not built\n", "")


def test_without_a_word_nothing_is_said() -> None:
    assert (run().stdout, run().stderr) == ("", "")


def test_in_a_terminal_it_says_what_it_waits_for() -> None:
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(MODULE, stdin=slave, stdout=subprocess.PIPE, cwd=ROOT) as process:
            assert process.stdout
            first = process.stdout.readline().decode()
            assert re.fullmatch(r"MESSAGE [^a-z]*END[^a-z]*\n", first)
            os.write(master, b"END\n")
            assert process.wait(PATIENCE_S) == 0
    finally:
        os.close(master)
        os.close(slave)


def test_stderr_leads_nowhere() -> None:
    with Brain() as brain:
        brain.ask("START 15")
        link = Path(f"/proc/{brain.process.pid}/fd/2")
        if link.parent.exists():  # elsewhere nobody says
            assert str(link.readlink()) == os.devnull


def test_errors_go_to_the_log_and_nowhere_else(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with Brain() as brain:
        assert brain.ask("START 15", f"INFO log {log}", "INFO timeout_turn 50") == "OK"
        brain.ask("BEGIN")
        brain.ask("TURN 0,0")
        brain.send("END")
        assert brain.gone() == []
    blocks = log.read_text().split("\n\n")
    assert [block.split("\n")[0].split()[:3] for block in blocks[:-1]] == [
        ["move", "1", "black"],
        ["move", "3", "black"],
    ]
    assert blocks[-1] == ""


def test_a_log_is_never_written_among_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "out"
    lines = [f"INFO log {path}", "START 15", "INFO timeout_turn 0", "BEGIN", "END"]
    with path.open("wb") as out:
        subprocess.run(
            MODULE,
            input="\n".join(lines).encode(),
            stdout=out,
            cwd=ROOT,
            timeout=PATIENCE_S,
            check=True,
        )
    said = path.read_text().splitlines()
    assert said[:2] == ["OK", "MESSAGE THE LOG CANNOT BE WRITTEN"]
    assert len(said) == 3


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


def cpu_seconds(brain: Brain) -> float:
    ours = psutil.Process(brain.process.pid)
    times = [process.cpu_times() for process in [ours, *ours.children(recursive=True)]]
    return sum(time.user + time.system for time in times)


def is_thinking(brain: Brain) -> bool:
    """Whether the brain works for a tenth of a second within the time that a busy machine needs."""
    before, until = cpu_seconds(brain), time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if cpu_seconds(brain) - before > 0.1:
            return True
        time.sleep(0.05)
    return False


@ALL_PLAYERS
def test_only_pondering_thinks_on_the_opponents_time(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("INFO timeout_turn 100", "START 15")
        brain.ask("TURN 7,7")
        before = cpu_seconds(brain)
        time.sleep(0.5)
        assert cpu_seconds(brain) - before < 0.05
        brain.ask("INFO ponder 1", "TURN 0,0")
        assert is_thinking(brain)
        brain.silent(0)
        watch = Stopwatch()
        brain.ask("INFO timeout_turn 0", "TURN 0,1")
        assert watch.own_s < 0.2
        brain.send("END")
        assert brain.gone() == []


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
def test_a_game_to_the_last_square(rule: Rule) -> None:
    """Random answers on a small board: every move of the brain is free, and legal where any is."""
    chance = random.Random(rule.value)
    size, referee = 9, Engine(size=9, rule=rule, memory_mib=1)
    free = {(x, y) for x in range(size) for y in range(size)}
    squares = list(free)
    stones: dict[tuple[int, int], Color] = {}

    def put(square: tuple[int, int], color: Color) -> None:
        stones[square] = color
        captured = referee.place(square).captured
        free.discard(square)
        free.update(captured)

    with Brain() as brain:
        brain.ask(f"INFO rule {rule.value}", "INFO timeout_turn 0", f"START {size}")
        request = "BEGIN"
        for _ in range(200):
            x, y = map(int, brain.ask(request).split(","))
            assert (x, y) in free, brain.told()
            assert referee.legal((x, y)) or not any(map(referee.legal, squares)), brain.told()
            put((x, y), Color.BLACK)
            if not free:
                break
            theirs = chance.choice(sorted(free))
            put(theirs, Color.WHITE)
            request = f"TURN {theirs[0]},{theirs[1]}"
            if not free:  # a captured triple leaves the last square to the other side
                assert brain.ask(request) == "ERROR board is full"
                break
        if not free:
            assert brain.ask("YXNBEST 1") == "ERROR board is full"


@ALL_PLAYERS
def test_an_analysis_goes_on_until_it_is_stopped(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("START 15")
        brain.send("YXBOARD", "7,7,1", "8,8,2", "DONE", "YXNBEST 3")
        time.sleep(0.6)
        assert is_thinking(brain), "it is at it still"
        watch = Stopwatch()
        first = brain.ask("STOP")
        assert watch.own_s < 0.2
        assert re.fullmatch(r"\d+,\d+", first)
        told = [line.split(" multipv ")[1] for line in brain.transcript if " multipv " in line]
        assert {line.split()[0] for line in told} == {"1", "2", "3"}
        before = cpu_seconds(brain)
        time.sleep(0.3)
        assert cpu_seconds(brain) - before < 0.05, "it has ended"
        assert brain.ask("INFO timeout_turn 100", f"PLAY {first}") == first, "nothing was played"


@pytest.mark.linux
@ALL_PLAYERS
def test_a_brain_suspended_while_it_ponders_goes_on(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("INFO timeout_turn 300", "INFO ponder 1", "START 15")
        for turn in ("TURN 7,7", "TURN 0,0", "TURN 14,0"):
            brain.ask(turn)
            ours = psutil.Process(brain.process.pid)
            processes = [ours, *ours.children(recursive=True)]
            for process in processes:
                process.suspend()
            time.sleep(0.3)
            for process in processes:
                process.resume()
            watch = Stopwatch()
            brain.ask("ABOUT")
            assert watch.own_s < 0.1
        brain.send("END")
        assert brain.gone() == []


def test_a_human_pace() -> None:
    with Brain((*MODULE, "--level", "1", "--delay", "400")) as brain:
        brain.ask("START 15", "INFO timeout_turn 5000")
        for turn in ("BEGIN", "TURN 0,0"):
            watch = Stopwatch()
            brain.ask(turn)
            assert watch.wall_s > 0.35 and watch.own_s < 0.8
        watch = Stopwatch()
        brain.send("TURN 0,1")
        time.sleep(0.1)
        brain.ask("STOP")
        assert watch.own_s < 0.3
        assert not any(re.search(r"depth [2-9]", line) for line in brain.transcript), "level 1"


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--level", "11"], "--level takes a number from 1 to 10, not '11'"),
        (["--level", "high"], "--level takes a number from 1 to 10, not 'high'"),
        (["--level"], "--level takes a number from 1 to 10, not ''"),
        (
            ["--delay", "-1"],
            "--delay takes a number from 0 to 60000, or a range as 500-1200, not '-1'",
        ),
        (
            ["--delay", "900-500"],
            "--delay takes a number from 0 to 60000, or a range as 500-1200, not '900-500'",
        ),
        (["--level", "3", "--nonsense"], "unknown argument '--nonsense'"),
        (["--set", "level=3"], "--set level: use --level"),
        (
            ["--bench", "--set", "x=1"],
            "--bench takes no other arguments: it measures the default settings",
        ),
    ],
)
def test_arguments_that_are_none(arguments: list[str], what: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == what
    assert "--delay MS" in done.stderr


@pytest.mark.linux
@pytest.mark.parametrize("words", [["protocol", "--help"], ["protocol", "--bench"], ["pyengine"]])
def test_what_is_printed_ends_well_whatever_takes_it(words: list[str]) -> None:
    """The reader is gone, the disk is full, there is no output at all."""
    command = [sys.executable, "-m", *words]

    def code(shell: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", shell, "sh", *command],
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            timeout=5 * PATIENCE_S,
        )
        return done.returncode, done.stderr

    ours, theirs = os.pipe()
    os.close(ours)
    gone = subprocess.run(
        command, stdout=theirs, stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=5 * PATIENCE_S
    )
    os.close(theirs)
    assert (gone.returncode, gone.stderr) == (141, "")
    full, said = code('exec "$@" >/dev/full')
    assert full == 1 and "No space left on device" in said and "Traceback" not in said
    if "--help" in words:
        assert code('exec "$@" >&-') == (0, "")
        assert code('exec "$@" >&- 2>&-')[0] == 0


def test_wrong_arguments_keep_their_exit_code_where_nothing_can_be_said() -> None:
    command = ["bash", "-c", 'exec "$@" 2>&-', "sh", *MODULE, "--nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (2, "")
