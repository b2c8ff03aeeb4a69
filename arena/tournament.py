"""Tournaments: who meets whom, as jobs for the runner, and what the games come to."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from arena.engines import EngineSpec
from arena.game import GameSettings
from arena.jobs import Job, paired_jobs
from arena.manners import STRICT, Manners
from arena.page import Report
from arena.record import GameRecord
from arena.referee import Point
from arena.standings import Table, table_of
from arena.store import StoredGame

__all__ = ["Kind", "Plan", "PlanError", "StaleStoreError", "check_store", "jobs_of", "report_of"]


class PlanError(ValueError):
    """Says what is wrong with a tournament: where, and what was expected."""


class StaleStoreError(RuntimeError):
    """Says that kept games were played under other conditions than those asked for now."""


class Kind(enum.StrEnum):
    """Names who meets whom: everybody everybody, or the challengers all the others."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"


@dataclass(frozen=True)
class Plan:
    """Holds a whole tournament; raises PlanError, naming the field, on what cannot be.

    `games` are those of each two who meet. `challengers` are of a gauntlet; none given is the first
    engine. `anchors` are known ratings, by name. `settings.opening` plays no part.
    """

    name: str
    engines: tuple[EngineSpec, ...]
    settings: GameSettings
    openings: Sequence[tuple[Point, ...]]
    games: int = 2
    kind: Kind = Kind.ROUND_ROBIN
    challengers: tuple[str, ...] = ()
    anchors: tuple[tuple[str, float], ...] = ()
    manners: Manners = STRICT
    preset: str | None = None

    def __post_init__(self) -> None:
        """Checks what the fields say of each other."""
        names = self.names
        if len(names) < 2:
            raise PlanError(f"engine: there are {len(names)}, two or more are needed")
        for name in names:
            if names.count(name) > 1:
                raise PlanError(f"engine: two are called {name!r}, the names have to differ")
        for field, chosen in (
            ("challenger", self.challengers),
            ("anchor", tuple(name for name, _ in self.anchors)),
        ):
            for name in chosen:
                if name not in names:
                    known = ", ".join(names)
                    raise PlanError(f"{field}: no engine is called {name!r}; there are: {known}")
        if not self.openings:
            raise PlanError("openings: there is none")
        if self.games < 1:
            raise PlanError(f"games: {self.games} is less than one")
        if not self.meetings():
            raise PlanError("challenger: all engines are, so that nobody is left to be met")

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the names of the engines in their order."""
        return tuple(engine.name for engine in self.engines)

    def meetings(self) -> list[tuple[EngineSpec, EngineSpec]]:
        """Returns the pairs who meet."""
        if self.kind is Kind.ROUND_ROBIN:
            return list(combinations(self.engines, 2))
        chosen = self.challengers or self.names[:1]
        return [
            (one, other)
            for one in self.engines
            for other in self.engines
            if one.name in chosen and other.name not in chosen
        ]

    @property
    def total(self) -> int:
        """Returns how many games there are to be."""
        return self.games * len(self.meetings())


def jobs_of(plan: Plan) -> Iterator[Job]:
    """Yields all games: each opening is played by all who meet before the next one comes.

    So a tournament that is cut off says as much of each engine. The id of a game holds the names,
    and not the places of the engines in the file: an engine may be added later.
    """
    series = [
        paired_jobs(one, other, plan.settings, plan.openings, plan.games, manners=plan.manners)
        for one, other in plan.meetings()
    ]
    for start in range(0, plan.games, 2):
        for jobs in series:
            for _ in range(min(2, plan.games - start)):
                job = next(jobs)
                job_id = f"{job.pair:05} {job.black.name} - {job.white.name}"
                yield replace(job, id=job_id)


def check_store(path: Path, games: Sequence[StoredGame], plan: Plan) -> None:
    """Raises StaleStoreError where a kept game is one of the plan, but was played otherwise."""
    kept = {game.id: game.record for game in games}
    for job in jobs_of(plan):
        record, settings = kept.get(job.id), job.settings
        if record is None:
            continue
        for field in ("size", "rule", "turn_ms", "match_ms", "memory_mib", "opening"):
            was, now = getattr(record, field), getattr(settings, field)
            if was != now:
                raise StaleStoreError(
                    f"{path}: game {job.id!r} was played with {field} {was}, now it is {now}: "
                    "take the conditions of those games, or another place for the new ones"
                )


def report_of(plan: Plan, records: Sequence[GameRecord]) -> Report:
    """Returns what the page and the tables tell of the games played so far."""
    return Report(plan.name, table_for(plan, records), tuple(records), facts_of(plan))


def table_for(plan: Plan, records: Sequence[GameRecord]) -> Table:
    """Returns the standings after these games."""
    return table_of(plan.names, records, dict(plan.anchors))


def facts_of(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Returns the conditions of play as pairs of a label and a value."""
    settings = plan.settings
    clocks = []
    if settings.turn_ms is not None:
        clocks.append(f"{time_text(settings.turn_ms)} a move")
    if settings.match_ms is not None:
        clocks.append(f"{time_text(settings.match_ms)} a game")
    facts = [
        ("kind", plan.kind.value),
        ("rule", settings.rule.name.lower().replace("_", " ")),
        ("board", f"{settings.size}x{settings.size}"),
        ("time", ", ".join(clocks)),
    ]
    if settings.memory_mib:
        facts.append(("memory", f"{settings.memory_mib} MiB"))
    facts.append(("games a pair", str(plan.games)))
    if plan.manners is not STRICT:
        facts.append(("played like", plan.manners.name))
    return tuple(facts)


def time_text(ms: int) -> str:
    """Returns a time in the unit that suits it."""
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:g} s"
