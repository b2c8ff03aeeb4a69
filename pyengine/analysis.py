"""A running search whose results can be read at any time.

The search runs on a thread of its own. Any thread may read its results, stop it and wait for it.
After its end `stop` does nothing, and it never stops a later search. An analysis without references
is stopped.
"""

import _thread
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import AbstractContextManager, suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, NoReturn, Protocol, Self, SupportsIndex

from pyengine import _calls
from pyengine._latch import Latch
from pyengine.errors import ClosedError
from pyengine.results import Line, SearchResult, View

_POLL_SECONDS: Final = 0.02


def newest(lines: list[Line]) -> list[Line]:
    """The last lines that a search has reported together, the best first."""
    begins = [at for at, line in enumerate(lines) if line.line == 0]
    return lines[begins[-1] :] if begins else []


class Searching(Protocol):
    """The part of an engine that an analysis needs."""

    def stop(self) -> None:
        """Ends the search; from any thread."""

    def progress(self, after: int = 0) -> list[Line]:
        """Finished iterations of that search; from any thread."""


class _Course:
    """The state of an analysis that its thread shares.

    The thread has no reference to the analysis, so that a running analysis can be dropped.
    """

    def __init__(self, engine: Searching) -> None:
        self._engine = engine
        self._ending = threading.RLock()  # held while the search is begun, stopped or ended
        self._wanted = True
        self._begun = False
        self.ready = Latch()  # the search has begun, or never will
        self.over = Latch()
        self.left = Latch()  # the thread has left the engine

    @property
    def has_begun(self) -> bool:
        """Whether the engine was armed for it."""
        return self._begun

    def begin(self, arm: Callable[[], None]) -> bool:
        """Begins, unless the analysis was stopped while it waited for its turn."""
        with self._ending:
            if self._wanted:
                arm()
                self._begun = True
        self.ready.set()
        return self._begun

    def end(self) -> None:
        """Marks the end: `stop` does nothing from now on."""
        with self._ending:
            self.over.set()
        self.ready.set()

    def leave(self) -> None:
        """Marks that the thread has given up the turn."""
        _stopper.forget(self)
        self.left.set()

    def stop(self) -> None:
        """Ends the search in under 10 ms, or prevents its start; harmless after the end."""
        with self._ending, suppress(ClosedError):  # a close() has stopped it already
            self._wanted = False
            if self._begun and not self.over.is_set():
                self._engine.stop()

    def after_fork(self) -> None:
        """Called in a forked child, which has no thread that searches."""
        self._ending = threading.RLock()
        for latch in (self.ready, self.over, self.left):
            latch.set()


