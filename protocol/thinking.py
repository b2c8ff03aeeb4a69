"""From a position to a move: the search, what is told about it meanwhile, and what stands in for
it when it fails. A move always comes out while there is a free square.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final

from protocol import replies
from protocol.clock import Budget, now
from protocol.commands import Square
from protocol.interrupt import Interrupt
from protocol.memory import MIB, SMALLEST_TABLE
from protocol.port import EnginePort
from protocol.position import Setup
from pyengine import EngineError, Limits, Line, NoMoveError, SearchResult

# A shorter search has its say once, at the end.
_POLL_FROM_MS: Final = 100
_POLL_SECONDS: Final = 0.05
_LINES_A_SECOND: Final = 20
_NO_TABLE: Final = "no memory for the table, playing with the smallest"


@dataclass(frozen=True)
class Job:
    """What is asked of one search. number: that of the line which asks for it."""

    number: int
    budget: Budget
    depth: int | None = None
    nodes: int | None = None
    lines: int = 1
    excluded: tuple[Square, ...] = ()
    every_line: bool = False


@dataclass(frozen=True)
class Thought:
    """What came out. move: None = the board is full. result: None = the search has failed."""

    move: Square | None
    result: SearchResult | None = None


class Thinker:
    """Runs searches on one engine, one at a time, and says how they go."""

    def __init__(
        self, engine: EnginePort, interrupt: Interrupt, say: Callable[[str], None]
    ) -> None:
        self._engine = engine
        self._interrupt = interrupt
        self._say = say
        self._pace = _Pace()
        self._told: set[str] = set()

    def think(self, setup: Setup, job: Job) -> Thought:
        """The move for the side to move. Raises nothing."""
        known: list[Square] = []
        try:
            self._set(setup)
            with self._talking(job):
                result = self._search(job)
            self._tell_shortages(result)
            if setup.is_free(result.move):
                return Thought(result.move, result)
        except NoMoveError:
            pass
        except Exception:  # whatever it is: an answer is owed
            known = [line.pv[0] for line in self._lines() if line.line == 0 and line.pv]
        return Thought(self._without_search(setup, job, known))

    def score(self, setup: Setup, job: Job) -> int | None:
        """How the side to move stands; None when the search has failed. Not told meanwhile."""
        try:
            self._set(setup)
            return self._search(job).score
        except Exception:  # as in think()
            return None

    def captured(self, setup: Setup, square: Square) -> tuple[Square, ...]:
        """What a move of the side to move captures there."""
        try:
            self._set(setup)
            return tuple(self._engine.place(square).captured)
        except Exception:  # the stone counts all the same
            return ()

    def barred(self, setup: Setup) -> list[Square]:
        """The free squares that are barred to the side to move."""
        try:
            self._set(setup)
            return self._engine.forbidden()
        except Exception:  # as in think()
            return []

    def forget(self) -> None:
        """Clears the engine's table."""
        with suppress(EngineError, MemoryError):
            self._engine.clear_table()

    def ponder(self, setup: Setup, number: int) -> float:
        """Thinks on the opponent's time, until the next line is read; the ms that it worked.

        Those of the processor: a manager may suspend us meanwhile.
        """
        began = time.thread_time()
        try:
            self._set(setup)
            if self._interrupt.begin_pondering(number):
                self._engine.search(Limits(), armed=True)
        except Exception:  # nobody has asked for anything
            return 0.0
        finally:
            self._interrupt.end_pondering()
        return (time.thread_time() - began) * 1000

    def _set(self, setup: Setup) -> None:
        self._engine.set_position(
            black=setup.black,
            white=setup.white,
            captures=setup.pairs,
            to_move=setup.to_move,
            neutral=setup.neutral,
        )

    def _search(self, job: Job) -> SearchResult:
        """One search, with the smallest table when there is no memory for the wanted one."""
        limits = Limits(
            time_ms=job.budget.hard_ms,
            soft_ms=job.budget.soft_ms,
            depth=job.depth,
            nodes=job.nodes,
            lines=job.lines,
            excluded=job.excluded,
        )
        if not self._interrupt.arm(job.number):
            # Stopped before it began: what can be said at once is still a better move than none.
            limits = replace(limits, time_ms=0, soft_ms=0)
        try:
            return self._engine.search(limits, armed=True)
        except MemoryError:
            self._tell_once("table", _NO_TABLE)
            self._engine.resize_table(SMALLEST_TABLE / MIB)
            return self._engine.search(limits, armed=True)

    def _tell_shortages(self, result: SearchResult) -> None:
        """Tells what a search had to do without, because the system refused it."""
        if result.threads_refused:
            wanted = result.threads + result.threads_refused
            text = f"only {result.threads} of {wanted} threads could be started"
            self._tell_once("threads", text)
        if result.table_refused_kib:
            self._tell_once(
                "table", f"the tables are {result.table_refused_kib} KiB short of memory"
            )

    def _tell_once(self, topic: str, text: str) -> None:
        """Tells a person of something that goes on from move to move, on its first one."""
        if topic not in self._told:
            self._told.add(topic)
            self._say(replies.message(text))

    def _without_search(self, setup: Setup, job: Job, known: list[Square]) -> Square | None:
        """The best move known so far, else any legal one, else any at all.

        known: best moves of ever deeper iterations.
        """
        free = setup.empty()
        barred = self.barred(setup)
        for square in [*reversed(known), *free]:
            if square in free and square not in job.excluded and self._is_legal(square):
                return square
        allowed = [square for square in free if square not in barred]
        wanted = [square for square in allowed if square not in job.excluded]
        return next(iter([*wanted, *allowed, *free]), None)

    def _is_legal(self, square: Square) -> bool:
        try:
            return self._engine.legal(square)
        except Exception:  # as in think()
            return False

    def _lines(self, after: int = 0) -> list[Line]:
        try:
            return self._engine.progress(after)
        except Exception:  # nothing to tell
            return []

    @contextmanager
    def _talking(self, job: Job) -> Iterator[None]:
        """Tells how the search goes; nothing is told of a move made at once."""
        if job.budget.hard_ms == 0 and not job.every_line:
            yield
            return
        teller = _Teller(self._lines, self._say, self._pace, job)
        try:
            yield
        except BaseException:
            teller.quit()
            raise
        teller.finish()


