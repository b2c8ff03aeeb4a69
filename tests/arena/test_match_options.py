"""The plan of a match from its arguments, and the tally of its games."""

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.engines.brain import CommandError
from arena.engines.managers import Clocked
from arena.engines.spec import distinct, parse_engine, parse_info
from arena.game.game import GameSettings
from arena.game.record import EndReason, MoveRecord, Side
from arena.match.limits import duration_ms, memory_mib
from arena.match.live import progress_line, report
from arena.match.tally import Tally
from arena.rules.referee import Color, Rule
from arena.run.jobs import RandomOpenings, paired_jobs
from arena.run.runner import Played
from tests.support.jobs import record_of
from tests.support.matches import named, planned


def test_what_the_options_come_to() -> None:
    plan = planned("--like", "gomocup", "--game", "2m", "--memory", "350M", "--rule", "renju")
    settings = plan.settings
    assert (settings.turn_ms, settings.match_ms, settings.memory_mib) == (None, 120_000, 350)
    assert (settings.tolerance_ms, plan.manager.name) == (1000, "gomocup")
    assert plan.manager.suspend and plan.manager.clocked is Clocked.FIRST_MOVE
    plan = planned("--suspend", "--start-on-clock", "--rule", "16", "--tolerance", "0")
    assert (plan.settings.size, plan.settings.rule) == (19, Rule.NINUKI)
    assert plan.manager.suspend and plan.manager.clocked is Clocked.FIRST_MOVE
    assert plan.settings.turn_ms == 1000
    assert not planned("--like", "piskvork", "--no-suspend").manager.suspend
    plan = planned("--nodes", "5000", "--info", "x=1", "--info-a", "y=2", "--info-b", "z=3 4")
    assert plan.settings.turn_ms == 60_000
    assert plan.first.extra_info == (("max_node", "5000"), ("x", "1"), ("y", "2"))
    assert plan.second.extra_info == (("max_node", "5000"), ("x", "1"), ("z", "3 4"))
    assert planned("--seed", "2").openings[0] != planned("--seed", "3").openings[0]
    assert planned("--in-order").openings[0] == planned("--in-order", "--seed", "3").openings[0]


def test_the_units_of_times_and_memory() -> None:
    times = {"100ms": 100, "1s": 1000, "1.5s": 1500, "2m": 120_000, "1H": 3_600_000}
    assert {text: duration_ms(text) for text in times} == times
    for text in ("", "0ms", "-1s", "1 day", "1e3s"):
        with pytest.raises(argparse.ArgumentTypeError):
            duration_ms(text)
    sizes = {"350": 350, "350M": 350, "1G": 1024, "2gb": 2048, "2048k": 2}
    assert {text: memory_mib(text) for text in sizes} == sizes
    with pytest.raises(argparse.ArgumentTypeError):
        memory_mib("100k")


def test_engines_are_named(tmp_path: Path) -> None:
    program = tmp_path / "pbrain-x=1"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert parse_engine(str(program)).name == "pbrain-x=1"
    assert parse_engine(f"New one={program}").name == "New one"
    module = parse_engine(f"{shlex.quote(sys.executable)} -S -m protocol --fast")
    assert (module.name, module.command[2:]) == ("protocol", ("-m", "protocol", "--fast"))
    assert parse_engine(f"{shlex.quote(sys.executable)} some/brain.py").name == "brain"
    with pytest.raises(CommandError, match="no such file"):
        parse_engine("X=./nowhere")
    same = parse_engine(str(program))
    names = [engine.name for engine in distinct([same, same, same])]
    assert names == ["pbrain-x=1", "pbrain-x=1#2", "pbrain-x=1#3"]
    assert parse_info(" hash_size = 1024 ") == ("hash_size", "1024")
    for bad in ("", "=1", "a b=1", "x=\n", "x="):
        with pytest.raises(ValueError):
            parse_info(bad)


def test_the_tally_counts_games_pairs_and_faults() -> None:
    tally, halves, games = Tally("A", "B", count_forfeits=True), Tally("A", "B"), []
    sound = Tally("A", "B")
    # Winners by game: pairs WW, WL, LL, DD, WD for A, and one game of a pair.
    winners = ["A", "A", "A", "B", "B", "B", None, None, "A", None, "B"]
    engines = (parse_engine(named("A")), parse_engine(named("B")))
    jobs = paired_jobs(*engines, GameSettings(size=6), RandomOpenings(Rule.FREESTYLE, 6), 11)
    for job, winner in zip(jobs, winners, strict=True):
        colors: dict[str | None, Side | None]
        colors = {job.black.name: "black", job.white.name: "white", None: None}
        color = colors[winner]
        moves = (MoveRecord(1, 1, "black", 500, 1000, depth=4, nodes=2000),)
        reason = EndReason.CRASH if winner == "B" else EndReason.FIVE
        record = replace(record_of(job), winner=color, reason=reason, moves=moves)
        games.append(Played(job, record))
        tally.add(games[-1])
        sound.add(games[-1])
    assert str(tally.score) == "+4 =3 -4"
    assert str(tally.pairs) == "[1 0 2 1 1]"
    # Every win of B is a crash of A: of the pairs WW and DD are left.
    assert (str(sound.score), str(sound.rated), sound.forfeits) == ("+4 =3 -4", "+4 =3 -0", 4)
    assert str(sound.pairs) == "[0 0 1 1 1]" and sound.has_half_pairs
    assert report(sound)[0] == (
        "forfeits  4 of 11 games (A: crash 4): do not trust the Elo, which uses the other 7 games"
    )
    assert tally.has_half_pairs
    for game in (games[0], games[2]):
        halves.add(game)
    assert halves.games == 2 and halves.has_half_pairs
    for game in (games[3], games[1]):
        halves.add(game)
    assert not halves.has_half_pairs
    assert str(tally.as_color(Color.BLACK)) == "+3 =1 -2"
    assert (tally.first.forfeits, tally.second.forfeits) == ({"crash": 4}, {})
    assert (tally.first.depth, tally.first.nps, tally.first.moves) == (4, 4000, 6)
    line = progress_line(tally, 12)
    assert line.startswith("11/12 games  A +4 =3 -4  Elo ")
    assert line.endswith("pairs [1 0 2 1 1]  forfeits A: crash 4")
