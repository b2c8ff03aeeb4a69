"""Ratings against cases solved by hand, and standings with ratings."""

import importlib
import math
import random
from collections.abc import Sequence

import pytest
from scipy import optimize

from arena.game.record import GameRecord
from arena.stats.ratings import ELO_PER_UNIT, Encounter, MissingLibraryError, Rating, rate
from arena.stats.standings import encounters_of, table_lines, table_of

Z = 1.959963984540054

# Odds of 4 : 2 : 1, exactly. The information of a pair is games x p x (1 - p), so it is 2/3 for A-B
# and B-C, and 4/5 for A-C. All variances follow by hand.
EXACT = [
    Encounter("A", "B", wins=2, losses=1),
    Encounter("C", "B", wins=1, losses=2),
    Encounter("A", "C", wins=4, losses=1),
]
DOUBLE = 400 * math.log10(2)


def error_of(variance: float) -> float:
    """Returns half the interval in Elo, from a variance in the model's unit."""
    return Z * ELO_PER_UNIT * math.sqrt(variance)


def check(rating: Rating, elo: float, variance: float) -> None:
    assert rating.elo == pytest.approx(elo, abs=1e-6)
    assert rating.error == pytest.approx(error_of(variance), rel=1e-6)


def test_ratings_solved_by_hand() -> None:
    ratings = rate(["C", "B", "A"], EXACT)
    assert [row.name for row in ratings.rows] == ["A", "B", "C"]
    check(ratings.of("A"), DOUBLE, 31 / 102)
    check(ratings.of("B"), 0, 1 / 3)
    check(ratings.of("C"), -DOUBLE, 31 / 102)
    assert ratings.notes == () and ratings.zero == 0


def test_an_anchor_stays_and_the_errors_are_from_it() -> None:
    ratings = rate(["A", "B", "C"], EXACT, {"A": 1800})
    assert (ratings.of("A").elo, ratings.of("A").error) == (1800, 0)
    assert ratings.of("A").anchored and not ratings.of("B").anchored
    check(ratings.of("B"), 1800 - DOUBLE, 33 / 34)
    check(ratings.of("C"), 1800 - 2 * DOUBLE, 15 / 17)
    assert ratings.zero == 1800


def test_superiority_is_that_of_the_difference() -> None:
    ratings = rate(["A", "B", "C"], EXACT)
    # ln 2 apart with the variance 33/34: the normal law's value, from a table.
    assert ratings.of("A").superior == pytest.approx(0.75915, abs=1e-5)
    assert ratings.of("C").superior is None


def test_a_draw_is_half_a_win_and_half_a_loss() -> None:
    drawn = rate(["A", "B"], [Encounter("A", "B", wins=1, draws=4, losses=1)])
    check(drawn.of("A"), 0, 1 / (6 * 0.25) / 4)
    half = rate(["A", "B"], [Encounter("A", "B", wins=2, draws=2, losses=0)])
    check(half.of("A"), 200 * math.log10(3), 1 / (4 * 0.75 * 0.25) / 4)


def test_a_gauntlet_between_two_anchors_lands_where_the_points_say() -> None:
    anchors = {"low": 1000.0, "high": 1200.0}
    games = [
        Encounter("new", "low", wins=3, losses=1),
        Encounter("high", "new", wins=3, losses=1),
        Encounter("low", "high", wins=99, losses=1),
    ]
    ratings = rate(["low", "high", "new"], games, anchors)
    # In the middle by symmetry, whatever the results between the anchors.
    p = 1 / (1 + 10 ** (-100 / 400))
    check(ratings.of("new"), 1100, 1 / (2 * 4 * p * (1 - p)))
    assert ratings.zero == 1100


def test_one_who_won_everything_gets_a_finite_rating_and_a_note() -> None:
    ratings = rate(["A", "B"], [Encounter("A", "B", wins=10)])
    # With one extra drawn game it is 10.5 : 0.5.
    check(ratings.of("A"), 200 * math.log10(21), 1 / (11 * 10.5 / 11 * 0.5 / 11) / 4)
    assert "one drawn game is added" in ratings.notes[0]
    # Two groups: even inside each, but one won every game between them.
    camps = [Encounter("A", "B", 1, 0, 1), Encounter("C", "D", 1, 0, 1), Encounter("A", "C", 2)]
    assert rate(list("ABCD"), camps).notes


