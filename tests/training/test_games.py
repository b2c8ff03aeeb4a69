"""Files of games: selfplay writes them, games.h and gamefiles.py read them."""

import subprocess
import time
from pathlib import Path

import pytest

from arena.rules.referee import Position, Rule
from tests.support.selfplay import NODES, play, said
from training.gamefiles import GamesError, read_file, read_header


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9, 16])
def test_games_follow_the_rules(player: Path, reader: Path, tmp_path: Path, rule: int) -> None:
    """The referee accepts every game, and agrees with the result unless it was adjudicated."""
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
    import build_toolchain

    builder = build_core.Builder("release", build_toolchain.find_toolchain())
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
    assert same >= 58  # weak searches may still lose a decided game
    for a, b in zip(short, long, strict=True):
        assert b.split(" ", 4)[4].startswith(a.split(" ", 4)[4])


def test_an_even_game_is_adjudicated_as_a_draw(player: Path, reader: Path, tmp_path: Path) -> None:
    """Under caro the board is half full, and the last 16 scores are at most 30; one game in eight
    continues."""
    path = play(player, tmp_path / "a.tg", count=80, size=11, rule=8)
    short = said(reader, "print", path).stdout.splitlines()
    path = play(player, tmp_path / "b.tg", "--play-out", count=80, size=11, rule=8)
    long = said(reader, "print", path).stdout.splitlines()
    drawn = full = 0
    for a, b in zip(short, long, strict=True):
        moves, whole = (text.split(" ", 4)[4].rstrip(";").split(";") for text in (a, b))
        if int(a.split()[2]) != 0:
            continue
        full += len(moves) == 121
        if len(moves) < 121:
            drawn += 1
            scores = [int(move.rstrip("!").split(",")[2]) for move in moves[-16:]]
            assert len(moves) >= 61 and max(map(abs, scores)) <= 30
            assert whole[: len(moves)] == moves
    assert drawn > 30 and 0 < full < drawn / 2
    same = sum(a.split()[2] == b.split()[2] for a, b in zip(short, long, strict=True))
    assert same >= 78


def test_a_file_that_was_left_unfinished_goes_on(player: Path, tmp_path: Path) -> None:
    """Incomplete games are played again, after a cut at any byte."""
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
    """The folder was moved away during the run, and a copy put in its place."""
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
    """Returns a file with one fault."""
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
    """The checksum is right, but a move is illegal."""
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
        (["3", "9", "100", "1", "1", "a.tg"], "RULE must be a rule number"),
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
    """A limit on file sizes simulates the full disk."""
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
