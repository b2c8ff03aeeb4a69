"""Rules, states, reasons and outcomes of games, and the referee's error."""

import enum
from dataclasses import dataclass, field

from .grid import Color, Point

__all__ = ["MAX_SIZE", "MIN_SIZE", "Outcome", "Reason", "RefereeError", "Rule", "Status"]

MIN_SIZE = 5
MAX_SIZE = 22


class RefereeError(ValueError):
    """The referee refuses an argument, a move or a call; the text says which, and why."""


class Rule(enum.IntEnum):
    """The rules, by protocol number."""

    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8
    CARO_STANDARD = 9
    NINUKI = 16
    PENTE = 32
    KERYO = 64

    @property
    def has_captures(self) -> bool:
        """Says whether the rule has captures."""
        return self in (Rule.NINUKI, Rule.PENTE, Rule.KERYO)

    @property
    def counts_stones(self) -> bool:
        """Says whether captures are counted in stones. They are counted in pairs otherwise."""
        return self is Rule.KERYO

    @property
    def captures_to_win(self) -> int:
        """Returns how many captures win, in the rule's count; 0 for rules without captures."""
        if not self.has_captures:
            return 0
        return 15 if self.counts_stones else 5

    @property
    def capture_unit(self) -> str:
        """Returns what the rule's count of captures counts: pairs or stones."""
        return "stones" if self.counts_stones else "pairs"

    @property
    def winning_captures(self) -> str:
        """Returns the captures that win, in words. The rule must have captures."""
        return {5: "five", 15: "fifteen"}[self.captures_to_win] + f" {self.capture_unit}"

    def captured_stones(self, captures: int) -> int:
        """Returns the number of stones of so many captures in the rule's count."""
        return captures if self.counts_stones else 2 * captures

    def count_captured(self, stones: int) -> int:
        """Returns the captures that so many captured stones are in the rule's count."""
        return stones if self.counts_stones else stones // 2

    @property
    def usual_size(self) -> int:
        """Returns the usual board size of the rule."""
        return 19 if self.has_captures else 15


class Status(enum.Enum):
    """The state of a game. PENDING: a five that the opponent has one move to answer."""

    ONGOING = "ongoing"
    PENDING = "pending"
    WIN = "win"
    DRAW = "draw"


class Reason(enum.Enum):
    """The reasons for the end of a game."""

    FIVE = "five"
    CAPTURES = "captures"
    FIVE_NOT_BROKEN = "five_not_broken"
    BOARD_FULL = "board_full"
    NO_LEGAL_MOVE = "no_legal_move"


@dataclass(frozen=True)
class Outcome:
    """Holds the result of a move: the captured stones by (x, y), and the state of the game."""

    captured: list[Point] = field(default_factory=list)
    status: Status = Status.ONGOING
    winner: Color | None = None
    reason: Reason | None = None