def test_those_without_games_have_no_rating() -> None:
    ratings = rate(["X", "A", "B", "Y"], [Encounter("A", "B", 1, 0, 1), Encounter("X", "Y")])
    assert [row.name for row in ratings.rows] == ["A", "B", "X", "Y"]
    assert [row.elo for row in ratings.rows[2:]] == [None, None]
    assert ratings.notes == ("no games join these to the others, so they have no rating: X, Y",)
    assert all(row.elo is None for row in rate(["A", "B"], []).rows)
    anchored = rate(["A", "B", "C"], [Encounter("A", "B", 1, 0, 1)], {"C": 10})
    assert [row.elo for row in anchored.rows] == [10, None, None]


def test_ratings_maximise_the_likelihood() -> None:
    """A general optimiser finds no better ratings."""
    chance = random.Random(5)
    names = [f"player {i}" for i in range(6)]
    games = [
        Encounter(one, other, *(chance.randrange(1, 9) for _ in range(3)))
        for i, one in enumerate(names)
        for other in names[i + 1 :]
    ]
    anchors = {names[0]: 1500.0}

    def cost(elo: Sequence[float]) -> tuple[float, list[float]]:
        """Returns it and its gradient; a gradient from differences misses by 0.01 Elo."""
        of = dict(zip(names, [1500.0, *elo], strict=True))
        total, slope = 0.0, dict.fromkeys(names, 0.0)
        for game in games:
            expected = 1 / (1 + 10 ** ((of[game.second] - of[game.first]) / 400))
            total -= game.points * math.log(expected)
            total -= (game.games - game.points) * math.log(1 - expected)
            beyond = (game.points - game.games * expected) * math.log(10) / 400
            slope[game.first] -= beyond
            slope[game.second] += beyond
        return total, [slope[name] for name in names[1:]]

    found = optimize.minimize(cost, [1500.0] * 5, jac=True, method="BFGS", options={"gtol": 1e-9})
    ratings = rate(names, games, anchors)
    for name, elo in zip(names[1:], found.x, strict=True):
        assert ratings.of(name).elo == pytest.approx(elo, abs=0.01)


def test_a_lopsided_result_still_converges() -> None:
    ratings = rate(["A", "B"], [Encounter("A", "B", wins=99_999, losses=1)])
    check(ratings.of("A"), 200 * math.log10(99_999), 1 / (100_000 * 0.99999 * 0.00001) / 4)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def missing(name: str) -> object:
        if name.startswith("numpy"):
            raise ModuleNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingLibraryError, match=r"numpy.*pip install tengen-arena"):
        rate(["A", "B", "C"], EXACT)


def test_standings_count_every_game() -> None:
    record = GameRecord.from_json(
        '{"format":1,"black":{"name":"A","start_ms":1,"peak_bytes":0,"notes":[]},"white":{"name":'
        '"B","start_ms":1,"peak_bytes":0,"notes":[]},"size":15,"rule":0,"turn_ms":9,"match_ms":null'
        ',"memory_mib":0,"tolerance_ms":0,"opening":[],"moves":[{"x":1,"y":1,"color":"black","ms":'
        '500,"limit_ms":9,"depth":7,"nodes":1000,"score":"3","captured":[]}],"winner":"black",'
        '"reason":"crash","detail":"white forfeits","captures":[0,0],"over_ms":null,"lines":[],'
        '"rule_name":"freestyle"}'
    )
    assert encounters_of([record, record]) == (Encounter("A", "B", wins=2),)
    table = table_of(["A", "B"], [record, record])
    assert [row.rating.elo for row in table.rows] == [None, None]
    assert table_lines(table)[0] == (
        "2 of 2 games were forfeited (crash 2): do not trust the ratings, which leave them out"
    )
    table = table_of(["A", "B"], [record, record], count_forfeits=True)
    assert table_lines(table)[0].endswith("do not trust the ratings, which count them")
    assert all(row.rating.elo is not None for row in table.rows)
    one, other = table.rows
    assert (one.wins, one.losses, one.depth, one.nps, one.forfeits) == (2, 0, 7.0, 2000.0, ())
    assert (other.losses, other.depth, other.forfeits) == (2, None, (("crash", 2),))
    cell = table.cell("B", "A")
    assert cell is not None and (cell.points, cell.losses) == (0, 2)
    assert any("2.00k" in line or "2k" in line for line in table_lines(table))
