"""Clocks: how long a move may take, and what is left of the game."""

import math
from dataclasses import dataclass, replace

__all__ = ["UNLIMITED_MS", "Clock", "Limits", "TimeControl"]

UNLIMITED_MS = 2_147_483_647
"""What managers send as time_left where the game has no limit."""


@dataclass(frozen=True)
class TimeControl:
    """Holds the limits of a player's time in ms; None is no limit, but one of the two is needed.

    The tolerance is what the manager lets pass beyond a limit; it is never told to the brain. The
    increment is added to the game clock after each move. With `moves_to_go`, the game clock gets
    `match_ms` again after every so many moves; 0 is never.
    """

    turn_ms: int | None = None
    match_ms: int | None = None
    tolerance_ms: int = 0
    increment_ms: int = 0
    moves_to_go: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError, naming the field, where a limit makes no sense."""
        for name in ("turn_ms", "match_ms"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name}: {value} is less than 1 ms")
        for name in ("tolerance_ms", "increment_ms", "moves_to_go"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: {getattr(self, name)} is less than 0")
        if self.turn_ms is None and self.match_ms is None:
            raise ValueError("turn_ms, match_ms: give at least one of the two")
        for name in ("increment_ms", "moves_to_go"):
            if getattr(self, name) and self.match_ms is None:
                raise ValueError(f"{name}: needs a limit for the game (match_ms)")


@dataclass(frozen=True)
class Limits:
    """Holds the limits that one player of a game has for itself; None is those of the game.

    A player with a `turn_ms` or a `match_ms` of its own has nothing of the game's time control.
    """

    turn_ms: int | None = None
    match_ms: int | None = None
    increment_ms: int | None = None
    moves_to_go: int | None = None
    memory_mib: int | None = None

    @property
    def has_time(self) -> bool:
        """Says whether the player has a time control of its own."""
        return self.turn_ms is not None or self.match_ms is not None


@dataclass(frozen=True)
class Clock:
    """Holds one player's time; a new clock comes of each move."""

    control: TimeControl
    left_ms: float = math.inf
    """What is left of the game, without the tolerance; can be less than 0 because of it."""
    moves: int = 0
    """How many moves were made on it."""

    @classmethod
    def of(cls, control: TimeControl) -> "Clock":
        """Returns the clock of a player who has not moved yet."""
        return cls(control, math.inf if control.match_ms is None else float(control.match_ms))

    @property
    def budget_ms(self) -> float:
        """Returns how long the next move may take in the brain's eyes: the tighter limit."""
        turn = math.inf if self.control.turn_ms is None else float(self.control.turn_ms)
        return max(0.0, min(turn, self.left_ms))

    @property
    def limit_ms(self) -> float:
        """Returns after how many ms the next move loses the game: the tighter limit, tolerated."""
        turn = math.inf if self.control.turn_ms is None else float(self.control.turn_ms)
        return min(turn, self.left_ms) + self.control.tolerance_ms

    @property
    def time_left(self) -> int:
        """Returns the value of `INFO time_left`: whole ms, rounded down."""
        return UNLIMITED_MS if math.isinf(self.left_ms) else math.floor(self.left_ms)

    def after(self, ms: float) -> "Clock":
        """Returns the clock after a move that took so long."""
        control, moves = self.control, self.moves + 1
        left = self.left_ms - ms + control.increment_ms
        if control.moves_to_go and moves % control.moves_to_go == 0:
            left += control.match_ms or 0
        return replace(self, left_ms=left, moves=moves)
