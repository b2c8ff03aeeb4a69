"""The engine as Python sees it: checked arguments, plain results, one call at a time.

The methods for the position are in `_position_calls`.

Threads: `stop`, `arm` and `progress` may be called from any thread at any time. Every other
method waits until the running call of the same engine has returned, so a call from a second
thread is safe, but late; an analysis counts as running until its search is over. `search`,
`analyse`, `vcf` and `vct` let other Python threads run.

Signals: an exception of a signal handler, as Ctrl-C raises it, ends a search, VCF or VCT on the
main thread within 0.2 s, and the engine can be used as before. The handler itself may call `stop`,
`arm`, `progress` and `close`; another method of that engine raises BusyError there.

Processes: an engine that is idle while the process forks can be used in both processes, each has
its own. One that was busy is closed in the child.
"""

import os
from collections.abc import Iterable
from types import TracebackType
from typing import NoReturn, Self, SupportsIndex, Unpack

from pyengine import _options, _searches
from pyengine._board import Board
from pyengine._checks import (
    INT64_MAX,
    checked_rule,
    checked_rules,
    checked_size,
    integer,
    kibibytes,
    show,
)
from pyengine._guard import Guard
from pyengine._handle import Handle
from pyengine._limits import LimitKeys, analysis_limits, limits_of, position_of
from pyengine._position_calls import PositionCalls
from pyengine.analysis import Analysis
from pyengine.constants import MAX_THREADS
from pyengine.errors import WrongTypeError
from pyengine.results import Line, Proof, SearchResult, TraceRow
from pyengine.types import GamePosition, Limits, Option, Rule, Square
from pyengine.weights import WeightsFiles


