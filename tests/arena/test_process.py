"""The process of a brain: each fault is recognised, and nothing stays behind."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arena.engines.clock import UNLIMITED_MS, Clock, TimeControl
from arena.engines.launch import Launch
from arena.engines.lines import MOVE, OK, LineReader, Source
from arena.engines.player import Thought
from arena.engines.process import LF, BrainProcess
from arena.engines.reports import read_thought
from arena.util.faults import BrainFault, CannotStartError, Fault
from tests.support.fakes import fake
from tests.support.paths import ROOT
from tests.support.stopwatch import Stopwatch

LIMIT_MS = 60_000
"""Enough for any answer on a busy machine, in tests that do not measure time."""


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def started(fault: str, **keys: object) -> BrainProcess:
    """Returns a brain that has answered START."""
    brain = BrainProcess(fake(fault, at=1, **keys))
    brain.ask("START 15", form=OK, limit_ms=LIMIT_MS)
    return brain


def fault_of(fault: str, limit_ms: float = LIMIT_MS, **keys: object) -> BrainFault:
    """Returns the fault of a brain's first move."""
    with started(fault, **keys) as brain, pytest.raises(BrainFault) as found:
        brain.ask("BEGIN", form=MOVE, limit_ms=limit_ms)
    return found.value


@pytest.mark.parametrize("turn", range(5))
def test_who_waits_for_an_answer_hears_of_the_end(turn: int) -> None:
    brain = started("stall")
    heard: list[BrainFault] = []

    def ask() -> None:
        try:
            brain.ask("BEGIN", form=MOVE, limit_ms=None)
        except BrainFault as fault:
            heard.append(fault)

    waiting = threading.Thread(target=ask, daemon=True)
    waiting.start()
    time.sleep(0.02 * turn)
    brain.close(grace_s=0.1)
    waiting.join(20)
    assert [fault.kind for fault in heard] == [Fault.CRASH]


@pytest.mark.parametrize("is_abandoned", [False, True])
def test_the_end_of_the_output_reaches_every_thread(is_abandoned: bool) -> None:
    out, to_out = os.pipe()
    err, to_err = os.pipe()
    with os.fdopen(out, "rb") as one, os.fdopen(err, "rb") as other:
        reader = LineReader(one, other, lambda mark, text: None)
        ended: list[bool] = []

        def wait() -> None:
            line = reader.next(None)
            ended.append(line is not None and line.source is Source.END)

        threads = [threading.Thread(target=wait, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        if is_abandoned:
            reader.abandon(0.05)
        os.close(to_out)
        os.close(to_err)
        for thread in threads:
            thread.join(20)
        assert ended == [True] * 3


def test_a_good_brain_answers_and_leaves() -> None:
    brain = started("none", moves="7,7/8,8")
    answer = brain.ask("INFO time_left 5", "BEGIN", form=MOVE, limit_ms=LIMIT_MS)
    assert answer.text == "7,7"
    assert 0 < answer.ms < LIMIT_MS
    assert brain.memory_bytes() > 1 << 20
    assert brain.peak_bytes > 1 << 20
    ending = brain.close()
    assert (ending.exit_code, ending.notes) == (0, ())
    assert brain.close() is ending
    assert list(brain.transcript) == [
        (">", "START 15"),
        ("<", "OK"),
        (">", "INFO time_left 5"),
        (">", "BEGIN"),
        ("<", "7,7"),
        (">", "END"),
    ]


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("crash", Fault.CRASH, "exit code 3"),
        ("segfault", Fault.CRASH, "SIGSEGV"),
        ("traceback", Fault.CRASH, "the search fell over"),
        ("half-a-line", Fault.CRASH, "'0,0'"),
        ("mute", Fault.CRASH, "still running"),
        ("on-stderr", Fault.PROTOCOL, "text on stderr: 'warning: something is odd'"),
    ],
)
def test_a_broken_brain_is_seen_for_what_it_is(fault: str, kind: Fault, words: str) -> None:
    found = fault_of(fault, ms=600)
    assert found.kind is kind, found
    assert words in found.detail


def test_a_traceback_is_a_crash_though_it_comes_on_stderr() -> None:
    found = fault_of("traceback")
    # Either stream may be read first.
    assert found.kind is Fault.CRASH and "exit code 1" in found.detail
    assert "RuntimeError: the search fell over" in found.detail


