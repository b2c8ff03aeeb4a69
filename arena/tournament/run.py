"""Plays a tournament: the arguments, the folder of its games, the tables and the page."""

import argparse
import contextlib
import hashlib
import json
import re
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..engines.arguments import (
    RULE_NAMES,
    add_workers,
    one_rule,
    one_size,
    say_stopped,
    whole_number,
)
from ..engines.managers import LIKE
from ..engines.spec import EngineSpec, with_options
from ..game.record import GameRecord
from ..match.options import UsageError, duration_ms, info_argument, memory_mib, tolerance_ms
from ..match.run import keep_game
from ..page import Report, write_page
from ..run.runner import Played, Runner
from ..run.scheduler import open_executor
from ..run.store import GameStore, read_store
from ..stats.ratings import MissingLibraryError, check_libraries
from ..stats.standings import table_lines
from ..util.exits import Exit
from ..util.json_text import read_json
from ..util.output import complain, say
from ..util.paths import all_numbered, file_name, next_numbered, replace_text
from .conditions import Conditions
from .presets import PRESETS, preset_table
from .tournament import Plan, jobs_of, report_of

__all__ = [
    "CONDITIONS_HELP",
    "add_arguments",
    "anchor_argument",
    "conditions_of",
    "engines_with",
    "run_plan",
]

HOME = Path("arena-games")
GAMES = "games.jsonl"
CONDITIONS = "tournament.json"
PAGE = "index.html"
PAGE_EVERY_S = 20.0

_PRESETS = "\n  ".join(preset_table())

CONDITIONS_HELP = f"""\
presets   Every preset sets 350 MiB, a tolerance of 1 s and --like gomocup (with captures: strict).
          Other options override the preset: --turn 100ms --game 10s makes it fast.
  {_PRESETS}

time      Examples: 100ms, 1s, 1.5s, 2m. --turn limits each move, --game all moves of a player.
rules     {RULE_NAMES}
openings  A file of Gomocup, Piskvork or c-gomoku-cli, or `shipped` (default), or `none`.
          Each pair of engines plays each opening twice, with colours swapped.
games     --out is the folder of games.jsonl, psq/, sgf/ and the page index.html, which is one
          self-contained file. The default is a new folder, arena-games/NAME-001. --resume
          continues in the folder; you may add games or engines.
forfeits  A game lost by a fault counts for the score but not for the ratings.
          --count-forfeits counts it for both.
ratings   Elo by the Bradley-Terry model with 95 % intervals. A draw is half a win. Anchors keep
          their ratings; without anchors the mean of all ratings is 0.
"""