class _Pace:
    """Lets twenty lines through in any second."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=_LINES_A_SECOND)

    def room(self) -> int:
        """How many lines may be said now."""
        since = now() - 1.0
        return _LINES_A_SECOND - sum(said > since for said in self._times)

    def said(self) -> None:
        """One was said."""
        self._times.append(now())


def _whole_depths(lines: list[Line]) -> list[Line]:
    """What is left of several lines a depth begins with the first of a depth, if one is there."""
    begins = [i for i, line in enumerate(lines) if line.line == 0]
    return lines[begins[0] :] if begins else lines


class _Teller:
    """Tells of finished iterations, each depth and line once.

    A search for one line tells only of the newest depth at each look; with every_line set, of all
    that the pace allows.
    """

    def __init__(
        self,
        lines: Callable[[int], list[Line]],
        say: Callable[[str], None],
        pace: _Pace,
        job: Job,
    ) -> None:
        self._lines, self._say, self._pace, self._job = lines, say, pace, job
        self._seq = 0
        self._told: set[tuple[int, int]] = set()
        self._newest: dict[int, Line] = {}
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        if job.budget.hard_ms is None or job.budget.hard_ms >= _POLL_FROM_MS:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def quit(self) -> None:
        """Ends the thread: afterwards not a word."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def finish(self) -> None:
        """Ends the thread, then tells the last, and of each line the newest, told or not before."""
        self.quit()
        lines = self._recent(self._look(), self._pace.room())
        missing = [line for line in self._newest.values() if line not in lines]
        if self._job.every_line:
            lines = sorted([*lines, *missing], key=lambda line: line.seq)
        last = min(len(self._newest) if self._job.every_line else 0, _LINES_A_SECOND // 2)
        self._say_all(lines[max(0, len(lines) - max(last, self._pace.room())) :])

    def _run(self) -> None:
        # Some places are kept for the last word: without it the moves shown are not the answer's.
        while not self._over.wait(_POLL_SECONDS):
            self._tell(keep=min(self._job.lines, _LINES_A_SECOND // 2))

    def _look(self) -> list[Line]:
        """What is new; of each line the newest is kept, for the last word."""
        new = self._lines(self._seq)
        if new:
            self._seq = new[-1].seq
        self._newest.update((line.line, line) for line in new)
        return new

    def _tell(self, *, keep: int) -> None:
        self._say_all(self._recent(self._look(), max(0, self._pace.room() - keep)))

    def _recent(self, new: list[Line], room: int) -> list[Line]:
        lines = {(line.depth, line.line): line for line in new}
        untold = [line for key, line in lines.items() if key not in self._told]
        if not self._job.every_line:
            untold = untold[-1:]
        return _whole_depths(untold[max(0, len(untold) - room) :])

    def _say_all(self, lines: list[Line]) -> None:
        for line in lines:
            if (line.depth, line.line) in self._told:
                continue
            self._told.add((line.depth, line.line))
            self._say(replies.progress(line, numbered=self._job.lines > 1))
            self._pace.said()
