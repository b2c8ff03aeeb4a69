"""SPSA (training/spsa.py), and the games between searches that it plays."""

import json
import runpy
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pyengine import Engine, Rule
from tests.support.search_sides import Side
from training import search_games
from training.search_games import Board, Player, play_game

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
