"""The engine as Python sees it: checked arguments, plain results, one lock for the one caller.

Threads: `stop`, `arm` and `progress` may be called from any thread at any time. Every other
method waits until the one that runs on the same engine has returned, so a call from a second
thread is safe and merely late; an analysis counts as running until its search is over. `search`,
`analyse`, `vcf` and `vct` let other Python threads run.

Signals: an exception of a signal handler, as Ctrl-C raises it, ends a search, VCF or VCT on the
main thread within 0.2 s, and the engine can be used as before. The handler itself may call `stop`,
`arm`, `progress` and `close`; another method of that engine raises BusyError there.

Processes: an engine that is idle while the process forks can be used in both processes, each has
its own. One that was busy is closed in the child.
"""

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import TracebackType
from typing import Any, NoReturn, Self, SupportsIndex, TypeVar

from pyengine import _calls, _native
from pyengine._native import INT32_MAX, INT64_MAX
from pyengine.analysis import Analysis
from pyengine.constants import (
    MAX_MEMORY_KIB,
    MAX_SIZE,
    MAX_THREADS,
    MIN_MEMORY_KIB,
    MIN_SIZE,
)
from pyengine.errors import (
    BusyError,
    ClosedError,
    NotASquareError,
    OccupiedError,
    OffBoardError,
    OptionError,
    OutOfRangeError,
    WrongTypeError,
)
from pyengine.types import Color, Limits, Line, Option, Outcome, Rule, SearchResult, Square
from pyengine.weights import WeightsFiles

_Value = TypeVar("_Value")

# A search within these limits is over before Ctrl-C is missed; a thread of its own would cost it
# 0.2 ms.
_SHORT_MS, _SHORT_NODES = 100, 5000


