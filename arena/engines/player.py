"""What the game needs of a player, be it a brain or a person."""

from dataclasses import dataclass
from typing import Protocol

from ..rules.referee import Color, Point

__all__ = ["MoveRequest", "Player", "Reply", "StartRequest", "Thought"]


@dataclass(frozen=True)
class StartRequest:
    """Asks for a new game: its board and rule, the limits, and the ms there are to get ready.

    `turn_ms` and `match_ms` None and `memory_mib` 0 are no limit.
    """

    size: int
    rule: int
    turn_ms: int | None
    match_ms: int | None
    memory_mib: int
    start_ms: int


@dataclass(frozen=True)
class MoveRequest:
    """Asks for a move: the position as it is, and the time there is.

    `stones` are those on the board in playing order. `captures` are the pairs taken by (Black,
    White). `last` is the opponent's move, None where the player must not think that it was one:
    at its first move of this game.
    """

    color: Color
    stones: tuple[tuple[Point, Color], ...]
    captures: tuple[int, int]
    last: Point | None
    limit_ms: float
    time_left: int


@dataclass(frozen=True)
class Thought:
    """Holds what a brain told of its search, where it did."""

    depth: int | None = None
    nodes: int | None = None
    score: str | None = None
    mate: int | None = None
    """Plies to a proven win, below 0 to a proven loss."""


@dataclass(frozen=True)
class Reply:
    """Holds a move, the ms that it took, and the thought behind it."""

    move: Point
    ms: float
    thought: Thought = Thought()


class Player(Protocol):
    """Plays one colour of one game. Whatever it does wrong, it raises as BrainFault."""

    @property
    def name(self) -> str:
        """Returns what the player is called in reports."""

    def launch(self) -> None:
        """Starts getting ready; a second call does nothing. Raises CannotStartError."""

    def open(self, request: StartRequest) -> float:
        """Gets ready for a new game within its `start_ms` and returns the ms that it took."""

    def move(self, request: MoveRequest) -> Reply:
        """Returns a move, which came within the limit and may be illegal."""

    def memory_bytes(self) -> int:
        """Returns the memory in use now."""

    @property
    def peak_bytes(self) -> int:
        """Returns the most memory that was ever seen in use."""

    @property
    def last_lines(self) -> list[str]:
        """Returns the end of the conversation, for a report on a fault."""

    def close(self) -> tuple[str, ...]:
        """Ends the player and returns notes on what was wrong with that; may be called again."""
