"""The fit of the policy network: its input, its state after an interruption, the yardstick."""

import json
import re
import signal
import struct
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import build_weights
from tests.support.fits import changed, check_interrupted, command_of, fit, with_sum
from tests.support.selfplay import play, said
from training.gamefiles import build_programs
from training.write_weights import with_policy

FREESTYLE = build_weights.ASSETS / "freestyle.tgw"
RENJU = build_weights.ASSETS / "renju.tgw"
VERSION, SHAPE, START, STEPS = 8, 12, 80, 96  # places in the header of a state
FIGURES = re.compile(r"order +[0-9]+ loss [0-9.]+ first [0-9.]+")


@pytest.fixture(scope="module")
def policy(root: Path) -> Path:
    """The program that fits the policy network."""
    return build_programs("policy")[0]


@pytest.fixture(scope="module")
def files(player: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A file of games, and one of nodes of their searches."""
    folder = tmp_path_factory.mktemp("games")
    games = play(player, folder / "games.tg", count=200)
    nodes = [build_programs("nodes")[0], games, folder / "nodes.tg", "--nodes", 300]
    subprocess.run([*map(str, nodes), "--label-nodes", "200"], check=True, capture_output=True)
    return [games, folder / "nodes.tg"]


@pytest.fixture(scope="module")
def games(files: list[Path]) -> Path:
    """A list of these files."""
    path = files[0].with_name("list.txt")
    path.write_text("".join(f"{file}\n" for file in files))
    return path


@pytest.fixture(scope="module")
def state(policy: Path, games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state of a complete fit with two threads."""
    out = tmp_path_factory.mktemp("state") / "a.json"
    assert fit(command_of(policy, out, "--games", games)).returncode == 0
    return out.with_suffix(".state")


def test_the_state_does_not_depend_on_the_threads(
    policy: Path, games: Path, state: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.json"
    done = fit(command_of(policy, out, "--games", games, "--threads", 1))
    assert re.search(r"^ +[1-9]\d* positions/s$", done.stdout, re.MULTILINE), done.stderr
    assert out.with_suffix(".state").read_bytes() == state.read_bytes()
    assert out.read_bytes() == state.with_suffix(".json").read_bytes()


def test_files_of_games_give_the_same_fit_as_their_text(
    policy: Path, reader: Path, files: list[Path], state: Path, tmp_path: Path
) -> None:
    """Moves that the search did not choose are no samples."""
    text = said(reader, "print", *files).stdout
    found = []
    for given in (text, text.replace("!", "")):
        out = tmp_path / "a.json"
        command = [str(policy), "1", str(out), str(FREESTYLE)]
        done = subprocess.run(command, input=given, text=True, check=True, capture_output=True)
        found.append((out.read_bytes(), int(done.stdout.split()[1])))
    assert found[0][0] == state.with_suffix(".json").read_bytes() != found[1][0]
    assert "!" in text and found[0][1] < found[1][1]


def test_a_file_of_games_with_a_fault_is_named(
    policy: Path, player: Path, files: list[Path], tmp_path: Path
) -> None:
    bad, other = tmp_path / "bad.tg", play(player, tmp_path / "other.tg", count=3, rule=1)
    bad.write_bytes(files[0].read_bytes()[:-1])
    for path, why in ((bad, "is cut short or damaged"), (other, "is of another rule")):
        (tmp_path / "list.txt").write_text(f"{files[0]}\n{path}\n")
        done = fit(command_of(policy, tmp_path / "a.json", "--games", tmp_path / "list.txt"))
        assert done.returncode == 1 and done.stderr == f"policy: {path} {why}\n"
    assert not (tmp_path / "a.json").exists()


def test_an_interrupted_fit_continues_bit_for_bit(
    policy: Path, games: Path, yardstick: Path, tmp_path: Path
) -> None:
    """A killed fit continues, too, after the last step that it saved."""
    many = tmp_path / "list.txt"
    many.write_text(games.read_text() * 4)
    options = ("--games", many, "--yardstick", yardstick)

    def command(out: Path, *more: object) -> list[str]:
        return command_of(policy, out, *options, *more, epochs=4)

    moments = (
        ("policy:", signal.SIGTERM),
        ("positions/s", signal.SIGINT),
        ("continued", signal.SIGKILL),
        ("positions/s", signal.SIGTERM),
    )
    check_interrupted(command, tmp_path, moments, 128)


def test_a_full_disk_keeps_the_old_state(policy: Path, games: Path, tmp_path: Path) -> None:
    """With 0 minutes the fit is saved after each step."""
    state = tmp_path / "a.state"
    command = command_of(policy, tmp_path / "a.json", "--games", games, "--save-minutes", 0)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
        while not state.exists():
            assert running.poll() is None
            time.sleep(0.001)
        running.kill()
    before = state.read_bytes()
    (step,) = struct.unpack_from("<Q", before, STEPS)
    limited = ["bash", "-c", 'ulimit -f 4; exec "$@"', "-", *command]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    kept = f"File too large; the state of step {step} is kept"
    assert done.returncode == 1 and state.read_bytes() == before
    assert done.stderr == f"policy: {state} cannot be written: {kept}\n"
    assert not state.with_name("a.state.part").exists()


def test_only_one_fit_uses_a_state(policy: Path, tmp_path: Path) -> None:
    command = command_of(policy, tmp_path / "a.json")
    with subprocess.Popen(command, stdin=subprocess.PIPE) as running:
        while not (tmp_path / "a.state.lock").exists():
            assert running.poll() is None
            time.sleep(0.01)
        second = fit(command)
        running.kill()
    assert second.returncode == 1
    assert second.stderr == f"policy: {tmp_path / 'a.state'} is in use by another fit\n"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: b"TGFIT" + data[5:], "is no state of a fit"),
        (lambda data: data[:-1], "is cut short"),
        (lambda data: changed(data, 5000), "is damaged"),
        (lambda data: changed(data, VERSION), "is of another version"),
        (lambda data: with_sum(changed(data, SHAPE)), "is of a network of another shape"),
    ],
)
def test_a_damaged_state_is_refused(
    change: Callable[[bytes], bytes], why: str, policy: Path, state: Path, tmp_path: Path
) -> None:
    """The games are not read before."""
    bad = tmp_path / "a.state"
    data = change(state.read_bytes())
    bad.write_bytes(data)
    done = fit(command_of(policy, tmp_path / "a.json", "--games", tmp_path / "none.txt"))
    assert done.returncode == 1
    assert done.stderr == f"policy: {bad} {why}; remove it to begin anew\n"
    assert bad.read_bytes() == data and not (tmp_path / "a.json").exists()


