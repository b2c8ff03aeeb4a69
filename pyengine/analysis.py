"""A search to look at while it runs: what it has found so far, as often as one likes.

The search runs on a thread of its own; looking at it, stopping it and waiting for it may be done
from any other. Once it is over, `stop` reaches nothing: not the search that comes after it either.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Final, Protocol, Self

from pyengine.errors import ClosedError
from pyengine.types import Line, SearchResult, View

_POLL_SECONDS: Final = 0.02


class Searching(Protocol):
    """What an analysis needs of an engine."""

    def stop(self) -> None:
        """Ends the search; from any thread."""

    def progress(self, after: int = 0) -> list[Line]:
        """Finished iterations of that search; from any thread."""


class Analysis:
    """One running search of an engine, which waits for nobody. No move is played.

    Iterating gives a View for every iteration that was finished, until the search is over:

    >>> with engine.analyse(Limits(), lines=3) as analysis:
    ...     for view in analysis:
    ...         print(view.depth, view.score, view.nodes, [line.pv[0] for line in view.lines])
    ...         if view.depth >= 12:
    ...             analysis.stop()
    """

    def __init__(
        self, engine: Searching, search: Callable[[], SearchResult], leave: Callable[[], None]
    ) -> None:
        """Begins. leave: called on the search's thread when it is over, whatever came of it."""
        self._engine = engine
        self._search = search
        self._leave = leave
        self._result: SearchResult | None = None
        self._error: Exception | None = None
        self._seen = 0
        self._lines: dict[int, Line] = {}
        self._looking = threading.Lock()
        self._ending = threading.Lock()  # held while it is stopped, and while it becomes over
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._thread.join()

    @property
    def running(self) -> bool:
        """Whether the search goes on."""
        return not self._over.is_set()

    def view(self) -> View | None:
        """What has been found so far; None before the first iteration is finished."""
        with self._looking:
            return self._look()

    def __iter__(self) -> Iterator[View]:
        last: View | None = None
        while True:
            running = not self._over.wait(_POLL_SECONDS)
            found = self.view()
            if found is not None and found != last:
                yield found
                last = found
            if not running:
                return

    def stop(self) -> None:
        """Ends the search in under 10 ms; harmless when it is over."""
        with self._ending, suppress(ClosedError):  # a close() has stopped it already
            if self.running:
                self._engine.stop()

    def result(self) -> SearchResult:
        """Waits for the end of the search. Raises what the search raises."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def _run(self) -> None:
        try:
            self._result = self._search()
        except Exception as error:  # for result() to raise
            self._error = error
        finally:
            with self._looking:
                self._look()
            with self._ending:
                self._over.set()
            self._leave()

    def _look(self) -> View | None:
        """Takes the new lines in. A move stands in one line only: in the one found last."""
        if self.running:
            for line in self._told():
                self._seen = line.seq
                others = {i: held for i, held in self._lines.items() if held.pv[:1] != line.pv[:1]}
                self._lines = {**others, line.line: line}
        if not self._lines:
            return None
        return View(tuple(line for _, line in sorted(self._lines.items())))

    def _told(self) -> list[Line]:
        try:
            return self._engine.progress(self._seen)
        except ClosedError:  # what was seen before stands
            return []
