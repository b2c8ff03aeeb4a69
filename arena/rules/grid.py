"""Stones on a square board and the lines through a square. Knows no rule."""

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[int, int]
"""A square as (x, y): column from the left, row from the top, both from 0."""

Step: TypeAlias = tuple[int, int]

EMPTY = "."
NEUTRAL = "N"
"""A stone of nobody: it blocks, and it belongs to no line and closes none."""
OFF_BOARD = "#"

DIRECTIONS: tuple[Step, ...] = ((1, 0), (0, 1), (1, 1), (1, -1))
RAYS: tuple[Step, ...] = DIRECTIONS + tuple((-dx, -dy) for dx, dy in DIRECTIONS)


class Color(enum.Enum):
    """Names one of the two players."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> "Color":
        """Returns the opponent."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @property
    def letter(self) -> str:
        """Returns the letter that stands for this colour's stones in a grid."""
        return "B" if self is Color.BLACK else "W"


class Run(NamedTuple):
    """Describes a maximal run of one colour: its length and the two cells just beyond its ends."""

    length: int
    before: str
    after: str


def shifted(point: Point, step: Step, count: int) -> Point:
    """Returns the square `count` steps from `point`; it may lie off the board."""
    return (point[0] + step[0] * count, point[1] + step[1] * count)


class Grid:
    """Holds what stands on each square of a `size` x `size` board, as one letter per square.

    The letters are those of `Color.letter`, NEUTRAL and EMPTY; off the board OFF_BOARD is read.
    """

    def __init__(self, *, size: int) -> None:
        """Makes an empty board."""
        self.size = size
        self._cells = {(x, y): EMPTY for x in range(size) for y in range(size)}

    def at(self, point: Point) -> str:
        """Returns the letter on a square, OFF_BOARD for a square that does not exist."""
        return self._cells.get(point, OFF_BOARD)

    def put(self, point: Point, letter: str) -> None:
        """Writes a letter (EMPTY removes) on a square of the board."""
        if point not in self._cells:
            raise ValueError(f"point: {point} is off the board")
        self._cells[point] = letter

    @contextmanager
    def trying(self, point: Point, color: Color) -> Iterator[None]:
        """Holds a stone on an empty square while the `with` block runs, then takes it away."""
        self.put(point, color.letter)
        try:
            yield
        finally:
            self.put(point, EMPTY)

    def squares(self, letter: str) -> list[Point]:
        """Returns the squares that hold a letter, sorted by (x, y)."""
        return [
            point for point, cell in self._cells.items() if cell == letter
        ]  # made in that order

    def line(self, point: Point, step: Step, reach: int) -> str:
        """Returns the cells from `reach` steps before `point` to `reach` steps after it.

        The cell of `point` itself stands at index `reach` of the text.
        """
        return "".join(self.at(shifted(point, step, i)) for i in range(-reach, reach + 1))

    def run(self, point: Point, step: Step, color: Color) -> Run:
        """Returns the run of `color` through `point`, which counts as one of its stones."""
        forward = self._walk(point, step, color)
        backward = self._walk(point, (-step[0], -step[1]), color)
        return Run(
            length=backward + 1 + forward,
            before=self.at(shifted(point, step, -backward - 1)),
            after=self.at(shifted(point, step, forward + 1)),
        )

    def _walk(self, point: Point, step: Step, color: Color) -> int:
        """Counts the stones of `color` that follow `point` without a gap."""
        count = 0
        while self.at(shifted(point, step, count + 1)) == color.letter:
            count += 1
        return count
