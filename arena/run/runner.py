"""The runner: jobs in, records out, each exactly once, whatever dies on the way."""

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
"""So often a job is given out before its workers' deaths are taken for its own doing."""
BEAT_S = 0.5
"""How often the wait for a game is left to look around."""


class RunnerError(RuntimeError):
    """Says why the runner cannot go on, or cannot begin."""


@dataclass(frozen=True)
class Played:
    """Holds a finished game; `resumed` where it was read from the store and not played now."""

    job: Job
    record: GameRecord
    resumed: bool = False


@dataclass
class _Run:
    """Holds one call of `run`."""

    on_result: Callable[[Played], None]
    should_stop: Callable[[], bool]
    done: dict[str, GameRecord]
    store: GameStore | None
    records: list[GameRecord] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    stopped: bool = False

    def take(self, played: Played) -> None:
        """Counts a game, after it is kept."""
        if self.store is not None and not played.resumed:
            job = played.job
            self.store.append(StoredGame(job.id, job.pair, played.record))
        self.records.append(played.record)
        self.on_result(played)


class Runner:
    """Plays jobs on an executor and keeps each finished game in a store at once.

    The store is a file of JSON lines, one for each game: `{"id", "pair", "record"}`. A job whose
    id it has is not played again. A job whose worker dies is given out again.
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
        """Takes an open store, or the path of one, None for none; at most so many games at once.

        `on_beat` is called every half a second or so of waiting.
        """
        if concurrency < 1:
            raise ValueError(f"concurrency: {concurrency} is less than one game")
        self._store = store
        self._executor = executor
        self._concurrency = concurrency
        self._play = play
        self._on_beat = on_beat or (lambda: None)
        # An executor may know that its futures will never be done; then it raises here.
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
        """Plays the jobs and returns the records, in the order in which the games ended.

        `jobs` may be endless: they are drawn as there is room. `on_result` is called in this
        thread for each game, also for those of the store. `should_stop` is asked before the first
        game that is to be played, and after each; then games under way are dropped, as after
        Ctrl-C, which raises nothing. Raises RunnerError where a job's workers die one after the
        other, and StoreError.
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
        """Has Ctrl-C noted and acted upon between two games; the second one acts at once.

        Only in the main thread, elsewhere nothing is changed.
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
        """Keeps as many games under way as there is room for, until there are no more."""
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
        """Returns the next job that no record is kept of; counts those that one is kept of."""
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
        """Counts a game that has ended, or gives it out again where its worker has died."""
        job = under_way.pop(future)
        if run.stopped:
            return
        try:
            record = future.result()
        except (WorkerLostError, BrokenExecutor, CancelledError) as error:
            self._again(job, error, under_way, deaths)
            return
        except Exception as error:
            # Dask says so in an exception of its own, which is not to be imported without it.
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
