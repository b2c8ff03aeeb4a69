"""Plays a tournament: stores its games, prints its tables, writes its page."""

import argparse
import contextlib
import hashlib
import json
import os
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..engines.arguments import say_stopped
from ..engines.spec import EngineSpec
from ..game.record import GameRecord
from ..match.limits import UsageError
from ..match.options import extra_conditions, limits_text, with_new_names
from ..match.run import FILES, keep_game, logged, refuse_foreign, unwritable
from ..page import Report, write_page
from ..run.runner import Played, Runner
from ..run.scheduler import open_executor
from ..run.store import GameStore, StoreWriteError, read_store
from ..stats.ratings import MissingLibraryError, check_libraries
from ..stats.standings import table_lines
from ..util.exits import Exit
from ..util.json_text import read_json
from ..util.output import complain, say
from ..util.paths import all_numbered, file_name, next_numbered, replace_text
from .arguments import PAGE
from .live import LiveStandings, open_standings
from .tournament import Plan, jobs_of, report_of

__all__ = ["run_plan"]

HOME = Path("arena-games")
GAMES = "games.jsonl"
CONDITIONS = "tournament.json"
PAGE_EVERY_S = 20.0


def run_plan(plan: Plan, args: argparse.Namespace) -> int:
    """Plays a tournament, or only reports on it; returns the exit code.

    Raises UsageError, the errors of the runner and the store, and StoreWriteError for a full disk.
    """
    try:
        check_libraries()
    except MissingLibraryError as error:
        raise UsageError(str(error)) from None
    folder = _folder(plan, args.out, resume=args.resume or args.report)
    page = folder / PAGE if args.page is None else args.page
    show = _Show(plan, page, folder)
    if args.report:
        games = read_store(folder / GAMES)
        show.records, show.ids = [game.record for game in games], [game.id for game in games]
        if not show.records:
            raise UsageError(f"--report: there are no games in {folder}")
        refuse_foreign(folder, CONDITIONS)
        show.end()
        return Exit.DONE
    with GameStore(folder / GAMES) as store:  # no other process writes there until the end
        _keep_conditions(plan, store)
        interrupted = _play(plan, store, show, args)
    say(f"games  {folder}")
    if interrupted:
        say_stopped(folder)
        return Exit.STOPPED
    return Exit.FORFEITED if any(record.is_forfeit for record in show.records) else Exit.DONE


def _play(plan: Plan, store: GameStore, show: "_Show", args: argparse.Namespace) -> bool:
    """Plays all missing games; says whether Ctrl-C ended the run."""

    def take(played: Played) -> None:
        keep_game(store.folder, played)
        show.take(played)

    with open_executor(args.concurrency, args.scheduler) as (executor, count):
        runner = Runner(store, executor, concurrency=count, on_beat=show.beat)
        show.start()
        try:
            jobs = jobs_of(plan)
            runner.run(logged(jobs, store.folder) if args.log else jobs, take)
        except BaseException:
            # On a full disk the page fails as well. Report the error of the games.
            with contextlib.suppress(UsageError, StoreWriteError):
                show.end()
            raise
        show.end()
    return runner.interrupted


