"""The arguments that `match` and `sprt` share, and the match that they come to."""

import argparse
import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..engines.arguments import RULE_NAMES, add_workers, one_rule, one_size, whole_number
from ..engines.brain import CommandError
from ..engines.clock import Limits
from ..engines.managers import LIKE, Manners, manners_like
from ..engines.spec import EngineSpec, distinct, parse_engine, parse_info, with_options
from ..game.game import GameSettings
from ..openings.book import OpeningError, read_openings, shipped
from ..rules.referee import Point, Rule
from ..run.jobs import Job, RandomOpenings, TurnedOpenings, paired_jobs
from .limits import (
    UsageError,
    add_adjudication,
    add_clock,
    add_own_limits,
    adjudication_of,
    duration_ms,
    limits_of,
    memory_mib,
    tolerance_ms,
)

__all__ = [
    "EPILOG",
    "MatchPlan",
    "UsageError",
    "add_match_arguments",
    "duration_ms",
    "engine_argument",
    "info_argument",
    "memory_mib",
    "plan_of",
    "refuse_other_rule",
    "tolerance_of",
]

FREE_TURN_MS = 60_000
"""The time of a move that nodes or depth are to end."""
DEFAULT_TURN_MS = 1000
DEFAULT_TOLERANCE_MS = 1000
"""Gomocup's. Without one a busy machine decides games."""
CONTINUOUS = 2
NINUKI_SIZE = 19

EPILOG = f"""\
engines   A path, or a command line in quotes. You can put a name before it: NEW="./brain --fast"
time      Examples: 100ms, 1s, 1.5s, 2m. --turn limits each move, --game all moves of a player.
          --increment and --moves-to-go change the game clock. Engines see them in the values of
          INFO time_left. --turn-a, --game-b and so on give one engine other limits (time odds).
rules     {RULE_NAMES}
openings  Each opening is played twice with colours swapped. The default is the shipped set for the
          rule and size, shuffled by --seed, or random openings if no set is shipped. After the
          last opening, the set is repeated with rotated and mirrored boards.
managers  --like imitates one manager: how it starts, suspends and ends an engine, how it reads
          answers and measures time, and how late a move may be. Without --like the arena is
          stricter than all of them, except for its tolerance of 1 s.
forfeits  A game lost by a fault counts for the score but not for the Elo. --count-forfeits
          counts it for both.
games     --out is the folder of the games: games.jsonl (one line for each game), psq/ and sgf/.
          --resume continues an interrupted match.
cluster   --scheduler tcp://HOST:8786 plays on a Dask cluster. Each worker needs the engines at
          the same paths, and one thread: dask worker --nthreads 1 tcp://HOST:8786
"""


@dataclass(frozen=True)
class MatchPlan:
    """Holds a match: who plays, under what, from which openings, how often (None: for ever)."""

    first: EngineSpec
    second: EngineSpec
    settings: GameSettings
    manners: Manners
    openings: Sequence[tuple[Point, ...]]
    source: str
    games: int | None
    count_forfeits: bool = False

    @property
    def jobs(self) -> Iterator[Job]:
        """Returns the games as jobs, from the first on."""
        return paired_jobs(
            self.first,
            self.second,
            self.settings,
            self.openings,
            self.games,
            manners=self.manners,
        )

    @property
    def title(self) -> str:
        """Returns the match in one line."""
        settings = self.settings
        rule = Rule(settings.rule).name.lower().replace("_", " ")
        times = []
        if settings.turn_ms is not None:
            times.append(f"{settings.turn_ms / 1000:g} s a move")
        if settings.match_ms is not None:
            times.append(clock_text(settings))
        manners = "" if self.manners.name == "strict" else f", like {self.manners.name}"
        return (
            f"{self.first.name} - {self.second.name}: {rule} {settings.size}x{settings.size}, "
            f"{', '.join(times)}{manners}, openings: {self.source}"
        )

    def conditions(self) -> dict[str, Any]:
        """Returns what has to be the same for games to belong to one match."""
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
            "manners": repr(self.manners),
            "openings": hashlib.sha256(repr(some).encode()).hexdigest()[:16],
        }

    def _engines(self) -> tuple[tuple[str, EngineSpec], tuple[str, EngineSpec]]:
        return ("A", self.first), ("B", self.second)


def clock_text(settings: GameSettings) -> str:
    """Returns the game clock in words, as `60 s for 40 moves + 0.5 s a move`."""
    seconds = f"{(settings.match_ms or 0) / 1000:g} s"
    text = f"{seconds} for {settings.moves_to_go} moves" if settings.moves_to_go else seconds
    if settings.increment_ms:
        text += f" + {settings.increment_ms / 1000:g} s a move"
    return text if settings.moves_to_go or settings.increment_ms else f"{text} a game"


def extra_conditions(settings: GameSettings) -> dict[str, Any]:
    """Returns the conditions that a match need not have; games of older versions have none."""
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
    """Returns the limits that an engine has for itself, as ` ; turn_ms=100`; empty without any."""
    if limits is None:
        return ""
    return "".join(f" ; {key}={n}" for key, n in asdict(limits).items() if n is not None)


