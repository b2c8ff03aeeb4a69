"""The frozen executable against itself at 30 ms a move: every move is legal and none is late.

The brain reserves 10 ms of a 30 ms turn, and a shared machine may need longer to give it a core.
Late moves do not lose the game here. For each one the system reports how long the brain and its
manager waited for a core. A move that is later than this was late by itself, or the host of a
virtual machine stopped a core without a report: a loop that only reads the clock lost 14 and 33 ms
in this way within a minute. A real fault repeats. A round with such a move is therefore repeated,
at most twice. Nothing else is excused.
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
"""A late move is recorded, and the game continues."""
ROUND = 20
TRIES = 3


def play_round(executable: Path, settings: Sequence[GameSettings]) -> list[LateMove]:
    """Plays some games; returns the moves that were late by themselves. Fails on any forfeit."""
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


def test_a_game_of_each_rule_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, len(Rule))


@pytest.mark.soak
def test_200_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 200)
