"""The driver of generations: manifests, folders, interrupted runs and clusters."""

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.generations import MANIFEST, agree, driver_command, generate, made
from training.gamefiles import GamesError, read_contents, read_file


def test_a_generation_is_made_and_goes_on(root: Path, tmp_path: Path) -> None:
    first = generate(root, tmp_path)
    assert first.returncode == 0, first.stderr
    assert "positions/s" in first.stdout
    agree(tmp_path)
    rows = {row["seed"]: row for row in made(tmp_path)}
    black = rows[1_000_000_000]["positions"] / 2 / rows[2_000_000_000]["positions"]
    assert 0.5 < black < 2, "shares of the positions"
    assert (tmp_path / "small.toml").read_text().startswith(MANIFEST.rstrip())
    before = {path.name for path in (tmp_path / "games" / "small").glob("*.tg")}

    again = generate(root, tmp_path, "--positions", "4000", "--workers", "2", text=None)
    assert again.returncode == 0, again.stderr
    agree(tmp_path)
    after = {path.name for path in (tmp_path / "games" / "small").glob("*.tg")}
    assert before < after


def test_games_that_were_carried_away_are_not_made_again(root: Path, tmp_path: Path) -> None:
    """The manifest alone knows which seeds were used."""
    assert generate(root, tmp_path).returncode == 0
    used = [tuple(pair) for row in made(tmp_path) for pair in row["seeds"]]
    for path in (tmp_path / "games" / "small").glob("*.tg"):
        path.unlink()
    assert generate(root, tmp_path, "--positions", "4000", text=None).returncode == 0
    for path in (tmp_path / "games" / "small").glob("*.tg"):
        seed = read_file(path).header.seed
        assert not any(first <= seed < after for first, after in used)


def test_files_that_the_manifest_lacks_are_noted(root: Path, tmp_path: Path) -> None:
    """A run was killed between a file and its record."""
    assert generate(root, tmp_path).returncode == 0
    noted = made(tmp_path)
    assert generate(root, tmp_path, "--positions", "1").returncode == 0  # the recipe alone
    assert made(tmp_path) == noted
    agree(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_loses_no_whole_game(
    root: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """After SIGKILL the program finishes its chunk without the driver."""
    text = MANIFEST.replace("chunk = 20", "chunk = 100000").replace("2500", "100000000")
    (tmp_path / "small.toml").write_text(text)
    environment = os.environ | {"TENGEN_GAMES": str(tmp_path / "games")}
    with subprocess.Popen(driver_command(root, tmp_path / "small.toml"), env=environment) as run:
        folder = tmp_path / "games" / "small"
        until = time.monotonic() + 60
        while time.monotonic() < until:
            parts = list(folder.glob("*.tg.part"))
            if parts and parts[0].stat().st_size > 3000:
                break
            time.sleep(0.05)
        written = parts[0].stat().st_size
        run.send_signal(number)
        run.wait(20)
    until = time.monotonic() + 20
    while not list(folder.glob("*.tg")) and time.monotonic() < until:
        time.sleep(0.05)
    (path,) = folder.glob("*.tg")
    assert path.stat().st_size >= written, "whole games were lost"
    assert not list(folder.glob("*.part"))
    count = read_file(path).header.count
    assert 0 < count < 100000
    done = generate(root, tmp_path, "--positions", "1", text=None)
    assert done.returncode == 0
    agree(tmp_path)
    assert sum(row["games"] for row in made(tmp_path)) == count


def test_games_are_played_to_their_end(root: Path, tmp_path: Path) -> None:
    """The header of each file says it."""
    text = f"play_out = true\n{MANIFEST.replace('2500', '300')}"
    done = generate(root, tmp_path, text=text)
    assert done.returncode == 0, done.stderr
    files = list((tmp_path / "games" / "small").glob("*.tg"))
    assert files and all(path.read_bytes()[59] == 0 for path in files)
    assert generate(root, tmp_path, text=MANIFEST.replace("2500", "4000")).returncode == 0
    assert {path.read_bytes()[59] for path in (tmp_path / "games" / "small").glob("*.tg")} == {0, 2}


def test_an_end_of_time(root: Path, tmp_path: Path) -> None:
    text = MANIFEST.replace("chunk = 20", "chunk = 100000").replace("2500", "100000000")
    done = generate(root, tmp_path, "--hours", "0.0006", text=text)  # some two seconds
    assert done.returncode == 0, done.stderr
    agree(tmp_path)
    assert made(tmp_path)


def test_a_damaged_file_of_the_folder_is_named(root: Path, tmp_path: Path) -> None:
    assert generate(root, tmp_path).returncode == 0
    path = min((tmp_path / "games" / "small").glob("*.tg"))
    path.write_bytes(path.read_bytes()[:-10])
    done = generate(root, tmp_path)
    assert done.returncode == 1 and str(path) in done.stderr


def test_two_runs_do_not_share_a_folder(root: Path, tmp_path: Path) -> None:
    import fcntl

    folder = tmp_path / "games" / "small"
    folder.mkdir(parents=True)
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = generate(root, tmp_path)
    assert done.returncode == 1 and "another run" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("rule = 16", "rule = 3", "set 2: rule = 3"),
        ("size = 9", "size = 99", "set 1: size = 99"),
        ("seed = 2_000", "seed = 1_000", "less than"),
        ("nodes = 100", "knots = 100", "set 1"),
        ("positions = 2500", "", "`positions` is missing"),
        ("chunk = 20", "chunk = 0", "chunk = 0: expected a whole number"),
        ("chunk = 20", "mix = [50, 50, 50]", "mix = [50, 50, 50]: expected"),
        ("chunk = 20", "chunks = 20", "no key `chunks`"),
        ("[[set]]", "[[set]", "small.toml"),
    ],
)
def test_a_manifest_that_is_wrong_is_named(
    root: Path, tmp_path: Path, old: str, new: str, text: str
) -> None:
    done = generate(root, tmp_path, text=MANIFEST.replace(old, new, 1))
    assert done.returncode == 1 and text in done.stderr and "Traceback" not in done.stderr


