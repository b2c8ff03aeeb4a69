"""The order of openings, the log of a game, and the version."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli import main, match, tournament
from arena.engines.spec import EngineSpec
from arena.match import run as match_run
from arena.openings.book import OpeningError
from arena.openings.order import Arrangement, Order, Policy
from arena.run.game_log import GameLog
from arena.run.store import StoreWriteError
from arena.tournament.conditions import Conditions
from arena.tournament.file import plan_from, read_draft
from arena.tournament.tournament import Plan, jobs_of
from arena.util.exits import Exit
from pyengine import __version__
from tests.support.matches import named, planned, run

FIVE = [((n, 0), (0, n + 1), (n, 5)) for n in range(5)]


@given(seed=st.integers(0, 99), start=st.integers(1, 5), order=st.sampled_from(Order))
def test_every_opening_comes_once(seed: int, start: int, order: Order) -> None:
    whole = Arrangement(order, seed).apply(FIVE)
    rotated = Arrangement(order, seed, start).apply(FIVE)
    assert sorted(rotated) == sorted(FIVE)
    assert rotated == whole[start - 1 :] + whole[: start - 1]
    if order is Order.SEQUENTIAL:
        assert whole == FIVE


def test_openings_are_cut_and_copies_left_out() -> None:
    arranged = Arrangement(Order.SEQUENTIAL, plies=1).apply([*FIVE, ((0, 0), (9, 9))])
    assert arranged == [((n, 0),) for n in range(5)]
    with pytest.raises(OpeningError, match="there are 5 openings: there is no opening 6"):
        Arrangement(start=6).apply(FIVE)


def opening_file(folder: Path) -> str:
    path = folder / "some.txt"
    path.write_text("0,0, 1,1, 2,0\n0,0, 1,0, 2,2\n0,0, 2,1, 1,1\n")
    return str(path)


def test_the_order_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = ("--openings", opening_file(tmp_path))
    plan = planned(*file, "--order", "sequential", "--opening-start", "2", "--opening-plies", "2")
    assert [plan.openings[n] for n in range(3)] == [
        ((7, 7), (8, 7)),
        ((7, 7), (9, 8)),
        ((7, 7), (8, 8)),
    ]
    assert plan.source == "3 some.txt, from number 2, 2 plies"
    assert planned(*file, "--in-order").openings[0] == ((7, 7), (8, 8), (9, 7))
    assert planned("--size", "7", "--opening-plies", "3").source == "random, seed 1, 3 plies"
    assert len(planned("--size", "7", "--opening-plies", "3").openings[0]) == 3
    for words, said in [
        ((*file, "--opening-start", "4"), "--opening-start: there are 3 openings"),
        (("--size", "7", "--opening-start", "2"), "random openings have no order"),
    ]:
        assert run(match, named("A"), named("B"), *words) == Exit.USAGE
        assert said in capsys.readouterr().err


def test_each_meeting_has_openings_of_its_own_under_encounter(tmp_path: Path) -> None:
    engines = tuple(EngineSpec(name, ("brain",)) for name in "ABC")
    free = Conditions().settings()
    shared = Plan("cup", engines, free, FIVE, 2)
    own = Plan("cup", engines, free, FIVE, 2, policy=Policy.ENCOUNTER)
    assert {job.settings.opening for job in jobs_of(shared)} == {FIVE[0]}
    assert [job.settings.opening for job in jobs_of(own)] == [
        opening for opening in FIVE[:3] for _ in range(2)
    ]
    assert len({job.id for job in jobs_of(own)}) == 6
    path = tmp_path / "cup.toml"
    path.write_text(
        f'openings = "{Path(opening_file(tmp_path)).name}"\norder = "sequential"\n'
        'opening_start = 3\nopening_plies = 1\nopening_policy = "encounter"\n'
        '[[engine]]\nname = "A"\ncommand = "true"\n[[engine]]\nname = "B"\ncommand = "true"\n'
    )
    plan = plan_from(read_draft(path))
    assert plan.policy is Policy.ENCOUNTER and list(plan.openings)[:1] == [((7, 7),)]
    path.write_text(path.read_text().replace('"encounter"', '"swiss"'))
    with pytest.raises(ValueError, match="opening_policy: 'swiss': expected one of round, enc"):
        read_draft(path)


LINE = re.compile(r" *\d+\.\d{3} (A|B) ([<>!]) (.*)")


def test_a_match_writes_a_log_for_each_game(in_here: None, tmp_path: Path) -> None:
    words = ("--games", "2", "--size", "6", "--turn", "60s", "--log", "--out", str(tmp_path / "m"))
    talks = named("A", "says-first", at=1, text=r"MESSAGE depth 7\n")
    assert run(match, talks, named("B"), *words) == 0
    logs = sorted((tmp_path / "m" / "log").iterdir())
    assert [path.name for path in logs] == ["00000a.log", "00000b.log"]
    found = [LINE.fullmatch(line) for line in logs[0].read_text().splitlines()]
    assert all(found)
    said = [(line[1], line[2], line[3]) for line in found if line]
    for name in "AB":
        assert (name, ">", "START 6") in said and (name, "<", "OK") in said
        assert (name, ">", "END") in said
    assert ("A", "<", "MESSAGE depth 7") in said
    times = [float(line.split()[0]) for line in logs[0].read_text().splitlines()]
    assert times == sorted(times)


def test_a_tournament_writes_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_here: None
) -> None:
    threads = vars(match_run)["open_executor"]
    monkeypatch.setattr("arena.tournament.run.open_executor", threads)
    path = tmp_path / "cup.toml"
    engines = "".join(
        f'[[engine]]\nname = "{name}"\ncommand = {command!r}\n'
        for name, command in (("A", _words("A")), ("B", _words("B")))
    )
    path.write_text(f'turn = "60s"\nsize = 6\ngames = 1\n{engines}')
    assert run(tournament, str(path), "--log", "--out", str(tmp_path / "t")) == 0
    (log,) = (tmp_path / "t" / "log").iterdir()
    assert log.name == "00000-A--B.log" and " B > START 6" in log.read_text()


def _words(name: str) -> str:
    """The command line of a fake."""
    return named(name).partition("=")[2]


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        StoreWriteError, match=r"file/log: (Not a directory|File exists)|file: File exists"
    ):
        GameLog(tmp_path / "file" / "log")
    full = Path("/dev/full")
    if not full.exists():
        return
    log = GameLog(full)
    log.of("A")(">", "START 15")
    with pytest.raises(StoreWriteError, match="/dev/full: No space left on device"):
        log.close()


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"tengen-arena {__version__}\n"
