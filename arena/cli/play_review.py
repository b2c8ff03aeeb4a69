"""The review of a game that was played at the terminal."""

from pathlib import Path

from records.review import TURNING

from ..engines.spec import EngineSpec
from ..game.record import GameRecord
from ..play.client import Brain
from ..play.session import Reviewer
from ..review.judge import Budget, Judge
from ..review.progress import telling
from ..review.report import Finished, write_reports
from ..review.source import source_of_record

__all__ = ["reviewer_of"]

LONGEST_MS = 1000
"""A position is searched no longer than this, whatever a move may take."""


def reviewer_of(spec: EngineSpec, turn_ms: int, *, plain: bool) -> Reviewer:
    """Returns what reviews a game with this engine."""
    time_ms = min(LONGEST_MS, turn_ms)

    def review(record: GameRecord, folder: Path | None) -> list[str]:
        source = source_of_record(record)
        if not source.moves:
            raise ValueError("there is no move yet")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        moves = [*source.moves, None]
        with Brain.of(spec) as brain, telling(len(moves), plain=plain) as tell:
            judge = Judge(brain, Budget(time_ms=time_ms))
            judgements = []
            for ply, (position, move) in enumerate(zip(source.positions(), moves, strict=True), 1):
                judgements.append(judge.judge(position, move))
                tell(ply)
        limits = f"{time_ms} ms"
        finished = Finished(source, tuple(judgements), spec.name, limits, TURNING)
        lines = [f"review by {spec.name}, {limits} for each position:"]
        lines += finished.table.splitlines()
        if folder is not None:
            lines += [f"wrote {path}" for path in write_reports(folder, finished)]
        return lines

    return review