def test_a_cluster_makes_the_games_though_a_worker_dies(
    root: Path, player: Path, cluster: Any, tmp_path: Path
) -> None:
    """The games are those of one machine: no chunk is lost or repeated."""
    text = MANIFEST.replace("nodes = 100", "nodes = 400").replace("2500", "4000")
    (tmp_path / "small.toml").write_text(text)
    environment = os.environ | {"TENGEN_GAMES": str(tmp_path / "games")}
    command = driver_command(
        root, tmp_path / "small.toml", "--scheduler", cluster.scheduler_address
    )
    killed: list[int] = []
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as run:
        while run.poll() is None:
            if not killed and made(tmp_path):
                for process in psutil.Process().children(recursive=True):
                    if process.name() == "selfplay":
                        killed.append(process.ppid())
                        os.kill(process.ppid(), signal.SIGKILL)
                        break
            time.sleep(0.02)
        assert run.stderr
        assert run.returncode == 0, run.stderr.read()
    assert killed, "no worker was at work when it should have been killed"
    agree(tmp_path)
    alone = tmp_path / "alone"
    alone.mkdir()
    assert generate(root, alone, "--positions", "4000", text=text).returncode == 0
    for path in sorted((alone / "games" / "small").glob("*.tg")):
        other = tmp_path / "games" / "small" / path.name
        assert not other.exists() or other.read_bytes() == path.read_bytes()
    names = {path.name for path in (tmp_path / "games" / "small").glob("*.tg")}
    assert len(names & {path.name for path in (alone / "games" / "small").glob("*.tg")}) >= 3


def test_a_cluster_that_is_not_there_is_told(root: Path, tmp_path: Path) -> None:
    done = generate(root, tmp_path, "--scheduler", "nonsense://x")
    assert done.returncode == 1 and "nonsense://x: expected the address" in done.stderr


def test_games_of_another_evaluation_are_refused() -> None:
    with pytest.raises(GamesError, match="other"):
        read_contents(b"TGGAMES\n" + bytes(56), "other")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--workers", "0"),
        ("--positions", "0"),
        ("--positions", "-5"),
        ("--hours", "nan"),
        ("--hours", "inf"),
        ("--until", "25:00"),
        ("--engine", 'a"b'),
        ("--engine", "a-b"),
        ("--engine", "../a"),
        ("--engine", "a" * 17),
    ],
)
def test_an_argument_that_is_wrong_is_named(
    root: Path, tmp_path: Path, option: str, value: str
) -> None:
    done = generate(root, tmp_path, option, value)
    assert done.returncode == 2
    assert f"argument {option}: {value}: expected" in done.stderr


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seed = 1_000_000_000", "seed = 5_000_000_000"),
        ("nodes = 100\nseed = 1", "nodes = 90\nseed = 1"),
    ],
)
def test_another_manifest_of_the_same_name_is_refused(
    root: Path, tmp_path: Path, old: str, new: str
) -> None:
    """Two manifests in different folders would share a folder of games."""
    assert generate(root, tmp_path).returncode == 0
    folder = tmp_path / "games" / "small"
    before = sorted(folder.iterdir())
    other = MANIFEST.replace(old, new)
    assert other != MANIFEST
    done = generate(root, tmp_path, text=other)
    path = min(folder.glob("0-9-100-*.tg"))
    assert done.returncode == 1
    assert done.stderr.startswith(f"generate: {path} is of no set of {tmp_path / 'small.toml'}: ")
    assert sorted(folder.iterdir()) == before
    assert (tmp_path / "small.toml").read_text() == other
    (folder / "of-a-match.tg").write_bytes(path.read_bytes())
    assert generate(root, tmp_path).returncode == 0, "files with names of their own are ignored"


def test_a_file_of_other_games_is_not_recorded(root: Path, tmp_path: Path) -> None:
    """A file of rule 0 has the name of one of rule 16."""
    assert generate(root, tmp_path).returncode == 0
    folder = tmp_path / "games"
    good = next((folder / "small").glob("0-9-100-*-1000000000.tg"))
    wrong = folder / "other" / good.name.replace("0-9-100", "16-9-100").replace("-1000", "-2000")
    wrong.parent.mkdir()
    wrong.write_bytes(good.read_bytes())
    done = generate(root, tmp_path, name="other")
    assert done.returncode == 1
    assert done.stderr == f"generate: {wrong}: its header is not what its name says; remove it\n"
    assert (tmp_path / "other.toml").read_text() == MANIFEST