class Engine(PositionCalls):
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
        files = None if weights is None else WeightsFiles(weights)
        side = checked_size(size)
        if rule is None:
            played = Rule.FREESTYLE if files is None else files.first_rule()
        else:
            played = checked_rule(rule)
        own = None if files is None else files.read(played)
        wanted = integer("threads", threads, 1, MAX_THREADS)
        handle = Handle(side, played, wanted, kibibytes(memory_mib))
        if own is not None:
            handle.load_weights(side, own)
        super().__init__(Guard(handle), Board(side, played, files))

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuses `copy.copy`, `copy.deepcopy` and `pickle`: two would free the same memory."""
        raise TypeError("an Engine cannot be copied or pickled: make another one and set it up")

    def __enter__(self) -> Self:
        self._guard.open()
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

        It stops a running search and waits for it. A call that waits its turn raises ClosedError,
        as does every method from now on. In a signal handler that has interrupted a search, `close`
        returns at once, and the search frees the engine as it ends.
        """
        self._guard.close()

    def resize_table(self, memory_mib: float) -> None:
        """Frees the table; the next search allocates the new size."""
        kib = kibibytes(memory_mib)
        self._guard.call(lambda handle: handle.resize_table(kib))

    def clear_table(self) -> None:
        """Frees the table with the results of earlier searches."""
        self._guard.call(Handle.clear_table)

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
        number = _options.checked_setting(name, value)
        wanted = None if rules is None else checked_rules(rules)
        with self._guard.turn:
            handle, rule = self._guard.mine(), self._board.rule
            for_rules = (rule,) if wanted is None else wanted
            _options.set_option(handle, name, number, for_rules, handle.options(rule))

    def options(self, rule: Rule | int | str | None = None) -> list[Option]:
        """Every option with its default, bounds and value: "threads", "level", switches, numbers.

        "prune.NAME" switches a part of the search off (0) or on (1); docs/options.md says what each
        option is for. A level below 10 bounds every search, whatever its limits say.
        rule: the rule to list them for; None = the rule that is played.
        """
        asked = None if rule is None else checked_rule(rule)
        return self._guard.call(
            lambda handle: handle.options(self._board.rule if asked is None else asked)
        )

    def option_names(self) -> list[str]:
        """The names of `options()`."""
        return [option.name for option in self.options()]

    def set_trace(self, on: bool) -> None:
        """Begins or ends tracing the root of each search, for those who debug an engine."""
        if not isinstance(on, bool):
            raise WrongTypeError(f"on must be True or False, not {show(on)}")
        self._guard.call(lambda handle: handle.set_trace(on))

    def trace(self) -> list[TraceRow]:
        """Returns the trace of the last search, oldest row first.

        A row is a root move that was left out, with the reason, or one search of a root move:
        depth, window, reduction, score, nodes. The newest 16,384 rows are kept. The trace is empty
        if tracing is off, and for a move that was found without an iteration.
        """
        return self._guard.call(Handle.trace)

    def evaluate(self) -> int:
        """The static score from the view of the side to move."""
        return self._guard.call(Handle.evaluate)

    def weights_checksum(self) -> int:
        """The checksum of the weights file that is played with, built-in or not: 32 bits."""
        return self._guard.call(Handle.weights_checksum)

    def arm(self) -> None:
        """Clears an earlier `stop()` and the lines of an earlier search; from any thread.

        Before you hand a search to another thread, call `arm()`, and there `search(armed=True)`:
        a stop in between is then not lost.
        """
        self._guard.call_at_once(Handle.arm)

    def stop(self) -> None:
        """Ends the running search, or the armed one, in under 10 ms; from any thread."""
        self._guard.call_at_once(Handle.stop)

    def search(
        self,
        given: Limits | GamePosition | None = None,
        *,
        armed: bool = False,
        **limits: Unpack[LimitKeys],
    ) -> SearchResult:
        """Looks for the best move until a limit, a stop or a proof ends it.

        given:  a Position, which becomes the engine's position; or Limits. None = the engine's
                position, which does not change.
        limits: the fields of Limits as keywords, as `time_ms=500`.
        armed:  `arm()` was called for this search; otherwise the search arms itself as it starts.

        Raises OutOfRangeError without any limit, NoMoveError when no square is legal.
        """
        checked, position = limits_of(given, limits), position_of(given)
        with self._guard.turn:
            if position is not None:
                _searches.go_to(self._guard.mine(), self._board, position)
            return _searches.search(self._guard, self._board, checked, armed=armed)

    async def search_async(
        self, given: Limits | GamePosition | None = None, **limits: Unpack[LimitKeys]
    ) -> SearchResult:
        """Does what `search` does, and lets the event loop run; a cancelled task stops it."""
        return await self._begin(position_of(given), limits_of(given, limits))

    def analyse(
        self, given: Limits | GamePosition | None = None, **limits: Unpack[LimitKeys]
    ) -> Analysis:
        """Starts a search of the best `lines` moves, and shows its results while it runs.

        Waits for a running search first. Until the new search is over, every other call waits, a
        `search` from another thread too; only `stop`, `arm` and `progress` do not. Without limits
        the search goes on until it is stopped, or a proof ends a search of one line.
        given:  a Position, which becomes the engine's position; or Limits. None = the engine's
                position, which does not change.
        limits: the fields of Limits as keywords; with Limits they replace its fields.
        """
        return self._begin(position_of(given), analysis_limits(given, limits))

    def _begin(self, position: GamePosition | None, limits: Limits) -> Analysis:
        return _searches.begin_analysis(self, self._guard, self._board, position, limits)

    def progress(self, after: int = 0) -> list[Line]:
        """Finished iterations of the running or last search with `seq > after`, oldest first.

        From any thread. The last 512 are kept: of each line at least the newest.
        """
        number = integer("after", after)
        return self._guard.call_at_once(lambda handle: handle.progress(number))

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
        position: becomes the engine's position; None = the engine's position.
        """
        nodes = integer("max_nodes", max_nodes, 1, INT64_MAX)
        return _searches.prove(self._guard, self._board, position, lambda handle: handle.vcf(nodes))

    def prove_vct(
        self,
        position: GamePosition | None = None,
        *,
        max_nodes: int = 1_000_000,
        time_ms: int | None = None,
    ) -> Proof:
        """Looks for a win by continuous threats of the side to move.

        Threats are fours, threes, and quiet moves that leave a closed three or two twos and
        threaten a win by fours. `NO_WIN` covers these moves only. Arms itself; a stop ends it
        with `ProofAnswer.NOT_FOUND`.
        position: becomes the engine's position; None = the engine's position.
        time_ms:  a limit of time; None = none.
        """
        nodes = integer("max_nodes", max_nodes, 1, INT64_MAX)
        limit = None if time_ms is None else integer("time_ms", time_ms)
        return _searches.prove(
            self._guard, self._board, position, lambda handle: handle.vct(nodes, limit)
        )
