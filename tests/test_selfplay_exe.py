"""The frozen executable against itself at 30 ms a move, every move refereed, none late."""

from pathlib import Path

import pytest

from arena.referee import Rule
from arena.selfplay import SIZES, Plan, play_plan, record_line, summary_lines

TURN_MS = 30


def play_without_a_fault(executable: Path, games: int) -> None:
    """Plays over all rules and sizes; fails on any forfeit, with the games and the summary."""
    plan = Plan(games=games, rules=tuple(Rule), sizes=SIZES, turn_ms=TURN_MS, tolerance_ms=0)
    records = play_plan(executable, plan)
    summary = "\n".join(summary_lines(records))
    print(summary)
    bad = [record_line(n, record) for n, record in enumerate(records, 1) if record.is_forfeit]
    assert not bad, "\n".join([*bad, summary])
    assert all(record.worst_over_ms is None or record.worst_over_ms <= 0 for record in records)
    notes = {note for record in records for note in record.black.notes + record.white.notes}
    assert not notes, "\n".join([*sorted(notes), summary])


def test_20_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 20)


@pytest.mark.soak
def test_200_games_without_a_late_or_illegal_move(executable: Path) -> None:
    play_without_a_fault(executable, 200)
