"""The long calls of an engine: a search, an analysis that runs beside the caller, a proof."""

from collections.abc import Callable
from dataclasses import replace

from pyengine._board import Board
from pyengine._checks import checked_square, listed, show
from pyengine._guard import Guard
from pyengine._handle import Handle
from pyengine._limits import is_short
from pyengine.analysis import Analysis, Searching
from pyengine.errors import WrongTypeError
from pyengine.results import Proof, SearchResult
from pyengine.types import GamePosition, Limits


def go_to(handle: Handle, board: Board, position: GamePosition) -> None:
    """Goes to a position; the caller holds the turn. The table stays unless size or rule change."""
    if not isinstance(position, GamePosition):
        raise WrongTypeError(f"position must be a Position, not {show(position)}")
    if (position.size, position.rule) != (board.size, board.rule):
        board.reset(handle, position.size, position.rule)
    board.go_to(handle, position.setup, position.squares)


def search(guard: Guard, board: Board, limits: Limits, *, armed: bool) -> SearchResult:
    """Searches; the caller holds the turn.

    armed: a stop since the caller's `arm` counts; otherwise the search arms itself.
    """
    handle = guard.mine()
    excluded = [checked_square(m, board.size) for m in listed(limits.excluded)]
    if not armed:
        handle.arm()
    guard.open()  # arming has cancelled the stop of a `close` before it, which is noticed here
    given = replace(limits, excluded=excluded)
    placed = board.placed
    if is_short(limits):
        return handle.search(given, placed)
    return guard.call_long(handle, lambda handle: handle.search(given, placed))


def begin_analysis(
    engine: Searching, guard: Guard, board: Board, position: GamePosition | None, limits: Limits
) -> Analysis:
    """Waits for the turn and starts a search on a thread of its own, which then holds the turn."""
    with guard.turn:
        handle = guard.mine()  # a signal handler would wait for the call that it has interrupted
        if position is not None:
            go_to(handle, board, position)
    return Analysis(
        engine,
        guard.turn,
        lambda: guard.mine().arm(),  # which also clears the lines of the search before
        lambda: search(guard, board, limits, armed=True),
    )


def prove(
    guard: Guard, board: Board, position: GamePosition | None, call: Callable[[Handle], Proof]
) -> Proof:
    """Runs a proof search, in turn."""
    with guard.turn:
        handle = guard.mine()
        if position is not None:
            go_to(handle, board, position)
        handle.arm()
        guard.open()  # as in search()
        return guard.call_long(handle, call)
