"""From games to weights: the tools of training/, on a recipe of a few seconds."""

import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import build_weights
from pyengine import Engine, Limits, Rule
from tests.support.commands import write_program
from tests.support.recipes import RECIPE
from tests.support.search_sides import Side
from training import search_games
from training import tune as tune_program
from training.chunk import ChunkError
from training.fitters import Stopped, fit_games, run_fit
from training.gamefiles import build_programs, read_file
from training.recipe import read_recipe
from training.search_games import Board, Player, play_game
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


SPSA = """\
nodes = 400
rate = 0.01
boards = [["freestyle_15", 0, 15]]

[numbers]
rfp_step = [70, 12, 0, 1000]
move_count_base = [5, 1.5, 0, 100]
"""


def spsa(root: Path, folder: Path, config: str, pairs: int) -> subprocess.CompletedProcess[str]:
    """Tunes by a number of pairs of games in all."""
    (folder / "spsa.toml").write_text(config)
    command = [sys.executable, root / "training" / "spsa.py", folder / "spsa.toml"]
    command += [folder / "spsa.jsonl", "--pairs", str(pairs)]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def test_numbers_follow_the_games_and_on_where_they_were(root: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    assert spsa(root, whole, SPSA, 12).returncode == 0
    done = json.loads((whole / "spsa.jsonl").read_text())
    assert done["pairs"] == 12
    assert done["values"] != {"rfp_step": 70.0, "move_count_base": 5.0}

    assert spsa(root, tmp_path, SPSA, 6).returncode == 0
    assert spsa(root, tmp_path, SPSA, 12).returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "spsa.jsonl").read_text().splitlines()]
    assert [line["pairs"] for line in lines] == [6, 12]
    again = spsa(root, tmp_path, SPSA, 12)
    assert again.returncode == 0 and "all 12 pairs have been played" in again.stdout
    assert (tmp_path / "spsa.jsonl").read_text().count("\n") == 2
    other = spsa(root, tmp_path, SPSA.replace("[70,", "[60,"), 20)
    assert other.returncode == 1 and "spsa.jsonl: line 1 is of another config" in other.stderr


def test_a_run_that_was_cut_off_goes_on_with_its_values(root: Path, tmp_path: Path) -> None:
    tool = runpy.run_path(str(root / "training" / "spsa.py"), run_name="spsa")
    path = tmp_path / "spsa.jsonl"
    values = {"rfp_step": 81.5, "move_count_base": 4.25}
    digest = tool["Journal"](tmp_path / "other.jsonl", tomllib.loads(SPSA), first="pairs").digest
    line = {"pairs": 7, "won": -3, "config": digest, "values": values}
    path.write_text(json.dumps(line) + "\n" + json.dumps(line)[:20])
    tuning = tool["Tuning"](tomllib.loads(SPSA), path, 10)
    assert (tuning.done, tuning.won) == (7, -3)
    assert tuning.values == values
    with pytest.raises(tool["JournalError"], match="another run is writing"):
        tool["Tuning"](tomllib.loads(SPSA), path, 10)
    tuning.learn({"rfp_step": 1, "move_count_base": 1}, 0)
    tuning.report()
    tuning.report()  # no news
    first, second = map(json.loads, path.read_text().splitlines())
    assert first == line and (second["pairs"], second["values"]) == (8, values)


@pytest.mark.parametrize("text", ["my notes", "line 1\nmy notes", '{"a":1}\n'])
def test_a_file_of_something_else_is_left_alone(root: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "spsa.jsonl").write_text(text)
    done = spsa(root, tmp_path, SPSA, 1)
    assert done.returncode == 1 and "spsa.jsonl: not a journal of this program" in done.stderr
    assert (tmp_path / "spsa.jsonl").read_text() == text


