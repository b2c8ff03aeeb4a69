"""The brain's side of a game, with a scripted engine behind it: what goes in, what comes out."""

import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.commands import Assembler, Word
from protocol.interrupt import Interrupt
from protocol.log import Log
from protocol.memory import MIB, SMALLEST_TABLE
from protocol.replies import ABOUT
from protocol.session import Request, Session
from protocol.swap2 import openings
from protocol.tuning import Host
from pyengine import Color, EngineError, Line, NoMoveError, Rule
from tests.protocol.fake_engine import FakeEngine
from tests.protocol_runner import WELL_FORMED


class Table:
    """A session and its engine; lines in, lines out, on the caller's thread."""

    def __init__(self, engine: FakeEngine | None = None, host: Host | None = None) -> None:
        self.engine = engine or FakeEngine()
        self.interrupt = Interrupt(self.engine)
        self.said: list[str] = []
        host = host or Host(resident=lambda: 30 * MIB, cpus=4)
        self.session = Session(self.engine, self.interrupt, self.said.append, host)
        self._assembler = Assembler()
        self._number = 0

    def send(self, *lines: str) -> list[str]:
        """Feeds lines; everything that is said about them, MESSAGE lines too."""
        before = len(self.said)
        for line in lines:
            self._number += 1
            self.interrupt.seen(self._number)
            command = self._assembler.feed(line)
            if command is Word.STOP:
                self.interrupt.stop(self._number)
            if command is not None:
                self.session.handle(Request(command, self._number, time.monotonic()))
        new = self.said[before:]
        assert all(WELL_FORMED.fullmatch(line) for line in new), new
        return new

    def ask(self, *lines: str) -> str:
        """Feeds lines; their one answer, MESSAGE lines left out."""
        (answer,) = (line for line in self.send(*lines) if not line.startswith("MESSAGE "))
        return answer

    def stones(self) -> tuple[set[object], set[object]]:
        """The brain's and the opponent's stones, as the engine sees them when asked to move."""
        self.ask("YXNBEST 1")
        setup = self.engine.setups[-1]
        black, white = setup["black"], setup["white"]
        assert isinstance(black, list) and isinstance(white, list)
        return set(black), set(white)


@pytest.fixture
def table() -> Table:
    """A session with a game of 15x15 begun, moves made at once."""
    table = Table()
    assert table.send("INFO timeout_turn 0", "START 15") == ["OK"]
    return table


# Games


def test_a_game(table: Table) -> None:
    assert table.ask("BEGIN") == "7,7"
    assert table.ask("TURN 8,8") == "6,6"
    assert table.engine.setups[-1] == {
        "black": [(7, 7)],
        "white": [(8, 8)],
        "neutral": [],
        "captures": (0, 0),
        "to_move": Color.BLACK,
    }


def test_the_second_player_is_white(table: Table) -> None:
    table.ask("TURN 8,8")
    assert table.engine.setups[-1]["to_move"] is Color.WHITE
    assert table.engine.setups[-1]["black"] == [(8, 8)]


@pytest.mark.parametrize("size", [5, 15, 19, 20, 22])
def test_sizes_that_are_played(size: int) -> None:
    table = Table()
    assert table.send(f"START {size}") == ["OK"]
    assert table.send(f"RECTSTART {size},{size}") == ["OK"]
    assert table.engine.size == size


@pytest.mark.parametrize("line", ["START 4", "START 23", "START 0", "START -5", "RECTSTART 20,15"])
def test_a_bad_size_leaves_the_game_as_it_was(table: Table, line: str) -> None:
    table.ask("BEGIN")
    assert re.fullmatch("ERROR .*20.*", table.ask(line))
    assert table.engine.size == 15
    assert table.ask("TURN 7,7").startswith("ERROR")


@pytest.mark.parametrize(
    "lines",
    [
        ["BEGIN"],
        ["TURN 7,7"],
        ["BOARD", "DONE"],
        ["YXBOARD", "DONE"],
        ["SWAP2BOARD", "DONE"],
        ["RESTART"],
        ["TAKEBACK 7,7"],
        ["YXNBEST 2"],
        ["YXSHOWFORBID"],
        ["PLAY 7,7"],
    ],
)
def test_before_a_start_there_is_no_game(lines: list[str]) -> None:
    assert Table().ask(*lines).startswith("ERROR ")


def test_about_needs_no_start() -> None:
    assert Table().send("ABOUT") == [ABOUT]
    assert re.fullmatch(r'name="Tengen", version="[^"]+", author="Tengen developers"', ABOUT)


