"""Games as data: the files of self-play, what reads them, and the driver of generations."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, cast

import psutil
import pytest
from distributed import LocalCluster

import build_weights
from arena.rules.referee import Position, Rule
from training.gamefiles import GamesError, build_programs, read_contents, read_file, read_header
from training.write_weights import network_of, with_network

NODES = 100


@pytest.fixture(scope="session")
def programs(root: Path) -> tuple[Path, Path]:
    """`selfplay` and `games`, built for this machine."""
    player, games = build_programs(root / "build" / "tools", "selfplay", "games")
    return player, games


@pytest.fixture(scope="session")
def player(programs: tuple[Path, Path]) -> Path:
    """The program that plays."""
    return programs[0]


@pytest.fixture(scope="session")
def reader(programs: tuple[Path, Path]) -> Path:
    """The program that reads."""
    return programs[1]


def play(
    player: Path, target: Path, *options: str, count: int = 30, rule: int = 0, size: int = 9
) -> Path:
    """Makes a file of games from seed 1."""
    command = [player, rule, size, NODES, count, 1, target, *options]
    subprocess.run(list(map(str, command)), check=True)
    return target


def said(reader: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs `games`."""
    command = [str(reader), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# --- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9, 16])
def test_games_follow_the_rules(player: Path, reader: Path, tmp_path: Path, rule: int) -> None:
    """The referee plays every game; one that was not adjudicated ends as the file says."""
    path = play(player, tmp_path / "a.tg", "--mix", "60,0,40", rule=rule)
    lines = said(reader, "print", path).stdout.splitlines()
    assert len(lines) == read_file(path).header.count == 30
    ended = 0
    for line in lines:
        number, size, result, opening, moves = line.split(" ", 4)
        assert (int(number), int(size)) == (rule, 9)
        game = Position(size=9, rule=Rule(rule))
        fields = [move.rstrip("!").split(",") for move in moves.rstrip(";").split(";")]
        for x, y, _ in fields:
            game.play((int(x), int(y)))
        assert 3 <= int(opening) < len(fields)
        assert all(score == "0" for _, _, score in fields[: int(opening)])
        if game.is_over:
            ended += 1
            winner = game.winner
            assert int(result) == (0 if winner is None else 1 if winner.name == "BLACK" else -1)
    assert ended or rule == 16


def test_the_same_arguments_make_the_same_file(player: Path, tmp_path: Path) -> None:
    options = ("--mix", "50,0,50", "--engine", "abc")
    first = play(player, tmp_path / "a.tg", *options).read_bytes()
    assert play(player, tmp_path / "b.tg", *options).read_bytes() == first
    assert read_header(first, "a").engine == "abc"


def test_a_plain_build_makes_the_same_games(root: Path, player: Path, tmp_path: Path) -> None:
    import build_core

    builder = build_core.Builder("release", build_core.find_toolchain(), root / "build" / "tools")
    plain = builder.program(root / "training" / "selfplay.c")
    first = play(player, tmp_path / "a.tg").read_bytes()
    assert play(plain, tmp_path / "b.tg").read_bytes() == first


def test_openings_branches_and_variety(player: Path, reader: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("4,4 5,5 4,5\n")
    path = play(player, tmp_path / "a.tg", "--mix", "20,40,40", "--openings", str(book), count=100)
    lines = said(reader, "print", path).stdout.splitlines()
    moves = [line.split(" ", 4)[4] for line in lines]
    row = said(reader, "count", path).stdout.splitlines()[1].split()
    branches, shipped = int(row[11]), int(row[12])
    assert 20 < branches < 60 and 20 < shipped < 60
    assert sum(move.count("!") for move in moves) > 20
    assert len(set(moves)) > 70, "some 40 games leave from the one opening, turned"


def test_a_decided_game_is_adjudicated_as_it_would_end(
    player: Path, reader: Path, tmp_path: Path
) -> None:
    path = play(player, tmp_path / "a.tg", count=60, size=15)
    short = said(reader, "print", path).stdout.splitlines()
    path = play(player, tmp_path / "b.tg", "--play-out", count=60, size=15)
    long = said(reader, "print", path).stdout.splitlines()
    cut = sum(len(a) < len(b) for a, b in zip(short, long, strict=True))
    assert cut > 20
    same = sum(a.split()[2] == b.split()[2] for a, b in zip(short, long, strict=True))
    assert same >= 58  # weak searches may still throw a decided game away
    for a, b in zip(short, long, strict=True):
        assert b.split(" ", 4)[4].startswith(a.split(" ", 4)[4])


def test_a_file_that_was_left_unfinished_goes_on(player: Path, tmp_path: Path) -> None:
    """After any number of bytes, games that are not whole are played anew."""
    whole = play(player, tmp_path / "a.tg", "--mix", "50,0,50", count=10).read_bytes()
    unfinished = bytearray(whole[:-4])
    unfinished[28:32] = bytes(4)  # the number of games
    for size in (0, 10, 64, 65, 300, len(unfinished) - 1, len(unfinished)):
        target = tmp_path / f"{size}.tg"
        target.with_name(f"{size}.tg.part").write_bytes(unfinished[:size])
        assert play(player, target, "--mix", "50,0,50", count=10).read_bytes() == whole
        assert not target.with_name(f"{size}.tg.part").exists()


def test_an_unfinished_file_of_other_games_is_left_alone(player: Path, tmp_path: Path) -> None:
    other = play(player, tmp_path / "b.tg", "--engine", "other", count=3)
    part = tmp_path / "a.tg.part"
    part.write_bytes(other.read_bytes())
    with pytest.raises(subprocess.CalledProcessError):
        play(player, tmp_path / "a.tg", count=3)
    assert part.read_bytes() == other.read_bytes()


def test_two_programs_do_not_write_one_file(player: Path, tmp_path: Path) -> None:
    import fcntl

    part = tmp_path / "a.tg.part"
    with part.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        command = [str(player), "0", "9", "50", "1", "1", str(tmp_path / "a.tg")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "written by another program" in done.stderr
        assert part.stat().st_size == 0
    assert subprocess.run(command, check=True).returncode == 0


def test_a_file_that_was_replaced_is_no_result(player: Path, tmp_path: Path) -> None:
    """Somebody moved the folder away while games were made, and put a copy there."""
    target, part = tmp_path / "a.tg", tmp_path / "a.tg.part"
    command = [str(player), "0", "9", str(NODES), "100000", "1", str(target)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + 30
        while (not part.exists() or part.stat().st_size < 500) and time.monotonic() < until:
            time.sleep(0.01)
        data = part.read_bytes()
        part.unlink()
        part.write_bytes(data)
        running.terminate()
        assert running.stderr
        said_by = running.stderr.read()
    assert running.returncode == 1 and "replaced" in said_by
    assert not target.exists()


def spoiled(data: bytes, how: str) -> bytes:
    """A file with one fault."""
    changed = bytearray(data)
    if how == "cut":
        return data[: len(data) // 2]
    if how == "cut end":
        return data[:-1]
    if how == "header":
        return data[:40]
    if how == "flipped":
        changed[100] ^= 4
    if how == "version":
        changed[8] = 9
    if how == "text":
        return b"0 15 1 3 7,7,0;\n" * 10
    if how == "longer":
        return data + b"x"
    return b"" if how == "empty" else bytes(changed)


FAULTS = {
    "cut": "cut short",
    "cut end": "cut short",
    "header": "cut short",
    "flipped": "checksum|damaged",
    "version": "version",
    "text": "no file of games",
    "longer": "checksum",
    "empty": "no file of games",
}


@pytest.mark.parametrize(("how", "text"), FAULTS.items())
def test_a_damaged_file_is_named_and_refused_or_skipped(
    player: Path, reader: Path, tmp_path: Path, how: str, text: str
) -> None:
    good = play(player, tmp_path / "good.tg", count=5)
    bad = tmp_path / "bad.tg"
    bad.write_bytes(spoiled(good.read_bytes(), how))
    words = text.split("|")
    refused = said(reader, "print", good, bad)
    assert refused.returncode == 1 and refused.stdout == ""
    assert "bad.tg" in refused.stderr and any(word in refused.stderr for word in words)
    skipped = said(reader, "print", "--skip", bad, good)
    assert skipped.returncode == 0 and "bad.tg" in skipped.stderr
    assert skipped.stdout == said(reader, "print", good).stdout
    checked = said(reader, "check", bad, good)
    assert checked.returncode == 1 and "good.tg: good, 5 games" in checked.stdout
    with pytest.raises(GamesError, match=r"bad\.tg"):
        read_file(bad)


def test_a_file_of_another_rule_is_refused(player: Path, reader: Path, tmp_path: Path) -> None:
    path = play(player, tmp_path / "a.tg", count=3, rule=1)
    done = said(reader, "print", "--rule", 0, path)
    assert done.returncode == 1 and "is of another rule" in done.stderr and done.stdout == ""
    assert said(reader, "count", path).stdout.splitlines()[1].startswith("1 9 100 - ")


def test_a_game_that_cannot_be_played_is_refused(
    player: Path, reader: Path, tmp_path: Path
) -> None:
    """With a checksum that is right: somebody wrote it so."""
    import zlib

    data = bytearray(play(player, tmp_path / "a.tg", count=1).read_bytes())
    data[64 + 12 + 4 : 64 + 12 + 6] = data[64 + 12 : 64 + 12 + 2]  # the second move on the first
    data[-4:] = zlib.crc32(data[:-4]).to_bytes(4, "little")
    path = tmp_path / "bad.tg"
    path.write_bytes(data)
    done = said(reader, "check", path)
    assert done.returncode == 1 and "cannot be played" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["0", "9", "100", "1", "1"], "missing"),
        (["3", "9", "100", "1", "1", "a.tg"], "RULE is none of the rule numbers"),
        (["0", "23", "100", "1", "1", "a.tg"], "SIZE is 5 to 22"),
        (["0", "9", "x", "1", "1", "a.tg"], "NODES"),
        (["0", "9", "100", "1", "1", "a.tg", "--mix", "50,50,50"], "--mix"),
        (["0", "9", "100", "1", "1", "a.tg", "--mix", "50,50,0"], "openings"),
        (["0", "9", "100", "1", "1", "a.tg", "--mix"], "value"),
        (["0", "9", "100", "1", "1", "a.tg", "--what", "1"], "no such option"),
    ],
)
def test_wrong_arguments_are_named(
    player: Path, tmp_path: Path, arguments: list[str], text: str
) -> None:
    done = subprocess.run(
        [str(player), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and text in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.linux
def test_a_full_disk_leaves_the_whole_games(player: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""
    import resource

    target = tmp_path / "a.tg"
    command = [str(player), "0", "9", str(NODES), "50", "1", str(target)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert done.returncode == 1 and "a.tg.part" in done.stderr and "too large" in done.stderr
    assert not target.exists() and (tmp_path / "a.tg.part").stat().st_size == 2000
    assert subprocess.run(command, check=True).returncode == 0
    assert target.read_bytes() == play(player, tmp_path / "b.tg", count=50).read_bytes()


# --- generations -----------------------------------------------------------------------------

MANIFEST = """\
# A small generation.
positions = 2500
chunk = 20

[[set]]
rule = 0
size = 9
nodes = 100
seed = 1_000_000_000
share = 2

[[set]]
rule = 16
size = 9
nodes = 100
seed = 2_000_000_000
"""


def driver_command(root: Path, manifest: Path, *options: str) -> list[str]:
    """The command of the driver."""
    return [sys.executable, str(root / "training" / "generate.py"), str(manifest), *options]


def generate(
    root: Path, folder: Path, *options: str, text: str | None = MANIFEST, name: str = "small"
) -> subprocess.CompletedProcess[str]:
    """Runs the driver; `text` None goes on with the manifest that is there."""
    manifest = folder / f"{name}.toml"
    if text is not None:
        manifest.write_text(text)
    return subprocess.run(
        driver_command(root, manifest, *options),
        env=os.environ | {"TENGEN_GAMES": str(folder / "games")},
        capture_output=True,
        text=True,
        check=False,
    )


def made(folder: Path, name: str = "small") -> list[dict[str, Any]]:
    """What the manifest says was made."""
    import tomllib

    return cast(
        list[dict[str, Any]], tomllib.loads((folder / f"{name}.toml").read_text()).get("made", [])
    )


def agree(folder: Path, name: str = "small") -> None:
    """The manifest names just the files that are there, and no seed twice."""
    files = [read_file(path) for path in (folder / "games" / name).glob("*.tg")]
    seeds: list[int] = []
    for contents in files:
        first = contents.header.seed
        seeds += range(first, first + contents.header.asked)
    assert len(seeds) == len(set(seeds))
    rows = made(folder, name)
    noted = [seed for row in rows for first, after in row["seeds"] for seed in range(first, after)]
    assert sorted(noted) == sorted(seeds)
    assert sum(row["games"] for row in rows) == sum(c.header.count for c in files)
    assert sum(row["positions"] for row in rows) == sum(c.positions for c in files)


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
    """The manifest alone tells which seeds were used."""
    assert generate(root, tmp_path).returncode == 0
    used = [tuple(pair) for row in made(tmp_path) for pair in row["seeds"]]
    for path in (tmp_path / "games" / "small").glob("*.tg"):
        path.unlink()
    assert generate(root, tmp_path, "--positions", "4000", text=None).returncode == 0
    for path in (tmp_path / "games" / "small").glob("*.tg"):
        seed = read_file(path).header.seed
        assert not any(first <= seed < after for first, after in used)


def test_files_that_the_manifest_lacks_are_noted(root: Path, tmp_path: Path) -> None:
    """A run that was killed between a file and its note."""
    assert generate(root, tmp_path).returncode == 0
    noted = made(tmp_path)
    assert generate(root, tmp_path, "--positions", "1").returncode == 0  # the recipe alone
    assert made(tmp_path) == noted
    agree(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_loses_no_whole_game(
    root: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """SIGKILL leaves the chunk to the program, which finishes it when the driver is gone."""
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
        ("positions = 2500", "", "`positions`"),
        ("chunk = 20", "chunk = 0", "`chunk`"),
        ("chunk = 20", "mix = [50, 50, 50]", "`mix`"),
        ("chunk = 20", "chunks = 20", "chunks is no key"),
        ("[[set]]", "[[set]", "small.toml"),
    ],
)
def test_a_manifest_that_is_wrong_is_named(
    root: Path, tmp_path: Path, old: str, new: str, text: str
) -> None:
    done = generate(root, tmp_path, text=MANIFEST.replace(old, new, 1))
    assert done.returncode == 1 and text in done.stderr and "Traceback" not in done.stderr


@pytest.fixture
def cluster(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two workers, each a process."""
    monkeypatch.setenv("PYTHONPATH", str(root))
    made_cluster = cast(Any, LocalCluster)(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=50,
    )
    try:
        yield made_cluster
    finally:
        made_cluster.close()


def test_a_cluster_makes_the_games_though_a_worker_dies(
    root: Path, player: Path, cluster: Any, tmp_path: Path
) -> None:
    """The games are those that one machine makes: no chunk is lost, none is there twice."""
    text = MANIFEST.replace("nodes = 100", "nodes = 1000").replace("2500", "4000")
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


# --- the fit ---------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def fitter(root: Path) -> Path:
    """The program that fits the network of the value."""
    return build_programs(root / "build" / "tools", "network")[0]


FREESTYLE = build_weights.ASSETS / "freestyle.tgw"


def fit(
    fitter: Path, target: Path, *options: object, weights: Path = FREESTYLE
) -> subprocess.CompletedProcess[str]:
    """Fits for one epoch on top of the tables that ship."""
    command = [str(fitter), "1", str(target), str(weights), *map(str, options)]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_the_fit_reads_files_of_games(
    player: Path, reader: Path, fitter: Path, tmp_path: Path
) -> None:
    """As it reads text; and the labels are as it is told."""
    paths = [play(player, tmp_path / f"{n}.tg", "--engine", str(n), count=120) for n in (1, 2)]
    listed = tmp_path / "list.txt"
    listed.write_text("".join(f"{path}\n" for path in paths))
    first = fit(fitter, tmp_path / "a.json", "--games", listed)
    assert first.returncode == 0 and "epoch 1" in first.stdout, first.stderr
    text = said(reader, "print", *paths).stdout
    command = [str(fitter), "1", str(tmp_path / "b.json"), str(FREESTYLE)]
    assert subprocess.run(command, input=text, text=True, check=True, capture_output=True)
    network = (tmp_path / "a.json").read_text()
    assert (tmp_path / "b.json").read_text() == network
    half = fit(fitter, tmp_path / "c.json", "--games", listed, "--result-share", "0.5")
    assert half.returncode == 0 and (tmp_path / "c.json").read_text() != network
    few = fit(fitter, tmp_path / "d.json", "--games", listed, "--positions", "1500")
    learned = [int(done.stdout.split()[1]) for done in (first, few)]
    assert learned[1] < 1600 < learned[0]


def test_the_fit_refuses_what_is_damaged_or_of_another_rule(
    player: Path, fitter: Path, tmp_path: Path
) -> None:
    good = play(player, tmp_path / "good.tg", count=3)
    other = play(player, tmp_path / "other.tg", count=3, rule=1)
    bad = tmp_path / "bad.tg"
    bad.write_bytes(good.read_bytes()[:-1])
    listed = tmp_path / "list.txt"
    for path, text in ((other, "other.tg is of another rule"), (bad, "bad.tg is cut short")):
        listed.write_text(f"{good}\n{path}\n")
        done = fit(fitter, tmp_path / "a.json", "--games", listed)
        assert done.returncode == 1 and text in done.stderr
        assert not (tmp_path / "a.json").exists()
    assert fit(fitter, tmp_path / "a.json", "--result-share", "2").returncode == 2
    done = fit(fitter, tmp_path / "a.json", "--games", tmp_path / "none.txt")
    assert done.returncode == 1 and "none.txt cannot be read" in done.stderr


def test_the_fit_goes_on_from_a_network_of_two_laws(
    root: Path, player: Path, fitter: Path, tmp_path: Path
) -> None:
    """Renju's: a beginning that was read wrongly would foretell nothing."""
    renju = build_weights.ASSETS / "renju.tgw"
    (tmp_path / "start.json").write_text(json.dumps(network_of(build_weights.read(renju))))
    path = play(player, tmp_path / "a.tg", count=150, rule=4, size=15)
    (tmp_path / "list.txt").write_text(f"{path}\n")
    target = tmp_path / "a.json"
    options = (tmp_path / "start.json", "--games", tmp_path / "list.txt")
    done = fit(fitter, target, *options, weights=renju)
    plain = float(done.stdout.split(" without it")[0].split()[-1])
    validation = float(done.stdout.split()[-1])
    assert validation < plain
    assert len(json.loads(target.read_text())["square"]) == 2 * build_weights.layout().constant(
        "NET_CODES"
    )


def test_a_network_in_the_form_of_the_fit_is_the_one_that_ships() -> None:
    """Put back into its file, it makes the same bytes."""
    for path in build_weights.ASSETS.glob("*.tgw"):
        weights = build_weights.read(path)
        again = with_network(weights, json.loads(json.dumps(network_of(weights))))
        whole = replace(again, shapes=weights.shapes, policy=weights.policy)
        assert build_weights.pack(whole) == path.read_bytes()
        assert again.policy is None, "it stood on another network"


def test_a_network_is_fitted_to_a_generation_and_judged(root: Path, tmp_path: Path) -> None:
    text = MANIFEST.replace("share = 2", "share = 20").replace("2500", "6000")
    assert generate(root, tmp_path, text=text).returncode == 0
    yardstick = (root / "tests" / "data" / "yardstick.txt").read_text().splitlines()[:40]
    (tmp_path / "y.txt").write_text("\n".join(yardstick) + "\n")
    command = [sys.executable, str(root / "training" / "refit.py"), str(tmp_path / "small.toml")]
    command += ["--epochs", "1", "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [*command, "--yardstick", str(tmp_path / "y.txt")],
        env=os.environ | {"TENGEN_GAMES": str(tmp_path / "games")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith(("freestyle", "renju"))]
    assert len(rows) == 4 and rows[0] != rows[2] and rows[1] == rows[3]
    fitted = build_weights.read(tmp_path / "out" / "weights" / "freestyle.tgw")
    shipped = build_weights.read(FREESTYLE)
    assert fitted.codes == shipped.codes and fitted.policy == shipped.policy
    assert fitted.network != shipped.network
    done = subprocess.run(
        [*command, "--rule", "4"],
        env=os.environ | {"TENGEN_GAMES": str(tmp_path / "games")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "no games of rule 4" in done.stderr


def test_lines_are_learned_and_learned_on(player: Path, fitter: Path, tmp_path: Path) -> None:
    """One thread or two: the same numbers. A network with lines keeps them when it is fitted on."""
    path = play(player, tmp_path / "a.tg", count=150, size=15)
    (tmp_path / "list.txt").write_text(f"{path}\n")
    start = tmp_path / "start.json"
    start.write_text(json.dumps(network_of(build_weights.read(FREESTYLE))))
    games = ("--games", tmp_path / "list.txt")
    found = []
    for threads in (1, 2):
        target = tmp_path / f"{threads}.json"
        done = fit(fitter, target, start, *games, "--lines", "2", "--threads", threads)
        assert done.returncode == 0, done.stderr
        found.append(target.read_bytes())
    assert found[0] == found[1]
    learned = json.loads(found[0])
    weights = with_network(build_weights.read(FREESTYLE), learned)
    assert weights.lines is not None and network_of(weights) == learned
    assert build_weights.unpack(build_weights.pack(weights)) == weights
    rows = learned["lines"]
    assert len(rows) == 3 * build_weights.layout().constant("LINE_CLASSES")
    assert any(map(any, rows))
    again = fit(fitter, tmp_path / "again.json", tmp_path / "1.json", *games)
    assert again.returncode == 0, again.stderr
    fitted_on = json.loads((tmp_path / "again.json").read_text())
    before, after = (list(chain.from_iterable(found)) for found in (rows, fitted_on["lines"]))
    moved = sum(abs(one - other) for one, other in zip(before, after, strict=True))
    assert moved < sum(map(abs, before)) / 2, "it begins with those that it was given"
    assert fit(fitter, tmp_path / "x.json", *games, "--lines", "-1").returncode == 2
    assert fit(fitter, tmp_path / "x.json", *games, "--threads", "0").returncode == 2
