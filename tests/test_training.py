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

[[network]]
rule = 0
epochs = 2

[borrowed]
1 = 0
4 = 0
8 = 0
9 = 0
16 = 0
"""
OWN_NINUKI = (
    RECIPE.replace("16 = 0\n", "")
    + """
[[set]]
rule = 16
size = 9
nodes = 60
games = 200
seed = 1
engine = "this one"

[[network]]
rule = 16
epochs = 1
start = 0
"""
)


def read_weights(path: Path) -> str:
    """The tables of a file, which names their digest."""
    head, _, tables = path.read_text().partition(" */\n")
    assert head.endswith(hashlib.sha256(tables.encode()).hexdigest())
    return tables


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
    assert read_weights(weights).count("const EvalWeights *const WEIGHTS_") == 5
    lent = read_weights(weights.with_stem("weights_ninuki"))
    assert "const EvalWeights *const WEIGHTS_NINUKI" in lent and "WEIGHTS_CAPTURES" in lent

    networks = read_weights(weights.with_stem("weights_network"))
    assert networks.count("static const Network ") == 1
    assert "NETWORK_CARO = &TABLES_FREESTYLE" in networks and "NINUKI" not in networks
    own = read_weights(weights.with_stem("weights_network_ninuki"))
    assert own.endswith("NETWORK_NINUKI = NULL;\n")

    kept, once = games[0].read_text(), weights.read_text()
    games[0].unlink()
    again = tune(root, tmp_path)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("  games") == 1  # only the chunk that was missing
    assert games[0].read_text() == kept and weights.read_text() == once


def test_ninuki_learns_what_captures_are_worth(root: Path, tmp_path: Path) -> None:
    done = tune(root, tmp_path, OWN_NINUKI)
    assert done.returncode == 0, done.stderr
    assert "rule 16: value" in done.stdout and "rule 16: moves" in done.stdout
    tables = read_weights(tmp_path / "out" / "weights_ninuki.c")
    row = tables.partition(".take = {{")[2].partition("}")[0].split(",")
    assert len(row) == 5 and row[0] == "0" and int(row[1]) > 0
    own = read_weights(tmp_path / "out" / "weights_network_ninuki.c")
    assert own.count("static const Network ") == 1 and "NETWORK_NINUKI = &TABLES_NINUKI" in own


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (RECIPE.replace("nodes", "knots"), "set 1"),
        (RECIPE.replace("games = 200\n", "games = 200\nrepeat = 2\napart = 50\n"), "`apart`"),
        (RECIPE.replace("games = 200\n", "games = 200\nrepeat = 0\n"), "`repeat`"),
        (RECIPE.replace("16 = 0\n", ""), "rule 16 has no games"),
        (RECIPE.replace("[[network]]\nrule = 0", "[[network]]\nrule = 4"), "without games"),
        (RECIPE.replace("epochs = 2", "epochs = 2\nstart = 1"), "no network of rule 1 yet"),
        (
            RECIPE.replace(
                "[[network]]\n", "[[network]]\nrule = 4\nepochs = 1\n\n[[network]]\nstart = 4\n"
            ),
            "renju's has two laws",
        ),
        ("[[set]\n", "recipe.toml"),
    ],
)
def test_a_recipe_that_is_wrong_is_named(
    root: Path, tmp_path: Path, recipe: str, said: str
) -> None:
    done = tune(root, tmp_path, recipe)
    assert done.returncode == 1 and said in done.stderr
