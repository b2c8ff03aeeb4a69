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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self, SupportsIndex, TypedDict, TypeVar, Unpack

from pyengine import _calls, _native
from pyengine._checks import (
    checked_captures,
    checked_color,
    checked_limits,
    checked_rule,
    checked_rules,
    checked_size,
    checked_square,
    find_option,
    integer,
    is_short,
    kibibytes,
    listed,
    refuse_twice,
    show,
    whole,
)
from pyengine._native import INT64_MAX
from pyengine.analysis import Analysis
from pyengine.constants import (
    MAX_THREADS,
)
from pyengine.errors import (
    BusyError,
    ClosedError,
    OffBoardError,
    OptionError,
    OutOfRangeError,
    WrongTypeError,
)
from pyengine.types import (
    Color,
    Forbidden,
    GamePosition,
    Limits,
    Line,
    Option,
    Outcome,
    Proof,
    Rule,
    SearchResult,
    Setup,
    Square,
    Threat,
    TraceRow,
    names_of,
)
from pyengine.weights import WeightsFiles

if TYPE_CHECKING:
    from pyengine.position import Position

_Value = TypeVar("_Value")


class _LimitKeys(TypedDict, total=False):
    """The fields of Limits, as keywords of a search."""

    time_ms: int | None
    soft_ms: int | None
    depth: int | None
    nodes: int | None
    lines: int
    excluded: Sequence[Square | str]
    analysis: bool


