"""Turns a game into a move: searches, reports the search, and replaces a failed search by a legal
move. There is always a move while the board has a free square.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeVar

from protocol import replies
from protocol.clock import Budget, now, what_is_left
from protocol.commands import Square
from protocol.follower import Follower
from protocol.guard import Guard
from protocol.interrupt import Interrupt
from protocol.memory import MIB, SMALLEST_TABLE
from protocol.port import EnginePort
from protocol.position import Game
from pyengine import Limits, Line, NoMoveError, Rule, SearchResult, Status, TraceRow, WeightsError

T = TypeVar("T")

# A shorter search is reported once, at the end.
_POLL_FROM_MS: Final = 100
_POLL_SECONDS: Final = 0.05
_REPORTS_A_SECOND: Final = 20
_NO_TABLE: Final = "no memory for the table, using the smallest table"


@dataclass(frozen=True)
class Job:
    """The limits of the searches for one request.

    number: the number of the request's line. budget: the time from `began` (`clock.now`) for all
    searches of the job together.
    """

    number: int
    budget: Budget
    began: float
    depth: int | None = None
    nodes: int | None = None
    lines: int = 1
    excluded: tuple[Square, ...] = ()
    every_line: bool = False

    def time_left(self) -> Budget:
        """Returns the rest of the budget."""
        return what_is_left(self.budget, (now() - self.began) * 1000)


@dataclass(frozen=True)
class Thought:
    """The outcome of a job. move: None = the board is full. result: None = the search failed."""

    move: Square | None
    result: SearchResult | None = None


class Thinker:
    """Runs searches on one engine, one at a time, and reports them. Raises nothing."""

    def __init__(
        self, engine: EnginePort, interrupt: Interrupt, guard: Guard, say: Callable[[str], None]
    ) -> None:
        self._engine = engine
        self._follower = Follower(engine)
        self._interrupt = interrupt
        self._guard = guard
        self._say = say
        self._pace = _Pace()
        self._told: set[str] = set()
        self._armed = False  # the engine's progress belongs to the current request

    def reset(self, size: int, rule: Rule) -> str | None:
        """Empties the engine's board and table. When that fails, the next search tries again.

        Returns why the engine has no weights for the rule, or None. Missing weights are not a
        failure, because a user chose the weights.
        """

        def reset() -> str | None:
            try:
                self._follower.reset(size, rule)
            except WeightsError as error:
                return str(error)
            return None

        return self._guard.run("reset", reset, None)

    def think(self, game: Game, job: Job) -> Thought:
        """Returns the move for the side to move."""
        self._armed = False
        result = self._ask("search", game, lambda: self._talking_search(job), None)
        if result is not None and game.now.is_free(result.move):
            return Thought(result.move, result)
        told = self._lines() if self._armed else []  # else they belong to another search
        known = [line.pv[0] for line in told if line.line == 0 and line.pv]
        return Thought(self._without_search(game, job.excluded, known))

    def look(self, game: Game, job: Job) -> SearchResult | None:
        """Returns the result of a search without reports; None if it failed."""
        return self._ask("search", game, lambda: self._search(job), None)

    def goes_on_after(self, game: Game, square: Square) -> bool:
        """Returns whether the side to move may play there without ending the game."""

        def asked() -> bool:
            if not self._engine.legal(square):
                return False
            status = self._engine.place(square).status
            self._engine.undo()
            return status not in (Status.WIN, Status.DRAW)

        return self._ask("place", game, asked, False)

    def forbidden(self, game: Game) -> list[Square]:
        """Returns the free squares that are forbidden for the side to move."""
        return self._ask("forbidden", game, self._engine.forbidden, [])

    def trace(self) -> list[TraceRow]:
        """Returns the trace of the last search."""
        return self._guard.run("trace", self._engine.trace, [])

    def stand_in(self, game: Game) -> Square | None:
        """Returns a legal move without a search; None if the board is full."""
        return self._without_search(game, (), [])

    def forget(self) -> None:
        """Clears the engine's table."""
        self._guard.run("clear_table", self._engine.clear_table, None)

    def ponder(self, game: Game, number: int) -> float:
        """Searches on the opponent's time until the next line is read; returns the milliseconds.

        These are processor time, because a manager may suspend the process.
        """
        began = time.thread_time()

        def search() -> bool:
            if self._interrupt.begin_pondering(number):
                self._engine.search(Limits(), armed=True)
            return True

        done = self._ask("search", game, search, False)
        self._interrupt.end_pondering()
        return (time.thread_time() - began) * 1000 if done else 0.0

    def _ask(self, what: str, game: Game, call: Callable[[], T], otherwise: T) -> T:
        """Brings the engine to the game and calls it; returns `otherwise` if it fails."""

        def asked() -> T:
            self._follower.follow(game)
            try:
                return call()
            except NoMoveError:
                return otherwise  # not a failure: the position has no legal move
            except BaseException:
                self._follower.lose()
                raise

        return self._guard.run(what, asked, otherwise)

    def _talking_search(self, job: Job) -> SearchResult:
        with self._talking(job):
            result = self._search(job)
        self._tell_shortages(result)
        return result

    def _search(self, job: Job) -> SearchResult:
        """Searches once, with the smallest table if there is no memory for the wanted one."""
        # A search that was stopped before it began still returns a move at once.
        stopped = not self._interrupt.arm(job.number)
        self._armed = True
        try:
            return self._engine.search(_limits(job, at_once=stopped), armed=True)
        except MemoryError:
            self._tell_once("table", _NO_TABLE)
            self._engine.resize_table(SMALLEST_TABLE / MIB)
            return self._engine.search(_limits(job, at_once=stopped), armed=True)

    def _tell_shortages(self, result: SearchResult) -> None:
        """Reports threads and memory that the system refused."""
        if result.threads_refused:
            wanted = result.threads + result.threads_refused
            text = f"only {result.threads} of {wanted} threads could be started"
            self._tell_once("threads", text)
        if result.table_refused_kib:
            self._tell_once("table", f"no memory for {result.table_refused_kib} KiB of the tables")

    def _tell_once(self, topic: str, text: str) -> None:
        """Reports a lasting condition once, with its first move."""
        if topic not in self._told:
            self._told.add(topic)
            self._say(replies.message(text))

    def _without_search(
        self, game: Game, excluded: tuple[Square, ...], known: list[Square]
    ) -> Square | None:
        """Returns the best known move, else any legal move, else any free square.

        known: the best moves of the finished iterations, the deepest last.
        """
        free = game.now.empty()
        for square in reversed(known):
            playable = square in free and square not in excluded
            if playable and self._is_legal(game, square) is not False:
                return square
        for squares in ([square for square in free if square not in excluded], free):
            for square in squares:
                legal = self._is_legal(game, square)
                if legal is None:  # the engine fails
                    return min(squares, key=game.may_be_forbidden)
                if legal:
                    return square
        return next(iter(free), None)

    def _is_legal(self, game: Game, square: Square) -> bool | None:
        """Returns whether the side to move may play there; None if the engine fails."""
        return self._ask("legal", game, lambda: self._engine.legal(square), None)

    def _lines(self, after: int = 0) -> list[Line]:
        return self._guard.run("progress", lambda: self._engine.progress(after), [])

    @contextmanager
    def _talking(self, job: Job) -> Iterator[None]:
        """Reports the search while it runs; a move at once has no report."""
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


