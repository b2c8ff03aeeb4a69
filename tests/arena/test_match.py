"""`match` and `sprt`, from the command line to the files."""

import argparse
import contextlib
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from errno import ENOSPC
from pathlib import Path
from types import ModuleType

import pytest

from arena.cli import match, sprt
from arena.game.formats import from_psq, from_sgf
from arena.match.options import plan_of
from arena.run.store import GameStore, read_store
from arena.tournament.conditions import Conditions
from arena.util.exits import Exit
from arena.util.paths import replace_text
from tests.support.fakes import fake, no_brain_is_left

PATIENCE_S = 300.0


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    assert no_brain_is_left()


def named(name: str, fault: str = "none", **keys: object) -> str:
    """Returns an engine as a command-line argument."""
    return f"{name}={shlex.join(fake(fault, **keys))}"


def run(command: ModuleType, *words: str) -> int:
    """Runs a command; returns its exit code, also for argument errors."""
    parser = argparse.ArgumentParser(prog="tengen-arena")
    command.add_arguments(parser)
    try:
        code: int = command.run(parser.parse_args(words))
    except SystemExit as exit_:
        assert isinstance(exit_.code, int)
        return exit_.code
    return code


@pytest.fixture
def in_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays games in threads of this process, because starting workers is slow."""

    @contextlib.contextmanager
    def threads(*_: object) -> Iterator[tuple[ThreadPoolExecutor, int]]:
        with ThreadPoolExecutor(2) as executor:
            yield executor, 2

    monkeypatch.setattr("arena.match.run.open_executor", threads)


QUICK = ("--size", "6", "--turn", "60s")


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


def test_a_match_is_resumed_and_made_longer(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = (named("A"), named("B"))
    assert run(match, *engines, "--games", "3", *QUICK) == 0
    folder = tmp_path / "arena-games" / "A-B-001"
    store = folder / "games.jsonl"
    first = store.read_text()
    store.write_text(first[:-30])
    (folder / "psq" / "00000a.psq").unlink()
    capsys.readouterr()
    assert run(match, *engines, "--games", "5", "--resume", *QUICK) == 0
    assert store.read_text().startswith("\n".join(first.splitlines()[:2]))
    assert len(read_store(store)) == 5
    assert (folder / "psq" / "00000a.psq").exists()
    assert "5/5 games" in capsys.readouterr().out
    # All games exist: none is played, and the report is the same.
    before = store.read_bytes()
    assert run(match, *engines, "--games", "5", "--resume", "--out", str(folder), *QUICK) == 0
    assert store.read_bytes() == before
    # A new run, in its own folder.
    assert run(match, *engines, "--games", "1", *QUICK) == 0
    assert (tmp_path / "arena-games" / "A-B-002" / "games.jsonl").exists()


def test_other_games_are_not_gone_on_with(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engines, out = (named("A"), named("B")), ("--out", str(tmp_path / "out"))
    assert run(match, *engines, "--games", "1", *QUICK, *out) == 0
    capsys.readouterr()
    assert run(match, *engines, "--games", "2", *QUICK, *out) == 2
    assert "already has games; --resume continues them" in capsys.readouterr().err
    slower = ("--size", "6", "--turn", "6s", "--resume")
    assert run(match, *engines, "--games", "2", *slower, *out) == 2
    assert "turn_ms was 60000 and is now 6000" in capsys.readouterr().err
    assert run(match, named("A"), named("C"), "--resume") == 2
    assert "--resume: there are no games of A-C in arena-games/" in capsys.readouterr().err
    (tmp_path / "out" / "match.json").write_text("[1]")
    assert run(match, *engines, "--games", "2", "--resume", *QUICK, *out) == 2
    assert "match.json: expected the conditions of a match" in capsys.readouterr().err


def test_the_conditions_are_those_of_whoever_writes_there(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engines, out = (named("A"), named("B")), ("--out", str(tmp_path / "out"))
    assert run(match, *engines, "--games", "1", *QUICK, *out) == 0
    kept = (tmp_path / "out" / "match.json").read_text()
    (tmp_path / "out" / "games.jsonl").write_text("")  # as before its first game is over
    with GameStore(tmp_path / "out" / "games.jsonl"):
        assert run(match, *engines, "--games", "1", "--size", "9", *out) == 2
    assert "another run is writing" in capsys.readouterr().err
    assert (tmp_path / "out" / "match.json").read_text() == kept


def test_a_match_of_an_older_version_can_be_resumed(tmp_path: Path, in_here: None) -> None:
    """Older versions stored the manager's profile as `manners`."""
    engines, out = (named("A"), named("B")), ("--out", str(tmp_path / "out"))
    assert run(match, *engines, "--games", "1", *QUICK, *out) == 0
    file = tmp_path / "out" / "match.json"
    kept = json.loads(file.read_text())
    kept["manners"] = kept.pop("manager").replace("ManagerProfile(", "Manners(")
    assert kept["manners"].startswith("Manners(name='strict'")
    file.write_text(json.dumps(kept))
    assert run(match, *engines, "--games", "2", "--resume", *QUICK, *out) == 0
    assert len(read_store(tmp_path / "out" / "games.jsonl")) == 2
    kept["manners"] = kept["manners"].replace("strict", "gomocup")
    file.write_text(json.dumps(kept))
    assert run(match, *engines, "--games", "3", "--resume", *QUICK, *out) == 2


def test_a_run_that_played_nothing_hides_no_games(tmp_path: Path, in_here: None) -> None:
    engines = (named("A"), named("B"))
    assert run(match, *engines, "--games", "1", *QUICK) == 0
    later = tmp_path / "arena-games" / "A-B-002"
    later.mkdir()
    (later / "games.jsonl").touch()
    assert run(match, *engines, "--games", "2", "--resume", *QUICK) == 0
    assert len(read_store(tmp_path / "arena-games" / "A-B-001" / "games.jsonl")) == 2


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


