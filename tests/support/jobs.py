"""Jobs of matches between fakes, their records, and the ids of a store."""

import json
from collections.abc import Iterator
from pathlib import Path

from arena.engines.spec import EngineSpec
from arena.game.game import GameSettings
from arena.game.record import EndReason, GameRecord, PlayerRecord
from arena.rules.referee import Rule
from arena.run.jobs import Job, RandomOpenings, paired_jobs
from tests.support.fakes import fake

TURN_MS = 60_000


def engine(name: str, fault: str = "none", **keys: object) -> EngineSpec:
    """Returns an engine with a fault."""
    return EngineSpec(name, tuple(fake(fault, **keys)))


def jobs_of(
    games: int | None, a: EngineSpec | None = None, b: EngineSpec | None = None
) -> Iterator[Job]:
    """Returns the jobs of a short match on a small board."""
    settings = GameSettings(size=6, turn_ms=TURN_MS)
    openings = RandomOpenings(Rule.FREESTYLE, 6)
    return paired_jobs(a or engine("A"), b or engine("B"), settings, openings, games)


def record_of(job: Job) -> GameRecord:
    """Returns a record without moves that Black wins."""
    return GameRecord(
        black=PlayerRecord(job.black.name),
        white=PlayerRecord(job.white.name),
        size=6,
        rule=0,
        turn_ms=TURN_MS,
        match_ms=None,
        memory_mib=0,
        tolerance_ms=0,
        opening=job.settings.opening,
        moves=(),
        winner="black",
        reason=EndReason.FIVE,
        detail=job.id,
    )


def ids_in(path: Path) -> list[str]:
    """Returns the ids in a store, line by line."""
    return [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]
