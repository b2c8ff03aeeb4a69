"""The plan of a match, from the arguments of `match` and `sprt`."""

import argparse
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..engines.clock import Limits
from ..engines.managers import PROFILES, ManagerProfile, manager_profile
from ..engines.spec import EngineSpec, distinct, with_options
from ..game.game import GameSettings
from ..openings.book import OpeningError, read_openings, shipped
from ..openings.order import Arrangement, Order
from ..rules.opening_rules import Opening, OpeningRule, OpeningRuleError
from ..rules.referee import Point, Rule
from ..run.jobs import RANDOM_PLIES, Job, RandomOpenings, TurnedOpenings, paired_jobs
from ..run.opening_play import OpeningPlay, default_think_ms
from .limits import (
    UsageError,
    adjudication_of,
    limits_of,
)

__all__ = [
    "MatchPlan",
    "UsageError",
    "check_limits",
    "clock_text",
    "extra_conditions",
    "limits_text",
    "opening_play_of",
    "plan_of",
    "random_openings",
    "refuse_other_rule",
    "tolerance_of",
    "with_new_names",
]

FREE_TURN_MS = 60_000
"""The time for a move whose search ends by nodes or depth."""
DEFAULT_TURN_MS = 1000
DEFAULT_TOLERANCE_MS = 1000
"""Gomocup's tolerance. Without a tolerance a busy machine decides games."""
CONTINUOUS = 2


@dataclass(frozen=True)
class MatchPlan:
    """Holds a match: engines, conditions, openings, number of games (None: no end)."""

    first: EngineSpec
    second: EngineSpec
    settings: GameSettings
    manager: ManagerProfile
    openings: Sequence[tuple[Point, ...]]
    source: str
    games: int | None
    count_forfeits: bool = False
    opening_play: OpeningPlay | None = None
    logs: bool = False

    @property
    def jobs(self) -> Iterator[Job]:
        """Yields the games as jobs, from the first one."""
        return paired_jobs(
            self.first,
            self.second,
            self.settings,
            self.openings,
            self.games,
            manager=self.manager,
            opening_play=self.opening_play,
        )

    @property
    def title(self) -> str:
        """Returns a description of the match in one line."""
        settings = self.settings
        rule = Rule(settings.rule).name.lower().replace("_", " ")
        times = []
        if settings.turn_ms is not None:
            times.append(f"{settings.turn_ms / 1000:g} s a move")
        if settings.match_ms is not None:
            times.append(clock_text(settings))
        like = "" if self.manager.name == "strict" else f", like {self.manager.name}"
        return (
            f"{self.first.name} - {self.second.name}: {rule} {settings.size}x{settings.size}, "
            f"{', '.join(times)}{like}, openings: {self.source}"
        )

    def conditions(self) -> dict[str, Any]:
        """Returns the values that all games of one match must share."""
        settings = self.settings
        some = [self.openings[number] for number in range(min(len(self.openings), 1000))]
        return {
            **{f"engine {name}": _engine_text(spec) for name, spec in self._engines()},
            "rule": Rule(settings.rule).name.lower(),
            "size": settings.size,
            "turn_ms": settings.turn_ms,
            "match_ms": settings.match_ms,
            "memory_mib": settings.memory_mib,
            "tolerance_ms": settings.tolerance_ms,
            **extra_conditions(settings),
            **({} if self.opening_play is None else {"opening_rule": repr(self.opening_play)}),
            "manager": repr(self.manager),
            "openings": hashlib.sha256(repr(some).encode()).hexdigest()[:16],
        }

    def _engines(self) -> tuple[tuple[str, EngineSpec], tuple[str, EngineSpec]]:
        return ("A", self.first), ("B", self.second)


def clock_text(settings: GameSettings) -> str:
    """Returns the game clock as text, such as `60 s for 40 moves + 0.5 s a move`."""
    seconds = f"{(settings.match_ms or 0) / 1000:g} s"
    text = f"{seconds} for {settings.moves_to_go} moves" if settings.moves_to_go else seconds
    if settings.increment_ms:
        text += f" + {settings.increment_ms / 1000:g} s a move"
    return text if settings.moves_to_go or settings.increment_ms else f"{text} a game"


def with_new_names(conditions: Mapping[str, Any]) -> dict[str, Any]:
    """Returns stored conditions under the names of this version.

    Older versions called the manager's profile `manners`.
    """
    renamed = dict(conditions)
    if "manners" in renamed:
        old = str(renamed.pop("manners"))
        renamed["manager"] = old.replace("Manners(", "ManagerProfile(", 1)
    return renamed


def extra_conditions(settings: GameSettings) -> dict[str, Any]:
    """Returns the optional conditions of a match. Games of older versions lack them."""
    extra: dict[str, Any] = {}
    if settings.increment_ms:
        extra["increment_ms"] = settings.increment_ms
    if settings.moves_to_go:
        extra["moves_to_go"] = settings.moves_to_go
    if settings.adjudication is not None:
        extra["adjudication"] = repr(settings.adjudication)
    return extra


def _engine_text(engine: EngineSpec) -> str:
    info = " ".join(f"{key}={value}" for key, value in engine.extra_info)
    text = f"{engine.name}={' '.join(engine.command)}{' ; ' + info if info else ''}"
    return text + limits_text(engine.limits)


def limits_text(limits: Limits | None) -> str:
    """Returns an engine's own limits as ` ; turn_ms=100`; empty without any."""
    if limits is None:
        return ""
    return "".join(f" ; {key}={n}" for key, n in asdict(limits).items() if n is not None)