class _Stopper:
    """Stops analyses that no variable refers to any more, on a thread that lives while any lives.

    `__del__` cannot stop them itself: it may interrupt code that holds the locks that a stop needs.
    It starts no thread either: Python 3.11.2 crashes if the interpreter ends while a thread begins.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._living: set[_Course] = set()
        self._threads = 0  # more than one, if one was begun before another had counted itself
        # references, so that a course which nobody takes out does not keep its engine alive
        self._dropped: SimpleQueue[weakref.ref[_Course] | None] = SimpleQueue()

    def watch(self, course: _Course) -> None:
        """Registers the course, and starts the thread if none runs.

        Raises RuntimeError if the system gives no thread.
        """
        with self._lock:
            self._living.add(course)
            if not self._threads:
                _thread.start_new_thread(self._run, ())

    def forget(self, course: _Course) -> None:
        """Ends the thread after the last course."""
        self._living.discard(course)
        if not self._living:
            self._dropped.put(None)

    def stop(self, course: _Course) -> None:
        """Stops a search soon; for `__del__`, because it waits for nothing."""
        self._dropped.put(weakref.ref(course))

    def after_fork(self) -> None:
        """Called in a forked child, which has none of the threads."""
        _Stopper.__init__(self)

    def _run(self) -> None:
        dropped = self._dropped
        with self._lock:
            self._threads += 1
        while not self._ends():
            told = dropped.get()
            course = told() if told else None
            try:
                if course is not None:
                    course.stop()
            except Exception:  # of an engine of another class: the others must still be stopped
                sys.excepthook(*sys.exc_info())
            del course

    def _ends(self) -> bool:
        """Takes the thread off the count if no course is left; then it has to end."""
        with self._lock:
            if self._living:
                return False
            self._threads -= 1
            if self._threads:
                self._dropped.put(None)
            return True


_stopper: Final = _Stopper()
_calls.prepare_for_forks(_stopper, _Stopper.after_fork)


class Analysis:
    """One running search of an engine. It plays no move.

    Iterating gives a View after each finished iteration, until the search is over:

    >>> with engine.analyse(Limits(), lines=3) as analysis:
    ...     for view in analysis:
    ...         print(view.depth, view.score, view.nodes, [line.pv[0] for line in view.lines])
    ...         if view.depth >= 12:
    ...             analysis.stop()
    """

    def __init__(
        self,
        engine: Searching,
        turn: AbstractContextManager[object],
        arm: Callable[[], None],
        search: Callable[[], SearchResult],
    ) -> None:
        """Waits for the turn and begins. Raises what `arm` raises.

        turn: held by the thread that searches, from before `arm` until the search is over.
        """
        self._engine = engine
        self._result: SearchResult | None = None
        self._error: Exception | None = None
        self._seen = 0
        self._lines: list[Line] = []
        self._looking = threading.RLock()
        self._course = course = _Course(engine)
        _calls.prepare_for_forks(self, Analysis._after_fork)
        try:
            _stopper.watch(course)
            _thread.start_new_thread(_run, (weakref.ref(self), course, turn, arm, search))
            while not course.ready.wait(_POLL_SECONDS):
                pass
        except BaseException:  # Ctrl-C, or no thread
            try:
                course.stop()
            finally:
                _stopper.forget(course)
            raise
        if not course.has_begun:
            self.result()  # raises

    def __del__(self) -> None:
        """Stops the search, on another thread: the interrupted code may hold the locks."""
        course: _Course | None = getattr(self, "_course", None)
        if course is not None and not course.over.is_set():
            _stopper.stop(course)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuses `copy.copy`, `copy.deepcopy` and `pickle`."""
        raise TypeError("an Analysis cannot be copied or pickled")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._wait()

    @property
    def running(self) -> bool:
        """Whether the search still runs."""
        return not self._course.over.is_set()

    def view(self) -> View | None:
        """The results so far; None before the first iteration is finished."""
        with self._looking:
            return self._look()

    def __iter__(self) -> Iterator[View]:
        last: View | None = None
        while True:
            running = not self._course.over.wait(_POLL_SECONDS)
            found = self.view()
            if found is not None and found != last:
                yield found
                last = found
            if not running:
                return

    def stop(self) -> None:
        """Ends the search in under 10 ms; harmless when it is over."""
        self._course.stop()

    def result(self) -> SearchResult:
        """Waits for the end of the search. Raises what the search raises."""
        self._wait()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def __await__(self) -> Generator[Any, None, SearchResult]:
        """Waits for the result and lets the event loop run; a cancelled task stops the search."""
        return self._awaited().__await__()

    async def _awaited(self) -> SearchResult:
        import asyncio  # here, because it would cost every start of the executable some time

        try:
            while self.running:
                await asyncio.sleep(_POLL_SECONDS)
        except asyncio.CancelledError:
            self.stop()
            raise
        return self.result()

    async def __aiter__(self) -> AsyncIterator[View]:
        """Gives the same views as iterating, and lets the event loop run in between."""
        import asyncio

        last: View | None = None
        running = True
        while running:
            running = self.running
            found = self.view()
            if found is not None and found != last:
                yield found
                last = found
            elif running:
                await asyncio.sleep(_POLL_SECONDS)

    def __repr__(self) -> str:
        found = self.view()
        state = "running" if self.running else "over"
        return f"<Analysis, {state}, {'no line yet' if found is None else found}>"

    def _after_fork(self) -> None:
        """Called in a forked child: a search that runs is over there, without a result."""
        self._looking = threading.RLock()
        if self.running:
            self._error = ClosedError(_calls.FORKED)
        self._course.after_fork()  # also if the thread was about to leave the engine

    def _wait(self) -> None:
        """Waits until the thread has left the engine."""
        while not self._course.left.wait(_POLL_SECONDS):
            pass  # not one long wait, for the sake of Ctrl-C on Windows

    def _finish(self, result: SearchResult | None, error: Exception | None) -> None:
        """Stores the result of the search; on its thread, before the end is visible."""
        with self._looking:
            self._look()
        self._result, self._error = result, error

    def _look(self) -> View | None:
        """Reads the new lines: a search reports all its lines together, and the newest count."""
        told = self._told() if self.running else []
        if told:
            self._seen = told[-1].seq
            self._lines = newest(told)
        return View(tuple(self._lines)) if self._lines else None

    def _told(self) -> list[Line]:
        try:
            return self._engine.progress(self._seen)
        except ClosedError:  # the lines read before stay
            return []


def _run(
    analysis: "weakref.ref[Analysis]",
    course: _Course,
    turn: AbstractContextManager[object],
    arm: Callable[[], None],
    search: Callable[[], SearchResult],
) -> None:
    """Runs on the thread of an analysis."""
    result: SearchResult | None = None
    failure: Exception | None = None
    try:
        with turn:
            try:
                if course.begin(arm):
                    result = search()
            except Exception as error:  # for result() to raise
                failure = error
            finally:
                if (whole := analysis()) is not None:
                    whole._finish(result, failure)
                course.end()
                del whole, failure  # a trace that keeps this frame keeps neither
    finally:
        course.leave()
