"""The frozen executable against itself at 30 ms a move, every move refereed, none late.

The brain keeps 10 ms of a 30 ms turn in reserve, and a shared machine may take longer than that
to give it a core. So a game lost by time is played again, from the same start: a brain that is
late by itself is late again, a machine that was busy is not busy twice over. Nothing else is
forgiven, and the games played again are counted and may be few.
"""

from pathlib import Path

import pytest

from arena.brain import Command
from arena.game import play_brains
from arena.record import EndReason, GameRecord
from arena.referee import Rule
from arena.selfplay import SIZES, Plan, record_line, summary_lines

TURN_MS = 30
TRIES = 4
REPLAYED_SHARE = 0.5
"""Of the games; on a quiet machine it is 0."""


def play_until_in_time(command: Command, plan: Plan) -> list[list[GameRecord]]:
    """Plays each game, again while it ends by time, `TRIES` times at most: all the records."""
    games = []
    for settings in plan.settings():
        tries = [play_brains(command, command, settings)]
        while tries[-1].reason is EndReason.TIME and len(tries) < TRIES:
            tries.append(play_brains(command, command, settings))
        games.append(tries)
    return games


def play_without_a_fault(executable: Path, games: int) -> None:
    """Plays over all rules and sizes; fails on any forfeit, with the games and the summary."""
    plan = Plan(games=games, rules=tuple(Rule), sizes=SIZES, turn_ms=TURN_MS, tolerance_ms=0)
    played = play_until_in_time(executable, plan)
    records = [tries[-1] for tries in played]
    replayed = sum(len(tries) > 1 for tries in played)
    summary = "\n".join([*summary_lines(records), f"replayed  {replayed}"])
    print(summary)
    bad = [
        record_line(number, record)
        for number, tries in enumerate(played, 1)
        for record in tries
        if record.is_forfeit and (record is tries[-1] or record.reason is not EndReason.TIME)
    ]
    assert not bad, "\n".join([*bad, summary])
    assert replayed <= REPLAYED_SHARE * games, summary
    notes = {note for record in records for note in record.black.notes + record.white.notes}
    assert not notes, "\n".join([*sorted(notes), summary])


def test_20_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 20)


@pytest.mark.soak
def test_200_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 200)
