"""Between moves: pondering on the opponent's time, and the pace of a person."""

import time

import pytest

from protocol.settings import Settings
from pyengine import Color, Limits, SearchResult
from tests.support.fake_engine import FakeEngine
from tests.support.stopwatch import Stopwatch
from tests.support.table import Table, later


def test_pondering_ends_with_the_next_line() -> None:
    table = Table(FakeEngine(think_s=0.05))
    table.send("INFO timeout_turn 100", "INFO ponder 1", "START 15")
    table.engine.think_s = 30
    watch = Stopwatch()
    later(0.3, lambda: table.interrupt.seen(5))
    assert table.ask("BEGIN") == "7,7"
    assert watch.wall_s > 0.25 and watch.own_s < 2
    ponder = table.engine.limits[-1]
    assert (ponder.time_ms, ponder.depth, ponder.nodes) == (None, None, None)
    assert table.engine.setups[-1]["to_move"] is Color.WHITE
    assert table.said[-1] == "7,7", "not a word after the answer"


def test_nothing_runs_between_moves(table: Table) -> None:
    table.ask("BEGIN")
    table.send("INFO ponder 1", "INFO ponder 0")
    table.ask("TURN 0,0")
    assert len(table.engine.limits) == 2


def pondering(expects: tuple[int, int] | None, *lines: str, delay_ms: int = 0) -> Table:
    """A game begun at a clock, in which the brain has pondered for half a second."""
    settings = Settings(delay_ms=(delay_ms, delay_ms))
    table = Table(FakeEngine(expects=expects, think_s=0.01), settings=settings)
    table.send("INFO time_left 60000", "INFO ponder 1", *lines, "START 15")
    ponder_s = 0.5

    def search(limits: Limits, *, armed: bool = False) -> SearchResult:
        until = time.thread_time() + (ponder_s if limits.time_ms is None else 0)
        while time.thread_time() < until:
            pass
        return found(limits, armed=armed)

    found, table.engine.search = table.engine.search, search  # type: ignore[method-assign]
    assert table.ask("BEGIN") == "7,7"
    return table


def soft_ms(table: Table, *lines: str) -> int:
    """The share of the time that the next move gets."""
    table.send("INFO ponder 0", "INFO time_left 60000")
    table.ask(*lines)
    share = table.engine.limits[-1].soft_ms
    assert share is not None
    return share


def test_what_was_pondered_is_time_saved() -> None:
    hit, miss = pondering((8, 8)), pondering((8, 8))
    assert hit.engine.setups[-1]["white"] == [(8, 8)]
    assert hit.engine.setups[-1]["to_move"] is Color.BLACK
    saved = soft_ms(miss, "TURN 6,6") - soft_ms(hit, "TURN 8,8")
    assert 400 < saved < 900
    board = pondering((8, 8))
    again = soft_ms(board, "BOARD", "7,7,1", "8,8,2", "DONE")
    assert again < soft_ms(pondering((8, 8)), "TURN 6,6") - 400, "a BOARD may be expected, too"


def test_without_an_expected_answer_all_are_pondered() -> None:
    table = pondering(None)
    assert table.engine.setups[-1]["white"] == []
    assert table.engine.setups[-1]["to_move"] is Color.WHITE
    assert abs(soft_ms(table, "TURN 8,8") - soft_ms(pondering((9, 9)), "TURN 8,8")) < 50


@pytest.mark.parametrize(
    ("info", "stale"),
    [
        ("rule 1", True),
        ("prune.lmr 0", True),
        ("tune.no_such_number 7", True),
        ("level 9", True),
        ("thread_num 2", True),
        ("hash_size 2048", True),
        ("time_left 60000", False),
        ("max_node 900", False),
        ("log", False),
        ("hash_size much", False),
    ],
)
def test_what_was_pondered_under_other_settings_saves_nothing(info: str, stale: bool) -> None:
    saved = soft_ms(pondering(None), "TURN 8,8")  # the answer that comes was not the one expected
    table = pondering((8, 8))
    table.send(f"INFO {info}")
    saved -= soft_ms(table, "TURN 8,8")
    assert abs(saved) < 50 if stale else 400 < saved < 900


def test_a_lower_level_does_not_ponder_nor_does_who_has_won() -> None:
    assert len(pondering((8, 8), "INFO level 9").engine.limits) == 1
    table = Table(FakeEngine(mate=1))
    table.send("INFO timeout_turn 100", "INFO ponder 1", "START 15", "BEGIN")
    assert len(table.engine.limits) == 1
    table.engine.mate = 3
    table.send("TURN 0,0")
    assert len(table.engine.limits) == 3


