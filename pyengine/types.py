"""The values of a game and the arguments of a search. They are frozen and can be compared.

Squares are `(x, y)` from 0: x = column from the left, y = row from the top. Names of squares
have a1 at the bottom left: `h8`. Times are milliseconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from typing import Protocol, runtime_checkable

from pyengine import constants

Square = tuple[int, int]


def name_of(m: Square, size: int) -> str:
    """The name of a square, with a1 at the bottom left of a board of this size."""
    x, y = m
    return f"{chr(ord('a') + x)}{size - y}"


def names_of(squares: Iterable[Square], size: int) -> list[str]:
    """The names of squares."""
    return [name_of(m, size) for m in squares]


class Rule(IntEnum):
    """The rule sets, by the numbers that `INFO rule` uses."""

    FREESTYLE = constants.RULE_FREESTYLE
    STANDARD = constants.RULE_STANDARD
    RENJU = constants.RULE_RENJU
    CARO = constants.RULE_CARO
    CARO_STANDARD = constants.RULE_CARO_STANDARD
    NINUKI = constants.RULE_NINUKI
    PENTE = constants.RULE_PENTE
    KERYO = constants.RULE_KERYO

    @property
    def has_captures(self) -> bool:
        """Whether stones are captured under this rule."""
        return self in constants.RULES_WITH_CAPTURES

    def has_forbidden_moves(self, color: "Color") -> bool:
        """Whether a side may have forbidden squares under this rule."""
        if color is Color.BLACK:
            return self in constants.RULES_WITH_FORBIDDEN_BLACK_MOVES
        return self in constants.RULES_WITH_FORBIDDEN_WHITE_MOVES

    @property
    def captured_lengths(self) -> tuple[int, ...]:
        """The numbers of stones in a row that are captured together; empty without captures."""
        if self in constants.RULES_WITH_TRIPLES:
            return (2, 3)
        return (2,) if self.has_captures else ()

    @property
    def counts_stones(self) -> bool:
        """Whether captures are counted in stones; in pairs otherwise."""
        return self in constants.RULES_WITH_COUNTED_STONES

    @property
    def captures_to_win(self) -> int:
        """The number of captures that wins, in the rule's count; 0 without captures."""
        if not self.has_captures:
            return 0
        return constants.WIN_STONES if self.counts_stones else constants.WIN_PAIRS

    @property
    def most_captures(self) -> int:
        """The highest count: one less than wins, and eight rows captured by the last move."""
        if not self.has_captures:
            return 0
        return self.captures_to_win - 1 + self.count_captured(8 * max(self.captured_lengths))

    def count_captured(self, stones: int) -> int:
        """Returns the captures that so many captured stones are in the rule's count."""
        return stones if self.counts_stones else stones // 2

    def captured_stones(self, captures: int) -> int:
        """Returns the number of stones of so many captures in the rule's count."""
        return captures if self.counts_stones else 2 * captures


class Color(Enum):
    """A side. Black moves first."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> "Color":
        """The opponent."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK


class Status(StrEnum):
    """The state of the game. `PENDING`: ninuki, a five that one move may still break."""

    ONGOING = "ongoing"
    PENDING = "pending"
    WIN = "win"
    DRAW = "draw"


class Reason(StrEnum):
    """Why a game has ended."""

    FIVE = "five"
    CAPTURES = "captures"
    FIVE_NOT_BROKEN = "five_not_broken"
    BOARD_FULL = "board_full"
    NO_LEGAL_MOVE = "no_legal_move"


class Forbidden(StrEnum):
    """Why a square is forbidden: the first reason that applies."""

    OVERLINE = "overline"
    DOUBLE_FOUR = "double_four"
    DOUBLE_THREE = "double_three"


class Threat(StrEnum):
    """The threat of a stone on a square. A four threatens a five, a three an open four."""

    THREE = "three"
    THREES = "threes"
    FOUR = "four"
    FOUR_THREE = "four_three"
    FOURS = "fours"
    OPEN_FOUR = "open_four"
    FIVE = "five"


@dataclass(frozen=True)
class Setup:
    """The position before the first move: stones, captures, and the side that moves first."""

    black: tuple[Square, ...] = ()
    white: tuple[Square, ...] = ()
    neutral: tuple[Square, ...] = ()
    captures: tuple[int, int] = (0, 0)
    turn: Color = Color.BLACK


@runtime_checkable
class GamePosition(Protocol):
    """The part of a `Position` that a search needs."""

    @property
    def size(self) -> int:
        """The side of the board."""

    @property
    def rule(self) -> Rule:
        """The rule that is played."""

    @property
    def setup(self) -> Setup:
        """The position before the first move."""

    @property
    def squares(self) -> list[Square]:
        """The moves."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search. Without any, it runs until `Engine.stop()` or a proof.

    time_ms:  hard limit; 0 = answer at once.
    soft_ms:  planned time. The search takes more, up to time_ms, while the best move changes, its
              score falls, or other moves take most of the nodes. It takes less while the best move
              takes most of them. None = it takes all of time_ms.
    depth:    plies.
    nodes:    positions visited.
    lines:    the number of best lines to find; the first decides the move.
    excluded: squares that must not be played, by coordinates or name.
    analysis: True = search a single legal move like any other position. False = play it at once,
              with a known score or that of a short search.
    """

    time_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    soft_ms: int | None = None
    lines: int = 1
    excluded: Sequence[Square | str] = ()
    analysis: bool = False


@dataclass(frozen=True)
class Option:
    """An option of an engine under one rule, with its default and bounds.

    default: the value in a new engine; it may depend on the rule.
    rule:    the rule that the value holds for; None = the same value for every rule.
    """

    name: str
    default: int
    minimum: int
    maximum: int
    value: int
    rule: Rule | None


@dataclass(frozen=True)
class Outcome:
    """The effect of a move: the captured stones, sorted, and the state of the game after it."""

    captured: list[Square]
    status: Status
    winner: Color | None
    reason: Reason | None