class Engine:
    """One game position, with the search and the tables that belong to it.

    Engines in one process do not know of each other. The table is allocated on first use; all
    memory goes back with `close()`, at the end of a `with` block, or with the object. An engine
    cannot be copied or pickled: make another one and set it up alike.

    size:       side of the board, 5 to 22.
    rule:       the rule set; None = that of the weights file, else freestyle.
    threads:    search threads, 1 to 64.
    memory_mib: for the transposition table, from 1/16 up; fractions are welcome.
    weights:    the path of a weights file (RULE.tgw), or of a folder with a file for each rule that
                is played; None = the built-in weights. Raises WeightsError for a file that is
                damaged, cut short, of another version or of another rule.
    """

    def __init__(
        self,
        *,
        size: int = 15,
        rule: Rule | None = None,
        threads: int = 1,
        memory_mib: float = 64,
        weights: str | os.PathLike[str] | None = None,
    ) -> None:
        self._weights = None if weights is None else WeightsFiles(weights)
        self._size = _board_size(size)
        if rule is None:
            self._rule = Rule.FREESTYLE if self._weights is None else self._weights.first_rule()
        else:
            self._rule = _rule(rule)
        own = None if self._weights is None else self._weights.read(self._rule)
        # Both let the holder in again: a signal handler may call what it has interrupted.
        self._turn = threading.RLock()  # held by the one call that runs
        self._life = threading.RLock()  # held for the moments in which the handle must not go away
        self._job: _calls.Job[Any] | None = None  # what the holder of the turn waits for
        self._closed = False
        self._reason = "the engine is closed"
        self._handle: _native.Handle | None = _native.Handle(
            self._size,
            self._rule,
            _integer("threads", threads, 1, MAX_THREADS),
            _kibibytes(memory_mib),
        )
        if own is not None:
            self._handle.load_weights(self._size, own)
        _calls.prepare_for_forks(self, Engine._after_fork)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuses `copy.copy`, `copy.deepcopy` and `pickle`: two would free the same memory."""
        raise TypeError("an Engine cannot be copied or pickled: make another one and set it up")

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees the engine; harmless when done twice, from any thread.

        A search that runs is stopped and waited for; a call that waits its turn raises
        ClosedError, as does every method from now on. Called from a signal handler that has
        interrupted a search, it leaves the rest to that search.
        """
        self._closed = True
        with self._life:
            if self._handle is not None:
                self._handle.stop()
        with self._turn:
            self._free()

    def _free(self) -> None:
        """Frees the handle, unless a search uses it; whoever calls it holds the turn."""
        if self._is_busy():
            return
        with self._life:
            handle, self._handle = self._handle, None
            if handle is not None:
                handle.free()

    def _after_fork(self) -> None:
        """Called in a forked child: an engine that was idle goes on there, another is closed.

        The thread that made it busy is not there to end what it does, nor to open its locks.
        """
        idle = not self._is_busy() and self._turn.acquire(blocking=False)
        if idle:
            self._turn.release()
            idle = self._life.acquire(blocking=False)
        if idle:
            self._life.release()
            return
        self._closed, self._reason = True, _calls.FORKED
        self._turn, self._life = threading.RLock(), threading.RLock()
        self._handle = None

    def _is_busy(self) -> bool:
        """Whether the holder of the turn waits for the core: who asks is a signal handler then."""
        return self._job is not None and self._job.running

    def _long(self, handle: _native.Handle, call: Callable[[], _Value]) -> _Value:
        """Runs a call that may take long; whoever calls it holds the turn."""
        if not _calls.may_be_interrupted():
            return call()
        try:
            self._job = job = _calls.Job(call)
            return job.run(handle.stop)
        finally:
            self._job = None
            if self._closed:  # by a signal handler, or by somebody who waits for the turn
                self._free()

    @property
    def size(self) -> int:
        """The side of the board."""
        self._open()
        return self._size

    @property
    def rule(self) -> Rule:
        """The rule set that is played."""
        self._open()
        return self._rule

    def reset(self, *, size: int | None = None, rule: Rule | None = None) -> None:
        """Empties board and table; size and rule stay where none is given.

        An engine with a weights file plays no other rule: raises WeightsError, and stays as it was.
        """
        new_size = None if size is None else _board_size(size)
        new_rule = None if rule is None else _rule(rule)
        with self._turn:
            handle = self._mine()
            new_size = self._size if new_size is None else new_size
            new_rule = self._rule if new_rule is None else new_rule
            if self._weights is not None and new_rule is not self._rule:
                handle.load_weights(new_size, self._weights.read(new_rule))
            else:
                handle.reset(new_size, new_rule)
            self._size, self._rule = new_size, new_rule

    def resize_table(self, memory_mib: float) -> None:
        """Frees the table; the next search allocates the new size."""
        kib = _kibibytes(memory_mib)
        with self._turn:
            self._mine().resize_table(kib)

    def clear_table(self) -> None:
        """Forgets what was searched, and frees the table."""
        with self._turn:
            self._mine().clear_table()

    def set_option(self, name: str, value: int, *, rules: Iterable[Rule] | None = None) -> None:
        """Sets one of `options()`. True and False count as 1 and 0.

        name: also an old name of `option_aliases()`.

        rules: the rules to set it for, `Rule` for all of them; None = the rule that is played. The
               other rules keep their value. "threads" and "level" hold for every rule.

        Raises OptionError for a name that is unknown and for a value out of bounds; nothing is set
        then.
        """
        if not isinstance(name, str):
            raise WrongTypeError(f"the name of an option must be a string, not {_show(name)}")
        number = _whole(name, int(value) if isinstance(value, bool) else value)
        wanted = None if rules is None else _rules(rules)
        with self._turn:
            handle = self._mine()
            option = _option(name, handle.options(self._rule))
            if not option.minimum <= number <= option.maximum:
                raise OptionError(
                    f"{name} must be from {option.minimum} to {option.maximum}, not {_show(number)}"
                )
            for rule in (self._rule,) if wanted is None else wanted:
                handle.set_option(name, number, rule)

    def options(self, rule: Rule | None = None) -> list[Option]:
        """Every option with its default, bounds and value: "threads", "level", switches, numbers.

        "prune.NAME" switches a part of the search off (0) or on (1); docs/options.md says what each
        option is for. A level below 10 bounds every search, whatever its limits say.
        rule: the rule to list them for; None = the rule that is played.
        """
        asked = None if rule is None else _rule(rule)
        with self._turn:
            return self._mine().options(self._rule if asked is None else asked)

    def option_names(self) -> list[str]:
        """The names of `options()`."""
        return [option.name for option in self.options()]

    def set_position(
        self,
        *,
        black: Iterable[Square] = (),
        white: Iterable[Square] = (),
        captures: tuple[int, int] = (0, 0),
        to_move: Color = Color.BLACK,
        neutral: Iterable[Square] = (),
    ) -> None:
        """Replaces the position, by any stones, balanced or not; on an error the old one stays.

        captures: pairs taken by (black, white).
        neutral:  stones of nobody: not counted, never captured, closing nothing under caro.
        """
        sides = [_listed(squares) for squares in (black, white, neutral)]
        if not isinstance(captures, tuple | list) or len(captures) != 2:
            raise WrongTypeError(f"captures must be two numbers, not {_show(captures)}")
        pairs = (_integer("captures", captures[0]), _integer("captures", captures[1]))
        if not isinstance(to_move, Color):
            raise WrongTypeError(f"to_move must be a Color, not {_show(to_move)}")
        with self._turn:
            handle = self._mine()
            stones = [[self._square(m) for m in squares] for squares in sides]
            _refuse_twice([m for squares in stones for m in squares])
            handle.set_position(stones[0], stones[1], stones[2], pairs, to_move)

    def legal(self, m: Square) -> bool:
        """Whether the side to move may play there; False off the board."""
        with self._turn:
            handle = self._mine()
            try:
                at = self._square(m)
            except OffBoardError:
                return False
            return handle.legal(at)

    def forbidden(self) -> list[Square]:
        """The empty squares barred for the side to move, sorted."""
        with self._turn:
            return self._mine().forbidden(self._size**2)

    def play(self, m: Square) -> Outcome:
        """Plays for the side to move.

        Raises an IllegalMoveError, and changes nothing, where `legal` is False or the game over.
        """
        with self._turn:
            handle = self._mine()
            return handle.play(self._square(m))

    def place(self, m: Square) -> Outcome:
        """Puts a stone of the side to move as a manager reports it.

        Captures are made; bans and the end of the game are not looked at. Raises an
        IllegalMoveError off the board or on a stone.
        """
        with self._turn:
            handle = self._mine()
            return handle.place(self._square(m))

    def undo(self) -> None:
        """Takes the last move back, with what it captured. Raises NoUndoError at the base."""
        with self._turn:
            self._mine().undo()

    def outcome(self) -> Outcome:
        """Where the game stands now, as the last move would have said; nothing captured."""
        with self._turn:
            return self._mine().outcome()

    def evaluate(self) -> int:
        """The static score from the view of the side to move."""
        with self._turn:
            return self._mine().evaluate()

    def weights_checksum(self) -> int:
        """The checksum of the weights file that is played with, built-in or not: 32 bits."""
        with self._turn:
            return self._mine().weights_checksum()

    def arm(self) -> None:
        """Forgets an earlier `stop()`, and what an earlier search has told; from any thread.

        Who hands a search to another thread arms it first and asks for `search(armed=True)`
        there, so that a stop in between is not lost.
        """
        with self._life:
            self._open().arm()

    def stop(self) -> None:
        """Ends the running search, or the armed one, in under 10 ms; from any thread."""
        with self._life:
            self._open().stop()

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        """Looks for the best move until a limit, a stop or a proof ends it.

        The position is as before afterwards. Raises NoMoveError when no square is legal.
        armed: `arm()` was called by whoever asked; otherwise the search arms itself as it starts.
        """
        checked = _limits(limits)
        with self._turn:
            return self._search(checked, armed=armed)

    def _search(self, limits: Limits, *, armed: bool) -> SearchResult:
        """Searches; whoever calls it holds the turn."""
        handle = self._mine()
        excluded = [self._square(m) for m in _listed(limits.excluded)]
        if not armed:
            handle.arm()
        self._open()  # a close() before the arming has lost its stop, and is seen here
        given = replace(limits, excluded=excluded)
        if _is_short(limits):
            return handle.search(given)
        return self._long(handle, lambda: handle.search(given))

    def analyse(self, limits: Limits | None = None, *, lines: int | None = None) -> Analysis:
        """Starts a search to be looked at while it runs, of the best `lines` moves.

        Waits for a search that is running. From its return on until that search is over every
        other call waits, a `search` from another thread too, but for `stop`, `arm` and `progress`:
        none gets in between, and neither can end the other. Without limits it goes on until it is
        stopped, or a proof ends a search of one line. The position stays as it is.
        lines: instead of those of the limits.
        """
        checked = replace(_limits(Limits() if limits is None else limits), analysis=True)
        if lines is not None:
            checked = replace(checked, lines=_integer("lines", lines, 1))
        with self._turn:
            self._mine()  # else a signal handler would wait for what it has interrupted
        return Analysis(
            self,
            self._turn,
            lambda: self._mine().arm(),  # with it the lines of the search before are forgotten
            lambda: self._search(checked, armed=True),
        )

    def progress(self, after: int = 0) -> list[Line]:
        """Finished iterations of the running or last search with `seq > after`, oldest first.

        From any thread. The last 512 are kept: of each line at least the newest.
        """
        number = _integer("after", after)
        with self._life:
            return self._open().progress(number)

    def vcf(self, *, max_nodes: int = 1_000_000) -> list[Square] | None:
        """A win by continuous fours for the side to move: both sides' moves; None = none found.

        Arms itself; a stop ends it, and then nothing is found.
        """
        nodes = _integer("max_nodes", max_nodes, 1, INT64_MAX)
        with self._turn:
            handle = self._mine()
            handle.arm()
            self._open()  # as in search()
            return self._long(handle, lambda: handle.vcf(nodes)) or None

    def vct(self, *, max_nodes: int = 1_000_000, time_ms: int | None = None) -> list[Square] | None:
        """A win by continuous fours and threes for the side to move; None = none found.

        Both sides' moves, with the longest defence. Arms itself; a stop ends it, and then nothing
        is found.
        time_ms: ends it as well; None = no limit.
        """
        nodes = _integer("max_nodes", max_nodes, 1, INT64_MAX)
        limit = None if time_ms is None else _integer("time_ms", time_ms)
        with self._turn:
            handle = self._mine()
            handle.arm()
            self._open()  # as in search()
            return self._long(handle, lambda: handle.vct(nodes, limit)) or None

    def _mine(self) -> _native.Handle:
        """The handle, for the holder of the turn. Raises ClosedError, BusyError."""
        if self._is_busy():
            raise BusyError("the engine is searching: a signal handler may only stop or close it")
        return self._open()

    def _open(self) -> _native.Handle:
        """The handle. Raises ClosedError once close() was called."""
        handle = self._handle
        if self._closed or handle is None:
            raise ClosedError(self._reason)
        return handle

    def _square(self, m: Square) -> Square:
        """A square on the board. Raises NotASquareError, OffBoardError."""
        if not isinstance(m, tuple | list) or len(m) != 2:
            raise NotASquareError(f"a square is two integers (x, y), not {_show(m)}")
        try:
            x, y = (_integer("x", m[0], 0, self._size - 1), _integer("y", m[1], 0, self._size - 1))
        except WrongTypeError as error:
            raise NotASquareError(f"a square is two integers (x, y), not {_show(m)}") from error
        except OutOfRangeError as error:
            raise OffBoardError(f"{_show(m)}: off the board of size {self._size}") from error
        return x, y