def engine_argument(text: str) -> EngineSpec:
    """Reads an engine."""
    try:
        return parse_engine(text)
    except CommandError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def info_argument(text: str) -> tuple[str, str]:
    """Reads KEY=VALUE."""
    try:
        return parse_info(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what both commands take."""
    add = parser.add_argument
    add("a", type=engine_argument, metavar="A", help="the first engine")
    add("b", type=engine_argument, metavar="B", help="the second engine")
    add(
        "--rule",
        type=one_rule,
        default=Rule.FREESTYLE,
        help="rule, by number or name (default: freestyle)",
    )
    add("--size", type=one_size, help="side of the board (default: 15; ninuki: 19)")
    _add_limits(parser)
    add_own_limits(parser)
    add_adjudication(parser)
    _add_manners(parser)
    add(
        "--openings",
        type=Path,
        metavar="FILE",
        help="opening file in the format of Piskvork, c-gomoku-cli or Gomocup",
    )
    add("--seed", type=int, default=1, help="seed that shuffles the openings (default: 1)")
    add("--in-order", action="store_true", help="play the openings in the order of the file")
    add(
        "--count-forfeits",
        action="store_true",
        help="count forfeited games for the Elo (default: leave them out)",
    )
    add_workers(parser)
    add("--out", type=Path, metavar="FOLDER", help="folder of the games (default: a new folder)")
    add("--resume", action="store_true", help="continue in --out, or in the last folder of A and B")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    add = group.add_argument
    add("--turn", type=duration_ms, metavar="TIME", help="time for each move (default: 1s)")
    add("--game", type=duration_ms, metavar="TIME", help="time for all moves of a player")
    add_clock(add)
    add(
        "--tolerance",
        type=tolerance_ms,
        metavar="TIME",
        help="how late a move may be (default: 1s, or the tolerance of --like; 0: not at all)",
    )
    add(
        "--memory",
        type=memory_mib,
        default=0,
        metavar="MIB",
        help="memory limit of an engine (default: 0, no limit)",
    )
    add("--nodes", type=whole_number(1), metavar="N", help="send INFO max_node N to both engines")
    add(
        "--depth",
        type=whole_number(1, 1000),
        metavar="N",
        help="send INFO max_depth N to both engines",
    )
    info: dict[str, Any] = {
        "type": info_argument,
        "action": "append",
        "default": [],
        "metavar": "KEY=VALUE",
    }
    add("--info", help="send INFO KEY VALUE to both engines; may be repeated", **info)
    add("--info-a", help="send INFO KEY VALUE to A only", **info)
    add("--info-b", help="send INFO KEY VALUE to B only", **info)


def _add_manners(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("manager")
    add = group.add_argument
    names = [name for name in LIKE if name != "strict"]
    add("--like", choices=names, help="treat engines as this manager does")
    add(
        "--suspend",
        action=argparse.BooleanOptionalAction,
        help="suspend all processes of an engine while its opponent thinks",
    )
    add(
        "--start-on-clock",
        action=argparse.BooleanOptionalAction,
        help="count the start-up of an engine as part of its first move",
    )


def plan_of(args: argparse.Namespace, games: int | None) -> MatchPlan:
    """Returns the match that the arguments describe; raises UsageError."""
    manners = manners_like(
        args.like or "strict", suspend=args.suspend, start_on_clock=args.start_on_clock
    )
    settings = _settings(args)
    openings, source = _openings(args, settings.size)
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
    return MatchPlan(first, second, settings, manners, openings, source, games, args.count_forfeits)


def _settings(args: argparse.Namespace) -> GameSettings:
    """Returns what the games are played under, without an opening; raises UsageError."""
    turn_ms = args.turn
    if turn_ms is None and args.game is None:
        free = args.nodes is not None or args.depth is not None
        turn_ms = FREE_TURN_MS if free else DEFAULT_TURN_MS
    try:
        return GameSettings(
            size=args.size or (NINUKI_SIZE if args.rule is Rule.NINUKI else 15),
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
    """Raises UsageError, with the engine's name, where its own limits make no clock."""
    for engine in engines:
        try:
            settings.under(engine.limits)
        except ValueError as error:
            raise UsageError(f"{engine.name}: {error}") from None


def tolerance_of(given_ms: int | None, like: str | None) -> int:
    """Returns the tolerance in ms: as given, else that of the manager, else Gomocup's."""
    if given_ms is not None:
        return given_ms
    return DEFAULT_TOLERANCE_MS if like is None else LIKE[like].tolerance_ms


def refuse_other_rule(engines: Sequence[EngineSpec], rule: Rule) -> None:
    """Raises UsageError where an engine would be told another rule than is refereed.

    The bit of a continuous game says nothing about what a win is.
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
    """Returns the openings in the order in which they are played, and where they come from."""
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
    if not found:
        return RandomOpenings(args.rule, size, seed=args.seed), f"random, seed {args.seed}"
    if not args.in_order:
        random.Random(args.seed).shuffle(found)
        source += f", seed {args.seed}"
    return TurnedOpenings(found, size), f"{len(found)} {source}"