def anchor_argument(text: str) -> tuple[str, float]:
    """Reads NAME=ELO."""
    name, _, elo = text.rpartition("=")
    if not name.strip() or not re.fullmatch(r"\s*[+-]?\d{1,5}(\.\d+)?\s*", elo):
        raise argparse.ArgumentTypeError(f"{text!r}: expected NAME=ELO, e.g. rapfi=2100")
    return name.strip(), float(elo)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what a tournament and a gauntlet share."""
    _add_conditions(parser)
    add = parser.add_argument
    add(
        "--anchor",
        type=anchor_argument,
        action="append",
        default=[],
        metavar="NAME=ELO",
        help="fix the rating of an engine; may be repeated",
    )
    add_workers(parser)
    add("--out", type=Path, metavar="FOLDER", help="folder of the games and the page")
    add("--resume", action="store_true", help="continue in --out, or in the last folder of NAME")
    add("--report", action="store_true", help="write table and page of the games so far; play none")
    add("--page", type=Path, metavar="FILE", help=f"file of the page (default: {PAGE} in --out)")


def _add_conditions(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("conditions").add_argument
    add("--preset", choices=list(PRESETS), help="board, rule, clocks, memory and tolerance")
    add("--games", type=whole_number(1, 1_000_000), help="games of each pair (default: 2)")
    add("--rule", type=one_rule, help="rule, by number or name (default: freestyle)")
    add("--size", type=one_size, help="side of the board (default: 15; with captures: 19)")
    add("--turn", type=duration_ms, metavar="TIME", help="time for each move (default: 1s)")
    add("--game", type=duration_ms, metavar="TIME", help="time for all moves of a player")
    add(
        "--tolerance",
        type=tolerance_ms,
        metavar="TIME",
        help="how late a move may be (default: 1s, or that of the preset or --like; 0: not at all)",
    )
    add("--memory", type=memory_mib, metavar="MIB", help="memory limit of an engine; 0: no limit")
    add("--nodes", type=whole_number(1), metavar="N", help="send INFO max_node N to all engines")
    add(
        "--depth",
        type=whole_number(1, 1000),
        metavar="N",
        help="send INFO max_depth N to all engines",
    )
    add(
        "--info",
        type=info_argument,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="send INFO KEY VALUE to all engines; may be repeated",
    )
    add("--like", choices=list(LIKE), help="treat engines as this manager does")
    whether = argparse.BooleanOptionalAction
    add("--suspend", action=whether, help="suspend an engine's processes on its opponent's turn")
    add("--start-on-clock", action=whether, help="count start-up as part of the first move")
    add("--openings", metavar="FILE", help="opening file, `shipped` or `none` (default: shipped)")
    add("--count-forfeits", action=whether, help="count forfeited games for the ratings")
    add("--seed", type=int, help="seed that shuffles the openings (default: 1)")


def conditions_of(args: argparse.Namespace) -> Conditions:
    """Returns what the command line says of the conditions."""
    return Conditions(
        preset=args.preset,
        games=args.games,
        size=args.size,
        rule=args.rule,
        turn_ms=args.turn,
        match_ms=args.game,
        memory_mib=args.memory,
        tolerance_ms=args.tolerance,
        like=args.like,
        suspend=args.suspend,
        start_on_clock=args.start_on_clock,
        openings=args.openings,
        seed=args.seed,
        count_forfeits=args.count_forfeits,
    )


def engines_with(engines: Sequence[EngineSpec], args: argparse.Namespace) -> tuple[EngineSpec, ...]:
    """Returns the engines with what the command line tells all of them."""
    return tuple(
        with_options(engine, info=args.info, nodes=args.nodes, depth=args.depth)
        for engine in engines
    )


def run_plan(plan: Plan, args: argparse.Namespace) -> int:
    """Plays a tournament, or only reports on it, and returns the exit code.

    Raises UsageError, and whatever the runner and the store do.
    """
    try:
        check_libraries()
    except MissingLibraryError as error:
        raise UsageError(str(error)) from None
    folder = _folder(plan, args.out, resume=args.resume or args.report)
    page = folder / PAGE if args.page is None else args.page
    show = _Show(plan, page)
    if args.report:
        show.records = [game.record for game in read_store(folder / GAMES)]
        if not show.records:
            raise UsageError(f"--report: there are no games in {folder}")
        show.end()
        return Exit.DONE
    with GameStore(folder / GAMES) as store:  # nobody else writes there until the end
        _keep_conditions(plan, store)
        interrupted = _play(plan, store, show, args)
    say(f"games  {folder}")
    if interrupted:
        say_stopped(folder)
        return Exit.STOPPED
    return Exit.FORFEITED if any(record.is_forfeit for record in show.records) else Exit.DONE


def _play(plan: Plan, store: GameStore, show: "_Show", args: argparse.Namespace) -> bool:
    """Plays all games that are still to be played; says whether Ctrl-C ended it."""

    def take(played: Played) -> None:
        keep_game(store.folder, played)
        show.take(played)

    with open_executor(args.concurrency, args.scheduler) as (executor, count):
        runner = Runner(store, executor, concurrency=count, on_beat=show.beat)
        show.start()
        try:
            runner.run(jobs_of(plan), take)
        finally:
            show.end()
    return runner.interrupted


@dataclass
class _Show:
    """Tells of games as they end, and keeps the page up to date."""

    plan: Plan
    page: Path
    records: list[GameRecord] = field(default_factory=list)
    resumed: int = 0
    written: int = -1
    next_page: float = field(default_factory=lambda: time.monotonic() + PAGE_EVERY_S)

    def start(self) -> None:
        """Prints what is going to be played."""
        plan = self.plan
        if (pairs := (plan.games + 1) // 2) > len(plan.openings):
            known = f"{pairs} pairs of games from {len(plan.openings)} openings"
            complain(f"note: {known}: some are repeated")
        report = report_of(plan, [])
        self._write(report)
        facts = ", ".join(f"{label} {value}" for label, value in report.facts)
        say(f"{plan.name}: {len(plan.engines)} engines, {plan.total} games")
        say(facts)

    def take(self, played: Played) -> None:
        """Counts a game and prints a line on it."""
        self.records.append(played.record)
        if played.resumed:
            self.resumed += 1
            return
        record = played.record
        score = {"black": "1-0", "white": "0-1", None: "½-½"}[record.winner]
        count = f"{len(self.records)}/{self.plan.total}"
        names = f"{record.black.name} - {record.white.name}"
        say(f"{count:>9}  {names}  {score}  {record.summary()}")
        self.beat()

    def beat(self) -> None:
        """Writes the page when it is time and there is something new."""
        if time.monotonic() >= self.next_page and self.written != len(self.records):
            began = time.monotonic()
            # A page that cannot be written now costs no games; the last one has to be.
            with contextlib.suppress(UsageError):
                self._write(report_of(self.plan, self.records))
            # A page of thousands of games takes a while; nine tenths of the time are for games.
            took = time.monotonic() - began
            self.next_page = time.monotonic() + max(PAGE_EVERY_S, 9 * took)

    def end(self) -> None:
        """Prints the tables and writes the page a last time."""
        report = report_of(self.plan, self.records)
        if self.resumed:
            say(f"{self.resumed} of {len(self.records)} games were played before")
        for line in ["", *table_lines(report.table), ""]:
            say(line)
        self._write(report)
        say(f"page   {self.page}")

    def _write(self, report: Report) -> None:
        self.written = len(self.records)
        try:
            write_page(self.page, report)
        except OSError as error:
            raise UsageError(f"--page: {self.page}: {error.strerror}") from None


def _folder(plan: Plan, out: Path | None, *, resume: bool) -> Path:
    """Returns the folder of the games, a new one or, on request, one that has games already.

    Raises UsageError where there is none to go on in, or it has games not to be gone on with.
    """
    folder = _default_folder(plan, resume=resume) if out is None else out
    if not resume and read_store(folder / GAMES):
        raise UsageError(f"--out: {folder} already has games; --resume continues them")
    return folder


def _default_folder(plan: Plan, *, resume: bool) -> Path:
    """Returns the next free folder of the tournament's name, or the last one with games."""
    name = file_name(plan.name)
    if not resume:
        return next_numbered(HOME, name)
    for folder in all_numbered(HOME, name):
        if read_store(folder / GAMES):
            return folder
    raise UsageError(f"--resume: there are no games of {name} in {HOME}/")


