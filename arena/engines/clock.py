"""Clocks: the limit of the next move and the time left for the game."""

import math
from dataclasses import dataclass, replace

__all__ = ["UNLIMITED_MS", "Clock", "Limits", "TimeControl"]

UNLIMITED_MS = 2_147_483_647
"""The value of time_left in a game without a limit."""


@dataclass(frozen=True)
class TimeControl:
    """Holds a player's limits in ms; None means no limit. At least one limit is needed.

    The tolerance is the time beyond a limit that the manager accepts. The brain is not told about
    it. The increment is added to the game clock after each move. With `moves_to_go` the game clock
    gets `match_ms` again after every `moves_to_go` moves; 0 means never.
    """

    turn_ms: int | None = None
    match_ms: int | None = None
    tolerance_ms: int = 0
    increment_ms: int = 0
    moves_to_go: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError with the name of a field that is out of bounds."""
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
    """Holds one player's own limits; None means the game's value.

    A player with its own `turn_ms` or `match_ms` uses nothing of the game's time control.
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
    """Holds one player's time. It is immutable: each move makes a new clock."""

    control: TimeControl
    left_ms: float = math.inf
    """The time left for the game, without the tolerance; negative within the tolerance."""
    moves: int = 0
    """The number of moves made on this clock."""

    @classmethod
    def of(cls, control: TimeControl) -> "Clock":
        """Returns the clock of a player who has not moved yet."""
        return cls(control, math.inf if control.match_ms is None else float(control.match_ms))

    @property
    def budget_ms(self) -> float:
        """Returns the tighter limit of the next move, as the brain knows it, in ms."""
        turn = math.inf if self.control.turn_ms is None else float(self.control.turn_ms)
        return max(0.0, min(turn, self.left_ms))

    @property
    def limit_ms(self) -> float:
        """Returns the ms after which the next move loses: the tighter limit plus the tolerance."""
        turn = math.inf if self.control.turn_ms is None else float(self.control.turn_ms)
        return min(turn, self.left_ms) + self.control.tolerance_ms

    @property
    def time_left(self) -> int:
        """Returns the value of `INFO time_left`: whole ms, rounded down."""
        return UNLIMITED_MS if math.isinf(self.left_ms) else math.floor(self.left_ms)

    def after(self, ms: float) -> "Clock":
        """Returns the clock after a move that took the given time."""
        control, moves = self.control, self.moves + 1
        left = self.left_ms - ms + control.increment_ms
        if control.moves_to_go and moves % control.moves_to_go == 0:
            left += control.match_ms or 0
        return replace(self, left_ms=left, moves=moves)
