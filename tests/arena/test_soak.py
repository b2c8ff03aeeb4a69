"""The soak: it plays under every profile, finds faults, and continues after an interruption.

`make soak` plays 2,000 games; here it plays a few of each kind.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from arena.engines.player import MoveRequest, StartRequest
from arena.rules.referee import Color
from arena.stress.cpu_wait import stolen_ms, waited_ms
from arena.stress.soak import WAYS, Played, Soak, growth_of, has_grown, main, read_journal, run
from arena.stress.timed_brain import LateMove, TimedBrain
from arena.util.faults import BrainFault
from tests.support.paths import ROOT

GAMES = 2000
JOURNAL = ROOT / "build" / "soak.jsonl"
GAME = Played(
    game=1, way="strict", rule=0, size=15, moves=9, disturbances=3, reason="five", forfeit=False,
    excused=False, detail="five in a row",
)  # fmt: skip


def wrong(games: list[Played]) -> list[Played]:
    """Returns the faults that a busy machine does not explain."""
    return [
        game
        for game in games
        if (game.forfeit and not game.excused) or game.notes or game.late_by_itself
    ]


def test_a_game_in_each_mode(executable: Path, tmp_path: Path) -> None:
    journal = tmp_path / "soak.jsonl"
    with Soak((str(executable),)) as soak:
        games, left = run(soak, range(1, len(WAYS) + 1), journal, loud=False)
    assert not wrong(games) and not left
    assert {game.way for game in games} == {way for way, _, _ in WAYS}
    assert sum(game.disturbances for game in games) > 20
    assert all(min(game.resident) > 2**20 for game in games if game.life)
    assert read_journal(journal) == games


def test_it_goes_on_where_the_journal_ends(
    executable: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "soak.jsonl"
    done = [replace(GAME, game=number) for number in (1, 2, 4)]
    torn = "".join(game.to_json() + "\n" for game in done) + '{"game":5,"wa'
    journal.write_text(torn)
    assert main([str(executable), "--games", "4", "--journal", str(journal)]) == 0
    assert len(journal.read_text().splitlines()) == 4
    assert [game.game for game in read_journal(journal)] == [1, 2, 4, 3]
    assert "games         4, " in capsys.readouterr().out


def test_a_journal_of_something_else_is_refused(
    executable: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "soak.jsonl"
    journal.write_text('{"no": 1}\n')
    assert main([str(executable), "--games", "1", "--journal", str(journal)]) == 2
    assert "not a line of a soak journal" in capsys.readouterr().err


FORGETFUL = """
import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word in ("START", "RESTART", "TAKEBACK"):
        print("OK", flush=True)
    elif word == "ABOUT":
        print('name="forgetful"', flush=True)
    elif word in ("TURN", "BEGIN", "DONE"):
        print("0,0", flush=True)
    elif word == "YXSHOWFORBID":
        print("FORBID .", flush=True)
    elif word == "END":
        sys.exit()
"""


def test_a_brain_that_is_wrong_is_found_out() -> None:
    games, _ = run(Soak((sys.executable, "-c", FORGETFUL)), range(1, 9), None, loud=False)
    assert all(game.forfeit and not game.excused for game in games)
    assert {game.reason for game in games} >= {"illegal"}


def test_memory_that_grows_is_seen() -> None:
    games = [
        replace(GAME, game=number, life="1 strict", resident=(10_000_000, 9_000_000))
        for number in range(1, 41)
    ]
    assert not has_grown(games)
    first, held, last, held_last = growth_of(games)["1 strict"]
    assert 1 < first <= 20 and last == 40 and held == held_last == 19_000_000
    games[-1] = replace(games[-1], resident=(11_500_000, 9_500_000))
    assert has_grown(games)


# Waiting for a core


@contextlib.contextmanager
def busy(core: int) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a process that keeps one core busy."""
    code = f"import os; os.sched_setaffinity(0, [{core}])\nwhile True: pass"
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.linux
def test_two_on_one_core_wait_for_each_other() -> None:
    core = min(os.sched_getaffinity(0))
    with busy(core) as one, busy(core) as other:
        time.sleep(1.0)
        assert waited_ms([one.pid, other.pid]) > 300
    assert waited_ms([one.pid]) == 0
    assert stolen_ms() >= 0


@pytest.mark.linux
def test_who_sleeps_does_not_wait() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        while psutil.Process(process.pid).cmdline()[:1] != ["sleep"]:
            time.sleep(0.01)
        time.sleep(1.0)
        before = waited_ms([process.pid])
        time.sleep(0.5)
        assert waited_ms([process.pid]) - before == 0
        process.kill()


SLOW = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "START":
        print("OK", flush=True)
    elif word == "BEGIN":
        time.sleep(1.0)
        print("7,7", flush=True)
"""


def test_a_move_that_is_late_by_itself_is_not_excused() -> None:
    brain = TimedBrain((sys.executable, "-c", SLOW))
    brain.watch(5000)
    brain.launch()
    brain.open(StartRequest(15, 0, 20, None, 0, start_ms=9000))
    brain.move(MoveRequest(Color.BLACK, (), (0, 0), None, limit_ms=5020, time_left=10_000))
    brain.close()
    (late,) = brain.late
    assert late.over_ms > 900 and not late.is_excused


def test_a_start_that_is_late_is_noted() -> None:
    brain = TimedBrain((sys.executable, "-c", "import time; time.sleep(2)"))
    brain.watch(0)
    brain.launch()
    with pytest.raises(BrainFault):
        brain.open(StartRequest(15, 0, 20, None, 0, start_ms=50))
    brain.close()
    (late,) = brain.late
    assert late.over_ms == 1000


def test_what_excuses_a_late_move() -> None:
    assert LateMove(10.0, 10.0).is_excused and not LateMove(10.0, 9.0).is_excused


@pytest.mark.soak
def test_two_thousand_games(executable: Path) -> None:
    JOURNAL.parent.mkdir(exist_ok=True)
    arguments = [str(executable), "--games", str(GAMES), "--journal", str(JOURNAL)]
    assert main(arguments) == 0