def test_start_and_restart_and_begin_empty_the_board(table: Table) -> None:
    for again in ("START 15", "RESTART"):
        table.ask("TURN 7,7")
        assert table.ask(again) == "OK"
        assert table.ask("TURN 7,7") == "6,6"
    assert table.ask("BEGIN") == "7,7"
    assert table.stones() == ({(7, 7)}, set())


def test_unknown_words() -> None:
    table = Table()
    assert table.send("FOO 1,2", "YXSHOWINFO", "DONE", "7,7") == [
        "UNKNOWN FOO",
        "UNKNOWN YXSHOWINFO",
        "UNKNOWN DONE",
        "UNKNOWN 7,7",
    ]
    assert table.send("PROBOARD", "7,7", "BEGIN", "DONE") == ["UNKNOWN PROBOARD"]
    assert table.send("YXQUERYDATABASEALL", "7,7", "DONE") == ["UNKNOWN YXQUERYDATABASEALL"]


def test_nothing_is_said_when_idle(table: Table) -> None:
    assert table.send("STOP", "YXSTOP", "", "  ", "YXHASHCLEAR", "YXBLOCKRESET") == []
    assert table.engine.calls[-1] == "clear"


# Positions


def test_a_turn_that_cannot_be_changes_nothing(table: Table) -> None:
    table.ask("BEGIN")
    for bad in ("TURN 7,7", "TURN 15,0", "TURN 0,15", "TURN -1,3", "TURN 7", "TURN x"):
        assert table.ask(bad).startswith("ERROR ")
    table.ask("TURN 8,8")
    assert table.stones() == ({(7, 7), (6, 6)}, {(8, 8)})


@pytest.mark.parametrize(
    ("own", "opponent", "color"),
    [(0, 0, "black"), (2, 2, "black"), (2, 3, "white"), (3, 2, "black"), (0, 4, "white")],
)
def test_the_colours_of_a_board(table: Table, own: int, opponent: int, color: str) -> None:
    lines = [f"{i},0,1" for i in range(own)] + [f"{i},5,2" for i in range(opponent)]
    table.ask("BOARD", *lines, "3,9,3", "DONE")
    setup = table.engine.setups[-1]
    assert setup["to_move"] is Color(color)
    other = "white" if color == "black" else "black"
    assert setup[color] == [(i, 0) for i in range(own)]
    assert setup[other] == [(i, 5) for i in range(opponent)]
    assert setup["neutral"] == [(3, 9)]


def test_colours_stay_after_a_board(table: Table) -> None:
    table.ask("BOARD", "1,1,2", "2,2,1", "3,3,2", "DONE")
    table.ask("TURN 9,9")
    assert table.engine.setups[-1]["to_move"] is Color.WHITE


@pytest.mark.parametrize(
    "bad",
    ["7,7", "7,7,0", "7,7,4", "15,0,1", "0,-1,2", "1,1,2", "TURN 7,7", "INFO rule 4", "x", "7;7;1"],
)
def test_a_board_with_a_bad_line_is_dropped_whole(table: Table, bad: str) -> None:
    table.ask("TURN 8,8")
    assert table.ask("BOARD", "1,1,1", bad, "2,2,2", "also bad", "DONE").startswith("ERROR BOARD")
    assert table.stones() == ({(8, 8)}, {(7, 7)})
    assert table.send("YXBOARD", bad, "1,1,2", "1,1,1", "DONE")[0].startswith("ERROR YXBOARD")


def test_yxboard_sets_without_a_word(table: Table) -> None:
    assert table.send("YXBOARD", "1,1,1", "2,2,2", "DONE") == []
    assert table.stones() == ({(1, 1)}, {(2, 2)})


def test_takeback_takes_any_stone(table: Table) -> None:
    table.ask("BOARD", "1,1,1", "2,2,2", "3,3,3", "DONE")
    for square in ("7,7", "1,1", "3,3"):
        assert table.send(f"TAKEBACK {square}") == ["OK"]
    for bad in ("TAKEBACK 1,1", "TAKEBACK 99,99", "TAKEBACK", "TAKEBACK 3"):
        assert table.ask(bad).startswith("ERROR ")
    table.ask("TURN 9,9")
    assert table.engine.setups[-1]["black"] == [(2, 2), (9, 9)]
    assert table.engine.setups[-1]["neutral"] == []


