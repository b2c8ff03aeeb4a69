"""Swap2 in the session."""

import re

import pytest

from protocol.swap2 import openings
from pyengine import Color
from tests.protocol.table import Table


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