def _limits(job: Job, *, at_once: bool) -> Limits:
    """Returns the limits of the next search of a job."""
    left = Budget(0, 0) if at_once else job.time_left()
    return Limits(
        time_ms=left.hard_ms,
        soft_ms=left.soft_ms,
        depth=job.depth,
        nodes=job.nodes,
        lines=job.lines,
        excluded=job.excluded,
        analysis=job.every_line,
    )


class _Pace:
    """Allows at most twenty reports in any second, of two lines each."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=_REPORTS_A_SECOND)

    def room(self) -> int:
        """Returns how many reports are allowed now."""
        since = now() - 1.0
        return _REPORTS_A_SECOND - sum(said > since for said in self._times)

    def said(self) -> None:
        """Notes a report."""
        self._times.append(now())


def _whole_depths(lines: list[Line]) -> list[Line]:
    """Returns the lines from the first best line on: a depth is reported from its start."""
    begins = [i for i, line in enumerate(lines) if line.line == 0]
    return lines[begins[0] :] if begins else lines


def _groups(lines: list[Line]) -> list[list[Line]]:
    """Returns the lines in groups: all lines of one moment, the best first."""
    begins = [i for i, line in enumerate(lines) if line.line == 0]
    return [lines[i:end] for i, end in pairwise([*begins, len(lines)])]


class _Teller:
    """Reports finished iterations, each depth and line once.

    A search for one line reports the newest depth at each look; with every_line set, all depths
    that the pace allows. Several lines of a finished depth are reported together, and the lines of
    the last moment at the end.
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
        self._newest: list[Line] = []
        self._shown: dict[int, Line] = {}
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        if job.budget.hard_ms is None or job.budget.hard_ms >= _POLL_FROM_MS:
            self._start()

    def _start(self) -> None:
        """Starts the thread. If the system refuses it, the search is reported at its end only."""
        thread = threading.Thread(target=self._run, daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError):
            return
        self._thread = thread

    def quit(self) -> None:
        """Ends the thread; no report comes after this."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def finish(self) -> None:
        """Ends the thread, then reports the last iteration and the final lines."""
        self.quit()
        new = self._look()
        last = len(self._newest) if self._job.every_line else 0
        self._say_all(self._recent(new, max(0, self._pace.room() - last)))
        if not self._job.every_line:
            return
        if any(self._shown.get(line.line) != line for line in self._newest):
            for line in self._newest:
                self._say_line(line)

    def _run(self) -> None:
        # Some reports are reserved for the end, so that the last one shows the answer.
        while not self._over.wait(_POLL_SECONDS):
            self._tell(keep=min(self._job.lines, _REPORTS_A_SECOND))

    def _look(self) -> list[Line]:
        """Returns the new lines of finished depths; keeps the newest lines for `finish`."""
        groups = _groups(self._lines(self._seq))
        if groups:
            self._newest = groups[-1]
            self._seq = self._newest[-1].seq
        return [line for group in groups if len({n.depth for n in group}) == 1 for line in group]

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
            self._say_line(line)

    def _say_line(self, line: Line) -> None:
        self._told.add((line.depth, line.line))
        self._shown[line.line] = line
        for text in replies.progress(line, numbered=self._job.lines > 1):
            self._say(text)
        self._pace.said()
