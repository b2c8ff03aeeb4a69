"""Matches of training/screen.py: a screen with one factor."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena.stats.sprt import Pentanomial, Sprt
from pyengine import Rule
from tests.support.screens import SCREEN, defaults, screen
from tests.support.search_sides import Side
from training.pairs import Pair, decide, match_counts

MATCH = f"""\
{SCREEN[: SCREEN.index("[fixed]")]}
[factors.all]
rfp_step = [27, 35]
move_count_base = [5, 2]
"""


def points_of(screen: Any, number: int) -> int:
    """The alternative wins all pairs on the second board, every third of the others."""
    drawn = screen.draw(number)
    gain = 2 if drawn.board == 1 or number % 3 == 0 else 0
    return gain if drawn.signs == "+" else -gain


def test_a_match_shows_its_boards_and_its_test(screener: dict[str, Any]) -> None:
    screen = screener["Screen"](tomllib.loads(MATCH))
    drawn = [screen.draw(number) for number in range(1, 31)]
    pairs = {n: Pair(drawn[n - 1].signs, points_of(screen, n)) for n in range(1, 31)}
    won = sum(pair.points != 0 for pair in pairs.values())
    second = sum(draw.board for draw in drawn)
    counts = Pentanomial(0, 0, 30 - won, 0, won)
    state = Sprt(0, 15).state(counts)
    assert screen.report(pairs, Sprt(0, 15)).splitlines() == [
        "30 pairs",
        f"{'all':30}    30 {counts!s:>22}  {counts.elo()} Elo",
        f"{'freestyle_15, 15x15':30} {30 - second:5} {f'[0 0 {30 - won} 0 {won - second}]':>22}  "
        f"{Pentanomial(0, 0, 30 - won, 0, won - second).elo()} Elo",
        f"{'renju_15, 15x15':30} {second:5} {f'[0 0 0 0 {second}]':>22}  every game won Elo",
        f"SPRT after 30 pairs: {state}",
    ]
    assert "SPRT" not in screen.report(pairs)
    assert "15x15" not in screener["Screen"](tomllib.loads(SCREEN)).report(
        {n: Pair("+++", 1) for n in (1, 2)}
    )


def test_pairs_after_the_result_do_not_change_it(screener: dict[str, Any]) -> None:
    """Another worker may still play when the test has a result."""
    screen = screener["Screen"](tomllib.loads(MATCH))
    numbers = range(1, 500)
    pairs = {n: Pair(screen.draw(n).signs, points_of(screen, n)) for n in numbers}
    first = decide(Sprt(0, 15), pairs.values())
    assert str(first.state).endswith("H1 accepted") and 2 < first.pairs < 400
    until = {n: pairs[n] for n in range(1, first.pairs + 1)}
    lost = [Pair("+", -2)] * 40
    later = decide(Sprt(0, 15), [*until.values(), *lost])
    assert later == first
    assert "H1" not in str(Sprt(0, 15).state(match_counts([*until.values(), *lost])))


@pytest.mark.parametrize("sign", [1, -1])
def test_the_test_ends_a_match(
    screener: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sign: int
) -> None:
    """And a run that continues the decided match plays nothing."""
    screen = screener["Screen"](tomllib.loads(MATCH))

    def play(_: object, __: object, number: int) -> Any:
        return Pair(screen.draw(number).signs, sign * points_of(screen, number))

    monkeypatch.setitem(screener["play"].__globals__, "play", play)
    run = screener["Run"](screen, tmp_path / "screen.jsonl", Sprt(0, 15))
    assert run.play(5000, 1)
    decided = "H1" if sign > 0 else "H0"
    assert decided in screen.report(run.pairs, Sprt(0, 15))
    before = dict(run.pairs)
    before.pop(len(before))
    assert "goes on" in screen.report(before, Sprt(0, 15))
    run.journal._file.close()
    again = screener["Run"](screen, tmp_path / "screen.jsonl", Sprt(0, 15))
    assert again.play(5000, 1) and again.pairs == run.pairs
    again.journal._file.close()
    longer = screener["Run"](screen, tmp_path / "screen.jsonl")
    assert longer.play(len(run.pairs) + 7, 1) and len(longer.pairs) == len(run.pairs) + 7


def test_the_nodes_of_the_pairs_vary(
    screener: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tomllib.loads(MATCH)
    same, varied = (screener["Screen"]({**config, "spread": spread}) for spread in (0, 20))
    numbers = range(1, 201)
    assert {same.draw(n).nodes for n in numbers} == {300}
    nodes = [varied.draw(n).nodes for n in numbers]
    assert 240 <= min(nodes) < 250 and 350 < max(nodes) <= 360 and len(set(nodes)) > 80
    assert [same.draw(n)[:3] for n in numbers] == [varied.draw(n)[:3] for n in numbers]
    played = []
    monkeypatch.setitem(
        screener["play"].__globals__, "play_pair", lambda *of: played.append(of[-1])
    )
    screener["play"](varied, (Side(1), Side(1)), 7)
    assert played == [varied.draw(7).nodes]
    tiny = screener["Screen"]({**config, "nodes": 1, "spread": 99})
    assert {tiny.draw(n).nodes for n in numbers} == {1}


@pytest.mark.parametrize(
    ("config", "bounds", "code", "said"),
    [
        (SCREEN, (0, 15), 1, "--sprt: a test needs one factor, not 3"),
        (MATCH, (15, 0), 2, "--sprt: elo0, elo1: 15 is not less than 0"),
        (MATCH, (0, "x"), 2, "invalid float value: 'x'"),
    ],
)
def test_a_wrong_test_is_refused(
    root: Path, tmp_path: Path, config: str, bounds: tuple[object, object], code: int, said: str
) -> None:
    done = screen(root, tmp_path, config, "--sprt", *bounds)
    assert done.returncode == code and said in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "screen.jsonl").exists()


def test_the_match_tries_the_search_of_freestyle(root: Path, screener: dict[str, Any]) -> None:
    screen = screener["Screen"](tomllib.loads((root / "training" / "match.toml").read_text()))
    (group,) = screen.factors
    freestyle, other = defaults(Rule.FREESTYLE), defaults(screen.boards[0].rule)
    differ = {name for name, value in freestyle.items() if value != other[name]}
    assert group.alternative == {name: freestyle[name] for name in differ}
