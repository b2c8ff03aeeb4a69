"""The stones on the board as the manager sees them: the brain's, the opponent's, nobody's.

Kept here and not in the engine, because the protocol takes back any stone, sets up any board and
names sides instead of colours. Which squares a move captures is asked of the engine.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.commands import Square
from pyengine import Color

# Four pairs and a move that takes eight: a game has no more. Five win.
_MOST_PAIRS: Final = 12
_WINNING_PAIRS: Final = 5


class Side(Enum):
    """Whose a stone is, by the numbers of a BOARD line."""

    OWN = 1
    OPPONENT = 2
    NOBODY = 3

    @property
    def other(self) -> "Side":
        """The side that plays against this one."""
        return Side.OPPONENT if self is Side.OWN else Side.OWN


@dataclass(frozen=True)
class Setup:
    """A position in the engine's words. pairs: those taken by (black, white)."""

    size: int
    black: tuple[Square, ...]
    white: tuple[Square, ...]
    neutral: tuple[Square, ...]
    pairs: tuple[int, int]
    to_move: Color

    def is_free(self, square: Square) -> bool:
        """Whether a stone can go there."""
        on_board = 0 <= square[0] < self.size and 0 <= square[1] < self.size
        return on_board and not any(square in s for s in (self.black, self.white, self.neutral))

    def empty(self) -> list[Square]:
        """The free squares, those nearest to the stones (else to the centre) first."""
        taken = {*self.black, *self.white, *self.neutral}
        middle = (self.size - 1) / 2

        def distance(square: Square) -> tuple[int, float, Square]:
            x, y = square
            nearest = min((max(abs(x - a), abs(y - b)) for a, b in taken), default=0)
            return nearest, max(abs(x - middle), abs(y - middle)), square

        side = range(self.size)
        return sorted(((x, y) for x in side for y in side if (x, y) not in taken), key=distance)


@dataclass(frozen=True, slots=True)
class _Ply:
    square: Square
    side: Side
    captured: tuple[Square, ...]


class Position:
    """One board with what is needed to take any stone back."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.to_move = Side.OWN
        self._stones: dict[Square, Side] = {}
        self._plies: list[_Ply] = []
        self._pairs = {Side.OWN: 0, Side.OPPONENT: 0}
        # Every stone that a side has put down, those that were captured since then included.
        self._placed = {Side.OWN: 0, Side.OPPONENT: 0, Side.NOBODY: 0}

    def __contains__(self, square: Square) -> bool:
        return square in self._stones

    @property
    def free(self) -> int:
        """How many squares are empty."""
        return self.size**2 - len(self._stones)

    def on_board(self, square: Square) -> bool:
        """Whether there is such a square."""
        return 0 <= square[0] < self.size and 0 <= square[1] < self.size

    def placed(self, side: Side) -> int:
        """How many stones a side has put down."""
        return self._placed[side]

    def pairs(self, side: Side) -> int:
        """How many pairs a side has captured."""
        return self._pairs[side]

    def set_pairs(self, own: int, opponent: int) -> None:
        """Sets the captured pairs of a position that came from outside."""
        self._pairs = {Side.OWN: own, Side.OPPONENT: opponent}

    def set_up(self, square: Square, side: Side) -> None:
        """Puts a stone of a position that came from outside; the brain is to move."""
        self._stones[square] = side
        self._placed[side] += 1

    def play(self, square: Square, side: Side, captured: tuple[Square, ...] = ()) -> None:
        """Plays a move on an empty square, with the opponent's stones that it captures."""
        for taken in captured:
            self._stones.pop(taken, None)
        self._stones[square] = side
        self._placed[side] += 1
        self._pairs[side] += len(captured) // 2
        self._plies.append(_Ply(square, side, captured))
        self.to_move = side.other

    def remove(self, square: Square) -> None:
        """Takes one stone off, whichever it is."""
        side = self._stones.pop(square)
        self._placed[side] -= 1
        self._plies = [ply for ply in self._plies if ply.square != square]
        if side is not Side.NOBODY:
            self.to_move = side

    def is_last(self, square: Square) -> bool:
        """Whether the last move was played there."""
        return bool(self._plies) and self._plies[-1].square == square

    def undo(self) -> None:
        """Takes the last move back, and puts back what it captured."""
        ply = self._plies.pop()
        del self._stones[ply.square]
        self._placed[ply.side] -= 1
        self._pairs[ply.side] -= len(ply.captured) // 2
        for square in ply.captured:
            self._stones[square] = ply.side.other
        self.to_move = ply.side

    def color(self, side: Side) -> Color:
        """Black is who has put down more stones; when equal, who is to move."""
        own, opponent = self._placed[Side.OWN], self._placed[Side.OPPONENT]
        black = self.to_move
        if own != opponent:
            black = Side.OWN if own > opponent else Side.OPPONENT
        return Color.BLACK if side is black else Color.WHITE

    def setup(self, to_move: Side | None = None, *, captures: bool = False) -> Setup:
        """The position in the engine's words.

        captures: the rule knows captured pairs; under any other there are none to tell of.
        """
        black = Side.OWN if self.color(Side.OWN) is Color.BLACK else Side.OPPONENT
        pairs = possible_pairs(self._pairs[black], self._pairs[black.other])
        return Setup(
            size=self.size,
            black=self._of(black),
            white=self._of(black.other),
            neutral=self._of(Side.NOBODY),
            pairs=pairs if captures else (0, 0),
            to_move=self.color(to_move or self.to_move),
        )

    def _of(self, side: Side) -> tuple[Square, ...]:
        return tuple(square for square, owner in self._stones.items() if owner is side)


def possible_pairs(one: int, other: int) -> tuple[int, int]:
    """Pairs as an engine takes them, for games that a manager plays on after they are won."""
    if one >= _WINNING_PAIRS:
        other = min(other, _WINNING_PAIRS - 1)
    return min(one, _MOST_PAIRS), min(other, _MOST_PAIRS)
