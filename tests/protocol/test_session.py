"""Games and positions, with a scripted engine behind them: what goes in, what comes out."""

import re

import pytest

from protocol.replies import ABOUT
from pyengine import Color
from tests.support.table import CLOCKS, Table


class Held(Table):
    """A session that is suspended as soon as it has answered; its clock runs on."""

    seconds = 0.0

    def say(self, line: str) -> None:
        super().say(line)
        if not line.startswith("MESSAGE "):
            self.seconds += 100


def test_the_time_after_an_answer_is_the_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Held()
    for module in CLOCKS:
        monkeypatch.setattr(f"{module}.now", lambda: table.seconds)
    table.send("INFO timeout_match 50000", "START 15", "BEGIN", "YXNBEST 1", "TURN 8,8")
    first, _, last = (limits.time_ms for limits in table.engine.limits)
    assert first and last and last > first / 2


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
        "last": (8, 8),
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


def test_what_needs_no_game_says_nothing() -> None:
    assert Table().send("STOP", "YXHASHCLEAR", "YXBLOCKRESET", "INFO rule 1") == []


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
    assert table.send("FOO 1,2", "YXDRAW", "DONE", "7,7") == [
        "UNKNOWN FOO",
        "UNKNOWN YXDRAW",
        "UNKNOWN DONE",
        "UNKNOWN 7,7",
    ]
    assert table.send("PROBOARD", "7,7", "BEGIN", "DONE") == ["UNKNOWN PROBOARD"]
    assert table.send("YXQUERYDATABASEALL", "7,7", "DONE") == [
        "MESSAGE DATABASE REFRESH",
        "MESSAGE DATABASE DONE",
    ]


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
    setup = ninuki.engine.setups[-1]
    assert setup["captures"] == (0, 1)
    assert setup["white"] == [(5, 5), (8, 5)]
    assert setup["black"] == [(0, 0)]
    assert ninuki.ask("TAKEBACK 8,5").startswith("ERROR ")
    assert ninuki.ask("TAKEBACK 5,5").startswith("ERROR ")
    assert ninuki.send("TAKEBACK 1,0", "TAKEBACK 8,5", "TAKEBACK 0,0") == ["OK"] * 3
    assert ninuki.ask("TAKEBACK 7,5").startswith("ERROR ")
    ninuki.ask("TURN 9,9")
    setup = ninuki.engine.setups[-1]
    assert setup["captures"] == (0, 0)
    assert setup["black"] == [(6, 5), (7, 5)]
    assert setup["white"] == [(5, 5), (9, 9)]


def test_the_brain_captures_too(ninuki: Table) -> None:
    ninuki.engine.moves = [(8, 5)]
    ninuki.ask("BOARD", "5,5,1", "6,5,2", "7,5,2", "DONE")
    ninuki.ask("TURN 9,9")
    setup = ninuki.engine.setups[-1]
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
    assert ninuki.engine.setups[-1]["captures"] == (0, 1)


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


# The other commands


def test_forbidden_squares_are_told_of_black(table: Table) -> None:
    table.engine.forbidden_squares = {(3, 11), (10, 4)}
    assert table.send("YXSHOWFORBID") == ["FORBID 03111004."]
    table.send("YXBOARD", "1,1,2", "DONE")
    assert table.send("YXSHOWFORBID") == ["FORBID ."]
    table.engine.forbidden_squares = set()
    table.send("YXBOARD", "DONE")
    assert table.send("YXSHOWFORBID") == ["FORBID ."]


def test_best_lines_are_told_and_the_position_stays(table: Table) -> None:
    table.send("YXBOARD", "1,1,1", "2,2,2", "DONE")
    *told, answer = table.send("YXNBEST 2")
    assert answer == "7,7"
    assert [line.split(" ev ")[0] for line in told[1::2]] == [
        f"MESSAGE depth {depth}-{depth + 1} multipv {line}"
        for depth in (1, 2, 3)
        for line in (1, 2)
    ]
    assert table.engine.limits[-1].lines == 2
    assert table.stones() == ({(1, 1)}, {(2, 2)})
    assert table.ask("YXNBEST 1000") == "7,7"
    assert table.engine.limits[-1].lines == 15 * 15 - 2


def test_after_a_takeback_its_owner_is_to_move(table: Table) -> None:
    table.ask("BOARD", "1,1,2", "DONE")
    table.ask("YXNBEST 1")
    table.ask("TAKEBACK 7,7")
    table.ask("YXNBEST 1")
    to_move = [setup["to_move"] for setup in table.engine.setups]
    assert to_move == [Color.WHITE, Color.BLACK, Color.WHITE]


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
