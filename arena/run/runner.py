"""The runner: plays jobs and returns each record exactly once, even if workers die."""

import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from ..game.record import GameRecord
from .jobs import Job, play_job
from .scheduler import WorkerLostError
from .store import GameStore, StoredGame

__all__ = ["Played", "Runner", "RunnerError"]

TRIES = 5
"""The number of attempts at a job whose workers die."""
BEAT_S = 0.5
"""The longest wait for a game before other work is checked, in seconds."""


class RunnerError(RuntimeError):
    """The runner cannot start or continue; the text says why."""


@dataclass(frozen=True)
class Played:
    """Holds a finished game; `resumed` if it comes from the store."""

    job: Job
    record: GameRecord
    resumed: bool = False


@dataclass
class _Run:
    """Holds the state of one call of `run`."""

    on_result: Callable[[Played], None]
    should_stop: Callable[[], bool]
    done: dict[str, GameRecord]
    store: GameStore | None
    records: list[GameRecord] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    stopped: bool = False

    def take(self, played: Played) -> None:
        """Counts a game after it is stored."""
        if self.store is not None and not played.resumed:
            job = played.job
            self.store.append(StoredGame(job.id, job.pair, played.record))
        self.records.append(played.record)
        self.on_result(played)


class Runner:
    """Plays jobs on an executor and stores each finished game at once.

    The store is a file of JSON lines, one for each game: `{"id", "pair", "record"}`. A job whose id
    is in the store is not played again. A job whose worker dies is submitted again.
    """

    def __init__(
        self,
        store: GameStore | Path | None,
        executor: Executor,
        *,
        concurrency: int = 1,
        play: Callable[[Job], GameRecord] = play_job,
        on_beat: Callable[[], None] | None = None,
    ) -> None:
        """Takes an open store, its path, or None, and the number of concurrent games.

        `on_beat` is called about every half second during a wait.
        """
        if concurrency < 1:
            raise ValueError(f"concurrency: {concurrency} is less than one game")
        self._store = store
        self._executor = executor
        self._concurrency = concurrency
        self._play = play
        self._on_beat = on_beat or (lambda: None)
        # An executor may know that its futures will never finish; then it raises here.
        self._check: Callable[[], None] = getattr(executor, "check", lambda: None)
        self._interrupted = False

    @property
    def interrupted(self) -> bool:
        """Says whether Ctrl-C ended the last run."""
        return self._interrupted

    def run(
        self,
        jobs: Iterable[Job],
        on_result: Callable[[Played], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> list[GameRecord]:
        """Plays the jobs; returns the records in the order in which the games ended.

        `jobs` may be endless: they are drawn on demand. `on_result` is called in this thread for
        each game, also for games of the store. `should_stop` is called before the first game and
        after each game. If it returns true, running games are dropped, as after Ctrl-C, which
        raises nothing. Raises RunnerError if the workers of a job die repeatedly, and StoreError.
        """
        self._interrupted = False
        with contextlib.ExitStack() as stack:
            store = self._store
            if isinstance(store, Path):
                store = stack.enter_context(GameStore(store))
            done = {} if store is None else {game.id: game.record for game in store.games}
            run = _Run(on_result or (lambda _: None), should_stop or (lambda: False), done, store)
            with self._deferred_interrupts():
                self._play_all(iter(jobs), run)
        return run.records

    @contextlib.contextmanager
    def _deferred_interrupts(self) -> Iterator[None]:
        """Delays Ctrl-C until the current game is stored; a second Ctrl-C acts at once.

        Does nothing outside the main thread.
        """

        def note(number: int, frame: FrameType | None) -> None:
            if self._interrupted:
                raise KeyboardInterrupt
            self._interrupted = True

        try:
            before = signal.signal(signal.SIGINT, note)
        except ValueError:
            before = None
        try:
            yield
        except KeyboardInterrupt:
            self._interrupted = True
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)

    def _play_all(self, jobs: Iterator[Job], run: _Run) -> None:
        """Keeps as many games running as the executor has room for, until none is left."""
        under_way: dict[Future[GameRecord], Job] = {}
        deaths: Counter[str] = Counter()
        try:
            while True:
                while len(under_way) < self._concurrency and not self._is_over(run):
                    job = self._next_to_play(jobs, run)
                    if job is None:
                        break
                    under_way[self._executor.submit(self._play, job)] = job
                if not under_way or self._is_over(run):
                    return
                ready, _ = wait_for(under_way, BEAT_S, FIRST_COMPLETED)
                self._on_beat()
                self._check()
                for future in ready:
                    self._settle(future, under_way, run, deaths)
        finally:
            for future in under_way:
                future.cancel()

    def _is_over(self, run: _Run) -> bool:
        return run.stopped or self._interrupted

    def _next_to_play(self, jobs: Iterator[Job], run: _Run) -> Job | None:
        """Returns the next job without a record; counts the jobs that have one."""
        for job in jobs:
            if job.id in run.seen:
                raise RunnerError(f"job {job.id}: two jobs have this id")
            run.seen.add(job.id)
            if (record := run.done.get(job.id)) is not None:
                run.take(Played(job, record, resumed=True))
                continue
            run.stopped = run.stopped or run.should_stop()
            return None if run.stopped else job
        return None

    def _settle(
        self,
        future: "Future[GameRecord]",
        under_way: "dict[Future[GameRecord], Job]",
        run: _Run,
        deaths: "Counter[str]",
    ) -> None:
        """Counts a finished game, or submits it again if its worker died."""
        job = under_way.pop(future)
        if run.stopped:
            return
        try:
            record = future.result()
        except (WorkerLostError, BrokenExecutor, CancelledError) as error:
            self._again(job, error, under_way, deaths)
            return
        except Exception as error:
            # Dask raises an exception of its own, which cannot be imported without Dask.
            if type(error).__name__ not in ("KilledWorker", "FutureCancelledError"):
                raise
            self._again(job, error, under_way, deaths)
            return
        run.take(Played(job, record))
        run.stopped = run.should_stop()

    def _again(
        self,
        job: Job,
        error: BaseException,
        under_way: "dict[Future[GameRecord], Job]",
        deaths: "Counter[str]",
    ) -> None:
        deaths[job.id] += 1
        if deaths[job.id] >= TRIES:
            said = f"{type(error).__name__}: {error}"
            raise RunnerError(
                f"game {job.id}: {TRIES} workers died while playing it ({said})"
            ) from None
        under_way[self._executor.submit(self._play, job)] = job
