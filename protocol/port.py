"""What the protocol needs of an engine. `pyengine.Engine` has it, and so have the tests' fakes."""

from collections.abc import Iterable
from typing import Protocol

from pyengine import Color, Limits, Line, Outcome, Rule, SearchResult, Square


class EnginePort(Protocol):
    """One engine. `arm`, `stop` and `progress` come from any thread, the rest from one."""

    def reset(self, *, size: int | None = None, rule: Rule | None = None) -> None:
        """Empties the board and clears the table."""

    def resize_table(self, memory_mib: float) -> None:
        """Frees the table; the next search allocates the new size."""

    def clear_table(self) -> None:
        """Forgets what was searched."""

    def set_option(self, name: str, value: int, *, rules: Iterable[Rule] | None = None) -> None:
        """Sets "threads", "level", a switch or a number of the search; raises for another.

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
        """Whether the side to move may play there."""

    def forbidden(self) -> list[Square]:
        """The empty squares forbidden for the side to move."""

    def place(self, m: Square) -> Outcome:
        """Puts a stone of the side to move, with its captures."""

    def undo(self) -> None:
        """Takes the last move back, with what it captured; raises NoUndoError without one."""

    def arm(self) -> None:
        """Forgets an earlier stop."""

    def stop(self) -> None:
        """Ends the running or the armed search."""

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        """Looks for the best move."""

    def progress(self, after: int = 0) -> list[Line]:
        """Finished iterations of the running or last search."""