@pytest.mark.parametrize("fault", ["stall", "unended", "flood"])
def test_no_answer_is_a_loss_by_time(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.engines.process.LATE_WAIT_S", 0.2)
    watch = Stopwatch()
    found = fault_of(fault, limit_ms=100)
    assert (found.kind, found.over_ms) == (Fault.TIME, None)
    assert watch.own_s < 10


def test_a_late_answer_is_a_loss_and_tells_how_late_it_was() -> None:
    found = fault_of("late", limit_ms=100, ms=250)
    assert found.kind is Fault.TIME
    assert found.over_ms is not None
    assert found.over_ms >= 150


@pytest.mark.parametrize(
    "text",
    [
        r"7, 7\n",
        r"7 ,7\n",
        r" 7,7\n",
        r"7,7 \n",
        r"7,7\r\n",
        r"7,7\r",
        r"7,7;\n",
        r"7,7,1\n",
        r"+7,+7\n",
        r"07,07\n",
        r"-0,3\n",
        r"h8\n",
        r"7 7\n",
        r"7,7 text\n",
        r"\n7,7\n",
        r"  \n7,7\n",
        r"SUGGEST 7,7\n",
        r"\xef\xbb\xbf7,7\n",
        r"1234567890,7\n",
        r"OK\n",
        r"ERROR no idea\n",
        r"message hi\n7,7\n",
        r"MESSAGE\n7,7\n",
        r"MESSAGE \n7,7\n",
        r"MESSAGE\thi\n7,7\n",
        r"depth 3\n7,7\n",
    ],
)
def test_what_some_manager_does_not_read_is_a_fault(text: str) -> None:
    # A lone CR ends no line, so the answer never comes.
    found = fault_of("says", limit_ms=150 if text.endswith(r"\r") else LIMIT_MS, text=text)
    assert found.kind is (Fault.TIME if text.endswith(r"\r") else Fault.PROTOCOL), found


def test_a_very_long_line_is_a_fault_with_and_without_its_end() -> None:
    for text in ("MESSAGE " + "x" * 3000 + r"\n7,7\n", "MESSAGE " + "x" * 60000):
        found = fault_of("says", text=text)
        assert found.kind is Fault.PROTOCOL
        assert "too long" in found.detail


@pytest.mark.parametrize(
    ("text", "move"), [(r"0,14\n", "0,14"), (r"-1,3\n", "-1,3"), (r"99,0\n", "99,0")]
)
def test_a_move_of_the_right_form_is_let_through_wherever_it_is(text: str, move: str) -> None:
    with started("says", text=text) as brain:
        assert brain.ask("BEGIN", form=MOVE, limit_ms=LIMIT_MS).text == move


def test_messages_are_skipped_and_kept() -> None:
    said = r"MESSAGE depth 3\nDEBUG 3,4\n"
    with started("says-first", text=said, moves="7,7") as brain:
        answer = brain.ask("BEGIN", form=MOVE, limit_ms=LIMIT_MS)
    assert answer.text == "7,7"
    assert answer.messages == ("MESSAGE depth 3", "DEBUG 3,4")


@pytest.mark.parametrize("text", ["ok", "OK ", "OK.", "", r"\xef\xbb\xbfOK", r"OK\r", "ERROR size"])
def test_start_wants_the_two_letters(text: str) -> None:
    with (
        BrainProcess(fake("start-text", text=text + r"\n")) as brain,
        pytest.raises(BrainFault) as found,
    ):
        brain.ask("START 15", form=OK, limit_ms=LIMIT_MS)
    assert found.value.kind is Fault.PROTOCOL
    assert "answer to START" in found.value.detail


@pytest.mark.parametrize("fault", ["twice", "answers-info"])
def test_lines_that_nobody_asked_for_are_a_fault(fault: str) -> None:
    with started(fault) as brain, pytest.raises(BrainFault) as found:
        if fault == "twice":
            brain.ask("BEGIN", form=MOVE, limit_ms=LIMIT_MS)
        brain.send("INFO rule 0")
        time.sleep(0.3)
        brain.ask("TURN 14,14", form=MOVE, limit_ms=LIMIT_MS)
    assert found.value.kind is Fault.PROTOCOL


def test_a_brain_that_does_not_read_holds_up_nobody() -> None:
    with started("stall") as brain, pytest.raises(BrainFault) as found:
        for _ in range(10_000):
            brain.send("INFO folder " + "x" * 1000)
            if _ == 0:
                os.kill(brain.pid, signal.SIGSTOP)
    assert found.value.kind is Fault.PROTOCOL
    assert "does not read" in found.value.detail


def test_line_feeds_alone_can_be_sent() -> None:
    with BrainProcess(fake(), line_end=LF) as brain:
        assert brain.ask("START 15", form=OK, limit_ms=LIMIT_MS).text == "OK"


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        ("ignores-end", "ignored END for 300 ms and was killed"),
        ("talks-after-end", "wrote on stdout after END: 'MESSAGE good bye'"),
        ("bad-exit-code", "after END: exit code 5"),
        ("start-orphan", "left 1 process(es) behind, which were killed"),
    ],
)
def test_faults_at_the_end_are_noted(fault: str, note: str) -> None:
    grace_s = 0.3 if fault == "ignores-end" else 30.0
    assert started(fault).close(grace_s=grace_s).notes == (note,)


def test_a_stalled_brain_is_killed_with_its_daemon() -> None:
    brain = BrainProcess(fake("start-orphan"))
    brain.ask("START 15", form=OK, limit_ms=LIMIT_MS)
    os.kill(brain.pid, signal.SIGSTOP)
    assert brain.close(grace_s=0.1).exit_code == -signal.SIGKILL


