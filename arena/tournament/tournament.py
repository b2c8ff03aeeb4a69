"""Tournaments: who meets whom, as jobs for the runner, and what the games come to."""

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
    """Says what is wrong with a tournament: where, and what was expected."""


class Kind(enum.StrEnum):
    """Names who meets whom: everybody everybody, or the challengers all the others."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"


@dataclass(frozen=True)
class Plan:
    """Holds a whole tournament; raises PlanError, naming the field, on what cannot be.

    `games` are those of each two who meet. `challengers` are of a gauntlet; none given is the first
    engine. `anchors` are known ratings, by name. `settings.opening` plays no part; `source` says
    where the openings come from. `count_forfeits`: forfeited games count for the ratings, too.
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
        """Checks what the fields say of each other."""
        names = self.names
        if len(names) < 2:
            raise PlanError(f"engine: {len(names)} given, expected two or more")
        seen: dict[str, str] = {}
        for name in names:
            if (other := seen.get(file_name(name))) is not None:
                raise PlanError(
                    f"engine: {other!r} and {name!r}: expected names that differ, as file names too"
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

    Under the policy `encounter` each meeting has openings of its own, one after the other.
    So a tournament that is cut off says as much of each engine. The id of a game holds the names,
    and not the places of the engines in the file: another may be added later.
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
    """Returns what the page and the tables tell of the games played so far."""
    anchors = dict(plan.anchors)
    table = table_of(plan.names, records, anchors, count_forfeits=plan.count_forfeits)
    return Report(plan.name, table, tuple(records), facts_of(plan), tuple(files))


def facts_of(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Returns the conditions of play as pairs of a label and a value."""
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
    """Returns a time in the unit that suits it."""
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:g} s"
