"""Plans the time of a move in milliseconds, and keeps the books of the game's time.

A move never passes its hard limit. The soft limit is the planned time: the time of the game divided
by the moves that are still expected. The search uses more or less of it, as the position demands.
If both limits are equal, no time can be saved, and the move uses all of it.
"""

import os
import sys
import time
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from protocol.settings import Settings

UNLIMITED_LEFT: Final = 2147483647
DEFAULT_TURN_MS: Final = 5000
# An engine's time fields hold 32 bits; 24 days are no limit at all.
_LONGEST_MS: Final = 2**31 - 1
# The plan assumes a game of 26 own moves, and always expects 16 more at least. After the 40th move
# it expects more again, so that a game to the last square still has time for each move.
_PLANNED_MOVES: Final = 26
_MOVES_IN_HAND: Final = 16
_LONG_GAME: Final = 40
# The hard limit of a move, in shares.
_OVERTIME: Final = 4
# The cost of a move at once. This much is kept for every move that the board has room for, so that
# a long game is not lost on the clock.
_BARE_MOVE_MS: Final = 4
# The delays that the engine cannot measure: until its reader has the line, and until the manager
# has the answer. On a machine with free cores, 99 of 100 replies took no longer.
_UNSEEN_MS: Final = 6
_UNSEEN_IS_KNOWN: Final = sys.platform.startswith("linux")
# The number of replies that are kept, and the number from which they alone decide.
_REPLIES_KEPT: Final = 256
_REPLIES_TRUSTED: Final = 32
# A longer delay has another cause, such as a debugger.
_MOST_KEPT_BACK_MS: Final = 60
# The part of a Fischer increment that the plan uses; the rest goes into the reserve.
_INCREMENT_SHARE: Final = 0.8


@dataclass(frozen=True)
class Budget:
    """Limits of one search; None = no limit. A hard limit of 0 means: move at once."""

    hard_ms: int | None = None
    soft_ms: int | None = None


AT_ONCE: Final = Budget(0, 0)


def now() -> float:
    """Returns seconds of a clock that never goes back, with a resolution of a microsecond.

    On Windows `time.monotonic` has steps of 15.6 ms, which is half of a turn of 30 ms.
    """
    return time.perf_counter()


