"""The frozen executable against itself at 30 ms a move, every move refereed, none late.

The brain keeps 10 ms of a 30 ms turn in reserve, and a shared machine may take longer than that
to give it a core. So late moves are let pass in the game, and looked at: for each the system says
how long the brain and its manager were ready to run and got no core. A move that is later than that
was late by itself. Nothing else is forgiven, and nothing is played again.
"""

from pathlib import Path

import pytest

from arena.game import play_game
from arena.record import GameRecord
from arena.referee import Rule
from arena.selfplay import SIZES, Plan, record_line, summary_lines
from arena.watched import LateMove, Watched

TURN_MS = 30
TOLERANCE_MS = 30_000
"""A late move is looked at, and the game goes on."""


def play_without_a_fault(executable: Path, games: int) -> None:
    """Plays over all rules and sizes; fails on any forfeit or late move, with the summary."""
    plan = Plan(games, tuple(Rule), SIZES, turn_ms=TURN_MS, tolerance_ms=TOLERANCE_MS)
    records: list[GameRecord] = []
    late: list[LateMove] = []
    for settings in plan.settings():
        brains = Watched(executable), Watched(executable)
        for brain in brains:
            brain.watch(TOLERANCE_MS)
        records.append(play_game(*brains, settings))
        late += [move for brain in brains for move in brain.late]
    summary = "\n".join([*summary_lines(records), f"late      {len(late)}"])
    print(summary)
    bad = [record_line(number, record) for number, record in enumerate(records, 1)
           if record.is_forfeit]  # fmt: skip
    bad += [str(move) for move in late if not move.is_excused]
    bad += [note for record in records for note in record.black.notes + record.white.notes]
    assert not bad, "\n".join([*bad, summary])


def test_20_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 20)


@pytest.mark.soak
def test_200_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 200)
