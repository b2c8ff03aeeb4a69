"""The trainer: games to a network, reproducible results, and refused input."""

import json
import os
import re
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

import build_weights
from training.gamefiles import build_programs
from training.write_weights import with_network

OPTIONS = ("--batch", "64", "--epochs", "2", "--validation", "4", "--rate", "0.01")
FIGURES = re.compile(r"value ([0-9.]+) .*scaled ([0-9.]+)")


@pytest.fixture(scope="session")
def programs(root: Path) -> dict[str, Path]:
    """The programs by name."""
    names = ("selfplay", "trainer", "trainer_codes", "trainer_check", "judge")
    return dict(zip(names, build_programs(*names), strict=True))


@pytest.fixture(scope="session")
def lines(programs: dict[str, Path]) -> Path:
    """The trainer of lines."""
    return programs["trainer"]


def play(programs: dict[str, Path], target: Path, seed: int, rule: int = 0) -> Path:
    """Makes a file of games of 100 nodes a move."""
    command = [programs["selfplay"], rule, 9, 100, 60, seed, target]
    subprocess.run(list(map(str, command)), check=True)
    return target


@pytest.fixture(scope="session")
def games(programs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two files of games."""
    folder = tmp_path_factory.mktemp("games")
    return [play(programs, folder / f"{n}.tg", 1 + 100 * n) for n in range(2)]


def fit(
    trainer: Path, state: Path, files: list[Path], *more: object
) -> subprocess.CompletedProcess[str]:
    """Runs a fit of some seconds."""
    command = [trainer, state, *files, *OPTIONS, *more]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def losses(said: str) -> list[float]:
    """Returns the loss of each epoch."""
    return [float(loss) for loss in re.findall(r"epoch \d+: loss ([0-9.]+)", said)]


def test_lines_symmetry_and_gradient(programs: dict[str, Path]) -> None:
    done = subprocess.run([programs["trainer_check"]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.split()[0]) > 10000


@pytest.mark.parametrize("name", ["trainer", "trainer_codes"])
def test_a_fit_learns(
    programs: dict[str, Path], name: str, games: list[Path], tmp_path: Path
) -> None:
    done = fit(programs[name], tmp_path / "state", games, "--epochs", "25", "--result-share", "0")
    assert done.returncode == 0, done.stderr
    first, *_, last = losses(done.stdout)
    assert len(losses(done.stdout)) == 25
    assert last < first - 0.01


def test_the_result_does_not_depend_on_the_threads(
    lines: Path, games: list[Path], tmp_path: Path
) -> None:
    states = []
    for threads in (1, 2, 3):
        state = tmp_path / str(threads)
        assert fit(lines, state, games, "--threads", threads).returncode == 0
        states.append(state.read_bytes())
    assert states[0] == states[1] == states[2]
    assert fit(lines, tmp_path / "seed", games, "--seed", "2").returncode == 0
    assert (tmp_path / "seed").read_bytes() != states[0]


def test_an_interrupted_fit_continues_bit_for_bit(
    lines: Path, games: list[Path], tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    more = ("--epochs", "40")
    assert fit(lines, whole, games, *more).returncode == 0
    stops = 0
    for _ in range(1000):
        command = [str(lines), str(cut), *map(str, games), *OPTIONS, *more]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        time.sleep(0.5)
        running.send_signal(signal.SIGTERM)
        said = running.communicate()[0]
        assert running.returncode in (0, -signal.SIGTERM)
        if "stopped after step" in said:
            stops += 1
        elif running.returncode == 0:
            break
        if stops == 3:
            assert fit(lines, cut, games, *more).returncode == 0
            break
    assert stops
    assert cut.read_bytes() == whole.read_bytes()


def test_the_judge_says_of_the_written_network_what_the_trainer_says(
    programs: dict[str, Path], root: Path, games: list[Path], tmp_path: Path
) -> None:
    yardstick = root / "tests" / "data" / "yardstick.txt"
    out = tmp_path / "network.json"
    done = fit(
        programs["trainer_codes"], tmp_path / "s", games, "--yardstick", yardstick, "--out", out
    )
    assert done.returncode == 0, done.stderr
    old = build_weights.read(build_weights.ASSETS / build_weights.file_name(0))
    new = with_network(old, json.loads(out.read_text()))
    weights = build_weights.write(tmp_path, replace(new, shapes=old.shapes, policy=old.policy))
    judged = subprocess.run(
        [str(programs["judge"]), str(yardstick), "--weights", str(weights)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    of_judge = FIGURES.search(next(t for t in judged.splitlines() if t.startswith("freestyle")))
    of_trainer = FIGURES.findall(done.stdout)[-1]
    assert of_judge
    for one, other in zip(of_judge.groups(), of_trainer, strict=True):
        assert abs(float(one) - float(other)) < 0.0008  # whole numbers round


def test_the_network_of_lines_is_written_whole(
    lines: Path, games: list[Path], tmp_path: Path
) -> None:
    out, each = tmp_path / "network.json", tmp_path / "each"
    assert fit(lines, tmp_path / "s", games, "--out", out, "--each", each).returncode == 0
    network = json.loads(out.read_text())
    assert len(network["lines"]) == 3 * 7260
    assert {len(row) for row in network["lines"]} == {16}
    assert max(abs(v) for row in network["lines"] for v in row) <= 96
    assert [len(network[name]) for name in ("hidden", "second", "out", "out_bias")] == [
        64,
        32,
        3,
        3,
    ]
    assert all(float(loss) >= 0 for loss in each.read_text().split())


def damaged(kind: str, good: Path, folder: Path, programs: dict[str, Path]) -> tuple[Path, str]:
    """Returns an unusable file, and the trainer's message."""
    path = folder / f"{kind}.tg"
    data = bytearray(good.read_bytes())
    if kind == "cut":
        path.write_bytes(data[:-20])
        return path, "is cut short or damaged"
    if kind == "sum":
        data[-1] ^= 1
        path.write_bytes(data)
        return path, "has a wrong checksum"
    if kind == "version":
        data[8] = 9
        path.write_bytes(data)
        return path, "is of another version"
    if kind == "rule":
        return play(programs, path, 1, rule=1), "is of another rule"
    return path, os.strerror(2)


@pytest.mark.parametrize("kind", ["cut", "sum", "version", "rule", "missing"])
def test_damaged_files_are_named_and_refused_or_skipped(
    kind: str, lines: Path, programs: dict[str, Path], games: list[Path], tmp_path: Path
) -> None:
    bad, why = damaged(kind, games[0], tmp_path, programs)
    refused = fit(lines, tmp_path / "state", [*games, bad])
    assert refused.returncode == 1
    assert f"trainer: {bad} {why}" in refused.stderr
    assert not (tmp_path / "state").exists()
    assert fit(lines, tmp_path / "good", games).returncode == 0
    skipped = fit(lines, tmp_path / "state", [games[0], bad, games[1]], "--skip")
    assert skipped.returncode == 0
    assert f"{bad} {why}" in skipped.stderr
    assert "; skipped" in skipped.stderr
    assert (tmp_path / "state").read_bytes() == (tmp_path / "good").read_bytes()


def test_a_state_of_another_fit_is_refused(
    programs: dict[str, Path], lines: Path, games: list[Path], tmp_path: Path
) -> None:
    state = tmp_path / "state"
    assert fit(lines, state, games).returncode == 0
    for trainer, files, more, why in [
        (lines, games, ("--seed", "5"), "is of a fit with other options"),
        (lines, games[:1], (), "is of a fit to other games"),
        (programs["trainer_codes"], games, (), "is of a network of another shape"),
    ]:
        done = fit(trainer, state, files, *more)
        assert done.returncode == 1
        assert done.stderr == f"trainer: {state} {why}\n"
    data = state.read_bytes()
    for name, bad, why in [
        ("short", data[:-9], "is cut short"),
        ("bit", data[:500] + bytes([data[500] ^ 1]) + data[501:], "has a wrong checksum"),
        ("long", data + b"x", "has a wrong checksum"),
        ("text", b"x" * len(data), "is no state of a fit"),
    ]:
        path = tmp_path / name
        path.write_bytes(bad)
        done = fit(lines, path, games)
        assert done.returncode == 1
        assert done.stderr == f"trainer: {path} {why}\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--epochs", "0"), "--epochs needs a number from 1 to 1000"),
        (("--rate", "nan"), "--rate needs a number from 0 to 1"),
        (("--result-share", "1.5"), "--result-share needs a number from 0 to 1"),
        (("--batch", "30"), "--batch needs a multiple of 4"),
        (("--threads",), "--threads needs a value"),
        (("--speed", "3"), "--speed is no option"),
    ],
)
def test_bad_options_are_named(
    lines: Path, games: list[Path], tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    done = fit(lines, tmp_path / "state", games, *arguments)
    assert done.returncode == 2
    assert done.stderr == f"trainer: {why}\n"
