"""Weights from nothing (training/tune.py): games, fits, interruptions, faults."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import build_weights
from pyengine import Engine, Limits, Rule
from tests.support.commands import write_program
from tests.support.recipes import RECIPE
from training import tune as tune_program
from training.chunk import ChunkError
from training.fitters import Stopped, fit_games, run_fit
from training.gamefiles import build_programs, read_file
from training.recipe import read_recipe
from training.write_weights import with_network

OWN_NINUKI = (
    RECIPE.replace("16 = 0\n", "")
    + """
[[set]]
rule = 16
size = 9
nodes = 60
games = 100
seed = 1
engine = "this one"

[[network]]
rule = 16
epochs = 1
start = 0
"""
)


def read_weights(folder: Path) -> dict[str, build_weights.Weights]:
    """Returns the weights of all rules that a fit wrote into a folder, by rule name."""
    rules = build_weights.layout().rules.items()
    return {name: build_weights.read(folder / build_weights.file_name(n)) for n, name in rules}


def tune(root: Path, folder: Path, recipe: str = RECIPE) -> subprocess.CompletedProcess[str]:
    """Runs all steps in a folder."""
    (folder / "recipe.toml").write_text(recipe)
    command = [sys.executable, root / "training" / "tune.py", "--share", "1"]
    command += ["--recipe", folder / "recipe.toml", "--out", folder / "out"]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def tuned(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The folder of a complete run, which tests copy, and its output."""
    folder = tmp_path_factory.mktemp("tuned")
    return folder, tune(root, folder)