def plan_of(args: argparse.Namespace, games: int | None) -> MatchPlan:
    """Returns the match of the arguments; raises UsageError."""
    manager = manager_profile(
        args.like or "strict", suspend=args.suspend, start_on_clock=args.start_on_clock
    )
    settings = _settings(args)
    opening_play = opening_play_of(
        args.opening_rule,
        args.opening_time,
        settings,
        seed=args.seed,
        has_openings=args.openings is not None,
    )
    openings: Sequence[tuple[Point, ...]] = [()]
    if opening_play is None:
        openings, source = _openings(args, settings.size)
    else:
        source = opening_play.told
    first, second = distinct(
        [
            replace(
                with_options(
                    engine,
                    info=(*args.info, *getattr(args, f"info_{side}")),
                    nodes=getattr(args, f"nodes_{side}") or args.nodes,
                    depth=getattr(args, f"depth_{side}") or args.depth,
                ),
                limits=limits_of(args, side),
            )
            for engine, side in ((args.a, "a"), (args.b, "b"))
        ]
    )
    refuse_other_rule((first, second), args.rule)
    check_limits(settings, (first, second))
    return MatchPlan(
        first,
        second,
        settings,
        manager,
        openings,
        source,
        games,
        args.count_forfeits,
        opening_play,
        args.log,
    )


def opening_play_of(
    rule: str | None,
    think_ms: int | None,
    settings: GameSettings,
    *,
    seed: int,
    has_openings: bool,
) -> OpeningPlay | None:
    """Returns how the engines make openings; None if the openings come from a set.

    Raises UsageError if this contradicts other arguments.
    """
    if rule is None:
        if think_ms is not None:
            raise UsageError("--opening-time: needs --opening-rule")
        return None
    if has_openings:
        raise UsageError("--opening-rule: the engines make the openings: leave out --openings")
    play = OpeningPlay(OpeningRule(rule), think_ms or default_think_ms(settings), seed)
    try:
        Opening.begin(play.rule, settings.rule, settings.size)
    except OpeningRuleError as error:
        raise UsageError(f"--opening-rule: {error}") from None
    return play


def _settings(args: argparse.Namespace) -> GameSettings:
    """Returns the conditions of the games, without an opening; raises UsageError."""
    turn_ms = args.turn
    if turn_ms is None and args.game is None:
        free = args.nodes is not None or args.depth is not None
        turn_ms = FREE_TURN_MS if free else DEFAULT_TURN_MS
    try:
        return GameSettings(
            size=args.size or args.rule.usual_size,
            rule=args.rule,
            turn_ms=turn_ms,
            match_ms=args.game,
            memory_mib=args.memory,
            tolerance_ms=tolerance_of(args.tolerance, args.like),
            increment_ms=args.increment or 0,
            moves_to_go=args.moves_to_go or 0,
            adjudication=adjudication_of(args.max_moves, args.draw, args.resign, args.mates),
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


def check_limits(settings: GameSettings, engines: Sequence[EngineSpec]) -> None:
    """Raises UsageError with the engine's name if its own limits make no clock."""
    for engine in engines:
        try:
            settings.under(engine.limits)
        except ValueError as error:
            raise UsageError(f"{engine.name}: {error}") from None


def tolerance_of(given_ms: int | None, like: str | None) -> int:
    """Returns the tolerance in ms: the given one, else the manager's, else Gomocup's."""
    if given_ms is not None:
        return given_ms
    return DEFAULT_TOLERANCE_MS if like is None else PROFILES[like].tolerance_ms


def refuse_other_rule(engines: Sequence[EngineSpec], rule: Rule) -> None:
    """Raises UsageError if an INFO value of an engine names another rule than the referee's.

    The bit for a continuous game is ignored, because it does not change what wins.
    """
    for engine in engines:
        for key, value in engine.extra_info:
            if key.lower() != "rule":
                continue
            number = int(value) if re.fullmatch(r"\d{1,4}", value) else None
            if number is None or number & ~CONTINUOUS != rule:
                name = rule.name.lower().replace("_", " ")
                raise UsageError(
                    f"info: {engine.name}: rule={value}, but the games are played under rule "
                    f"{int(rule)} ({name})"
                )


def _openings(args: argparse.Namespace, size: int) -> tuple[Sequence[tuple[Point, ...]], str]:
    """Returns the openings in playing order, and their source."""
    if args.openings is not None:
        try:
            found = read_openings(args.openings, size=size, rule=args.rule)
        except OpeningError as error:
            raise UsageError(f"--openings: {error}") from None
        source = args.openings.name
    else:
        try:
            found = shipped(args.rule, size)
            source = "shipped"
        except OpeningError:
            found = []
    order = Order.SEQUENTIAL if args.in_order else Order(args.order)
    arrangement = Arrangement(order, args.seed, args.opening_start, args.opening_plies)
    try:
        if not found:
            return random_openings(args.rule, size, arrangement)
        found = arrangement.apply(found)
    except OpeningError as error:
        raise UsageError(f"--opening-start: {error}") from None
    return TurnedOpenings(found, size), f"{len(found)} {source}{arrangement.told}"


def random_openings(
    rule: Rule, size: int, arrangement: Arrangement
) -> tuple[Sequence[tuple[Point, ...]], str]:
    """Returns openings of random moves, and their name; raises OpeningError."""
    if arrangement.start > 1:
        raise OpeningError("random openings have no order: expected a set of openings")
    moves = arrangement.plies or RANDOM_PLIES
    openings = RandomOpenings(rule, size, seed=arrangement.seed, moves=moves)
    plies = "" if arrangement.plies is None else f", {moves} plies"
    return openings, f"random, seed {arrangement.seed}{plies}"
