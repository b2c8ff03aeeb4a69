"""How long a move may take: the clock, pure arithmetic in milliseconds, and one small ledger.

The hard limit is never to be passed. The soft limit is what the move should take: it shares the
time of the whole game out over the moves that are still expected, and the search takes more or less
as the position asks for. Where the two are equal nothing can be saved, and all is used.
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
# The plan assumes a game of 26 own moves, and always keeps 14 more in hand. From the 40th on the
# horizon moves away again, so that a game up to the last square still has milliseconds to spend.
_PLANNED_MOVES: Final = 26
_MOVES_IN_HAND: Final = 14
_LONG_GAME: Final = 40
# A move that is hard to find may take this many times its share.
_OVERTIME: Final = 3
# What a move costs that is made at once. So much is kept for every move that the board has room
# for: a game that drags on must not be lost on the clock after all the thinking is done.
_BARE_MOVE_MS: Final = 4
# What the brain cannot see of a reply: until its reader has a line, and until the manager has the
# answer. On a machine with free cores 99 of 100 replies took no longer.
_UNSEEN_MS: Final = 6
_UNSEEN_IS_KNOWN: Final = sys.platform.startswith("linux")
# So many replies are kept, and from so many on they alone decide.
_REPLIES_KEPT: Final = 256
_REPLIES_TRUSTED: Final = 32
# One that took longer was held up by something else, such as a debugger.
_MOST_KEPT_BACK_MS: Final = 60
# The part of a Fischer increment that is planned with; the rest goes into the reserve.
_INCREMENT_SHARE: Final = 0.8


@dataclass(frozen=True)
class Budget:
    """Limits of one search; None = none. A hard limit of 0 asks for a move at once."""

    hard_ms: int | None = None
    soft_ms: int | None = None


AT_ONCE: Final = Budget(0, 0)


def now() -> float:
    """Seconds on a clock that never goes back; good to a microsecond everywhere.

    `time.monotonic` moves in steps of 15.6 ms on Windows: half of a turn of 30 ms.
    """
    return time.perf_counter()


class Reserve:
    """What is kept back of a turn for the way of a reply through threads and pipes.

    At first as much as is safe on a machine that nobody knows. Every reply whose search has used up
    its time tells what the rest of it costs: with more of them, the reserve moves to the dearest of
    them and the ways that the brain cannot see (docs/decisions/0003).
    """

    def __init__(self, *, shrinks: bool = _UNSEEN_IS_KNOWN) -> None:
        """shrinks: it may become smaller than on a machine that nobody knows."""
        self._shrinks = shrinks
        self._costs: deque[float] = deque(maxlen=_REPLIES_KEPT)

    def ms(self, turn_ms: int) -> float:
        """What to keep back of a turn."""
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
        """Takes the cost of a reply. took_ms: from the beginning of its budget to its answer."""
        if planned.hard_ms and took_ms >= planned.hard_ms - 1:
            self._costs.append(max(0.0, took_ms - planned.hard_ms))


def expected_moves(made: int) -> int:
    """How many moves of its own the brain still plans for, after so many."""
    late = max(0, made - _LONG_GAME) // 2
    return max(_PLANNED_MOVES - made, _MOVES_IN_HAND) + late


def limits(
    settings: Settings, used_ms: float, *, default_turn_ms: int | None = DEFAULT_TURN_MS
) -> tuple[int | None, int | None]:
    """The time of the turn and of the rest of the game that hold now; None = unlimited.

    used_ms: own thinking since the manager last told the time that is left, or since the start.
    default_turn_ms: the turn when no limit was ever sent.
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
    # Without any limit the default; but not when the manager has said that time is free, and
    # another limit ends the search: a match at fixed nodes must not depend on the clock.
    time_is_free = settings.timeout_match is not None or settings.time_left is not None
    bounded = settings.max_depth is not None or settings.max_nodes is not None
    return (None if time_is_free and bounded else default_turn_ms), None


def longest_ms(settings: Settings) -> int | None:
    """What a move may take at most, by the limits that hold for the whole game; None = no limit.

    Of a game's time it is the hard limit of a move for which hardly any of it has been used.
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
    """Shares out the time of one move.

    turn_ms, left_ms: as `limits` gives them. moves_made: the brain's stones in this game.
    moves_possible: those that the board still has room for. spent_ms: gone since the command line
    was read, with what start-up is charged. reserve: None = nothing is known of the replies.
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
    """A budget when so much of it is gone. Several searches of one answer share one deadline so."""
    if planned.hard_ms is None and planned.soft_ms is None:
        return planned

    def left(ms: int | None) -> int | None:
        return None if ms is None else max(0, ms - int(elapsed_ms))

    return Budget(left(planned.hard_ms), left(planned.soft_ms))


def after_pondering(planned: Budget, pondered_ms: float) -> Budget:
    """The budget of a move whose position was thought about on the opponent's time.

    What was done there is not done again, up to half of the share: the rest goes to later moves.
    Where nothing can be saved all is used, and the search goes the deeper.
    """
    if planned.soft_ms is None or planned.hard_ms is None or planned.soft_ms >= planned.hard_ms:
        return planned
    saved = min(planned.soft_ms // 2, int(pondered_ms))
    return replace(planned, soft_ms=planned.soft_ms - saved)


def drawn_ms(bounds: tuple[int, int]) -> int:
    """A time within these bounds, drawn anew each time."""
    least, most = bounds
    return least + int.from_bytes(os.urandom(4), "big") % (most - least + 1)


def pause_ms(planned: Budget, delay_ms: int, spent_ms: float) -> float:
    """How long a finished move is held back for a human pace; 0 = not at all.

    delay_ms: the least time of a move from the reading of its line. spent_ms: gone of it. Never
    longer than the move's share of the time.
    """
    longest = delay_ms if planned.soft_ms is None else min(delay_ms, planned.soft_ms)
    return max(0.0, longest - spent_ms)


class Ledger:
    """Counts down the brain's own thinking, for managers that do not say what is left."""

    def __init__(self) -> None:
        self.used_ms = 0.0
        self.moves = 0

    def told(self) -> None:
        """The manager has just told the time that is left: that counts, not our own sum."""
        self.used_ms = 0.0
        self.moves = 0

    def charge(self, spent_ms: float, increment_ms: int) -> None:
        """Books one move."""
        self.used_ms += spent_ms - increment_ms
        self.moves += 1
