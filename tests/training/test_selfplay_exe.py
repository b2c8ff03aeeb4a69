"""The frozen executable against itself at 30 ms a move, every move refereed, none late.

The brain keeps 10 ms of a 30 ms turn in reserve, and a shared machine may take longer than that
to give it a core. So late moves are let pass in the game, and looked at: for each the system says
how long the brain and its manager were ready to run and got no core. A move that is later than that
was late by itself, or the host of a virtual machine stopped a core and told nobody: a loop that
only reads the clock saw 14 and 33 ms go so within a minute. What is late by itself is late again,
so a round with such a move is played again, twice at most. Nothing else is forgiven.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.game.game import GameSettings, play_game
from arena.game.record import GameRecord
from arena.rules.referee import Rule
from arena.stress.selfplay import SIZES, Plan, record_line, summary_lines
from arena.stress.timed_brain import LateMove, TimedBrain

TURN_MS = 30
TOLERANCE_MS = 30_000
"""A late move is looked at, and the game goes on."""
ROUND = 20
TRIES = 3


def play_round(executable: Path, settings: Sequence[GameSettings]) -> list[LateMove]:
    """Plays some games and returns the moves that were late by themselves; fails on any forfeit."""
    records: list[GameRecord] = []
    late: list[LateMove] = []
    for game in settings:
        brains = TimedBrain(executable), TimedBrain(executable)
        for brain in brains:
            brain.watch(TOLERANCE_MS)
        records.append(play_game(*brains, game))
        late += [move for brain in brains for move in brain.late]
    summary = "\n".join([*summary_lines(records), *map(str, late)])
    print(summary)
    bad = [record_line(number, record) for number, record in enumerate(records, 1)
           if record.is_forfeit]  # fmt: skip
    bad += [note for record in records for note in record.black.notes + record.white.notes]
    assert not bad, "\n".join([*bad, summary])
    return [move for move in late if not move.is_excused]


def play_without_a_fault(executable: Path, games: int) -> None:
    """Plays over all rules and sizes, round by round."""
    plan = Plan(games, tuple(Rule), SIZES, turn_ms=TURN_MS, tolerance_ms=TOLERANCE_MS)
    settings = plan.settings()
    for first in range(0, games, ROUND):
        late: list[LateMove] = []
        for _ in range(TRIES):
            late = play_round(executable, settings[first : first + ROUND])
            if not late:
                break
        assert not late, late


def test_20_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 20)


@pytest.mark.soak
def test_200_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 200)
