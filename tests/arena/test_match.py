"""`match`, from the command line to the files."""

import argparse
import re
import shlex
from errno import ENOSPC
from pathlib import Path

import pytest

from arena.cli import match, sprt
from arena.game.formats import from_psq, from_sgf
from arena.match.options import plan_of
from arena.run.store import read_store
from arena.tournament.conditions import Conditions
from arena.util.exits import Exit
from arena.util.paths import replace_text
from tests.support.fakes import fake
from tests.support.matches import QUICK, named, run

pytestmark = pytest.mark.usefixtures("in_tmp_path", "nothing_is_left")


def test_a_match_is_played_shown_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talks = named("A", "says-first", at=1, text=r"MESSAGE depth 7 nodes 1000\n")
    code = run(match, talks, named("B"), "--games", "6", "--concurrency", "2", *QUICK)
    out = capsys.readouterr().out
    assert code == 0
    assert out.startswith("A - B: freestyle 6x6, 60 s a move, openings: random, seed 1\n")
    score = re.search(r"score +A (\S+) - (\S+) B +\(\+(\d) =(\d) -(\d), ", out)
    assert score and float(score[1]) + float(score[2]) == 6
    assert sum(int(score[n]) for n in (3, 4, 5)) == 6
    assert re.search(r"pairs +LL LD WL/DD WD WW +\[\d \d \d \d \d\]", out)
    assert re.search(r"Elo .* ± .*LOS \d+\.\d %", out)
    report = out[out.index("\nscore ") : out.index("\ngames ")].splitlines()
    assert max(map(len, report)) <= 80
    assert re.search(r"^engine depth +nps +ms/move +latest +MiB  forfeits$", out, re.M)
    assert re.search(r"^A +7\.0 +\d\S* +\d+ +-\d+\.\d +\d+\.\d  none$", out, re.M)
    assert re.search(r"^B +- +- +\d+ +-\d+\.\d +\d+\.\d  none$", out, re.M)
    folder = tmp_path / "arena-games" / "A-B-001"
    assert out.endswith(f"games     {folder.relative_to(tmp_path)}\n")
    games = read_store(folder / "games.jsonl")
    assert len(games) == 6
    for game in games:
        moves = [move.point for move in game.record.moves]
        sgf = from_sgf((folder / "sgf" / f"{game.id}.sgf").read_text())
        psq = from_psq((folder / "psq" / f"{game.id}.psq").read_text())
        assert [m.point for m in sgf.moves] == [m.point for m in psq.moves] == moves
        assert sgf.winner == psq.winner == game.record.winner
        assert (sgf.black.name, psq.white.name) == (game.record.black.name, game.record.white.name)
    for first, second in zip(*[iter(sorted(games, key=lambda game: game.id))] * 2, strict=True):
        assert first.record.opening == second.record.opening
        assert first.record.black.name == second.record.white.name


FAULTS = [
    (fake("start-crash"), "crash", "exit code 3"),
    (fake("crash", at=1), "crash", "exit code 3"),
    (fake("stall", at=1), "time", "no answer to BOARD within 4000 ms"),
    (fake("late", at=1, ms=4500), "time", "limit 4000 ms"),
    (fake("says", at=1, text=r"nonsense\n"), "protocol", "'nonsense'"),
    (fake("on-stderr", at=1), "protocol", "text on stderr: 'warning: something is odd'"),
    (fake("occupied", at=1), "illegal", "occupied"),
    (fake("memory", at=1), "memory", "limit 64 MiB"),
]