def _show(value: object) -> str:
    """A value for a message, never long, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # such as an integer of more digits than Python prints
        return f"that {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def _whole(name: str, value: int) -> int:
    """An integer of any size. True and False are none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongTypeError(f"{name} must be an integer, not {_show(value)}")
    return value.__index__()


def _integer(name: str, value: int, low: int = 0, high: int = INT32_MAX) -> int:
    """An integer within its range, as C can hold it."""
    number = _whole(name, value)
    if not low <= number <= high:
        raise OutOfRangeError(f"{name} must be from {low} to {high}, not {_show(value)}")
    return number


def _board_size(size: int) -> int:
    return _integer("size", size, MIN_SIZE, MAX_SIZE)


def _rule(rule: Rule) -> Rule:
    number = _integer("rule", rule, -INT64_MAX, INT64_MAX)
    try:
        return Rule(number)
    except ValueError:
        known = ", ".join(str(int(r)) for r in Rule)
        raise OutOfRangeError(f"rule must be one of {known}, not {_show(number)}") from None


def _kibibytes(memory_mib: float) -> int:
    if isinstance(memory_mib, bool) or not isinstance(memory_mib, int | float):
        raise WrongTypeError(f"memory_mib must be a number, not {_show(memory_mib)}")
    least, most = MIN_MEMORY_KIB, MAX_MEMORY_KIB
    if not least <= memory_mib * 1024 <= most:  # does not hold for NaN
        raise OutOfRangeError(
            f"memory_mib must be from {least / 1024:g} to {most // 1024}, not {_show(memory_mib)}"
        )
    return int(memory_mib * 1024)


