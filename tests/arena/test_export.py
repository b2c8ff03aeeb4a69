"""Games as PGN, CSV and training samples."""

import csv
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli import export, match
from arena.cli.main import main
from arena.game.game import GameSettings, play_brains
from arena.game.lists import CSV_FIELDS, ListedGame, to_csv, to_pgn
from arena.game.record import EndReason, GameRecord
from arena.game.training_file import SamplesError, to_samples
from arena.util.exits import Exit
from tests.support.fakes import fake
from tests.support.matches import named, run
from training.gamefiles import build_programs, read_contents, read_header


@pytest.fixture(scope="module")
def record() -> GameRecord:
    """A short game with scores: the second move announces a lost position."""
    settings = GameSettings(size=6, turn_ms=60_000, opening=((2, 2), (3, 3)))
    return play_brains(fake(scores="10/+M5"), fake(scores="-20/-M4"), settings)


def tags_of(pgn: str) -> list[dict[str, str]]:
    """The tags of each game of a PGN text, read as its definition says."""
    games: list[dict[str, str]] = []
    for line in pgn.splitlines():
        if found := re.fullmatch(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]', line):
            if found[1] == "Event":
                games.append({})
            games[-1][found[1]] = re.sub(r'\\(["\\])', r"\1", found[2])
    return games


@given(name=st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=20))
def test_any_name_comes_back_from_pgn(record: GameRecord, name: str) -> None:
    changed = replace(record, black=replace(record.black, name=name))
    (tags,) = tags_of(to_pgn([ListedGame(changed)]))
    assert tags["Black"] == name


@pytest.mark.parametrize(
    ("winner", "reason", "result"),
    [
        ("black", EndReason.FIVE, "0-1"),
        ("white", EndReason.FIVE, "1-0"),
        (None, EndReason.BOARD_FULL, "1/2-1/2"),
        (None, EndReason.UNKNOWN, "*"),
    ],
)
def test_results_in_lists(
    record: GameRecord, winner: str | None, reason: EndReason, result: str
) -> None:
    changed = replace(record, winner=winner, reason=reason)  # type: ignore[arg-type]
    games = [ListedGame(changed, "00003b", 3), ListedGame(changed)]
    pgn = to_pgn(games)
    first, second = tags_of(pgn)
    assert (first["Result"], first["Round"], second["Round"]) == (result, "00003b", "?")
    assert pgn.count("{c4 d3 ") == 2 and f"}}\n{result}\n\n" in pgn
    rows = list(csv.DictReader(to_csv(games).splitlines()))
    assert tuple(rows[0]) == CSV_FIELDS
    told = winner or ("draw" if reason is EndReason.BOARD_FULL else "unknown")
    assert (rows[0]["winner"], rows[0]["pair"], rows[1]["pair"]) == (told, "3", "")
    assert rows[0]["opening_stones"] == "2" and rows[0]["black_depth"] == "3.00"
    assert len(rows[0]["moves"].split()) == int(rows[0]["stones"])


def test_samples_are_what_the_trainer_reads(record: GameRecord) -> None:
    flagged = replace(record, reason=EndReason.ADJUDICATED)
    samples = to_samples([record, flagged])
    header = read_header(samples.data, "x")
    assert (header.rule, header.size, header.count, header.engine) == (0, 6, 2, "arena")
    contents = read_contents(samples.data, "x")
    assert contents.positions == 2 * len(record.moves)
    game = samples.data[64:]
    assert (game[0], game[1], game[3]) == (0, 6, 0)
    plies = [
        (int.from_bytes(game[at : at + 2], "little"), game[at + 2 : at + 4])
        for at in range(12, 12 + 4 * (2 + len(record.moves)), 4)
    ]
    scores = [int.from_bytes(score, "little", signed=True) for _, score in plies]
    assert scores[:6] == [0, 0, 10, -20, 30_000 - 5, -30_000 + 4]
    assert [(move % 32, move // 32) for move, _ in plies] == [
        *record.opening,
        *(move.point for move in record.moves),
    ]


def test_games_that_are_no_samples(record: GameRecord) -> None:
    silent = replace(
        record, moves=tuple(replace(move, score=None, mate=None) for move in record.moves)
    )
    late = replace(record, reason=EndReason.TIME)
    samples = to_samples([record, silent, late, late])
    assert samples.games == 1
    assert dict(samples.left_out) == {"with a move without a score": 1, "forfeited": 2}
    with pytest.raises(SamplesError, match=r"no game can be a sample \(forfeited 1"):
        to_samples([late])
    with pytest.raises(SamplesError, match="rule 0 on 6x6, rule 1 on 6x6: expected games of one"):
        to_samples([record, replace(record, rule=1)])


def test_the_trainers_program_accepts_a_match(
    in_here: None, tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--games", "2", "--size", "9", "--turn", "60s", "--out", str(tmp_path / "m"))
    assert run(match, named("A", scores="7/8"), named("B", scores="-9"), *words) == 0
    target = tmp_path / "games.tg"
    assert run(export, str(tmp_path / "m"), "-o", str(target)) == 0
    assert f"2 games in {target}" in capsys.readouterr().out
    (games,) = build_programs("games")
    checked = subprocess.run([games, "check", target], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    printed = subprocess.run([games, "print", target], capture_output=True, text=True, check=True)
    assert len(printed.stdout.splitlines()) >= 2


def test_the_command(in_here: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--games", "2", "--size", "6", "--turn", "60s", "--out", str(tmp_path / "m"))
    assert run(match, named("A"), named("B"), *words) == 0
    folder = tmp_path / "m"
    for source in (folder, folder / "games.jsonl"):
        assert run(export, str(source), "-o", str(tmp_path / "x.pgn")) == 0
        tags = tags_of((tmp_path / "x.pgn").read_text())
        assert [(one["White"], one["Round"]) for one in tags] == [("B", "00000a"), ("A", "00000b")]
    psq = folder / "psq" / "00000a.psq"
    assert run(export, str(psq), str(folder), "-o", str(tmp_path / "x"), "--to", "csv") == 0
    assert len((tmp_path / "x").read_text().splitlines()) == 4
    capsys.readouterr()
    for arguments, said in [
        ((str(folder), "-o", "x.doc"), "-o: x.doc: expected a name in .pgn, .csv or .tg"),
        ((str(tmp_path / "no"), "-o", "x.csv"), "no: cannot be read"),
        ((str(folder), "-o", str(tmp_path)), "expected a name in .pgn"),
        ((str(folder), "-o", str(folder / "a" / "b.csv")), "No such file"),
        ((str(folder), "-o", "x.tg"), "with a move without a score 2"),
    ]:
        assert run(export, *arguments) == Exit.USAGE
        assert said in capsys.readouterr().err


@pytest.mark.linux
def test_a_full_disk_is_no_wrong_argument(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    file.write_text("h8 i9")
    assert main(["export", str(file), "-o", "/dev/full", "--to", "csv"]) == Exit.BROKE_DOWN
    assert "No space left on device" in capsys.readouterr().err
