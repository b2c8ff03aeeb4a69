"""Searches of the protocol: failures, stops, reports and analysis."""

import re
import threading
import time

import pytest

from protocol.memory import MIB, SMALLEST_TABLE
from protocol.replies import ABOUT
from pyengine import EngineError, Line, NoMoveError
from tests.support.fake_engine import FakeEngine
from tests.support.stopwatch import Stopwatch
from tests.support.table import Table, later


def reports(told: list[str]) -> list[str]:
    """The reports of a search: each is a win rate, followed by the line that clients read."""
    rates, lines = told[::2], told[1::2]
    assert len(rates) == len(lines)
    for rate, line in zip(rates, lines, strict=True):
        head = r"depth \d+-\d+( multipv [1-9]\d*)? ev (-?\d+|[+-]M\d+)"
        assert re.fullmatch(rf"MESSAGE winrate \d+\.\d% {head}", rate)
        assert re.fullmatch(rf"MESSAGE {head} n \d+ n/ms \d+ tm \d+ pv \d+,\d+( \d+,\d+)*", line)
        assert rate.partition("% ")[2] == line.removeprefix("MESSAGE ").partition(" n ")[0]
    return lines


# Moves that do not come easily


def test_a_failed_search_still_gives_a_move(table: Table) -> None:
    table.engine.moves = [RuntimeError("boom"), (7, 7), (99, 0), EngineError("no")]
    assert table.ask("BEGIN") == "7,7"
    assert table.ask("TURN 0,0") != "7,7", "occupied"
    assert re.fullmatch(r"\d+,\d+", table.ask("TURN 14,14"))
    assert re.fullmatch(r"\d+,\d+", table.ask("TURN 14,0"))
    own, opponent = table.stones()
    assert len(own) == 4 and len(opponent) == 3


class Dying(FakeEngine):
    """Finishes its iterations, then fails."""

    def _think(self, seconds: float, move: tuple[int, int], score: int, lines: int) -> None:
        super()._think(seconds, (3, 4), score, lines)
        raise RuntimeError("out of luck")


def test_the_best_move_so_far_stands_in(table: Table) -> None:
    table = Table(Dying())
    table.send("INFO timeout_turn 0", "START 15")
    assert table.ask("BEGIN") == "3,4"


def test_memory_that_is_not_there(table: Table) -> None:
    table.engine.moves = [MemoryError(), (2, 2)]
    assert table.send("BEGIN") == [
        "MESSAGE NO MEMORY FOR THE TABLE, USING THE SMALLEST TABLE",
        "2,2",
    ]
    assert table.engine.tables[-1] == SMALLEST_TABLE / MIB


def test_a_search_needs_no_thread_of_its_own(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system refuses the report thread, the search reports once, at its end."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    told = table.send("INFO timeout_turn 5000", "BEGIN")
    assert told[-1] == "7,7"
    assert not any("FAILED" in line for line in told)


def test_what_the_system_refuses_is_told_once(table: Table) -> None:
    table.engine.threads_refused = 3
    assert table.send("BEGIN") == ["MESSAGE ONLY 1 OF 4 THREADS COULD BE STARTED", "7,7"]
    table.engine.threads_refused = 2
    table.engine.table_refused_kib = 512
    assert table.send("TURN 0,0") == ["MESSAGE NO MEMORY FOR 512 KIB OF THE TABLES", "6,6"]
    assert table.send("TURN 0,1") == ["6,7"]


def test_with_nothing_but_forbidden_squares_one_is_taken() -> None:
    table = Table()
    table.send("INFO timeout_turn 0", "INFO rule 4", "START 5")
    lines = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)]
    table.engine.forbidden_squares = {(4, 4)}
    assert table.ask("BOARD", *lines[:-1], "DONE") == "4,4"


def test_a_full_board_is_an_error() -> None:
    table = Table()
    table.send("INFO timeout_turn 0", "START 5")
    lines = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)]
    assert table.send("BOARD", *lines, "DONE") == ["ERROR board is full"]
    assert table.send("YXNBEST 2") == ["ERROR board is full"]
    assert table.ask("BOARD", *lines[:-1], "DONE") == "4,4"
    assert table.ask("TURN 0,0").startswith("ERROR")


def test_a_legal_square_is_taken_before_a_forbidden_one(table: Table) -> None:
    table.engine.forbidden_squares = {(7, 7), (6, 6)}
    table.engine.moves = [NoMoveError("none")]
    assert table.ask("BEGIN") == "6,7"