@dataclass
class _Show:
    """Reports games as they end, and updates the page."""

    plan: Plan
    page: Path
    folder: Path
    records: list[GameRecord] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    resumed: int = 0
    written: int = -1
    standings: LiveStandings = field(default_factory=open_standings)
    next_page: float = field(default_factory=lambda: time.monotonic() + PAGE_EVERY_S)

    def start(self) -> None:
        """Prints the title of the tournament."""
        plan = self.plan
        pairs = (plan.games + 1) // 2
        if plan.opening_play is None and pairs > len(plan.openings):
            known = f"{pairs} pairs of games from {len(plan.openings)} openings"
            complain(f"note: {known}: some are repeated")
        report = report_of(plan, [])
        self._write(report)
        facts = ", ".join(f"{label} {value}" for label, value in report.facts)
        say(f"{plan.name}: {len(plan.engines)} engines, {plan.total} games")
        say(facts)
        self.standings.start()

    def take(self, played: Played) -> None:
        """Counts a game and prints a line on it."""
        self.records.append(played.record)
        self.ids.append(played.job.id)
        if played.resumed:
            self.resumed += 1
            return
        record = played.record
        score = {"black": "1-0", "white": "0-1", None: "½-½"}[record.winner]
        count = f"{len(self.records)}/{self.plan.total}"
        names = f"{record.black.name} - {record.white.name}"
        self.standings.say(f"{count:>9}  {names}  {score}  {record.summary()}")
        self.beat()

    def beat(self) -> None:
        """Shows the standings and writes the page, each when it is due after new games."""
        self.standings.beat(len(self.records), lambda: report_of(self.plan, self.records).table)
        if time.monotonic() >= self.next_page and self.written != len(self.records):
            began = time.monotonic()
            # A page that cannot be written now costs no games. Only the last page must be written.
            with contextlib.suppress(UsageError, StoreWriteError):
                self._write(self._report())
            # A page with thousands of games is slow to write: keep 90 % of the time for games.
            took = time.monotonic() - began
            self.next_page = time.monotonic() + max(PAGE_EVERY_S, 9 * took)

    def end(self) -> None:
        """Prints the tables and writes the page for the last time."""
        self.standings.stop()
        report = self._report()
        if self.resumed:
            say(f"{self.resumed} of {len(self.records)} games were played before")
        for line in ["", *table_lines(report.table), ""]:
            say(line)
        self._write(report)
        say(f"page   {self.page}")

    def _report(self) -> Report:
        return report_of(self.plan, self.records, links_to(self.folder, self.page, self.ids))

    def _write(self, report: Report) -> None:
        self.written = len(self.records)
        try:
            write_page(self.page, report)
        except OSError as error:
            raise unwritable(f"--page: {self.page}", error) from None


def links_to(folder: Path, page: Path, ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Returns the links from a page to the game files; none if they are on another drive."""
    try:
        base = Path(os.path.relpath(folder, page.parent)).as_posix()
    except ValueError:
        return []
    return [tuple(quote(f"{base}/{kind}/{name}.{kind}") for kind in FILES) for name in ids]


def _folder(plan: Plan, out: Path | None, *, resume: bool) -> Path:
    """Returns the folder of the games: a new one, or with --resume one with games.

    Raises UsageError if there is none to resume, or if it has games without --resume.
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
    """Writes the conditions; raises UsageError if those of older games differ.

    Engines may be added and removed. An engine that returns must be the same.
    """
    if store.games:
        refuse_foreign(store.folder, CONDITIONS)
    path = store.folder / CONDITIONS
    now, engines = _conditions(plan), {e.name: _engine_text(e) for e in plan.engines}
    if store.games and path.is_file():
        try:
            kept = read_json(path.read_text(encoding="utf-8"))
            before, players = with_new_names(kept["conditions"]), dict(kept["engines"])
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
        raise unwritable(f"--out: {store.folder}", error) from None


def _refuse_other(folder: Path, was: dict[str, Any], now: dict[str, Any]) -> None:
    for key in sorted({*was, *now}):
        if was.get(key) != now.get(key):
            raise UsageError(
                f"--resume: {folder}: {key} was {was.get(key)} and is now {now.get(key)}"
            )


def _conditions(plan: Plan) -> dict[str, Any]:
    """Returns the values that all games of one tournament must share."""
    settings = plan.settings
    some = [plan.openings[number] for number in range(min(len(plan.openings), 1000))]
    return {
        "rule": settings.rule.name.lower(),
        "size": settings.size,
        "turn_ms": settings.turn_ms,
        "match_ms": settings.match_ms,
        "memory_mib": settings.memory_mib,
        "tolerance_ms": settings.tolerance_ms,
        **extra_conditions(settings),
        **({} if plan.opening_play is None else {"opening_rule": repr(plan.opening_play)}),
        "manager": repr(plan.manager),
        "openings": hashlib.sha256(repr(some).encode()).hexdigest()[:16],
    }


def _engine_text(engine: EngineSpec) -> str:
    info = "".join(f" ; {key}={value}" for key, value in engine.extra_info)
    return f"{shlex.join(engine.command)}{info}{limits_text(engine.limits)}"