@pytest.mark.parametrize(
    ("command", "reason", "words"), FAULTS, ids=[command[4] for command, _, _ in FAULTS]
)
def test_a_fault_loses_the_game_and_the_match_goes_on(
    command: list[str],
    reason: str,
    words: str,
    in_here: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("--size", "6", "--turn", "3s", "--memory", "64")
    bad = f"BAD={shlex.join(command)}"
    code = run(match, bad, named("GOOD"), "--games", "2", *arguments)
    out = capsys.readouterr().out
    assert code == Exit.FORFEITED
    summary = out[out.index("forfeits  2 of 2 games") :].splitlines()
    assert summary[0] == (
        f"forfeits  2 of 2 games (BAD: {reason} 2): "
        "do not trust the Elo, which uses the other 0 games"
    )
    assert summary[1].startswith("score     BAD 0 - 2 GOOD")
    assert "Elo       not enough games\n" in out
    assert re.search(rf"^BAD .*  {reason} 2$", out, re.M)
    assert re.search(r"^GOOD .*  none$", out, re.M)
    assert words in out


def test_what_cannot_be_started_loses_too(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "brain"
    broken.write_bytes(b"\0\1\2")
    broken.chmod(0o755)
    assert run(match, str(broken), named("GOOD"), "--games", "2", *QUICK) == Exit.FORFEITED
    out = capsys.readouterr().out
    assert "cannot start" in out
    assert re.search(r"^brain +- +- +- +- +0\.0  crash 2$", out, re.M)


def test_names_that_read_alike_when_joined_are_told_apart(tmp_path: Path, in_here: None) -> None:
    assert run(match, named("A-B"), named("C"), "--games", "1", *QUICK) == 0
    assert run(match, named("A"), named("B-C"), "--games", "1", *QUICK) == 0
    assert run(match, named("A-B"), named("C"), "--games", "2", "--resume", *QUICK) == 0
    folders = [tmp_path / "arena-games" / f"A-B-C-00{number}" for number in (1, 2)]
    assert [len(read_store(folder / "games.jsonl")) for folder in folders] == [2, 1]


def test_games_that_cannot_be_written_end_the_match_with_a_word(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "psq").touch()
    out = ("--out", str(tmp_path / "out"))
    assert run(match, named("A"), named("B"), "--games", "1", *QUICK, *out) == Exit.BROKE_DOWN
    assert "psq: File exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["./nothing", "B"], "./nothing: no such file"),
        (["n" * 300, "B"], "no such file"),
        (["A", "B", "--turn", "9" * 400 + "s"], "is not from 1 ms to 23 days"),
        (["A", "B", "--memory", "9" * 5000 + "k"], "is not a whole number of MiB"),
        (["A", "B", "--turn", "100"], "'100': expected a time with its unit, e.g. 100ms or 1s"),
        (["A", "B", "--rule", "chess"], "unknown rule: 'chess'; known: 0 freestyle"),
        (["A", "B", "--size", "4"], "4 is not from 5 to 22"),
        (["A", "B", "--memory", "much"], "'much': expected MiB"),
        (["A", "B", "--games", "0"], "0 is not from 1"),
        (["A", "B", "--info", "level"], "'level': expected KEY=VALUE, e.g. thread_num=1"),
        (["A", "B", "--like", "fritz"], "invalid choice: 'fritz'"),
        (["A", "B", "--openings", "none.txt"], "none.txt"),
        (["A", "B", "--scheduler", "nonsense"], "nonsense"),
        (["A", "B", "--out", "file"], "file"),
        (["A", "B", "--out", ""], "argument --out: an empty path; the current folder is ."),
        (["A", "B", "--openings", ""], "argument --openings: an empty path"),
    ],
)
def test_bad_arguments_are_told(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    given = [named(word) if word in ("A", "B") else word for word in words]
    assert run(match, *given) == 2
    err = capsys.readouterr().err
    assert said in err and "Traceback" not in err


def test_bad_lines_of_openings_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lines.txt").write_text("0,0, 1,1\n0,0, 0,0\n")
    assert run(match, named("A"), named("B"), "--openings", "lines.txt") == 2
    assert "--openings: lines.txt:2" in capsys.readouterr().err


def test_a_late_move_within_the_tolerance_is_let_pass(in_here: None) -> None:
    late, good = named("LATE", "late", at=1, ms=400), named("GOOD")
    words = ("--games", "1", "--size", "6", "--turn", "200ms")
    busy = ("--tolerance", "30s")  # whatever else runs on the machine
    assert run(match, late, good, *words, *busy) == 0
    assert run(match, late, good, *words, "--tolerance", "0") == Exit.FORFEITED


@pytest.mark.parametrize(
    ("words", "tolerance"),
    [((), 1000), (("--tolerance", "0"), 0), (("--like", "c-gomoku-cli"), 3000)],
)
def test_the_tolerance_is_gomocups_unless_something_is_said(
    words: tuple[str, ...], tolerance: int
) -> None:
    for command in (match, sprt):
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        plan = plan_of(parser.parse_args([named("A"), named("B"), *words]), 1)
        assert plan.settings.tolerance_ms == tolerance
    like = words[1] if "--like" in words else None
    given = 0 if "--tolerance" in words else None
    assert Conditions(like=like, tolerance_ms=given).settings().tolerance_ms == tolerance


@pytest.mark.parametrize(
    ("words", "is_refused"),
    [
        (("--info", "rule=4"), True),
        (("--info-b", "RULE=1"), True),
        (("--info", "rule=x"), True),
        (("--rule", "renju", "--info", "rule=0"), True),
        (("--info", "rule=0"), False),
        (("--rule", "4", "--info", "rule=6"), False),  # a continuous game of renju
        (("--info", "ruler=4"), False),
    ],
)
def test_no_engine_is_told_another_rule_than_is_refereed(
    words: tuple[str, ...], is_refused: bool, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = (named("A"), named("B"))
    assert (run(match, *engines, "--games", "1", *QUICK, *words) == 2) is is_refused
    assert ("but the games are played under rule" in capsys.readouterr().err) is is_refused


@pytest.mark.parametrize("count", [8, pytest.param(20, marks=pytest.mark.soak)])
def test_games_of_the_frozen_executable(
    count: int, executable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = shlex.quote(str(executable))
    words = (f"NEW={program}", f"OLD={program}", "--games", str(count), "--nodes", "100")
    code = run(match, *words, "--size", "10", "--concurrency", "2", "--info-b", "level=1")
    out = capsys.readouterr().out
    assert code == 0, out
    assert f"{count}/{count} games" in out
    assert len(re.findall(r"^(?:NEW|OLD) .*  none$", out, re.M)) == 2
    games = read_store(Path("arena-games/NEW-OLD-001/games.jsonl"))
    assert len(games) == count
    assert all(not game.record.is_forfeit for game in games)
    depths = [move.depth for game in games for move in game.record.moves]
    assert any(depth is not None for depth in depths)


def test_a_text_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_text(tmp_path / "match.json", "old")
    replace_text(tmp_path / "match.json", "new")

    def full(_self: Path, _data: bytes) -> int:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        replace_text(tmp_path / "match.json", "newer")
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]
    assert (tmp_path / "match.json").read_text() == "new"
