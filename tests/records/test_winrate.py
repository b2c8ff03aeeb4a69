"""The win rate of a score."""

import json
import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.rules import RULE_NAMES
from records.winrate import CURVES, DRAWS, Wdl, percent, score_text, wdl, win_rate
from tests.support.paths import ROOT

SCORES = st.integers(-29_000, 29_000)
RULES = st.sampled_from(sorted(RULE_NAMES))


def test_every_rule_has_curves() -> None:
    assert set(CURVES) == set(DRAWS) == set(RULE_NAMES)


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


@given(RULES, SCORES, st.integers(5, 20), st.floats(0, 1))
def test_the_chances_agree_with_the_win_rate(rule: int, score: int, size: int, full: float) -> None:
    found = wdl(rule, score, size=size, placed=int(full * size**2))
    assert min(found) >= 0
    assert sum(found) == pytest.approx(1)
    assert found.win + found.draw / 2 == pytest.approx(win_rate(rule, score))


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9])
def test_a_draw_is_likely_on_a_full_small_board(rule: int) -> None:
    """Of even positions, and less so with a lead or on a larger board."""
    placed = (20, 60, 100)
    assert [wdl(rule, 5, size=15, placed=n).draw for n in placed] == sorted(
        wdl(rule, 5, size=15, placed=n).draw for n in placed
    )
    even = wdl(rule, 5, size=15, placed=70).draw
    assert even > wdl(rule, 200, size=15, placed=70).draw
    assert even > wdl(rule, 5, size=19, placed=70).draw
    assert wdl(rule, 5, size=15, placed=100).draw > 0.6
    assert wdl(rule, 5, size=20, placed=10).draw < 0.05


@pytest.mark.parametrize("rule", [16, 32, 64])
def test_games_with_captures_are_never_drawn(rule: int) -> None:
    assert wdl(rule, 0, size=19, placed=100).draw < 0.01


@pytest.mark.parametrize("rule", sorted(RULE_NAMES))
def test_a_proof_leaves_no_other_chance(rule: int) -> None:
    assert wdl(rule, 29_993, 7, size=15, placed=150) == (1, 0, 0)
    assert wdl(rule, -29_993, size=15, placed=150) == (0, 0, 1)


def test_chances_for_people() -> None:
    assert str(Wdl(0.449, 0.49, 0.061)) == "W 45 D 49 L 6"
    assert str(Wdl(0.505, 0.0, 0.495)) == "W 50 D 0 L 50"
    assert str(Wdl(1, 0, 0)) == "W 100 D 0 L 0"


def test_scores_for_people() -> None:
    assert score_text(0, 218) == "+218 (72.9 %)"
    assert score_text(4, -205) == "-205 (26.5 %)"
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
    rows = re.findall(r"^  (\d+): \[" + ", ".join([r"(-?[\d.]+)"] * 5) + r"\],$", script, re.M)
    assert {int(rule): tuple(map(float, factors)) for rule, *factors in rows} == DRAWS


def test_the_page_of_the_analysis_has_the_same_curves() -> None:
    page = (ROOT / "docs" / "analysis.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-z ]+?) \| [\d,]+ \| [\d,]+ \| (\d+) \| (\d+) \|", page, re.M)
    assert {name: (int(even), int(odds)) for name, even, odds in rows} == {
        name: CURVES[rule] for rule, name in RULE_NAMES.items()
    }
    rows = re.findall(
        r"^\| ([a-z ]+?) (?:\| [\d,]+ ){2}((?:\| -?[\d.]+ ){5})\| [\d.]+ % \|$", page, re.M
    )
    assert {name: tuple(map(float, cells.split("|")[1:])) for name, cells in rows} == {
        name: DRAWS[rule] for rule, name in RULE_NAMES.items()
    }


def test_the_board_computes_the_same_chances() -> None:
    """The functions of the page, run by node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is missing")
    cases = [
        [rule, score, mate, size, placed]
        for rule in DRAWS
        for score, mate in ((0, 0), (180, 0), (-700, 0), (29_993, 7), (-29_992, -8))
        for size, placed in ((15, 12), (15, 110), (20, 75), (10, 40))
    ]
    program = f"""
        import {{ inPercent, wdl }} from {json.dumps((ROOT / "web/src/score.js").as_uri())};
        const told = {json.dumps(cases)}.map(([rule, score, mate, size, placed]) =>
            wdl(rule, {{ score, mate }}, {{ size, placed }}));
        console.log(JSON.stringify([told, told.map(inPercent)]));
    """
    command = [node, "--input-type=module", "-e", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    told, texts = json.loads(done.stdout)
    for (rule, score, mate, size, placed), chances, text in zip(cases, told, texts, strict=True):
        expected = wdl(rule, score, mate or None, size=size, placed=placed)
        assert chances == pytest.approx(expected), (rule, score, size, placed)
        assert f"W {text.replace(' / ', ' D ', 1).replace(' / ', ' L ')}" == str(expected)
