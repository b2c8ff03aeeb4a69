"""The design that measures many search parameters in the same games."""

import json
import signal
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.screens import SCREEN, defaults, lines, screen
from tests.support.search_sides import Side
from training import search_games
from training.factors import Factor
from training.pairs import Pair, worths


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


def test_a_report_reads_only(root: Path, tmp_path: Path, screener: dict[str, Any]) -> None:
    """Also the journal of a run that goes on, in the middle of a line."""
    done = screen(root, tmp_path, SCREEN, "--report")
    assert done.returncode == 1 and "screen.jsonl: No such file" in done.stderr
    assert not (tmp_path / "screen.jsonl").exists()
    played = screen(root, tmp_path, SCREEN, "--pairs", 2)
    with (tmp_path / "screen.jsonl").open("a") as file:
        file.write('{"pair": 3, "si')
    before = (tmp_path / "screen.jsonl").read_bytes()
    running = screener["Run"](screener["Screen"](tomllib.loads(SCREEN)), tmp_path / "screen.jsonl")
    report = screen(root, tmp_path, SCREEN, "--pairs", 9, "--report")
    assert (report.returncode, report.stdout) == (0, played.stdout)
    assert len(running.pairs) == 2 and (tmp_path / "screen.jsonl").read_bytes() == before


def test_one_pair_shows_no_error(root: Path, tmp_path: Path) -> None:
    done = screen(root, tmp_path, SCREEN, "--pairs", 1)
    assert done.returncode == 0 and done.stdout == "1 of at least 2 pairs have been played\n"


def test_another_seed_plays_other_pairs(screener: dict[str, Any]) -> None:
    config = tomllib.loads(SCREEN)
    of_1 = screener["Screen"](config)
    of_2 = screener["Screen"]({**config, "seed": 2})
    pairs = [[s.draw(n)[1:] for n in range(1, 40)] for s in (of_1, of_2)]
    assert sum(a == b for a in pairs[0] for b in pairs[1]) < 39