def test_games_fit_and_weights_and_on_where_it_was(
    root: Path, tuned: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    made, first = tuned
    assert first.returncode == 0, first.stderr
    assert f"weights: {made / 'out' / 'weights'}" in first.stdout
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    assert "validation" in first.stdout
    games = sorted((tmp_path / "out" / "games").rglob("*.tg"))
    assert [read_file(path).header.count for path in games] == [100, 20]
    folder = tmp_path / "out" / "weights"
    found = read_weights(folder)
    freestyle, renju, ninuki = found["freestyle"], found["renju"], found["ninuki"]
    assert freestyle.network and freestyle.policy and freestyle.captures is None
    assert found["caro"] == replace(freestyle, rule=8), "what it borrows"
    assert renju.codes == freestyle.codes * 2 and renju.squares == (freestyle.squares or []) * 2
    assert ninuki.captures and ninuki.codes == freestyle.codes
    assert ninuki.network is None and ninuki.policy is None
    with Engine(size=9, weights=folder) as engine:
        for rule in Rule:
            engine.reset(rule=rule)
            assert engine.search(Limits(nodes=100)).nodes

    weights = folder / "freestyle.tgw"

    kept, once = games[0].read_bytes(), weights.read_bytes()
    games[0].unlink()
    again = tune(root, tmp_path)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("  games") == 1  # only the chunk that was missing
    assert games[0].read_bytes() == kept and weights.read_bytes() == once


def test_interrupted_fits_of_a_run_continue(
    root: Path, tuned: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """States without the notes of their fits are those of an interruption."""
    shutil.copytree(tuned[0], tmp_path, dirs_exist_ok=True)
    out = tmp_path / "out"
    once = (out / "weights" / "freestyle.tgw").read_bytes()
    listed = [f"{path}\n" for path in sorted((out / "games").rglob("*.tg"))]
    (tmp_path / "list.txt").write_text("".join(listed))
    for name, below in (("network", "tables"), ("policy", "networks")):
        target = out / f"{name}-0.json"
        command = [*build_programs(name), 2, target, out / below / "freestyle.tgw"]
        command += ["--games", tmp_path / "list.txt", "--state", target.with_suffix(".state")]
        subprocess.run(list(map(str, command)), check=True, capture_output=True)
        for path in (target, target.with_suffix(".games")):
            path.unlink()
    again = tune(root, tmp_path)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("continued after step") == 2
    assert (out / "weights" / "freestyle.tgw").read_bytes() == once
    assert not list(out.glob("*.state"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_fit_ends_the_run(
    number: signal.Signals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fit(*_: object) -> None:
        run_fit(["sh", "-c", f"exit {128 + number}"])

    monkeypatch.setattr(tune_program, "tune", fit)
    monkeypatch.setattr(sys, "argv", ["tune.py", "--out", str(tmp_path)])
    assert tune_program.main() == 128 + number
    assert capsys.readouterr().err == "tune: stopped; the same command continues\n"


def test_a_fit_that_fails_is_not_done(tmp_path: Path) -> None:
    """It keeps its state, and the note of the fit before it goes."""
    target, state, note = (tmp_path / f"a.{end}" for end in ("json", "state", "games"))
    for path in (target, state, note):
        path.write_text("old")
    with pytest.raises(Stopped):
        fit_games(["sh", "-c", "exit 143"], target, [], "new")
    assert state.exists() and not note.exists()
    fit_games(["true"], target, [Path("1.tg"), Path("2.tg")], "new")
    assert not state.exists() and note.read_text() == "new"
    assert (tmp_path / "a.list").read_text() == "1.tg\n2.tg\n"
    fit_games(["false"], target, [], "new")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_games_are_played_again(
    number: signal.Signals, root: Path, tmp_path: Path
) -> None:
    """Ctrl-C reaches all programs. No other chunk starts, and no program is left."""
    recipe = RECIPE.replace("nodes = 60", "nodes = 600").replace("games = 120", "games = 300")
    (tmp_path / "recipe.toml").write_text(recipe)
    command = [sys.executable, root / "training" / "tune.py", "--share", "1", "--workers", "1"]
    command += ["--recipe", tmp_path / "recipe.toml", "--out", tmp_path / "out"]
    folder = tmp_path / "out" / "games" / "0-9-600"
    with subprocess.Popen(
        list(map(str, command)), start_new_session=True, stderr=subprocess.PIPE, text=True
    ) as running:
        while not (folder / "101.tg.part").exists():
            assert running.poll() is None
            time.sleep(0.001)
        time.sleep(0.1)
        os.killpg(running.pid, number)
        _, said = running.communicate()
    assert running.returncode == 128 + number
    assert said == "tune: stopped; the same command continues\n"
    assert not list(folder.glob("*.part")) and not (folder / "201.tg").exists()
    assert read_file(folder / "101.tg").header.count < 100
    once = (folder / "1.tg").stat().st_mtime_ns
    (program,) = build_programs("selfplay")
    plan = read_recipe(tmp_path / "recipe.toml", 1)
    tune_program.play_all(program, plan, tmp_path / "out", 1)
    tune_program.play_all(program, plan, tmp_path / "whole", 1)
    for path in (tmp_path / "whole").rglob("*.tg"):
        assert (folder / path.name).read_bytes() == path.read_bytes()
    assert (folder / "1.tg").stat().st_mtime_ns == once


def test_a_program_that_was_stopped_alone_ends_the_run(tmp_path: Path) -> None:
    write_program(tmp_path / "player", "#!/bin/sh\n")
    (tmp_path / "recipe.toml").write_text(RECIPE)
    plan = read_recipe(tmp_path / "recipe.toml", 1)
    with pytest.raises(ChunkError, match="selfplay was stopped before its last game"):
        tune_program.play_all(tmp_path / "player", plan, tmp_path / "out", 1)


def test_a_signal_ends_the_programs_of_a_pipe(tmp_path: Path) -> None:
    sleeper = tmp_path / "sleeper"
    write_program(sleeper, "#!/bin/sh\nexec sleep 60\n")

    def end(number: int, _: object) -> None:
        raise Stopped(number)

    before = signal.signal(signal.SIGALRM, end)
    begin = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Stopped):
            tune_program.pour([str(sleeper)], [], sleeper)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < 30


def test_a_failure_of_the_games_is_named(root: Path, tmp_path: Path) -> None:
    """The other chunks do not start."""
    folder = tmp_path / "out" / "games" / "0-9-60"
    (folder / "1.tg.part").mkdir(parents=True)
    done = tune(root, tmp_path, RECIPE.replace("games = 120", "games = 5000"))
    assert done.returncode == 1
    assert done.stderr == f"tune: selfplay: {folder / '1.tg.part'}: Is a directory\n"
    assert not (folder / "4901.tg").exists()


def test_a_damaged_file_of_games_is_not_learned_from(
    root: Path, tuned: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    shutil.copytree(tuned[0], tmp_path, dirs_exist_ok=True)
    path = min((tmp_path / "out" / "games").rglob("*.tg"))
    data = bytearray(path.read_bytes())
    data[200] ^= 1
    path.write_bytes(data)
    done = tune(root, tmp_path)
    assert done.returncode == 1 and str(path) in done.stderr and "checksum" in done.stderr


def test_ninuki_learns_what_captures_are_worth(
    root: Path, tuned: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """The recipe gets a further rule; the finished parts are not made again."""
    shutil.copytree(tuned[0], tmp_path, dirs_exist_ok=True)
    done = tune(root, tmp_path, OWN_NINUKI)
    assert done.returncode == 0, done.stderr
    assert "rule 16: value" in done.stdout and "rule 16: moves" in done.stdout
    assert "rule 0: value" not in done.stdout
    ninuki = read_weights(tmp_path / "out" / "weights")["ninuki"]
    assert ninuki.captures is not None and ninuki.network and ninuki.policy is None
    row = ninuki.captures["take"][0]
    assert len(row) == 5 and row[0] == 0 and row[1] > 0


def test_a_fit_stands_on_the_tables_it_is_given(root: Path, tmp_path: Path) -> None:
    """The fit uses the given tables, not those of the library."""
    network, policy = build_programs("network", "policy")
    game = "0 9 1 2 " + "".join(f"{i},{i % 3},40;" for i in range(9)) + "\n"

    def fit(program: Path, weights: Path, games: str) -> str:
        command = [str(program), "1", str(tmp_path / "out.json"), str(weights)]
        done = subprocess.run(command, input=games, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else done.stderr

    games = game * 400
    said = fit(network, build_weights.ASSETS / "freestyle.tgw", games)
    weights = build_weights.read(build_weights.ASSETS / "freestyle.tgw")
    no_threats = [0] * len(weights.scores["threat"])
    other = replace(weights, scores={**weights.scores, "threat": no_threats})
    changed = fit(network, build_weights.write(tmp_path, other), games)
    assert "without it" in said and said != changed
    assert "weights of rule 4" in fit(network, build_weights.ASSETS / "renju.tgw", games)
    assert "not a weights file" in fit(policy, root / "README.md", games)
    bare = build_weights.write(tmp_path, with_network(other, None))
    assert "has no network" in fit(policy, bare, games)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--share", "0"), "argument --share: 0: expected a share"),
        (("--share", "nan"), "argument --share: nan: expected a share"),
        (("--workers", "0"), "argument --workers: 0: expected a number, 1 or more"),
        (("--out", ""), "argument --out: an empty path"),
    ],
)
def test_an_argument_of_the_recipe_is_checked(
    root: Path, options: tuple[str, ...], said: str
) -> None:
    command = [sys.executable, str(root / "training" / "tune.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and said in done.stderr


def test_a_recipe_that_is_wrong_ends_the_run(root: Path, tmp_path: Path) -> None:
    done = tune(root, tmp_path, RECIPE.replace("nodes", "knots"))
    assert done.returncode == 1
    path = tmp_path / "recipe.toml"
    assert done.stderr == f"tune: {path}: set 1: there is no key `knots`\n"
    path.unlink()
    command = [sys.executable, str(root / "training" / "tune.py"), "--recipe", str(path)]
    lost = subprocess.run(command, capture_output=True, text=True, check=False)
    assert lost.returncode == 1 and f"{path}: No such file" in lost.stderr
