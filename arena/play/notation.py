"""Names of squares at the board: `h8` with a1 at the bottom left, or Piskvork's `7,7`."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from records.squares import renju_name_of

from ..rules.board_view import Labels
from ..rules.referee import Point

__all__ = ["Notation", "Squares"]


class Squares(StrEnum):
    """Names the two kinds of coordinates."""

    A1 = "a1"
    """Letters from the left and numbers from the bottom, as renju players write."""
    XY = "xy"
    """Column and row from 0 at the top left, as Piskvork shows them."""


@dataclass(frozen=True)
class Notation:
    """Writes the squares of one board."""

    size: int
    squares: Squares = Squares.A1

    def name(self, point: Point) -> str:
        """Returns a square as `h8` or `7,7`."""
        return self._pair(point) if self.squares is Squares.XY else renju_name_of(point, self.size)

    def both(self, point: Point) -> str:
        """Returns a square in both kinds, as `h8 (7,7)` or `7,7 (h8)`."""
        name, pair = renju_name_of(point, self.size), self._pair(point)
        return f"{pair} ({name})" if self.squares is Squares.XY else f"{name} ({pair})"

    def names(self, points: Iterable[Point]) -> str:
        """Returns squares with blanks between them."""
        return " ".join(self.name(point) for point in points)

    @property
    def labels(self) -> Labels:
        """Returns what stands at the edges of the board."""
        numbers = [str(n) for n in range(self.size)]
        if self.squares is Squares.XY:
            return Labels(columns=tuple(numbers), rows=tuple(numbers))
        letters = (chr(ord("a") + n) for n in range(self.size))
        return Labels(tuple(letters), tuple(str(self.size - n) for n in range(self.size)))

    @staticmethod
    def _pair(point: Point) -> str:
        return f"{point[0]},{point[1]}"
