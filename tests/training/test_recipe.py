"""Recipes of weights: what is read, and the faults that are named."""

from pathlib import Path

import pytest

from tests.support.recipes import RECIPE
from training.recipe import CHUNK, GameSet, NetworkFit, PolicyFit, RecipeError, read_recipe

LENT = "rules are 0, 1, 4, 8, 9, 16, 32, 64"


def read(folder: Path, text: str, share: float = 1) -> object:
    """Reads a recipe."""
    (folder / "recipe.toml").write_text(text)
    return read_recipe(folder / "recipe.toml", share)


def test_a_recipe_is_read(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(RECIPE)
    recipe = read_recipe(tmp_path / "recipe.toml", 1)
    assert recipe.sets == (GameSet(0, 9, 60, 120, 1, policies=True),)
    assert recipe.borrowed == {1: 0, 4: 0, 8: 0, 9: 0, 16: 0, 32: 0, 64: 0}
    assert recipe.networks == (NetworkFit(0, 2),)
    assert recipe.policies == (PolicyFit(0, 2),)


def test_a_share_of_the_sets_is_taken(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(
        RECIPE.replace("games = 120\n", "games = 1000\nrepeat = 4\napart = 5000\n")
    )
    whole = read_recipe(tmp_path / "recipe.toml", 1).sets
    assert [(s.seed, s.games) for s in whole] == [(1 + 5000 * n, 1000) for n in range(4)]
    half = read_recipe(tmp_path / "recipe.toml", 0.5).sets
    assert [(s.seed, s.games) for s in half] == [(1, 1000), (5001, 1000)]
    (least,) = read_recipe(tmp_path / "recipe.toml", 0.001).sets
    assert least.games == CHUNK


def test_sets_of_different_games_may_have_the_same_seeds(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(
        RECIPE.replace("[[network]]", SET_OF_SAME_SEEDS.replace("60", "61") + "[[network]]", 1)
    )
    assert len(read_recipe(tmp_path / "recipe.toml", 1).sets) == 2


def test_the_recipe_of_the_built_in_weights_can_be_read(root: Path) -> None:
    recipe = read_recipe(root / "training" / "recipe.toml", 0.01)
    assert {s.rule for s in recipe.sets} >= {n.rule for n in recipe.networks}


SET_OF_RENJU = """
[[set]]
rule = 4
size = 9
nodes = 60
games = 100
seed = 1000

[[network]]
rule = 4
epochs = 1

[[network]]
rule = 1
epochs = 1
start = 4

[[set]]
rule = 1
size = 9
nodes = 60
games = 100
seed = 2000
"""

SET_OF_SAME_SEEDS = """
[[set]]
rule = 0
size = 9
nodes = 60
games = 100
seed = 120
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nodes", "knots", "set 1: there is no key `knots`"),
        ("size = 9\n", "", "set 1: `size` is missing"),
        ("rule = 0\nsize", "rule = 2\nsize", f"set 1: rule = 2: {LENT}"),
        ("rule = 0\nsize", "rule = true\nsize", f"set 1: rule = True: {LENT}"),
        ("size = 9", "size = 4", "set 1: size = 4: expected a whole number, 5 to 22"),
        ("nodes = 60", "nodes = 0", "set 1: nodes = 0: expected a whole number, 1 to"),
        ("nodes = 60", 'nodes = "60"', "set 1: nodes = '60': expected a whole number"),
        ("games = 120", "games = 0", "set 1: games = 0: expected a whole number"),
        ("games = 120", "games = 1.5", "set 1: games = 1.5: expected a whole number"),
        ("seed = 1\n", "seed = -1\n", "set 1: seed = -1: expected a whole number"),
        ("policies = true", "policies = 1", "set 1: policies = 1: expected true or false"),
        ('engine = "this one"', "engine = 3", "set 1: engine = 3: expected a text"),
        ("games = 120\n", "games = 120\nrepeat = 2\napart = 50\n", "set 1: `repeat` is a"),
        ("games = 120\n", "games = 120\nrepeat = 0\n", "set 1: repeat = 0: expected a whole"),
        (
            "games = 120\n",
            f"games = 120\nrepeat = 3\napart = {1 << 62}\n",
            f"set 1: the last seed is {(1 << 63) + 120}, above {(1 << 63) - 1}",
        ),
        ("[[network]]", SET_OF_SAME_SEEDS + "[[network]]", "set 2: seed 120 is also one of set 1"),
        (
            "policies = true\n",
            "weights = false\nnetworks = false\n",
            "set 1: nothing learns from it",
        ),
        ("16 = 0\n", "", "rule 16 has no games and borrows from none that has"),
        ("16 = 0\n", "16 = 2\n", f"borrowed: 16 = 2: {LENT}"),
        ("16 = 0\n", "16 = [0]\n", f"borrowed: 16 = [0]: {LENT}"),
        ("16 = 0\n", "ninuki = 0\n", f"borrowed: ninuki: {LENT}"),
        ("[[network]]\nrule = 0", "[[network]]\nrule = 4", "network 1: rule 4 has no games"),
        ("[[network]]\nrule = 0\n", "[[network]]\n", "network 1: `rule` is missing"),
        ("epochs = 2\n", "epochs = 0\n", "network 1: epochs = 0: expected a whole number"),
        ("epochs = 2\n", "epochs = 2\nstart = 1\n", "network 1: no network of rule 1 yet"),
        ("epochs = 2\n", "epochs = 2\nstart = 3\n", f"network 1: start = 3: {LENT}"),
        ("[[policy]]\nrule = 0", "[[policy]]\nrule = 1", "policy 1: rule 1 has no games"),
        ("[[policy]]\n", "[[policy]]\nstart = 0\n", "policy 1: there is no key `start`"),
        ("[[policy]]\n", "[[network]]\n", "network 2: rule 0 has one already"),
        ("[[set]]", "[set]", "`set` must be one or more tables, each under [[set]]"),
        ("[borrowed]\n", "[[borrowed]]\n", "`borrowed` must be one table, under [borrowed]"),
        ("[borrowed]\n", "[lent]\n", "there is no key `lent`"),
        ("[[set]]", "[[set]", "Expected ']]'"),
        ("[borrowed]\n", SET_OF_RENJU + "[borrowed]\n", "network 3: rule 4 has two laws"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = RECIPE.replace(old, new, 1)
    assert text != RECIPE
    with pytest.raises(RecipeError) as raised:
        read(tmp_path, text)
    assert str(raised.value).startswith(f"{tmp_path / 'recipe.toml'}: {said}")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(RecipeError, match="'utf-8' codec"):
        read_recipe(tmp_path / "recipe.toml", 1)
