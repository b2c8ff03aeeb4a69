"""Keeps the stones as the manager sees them: the engine's, the opponent's, nobody's.

The engine's own board is not enough: the protocol takes back any stone, sets up any board, and
names sides instead of colours. The position computes captures itself, so that the stones stay right
if the engine fails (docs/decisions/0001).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from protocol.commands import Square
from pyengine import Color, Rule

# The longest row of stones that a rule captures.
_LONGEST_ROW: Final = max(max(rule.captured_lengths, default=0) for rule in Rule)
_RAYS: Final = ((1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1))


class Side(Enum):
    """The owner of a stone, by the numbers of a BOARD line."""

    OWN = 1
    OPPONENT = 2
    NOBODY = 3

    @property
    def other(self) -> "Side":
        """The side that plays against this one."""
        return Side.OPPONENT if self is Side.OWN else Side.OWN


@dataclass(frozen=True)
class Setup:
    """A position with colours instead of sides.

    captures: of (black, white), in the rule's count.
    """

    size: int
    black: tuple[Square, ...]
    white: tuple[Square, ...]
    neutral: tuple[Square, ...]
    captures: tuple[int, int]
    to_move: Color

    def is_free(self, square: Square) -> bool:
        """Returns whether the square is on the board and empty."""
        on_board = 0 <= square[0] < self.size and 0 <= square[1] < self.size
        return on_board and not any(square in s for s in (self.black, self.white, self.neutral))

    def empty(self) -> list[Square]:
        """Returns the free squares: near the stones first, or near the centre of an empty board."""
        occupied = {*self.black, *self.white, *self.neutral}
        middle = (self.size - 1) / 2

        def distance(square: Square) -> tuple[int, float, Square]:
            x, y = square
            nearest = min((max(abs(x - a), abs(y - b)) for a, b in occupied), default=0)
            return nearest, max(abs(x - middle), abs(y - middle)), square

        side = range(self.size)
        return sorted(((x, y) for x in side for y in side if (x, y) not in occupied), key=distance)


@dataclass(frozen=True)
class Game:
    """A position and the moves to it, with colours instead of sides.

    start: the position before the first known move. moves: the moves from there, in turns. now: the
    position after the last move.
    """

    rule: Rule
    start: Setup
    moves: tuple[Square, ...]
    now: Setup

    def may_be_forbidden(self, square: Square) -> bool:
        """Returns whether a free square may be forbidden for the side to move.

        False is certain: a double three needs two lines with two own stones each, a double four or
        an overline needs one line with four.
        """
        mover = self.now.to_move
        if not self.rule.has_forbidden_moves(mover):
            return False
        own = self.now.black if mover is Color.BLACK else self.now.white
        near = [_own_near(own, square, ray) for ray in _RAYS[:4]]
        return max(near) >= 4 or sum(count >= 2 for count in near) >= 2


def _own_near(own: Collection[Square], square: Square, ray: tuple[int, int]) -> int:
    """Returns how many stones stand on this line through the square, at most five squares away."""
    (x, y), (dx, dy) = square, ray
    return sum((x + k * dx, y + k * dy) in own for k in range(-5, 6) if k)


_Row = tuple[Square, ...]


def _bracketed(stones: Mapping[Square, Side], square: Square, side: Side) -> tuple[_Row, ...]:
    """Returns the rows of the other side between an empty square and stones of this side.

    Rows longer than any rule captures are left out.
    """
    rows: list[_Row] = []
    x, y = square
    for dx, dy in _RAYS:
        row: list[Square] = []
        here = (x + dx, y + dy)
        while stones.get(here) is side.other and len(row) <= _LONGEST_ROW:
            row.append(here)
            here = (here[0] + dx, here[1] + dy)
        if row and len(row) <= _LONGEST_ROW and stones.get(here) is side:
            rows.append(tuple(row))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Ply:
    """One stone that was put down. rows: the rows that it bracketed. captured: its real captures.
    played: False for a stone of a BOARD."""

    square: Square
    side: Side
    rows: tuple[_Row, ...] = ()
    captured: tuple[Square, ...] = ()
    played: bool = True

    def captured_under(self, rule: Rule) -> tuple[Square, ...]:
        """Returns the stones that the move captures under a rule."""
        return tuple(at for row in self.rows if len(row) in rule.captured_lengths for at in row)


class Position:
    """One board from which any stone can be taken back."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.to_move = Side.OWN
        self._stones: dict[Square, Side] = {}
        self._plies: list[_Ply] = []
        # The stones that each side has captured.
        self._captured = {Side.OWN: 0, Side.OPPONENT: 0}
        # All stones that a side has put down, including stones that were captured later.
        self._placed = {Side.OWN: 0, Side.OPPONENT: 0, Side.NOBODY: 0}

    def __contains__(self, square: Square) -> bool:
        return square in self._stones

    @property
    def free(self) -> int:
        """The number of empty squares."""
        return self.size**2 - len(self._stones)

    def on_board(self, square: Square) -> bool:
        """Returns whether the board has this square."""
        return 0 <= square[0] < self.size and 0 <= square[1] < self.size

    def placed(self, side: Side) -> int:
        """Returns the number of stones that a side has put down."""
        return self._placed[side]

    def captures(self, side: Side, rule: Rule) -> int:
        """Returns the captures of a side in the rule's count."""
        return rule.count_captured(self._captured[side])

    def set_captures(self, own: int, opponent: int, rule: Rule) -> None:
        """Sets the captures of a position from a BOARD, in the rule's count."""
        self._captured = {
            Side.OWN: rule.captured_stones(own),
            Side.OPPONENT: rule.captured_stones(opponent),
        }

    def set_up(self, square: Square, side: Side) -> None:
        """Puts the next stone of a BOARD, which captures nothing; the brain is to move."""
        self._add(_Ply(square, side, _bracketed(self._stones, square, side), played=False))

    def play(self, square: Square, side: Side, rule: Rule) -> None:
        """Plays a move on an empty square, and captures under the rule."""
        ply = _Ply(square, side, _bracketed(self._stones, square, side))
        ply = replace(ply, captured=ply.captured_under(rule))
        self._add(ply)
        self._captured[side] += len(ply.captured)
        self.to_move = side.other

    def remove(self, square: Square) -> None:
        """Removes any stone; its side is to move then."""
        side = self._stones[square]
        if self._plies[-1].square == square and not self._plies[-1].captured:
            del self._stones[square]
            self._plies.pop()
        else:
            self._without(square)
        self._placed[side] -= 1
        if side is not Side.NOBODY:
            self.to_move = side

    def is_last(self, square: Square) -> bool:
        """Returns whether the last stone is a move to this square."""
        return bool(self._plies) and self._plies[-1].played and self._plies[-1].square == square

    def undo(self) -> None:
        """Takes the last move back and restores its captures."""
        ply = self._plies.pop()
        del self._stones[ply.square]
        self._placed[ply.side] -= 1
        self._captured[ply.side] -= len(ply.captured)
        self._stones |= dict.fromkeys(ply.captured, ply.side.other)
        self.to_move = ply.side

    def goes_on_as(self, board: "Position", rule: Rule) -> bool:
        """Returns whether a BOARD is this position, or this one after a move of the opponent.

        In the second case the move is played. Under a rule with captures, this position knows the
        moves that captured; a BOARD does not.
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
        """Returns the colour of a side: Black has put down more stones, or is to move if equal."""
        own, opponent = self._placed[Side.OWN], self._placed[Side.OPPONENT]
        black = self.to_move
        if own != opponent:
            black = Side.OWN if own > opponent else Side.OPPONENT
        return Color.BLACK if side is black else Color.WHITE

    def game(self, rule: Rule) -> Game:
        """Returns the position with its moves, as far back as they follow the rule."""
        stones, counts, moves = dict(self._stones), dict(self._captured), list[Square]()
        mover = self.to_move
        for ply in reversed(self._plies):
            if ply.side is Side.NOBODY:
                continue  # not a move: it stands there from the start
            if ply.side is mover or ply.captured != ply.captured_under(rule):
                break
            del stones[ply.square]
            stones |= dict.fromkeys(ply.captured, mover)
            counts[ply.side] -= len(ply.captured)
            moves.append(ply.square)
            mover = ply.side
        return Game(
            rule=rule,
            start=self._setup(stones, counts, mover, rule),
            moves=tuple(reversed(moves)),
            now=self._setup(self._stones, self._captured, self.to_move, rule),
        )

    def _setup(
        self, stones: Mapping[Square, Side], counts: Mapping[Side, int], mover: Side, rule: Rule
    ) -> Setup:
        """Returns a position with colours; captures only under rules with captures."""
        black = Side.OWN if self.color(Side.OWN) is Color.BLACK else Side.OPPONENT
        listed: dict[Side, list[Square]] = {side: [] for side in Side}
        for square in sorted(stones):
            listed[stones[square]].append(square)
        return Setup(
            size=self.size,
            black=tuple(listed[black]),
            white=tuple(listed[black.other]),
            neutral=tuple(listed[Side.NOBODY]),
            captures=_possible_captures(rule, counts[black], counts[black.other]),
            to_move=self.color(mover),
        )

    def _add(self, ply: _Ply) -> None:
        for square in ply.captured:
            del self._stones[square]
        self._stones[ply.square] = ply.side
        self._placed[ply.side] += 1
        self._plies.append(ply)

    def _without(self, square: Square) -> None:
        """Removes a stone other than the last; the other stones keep their order."""
        del self._stones[square]
        plies, self._stones = self._standing(), {}
        self._plies = []
        for ply in plies:
            rows = _bracketed(self._stones, ply.square, ply.side)
            self._stones[ply.square] = ply.side
            self._plies.append(replace(ply, rows=rows, captured=()))

    def _standing(self) -> list[_Ply]:
        """Returns the stones on the board in the order in which they were put down."""
        newest: dict[Square, _Ply] = {}
        for ply in reversed(self._plies):
            newest.setdefault(ply.square, ply)
        return [ply for ply in reversed(newest.values()) if ply.square in self._stones]

    def _shows(self, board: "Position") -> bool:
        """Returns whether both have the same stones in the same order, and the same captures."""
        stones, others = ([(p.square, p.side) for p in each._standing()] for each in (self, board))
        return self._captured == board._captured and stones == others


def _possible_captures(rule: Rule, stones: int, others: int) -> tuple[int, int]:
    """Returns the captures of both sides in the rule's count, limited to what an engine accepts.

    A manager may play on after a win.
    """
    if not rule.has_captures:
        return 0, 0
    one, other = rule.count_captured(stones), rule.count_captured(others)
    if one >= rule.captures_to_win:
        other = min(other, rule.captures_to_win - 1)
    return min(one, rule.most_captures), min(other, rule.most_captures)