def test_a_brain_that_is_forgotten_ends_with_the_interpreter() -> None:
    code = (
        "from arena.engines.process import BrainProcess\n"
        "from arena.engines.lines import OK\n"
        "from tests.support.fakes import fake\n"
        "brain = BrainProcess(fake('ignores-end'))\n"
        "brain.ask('START 15', form=OK, limit_ms=60_000)\n"
    )
    root = ROOT
    subprocess.run([sys.executable, "-c", code], cwd=root, timeout=120, check=True)


def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    nonsense = tmp_path / "brain"
    nonsense.write_bytes(b"\0\1\2")
    nonsense.chmod(0o755)
    for command in ([str(nonsense)], [str(tmp_path / "none")], []):
        with pytest.raises(CannotStartError, match="cannot start"):
            BrainProcess(command)


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ("MESSAGE depth 9 score -12 nodes 4711 time 3", Thought(9, 4711, "-12")),
        (
            "MESSAGE Speed 812K | Depth 10-15 | Eval +M7 | Node 12M | Time 5ms",
            Thought(10, 12_000_000, "+M7", 7),
        ),
        ("MESSAGE d=3 ev 0 n 5", Thought(None, 5, "0")),
        (
            "MESSAGE depth 9-14 ev -M8 n 1.5M n/ms 676 tm 120 pv 7,7 8,8",
            Thought(9, 1_500_000, "-M8", -8),
        ),
        ("MESSAGE Depth 3-4 | Eval 12 | Node 1.25K | Time 5ms", Thought(3, 1250, "12")),
        ("MESSAGE thinking", Thought()),
    ],
)
def test_thoughts_are_read_from_messages(message: str, thought: Thought) -> None:
    assert read_thought([message]) == thought


def test_the_last_word_on_a_thought_counts() -> None:
    assert read_thought(["MESSAGE depth 1 nodes 5", "MESSAGE depth 2"]) == Thought(2, 5, None)


@pytest.mark.parametrize(
    "others",
    [
        [
            "MESSAGE winrate 40.0% depth 6-8 multipv 2 ev -9",
            "MESSAGE depth 6-8 multipv 2 ev -9 n 8 n/ms 1 tm 8 pv 7,7",
        ],
        ["MESSAGE (2) -9 | 6-8 | H8 I9"],
        ["MESSAGE LINE 2 DEPTH 6-8 SCORE -9 WINRATE 40.0% NODES 8 TIME 8 PV 7,7"],
    ],
)
def test_of_several_lines_the_best_is_the_thought(others: list[str]) -> None:
    assert read_thought(["MESSAGE depth 5-7 ev 3 n 6", *others]) == Thought(5, 6, "3")


def test_clocks_take_the_tighter_limit_and_tell_no_tolerance() -> None:
    clock = Clock.of(TimeControl(turn_ms=100, match_ms=250, tolerance_ms=20))
    assert (clock.budget_ms, clock.limit_ms, clock.time_left) == (100, 120, 250)
    clock = clock.after(99.5).after(100)
    assert (clock.budget_ms, clock.limit_ms, clock.time_left) == (50.5, 70.5, 50)
    clock = clock.after(60)
    assert (clock.budget_ms, clock.limit_ms, clock.time_left) == (0, 10.5, -10)
    assert Clock.of(TimeControl(turn_ms=5)).after(3).time_left == UNLIMITED_MS
    assert Clock.of(TimeControl(match_ms=50, increment_ms=7)).after(10).left_ms == 47


@pytest.mark.parametrize(
    ("field", "value"), [("turn_ms", 0), ("match_ms", -1), ("tolerance_ms", -1), ("turn_ms", None)]
)
def test_limits_that_make_no_sense_are_refused(field: str, value: int | None) -> None:
    with pytest.raises(ValueError, match=field):
        TimeControl(**{field: value})  # type: ignore[arg-type]


def test_a_bad_machine_is_no_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_files(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    first = Launch(fake(), None)  # its reaper is there before
    first.process.communicate(b"END\n")
    first.forget()
    monkeypatch.setattr("arena.engines.launch.subprocess.Popen", out_of_files)
    with pytest.raises(OSError, match="Too many open files"):
        BrainProcess(fake())


def test_what_a_brain_leaves_in_its_temporary_folder_is_noted_and_removed(tmp_path: Path) -> None:
    brain = tmp_path / "brain"
    brain.write_text(
        "#!/bin/sh\nread start\necho OK\nread end\necho $TMPDIR >$0.told\n>$TMPDIR/x\n"
    )
    brain.chmod(0o755)
    process = BrainProcess([str(brain)])
    process.ask("START 15", form=OK, limit_ms=LIMIT_MS)
    assert process.close(grace_s=60).notes == ("left 'x' in its temporary folder",)
    folder = Path(Path(f"{brain}.told").read_text().strip())
    assert folder.name.startswith("arena-brain-") and not folder.exists()