def _rules(rules: Iterable[Rule]) -> list[Rule]:
    if not isinstance(rules, Iterable):
        raise WrongTypeError(f"rules must be a list of rules, not {_show(rules)}")
    return [_rule(rule) for rule in rules]


def _option(name: str, options: list[Option]) -> Option:
    """The option of that name. Raises OptionError, with the most similar name, where none is."""
    present = _native.option_aliases().get(name, name)
    for option in options:
        if option.name == present:
            return option
    import difflib  # here, because it would cost every start of the executable some time

    near = difflib.get_close_matches(name[:80], [option.name for option in options], n=1)
    hint = f", did you mean {near[0]}?" if near else ""
    raise OptionError(f"{_show(name)}: no such option{hint}")


def _is_short(limits: Limits) -> bool:
    return (limits.time_ms is not None and limits.time_ms <= _SHORT_MS) or (
        limits.nodes is not None and limits.nodes <= _SHORT_NODES
    )


def _limits(limits: Limits) -> Limits:
    if not isinstance(limits, Limits):
        raise WrongTypeError(f"limits must be a Limits, not {_show(limits)}")
    for name, high in (
        ("time_ms", INT32_MAX),
        ("soft_ms", INT32_MAX),
        ("depth", INT32_MAX),
        ("nodes", INT64_MAX),
    ):
        value = getattr(limits, name)
        if value is not None:
            _integer(name, value, 0, high)
    _integer("lines", limits.lines, 1)
    if not isinstance(limits.analysis, bool):
        raise WrongTypeError(f"analysis must be True or False, not {_show(limits.analysis)}")
    return limits


def _listed(squares: Iterable[Square]) -> list[Square]:
    if not isinstance(squares, Iterable):
        raise WrongTypeError(f"squares must be a list of (x, y), not {_show(squares)}")
    return list(squares)


def _refuse_twice(squares: list[Square]) -> None:
    seen: set[Square] = set()
    for m in squares:
        if m in seen:
            raise OccupiedError(f"{m} is named twice")
        seen.add(m)