def test_a_worker_that_fails_ends_the_run(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results of the other workers are written."""
    tool = runpy.run_path(str(root / "training" / "spsa.py"), run_name="spsa")
    tuning = tool["Tuning"](tomllib.loads(SPSA), tmp_path / "spsa.jsonl", 10**9)
    first = threading.Event()

    def work(tuning: Any) -> None:
        if not first.is_set():
            first.set()
            while tuning.done < 3:
                time.sleep(0.001)
            raise MemoryError("no engine")
        while tuning.next_pair():
            tuning.learn({"rfp_step": 1, "move_count_base": 1}, 1)
            time.sleep(0.001)

    monkeypatch.setitem(tool["run"].__globals__, "work", work)
    with pytest.raises(MemoryError, match="no engine"):
        tool["run"](tuning, 2)
    lines = (tmp_path / "spsa.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["pairs"] == tuning.done >= 3


class Chance:
    """Replaces random.Random: every parameter moves up and is rounded down."""

    def choice(self, options: Any) -> Any:
        return options[-1]

    def random(self) -> float:
        return 0.0


def test_a_number_goes_towards_the_side_that_won(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The side with the higher value wins with either colour."""
    tool = runpy.run_path(str(root / "training" / "spsa.py"), run_name="spsa")
    config = tomllib.loads(SPSA.replace("[5, 1.5, 0, 100]", "[5, 1.5, 0, 6]"))
    tuning = tool["Tuning"](config, tmp_path / "spsa.jsonl", 400)
    work = tool["work"]
    played = []

    def play_game(black: Side, white: Side, stones: int, nodes: int) -> int:
        played.append(stones)
        return 1 if black.values["rfp_step"] > white.values["rfp_step"] else -1

    monkeypatch.setitem(work.__globals__, "Player", Side)
    monkeypatch.setattr(search_games, "play_game", play_game)
    pairs = iter([Chance(), Chance(), None])
    monkeypatch.setattr(tuning, "next_pair", lambda: next(pairs))
    work(tuning)
    assert tuning.won == 4 and len(played) == 4
    first = tuning.values["rfp_step"] - 70
    assert first > 0 and tuning.values["move_count_base"] > 5

    for _ in range(300):
        before = tuning.values["rfp_step"]
        tuning.learn({"rfp_step": 1, "move_count_base": 1}, 2)
    assert tuning.values["rfp_step"] - before < first / 4, "the steps shrink"
    assert tuning.values["move_count_base"] == 6, "its upper bound"


def test_a_proven_score_ends_a_game() -> None:
    players = Player(1), Player(1)
    board = Board(Rule.FREESTYLE, 9, ())
    three = ((0, 0), (4, 4), (8, 8), (5, 4), (0, 8), (6, 4))  # White's, open
    # Black has to move, and is lost; White has to move, and wins.
    for opening in ((*three, (8, 0), (7, 4)), (*three, (8, 0))):
        for player in players:
            player.start(board, opening, {})
        assert play_game(players[0], players[1], len(opening), 500) == -1
        for player in players:
            taken = [(x, y) for x in range(9) for y in range(9) if not player.engine.legal((x, y))]
            assert sorted(taken) == sorted(opening), "nothing was played any more"


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (SPSA.replace("rfp_step", "rfp_steps"), "rfp_steps: the engine has no such number"),
        (SPSA.replace("[70, 12,", "[70, 0,"), "rfp_step: [value, step, least, most]"),
        (SPSA.replace("[5, 1.5, 0", "[5, 1.5, 6"), "move_count_base: [value, step, least, most]"),
        (SPSA.replace("nodes = 400\n", ""), "'nodes' is missing"),
        (SPSA.replace("[70, 12, 0, 1000]", "[70, 12, 0, 99999]"), "must be from 0 to 10000"),
        (SPSA.replace("freestyle_15", "freestyle_16"), "freestyle_16.txt"),
        (SPSA.replace("[numbers]", "[numbers"), "spsa.toml"),
    ],
)
def test_a_tuning_that_is_wrong_is_named(
    root: Path, tmp_path: Path, config: str, said: str
) -> None:
    done = spsa(root, tmp_path, config, 1)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("spsa", Rule.FREESTYLE),
        ("spsa", Rule.STANDARD),
        ("spsa_renju", Rule.RENJU),
        ("spsa_caro", Rule.CARO),
        ("spsa_caro", Rule.CARO_STANDARD),
        ("spsa_ninuki", Rule.NINUKI),
    ],
)
def test_a_run_begins_at_the_numbers_that_ship(root: Path, name: str, rule: Rule) -> None:
    """The start values of a run equal the shipped parameters."""
    with Engine(memory_mib=1) as engine:
        numbers = {option.name: option.default for option in engine.options(rule)}
    config = tomllib.loads((root / "training" / f"{name}.toml").read_text())
    begins = {key: row[0] for key, row in config["numbers"].items()}
    assert begins == {key: numbers[key] for key in begins}
