"""The design that measures many search parameters in the same games."""

import json
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pyengine import Engine, Rule

SCREEN = """\
nodes = 300
seed = 1
memory_mib = 1
boards = [["freestyle_15", 0, 15], ["renju_15", 4, 15]]

[fixed]
lmr_scale = 30

[factors]
rfp_step = [27, 35]
move_count_base = [5, 2]
"prune.history" = [1, 0]
"""


@pytest.fixture(scope="module")
def tool(root: Path) -> dict[str, Any]:
    """training/screen.py."""
    return runpy.run_path(str(root / "training" / "screen.py"), run_name="screen")


def screen(
    root: Path, folder: Path, config: str, *options: object
) -> subprocess.CompletedProcess[str]:
    """Runs the program with a config."""
    (folder / "screen.toml").write_text(config)
    command = [sys.executable, root / "training" / "screen.py", folder / "screen.toml"]
    command += [folder / "screen.jsonl", *options]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def lines(folder: Path) -> list[dict[str, Any]]:
    """Returns the journal."""
    return [json.loads(line) for line in (folder / "screen.jsonl").read_text().splitlines()]


def test_a_run_continues_and_does_not_depend_on_the_workers(root: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    done = screen(root, one, SCREEN, "--pairs", 4)
    assert done.returncode == 0 and done.stdout.startswith("4 pairs\n")
    assert done.stdout.count("Elo") == 3 and "27 ->     35" in done.stdout

    assert screen(root, two, SCREEN, "--pairs", 2, "--workers", 2).returncode == 0
    with (two / "screen.jsonl").open("a") as file:
        file.write('{"pair": 3, "si')  # a kill while a line is written
    assert screen(root, two, SCREEN, "--pairs", 4, "--workers", 2).returncode == 0
    assert sorted(map(str, lines(two))) == sorted(map(str, lines(one)))
    assert [line["pair"] for line in lines(one)] == [1, 2, 3, 4]
    assert len({line["signs"] for line in lines(one)}) > 1

    before = (one / "screen.jsonl").read_bytes()
    again = screen(root, one, SCREEN, "--pairs", 9, "--report")
    assert again.stdout == done.stdout and (one / "screen.jsonl").read_bytes() == before


def test_without_pairs_there_is_nothing_to_report(root: Path, tmp_path: Path) -> None:
    done = screen(root, tmp_path, SCREEN, "--report")
    assert done.returncode == 0 and done.stdout == "no pair has been played\n"


def test_the_sides_take_opposite_values(
    tool: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A side with the other value of rfp_step wins: the report finds this factor, and no other."""
    config = tomllib.loads(SCREEN)
    run = tool["Screen"](config, tmp_path / "screen.jsonl")
    values = {
        "rfp_step": {27, 35},
        "move_count_base": {5, 2},
        "prune.history": {1, 0},
    }

    class Side:
        def __init__(self, memory_mib: float) -> None:
            self.values: dict[str, int] = {}

        def start(self, board: Any, opening: Any, values: dict[str, int]) -> None:
            self.values = values

    def play_game(black: Side, white: Side, stones: int, nodes: int) -> int:
        assert nodes == 300 and black.values["lmr_scale"] == white.values["lmr_scale"] == 30
        for name, both in values.items():
            assert {black.values[name], white.values[name]} == both
        return 1 if black.values["rfp_step"] == 35 else -1

    scope = tool["work"].__globals__
    monkeypatch.setitem(scope, "Player", Side)
    monkeypatch.setitem(scope, "play_game", play_game)
    tool["run"](run, 400, 1)
    best, *others = tool["worths"](run.factors, list(run.pairs.values()))
    assert (best.factor.name, best.error) == ("rfp_step", 0)
    assert best.elo == pytest.approx(2 * 173.72, rel=1e-4)
    assert all(abs(worth.elo) < 2 * worth.error for worth in others)


def test_the_error_is_that_of_the_mean(tool: dict[str, Any]) -> None:
    factor = tool["Factor"]("a", 1, 2)
    pairs = [tool["Pair"](signs, points) for signs, points in (("+", 2), ("-", 0), ("+", 0))]
    (worth,) = tool["worths"]([factor], [*pairs, tool["Pair"]("-", -1)])
    # points for the other value: 2, 0, 0, 1; their mean 0.75, their deviation 0.829
    assert worth.elo == pytest.approx(0.75 * 173.72, rel=1e-3)
    assert worth.error == pytest.approx(1.96 * 0.8292 / 2 * 173.72, rel=1e-3)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (SCREEN.replace("rfp_step", "rfp_steps"), "rfp_steps: the engine has no such number"),
        (SCREEN.replace("lmr_scale", "lmr_scales"), "lmr_scales: the engine has no such number"),
        (SCREEN.replace("[27, 35]", "[27, 27]"), "rfp_step: [value of now, another value]"),
        (SCREEN.replace("[27, 35]", "[27]"), "screen.toml: "),
        (SCREEN.replace("[27, 35]", "[27, 99999]"), "must be from 0 to 10000"),
        (SCREEN.replace("nodes = 300\n", ""), "'nodes' is missing"),
        (SCREEN.replace("renju_15", "renju_16"), "renju_16.txt"),
        (SCREEN.replace("[factors]", "[factors"), "screen.toml"),
    ],
)
def test_a_fault_of_the_config_is_named(root: Path, tmp_path: Path, config: str, said: str) -> None:
    done = screen(root, tmp_path, config, "--pairs", 1)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr


def test_a_journal_of_something_else_is_left_alone(root: Path, tmp_path: Path) -> None:
    assert screen(root, tmp_path, SCREEN, "--pairs", 1).returncode == 0
    text = (tmp_path / "screen.jsonl").read_text()
    done = screen(root, tmp_path, SCREEN.replace("300", "301"), "--pairs", 1)
    assert done.returncode == 1 and "screen.jsonl: lines of another config" in done.stderr
    assert (tmp_path / "screen.jsonl").read_text() == text
    (tmp_path / "screen.jsonl").write_text("my notes")
    done = screen(root, tmp_path, SCREEN, "--pairs", 1)
    assert done.returncode == 1 and "no lines of a tuning" in done.stderr
    assert (tmp_path / "screen.jsonl").read_text() == "my notes"


def test_the_values_of_now_are_those_that_ship(root: Path) -> None:
    with Engine(memory_mib=1) as engine:
        numbers = {option.name: option.default for option in engine.options(Rule.FREESTYLE)}
    config = tomllib.loads((root / "training" / "screen.toml").read_text())
    now = {name: row[0] for name, row in config["factors"].items()}
    assert now == {name: numbers[name] for name in now}