def test_after_taking_all_back_the_other_side_may_begin(table: Table) -> None:
    table.ask("BEGIN")
    assert table.send("TAKEBACK 7,7") == ["OK"]
    assert table.ask("TURN 7,7") == "6,6"
    assert table.engine.setups[-1]["to_move"] is Color.WHITE


def test_play_is_echoed(table: Table) -> None:
    assert table.send("PLAY 3,4") == ["3,4"]
    assert table.ask("PLAY 3,4").startswith("ERROR")
    table.ask("TURN 8,8")
    assert table.engine.setups[-1]["black"] == [(3, 4)]


# Ninuki


@pytest.fixture
def ninuki() -> Table:
    """A session under rule 16."""
    table = Table()
    assert table.send("INFO timeout_turn 0", "INFO rule 16", "START 19") == ["OK"]
    return table


def test_a_turn_captures_and_is_taken_back_with_it(ninuki: Table) -> None:
    ninuki.engine.moves = [(0, 0)]
    ninuki.ask("BOARD", "5,5,2", "6,5,1", "7,5,1", "DONE")
    ninuki.engine.moves = [(1, 0)]
    ninuki.ask("TURN 8,5")
    setup = ninuki.engine.setups[-2]  # the last one asks what 1,0 captures
    assert setup["captures"] == (0, 1)
    assert setup["white"] == [(5, 5), (8, 5)]
    assert setup["black"] == [(0, 0)]
    assert ninuki.ask("TAKEBACK 8,5").startswith("ERROR ")
    assert ninuki.ask("TAKEBACK 5,5").startswith("ERROR ")
    assert ninuki.send("TAKEBACK 1,0", "TAKEBACK 8,5", "TAKEBACK 0,0") == ["OK"] * 3
    assert ninuki.ask("TAKEBACK 7,5").startswith("ERROR ")
    ninuki.ask("TURN 9,9")
    setup = ninuki.engine.setups[-2]
    assert setup["captures"] == (0, 0)
    assert setup["black"] == [(6, 5), (7, 5)]
    assert setup["white"] == [(5, 5), (9, 9)]


def test_the_brain_captures_too(ninuki: Table) -> None:
    ninuki.engine.moves = [(8, 5)]
    ninuki.ask("BOARD", "5,5,1", "6,5,2", "7,5,2", "DONE")
    ninuki.ask("TURN 9,9")
    setup = ninuki.engine.setups[-2]
    assert setup["captures"] == (0, 1)
    assert setup["white"] == [(5, 5), (8, 5)]
    assert setup["black"] == [(9, 9)]


def test_captures_hold_for_the_next_board(ninuki: Table) -> None:
    ninuki.send("INFO captures 3,1", "YXBOARD", "1,1,1", "2,2,2", "DONE")
    assert ninuki.ask("YXNBEST 1")
    assert ninuki.engine.setups[-1]["captures"] == (3, 1)
    ninuki.send("YXBOARD", "1,1,1", "2,2,2", "3,3,2", "DONE")
    assert ninuki.ask("YXNBEST 1")
    assert ninuki.engine.setups[-1]["captures"] == (0, 0)


def test_captures_are_by_side_not_by_colour(ninuki: Table) -> None:
    ninuki.send("INFO captures 3,1", "YXBOARD", "1,1,2", "DONE")
    ninuki.ask("YXNBEST 1")
    assert ninuki.engine.setups[-1]["captures"] == (1, 3)


def test_captures_survive_a_bad_board(ninuki: Table) -> None:
    ninuki.send("INFO captures 2,0", "BOARD", "x", "DONE", "YXBOARD", "DONE")
    ninuki.ask("YXNBEST 1")
    assert ninuki.engine.setups[-1]["captures"] == (2, 0)


@pytest.mark.parametrize("clearing", ["START 19", "RESTART", "BEGIN"])
def test_a_new_game_forgets_captures(ninuki: Table, clearing: str) -> None:
    ninuki.send("INFO captures 3,1", clearing, "YXBOARD", "DONE")
    ninuki.ask("YXNBEST 1")
    assert ninuki.engine.setups[-1]["captures"] == (0, 0)


def test_captures_are_forgotten_with_their_rule(ninuki: Table) -> None:
    ninuki.engine.moves = [(8, 5)]
    ninuki.ask("BOARD", "5,5,1", "6,5,2", "7,5,2", "DONE")
    ninuki.ask("INFO rule 1", "TURN 9,9")
    assert ninuki.engine.setups[-1]["captures"] == (0, 0)
    ninuki.ask("INFO rule 16", "TURN 9,10")
    assert ninuki.engine.setups[-2]["captures"] == (0, 1)