def test_ninuki_ponders_on_what_the_answer_captures() -> None:
    table = Table(FakeEngine(moves=[(9, 9)], expects=(11, 9)))
    table.send("INFO timeout_turn 100", "INFO rule 16", "INFO ponder 1", "START 19")
    board = ("8,9,2", "10,9,1", "1,1,1", "1,2,2")
    table.ask("BOARD", *board, "DONE")
    assert table.engine.setups[-1]["captures"] in ((0, 1), (1, 0))
    table.send("INFO ponder 0")
    own, opponent = table.stones()
    assert own == {(10, 9), (1, 1), (9, 9)} and opponent == {(8, 9), (1, 2)}, "nothing is played"


# The pace of a person


def paced(delay_ms: int, *lines: str, think_s: float = 0.0) -> Table:
    table = Table(FakeEngine(think_s=think_s), settings=Settings(delay_ms=(delay_ms, delay_ms)))
    table.send(*lines, "START 15")
    return table


def answered_within(table: Table, *lines: str, least_s: float = 0.0, most_s: float) -> bool:
    """Says whether the answer comes no sooner, and of itself no later."""
    return timed(Stopwatch(), table, *lines, least_s=least_s, most_s=most_s)


def timed(watch: Stopwatch, table: Table, *lines: str, least_s: float, most_s: float) -> bool:
    """Does the same, by a watch that runs already."""
    assert table.ask(*lines)
    took_s, own_s = watch.wall_s, watch.own_s
    print(f"{lines}: {took_s:.3f} s, {own_s:.3f} s of it its own")
    return least_s < took_s and own_s < most_s


def test_a_move_comes_no_sooner_than_its_delay() -> None:
    table = paced(300, "INFO timeout_turn 5000")
    assert answered_within(table, "BEGIN", least_s=0.29, most_s=0.6)
    table.engine.think_s = 0.2
    assert answered_within(table, "TURN 0,0", least_s=0.29, most_s=0.4), (
        "its thinking is a part of it"
    )
    table.engine.think_s = 0.5
    assert answered_within(table, "TURN 0,1", least_s=0.5, most_s=0.7)
    swap2 = ("SWAP2BOARD", "7,7", "8,8", "9,9", "DONE")
    assert answered_within(paced(300), *swap2, least_s=0.29, most_s=0.6)


def test_a_delay_may_be_a_range() -> None:
    table = Table()
    table.send("INFO timeout_turn 5000", "INFO delay 100-300", "START 15")
    waits: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table.interrupt, "pause", lambda _, seconds: waits.append(seconds))
        for line in ("BEGIN", *(f"TURN 0,{y}" for y in range(12))):
            table.ask(line)
    assert len(waits) == 13 and len({round(seconds, 2) for seconds in waits}) > 3
    assert all(0.05 < seconds <= 0.3 for seconds in waits)
    table.send("INFO delay 0", "INFO delay soon", "INFO delay 9-5", "INFO delay 60001")
    assert answered_within(table, "TURN 14,0", most_s=0.1)


@pytest.mark.parametrize(
    ("limit", "most_s"),
    [
        ("INFO timeout_turn 200", 0.2),
        ("INFO timeout_turn 0", 0.1),
        ("INFO time_left 0", 0.1),
        ("INFO time_left 3000", 0.3),
    ],
)
def test_a_delay_never_takes_more_than_the_time_there_is(limit: str, most_s: float) -> None:
    assert answered_within(paced(5_000, limit), "BEGIN", most_s=most_s)


def test_an_expected_answer_makes_a_delay_no_shorter() -> None:
    """The time that pondering saves is not spent on waiting."""
    table = pondering((8, 8), delay_ms=400)
    table.send("INFO ponder 0", "INFO time_left 12000")
    assert answered_within(table, "TURN 8,8", least_s=0.39, most_s=0.6)
    assert (table.engine.limits[-1].soft_ms or 400) < 300, "it was expected"


def test_a_stop_cuts_a_delay() -> None:
    table = paced(5_000, "INFO timeout_turn 10000")
    watch = Stopwatch()
    later(0.2, lambda: table.interrupt.stop(3))
    assert timed(watch, table, "BEGIN", least_s=0.15, most_s=1)


def test_other_answers_are_not_delayed() -> None:
    table = paced(5_000, "INFO timeout_turn 5000")
    watch = Stopwatch()
    table.send("ABOUT", "YXNBEST 1", "YXSHOWFORBID", "INFO rule 0", "START 20")
    assert watch.own_s < 1
