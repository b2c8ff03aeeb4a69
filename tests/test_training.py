"""From games to weights: the tools under training/, on a recipe of a few seconds."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

RECIPE = """\
[[set]]
rule = 0
size = 9
nodes = 60
games = 200
seed = 1
engine = "this one"

[borrowed]
1 = 0
4 = 0
8 = 0
9 = 0
16 = 0
"""


def tune(root: Path, folder: Path, recipe: str = RECIPE) -> subprocess.CompletedProcess[str]:
    """Runs the whole of it under a folder."""
    (folder / "recipe.toml").write_text(recipe)
    command = [sys.executable, root / "training" / "tune.py", "--share", "1"]
    command += ["--recipe", folder / "recipe.toml", "--out", folder / "out"]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def test_games_fit_and_weights_and_on_where_it_was(root: Path, tmp_path: Path) -> None:
    first = tune(root, tmp_path)
    assert first.returncode == 0, first.stderr
    assert "held out" in first.stdout
    games = sorted((tmp_path / "out" / "games").rglob("*.txt"))
    assert [len(path.read_text().splitlines()) for path in games] == [100, 100]
    weights = tmp_path / "out" / "weights.c"
    head, _, tables = weights.read_text().partition(" */\n")
    assert head.endswith(hashlib.sha256(tables.encode()).hexdigest())
    assert tables.count("const EvalWeights *const WEIGHTS_") == 6

    kept, once = games[0].read_text(), weights.read_text()
    games[0].unlink()
    again = tune(root, tmp_path)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("  games") == 1  # only the chunk that was missing
    assert games[0].read_text() == kept and weights.read_text() == once


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (RECIPE.replace("nodes", "knots"), "set 1"),
        (RECIPE.replace("16 = 0\n", ""), "rule 16 has no games"),
        ("[[set]\n", "recipe.toml"),
    ],
)
def test_a_recipe_that_is_wrong_is_named(
    root: Path, tmp_path: Path, recipe: str, said: str
) -> None:
    done = tune(root, tmp_path, recipe)
    assert done.returncode == 1 and said in done.stderr