def test_a_state_of_another_fit_is_refused(
    policy: Path, games: Path, files: list[Path], state: Path, tmp_path: Path
) -> None:
    less = tmp_path / "list.txt"
    less.write_text(f"{files[0]}\n")
    shipped = build_weights.read(FREESTYLE)
    no_threats = [0] * len(shipped.scores["threat"])
    other = replace(shipped, scores={**shipped.scores, "threat": no_threats})
    weights = str(build_weights.write(tmp_path, other))
    own = tmp_path / "a.state"
    usual = command_of(policy, own.with_suffix(".json"), "--games", games)
    unread = [*usual, "--games", str(tmp_path / "none.txt")]
    data = state.read_bytes()
    own.write_bytes(data)
    for command, why in [
        ([unread[0], "2", *unread[2:]], "is of a fit with other options: EPOCHS differs"),
        ([*unread, "--rate", "0.001"], "is of a fit with other options: --rate differs"),
        ([*unread[:3], weights, *unread[4:]], "is of a fit with other weights"),
        ([*usual, "--games", str(less)], "is of a fit to other games"),
    ]:
        done = fit(command)
        assert done.returncode == 1, command
        assert done.stderr == f"policy: {own} {why}; remove it to begin anew\n"
    assert struct.unpack_from("<I", data, START) != (0,), "the checksum of the start"
    own.write_bytes(with_sum(changed(data, START)))
    assert f"{own} is of a fit from another network" in fit(usual).stderr
    own.write_bytes(data)
    assert fit(usual).returncode == 0


def test_the_judge_says_the_same_of_the_written_network(
    policy: Path, player: Path, yardstick: Path, tmp_path: Path
) -> None:
    """Under renju each colour has shapes of its own."""
    path = play(player, tmp_path / "a.tg", count=150, rule=4, size=15)
    (tmp_path / "list.txt").write_text(f"{path}\n")
    out = tmp_path / "a.json"
    command = [policy, 2, out, RENJU, "--games", tmp_path / "list.txt", "--yardstick", yardstick]
    done = fit(list(map(str, command)))
    assert done.returncode == 0, done.stderr
    new = with_policy(build_weights.read(RENJU), json.loads(out.read_text()))
    weights = build_weights.write(tmp_path, new)
    judge = [str(build_programs("judge")[0]), str(yardstick), "--weights", str(weights)]
    judged = subprocess.run(judge, capture_output=True, text=True, check=True).stdout
    of_judge = FIGURES.search(next(t for t in judged.splitlines() if t.startswith("renju")))
    of_fit = FIGURES.findall(done.stdout)
    assert of_judge and len(of_fit) == 2 and of_fit[0] != of_fit[1] == of_judge[0]


def test_a_yardstick_without_the_rule_is_named_before_the_games(
    policy: Path, tmp_path: Path
) -> None:
    (tmp_path / "y.txt").write_text("32 15 hhihhi 10 ih\n")
    options = ("--games", tmp_path / "none.txt", "--yardstick", tmp_path / "y.txt")
    done = fit(command_of(policy, tmp_path / "a.json", *options))
    assert done.returncode == 1
    assert done.stderr == f"policy: {tmp_path}/y.txt has no position of the rule of the weights\n"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--threads", "3"), "--threads cannot be '3'"),
        (("--threads", "0"), "--threads cannot be '0'"),
        (("--save-minutes", "nan"), "--save-minutes cannot be 'nan'"),
        (("--lines", "1"), "--lines is unknown"),
        (("--state",), "--state needs a value"),
        (("--state", ""), "--state cannot be ''"),
        (("--rate", "0"), "--rate cannot be '0'"),
        (("--rate", "nan"), "--rate cannot be 'nan'"),
        (("start.json",), "start.json is unknown"),
    ],
)
def test_a_bad_argument_is_named(
    options: tuple[str, ...], why: str, policy: Path, tmp_path: Path
) -> None:
    done = fit([str(policy), "1", str(tmp_path / "a.json"), str(FREESTYLE), *options])
    assert done.returncode == 2 and done.stderr.startswith(f"policy: {why}\nusage: policy EPOCHS")
