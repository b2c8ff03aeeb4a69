"""Swap2 in the session."""

import re
import time
from collections.abc import Sequence

import pytest

from protocol.swap2 import openings
from pyengine import Color, Limits, SearchResult
from tests.support.brains import ALL_PLAYERS
from tests.support.fake_engine import FakeEngine
from tests.support.protocol_runner import Brain
from tests.support.stopwatch import Stopwatch, undisturbed
from tests.support.table import Table

STONES = ["7,7", "8,8", "3,9", "4,4", "2,6"]
LIMITS = [30, 50, 75, 100, 200, 500, 2000]


def test_swap2_proposes_the_opening_nearest_to_balance() -> None:
    table = Table()
    table.send("INFO timeout_turn 100", "START 15")
    table.engine.scores = [50, -40, 30, -2, 9, 80, 70, 60, -50, 2]
    assert table.ask("SWAP2BOARD", "DONE") == " ".join(f"{x},{y}" for x, y in openings(15)[3])
    assert len(table.engine.limits) == len(openings(15))


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
    lines = STONES[:stones]
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


class Late(FakeEngine):
    """Each search takes all of its time and a little more, as on a busy machine."""

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        result = super().search(limits, armed=armed)
        time.sleep(0.006)
        return result


@pytest.mark.parametrize("stones", [0, 3, 5])
@pytest.mark.parametrize("turn_ms", LIMITS)
def test_all_searches_of_an_answer_share_one_deadline(turn_ms: int, stones: int) -> None:
    def answer_ms() -> float:
        table = Table(Late(think_s=10))
        table.send(f"INFO timeout_turn {turn_ms}", "START 15")
        watch = Stopwatch()
        table.ask("SWAP2BOARD", *STONES[:stones], "DONE")
        took = watch.own_s * 1000
        assert stones or turn_ms < 50 or len(table.engine.limits) > 1
        return took

    assert undisturbed(answer_ms, lambda ms: ms < turn_ms) < turn_ms


def test_a_long_turn_is_not_used_up_for_an_opening() -> None:
    """Two seconds an opening are enough: with a turn of 60 s the ten take no more than 20."""
    table = Table()
    table.send("INFO timeout_turn 60000", "START 15")
    table.ask("SWAP2BOARD", "DONE")
    assert all((limits.time_ms or 0) <= 2000 for limits in table.engine.limits)


class Short(FakeEngine):
    """Notices late that there is no memory for the table."""

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        if not self.limits:
            super().search(limits, armed=armed)
            raise MemoryError
        return super().search(limits, armed=armed)


def test_a_second_try_gets_what_the_first_has_left() -> None:
    table = Table(Short(think_s=0.3))
    table.send("INFO timeout_turn 1000", "START 15")
    table.ask("BEGIN")
    first, second = (limits.time_ms for limits in table.engine.limits)
    assert first and second and first - second >= 299


@ALL_PLAYERS
@pytest.mark.parametrize("turn_ms", LIMITS)
def test_the_brain_is_in_time(command: Sequence[str], turn_ms: int) -> None:
    """As the first request of the process, and again in the same one."""

    def latest_ms() -> float:
        with Brain(command) as brain:
            brain.ask("START 15")
            brain.send(f"INFO timeout_turn {turn_ms}", "INFO timeout_match 100000")
            took = []
            for count in (0, 3, 5):
                watch = Stopwatch()
                brain.ask("SWAP2BOARD", *STONES[:count], "DONE")
                took.append(watch.own_s * 1000)
            return max(took)

    assert undisturbed(latest_ms, lambda ms: ms < turn_ms) < turn_ms
