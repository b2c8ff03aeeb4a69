"""The fit of the value network: its gradient, its state after an interruption, the yardstick."""

import json
import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import build_weights
from tests.support.fits import changed, check_interrupted, command_of, fit, stop, with_sum
from tests.support.selfplay import play
from training.gamefiles import build_programs
from training.write_weights import network_of, with_network

FREESTYLE = build_weights.ASSETS / "freestyle.tgw"
FIGURES = re.compile(r"value .* by [0-9.]+")
VERSION, SHAPE, STEPS = 8, 12, 96  # places in the header of a state


@pytest.fixture(scope="module")
def games(player: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list of two files of games."""
    folder = tmp_path_factory.mktemp("games")
    paths = [play(player, folder / f"{n}.tg", "--engine", str(n), count=110) for n in (1, 2)]
    (folder / "list.txt").write_text("".join(f"{path}\n" for path in paths))
    return folder / "list.txt"


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped network, which has the last stones."""
    path = tmp_path_factory.mktemp("start") / "start.json"
    path.write_text(json.dumps(network_of(build_weights.read(FREESTYLE))))
    return path


def test_the_gradient_and_the_scores_of_the_engine(root: Path) -> None:
    check = build_programs("network_check")[0]
    done = subprocess.run([check], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.split()[0]) > 10000


def test_the_state_does_not_depend_on_the_threads(
    fitter: Path, games: Path, start: Path, tmp_path: Path
) -> None:
    states = []
    for threads in (1, 2):
        out = tmp_path / f"{threads}.json"
        options = (start, "--games", games, "--lines", 2, "--threads", threads)
        done = fit(command_of(fitter, out, *options))
        assert done.returncode == 0, done.stderr
        assert re.search(r"^ +[1-9]\d* positions/s$", done.stdout, re.MULTILINE)
        states.append(out.with_suffix(".state").read_bytes())
    assert states[0] == states[1]


def test_an_interrupted_fit_continues_bit_for_bit(
    fitter: Path, games: Path, start: Path, yardstick: Path, tmp_path: Path
) -> None:
    """A killed fit continues, too, after the last step that it saved."""
    options = (start, "--games", games, "--lines", 2, "--yardstick", yardstick)

    def command(out: Path, *more: object) -> list[str]:
        return command_of(fitter, out, *options, *more, epochs=5)

    moments = (
        ("network:", signal.SIGTERM),
        ("positions/s", signal.SIGINT),
        ("positions/s", signal.SIGKILL),
        ("positions/s", signal.SIGTERM),
    )
    last = check_interrupted(command, tmp_path, moments, 1024)
    network = (tmp_path / "cut.json").read_bytes()
    again = fit(last)
    assert again.returncode == 0 and (tmp_path / "cut.json").read_bytes() == network


def steps_of(state: Path) -> int:
    """Returns the steps that a state has."""
    return int(struct.unpack_from("<Q", state.read_bytes(), STEPS)[0])


def test_a_fit_is_saved_during_an_epoch(
    fitter: Path, games: Path, start: Path, tmp_path: Path
) -> None:
    """A failed write and a signal keep the steps, too."""
    many = tmp_path / "list.txt"
    many.write_text(games.read_text() * 10)
    state = tmp_path / "a.state"
    command = command_of(fitter, tmp_path / "a.json", start, "--games", many)
    often = [*command, "--save-minutes", "0"]
    with subprocess.Popen(often, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        batches = int(running.stdout.readline().split()[1]) // 1024
        while not state.exists():
            assert running.poll() is None
            time.sleep(0.01)
        running.kill()
    before, steps = state.read_bytes(), steps_of(state)
    assert 0 < steps < batches
    failed = subprocess.run(
        ["sh", "-c", 'ulimit -f 4096; exec "$@"', "sh", *often],
        capture_output=True,
        text=True,
        check=False,
    )
    assert failed.returncode == 1 and state.read_bytes() == before
    kept = f"File too large; the state of step {steps} is kept\n"
    assert failed.stderr == f"network: {state} cannot be written: {kept}"
    assert not (tmp_path / "a.state.part").exists()
    said, is_stopped = stop(command, signal.SIGTERM, after="continued after step")
    assert is_stopped and f"continued after step {steps} of" in said
    assert steps < steps_of(state) < batches


def test_only_one_fit_uses_a_state(fitter: Path, tmp_path: Path) -> None:
    """The lock ends with its process, also if that is killed."""
    command = command_of(fitter, tmp_path / "a.json")
    with subprocess.Popen(command, stdin=subprocess.PIPE) as running:
        while not (tmp_path / "a.state.lock").exists():
            assert running.poll() is None
            time.sleep(0.01)
        second = fit(command)
        running.kill()
    assert second.returncode == 1
    assert second.stderr == f"network: {tmp_path / 'a.state'} is in use by another fit\n"
    assert "0 positions" in fit(command).stderr


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("none/a.state", "none/a.state.lock cannot be written: No such file or directory"),
        ("folder", "folder cannot be read"),
    ],
)
def test_a_place_without_a_state_is_named_before_the_games(
    state: str, why: str, fitter: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    command = command_of(fitter, tmp_path / "a.json", "--games", tmp_path / "none.txt")
    done = fit([*command, "--state", str(tmp_path / state)])
    assert done.returncode == 1 and done.stderr == f"network: {tmp_path}/{why}\n"


@pytest.fixture(scope="module")
def state(fitter: Path, games: Path, start: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state of a complete fit."""
    out = tmp_path_factory.mktemp("state") / "a.json"
    assert fit(command_of(fitter, out, start, "--games", games, "--lines", 2)).returncode == 0
    return out.with_suffix(".state")


def test_a_signal_does_not_cut_the_network_short(
    fitter: Path, games: Path, start: Path, state: Path, tmp_path: Path
) -> None:
    """A pipe in place of the new file holds the program in the middle of the write."""
    out = tmp_path / "a.json"
    out.with_suffix(".state").write_bytes(state.read_bytes())
    os.mkfifo(tmp_path / "a.json.part")
    pipe = os.open(tmp_path / "a.json.part", os.O_RDONLY | os.O_NONBLOCK)
    command = command_of(fitter, out, start, "--games", games, "--lines", 2)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
        assert select.select([pipe], [], [], 60)[0]
        running.send_signal(signal.SIGTERM)
        os.set_blocking(pipe, True)
        with os.fdopen(pipe) as file:
            assert json.load(file)["lines"]
    assert running.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: b"", "is no state of a fit"),
        (lambda data: b"x" * len(data), "is no state of a fit"),
        (lambda data: data[:50], "is cut short"),
        (lambda data: data[:-1], "is cut short"),
        (lambda data: data + b"x", "is damaged"),
        (lambda data: changed(data, 5000), "is damaged"),
        (lambda data: changed(data, SHAPE), "is damaged"),
        (lambda data: changed(data, VERSION), "is of another version"),
        (lambda data: with_sum(changed(data, SHAPE)), "is of a network of another shape"),
    ],
)
def test_a_damaged_state_is_refused(
    change: Callable[[bytes], bytes],
    why: str,
    fitter: Path,
    start: Path,
    state: Path,
    tmp_path: Path,
) -> None:
    """The games are not read before."""
    bad = tmp_path / "a.state"
    data = change(state.read_bytes())
    bad.write_bytes(data)
    options = (start, "--lines", 2, "--games", tmp_path / "none.txt")
    done = fit(command_of(fitter, tmp_path / "a.json", *options))
    assert done.returncode == 1
    assert done.stderr == f"network: {bad} {why}; remove it to begin anew\n"
    assert bad.read_bytes() == data and not (tmp_path / "a.json").exists()


def test_a_state_of_another_fit_is_refused(
    fitter: Path, games: Path, start: Path, state: Path, tmp_path: Path
) -> None:
    less = tmp_path / "list.txt"
    less.write_text("".join(games.read_text().splitlines(keepends=True)[:1]))
    shipped = build_weights.read(FREESTYLE)
    no_threats = [0] * len(shipped.scores["threat"])
    other = replace(shipped, scores={**shipped.scores, "threat": no_threats})
    weights = str(build_weights.write(tmp_path, other))
    usual = command_of(fitter, state.with_suffix(".json"), start, "--games", games, "--lines", 2)
    unread = [*usual, "--games", str(tmp_path / "none.txt")]
    other_options = "is of a fit with other options: {} differs"
    for command, why in [
        ([*unread, "--result-share", "0.6"], other_options.format("--result-share")),
        ([*unread, "--lines", "3"], other_options.format("--lines")),
        ([*unread, "--rate", "0.001"], other_options.format("--rate")),
        ([*unread, "--recent", "3"], other_options.format("--recent")),
        ([*unread, "--squares", "keep"], other_options.format("--squares")),
        ([unread[0], "2", *unread[2:]], other_options.format("EPOCHS")),
        ([*unread[:3], weights, *unread[4:]], "is of a fit with other weights"),
        ([*usual, "--games", str(less)], "is of a fit to other games"),
        ([*usual[:4], *usual[5:], "--recent", "1"], "is of a fit from another network"),
    ]:
        done = fit(command)
        assert done.returncode == 1, command
        assert done.stderr == f"network: {state} {why}; remove it to begin anew\n"
    assert fit([*usual, "--threads", "1"]).returncode == 0


def test_the_judge_says_the_same_of_the_written_network(
    fitter: Path, games: Path, start: Path, yardstick: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.json"
    options = (start, "--games", games, "--lines", 2, "--yardstick", yardstick)
    done = fit(command_of(fitter, out, *options))
    assert done.returncode == 0, done.stderr
    old = build_weights.read(FREESTYLE)
    new = with_network(old, json.loads(out.read_text()))
    weights = build_weights.write(tmp_path, replace(new, shapes=old.shapes, policy=old.policy))
    judge = [str(build_programs("judge")[0]), str(yardstick), "--weights", str(weights)]
    judged = subprocess.run(judge, capture_output=True, text=True, check=True).stdout
    of_judge = FIGURES.search(next(t for t in judged.splitlines() if t.startswith("freestyle")))
    of_fit = FIGURES.search(done.stdout)
    assert of_judge and of_fit and of_judge[0] == of_fit[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (None, "y.txt: Is a directory"),
        ("", "y.txt:1: no position of a yardstick"),
        ("32 15 hhihhi 10 ih\n", "y.txt has no position of the rule"),
        ("0 15 hhihhh 10 ih\n", "y.txt:1: a position that cannot be played"),
        ("0 15 hh\n", "y.txt:1: no position of a yardstick"),
        ("7 15 hhihhi 10 ih\n", "y.txt:1: no position of a yardstick"),
    ],
)
def test_a_yardstick_that_does_not_fit(
    line: str | None, said: str, fitter: Path, tmp_path: Path
) -> None:
    """It is named before the games are read."""
    path = tmp_path / "y.txt"
    path.mkdir() if line is None else path.write_text(line)
    options = ("--games", tmp_path / "none.txt", "--yardstick", path)
    done = fit(command_of(fitter, tmp_path / "a.json", *options))
    assert done.returncode == 1 and said in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("--rate", rate) for rate in ("0", "1e-8", "0.11", "-1", "nan", "inf", "fast")),
        ("--save-minutes", "nan"),
        ("--save-minutes", "-1"),
        ("--lines", "1x"),
        ("--threads", "9"),
        ("--positions", "-5"),
        ("--squares", "all"),
        ("EPOCHS", "2x"),
    ],
)
def test_a_bad_argument_is_named(name: str, value: str, fitter: Path, tmp_path: Path) -> None:
    command = command_of(fitter, tmp_path / "a.json")
    command = [*command, name, value] if name != "EPOCHS" else [command[0], value, *command[2:]]
    done = fit(command)
    assert done.returncode == 2
    assert done.stderr.startswith(f"network: {name} cannot be '{value}'\n")