def _keep_conditions(plan: Plan, store: GameStore) -> None:
    """Writes down what is played under; raises UsageError where older games had it otherwise.

    Engines may be added and left out; one that is there again has to be the same.
    """
    path = store.folder / CONDITIONS
    now, engines = _conditions(plan), {e.name: _engine_text(e) for e in plan.engines}
    if store.games and path.is_file():
        try:
            kept = read_json(path.read_text(encoding="utf-8"))
            before, players = dict(kept["conditions"]), dict(kept["engines"])
        except (OSError, ValueError, TypeError, KeyError) as error:
            text = f"{path}: expected the conditions of a tournament: {error}"
            raise UsageError(text) from None
        again = {name: text for name, text in engines.items() if name in players}
        for was, is_now in ((before, now), ({name: players[name] for name in again}, again)):
            _refuse_other(store.folder, was, is_now)
        engines = players | engines
    try:
        values = {"conditions": now, "engines": engines}
        replace_text(path, json.dumps(values, indent=1) + "\n")
    except OSError as error:
        raise UsageError(f"--out: {store.folder}: {error.strerror}") from None


def _refuse_other(folder: Path, was: dict[str, Any], now: dict[str, Any]) -> None:
    for key in sorted({*was, *now}):
        if was.get(key) != now.get(key):
            raise UsageError(
                f"--resume: {folder}: {key} was {was.get(key)} and is now {now.get(key)}"
            )


def _conditions(plan: Plan) -> dict[str, Any]:
    """Returns what has to be the same for games to belong to one tournament."""
    settings = plan.settings
    some = [plan.openings[number] for number in range(min(len(plan.openings), 1000))]
    return {
        "rule": settings.rule.name.lower(),
        "size": settings.size,
        "turn_ms": settings.turn_ms,
        "match_ms": settings.match_ms,
        "memory_mib": settings.memory_mib,
        "tolerance_ms": settings.tolerance_ms,
        "manners": repr(plan.manners),
        "openings": hashlib.sha256(repr(some).encode()).hexdigest()[:16],
    }


def _engine_text(engine: EngineSpec) -> str:
    info = "".join(f" ; {key}={value}" for key, value in engine.extra_info)
    return f"{shlex.join(engine.command)}{info}"
