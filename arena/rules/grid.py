"""Stones on a square board and the lines through a square, without any rule."""

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[int, int]
"""A square as (x, y): column from the left, row from the top, both from 0."""

Step: TypeAlias = tuple[int, int]

EMPTY = "."
NEUTRAL = "N"
"""A neutral stone. It blocks, but counts for no line and closes none."""
OFF_BOARD = "#"

DIRECTIONS: tuple[Step, ...] = ((1, 0), (0, 1), (1, 1), (1, -1))
RAYS: tuple[Step, ...] = DIRECTIONS + tuple((-dx, -dy) for dx, dy in DIRECTIONS)


class Color(enum.Enum):
    """The two players."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> "Color":
        """Returns the opponent."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @cached_property
    def letter(self) -> str:
        """The letter of this colour's stones in a grid."""
        return "B" if self is Color.BLACK else "W"


class Run(NamedTuple):
    """A maximal run of one colour: its length and the two cells just beyond its ends."""

    length: int
    before: str
    after: str


def shifted(point: Point, step: Step, count: int) -> Point:
    """Returns the square `count` steps from `point`; it may lie off the board."""
    return (point[0] + step[0] * count, point[1] + step[1] * count)


class Grid:
    """Holds the contents of each square of a `size` x `size` board, one letter per square.

    The letters are those of `Color.letter`, NEUTRAL and EMPTY, and OFF_BOARD outside the board.
    """

    def __init__(self, *, size: int) -> None:
        """Creates an empty board."""
        self.size = size
        self._cells = {(x, y): EMPTY for x in range(size) for y in range(size)}

    def at(self, point: Point) -> str:
        """Returns the letter of a square; OFF_BOARD outside the board."""
        return self._cells.get(point, OFF_BOARD)

    def put(self, point: Point, letter: str) -> None:
        """Writes a letter (EMPTY removes) on a square of the board."""
        if point not in self._cells:
            raise ValueError(f"point: {point} is off the board")
        self._cells[point] = letter

    @contextmanager
    def trying(self, point: Point, color: Color) -> Iterator[None]:
        """Puts a stone on an empty square for the `with` block, then removes it."""
        self.put(point, color.letter)
        try:
            yield
        finally:
            self.put(point, EMPTY)

    def squares(self, letter: str) -> list[Point]:
        """Returns the squares that hold a letter, sorted by (x, y)."""
        return [
            point for point, cell in self._cells.items() if cell == letter
        ]  # created in that order

    def line(self, point: Point, step: Step, reach: int) -> str:
        """Returns the cells from `reach` steps before `point` to `reach` steps after it.

        The cell of `point` is at index `reach`.
        """
        cells = self._cells
        (x, y), (dx, dy) = point, step
        steps = range(-reach, reach + 1)
        return "".join([cells.get((x + i * dx, y + i * dy), OFF_BOARD) for i in steps])

    def count_on_rays(self, point: Point, letter: str, reach: int) -> int:
        """Counts the squares with a letter on the eight rays from `point`, up to `reach` steps."""
        cells = self._cells
        x, y = point
        return sum(
            cells.get((x + i * dx, y + i * dy)) == letter
            for dx, dy in RAYS
            for i in range(1, reach + 1)
        )

    def run(self, point: Point, step: Step, color: Color) -> Run:
        """Returns the run of `color` through `point`, which counts as a stone of it."""
        forward = self._walk(point, step, color)
        backward = self._walk(point, (-step[0], -step[1]), color)
        return Run(
            length=backward + 1 + forward,
            before=self.at(shifted(point, step, -backward - 1)),
            after=self.at(shifted(point, step, forward + 1)),
        )

    def _walk(self, point: Point, step: Step, color: Color) -> int:
        """Counts the stones of `color` that follow `point` without a gap."""
        # The referee spends most of its time here, so this does not call `at` for each square.
        cells, letter = self._cells, color.letter
        (x, y), (dx, dy) = point, step
        count = 0
        while cells.get((x := x + dx, y := y + dy)) == letter:
            count += 1
        return count
