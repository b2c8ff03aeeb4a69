"""Changed lines of a store are either valid games or errors."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.game.formats import to_psq, to_sgf
from arena.game.record import EndReason, GameRecord, MoveRecord, PlayerRecord
from arena.page import Report, render_page
from arena.run.store import StoredGame, StoreError, read_store
from arena.stats.standings import table_lines, table_of

RECORD = GameRecord(
    black=PlayerRecord("A", start_ms=1.5, peak_bytes=9, notes=("note",)),
    white=PlayerRecord("B"),
    size=9,
    rule=16,
    turn_ms=1000,
    match_ms=None,
    memory_mib=0,
    tolerance_ms=0,
    opening=((4, 4), (5, 4)),
    moves=(MoveRecord(6, 4, "black", 1.5, 9.0, depth=3, nodes=7, score="+1"),),
    winner="black",
    reason=EndReason.CRASH,
    detail="white forfeits",
    lines=("> TURN 1,1", "< 2,2"),
)
LINE = StoredGame("00000a", 0, RECORD).to_json()
ODD: st.SearchStrategy[object] = st.sampled_from(
    [None, True, -1, 0, 99, 10**400, 1.5, float("nan"), float("inf"), "", "x", [], [[]], {}, [1, 2]]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Returns the path of each value within a JSON value."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    return [path, *(found for key in keys for found in places(value[key], (*path, key)))]


PLACES = places(json.loads(LINE))


def changed(path: tuple[Any, ...], value: object) -> str:
    """Returns the line with another value at a place."""
    whole = json.loads(LINE)
    if not path:
        return json.dumps(value)
    within = whole
    for key in path[:-1]:
        within = within[key]
    within[path[-1]] = value
    return json.dumps(whole)


@settings(max_examples=400)
@given(st.sampled_from(PLACES), ODD)
@example(("record", "moves", 0, "ms"), float("inf"))
@example(("record", "moves", 0, "nodes"), 10**400)
@example(("record", "winner"), [])
def test_a_changed_line_is_a_game_or_none(path: tuple[Any, ...], value: object) -> None:
    try:
        game = StoredGame.from_json(changed(path, value))
    except ValueError:
        return
    record = game.record
    to_psq(record)
    to_sgf(record)
    table = table_of(["A", "B"], [record], count_forfeits=True)
    assert table_lines(table) and record.summary()
    assert "<html" in render_page(Report("x", table, (record,)))


def test_the_line_itself_is_a_game() -> None:
    assert StoredGame.from_json(LINE).record == RECORD


def test_an_opening_that_cannot_be_played_makes_no_game() -> None:
    with pytest.raises(ValueError, match="occupied"):
        StoredGame.from_json(changed(("record", "opening", 1), [4, 4]))


@pytest.mark.parametrize("line", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, '"\ud800"', "{}"])
def test_a_line_that_is_none_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(f"{LINE}\n{line}\n{LINE}\n".encode("utf-8", "surrogatepass"))
    with pytest.raises(StoreError, match=r"games\.jsonl, line 2: not a game"):
        read_store(path)
