"""YXBALANCEONE and YXBALANCETWO: the moves after which a position is as even as can be."""

import re
from dataclasses import dataclass, field

import pytest

from pyengine import Color, Engine, Limits, Outcome, Rule, SearchResult, Square, Stage, Status
from tests.support.fake_engine import FakeEngine
from tests.support.protocol_runner import MODULE, Brain
from tests.support.stopwatch import Stopwatch
from tests.support.table import Table, later


@dataclass
class Weighing(FakeEngine):
    """Scores a position by the worth of its squares, for the side to move.

    mates: squares after which the game is decided. ends: squares that end it.
    """

    mates: set[Square] = field(default_factory=set)
    ends: set[Square] = field(default_factory=set)

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        self.limits.append(limits)
        self.setups.append(self.position())
        own = self.to_move.value
        score = sum(x * (1 if who == own else -1) for (x, _), who in self.stones.items())
        decided = bool(self.mates & set(self.stones))
        self._lines = []
        move = self._first_free(limits)
        if isinstance(move, Exception):
            raise move
        return SearchResult(
            move, score, 5, 6, 100, 1, [move], Stage.SEARCH, 7 if decided else None, 0
        )

    def place(self, m: Square) -> Outcome:
        outcome = super().place(m)
        if m in self.ends:
            return Outcome(outcome.captured, Status.WIN, self.to_move.other, None)
        return outcome


def weighing(**values: set[Square]) -> Table:
    table = Table(Weighing(**values))  # type: ignore[arg-type]
    table.send("START 7", "YXBOARD", "6,6,1", "3,3,2", "DONE")
    return table


def stones_of(answer: str) -> list[Square]:
    pairs = (text.split(",") for text in answer.split())
    return [(int(x), int(y)) for x, y in pairs]


def test_one_move_comes_nearest_to_the_score() -> None:
    # The side to move stands at 6 - 3 and adds the column of its move.
    for target, column in ((3, 0), (5, 2), (100, 6), (-100, 0), (0, 0)):
        *told, answer = weighing().send(f"YXBALANCEONE {target}")
        assert stones_of(answer)[0][0] == column
        assert re.fullmatch(rf"MESSAGE winrate \d+\.\d% depth 6-7 ev {3 + column}", told[0])
        assert f" pv {answer} " in told[1]
        nodes = re.search(r" n (\d+) n/ms", told[1])
        assert nodes and int(nodes[1]) >= 47 * 100, "those of all searches"


def test_two_moves_come_nearest_to_the_score() -> None:
    for target in (-3, 0, 3, 8, 9):
        answer = weighing().ask(f"YXBALANCETWO {target}")
        (own, _), (other, _) = stones_of(answer)
        assert 3 + own - other == target
    (own, _), (other, _) = stones_of(weighing().ask("YXBALANCETWO 100"))
    assert (own, other) == (6, 0)


def test_without_a_score_even_is_zero() -> None:
    assert stones_of(weighing().ask("YXBALANCEONE"))[0][0] == 0
    (own, _), (other, _) = stones_of(weighing().ask("YXBALANCETWO"))
    assert 3 + own - other == 0


def test_decided_games_are_no_balance() -> None:
    column = {(0, y) for y in range(7)}
    assert stones_of(weighing(mates=column).ask("YXBALANCEONE 3"))[0][0] == 1
    assert stones_of(weighing(ends=column).ask("YXBALANCEONE 3"))[0][0] == 1
    assert stones_of(weighing(forbidden_squares=column).ask("YXBALANCEONE 3"))[0][0] == 1
    everywhere = {(x, y) for x in range(7) for y in range(7)}
    for name in ("mates", "ends"):
        table = weighing(**{name: everywhere})
        error = "ERROR YXBALANCEONE: no move leaves the game open"
        assert table.send("YXBALANCEONE") == [error]
        error = "ERROR YXBALANCETWO: no two moves leave the game open"
        assert table.send("YXBALANCETWO") == [error]


def test_blocked_squares_are_not_answered() -> None:
    table = weighing()
    table.send("YXBLOCK", *(f"0,{y}" for y in range(7)), "DONE")
    assert stones_of(table.ask("YXBALANCEONE 3"))[0][0] == 1
    assert all(x > 0 for x, _ in stones_of(table.ask("YXBALANCETWO")))


def test_the_position_stays_as_it_was() -> None:
    table = weighing()
    table.ask("YXBALANCETWO 5")
    table.ask("YXBALANCEONE 5")
    assert table.stones() == ({(6, 6)}, {(3, 3)})
    assert table.engine.to_move is Color.BLACK


def test_a_board_without_room_is_an_error() -> None:
    rows = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)]
    table = Table()
    table.send("START 5", "YXBOARD", *rows[:-1], "DONE")
    assert table.send("YXBALANCETWO") == ["ERROR YXBALANCETWO: the board has only 1 square left"]
    error = "ERROR YXBALANCEONE: no move leaves the game open"
    assert table.send("YXBALANCEONE") == [error], "the last square ends it"
    table.send("YXBOARD", *rows, "DONE")
    assert table.send("YXBALANCEONE") == ["ERROR YXBALANCEONE: the board has only 0 squares left"]


def test_the_search_ends_in_time_and_at_a_stop() -> None:
    table = Table(FakeEngine(think_s=10))
    table.send("START 15", "INFO timeout_turn 300")
    for word in ("YXBALANCEONE", "YXBALANCETWO"):
        watch = Stopwatch()
        table.ask(word)
        assert watch.own_s < 0.6
    table.send("INFO timeout_turn 20000")
    watch = Stopwatch()
    later(0.2, lambda: table.interrupt.stop(6))
    table.ask("YXBALANCETWO")
    assert watch.own_s < 2


def test_an_engine_that_fails_is_an_error_and_no_uneven_move() -> None:
    table = Table(FakeEngine(moves=[RuntimeError("out of luck")] * 1000))
    table.send("START 5", "INFO timeout_turn 200")
    *told, answer = table.send("YXBALANCEONE")
    assert answer == "ERROR YXBALANCEONE: no move leaves the game open"
    assert told == ["MESSAGE SEARCH FAILED: RUNTIMEERROR: OUT OF LUCK"]


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.RENJU, Rule.NINUKI])
def test_two_moves_of_the_real_engine_are_even(rule: Rule) -> None:
    with Brain(MODULE) as brain:
        brain.ask("START 15")
        brain.send(f"INFO rule {rule.value}", "INFO timeout_turn 60000", "INFO max_node 100000")
        brain.send("YXBOARD", "7,7,2", "DONE")
        answer = stones_of(brain.ask("YXBALANCETWO"))
    with Engine(size=15, rule=rule) as engine:
        for square in [(7, 7), *answer]:
            engine.place(square)
        assert abs(engine.search(Limits(nodes=20_000)).score) < 150
