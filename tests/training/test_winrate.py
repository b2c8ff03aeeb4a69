"""The fit of the win rate recovers a known curve, and the table has its error."""

import math
from pathlib import Path

import numpy as np
import pytest

from records.winrate import CURVES
from training import winrate
from training.gamefiles import GamesError


def game(score: int, result: int, *, rule: int = 4, size: int = 15, placed: int = 1) -> str:
    """Returns a game as text: an opening with scores, one position that counts, and a proof."""
    opening = "".join(f"{i % size},{i // size},400;" for i in range(placed))
    return f"{rule} {size} {result} {placed} {opening}8,18,{-score};9,19,29990;"


def drawn(count: int, even: float, odds: float) -> list[str]:
    """Returns games with results drawn from a curve; White is to move in the position."""
    source = np.random.default_rng(7)
    lines = []
    for _ in range(count):
        score = int(source.normal(0, 400))
        won = source.random() < 1 / (1 + math.exp(-(-score - even) / odds))
        lines.append(game(score, -1 if won else 1))
    return lines


def test_a_known_curve_is_found_again() -> None:
    samples = winrate.positions(iter(drawn(20_000, 40, 250)))
    assert set(samples) == {4}
    assert len(samples[4].score) == 20_000
    even, odds = winrate.fit(samples[4])
    assert even == pytest.approx(40, abs=15)
    assert odds == pytest.approx(250, abs=15)


def test_reliability_sees_a_wrong_curve() -> None:
    samples = winrate.positions(iter(drawn(5_000, 0, 250)))[4]

    def gap(odds: float) -> float:
        told = winrate.curve(samples.score, 0, odds)
        found = winrate.reliability(told, samples.result, samples.game)
        rows = [row for row in found if row]
        return sum(row.count * abs(row.told - row.came) for row in rows) / 5_000

    assert gap(250) < 0.02 < gap(100)


def drawn_often(count: int, factors: tuple[float, ...]) -> list[str]:
    """Returns games of several sizes; the odds of a draw have the factors of winrate.DRAW_NAMES."""
    source = np.random.default_rng(11)
    constant, full, distance, both, larger = factors
    lines = []
    for _ in range(count):
        size, score = int(source.choice([12, 15, 20])), int(source.normal(0, 200))
        placed = int(source.integers(1, size**2 // 2))
        share, gap = placed / size**2, abs(score - CURVES[4][0]) / 100
        odds = constant + full * share + (distance + both * share) * gap + larger * (size - 15) / 5
        is_draw = source.random() < 1 / (1 + math.exp(-odds))
        lines.append(game(-score, 0 if is_draw else 1, size=size, placed=placed))
    return lines


def test_known_odds_of_a_draw_are_found_again() -> None:
    factors = (-2.0, 8.0, -0.4, -1.0, -1.5)
    samples = winrate.positions(iter(drawn_often(40_000, factors)))[4]
    assert winrate.fit_draws(samples, CURVES[4][0]) == pytest.approx(factors, abs=0.3)
    lines = winrate.report({4: samples}, draws=True).splitlines()
    assert lines[0].startswith("| rule | games | positions | constant | full |")
    assert float(lines[2].split("|")[-2].rstrip(" %")) < 2


def test_the_report_has_a_row_for_each_rule() -> None:
    found = winrate.positions(iter([*drawn(500, 0, 250), *(game(9, 0, rule=8),) * 60]))
    lines = winrate.report(found).splitlines()
    assert lines[2].startswith("| renju | 500 | 500 |")
    assert lines[3].startswith("| caro | 60 | 60 |")
    assert "| win rate | renju | caro |" in lines


@pytest.mark.parametrize("text", ["4 15 1", "4 15 1 0 7,7;", "x 15 1 0 7,7,5;"])
def test_what_is_no_game_is_named(text: str) -> None:
    with pytest.raises(GamesError, match=r"^game 2: "):
        winrate.positions(iter([game(1, 1), text]))


def test_a_file_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.tg"
    path.write_bytes(b"no games")
    assert winrate.main([str(path)]) == 2
    assert "bad.tg" in capsys.readouterr().err
