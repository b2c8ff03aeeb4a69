"""The fit of the win rate recovers a known curve, and the table has its error."""

import math
from pathlib import Path

import numpy as np
import pytest

from training import winrate
from training.gamefiles import GamesError


def game(score: int, result: int, *, rule: int = 4) -> str:
    """Returns a game as text: a move of the opening, a proof, and one position that counts."""
    return f"{rule} 15 {result} 1 7,7,400;8,8,{-score};9,9,29990;"


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
        rows = [row for row in winrate.reliability(samples, 0, odds) if row]
        return sum(row.count * abs(row.told - row.came) for row in rows) / 5_000

    assert gap(250) < 0.02 < gap(100)


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
