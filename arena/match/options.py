"""The arguments that `match` and `sprt` share, and the match that they come to."""

import argparse
import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..engines.arguments import RULE_NAMES, add_workers, one_rule, one_size, whole_number
from ..engines.brain import CommandError
from ..engines.clock import TimeControl
from ..engines.managers import LIKE, Manners, manners_like
from ..engines.spec import EngineSpec, distinct, parse_engine, parse_info, with_options
from ..game.game import GameSettings
from ..openings.book import OpeningError, read_openings, shipped
from ..rules.referee import Point, Rule
from ..run.jobs import Job, RandomOpenings, TurnedOpenings, paired_jobs

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

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|min|h)", re.IGNORECASE)
_MS = {"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000}
_MEMORY = re.compile(r"(\d+)(k|m|g|kb|mb|gb|kib|mib|gib)?", re.IGNORECASE)

EPILOG = f"""\
engines   A path, or a command line in quotes. You can put a name before it: NEW="./brain --fast"
time      Examples: 100ms, 1s, 1.5s, 2m. --turn limits each move, --game all moves of a player.
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


class UsageError(ValueError):
    """Says which argument makes no match, and why."""


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
            times.append(f"{settings.match_ms / 1000:g} s a game")
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
            "manners": repr(self.manners),
            "openings": hashlib.sha256(repr(some).encode()).hexdigest()[:16],
        }

    def _engines(self) -> tuple[tuple[str, EngineSpec], tuple[str, EngineSpec]]:
        return ("A", self.first), ("B", self.second)


def _engine_text(engine: EngineSpec) -> str:
    info = " ".join(f"{key}={value}" for key, value in engine.extra_info)
    return f"{engine.name}={' '.join(engine.command)}{' ; ' + info if info else ''}"


def duration_ms(text: str) -> int:
    """Reads a time with its unit."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected a time with its unit, e.g. 100ms or 1s"
        )
    value = float(found[1]) * _MS[found[2].lower()]
    if not 0.5 < value <= 2_000_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 1 ms to 23 days")
    return round(value)


def tolerance_ms(text: str) -> int:
    """Reads a time, which may be 0."""
    return 0 if text.strip() == "0" else duration_ms(text)


def memory_mib(text: str) -> int:
    """Reads an amount of memory, in MiB where no unit is given."""
    found = _MEMORY.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected MiB, e.g. 350, or a unit, e.g. 350M or 1G"
        )
    unit = (found[2] or "m").lower()[0]
    value = float(found[1]) * {"k": 1 / 1024, "m": 1, "g": 1024}[unit]
    if value > 1 << 20 or value != int(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of MiB up to 1 TiB")
    return int(value)


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
    add("--size", type=one_size, help="side of the board (default: 15; with captures: 19)")
    _add_limits(parser)
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
    size = args.size or args.rule.usual_size
    turn_ms = args.turn
    if turn_ms is None and args.game is None:
        free = args.nodes is not None or args.depth is not None
        turn_ms = FREE_TURN_MS if free else DEFAULT_TURN_MS
    settings = GameSettings(
        size=size,
        rule=args.rule,
        turn_ms=turn_ms,
        match_ms=args.game,
        memory_mib=args.memory,
        tolerance_ms=tolerance_of(args.tolerance, args.like),
    )
    assert settings.time_control == TimeControl(turn_ms, args.game, settings.tolerance_ms)
    openings, source = _openings(args, size)
    first, second = distinct(
        [
            with_options(engine, info=(*args.info, *more), nodes=args.nodes, depth=args.depth)
            for engine, more in ((args.a, args.info_a), (args.b, args.info_b))
        ]
    )
    refuse_other_rule((first, second), args.rule)
    return MatchPlan(first, second, settings, manners, openings, source, games, args.count_forfeits)


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
