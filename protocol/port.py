"""The methods of an engine that the protocol needs. `pyengine.Engine` has them."""

from collections.abc import Iterable
from typing import Protocol

from pyengine import Color, Limits, Line, Outcome, Rule, SearchResult, Square, TraceRow


class EnginePort(Protocol):
    """One engine. Any thread may call `arm`, `stop` and `progress`; one thread calls the rest."""

    def reset(self, *, size: int | None = None, rule: Rule | None = None) -> None:
        """Empties the board and clears the table."""

    def resize_table(self, memory_mib: float) -> None:
        """Frees the table; the next search allocates the new size."""

    def clear_table(self) -> None:
        """Clears the tables."""

    def set_option(self, name: str, value: int, *, rules: Iterable[Rule] | None = None) -> None:
        """Sets "threads", "level", a switch or a parameter of the search; raises for other names.

        rules: the rules to set it for; None = the rule that is played.
        """

    def set_position(
        self,
        *,
        black: Iterable[Square] = (),
        white: Iterable[Square] = (),
        captures: tuple[int, int] = (0, 0),
        to_move: Color = Color.BLACK,
        neutral: Iterable[Square] = (),
    ) -> None:
        """Replaces the position."""

    def legal(self, m: Square) -> bool:
        """Returns whether the side to move may play there."""

    def forbidden(self) -> list[Square]:
        """Returns the empty squares that are forbidden for the side to move."""

    def place(self, m: Square) -> Outcome:
        """Puts a stone of the side to move, and captures."""

    def undo(self) -> None:
        """Takes the last move and its captures back; raises NoUndoError without a move."""

    def arm(self) -> None:
        """Forgets an earlier stop."""

    def stop(self) -> None:
        """Ends the running or the armed search."""

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        """Returns the best move of a search."""

    def set_trace(self, on: bool) -> None:
        """Begins or ends tracing the root of each search."""

    def trace(self) -> list[TraceRow]:
        """Returns the trace of the last search."""

    def progress(self, after: int = 0) -> list[Line]:
        """Returns finished iterations of the running or last search."""
