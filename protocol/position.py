"""The stones on the board as the manager sees them: the brain's, the opponent's, nobody's.

Kept here and not in the engine alone, because the protocol takes back any stone, sets up any board
and names sides instead of colours. The position knows what a move captures without asking: when the
engine fails, the stones on the board stay right (docs/decisions/0001).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from protocol.commands import Square
from pyengine import Color, Rule

# Four pairs and a move that takes eight: a game has no more. Five win.
_MOST_PAIRS: Final = 12
_WINNING_PAIRS: Final = 5
_RAYS: Final = ((1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1))


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


@dataclass(frozen=True)
class Game:
    """A position and how it came about, in the engine's words.

    start: the stones of which no order is known. moves: what was played from there, the sides
    taking turns. now: the position after the last of them.
    """

    rule: Rule
    start: Setup
    moves: tuple[Square, ...]
    now: Setup

    def may_be_forbidden(self, square: Square) -> bool:
        """Whether the side to move could be forbidden to play on a free square.

        False is certain: a double three takes two lines with two own stones each, a double four or
        an overline one line with four.
        """
        is_black = self.now.to_move is Color.BLACK
        if self.rule is not Rule.NINUKI and not (self.rule is Rule.RENJU and is_black):
            return False
        own = self.now.black if is_black else self.now.white
        near = [_own_near(own, square, ray) for ray in _RAYS[:4]]
        return max(near) >= 4 or sum(count >= 2 for count in near) >= 2


def _own_near(own: Collection[Square], square: Square, ray: tuple[int, int]) -> int:
    """How many of the stones stand on one line with the square, at most five squares away."""
    (x, y), (dx, dy) = square, ray
    return sum((x + k * dx, y + k * dy) in own for k in range(-5, 6) if k)


def captured(stones: Mapping[Square, Side], square: Square, side: Side) -> tuple[Square, ...]:
    """The pairs that a stone on an empty square captures, under a rule that captures."""
    taken: list[Square] = []
    x, y = square
    for dx, dy in _RAYS:
        pair = [(x + dx, y + dy), (x + 2 * dx, y + 2 * dy)]
        bracketed = stones.get((x + 3 * dx, y + 3 * dy)) is side
        if bracketed and all(stones.get(stone) is side.other for stone in pair):
            taken += pair
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class _Ply:
    """A stone that came. could_take: what it captures under a rule that captures. took: what it did
    capture. played: a move, not a stone of a BOARD."""

    square: Square
    side: Side
    could_take: tuple[Square, ...] = ()
    took: tuple[Square, ...] = ()
    played: bool = True


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
        """Puts the next stone of a BOARD, which captures nothing; the brain is to move."""
        self._add(_Ply(square, side, captured(self._stones, square, side), played=False))

    def play(self, square: Square, side: Side, rule: Rule) -> None:
        """Plays a move on an empty square, with the stones that it captures under the rule."""
        could_take = captured(self._stones, square, side)
        took = could_take if rule.has_captures else ()
        self._add(_Ply(square, side, could_take, took))
        self._pairs[side] += len(took) // 2
        self.to_move = side.other

    def remove(self, square: Square) -> None:
        """Takes one stone off, whichever it is; its side is to move."""
        side = self._stones[square]
        if self._plies[-1].square == square and not self._plies[-1].took:
            del self._stones[square]
            self._plies.pop()
        else:
            self._without(square)
        self._placed[side] -= 1
        if side is not Side.NOBODY:
            self.to_move = side

    def is_last(self, square: Square) -> bool:
        """Whether the last move was played there."""
        return bool(self._plies) and self._plies[-1].played and self._plies[-1].square == square

    def undo(self) -> None:
        """Takes the last move back, and puts back what it captured."""
        ply = self._plies.pop()
        del self._stones[ply.square]
        self._placed[ply.side] -= 1
        self._pairs[ply.side] -= len(ply.took) // 2
        self._stones |= dict.fromkeys(ply.took, ply.side.other)
        self.to_move = ply.side

    def goes_on_as(self, board: "Position", rule: Rule) -> bool:
        """Whether a BOARD is this position, or this one after a move of the opponent.

        Then that move is played. Under a rule that captures the board does not tell of the moves
        which captured, while this position knows them.
        """
        if self._shows(board):
            self.to_move = Side.OWN
            return True
        last = board._plies[-1] if board._plies else None
        if last is None or last.side is not Side.OPPONENT or last.square in self:
            return False
        if self.to_move is not Side.OPPONENT:
            return False
        self.play(last.square, Side.OPPONENT, rule)
        if self._shows(board):
            return True
        self.undo()
        return False

    def color(self, side: Side) -> Color:
        """Black is who has put down more stones; when equal, who is to move."""
        own, opponent = self._placed[Side.OWN], self._placed[Side.OPPONENT]
        black = self.to_move
        if own != opponent:
            black = Side.OWN if own > opponent else Side.OPPONENT
        return Color.BLACK if side is black else Color.WHITE

    def game(self, rule: Rule) -> Game:
        """The position with the moves that led to it, as far as the rule leads there by them."""
        stones, pairs, moves = dict(self._stones), dict(self._pairs), list[Square]()
        mover = self.to_move
        for ply in reversed(self._plies):
            if ply.side is Side.NOBODY:
                continue  # no move: it stands there from the start
            takes = ply.could_take if rule.has_captures else ()
            if ply.side is mover or ply.took != takes:
                break
            del stones[ply.square]
            stones |= dict.fromkeys(ply.took, mover)
            pairs[ply.side] -= len(ply.took) // 2
            moves.append(ply.square)
            mover = ply.side
        return Game(
            rule=rule,
            start=self._setup(stones, pairs, mover, rule),
            moves=tuple(reversed(moves)),
            now=self._setup(self._stones, self._pairs, self.to_move, rule),
        )

    def _setup(
        self, stones: Mapping[Square, Side], pairs: Mapping[Side, int], mover: Side, rule: Rule
    ) -> Setup:
        """A position in the engine's words; under rules without captures no pairs are told."""
        black = Side.OWN if self.color(Side.OWN) is Color.BLACK else Side.OPPONENT
        listed: dict[Side, list[Square]] = {side: [] for side in Side}
        for square in sorted(stones):
            listed[stones[square]].append(square)
        taken = possible_pairs(pairs[black], pairs[black.other])
        return Setup(
            size=self.size,
            black=tuple(listed[black]),
            white=tuple(listed[black.other]),
            neutral=tuple(listed[Side.NOBODY]),
            pairs=taken if rule.has_captures else (0, 0),
            to_move=self.color(mover),
        )

    def _add(self, ply: _Ply) -> None:
        for square in ply.took:
            del self._stones[square]
        self._stones[ply.square] = ply.side
        self._placed[ply.side] += 1
        self._plies.append(ply)

    def _without(self, square: Square) -> None:
        """Drops a stone from within the game: what is left is the stones in their order."""
        del self._stones[square]
        plies, self._stones = self._standing(), {}
        self._plies = []
        for ply in plies:
            could_take = captured(self._stones, ply.square, ply.side)
            self._stones[ply.square] = ply.side
            self._plies.append(replace(ply, could_take=could_take, took=()))

    def _standing(self) -> list[_Ply]:
        """The stones on the board in the order in which they came."""
        newest: dict[Square, _Ply] = {}
        for ply in reversed(self._plies):
            newest.setdefault(ply.square, ply)
        return [ply for ply in reversed(newest.values()) if ply.square in self._stones]

    def _shows(self, board: "Position") -> bool:
        """Whether the same stones came in the same order, with as many pairs taken."""
        stones, others = ([(p.square, p.side) for p in each._standing()] for each in (self, board))
        return self._pairs == board._pairs and stones == others


def possible_pairs(one: int, other: int) -> tuple[int, int]:
    """Pairs as an engine takes them, for games that a manager plays on after they are won."""
    if one >= _WINNING_PAIRS:
        other = min(other, _WINNING_PAIRS - 1)
    return min(one, _MOST_PAIRS), min(other, _MOST_PAIRS)