@pytest.mark.parametrize(
    ("own", "opponent", "told"), [(99, 0, (12, 0)), (5, 7, (5, 4)), (4, 50, (4, 12))]
)
def test_pairs_that_no_game_has(
    ninuki: Table, own: int, opponent: int, told: tuple[int, int]
) -> None:
    ninuki.send(f"INFO captures {own},{opponent}", "YXBOARD", "DONE")
    ninuki.ask("YXNBEST 1")
    assert ninuki.engine.setups[-1]["captures"] == told


def test_captures_count_under_no_other_rule(table: Table) -> None:
    table.send("INFO captures 3,1", "YXBOARD", "DONE")
    table.ask("YXNBEST 1")
    assert table.engine.setups[-1]["captures"] == (0, 0)


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
    assert table.send("INFO rule 36") == []
    assert table.send("ABOUT") == [ABOUT]
    assert table.send("BEGIN") == ["MESSAGE RULE 36 IS NOT KNOWN, PLAYING RENJU", "7,7"]
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
    assert table.send(*lines, "INFO prune.nonsense 1", "INFO prune.lmr 5") == []
    assert table.engine.calls == ["threads 3", "threads 4", "prune.lmr 0", "prune.nmp 1"]


def test_limits_reach_the_search(table: Table) -> None:
    table.send("INFO timeout_turn 1000", "INFO max_depth 6", "INFO max_node 777", "BEGIN")
    limits = table.engine.limits[-1]
    assert (limits.depth, limits.nodes, limits.lines) == (6, 777, 1)
    assert limits.time_ms is not None and 900 < limits.time_ms <= 970
    table.send("INFO timeout_turn 0", "INFO max_depth 0", "INFO max_node -1", "TURN 0,0")
    assert table.engine.limits[-1].time_ms == 0
    assert (table.engine.limits[-1].depth, table.engine.limits[-1].nodes) == (None, None)


def test_a_level_bounds_the_search(table: Table) -> None:
    table.send("INFO level 3", "BEGIN")
    assert table.engine.limits[-1].depth == 2
    table.send("INFO level 10", "TURN 0,0")
    assert table.engine.limits[-1].depth is None


def test_the_start_is_charged_to_the_first_move_only() -> None:
    table = Table(host=Host(resident=lambda: 0, startup_ms=400))
    table.send("INFO timeout_turn 1000", "START 15", "BEGIN", "TURN 0,0")
    first, second = (limits.time_ms for limits in table.engine.limits)
    assert first is not None and 480 < first <= 570
    assert second is not None and 900 < second <= 970
    table = Table(host=Host(resident=lambda: 0, startup_ms=4000))
    table.send("INFO timeout_turn 1000", "START 15", "BEGIN")
    assert table.engine.limits[-1].time_ms == 0


def test_time_is_counted_down_when_nobody_tells() -> None:
    table = Table(FakeEngine(think_s=0.2))
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
    assert table.ask("BEGIN") == "2,2"
    assert table.engine.tables[-1] == SMALLEST_TABLE / MIB


def test_with_nothing_but_barred_squares_one_is_taken() -> None:
    table = Table()
    table.send("INFO timeout_turn 0", "INFO rule 4", "START 5")
    lines = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)]
    table.engine.barred = {(4, 4)}
    assert table.ask("BOARD", *lines[:-1], "DONE") == "4,4"


def test_a_full_board_is_an_error() -> None:
    table = Table()
    table.send("INFO timeout_turn 0", "START 5")
    lines = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)]
    assert table.send("BOARD", *lines, "DONE") == ["ERROR board is full"]
    assert table.send("YXNBEST 2") == ["ERROR board is full"]
    assert table.ask("BOARD", *lines[:-1], "DONE") == "4,4"
    assert table.ask("TURN 0,0").startswith("ERROR")


def test_a_legal_square_is_taken_before_a_barred_one(table: Table) -> None:
    table.engine.barred = {(7, 7), (6, 6)}
    table.engine.moves = [NoMoveError("none")]
    assert table.ask("BEGIN") == "6,7"


class Broken(FakeEngine):
    """Fails wherever it is asked."""

    def _fail(self, *_: object, **__: object) -> None:
        raise ZeroDivisionError

    forbidden = legal = set_position = place = progress = _fail  # type: ignore[assignment]


