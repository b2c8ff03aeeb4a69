"""The win rate of a score."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.rules import RULE_NAMES
from records.winrate import CURVES, percent, score_text, win_rate
from tests.support.paths import ROOT

SCORES = st.integers(-29_000, 29_000)
RULES = st.sampled_from(sorted(RULE_NAMES))


def test_every_rule_has_a_curve() -> None:
    assert set(CURVES) == set(RULE_NAMES)


@given(RULES, SCORES, SCORES)
def test_a_higher_score_is_worth_no_less(rule: int, one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 0 <= win_rate(rule, low) <= win_rate(rule, high) <= 1


@given(RULES)
def test_the_numbers_of_a_curve_mean_what_they_say(rule: int) -> None:
    even, odds = CURVES[rule]
    assert win_rate(rule, even) == 0.5
    assert win_rate(rule, even + odds) == pytest.approx(0.7311, abs=1e-4)


@pytest.mark.parametrize("rule", sorted(RULE_NAMES))
def test_a_proof_is_certain(rule: int) -> None:
    assert win_rate(rule, 29_993, 7) == win_rate(rule, 29_993) == 1.0
    assert win_rate(rule, -29_993, -7) == win_rate(rule, -29_993) == 0.0
    assert 0.0 < win_rate(rule, -1500) < 0.01


def test_scores_for_people() -> None:
    assert score_text(0, 218) == "+218 (73.1 %)"
    assert score_text(4, -205) == "-205 (26.9 %)"
    assert score_text(4, 29_999, 1) == "wins in 1 ply"
    assert score_text(4, 29_993, 7) == "wins in 7 plies"
    assert score_text(4, -29_992, -8) == "loses in 8 plies"
    assert percent(0.5) == "50.0 %"


def test_an_unknown_rule_is_an_error() -> None:
    with pytest.raises(KeyError):
        win_rate(2, 0)


def test_the_board_has_the_same_curves() -> None:
    script = (ROOT / "web" / "src" / "score.js").read_text("utf-8")
    rows = re.findall(r"^  (\d+): \[(\d+), (\d+)\],$", script, re.M)
    assert {int(rule): (int(even), int(odds)) for rule, even, odds in rows} == CURVES


def test_the_page_of_the_analysis_has_the_same_curves() -> None:
    page = (ROOT / "docs" / "analysis.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-z ]+?) \| [\d,]+ \| [\d,]+ \| (\d+) \| (\d+) \|", page, re.M)
    assert {name: (int(even), int(odds)) for name, even, odds in rows} == {
        name: CURVES[rule] for rule, name in RULE_NAMES.items()
    }
