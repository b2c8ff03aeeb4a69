"""Clocks: how long a move may take, and what is left of the game."""

import math
from dataclasses import dataclass, replace

__all__ = ["UNLIMITED_MS", "Clock", "TimeControl"]

UNLIMITED_MS = 2_147_483_647
"""What managers send as time_left where the game has no limit."""


@dataclass(frozen=True)
class TimeControl:
    """Holds the limits of a player's time in ms; None is no limit, but one of the two is needed.

    The tolerance is what the manager lets pass beyond a limit; it is never told to the brain. The
    increment is added to the game clock after each move.
    """

    turn_ms: int | None = None
    match_ms: int | None = None
    tolerance_ms: int = 0
    increment_ms: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError, naming the field, where a limit makes no sense."""
        for name in ("turn_ms", "match_ms"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name}: {value} is less than 1 ms")
        for name in ("tolerance_ms", "increment_ms"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: {getattr(self, name)} is less than 0")
        if self.turn_ms is None and self.match_ms is None:
            raise ValueError("turn_ms, match_ms: give at least one of the two")


@dataclass(frozen=True)
class Clock:
    """Holds one player's time; a new clock comes of each move."""

    control: TimeControl
    left_ms: float = math.inf
    """What is left of the game, without the tolerance; can be less than 0 because of it."""

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
        return replace(self, left_ms=self.left_ms - ms + self.control.increment_ms)
