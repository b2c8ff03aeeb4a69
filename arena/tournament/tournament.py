"""Tournaments: the pairings as jobs for the runner, and the report of the results."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ..engines.managers import STRICT, ManagerProfile
from ..engines.spec import EngineSpec
from ..game.game import GameSettings
from ..game.record import GameRecord
from ..match.options import UsageError, clock_text, limits_text
from ..openings.order import Policy
from ..page import Report
from ..run.jobs import Job, paired_jobs
from ..run.opening_play import OpeningPlay
from ..stats.standings import table_of
from ..util.paths import file_name
from .conditions import OpeningList

__all__ = ["Kind", "Plan", "PlanError", "jobs_of", "report_of"]


class PlanError(UsageError):
    """A tournament is not valid; the text says where, and what was expected."""


class Kind(enum.StrEnum):
    """The pairings: a round robin, or challengers against all others."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"


@dataclass(frozen=True)
class Plan:
    """Holds a whole tournament; raises PlanError with the name of a wrong field.

    `games` is the number for each pairing. `challengers` are those of a gauntlet; the default is
    the first engine. `anchors` are known ratings by name. `settings.opening` is ignored; `source`
    names the source of the openings. `count_forfeits`: forfeits also count for the ratings.
    """

    name: str
    engines: tuple[EngineSpec, ...]
    settings: GameSettings
    openings: OpeningList
    games: int = 2
    kind: Kind = Kind.ROUND_ROBIN
    challengers: tuple[str, ...] = ()
    anchors: tuple[tuple[str, float], ...] = ()
    manager: ManagerProfile = STRICT
    source: str = ""
    count_forfeits: bool = False
    policy: Policy = Policy.ROUND
    opening_play: OpeningPlay | None = None

    def __post_init__(self) -> None:
        """Checks that the fields fit together."""
        names = self.names
        if len(names) < 2:
            raise PlanError(f"engine: {len(names)} given, expected two or more")
        seen: dict[str, str] = {}
        for name in names:
            if (other := seen.get(file_name(name))) is not None:
                raise PlanError(
                    f"engine: {other!r} and {name!r}: expected different names, also as file names"
                )
            seen[file_name(name)] = name
        anchored = tuple(name for name, _ in self.anchors)
        for field, chosen in (("challenger", self.challengers), ("anchor", anchored)):
            for name in chosen:
                if name not in names:
                    known = ", ".join(names)
                    raise PlanError(f"{field}: unknown engine {name!r}; known: {known}")
        if not self.openings:
            raise PlanError("openings: expected at least one")
        if self.games < 1:
            raise PlanError(f"games: {self.games} is less than one")
        if not self.meetings():
            raise PlanError(
                "challenger: every engine is a challenger: expected at least one opponent"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the names of the engines in order."""
        return tuple(engine.name for engine in self.engines)

    def meetings(self) -> list[tuple[EngineSpec, EngineSpec]]:
        """Returns the pairings."""
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
        """Returns the number of games."""
        return self.games * len(self.meetings())


def jobs_of(plan: Plan) -> Iterator[Job]:
    """Yields all games. All pairings play an opening before the next opening begins.

    An interrupted tournament therefore has equal numbers of games for each engine. Under the policy
    `encounter` each pairing has its own openings, one after the other. The id of a game contains
    the names of the engines, not their places in the file, because engines may be added later.
    """
    pairs = (plan.games + 1) // 2 if plan.policy is Policy.ENCOUNTER else 0
    series = [
        paired_jobs(
            one,
            other,
            plan.settings,
            plan.openings,
            plan.games,
            manager=plan.manager,
            first_pair=number * pairs,
            opening_play=plan.opening_play,
        )
        for number, (one, other) in enumerate(plan.meetings())
    ]
    for start in range(0, plan.games, 2):
        for jobs in series:
            for _ in range(min(2, plan.games - start)):
                job = next(jobs)
                names = f"{file_name(job.black.name)}--{file_name(job.white.name)}"
                yield replace(job, id=f"{job.pair:05}-{names}")


def report_of(
    plan: Plan, records: Sequence[GameRecord], files: Sequence[tuple[str, ...]] = ()
) -> Report:
    """Returns the contents of the page and the tables, from the games so far."""
    anchors = dict(plan.anchors)
    table = table_of(plan.names, records, anchors, count_forfeits=plan.count_forfeits)
    return Report(plan.name, table, tuple(records), facts_of(plan), tuple(files))


def facts_of(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Returns the conditions as pairs of a label and a value."""
    settings = plan.settings
    clocks = []
    if settings.turn_ms is not None:
        clocks.append(f"{time_text(settings.turn_ms)} a move")
    if settings.match_ms is not None:
        clocks.append(clock_text(settings))
    facts = [
        ("kind", plan.kind.value),
        ("rule", settings.rule.name.lower().replace("_", " ")),
        ("board", f"{settings.size}x{settings.size}"),
        ("time", ", ".join(clocks)),
    ]
    facts += [
        (f"limits of {engine.name}", limits_text(engine.limits).removeprefix(" ; "))
        for engine in plan.engines
        if engine.limits is not None
    ]
    if settings.memory_mib:
        facts.append(("memory", f"{settings.memory_mib} MiB"))
    facts.append(("games a pair", str(plan.games)))
    if plan.source:
        facts.append(("openings", plan.source))
    if plan.manager.name != STRICT.name:
        facts.append(("played like", plan.manager.name))
    return tuple(facts)


def time_text(ms: int) -> str:
    """Returns a time in a suitable unit."""
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:g} s"
