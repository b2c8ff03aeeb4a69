"""Plays a match from its plan: stores the games, shows the table, prints the report."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path
from typing import Any

from ..game.formats import to_psq, to_sgf
from ..run.jobs import Job
from ..run.runner import Played, Runner, RunnerError
from ..run.scheduler import SchedulerError, SchedulerLostError, open_executor
from ..run.store import GameStore, StoreError, StoreWriteError, read_store
from ..util.exits import Exit
from ..util.json_text import read_json
from ..util.output import complain, say
from ..util.paths import all_numbered, file_name, next_numbered, replace_text
from .live import open_display, report
from .options import MatchPlan, UsageError, with_new_names
from .tally import Tally

__all__ = [
    "keep_game",
    "logged",
    "open_games",
    "play_match",
    "refuse_foreign",
    "run_command",
    "unwritable",
]

GAMES = "games.jsonl"
CONDITIONS = "match.json"
LOGS = "log"
FILES = ("psq", "sgf")
"""The formats of game files; each is the name of a folder and a suffix."""
OWNERS = {"match.json": "match", "tournament.json": "tournament"}
"""By the file of conditions in a folder: the kind of its games."""
HOME = Path("arena-games")


def open_games(plan: MatchPlan, out: Path | None, *, resume: bool) -> GameStore:
    """Opens the folder for the games: a new one, or with --resume an existing one.

    No other process can write there until the store is closed. Raises UsageError if there is no
    folder to resume, if the folder has games without --resume, or if those games were played under
    other conditions.
    """
    folder = out if out is not None else _default_folder(plan, resume=resume)
    if not resume and read_store(folder / GAMES):
        raise UsageError(f"--out: {folder} already has games; --resume continues them")
    store = GameStore(folder / GAMES)
    try:
        _keep_conditions(plan, store)
    except BaseException:
        store.close()
        raise
    return store


def _keep_conditions(plan: MatchPlan, store: GameStore) -> None:
    """Writes the conditions; raises UsageError if those of older games differ."""
    if store.games:
        refuse_foreign(store.folder, CONDITIONS)
    kept = store.folder / CONDITIONS
    now = plan.conditions()
    if store.games and kept.is_file():
        _refuse_other(kept, now)
    try:
        replace_text(kept, json.dumps(now, indent=1) + "\n")
    except OSError as error:
        raise unwritable(f"--out: {store.folder}", error) from None


def unwritable(what: str, error: OSError) -> UsageError | StoreWriteError:
    """Returns the error for a file that cannot be written. A full disk is a breakdown."""
    kind = StoreWriteError if error.errno == ENOSPC else UsageError
    return kind(f"{what}: {error.strerror}")


def refuse_foreign(folder: Path, own: str) -> None:
    """Raises UsageError if the games of a folder belong to another command.

    `own` is the file of conditions of this command. A folder without any such file is accepted.
    """
    if (folder / own).exists():
        return
    for name, kind in OWNERS.items():
        if (folder / name).exists():
            raise UsageError(f"--out: {folder} has the games of a {kind}, not of a {OWNERS[own]}")


def _refuse_other(kept: Path, now: dict[str, Any]) -> None:
    """Raises UsageError if the stored conditions differ from the current ones."""
    try:
        before = with_new_names(read_json(kept.read_text(encoding="utf-8")))
        fields = sorted({*before, *now})
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"{kept}: expected the conditions of a match: {error}") from None
    for field in fields:
        if before.get(field) != now.get(field):
            was, is_now = before.get(field), now.get(field)
            raise UsageError(f"--resume: {kept.parent}: {field} was {was} and is now {is_now}")


def _default_folder(plan: MatchPlan, *, resume: bool) -> Path:
    """Returns the next free folder of the two engines, or the last one with games."""
    names = "-".join(file_name(engine.name) for engine in (plan.first, plan.second))
    if not resume:
        return next_numbered(HOME, names)
    for folder in all_numbered(HOME, names):
        if read_store(folder / GAMES) and not _is_of_others(folder / CONDITIONS, plan):
            return folder
    raise UsageError(f"--resume: there are no games of {names} in {HOME}/")


def _is_of_others(kept: Path, plan: MatchPlan) -> bool:
    """Says whether the folder is of other engines whose joined names are equal."""
    try:
        before = with_new_names(read_json(kept.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return False  # the next user of the folder gets the error
    sides = {"engine A": plan.first.name, "engine B": plan.second.name}
    return any(not str(before.get(side)).startswith(f"{name}=") for side, name in sides.items())


def play_match(
    plan: MatchPlan,
    store: GameStore,
    *,
    concurrency: int | None = None,
    scheduler: str | None = None,
    extra: Callable[[Tally], str] = lambda _: "",
    verdict: Callable[[Tally], str] | None = None,
    should_stop: Callable[[Tally], bool] = lambda _: False,
) -> tuple[Tally, bool]:
    """Plays a match into an open store; returns the tally, and whether Ctrl-C ended it.

    `extra` is shown below the tally; `verdict` replaces it at the end. `should_stop` is called
    after each game. Raises RunnerError, SchedulerError and StoreError after it has shown the tally.
    """
    tally = Tally(plan.first.name, plan.second.name, count_forfeits=plan.count_forfeits)
    display = open_display(plan.title, tally, plan.games, lambda: extra(tally))

    def take(played: Played) -> None:
        tally.add(played)
        keep_game(store.folder, played)
        display.update(played)

    with open_executor(concurrency, scheduler) as (executor, count):
        runner = Runner(store, executor, concurrency=count, on_beat=display.beat)
        display.start()
        told = extra
        try:
            jobs = logged(plan.jobs, store.folder) if plan.logs else plan.jobs
            runner.run(jobs, take, lambda: should_stop(tally))
            if verdict is not None and not runner.interrupted:
                told = verdict
        finally:
            display.stop()
            say(*report(tally, told(tally)))
    say(f"games     {store.folder}")
    return tally, runner.interrupted


def logged(jobs: Iterable[Job], folder: Path) -> Iterator[Job]:
    """Yields the jobs, each with a log file in the folder of the games."""
    for job in jobs:
        yield replace(job, log=str(folder.absolute() / LOGS / f"{job.id}.log"))


def keep_game(folder: Path, played: Played) -> None:
    """Writes the two files of a game unless they exist; raises StoreWriteError."""
    record = played.record
    event = f"{record.black.name} - {record.white.name}, game {played.job.id}"
    texts = (to_psq(record), to_sgf(record, event=event))
    for suffix, text in zip(FILES, texts, strict=True):
        path = folder / suffix / f"{played.job.id}.{suffix}"
        if played.resumed and path.exists():
            continue
        try:
            path.parent.mkdir(exist_ok=True)
            replace_text(path, text)  # --resume keeps existing files: none may have half a game
        except OSError as error:
            raise StoreWriteError(f"{path}: {error.strerror}") from None


def run_command(command: Callable[[], int]) -> int:
    """Runs a command and returns its exit code; reports errors on stderr."""
    try:
        return command()
    except (RunnerError, SchedulerLostError, StoreWriteError) as error:
        complain(f"tengen-arena: {error}; --resume continues")
        return Exit.BROKE_DOWN
    except (UsageError, SchedulerError, StoreError) as error:
        complain(f"tengen-arena: {error}")
        return Exit.USAGE
