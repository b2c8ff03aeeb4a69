"""The interface between a game and its players, brains or persons."""

from dataclasses import dataclass
from typing import Protocol

from ..rules.referee import Color, Point

__all__ = ["MoveRequest", "Player", "Reply", "StartRequest", "Thought"]


@dataclass(frozen=True)
class StartRequest:
    """Asks for a new game: board, rule, limits, and the ms to get ready.

    `turn_ms` and `match_ms` None and `memory_mib` 0 mean no limit.
    """

    size: int
    rule: int
    turn_ms: int | None
    match_ms: int | None
    memory_mib: int
    start_ms: int
    increment_ms: int = 0


@dataclass(frozen=True)
class MoveRequest:
    """Asks for a move in a position, with the time for it.

    `stones` are the stones on the board in playing order. `captures` are those of (Black, White),
    in the rule's count. `last` is the opponent's last move. At a player's first move of the game it
    is None, because the stones may be an opening.
    """

    color: Color
    stones: tuple[tuple[Point, Color], ...]
    captures: tuple[int, int]
    last: Point | None
    limit_ms: float
    time_left: int


@dataclass(frozen=True)
class Thought:
    """Holds what a brain reported about its search; None for values that it did not report."""

    depth: int | None = None
    nodes: int | None = None
    score: str | None = None
    mate: int | None = None
    """Plies to a proven win; negative for a proven loss."""


@dataclass(frozen=True)
class Reply:
    """Holds a move, its time in ms, and the report on the search."""

    move: Point
    ms: float
    thought: Thought = Thought()


class Player(Protocol):
    """Plays one colour of one game. Raises each fault of its own as BrainFault."""

    @property
    def name(self) -> str:
        """Returns the name of the player in reports."""

    def launch(self) -> None:
        """Starts to get ready; a second call does nothing. Raises CannotStartError."""

    def open(self, request: StartRequest) -> float:
        """Gets ready for a new game within `start_ms`; returns the ms that it took."""

    def move(self, request: MoveRequest) -> Reply:
        """Returns a move within the limit. The move may be illegal."""

    def memory_bytes(self) -> int:
        """Returns the memory in use now."""

    @property
    def peak_bytes(self) -> int:
        """Returns the largest memory use that was measured."""

    @property
    def last_lines(self) -> list[str]:
        """Returns the end of the conversation, for a report on a fault."""

    def close(self) -> tuple[str, ...]:
        """Ends the player; returns notes on faults at the end. A second call is allowed."""