class Reserve:
    """The part of a turn that is kept back for the reply's way through threads and pipes.

    The reserve starts with a value that is safe on an unknown machine. Each reply whose search used
    up its time shows the cost of the way. With more replies, the reserve approaches the largest
    cost seen, plus the delays that the engine cannot measure (docs/decisions/0003).
    """

    def __init__(self, *, shrinks: bool = _UNSEEN_IS_KNOWN) -> None:
        """shrinks: whether the reserve may become smaller than its first value."""
        self._shrinks = shrinks
        self._costs: deque[float] = deque(maxlen=_REPLIES_KEPT)

    def ms(self, turn_ms: int) -> float:
        """Returns the milliseconds to keep back of a turn."""
        unknown = min(30, max(8, turn_ms // 3))
        if not self._costs:
            return unknown
        measured = max(self._costs) + _UNSEEN_MS
        if measured >= unknown:
            return min(measured, max(unknown, min(_MOST_KEPT_BACK_MS, turn_ms / 2)))
        if not self._shrinks:
            return unknown
        known = min(1.0, len(self._costs) / _REPLIES_TRUSTED)
        return unknown - known * (unknown - measured)

    def learn(self, planned: Budget, took_ms: float) -> None:
        """Notes the cost of a reply. took_ms: from the start of its budget to the answer."""
        if planned.hard_ms and took_ms >= planned.hard_ms - 1:
            self._costs.append(max(0.0, took_ms - planned.hard_ms))


def expected_moves(made: int) -> int:
    """Returns how many own moves the plan still expects after this many."""
    late = max(0, made - _LONG_GAME) // 2
    return max(_PLANNED_MOVES - made, _MOVES_IN_HAND) + late


def limits(
    settings: Settings, used_ms: float, *, default_turn_ms: int | None = DEFAULT_TURN_MS
) -> tuple[int | None, int | None]:
    """Returns the limits of the turn and of the rest of the game; None = unlimited.

    used_ms: own thinking since the last `time_left`, or since the start of the game.
    default_turn_ms: the limit of the turn if the manager never sent a limit.
    """
    left: int | None = None
    if settings.time_left is not None:
        if settings.time_left < UNLIMITED_LEFT:
            left = int(settings.time_left - used_ms)
    elif settings.timeout_match is not None and settings.timeout_match > 0:
        left = int(settings.timeout_match - used_ms)
    turn = settings.timeout_turn
    if turn is not None:
        return (turn if turn >= 0 else None), left
    if left is not None:
        return None, left
    # Without any limit, the default holds. It does not hold if the manager sent an unlimited clock
    # and another limit ends the search: a match at fixed nodes must not depend on the clock.
    time_is_free = settings.timeout_match is not None or settings.time_left is not None
    bounded = settings.max_depth is not None or settings.max_nodes is not None
    return (None if time_is_free and bounded else default_turn_ms), None


def longest_ms(settings: Settings) -> int | None:
    """Returns the longest time of a move under the limits of the whole game; None = no limit.

    For a game clock, this is the hard limit of a move when hardly any time has been used.
    """
    turn, left = limits(replace(settings, time_left=None), 0.0)
    share = None if left is None else left // _MOVES_IN_HAND + settings.time_increment
    given = [ms for ms in (turn, share and _OVERTIME * share) if ms is not None]
    return max(0, min(given)) if given else None


def budget(
    *,
    turn_ms: int | None,
    left_ms: int | None,
    increment_ms: int = 0,
    moves_made: int = 0,
    moves_possible: int = 0,
    spent_ms: float = 0.0,
    reserve: Reserve | None = None,
) -> Budget:
    """Plans the limits of one move.

    turn_ms, left_ms: as `limits` gives them. moves_made: the brain's stones in this game.
    moves_possible: own moves until the board is full. spent_ms: time since the command line was
    read, plus the charged start-up. reserve: None = no reply has been measured.
    """
    given = [ms for ms in (turn_ms, left_ms) if ms is not None]
    if not given:
        return Budget()
    turn = min(given)
    available = turn - (reserve or Reserve()).ms(turn) - spent_ms
    if turn <= 0 or available < 1:
        return AT_ONCE
    if left_ms is None:
        whole = min(_LONGEST_MS, int(available))
        return Budget(whole, whole)
    banked = left_ms - _BARE_MOVE_MS * moves_possible
    available = min(available, banked - spent_ms + _INCREMENT_SHARE * increment_ms)
    if available < 1:
        return AT_ONCE
    share = banked / expected_moves(moves_made) + _INCREMENT_SHARE * increment_ms
    soft = min(available, max(1.0, share - spent_ms))
    hard = min(available, max(1.0, _OVERTIME * share - spent_ms))
    return Budget(min(_LONGEST_MS, int(hard)), min(_LONGEST_MS, int(soft)))


def what_is_left(planned: Budget, elapsed_ms: float) -> Budget:
    """Returns the rest of a budget, so that several searches of one answer share one deadline."""
    if planned.hard_ms is None and planned.soft_ms is None:
        return planned

    def left(ms: int | None) -> int | None:
        return None if ms is None else max(0, ms - int(elapsed_ms))

    return Budget(left(planned.hard_ms), left(planned.soft_ms))


def after_pondering(planned: Budget, pondered_ms: float) -> Budget:
    """Returns the budget of a move whose position was searched on the opponent's time.

    That time shortens the planned time by up to half, which leaves more for later moves. If no time
    can be saved, the budget stays, and the search gets deeper.
    """
    if planned.soft_ms is None or planned.hard_ms is None or planned.soft_ms >= planned.hard_ms:
        return planned
    saved = min(planned.soft_ms // 2, int(pondered_ms))
    return replace(planned, soft_ms=planned.soft_ms - saved)


def drawn_ms(bounds: tuple[int, int]) -> int:
    """Returns a random time within these bounds."""
    least, most = bounds
    return least + int.from_bytes(os.urandom(4), "big") % (most - least + 1)


def pause_ms(planned: Budget, delay_ms: int, spent_ms: float) -> float:
    """Returns how long to hold a finished move back for a human pace; 0 = not at all.

    delay_ms: the least time of a move since its line was read. spent_ms: the part of it that is
    over. The pause never exceeds the planned time of the move.
    """
    longest = delay_ms if planned.soft_ms is None else min(delay_ms, planned.soft_ms)
    return max(0.0, longest - spent_ms)


class Ledger:
    """Adds up the engine's own thinking, for managers that do not send `time_left`."""

    def __init__(self) -> None:
        self.used_ms = 0.0
        self.moves = 0

    def told(self) -> None:
        """Starts again at zero, because the manager has just sent `time_left`."""
        self.used_ms = 0.0
        self.moves = 0

    def charge(self, spent_ms: float, increment_ms: int) -> None:
        """Books one move."""
        self.used_ms += spent_ms - increment_ms
        self.moves += 1