def test_an_engine_that_fails_everywhere_still_gives_moves() -> None:
    table = Table(Broken(moves=[RuntimeError()]))
    table.send("INFO timeout_turn 0", "INFO rule 16", "START 15")
    assert table.send("BEGIN") == ["7,7"]
    assert table.send("TURN 0,0") == ["6,6"], "beside a stone"
    assert table.send("YXSHOWFORBID") == ["FORBID ."]


def test_our_own_mistakes_do_not_lose_the_game(
    table: Table, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("protocol.thinking.Thinker.think", fail)
    monkeypatch.setattr("protocol.position.Position.remove", fail)
    assert table.send("BEGIN") == ["7,7"]
    assert table.send("TURN 14,14") == ["6,6"]
    assert table.send("YXNBEST 2", "SWAP2BOARD", "7,7", "8,8", "9,9", "DONE") == [
        "6,7",
        "ERROR internal error",
    ]
    assert table.send("TAKEBACK 7,7", "ABOUT") == ["ERROR internal error", ABOUT]
    assert "ZeroDivisionError" in capfd.readouterr().err


# The other commands


def test_forbidden_squares_are_told_of_black(table: Table) -> None:
    table.engine.barred = {(3, 11), (10, 4)}
    assert table.send("YXSHOWFORBID") == ["FORBID 03111004."]
    table.send("YXBOARD", "1,1,2", "DONE")
    assert table.send("YXSHOWFORBID") == ["FORBID ."]
    table.engine.barred = set()
    table.send("YXBOARD", "DONE")
    assert table.send("YXSHOWFORBID") == ["FORBID ."]


def test_best_lines_are_told_and_the_position_stays(table: Table) -> None:
    table.send("YXBOARD", "1,1,1", "2,2,2", "DONE")
    *told, answer = table.send("YXNBEST 2")
    assert answer == "7,7"
    assert [line.split(" SCORE")[0] for line in told] == [
        f"MESSAGE LINE {line} DEPTH {depth}-{depth + 1}" for depth in (1, 2, 3) for line in (1, 2)
    ]
    assert table.engine.limits[-1].lines == 2
    assert table.stones() == ({(1, 1)}, {(2, 2)})
    assert table.ask("YXNBEST 1000") == "7,7"
    assert table.engine.limits[-1].lines == 15 * 15 - 2


def test_blocked_squares_are_not_played(table: Table) -> None:
    assert table.send("YXBLOCK", "7,7", "6,6", "DONE") == []
    assert table.ask("BEGIN") == "6,7"
    assert table.send("YXBLOCKUNDO", "6,6", "0,0", "DONE") == []
    assert table.ask("BEGIN") == "6,6"
    assert table.send("YXBLOCKRESET") == []
    assert table.ask("BEGIN") == "7,7"
    assert table.ask("YXBLOCK", "15,15", "DONE").startswith("ERROR YXBLOCK")
    table.send("YXBLOCK", "7,7", "DONE", "START 15")
    assert table.ask("BEGIN") == "7,7"


def test_with_all_squares_blocked_one_is_played(table: Table) -> None:
    lines = [f"{x},{y}" for x in range(15) for y in range(15)]
    table.send("YXBLOCK", *lines, "DONE")
    assert table.ask("BEGIN") == "7,7"


# Swap2


def test_swap2_proposes_the_opening_nearest_to_balance() -> None:
    table = Table()
    table.send("INFO timeout_turn 100", "START 15")
    table.engine.scores = [50, -40, 30, -2, 9, 80, 70, 60, -50, 2]
    assert table.ask("SWAP2BOARD", "DONE") == " ".join(f"{x},{y}" for x, y in openings(15)[3])
    assert len(table.engine.limits) == len(openings(15))
    for limits in table.engine.limits:
        assert limits.time_ms is not None and limits.time_ms <= 7


def test_swap2_without_time_proposes_without_search(table: Table) -> None:
    assert re.fullmatch(r"\d+,\d+ \d+,\d+ \d+,\d+", table.ask("SWAP2BOARD", "DONE"))
    assert table.engine.limits == []


@pytest.mark.parametrize("size", range(5, 23))
def test_openings_fit_the_board(size: int) -> None:
    for opening in openings(size):
        assert len(set(opening)) == 3
        assert all(0 <= x < size and 0 <= y < size for x, y in opening)


@pytest.mark.parametrize("stones", [3, 5])
def test_swap2_takes_the_better_side(table: Table, stones: int) -> None:
    lines = ["7,7", "8,8", "3,9", "4,4", "2,6"][:stones]
    table.engine.scores = [25, -25]
    table.engine.moves = [(6, 6), (6, 6)]
    assert table.send("SWAP2BOARD", *lines, "DONE") == ["6,6"]
    assert table.engine.setups[-1]["to_move"] is Color.WHITE
    assert len(table.engine.setups[-1]["black"]) == (stones + 1) // 2  # type: ignore[arg-type]
    assert table.send("SWAP2BOARD", *lines, "DONE") == ["SWAP"]


@pytest.mark.parametrize(
    "lines", [["7,7"], ["7,7,1", "8,8,2", "9,9,1"], ["7,7", "7,7", "8,8"], ["1,1", "2,2", "15,3"]]
)
def test_swap2_with_bad_stones(table: Table, lines: list[str]) -> None:
    assert table.ask("SWAP2BOARD", *lines, "DONE").startswith("ERROR SWAP2BOARD")
    assert table.ask("BEGIN") == "7,7"


# While thinking


def later(seconds: float, call: "object") -> threading.Timer:
    timer = threading.Timer(seconds, call)  # type: ignore[arg-type]
    timer.start()
    return timer


def test_a_stop_ends_the_search_at_once() -> None:
    table = Table(FakeEngine(think_s=5))
    table.send("INFO timeout_turn 10000", "START 15")
    later(0.05, lambda: table.interrupt.stop(3))
    began = time.monotonic()
    assert table.ask("BEGIN") == "7,7"
    assert time.monotonic() - began < 0.5


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
    said = table.send("BEGIN")
    assert said[-1] == "7,7"
    assert all(re.fullmatch(r"MESSAGE DEPTH \d+-\d+ SCORE .*", line) for line in said[:-1])
    depths = [line.split()[2] for line in said[:-1]]
    assert len(set(depths)) == len(depths)
    assert 10 <= len(depths) <= 25, "1.2 s at 20 a second"
    assert depths[-1] == "200-201"
    assert all(len(line) < 500 for line in said)


def test_many_lines_are_told_no_more_often() -> None:
    table = Table(FakeEngine(think_s=0.8, depths=100))
    table.send("INFO timeout_turn 10000", "START 15")
    told = table.send("YXNBEST 4")[:-1]
    assert 10 <= len(told) <= 20
    assert [line.split()[2] for line in told[-4:]] == ["1", "2", "3", "4"]
    assert all(" DEPTH 100-101 " in line for line in told[-4:]), "the last word is kept"


class Slow(FakeEngine):
    """Takes its time to tell how far it is."""

    def progress(self, after: int = 0) -> list[Line]:
        lines = super().progress(after)
        time.sleep(0.1)
        return lines


def test_not_a_word_comes_after_the_answer() -> None:
    table = Table(Slow(think_s=0.12, depths=10))
    table.send("INFO timeout_turn 10000", "START 15", "BEGIN")
    time.sleep(0.2)
    assert table.said[-1] == "7,7"


def test_a_move_at_once_is_made_without_a_word(table: Table) -> None:
    assert table.send("BEGIN") == ["7,7"]


def test_pondering_ends_with_the_next_line() -> None:
    table = Table(FakeEngine(think_s=0.05))
    table.send("INFO timeout_turn 100", "INFO ponder 1", "START 15")
    table.engine.think_s = 30
    later(0.3, lambda: table.interrupt.seen(5))
    began = time.monotonic()
    assert table.ask("BEGIN") == "7,7"
    assert 0.25 < time.monotonic() - began < 2
    ponder = table.engine.limits[-1]
    assert (ponder.time_ms, ponder.depth, ponder.nodes) == (None, None, None)
    assert table.engine.setups[-1]["to_move"] is Color.WHITE
    assert table.said[-1] == "7,7", "not a word after the answer"


def test_nothing_runs_between_moves(table: Table) -> None:
    table.ask("BEGIN")
    table.send("INFO ponder 1", "INFO ponder 0")
    table.ask("TURN 0,0")
    assert len(table.engine.limits) == 2


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
    assert rows["score"] == "score 0"
    assert rows["depth"] == "depth 3 seldepth 4"
    assert rows["nodes"].startswith("nodes 1000 search 0 ms nps ")
    assert rows["table"] == "table 1.2 %"
    assert rows["time"].startswith("time ")


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