class Engine:
    """One game position, with the search and the tables that belong to it.

    Engines in one process do not know of each other. The table is allocated on first use; all
    memory goes back with `close()`, at the end of a `with` block, or with the object. An engine
    cannot be copied or pickled: make another one and set it up alike.

    size:       side of the board, 5 to 22.
    rule:       a Rule, its number or its name, as "renju"; None = that of the weights file, else
                freestyle.
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
        rule: Rule | int | str | None = None,
        threads: int = 1,
        memory_mib: float = 64,
        weights: str | os.PathLike[str] | None = None,
    ) -> None:
        self._weights = None if weights is None else WeightsFiles(weights)
        self._size = checked_size(size)
        if rule is None:
            self._rule = Rule.FREESTYLE if self._weights is None else self._weights.first_rule()
        else:
            self._rule = checked_rule(rule)
        own = None if self._weights is None else self._weights.read(self._rule)
        self._setup = Setup()
        self._moves: list[Square] = []
        # Both let the holder in again: a signal handler may call what it has interrupted.
        self._turn = threading.RLock()  # held by the one call that runs
        self._life = threading.RLock()  # held for the moments in which the handle must not go away
        self._job: _calls.Job[Any] | None = None  # what the holder of the turn waits for
        self._closed = False
        self._reason = "the engine is closed"
        self._handle: _native.Handle | None = _native.Handle(
            self._size,
            self._rule,
            integer("threads", threads, 1, MAX_THREADS),
            kibibytes(memory_mib),
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

    @property
    def position(self) -> "Position":
        """The position that the engine stands at, as a value of its own."""
        from pyengine.position import Position

        self._open()
        return Position.of_game(self._size, self._rule, self._setup, list(self._moves))

    @property
    def moves(self) -> list[str]:
        """The names of the moves since the position was set."""
        self._open()
        return names_of(list(self._moves), self._size)

    @property
    def stones(self) -> dict[str, Color]:
        """The stones on the board by name."""
        return self.position.stones

    def __str__(self) -> str:
        """The board, as text."""
        return repr(self) if self._closed else str(self.position)

    def __repr__(self) -> str:
        if self._closed:
            return "<Engine, closed>"
        rule = self._rule.name.lower().replace("_", " ")
        stones = sum(map(len, (self._setup.black, self._setup.white, self._setup.neutral)))
        set_up = f"{stones} stones set up, " if stones else ""
        return f"<Engine {self._size}x{self._size} {rule}, {set_up}{len(self._moves)} moves>"

    def reset(self, *, size: int | None = None, rule: Rule | int | str | None = None) -> None:
        """Empties board and table; size and rule stay where none is given.

        An engine with a weights file plays no other rule: raises WeightsError, and stays as it was.
        """
        new_size = None if size is None else checked_size(size)
        new_rule = None if rule is None else checked_rule(rule)
        with self._turn:
            handle = self._mine()
            new_size = self._size if new_size is None else new_size
            new_rule = self._rule if new_rule is None else new_rule
            self._reset(handle, new_size, new_rule)

    def _reset(self, handle: _native.Handle, size: int, rule: Rule) -> None:
        if self._weights is not None and rule is not self._rule:
            handle.load_weights(size, self._weights.read(rule))
        else:
            handle.reset(size, rule)
        self._size, self._rule = size, rule
        self._setup, self._moves = Setup(), []

    def resize_table(self, memory_mib: float) -> None:
        """Frees the table; the next search allocates the new size."""
        kib = kibibytes(memory_mib)
        with self._turn:
            self._mine().resize_table(kib)

    def clear_table(self) -> None:
        """Forgets what was searched, and frees the table."""
        with self._turn:
            self._mine().clear_table()

    def set_option(
        self, name: str, value: int, *, rules: Iterable[Rule | int | str] | None = None
    ) -> None:
        """Sets one of `options()`. True and False count as 1 and 0.

        name: also an old name of `option_aliases()`.

        rules: the rules to set it for, `Rule` for all of them; None = the rule that is played. The
               other rules keep their value. "threads" and "level" hold for every rule.

        Raises OptionError for a name that is unknown and for a value out of bounds; nothing is set
        then.
        """
        if not isinstance(name, str):
            raise WrongTypeError(f"the name of an option must be a string, not {show(name)}")
        number = whole(name, int(value) if isinstance(value, bool) else value)
        wanted = None if rules is None else checked_rules(rules)
        with self._turn:
            handle = self._mine()
            option = find_option(name, handle.options(self._rule))
            if not option.minimum <= number <= option.maximum:
                raise OptionError(
                    f"{name} must be from {option.minimum} to {option.maximum}, not {show(number)}"
                )
            for rule in (self._rule,) if wanted is None else wanted:
                handle.set_option(name, number, rule)

    def options(self, rule: Rule | int | str | None = None) -> list[Option]:
        """Every option with its default, bounds and value: "threads", "level", switches, numbers.

        "prune.NAME" switches a part of the search off (0) or on (1); docs/options.md says what each
        option is for. A level below 10 bounds every search, whatever its limits say.
        rule: the rule to list them for; None = the rule that is played.
        """
        asked = None if rule is None else checked_rule(rule)
        with self._turn:
            return self._mine().options(self._rule if asked is None else asked)

    def option_names(self) -> list[str]:
        """The names of `options()`."""
        return [option.name for option in self.options()]

    def set_position(
        self,
        position: GamePosition | None = None,
        *,
        black: Iterable[Square | str] = (),
        white: Iterable[Square | str] = (),
        captures: tuple[int, int] = (0, 0),
        to_move: Color | str = Color.BLACK,
        neutral: Iterable[Square | str] = (),
    ) -> None:
        """Replaces the position, by any stones, balanced or not; on an error the old one stays.

        position: a Position with its moves, in place of stones; size and rule become those of it.
        captures: of (black, white): stones under keryo, pairs under other rules.
        neutral:  stones of nobody: not counted, never captured, closing nothing under caro.
        """
        sides = [listed(squares) for squares in (black, white, neutral)]
        taken = checked_captures(captures)
        first = checked_color("to_move", to_move)
        if position is not None:
            if any(sides) or taken != (0, 0) or first is not Color.BLACK:
                raise WrongTypeError("set_position takes a Position or stones, not both")
            with self._turn:
                self._take(self._mine(), position)
            return
        with self._turn:
            handle = self._mine()
            stones = [tuple(self._square(m) for m in squares) for squares in sides]
            refuse_twice(m for squares in stones for m in squares)
            self._set_up(handle, Setup(stones[0], stones[1], stones[2], taken, first))

    def _set_up(self, handle: _native.Handle, setup: Setup) -> None:
        handle.set_position(setup.black, setup.white, setup.neutral, setup.captures, setup.turn)
        self._setup, self._moves = setup, []

    def _take(self, handle: _native.Handle, position: GamePosition) -> None:
        """Goes to a position; whoever calls it holds the turn. The table stays where it can."""
        if not isinstance(position, GamePosition):
            raise WrongTypeError(f"position must be a Position, not {show(position)}")
        if (position.size, position.rule) != (self._size, self._rule):
            self._reset(handle, position.size, position.rule)
        moves = position.squares
        if position.setup != self._setup or self._moves != moves[: len(self._moves)]:
            self._set_up(handle, position.setup)
        for m in moves[len(self._moves) :]:
            handle.place(m)
            self._moves.append(m)

    def legal(self, m: Square | str) -> bool:
        """Whether the side to move may play there; False off the board."""
        with self._turn:
            handle = self._mine()
            try:
                at = self._square(m)
            except OffBoardError:
                return False
            return handle.legal(at)

    def forbidden(self) -> list[Square]:
        """The empty squares forbidden for the side to move, sorted."""
        with self._turn:
            return self._mine().forbidden(self._size**2)

    def why_forbidden(self, m: Square | str) -> Forbidden | None:
        """Why an empty square is forbidden for the side to move; None where it is not."""
        with self._turn:
            handle = self._mine()
            return handle.why_forbidden(self._square(m))

    def threats(self, color: Color | str) -> dict[Square, Threat]:
        """What a stone of the colour would threaten on each square; quiet squares are left out.

        color: need not be to move.
        """
        of = checked_color("color", color)
        with self._turn:
            return self._mine().threats(of)

    def play(self, m: Square | str) -> Outcome:
        """Plays for the side to move.

        Raises an IllegalMoveError, and changes nothing, where `legal` is False or the game over.
        """
        with self._turn:
            handle = self._mine()
            at = self._square(m)
            outcome = handle.play(at)
            self._moves.append(at)
            return outcome

    def place(self, m: Square | str) -> Outcome:
        """Puts a stone of the side to move as a manager reports it.

        Captures are made; bans and the end of the game are not looked at. Raises an
        IllegalMoveError off the board or on a stone.
        """
        with self._turn:
            handle = self._mine()
            at = self._square(m)
            outcome = handle.place(at)
            self._moves.append(at)
            return outcome

    def undo(self) -> None:
        """Takes the last move back, with what it captured. Raises NoUndoError at the base."""
        with self._turn:
            self._mine().undo()
            self._moves.pop()

    def outcome(self) -> Outcome:
        """Where the game stands now, as the last move would have said; nothing captured."""
        with self._turn:
            return self._mine().outcome()

    def set_trace(self, on: bool) -> None:
        """Begins or ends tracing the root of each search, for those who debug an engine."""
        if not isinstance(on, bool):
            raise WrongTypeError(f"on must be True or False, not {show(on)}")
        with self._turn:
            self._mine().set_trace(on)

    def trace(self) -> list[TraceRow]:
        """Returns the trace of the last search, oldest row first.

        It has the moves that were left out with the reason, and each look at a move of the root:
        depth, window, reduction, score, nodes. The newest 16,384 rows are kept. It is empty if
        tracing is off, and for a move that was found without an iteration.
        """
        with self._turn:
            return self._mine().trace()

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

    def search(
        self,
        given: Limits | GamePosition | None = None,
        *,
        armed: bool = False,
        **limits: Unpack[_LimitKeys],
    ) -> SearchResult:
        """Looks for the best move until a limit, a stop or a proof ends it.

        given:  a Position to search, at which the engine then stands; or Limits. None = the
                position that the engine stands at, which is as before afterwards.
        limits: the fields of Limits as keywords, as `time_ms=500`.
        armed:  `arm()` was called by whoever asked; otherwise the search arms itself as it starts.

        Raises OutOfRangeError without any limit, NoMoveError when no square is legal.
        """
        checked = _limits_of(given, limits)
        position = _position_of(given)
        with self._turn:
            if position is not None:
                self._take(self._mine(), position)
            return self._search(checked, armed=armed)

    async def search_async(
        self, given: Limits | GamePosition | None = None, **limits: Unpack[_LimitKeys]
    ) -> SearchResult:
        """Does what `search` does, and lets the event loop run; a cancelled task stops it."""
        checked = _limits_of(given, limits)
        return await self._begin(_position_of(given), checked)

    def _search(self, limits: Limits, *, armed: bool) -> SearchResult:
        """Searches; whoever calls it holds the turn."""
        handle = self._mine()
        excluded = [self._square(m) for m in listed(limits.excluded)]
        if not armed:
            handle.arm()
        self._open()  # a close() before the arming has lost its stop, and is seen here
        given = replace(limits, excluded=excluded)
        if is_short(limits):
            return handle.search(given)
        return self._long(handle, lambda: handle.search(given))

    def analyse(
        self, given: Limits | GamePosition | None = None, **limits: Unpack[_LimitKeys]
    ) -> Analysis:
        """Starts a search to be looked at while it runs, of the best `lines` moves.

        Waits for a search that is running. From its return on until that search is over every
        other call waits, a `search` from another thread too, but for `stop`, `arm` and `progress`:
        none gets in between, and neither can end the other. Without limits it goes on until it is
        stopped, or a proof ends a search of one line.
        given:  a Position, at which the engine then stands; or Limits. None = the position that the
                engine stands at, which stays.
        limits: the fields of Limits as keywords; with Limits they replace its fields.
        """
        position = _position_of(given)
        base = given if isinstance(given, Limits) else Limits()
        checked = checked_limits(replace(replace(base, **limits), analysis=True))
        return self._begin(position, checked)

    def _begin(self, position: GamePosition | None, limits: Limits) -> Analysis:
        with self._turn:
            handle = self._mine()  # else a signal handler would wait for what it has interrupted
            if position is not None:
                self._take(handle, position)
        return Analysis(
            self,
            self._turn,
            lambda: self._mine().arm(),  # with it the lines of the search before are forgotten
            lambda: self._search(limits, armed=True),
        )

    def progress(self, after: int = 0) -> list[Line]:
        """Finished iterations of the running or last search with `seq > after`, oldest first.

        From any thread. The last 512 are kept: of each line at least the newest.
        """
        number = integer("after", after)
        with self._life:
            return self._open().progress(number)

    def vcf(
        self, position: GamePosition | None = None, *, max_nodes: int = 1_000_000
    ) -> list[Square] | None:
        """The moves of `prove_vcf`, None without a win."""
        return self.prove_vcf(position, max_nodes=max_nodes).moves or None

    def vct(
        self,
        position: GamePosition | None = None,
        *,
        max_nodes: int = 1_000_000,
        time_ms: int | None = None,
    ) -> list[Square] | None:
        """The moves of `prove_vct`, None without a win."""
        return self.prove_vct(position, max_nodes=max_nodes, time_ms=time_ms).moves or None

    def prove_vcf(
        self, position: GamePosition | None = None, *, max_nodes: int = 1_000_000
    ) -> Proof:
        """Looks for a win by continuous fours of the side to move.

        Arms itself; a stop ends it with `ProofAnswer.NOT_FOUND`.
        position: to look at, at which the engine then stands; None = where the engine stands.
        """
        nodes = integer("max_nodes", max_nodes, 1, INT64_MAX)
        return self._prove(position, lambda handle: handle.vcf(nodes))

    def prove_vct(
        self,
        position: GamePosition | None = None,
        *,
        max_nodes: int = 1_000_000,
        time_ms: int | None = None,
    ) -> Proof:
        """Looks for a win by continuous threats of the side to move.

        Threats are fours, threes, and quiet moves that leave a closed three or two twos and
        threaten a win by fours; `NO_WIN` speaks of these moves only. Arms itself; a stop ends it
        with `ProofAnswer.NOT_FOUND`.
        position: to look at, at which the engine then stands; None = where the engine stands.
        time_ms:  ends it as well; None = no limit.
        """
        nodes = integer("max_nodes", max_nodes, 1, INT64_MAX)
        limit = None if time_ms is None else integer("time_ms", time_ms)
        return self._prove(position, lambda handle: handle.vct(nodes, limit))

    def _prove(
        self, position: GamePosition | None, search: Callable[[_native.Handle], Proof]
    ) -> Proof:
        with self._turn:
            handle = self._mine()
            if position is not None:
                self._take(handle, position)
            handle.arm()
            self._open()  # as in search()
            return self._long(handle, lambda: search(handle))

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

    def _square(self, m: Square | str) -> Square:
        """A square on the board. Raises NotASquareError, OffBoardError."""
        return checked_square(m, self._size)


def _limits_of(given: Limits | GamePosition | None, keys: _LimitKeys) -> Limits:
    """The limits of a search, from Limits or from keywords. Raises OutOfRangeError with neither."""
    if isinstance(given, Limits):
        if keys:
            raise WrongTypeError(f"search takes Limits or {next(iter(keys))}=, not both")
        return checked_limits(given)
    _position_of(given)
    limits = checked_limits(Limits(**keys))
    if limits.time_ms is None and limits.nodes is None and limits.depth is None:
        raise OutOfRangeError("search needs time_ms, nodes or depth; analyse() runs without one")
    return limits


def _position_of(given: Limits | GamePosition | None) -> GamePosition | None:
    """The position of an argument that may be Limits. Raises WrongTypeError for neither."""
    if given is None or isinstance(given, Limits):
        return None
    if not isinstance(given, GamePosition):
        raise WrongTypeError(f"limits must be a Limits or a Position, not {show(given)}")
    return given
