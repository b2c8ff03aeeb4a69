"""INFO at work: what reaches the engine, what is told, what the log says."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.clock import now
from protocol.log import Log
from protocol.memory import MIB, SMALLEST_TABLE
from protocol.replies import ABOUT
from protocol.tuning import Host
from pyengine import Limits, Rule, SearchResult
from records.winrate import percent, wdl, win_rate
from tests.support.fake_engine import FakeEngine
from tests.support.protocol_runner import MODULE, Brain
from tests.support.table import CLOCKS, Table

# INFO


def test_a_rule_may_come_at_any_time() -> None:
    table = Table()
    assert table.send("INFO rule 4", "START 15", "INFO rule 9", "INFO rule 9") == ["OK"]
    assert table.engine.calls == ["reset 15 4", "reset 15 9"]
    table.send("INFO timeout_turn 0", "TURN 7,7", "INFO rule 0")
    assert table.engine.rule is Rule.FREESTYLE
    table.ask("TURN 8,8")
    assert table.engine.setups[-1]["black"] == [(7, 7), (8, 8)]


def test_an_unknown_rule_is_told_with_the_next_move_only(table: Table) -> None:
    assert table.send("INFO rule 132") == []
    assert table.send("ABOUT") == [ABOUT]
    assert table.send("BEGIN") == ["MESSAGE RULE 132 IS UNKNOWN, PLAYING RENJU", "7,7"]
    assert table.send("TURN 0,0") == ["6,6"]
    assert table.engine.rule is Rule.RENJU


def test_memory_sizes_the_table() -> None:
    table = Table()
    table.send("INFO max_memory 104857600", "START 15", "INFO max_memory 104857600")
    wanted = table.engine.tables[-1]
    assert 20 < wanted < 75 - 30
    assert len(table.engine.tables) == 2, "the same limit again is no reason to lose the table"
    table.send("INFO max_memory 83886080")
    assert table.engine.tables[-1] == wanted - 15
    table.send("INFO hash_size 1024")
    assert table.engine.tables[-1] == 1
    table.send("INFO hash_size 0", "INFO max_memory 0")
    assert table.engine.tables[-1] > 200


def test_the_time_of_a_move_sizes_the_table() -> None:
    table = Table()
    table.send("START 15", "INFO timeout_turn 1000")
    assert table.engine.tables[-1] == 64
    table.send("INFO timeout_turn 100")
    assert table.engine.tables[-1] == 8
    sizes = len(table.engine.tables)
    table.send("INFO timeout_turn 120", "INFO time_left 5000", "INFO timeout_match 100000")
    table.send("INFO timeout_turn 0", "INFO timeout_turn 100")
    assert len(table.engine.tables) == sizes, "about the same time is no reason to lose the table"
    table.send("INFO timeout_turn 60000", "INFO timeout_match 0")
    assert table.engine.tables[-1] > 200
    sizes = len(table.engine.tables)
    table.send("INFO timeout_turn 20000", "INFO timeout_turn -1")
    assert len(table.engine.tables) == sizes, "nor is more time than can fill what is allowed"
    table.send("INFO timeout_turn 1000", "INFO thread_num 8")
    assert table.engine.tables[-1] > 200, "of this machine's four processors"
    table.send("INFO timeout_turn 200")
    assert table.engine.tables[-1] == 64
    table.send("INFO thread_num 2")
    assert table.engine.tables[-1] == 64, "half as much is no reason, either"
    table.send("INFO timeout_turn 100")
    assert table.engine.tables[-1] == 16


def test_too_little_memory_is_told_once() -> None:
    table = Table()
    assert table.send("INFO timeout_turn 0", "INFO max_memory 1000000", "START 15") == ["OK"]
    assert table.engine.tables[-1] == SMALLEST_TABLE / MIB
    first, second = table.send("BEGIN")
    assert re.fullmatch("MESSAGE MAX_MEMORY IS TOO SMALL.*", first)
    assert second == "7,7"
    assert table.send("TURN 0,0") == ["6,6"]


def test_threads_and_options_reach_the_engine(table: Table) -> None:
    table.engine.calls.clear()
    lines = ["INFO thread_num 3", "INFO thread_num 60", "INFO prune.lmr 0", "INFO PRUNE.NMP 1"]
    assert table.send(*lines, "INFO tune.lmr_scale 40") == []
    taken = ["threads 3", "threads 4", "prune.lmr 0", "prune.nmp 1", "lmr_scale 40"]
    assert table.engine.calls == taken


def test_an_option_that_is_not_taken_is_named_with_the_next_move(table: Table) -> None:
    table.engine.calls.clear()
    keys = ["prune.nonsense 1", "prune.lmr 5", "tune.nonsense 1", "tune.threads 2", "tune.level 3"]
    assert table.send(*(f"INFO {key}" for key in keys)) == []
    assert table.engine.calls == []
    *notes, move = table.send("BEGIN")
    reasons = ["PRUNE.NONSENSE", "PRUNE.LMR", "NONSENSE"]  # as the engine gives them
    assert notes[:4] == [
        *(
            f"MESSAGE {key.upper()} IS REJECTED: {why}"
            for key, why in zip(keys[:3], reasons, strict=True)
        ),
        "MESSAGE TUNE.THREADS 2 IS REJECTED, USE THREAD_NUM",
    ]
    assert notes[4] == "MESSAGE TUNE.LEVEL 3 IS REJECTED, USE LEVEL" and move == "7,7"


def test_names_and_notes_without_end_are_not_kept(table: Table) -> None:
    table.send(*(f"INFO rule {n}" for n in range(100, 3000)))
    table.send(*(f"INFO tune.x{n % 500} {n}" for n in range(3000)))
    table.engine.calls.clear()
    table.send("INFO prune.lmr 0")
    assert table.engine.calls == ["prune.lmr 0"]
    *notes, move = table.send("BEGIN")
    assert 2 <= len(notes) <= 10 and move == "7,7"
    assert notes[1] == "MESSAGE TUNE.X0 2500 IS REJECTED: X0"


def test_limits_reach_the_search(table: Table) -> None:
    table.send("INFO timeout_turn 1000", "INFO max_depth 6", "INFO max_node 777", "BEGIN")
    limits = table.engine.limits[-1]
    assert (limits.depth, limits.nodes, limits.lines) == (6, 777, 1)
    assert limits.time_ms is not None and 700 < limits.time_ms <= 970
    table.send("INFO timeout_turn 0", "INFO max_depth 0", "INFO max_node -1", "TURN 0,0")
    assert table.engine.limits[-1].time_ms == 0
    assert (table.engine.limits[-1].depth, table.engine.limits[-1].nodes) == (None, None)


def test_a_level_is_the_engines_to_keep(table: Table) -> None:
    table.send("INFO level 3", "INFO level 3", "INFO level 99", "INFO level low")
    assert [call for call in table.engine.calls if call.startswith("level")] == [
        "level 3",
        "level 3",
        "level 10",
    ]


def test_the_start_is_charged_to_the_first_move_only() -> None:
    table = Table(host=Host(resident=lambda: 0, startup_ms=400))
    table.send("INFO timeout_turn 1000", "START 15", "BEGIN", at=now())
    table.send("TURN 0,0")
    first, second = (limits.time_ms for limits in table.engine.limits)
    assert first is not None and 300 < first <= 570
    assert second is not None and 700 < second <= 970
    table = Table(host=Host(resident=lambda: 0, startup_ms=4000))
    table.send("INFO timeout_turn 1000", "START 15", "BEGIN", at=now())
    assert table.engine.limits[-1].time_ms == 0


@pytest.mark.linux
def test_thinking_grows_with_prompt_replies_and_shrinks_with_late_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = Punctual()
    for module in CLOCKS:
        monkeypatch.setattr(f"{module}.now", lambda: engine.seconds)
    table = Table(engine)
    table.send("INFO timeout_turn 50", "START 20", "BEGIN")
    squares = [(x, y) for x in range(20) for y in range(2)]
    for x, y in squares:
        table.send(f"TURN {x},{y}")
    thought = [limits.time_ms or 0 for limits in engine.limits]
    assert thought[0] == 34 and thought[-1] == 43 and thought == sorted(thought)
    engine.late_s = 0.00925
    table.send("TURN 0,2", "TURN 1,2", "START 20", "BEGIN")
    assert [limits.time_ms for limits in engine.limits[-2:]] == [34, 34], "in the next game, too"


def test_the_start_is_not_charged_where_the_manager_waited_for_it() -> None:
    table = Table(host=Host(resident=lambda: 0, startup_ms=400))
    table.send("START 15")
    table.send("INFO timeout_turn 1000", "BEGIN")
    first = table.engine.limits[-1].time_ms
    assert first is not None and 700 < first <= 970


class Punctual(FakeEngine):
    """Every search takes all its time by a clock of its own, and a little more."""

    seconds = 1.0
    late_s = 0.0005

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        self.seconds += (limits.time_ms or 0) / 1000 + self.late_s
        return super().search(limits, armed=armed)


class Clock(FakeEngine):
    """Every search takes 0.2 s by a clock that stands still between searches."""

    seconds = 1.0

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        self.seconds += 0.2
        return super().search(limits, armed=armed)


def test_time_is_counted_down_when_nobody_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Clock()
    for module in CLOCKS:
        monkeypatch.setattr(f"{module}.now", lambda: engine.seconds)
    table = Table(engine)
    table.send("INFO timeout_match 4000", "START 15", "BEGIN")
    first = table.engine.limits[-1].soft_ms
    table.send("TURN 0,0")
    second = table.engine.limits[-1].soft_ms
    assert first is not None and second is not None
    # 0.2 s of a game of which 26 and then 25 moves are expected
    assert first / 26 * 25 - second < 20 and second < first
    table.send("INFO time_left 4000", "TURN 1,0")
    third = table.engine.limits[-1].soft_ms
    assert third is not None and third > first, "what the manager tells counts, not our own sum"


def test_a_new_game_has_its_whole_time_again() -> None:
    table = Table(FakeEngine(think_s=0.2))
    table.send("INFO timeout_match 4000", "INFO time_left 400", "START 15", "BEGIN")
    low = table.engine.limits[-1].time_ms
    assert low is not None and low < 100, "what is told before START holds after it"
    table.send("START 15", "BEGIN")
    fresh = table.engine.limits[-1].soft_ms
    assert fresh is not None and fresh > 100


# The log


@pytest.fixture(autouse=True)
def stderr_comes_back() -> Iterator[None]:
    """A log takes stderr with it."""
    saved = os.dup(2)
    yield
    os.dup2(saved, 2)
    os.close(saved)


def test_errors_go_to_the_log_while_there_is_one(tmp_path: Path) -> None:
    log, path = Log(), tmp_path / "log"
    assert log.open(str(path))
    os.write(2, b"one\n")
    log.close()
    os.write(2, b"two\n")
    assert path.read_text() == "one\n"


def test_the_log_has_a_block_a_move(tmp_path: Path, table: Table) -> None:
    path = tmp_path / "a log.txt"
    assert table.send(f"INFO log {path}") == []
    table.send("BOARD", "1,1,1", "2,2,2", "DONE", "INFO log", "TURN 9,9")
    text = path.read_text()
    assert text.endswith("\n\n") and text.count("\n\n") == 1
    rows = {row.split()[0]: row for row in text.splitlines() if row}
    assert rows["move"] == "move 3 black 7,7"
    assert rows["stones"] == "stones 1 black 1 white 0 neutral"
    assert rows["captures"] == "captures 0 black 0 white"
    assert rows["stage"] == "stage static"
    assert rows["score"] == f"score 0 winrate {percent(win_rate(0, 0))}"
    assert rows["wdl"] == f"wdl {wdl(0, 0, size=15, placed=0)}"
    assert rows["depth"] == "depth 3 seldepth 4"
    assert rows["nodes"].startswith("nodes 1000 search 0 ms nps ")
    assert rows["table"] == "table 1.2 %"
    assert rows["time"].startswith("time ")


def test_the_log_tells_every_stage_that_was_passed(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with Brain(MODULE) as brain:
        brain.ask("START 15", f"INFO log {path}", "INFO timeout_turn 300")
        brain.ask("BOARD", "7,7,1", "0,0,2", "8,7,1", "0,1,2", "9,7,1", "0,2,2", "DONE")
        brain.ask("BOARD", "7,7,1", "8,8,2", "DONE")
    won, searched = path.read_text().strip().split("\n\n")
    names = ["answer a pending five", "win now", "stop a win", "own VCF"]
    told = re.findall("^passed (.*): (none|found), ([0-9]+) nodes$", won, re.MULTILINE)
    assert [name for name, _, _ in told] == names and "\nstage own VCF\n" in won
    assert [result for _, result, _ in told] == ["none", "none", "none", "found"]
    told = re.findall("^passed (.*): (none|found), ([0-9]+) nodes$", searched, re.MULTILINE)
    assert [name for name, _, _ in told] == [*names, "own VCT", "opponent's VCF", "search"]
    nodes = re.search("^nodes ([0-9]+) ", searched, re.MULTILINE)
    assert nodes and sum(int(count) for _, _, count in told) == int(nodes[1])


def test_a_trace_goes_to_the_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with Brain(MODULE) as brain:
        brain.ask("START 15", f"INFO log {path}", "INFO trace 1", "INFO max_node 3000")
        brain.ask("BOARD", "7,7,1", "8,8,2", "DONE")
        brain.ask("INFO trace 0", "BOARD", "7,7,1", "8,8,2", "DONE")
    traced, plain = path.read_text().strip().split("\n\n")
    look = r"^trace [0-9]+,[0-9]+ depth [0-9]+ place [0-9]+ [a-o][0-9]+ score -?[0-9]+ "
    look += (
        r"\((exact|at least|at most|aborted)\) window -?[0-9]+ to [0-9]+ reduction [0-9.]+ nodes"
    )
    assert len(re.findall(look, traced, re.MULTILINE)) > 20
    assert "\ntrace 0,0 left out a15: no candidate\n" in traced
    assert "trace" not in plain


def test_a_log_may_have_any_name(tmp_path: Path, table: Table) -> None:
    path = tmp_path / "Übung ☃.log"
    line = f"INFO log {path}".encode().decode("latin-1")  # as the reader takes its bytes
    assert table.send(line) == [] and table.send("BEGIN") == ["7,7"]
    assert "stage" in path.read_text()


@pytest.mark.parametrize("path", ["/", "/nowhere/at/all", "/dev/full", "a\x00b"])
def test_a_log_that_cannot_be_written_is_told_with_the_next_move(table: Table, path: str) -> None:
    assert table.send(f"INFO log {path}") == []
    assert table.send("BEGIN") == ["MESSAGE THE LOG CANNOT BE WRITTEN", "7,7"]
    assert table.send("TURN 0,0") == ["6,6"]


def test_a_fifo_does_not_hold_the_brain_up(tmp_path: Path, table: Table) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    assert table.send(f"INFO log {path}") == []
    assert table.send("BEGIN") == ["MESSAGE THE LOG CANNOT BE WRITTEN", "7,7"]