def test_the_sides_take_opposite_values(
    screener: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A side with the other value of rfp_step wins: the report finds this factor, and no other."""
    screen = screener["Screen"](tomllib.loads(SCREEN))
    run = screener["Run"](screen, tmp_path / "screen.jsonl")
    values = {
        "rfp_step": {27, 35},
        "move_count_base": {5, 2},
        "prune.history": {1, 0},
    }

    def play_game(black: Side, white: Side, stones: int, nodes: int) -> int:
        assert nodes == 300 and black.values["lmr_scale"] == white.values["lmr_scale"] == 30
        for name, both in values.items():
            assert {black.values[name], white.values[name]} == both
        return 1 if black.values["rfp_step"] == 35 else -1

    monkeypatch.setitem(screener["play"].__globals__, "Player", Side)
    monkeypatch.setattr(search_games, "play_game", play_game)
    assert run.play(400, 1)
    best, *others = worths(screen.factors, list(run.pairs.values()))
    assert (best.factor.name, best.error) == ("rfp_step", 0)
    assert best.elo == pytest.approx(2 * 173.72, rel=1e-4)
    assert all(abs(worth.elo) < 2 * worth.error for worth in others)


def test_a_group_changes_as_one(screener: dict[str, Any]) -> None:
    text = SCREEN.replace("[27, 35]", "{rfp_step = [27, 35], lmr_gap = [233, 260]}")
    screen = screener["Screen"](tomllib.loads(text))
    assert [factor.name for factor in screen.factors] == [
        "rfp_step", "move_count_base", "prune.history",
    ]  # fmt: skip
    others = {"lmr_scale": 30, "move_count_base": 5, "prune.history": 1}
    assert screen.values("---") == {"rfp_step": 27, "lmr_gap": 233, **others}
    assert screen.values("+--") == {"rfp_step": 35, "lmr_gap": 260, **others}
    pairs = {1: Pair("+--", 2), 2: Pair("-++", -1)}
    assert "rfp_step                               2 values  +260.6" in screen.report(pairs)


def test_the_error_is_that_of_the_mean(screener: dict[str, Any]) -> None:
    factor = Factor("a", {"a": 1}, {"a": 2})
    pairs = [Pair(signs, points) for signs, points in (("+", 2), ("-", 0), ("+", 0))]
    (worth,) = worths([factor], [*pairs, Pair("-", -1)])
    # points for the alternative: 2, 0, 0, 1; their mean 0.75, their deviation 0.957
    assert worth.elo == pytest.approx(0.75 * 173.72, rel=1e-3)
    assert worth.error == pytest.approx(1.96 * 0.9574 / 2 * 173.72, rel=1e-3)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (SCREEN.replace("rfp_step", "rfp_steps"), "rfp_steps: the engine has no such number"),
        (SCREEN.replace("lmr_scale", "lmr_scales"), "lmr_scales: the engine has no such number"),
        (SCREEN.replace("[27, 35]", "[27, 27]"), "rfp_step: [current value, another value]"),
        (SCREEN.replace("[27, 35]", "[27]"), "rfp_step: [current value, another value]"),
        (SCREEN.replace("[27, 35]", "27"), "rfp_step: [current value, another value]"),
        (SCREEN.replace("[27, 35]", "[27, 35.5]"), "rfp_step: [current value, another value]"),
        (SCREEN.replace("lmr_scale", "rfp_step"), "rfp_step: in [fixed] and in [factors]"),
        (SCREEN.replace("[27, 35]", "{lmr_scale = [1, 2]}"), "lmr_scale: in [fixed] and in"),
        (SCREEN.replace("[27, 35]", "{move_count_base = [1, 2]}"), "move_count_base: in two"),
        (SCREEN.replace("[27, 35]", "{lmr_gap = 3}"), "lmr_gap: [current value, another value]"),
        (SCREEN.replace("[27, 35]", "{lmr_gaps = [1, 2]}"), "lmr_gaps: the engine has no such"),
        (SCREEN.replace("[27, 35]", "{}"), "rfp_step: a group with at least one parameter"),
        (SCREEN.replace("lmr_scale = 30", "lmr_scale = true"), "lmr_scale: a whole number"),
        (SCREEN.replace("nodes = 300", "nodes = 0"), "nodes: a whole number from 1 up, not 0"),
        (SCREEN.replace("nodes = 300", 'nodes = "300"'), "nodes: a whole number from 1 up"),
        (SCREEN.replace("nodes = 300", "nodes = 300\nspread = 100"), "spread: at most 99 percent"),
        (SCREEN.replace("nodes = 300", "nodes = 300\nspread = -1"), "spread: a whole number from"),
        (SCREEN.replace("seed = 1\n", "seed = -1\n"), "seed: a whole number from 0 up, not -1"),
        (SCREEN.replace("memory_mib = 1", "memory_mib = 0"), "memory_mib: a whole number"),
        (SCREEN.replace("nodes = 300", "nodes = 300\nnode = 3"), "node: unknown"),
        (SCREEN.replace(", 15], [", ", 5], ["), "boards: 5x5: "),
        (SCREEN[: SCREEN.index("[factors]")] + "[factors]\n", "factors: a table with at least"),
        (SCREEN[: SCREEN.index("[fixed]")] + "factors = 3\n", "factors: a table with at least"),
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
    assert done.returncode == 1 and "screen.jsonl: line 1 is of another config" in done.stderr
    assert (tmp_path / "screen.jsonl").read_text() == text
    turned = SCREEN.replace("rfp_step = [27, 35]\n", "") + "rfp_step = [27, 35]\n"
    done = screen(root, tmp_path, turned, "--pairs", 1)
    assert "is of another config" in done.stderr, "the signs have the order of the factors"
    for notes in ("my notes", '{"pair": 1, "other": "program"}'):
        (tmp_path / "screen.jsonl").write_text(notes)
        done = screen(root, tmp_path, SCREEN, "--pairs", 1)
        assert done.returncode == 1 and "not a journal of this program" in done.stderr
        assert (tmp_path / "screen.jsonl").read_text() == notes


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"signs": "+"}, "line 2: not the signs of pair 2"),
        ({"points": "1"}, "line 2: points '1'"),
        ({"points": 3}, "line 2: points 3"),
        ({"pair": "2"}, "line 2: pair '2'"),
        ({"pair": 1}, "line 2: pair 1"),
        (5, "line 2: not a line of a journal"),
    ],
)
def test_a_damaged_line_is_named(root: Path, tmp_path: Path, change: Any, said: str) -> None:
    assert screen(root, tmp_path, SCREEN, "--pairs", 2).returncode == 0
    first, second = lines(tmp_path)
    second = {**second, **change} if isinstance(change, dict) else change
    (tmp_path / "screen.jsonl").write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    done = screen(root, tmp_path, SCREEN, "--pairs", 3)
    assert done.returncode == 1 and f"screen.jsonl: {said}" in done.stderr


@pytest.mark.parametrize("options", [("--pairs", 0), ("--pairs", -3), ("--workers", 0)])
def test_a_number_of_pairs_is_positive(root: Path, tmp_path: Path, options: Any) -> None:
    done = screen(root, tmp_path, SCREEN, *options)
    assert done.returncode == 2 and "expected a number, 1 or more" in done.stderr
    assert not (tmp_path / "screen.jsonl").exists()


def test_ctrl_c_finishes_the_running_pairs(root: Path, tmp_path: Path) -> None:
    (tmp_path / "screen.toml").write_text(SCREEN.replace("nodes = 300", "nodes = 3000"))
    command = [sys.executable, root / "training" / "screen.py", tmp_path / "screen.toml"]
    command += [tmp_path / "screen.jsonl", "--pairs", "100000"]
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        while not (tmp_path / "screen.jsonl").exists() or not lines(tmp_path):
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130 and "the running pairs finish first" in err
    assert "pairs" in out and len(lines(tmp_path)) < 1000


def test_a_fault_of_a_worker_is_not_lost(
    screener: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even after Ctrl-C."""

    begun = threading.Event()

    def fail(*_: object) -> None:
        begun.set()
        raise MemoryError("no engine")

    def interrupt(*_: object, **__: object) -> None:
        assert begun.wait(60)
        raise KeyboardInterrupt

    scope = screener["play"].__globals__
    monkeypatch.setitem(scope, "play", fail)
    monkeypatch.setitem(scope, "wait", interrupt)
    run = screener["Run"](screener["Screen"](tomllib.loads(SCREEN)), tmp_path / "screen.jsonl")
    with pytest.raises(MemoryError, match="no engine"):
        run.play(5, 1)


@pytest.mark.parametrize("name", ["screen.toml", "match.toml"])
def test_the_current_values_are_those_that_ship(
    root: Path, screener: dict[str, Any], name: str
) -> None:
    """Under the rules of the boards."""
    screen = screener["Screen"](tomllib.loads((root / "training" / name).read_text()))
    current: dict[str, int] = {}
    for factor in screen.factors:
        current |= factor.current
    for board in screen.boards:
        assert current.items() <= defaults(board.rule).items()