def test_our_own_mistakes_do_not_lose_the_game(
    table: Table, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("protocol.thinking.Thinker.think", fail)
    monkeypatch.setattr("protocol.position.Position.remove", fail)
    assert table.send("BEGIN") == ["MESSAGE BEGIN FAILED: ZERODIVISIONERROR", "7,7"]
    assert table.send("TURN 14,14") == ["MESSAGE TURN FAILED: ZERODIVISIONERROR", "6,6"]
    assert table.ask("YXNBEST 2") == "6,7"
    assert table.ask("SWAP2BOARD", "7,7", "8,8", "9,9", "DONE") == "SWAP"
    assert table.ask("SWAP2BOARD", "DONE") == "2,3 4,3 6,2"
    assert table.send("TAKEBACK 7,7", "ABOUT") == ["ERROR internal error", ABOUT]
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_mistake_after_the_answer_gives_no_second_one(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("protocol.position.Position.play", fail)
    assert table.send("BEGIN") == ["7,7"]
    table.send("TAKEBACK 0,0")
    monkeypatch.undo()
    assert table.send("TURN 0,0") == ["MESSAGE BEGIN FAILED: ZERODIVISIONERROR", "7,7"]


# While thinking


def test_a_stop_ends_the_search_at_once() -> None:
    table = Table(FakeEngine(think_s=5))
    table.send("INFO timeout_turn 10000", "START 15")
    watch = Stopwatch()
    later(0.05, lambda: table.interrupt.stop(3))
    assert table.ask("BEGIN") == "7,7"
    assert watch.own_s < 0.5


def test_a_stop_before_the_search_begins_is_not_lost() -> None:
    table = Table(FakeEngine(think_s=5))
    table.send("INFO timeout_turn 10000", "START 15")
    table.interrupt.stop(4)
    assert table.ask("BEGIN") == "7,7"
    assert table.engine.limits[-1].time_ms == 0


def test_a_stop_does_not_reach_a_later_request() -> None:
    table = Table(FakeEngine(think_s=0.1))
    table.send("INFO timeout_turn 10000", "START 15")
    table.interrupt.stop(3)
    table.ask("STOP", "BEGIN")
    limits = table.engine.limits[-1]
    assert limits.time_ms is not None and limits.time_ms > 9000


def test_thinking_is_told_but_not_too_often() -> None:
    table = Table(FakeEngine(think_s=1.2, depths=200))
    table.send("INFO timeout_turn 10000", "START 15")
    *said, move = table.send("BEGIN")
    assert move == "7,7"
    depths = [line.split()[2] for line in reports(said)]
    assert len(set(depths)) == len(depths)
    assert 5 <= len(depths) <= 25, "1.2 s at 20 a second"
    assert depths[-1] == "200-201"
    assert all(len(line) < 500 for line in said)


def test_many_lines_are_told_no_more_often() -> None:
    table = Table(FakeEngine(think_s=0.8, depths=100))
    table.send("INFO timeout_turn 10000", "START 15")
    told = reports(table.send("YXNBEST 4")[:-1])
    assert 5 <= len(told) <= 20
    last = [f"MESSAGE depth 100-101 multipv {line} ev" for line in (1, 2, 3, 4)]
    assert [line.rpartition(" ev")[0] + " ev" for line in told[-4:]] == last, "it is kept"


class Slow(FakeEngine):
    """Takes its time to tell a thread how far it is."""

    def progress(self, after: int = 0) -> list[Line]:
        lines = super().progress(after)
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.3)
        return lines


def test_not_a_word_comes_after_the_answer() -> None:
    table = Table(Slow(think_s=0.12, depths=10))
    table.send("INFO timeout_turn 10000", "START 15", "BEGIN")
    time.sleep(0.4)
    assert table.said[-1] == "7,7"


class Repeating(FakeEngine):
    """Tells of everything again at every look."""

    def progress(self, after: int = 0) -> list[Line]:
        return super().progress(0)


def test_a_depth_is_told_once() -> None:
    table = Table(Repeating(think_s=0.5, depths=2))
    table.send("INFO timeout_turn 10000", "START 15")
    depths = [line.split()[2] for line in reports(table.send("BEGIN")[:-1])]
    assert depths == ["1-2", "2-3"]


def test_a_move_at_once_is_made_without_a_word(table: Table) -> None:
    assert table.send("BEGIN") == ["7,7"]


# Analysis


def test_an_analysis_without_a_limit_goes_on() -> None:
    table = Table()
    table.send("START 15", "YXNBEST 3")
    assert (table.engine.limits[-1].time_ms, table.engine.limits[-1].lines) == (None, 3)
    table.ask("BEGIN")
    assert table.engine.limits[-1].time_ms is not None
    table.send("INFO timeout_turn 500", "YXNBEST 3")
    assert 400 < (table.engine.limits[-1].time_ms or 0) <= 500
    table.send("INFO timeout_turn -1", "YXNBEST 3")
    assert table.engine.limits[-1].time_ms is None


def test_an_analysis_ends_with_a_stop_and_plays_nothing() -> None:
    table = Table(FakeEngine(think_s=30, depths=300))
    table.send("START 15")
    later(0.5, lambda: table.interrupt.stop(2))
    *told, answer = table.send("YXNBEST 2")
    assert answer == "7,7"
    assert len(reports(told)) > 4
    assert {line.split(" multipv ")[1][0] for line in told} == {"1", "2"}
    table.engine.think_s = 0
    assert table.send("YXNBEST 1")[-1] == "7,7", "the square is free still"


def test_an_analysis_is_not_on_the_clock() -> None:
    table = Table(FakeEngine(think_s=1.5))
    table.send("INFO timeout_match 10000", "START 15")
    table.send("YXNBEST 1")
    first = table.engine.limits[-1].soft_ms
    table.send("YXNBEST 1")
    second = table.engine.limits[-1].soft_ms
    assert first is not None and second is not None
    assert abs(second - first) <= 25  # 1.5 s of the game's 10 s would be 54 ms less