SPRT = ("--elo0", "0", "--elo1", "300", "--count-forfeits", *QUICK)


@pytest.mark.parametrize("model", [(), ("--trinomial",), ("--normalized", "--trinomial")])
def test_a_test_stops_by_itself_and_says_why(
    model: tuple[str, ...], in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = named("GOOD"), named("BAD", "crash", at=1)
    assert run(sprt, good, bad, *SPRT, *model) == 0
    out = capsys.readouterr().out
    name = "trinomial" if model else "pentanomial"
    found = re.search(rf"SPRT +{name} LLR \+(\S+) \[-2\.944, \+2\.944\] H1 accepted", out)
    assert found and float(found[1]) >= 2.944
    assert ("nElo [0, 300]" in out) is ("--normalized" in model)
    assert run(sprt, bad, good, *SPRT, *model) == Exit.H0_ACCEPTED
    assert "H0 accepted" in capsys.readouterr().out


def test_a_test_may_end_undecided_and_is_resumed(
    in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = named("GOOD"), named("BAD", "crash", at=1)
    assert run(sprt, good, bad, *SPRT, "--games", "4") == Exit.UNDECIDED
    out = capsys.readouterr().out
    assert re.search(r"^SPRT .* undecided ", out, re.M)
    assert "do not trust the Elo, which includes them" in out
    assert run(sprt, good, bad, *SPRT, "--resume") == 0
    capsys.readouterr()
    # The test is decided: --resume plays no further games.
    store = Path("arena-games/GOOD-BAD-001/games.jsonl")
    before = store.read_bytes()
    assert run(sprt, good, bad, *SPRT, "--resume") == 0
    assert store.read_bytes() == before


def test_forfeits_decide_no_test_and_end_it(
    in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = named("GOOD"), named("BAD", "crash", at=1)
    words = ("--elo0", "0", "--elo1", "300", *QUICK)
    assert run(sprt, good, bad, *words) == Exit.FORFEITED
    out = capsys.readouterr().out
    found = re.search(r"^forfeits +(\d+) of \1 games \(BAD: crash \1\)", out, re.M)
    assert found and 10 <= int(found[1]) <= 12
    assert "LLR +0.000 [-2.944, +2.944] undecided" in out
    assert f"stopped: {found[1]} of {found[1]} games were forfeited" in out


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


def test_a_test_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(sprt, named("A"), named("B"), "--elo0", "5", "--elo1", "0") == 2
    assert "--elo0, elo1: 5 is not less than 0" in capsys.readouterr().err


RUN = """
import argparse
from arena.cli import match
from arena.engines.arguments import run_main

def main():
    parser = argparse.ArgumentParser()
    match.add_arguments(parser)
    return match.run(parser.parse_args())

if __name__ == "__main__":
    run_main(main)
"""


def read_until(terminal: int, is_enough: Callable[[bytes], bool], text: bytes = b"") -> bytes:
    """Reads from a terminal until the output suffices or the program has exited.

    The program blocks on a full terminal, so every wait must read.
    """
    until = time.monotonic() + PATIENCE_S
    while not is_enough(text) and time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                text += os.read(terminal, 1 << 16)
            except OSError:
                break
    return text


def test_ctrl_c_in_a_terminal_leaves_the_table_and_no_brain(tmp_path: Path, root: Path) -> None:
    ours, theirs = pty.openpty()
    words = [named("A", "late", at=1, ms=80), named("B"), "--games", "1000", *QUICK]
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *words, "--concurrency", "2"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(root), "COLUMNS": "120", "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    store = tmp_path / "arena-games" / "A-B-001" / "games.jsonl"
    try:
        shown = read_until(ours, lambda _: store.exists() and store.read_bytes().count(b"\n") >= 3)
        shown = read_until(ours, lambda text: b"forfeits" in text, shown)
        os.killpg(process.pid, signal.SIGINT)
        shown = read_until(ours, lambda _: False, shown)
        assert process.wait(PATIENCE_S) == 130
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    os.close(ours)
    text = shown.decode("utf-8", "replace")
    assert "Traceback" not in text
    for words_ in ("engine", "score", "A - B: freestyle 6x6", "/1000", "LOS", "pairs LL LD"):
        assert words_ in text, words_
    assert re.search(r"score +A \S+ - \S+ B", text)
    assert "stopped; the same command continues with --resume --out arena-games/A-B-001" in text
    # The cursor, which the live table hides, is visible again.
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")
    games = [json.loads(line) for line in store.read_text().splitlines()]
    assert len({game["id"] for game in games}) == len(games) >= 3


def test_twenty_games_of_the_frozen_executable(
    executable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = shlex.quote(str(executable))
    words = (f"NEW={program}", f"OLD={program}", "--games", "20", "--nodes", "100")
    code = run(match, *words, "--size", "10", "--concurrency", "2", "--info-b", "level=1")
    out = capsys.readouterr().out
    assert code == 0, out
    assert "20/20 games" in out
    assert len(re.findall(r"^(?:NEW|OLD) .*  none$", out, re.M)) == 2
    games = read_store(Path("arena-games/NEW-OLD-001/games.jsonl"))
    assert len(games) == 20
    assert all(not game.record.is_forfeit for game in games)
    depths = [move.depth for game in games for move in game.record.moves]
    assert any(depth is not None for depth in depths)


def test_a_text_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_text(tmp_path / "match.json", "old")
    replace_text(tmp_path / "match.json", "new")

    def full(_self: Path, _text: str, **_: str) -> int:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        replace_text(tmp_path / "match.json", "newer")
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]
    assert (tmp_path / "match.json").read_text() == "new"
