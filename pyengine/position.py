"""Positions with their moves: stones, side to move, legal moves, and the state of the game.

A Position is data and needs no closing; the core answers questions about the rules. A square is a
name (`h8`, a1 at the bottom left), Piskvork's `7,7`, or (x, y) from the top left.
"""

import threading
from collections.abc import Iterable
from typing import Final, Self

from pyengine import diagram
from pyengine._board import Board
from pyengine._checks import (
    checked_captures,
    checked_color,
    checked_rule,
    checked_size,
    checked_square,
    listed,
    refuse_twice,
    show,
)
from pyengine._handle import Handle
from pyengine.errors import NoUndoError, WrongTypeError
from pyengine.types import (
    Color,
    Forbidden,
    Outcome,
    Reason,
    Rule,
    Setup,
    Square,
    Status,
    name_of,
    names_of,
)
from records.errors import FormatError
from records.moves import read_moves

__all__ = ["Position"]

_LEAST_KIB: Final = 64


class Position:
    """One position and the moves that led to it.

    size:     side of the board, 5 to 22.
    rule:     a Rule, its number or its name, such as "renju".
    black, white, neutral: stones before the first move.
    captures: of (Black, White) before the first move: stones under keryo, pairs under other rules.
    turn:     the side that moves first; None = the side with fewer stones, or Black if equal.
    """

    def __init__(
        self,
        size: int = 15,
        rule: Rule | int | str = Rule.FREESTYLE,
        *,
        black: Iterable[Square | str] = (),
        white: Iterable[Square | str] = (),
        neutral: Iterable[Square | str] = (),
        captures: tuple[int, int] = (0, 0),
        turn: Color | str | None = None,
    ) -> None:
        self._size = checked_size(size)
        self._rule = checked_rule(rule)
        sides = [
            tuple(checked_square(m, self._size) for m in listed(given))
            for given in (black, white, neutral)
        ]
        refuse_twice(m for squares in sides for m in squares)
        if turn is None:
            first = Color.WHITE if len(sides[0]) > len(sides[1]) else Color.BLACK
        else:
            first = checked_color("turn", turn)
        self._setup = Setup(sides[0], sides[1], sides[2], checked_captures(captures), first)
        self._moves: list[Square] = []
        self._stones = {m: Color.BLACK for m in sides[0]} | {m: Color.WHITE for m in sides[1]}
        self._outcomes: list[Outcome] = []
        # Raises if the core refuses the position, such as too many pairs.
        self._start = _core().at(self).outcome()

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        size: int | None = None,
        rule: Rule | int | str | None = None,
        turn: Color | str | None = None,
    ) -> Self:
        """Reads a drawn board, as `str` draws it, or moves such as `h8 i9 j7`.

        size: the size of the board for moves; None = 15. A drawn board has its own size.
        rule, turn: used if the text does not tell them; None = freestyle, and the side with fewer
        stones. Raises FormatError, which names the line, and IllegalMoveError.
        """
        if not isinstance(text, str):
            raise WrongTypeError(f"text must be a string, not {show(text)}")
        if not diagram.is_diagram(text):
            position = cls(
                15 if size is None else size, Rule.FREESTYLE if rule is None else rule, turn=turn
            )
            moves = read_moves(text, position.size)
            if not moves and text.strip():
                raise FormatError("has no moves: expected moves such as h8 i9 j7, or a drawn board")
            position.play(*(m for m, _ in moves))
            return position
        found = diagram.read(text)
        if size is not None and found.size != size:
            raise FormatError(f"a board of size {found.size}: expected {size}")
        told = found.rule if rule is None else rule
        return cls(
            found.size,
            Rule.FREESTYLE if told is None else told,
            black=found.black,
            white=found.white,
            neutral=found.neutral,
            captures=found.captures,
            turn=found.turn if turn is None else turn,
        )

    @classmethod
    def of_game(cls, size: int, rule: Rule, setup: Setup, moves: Iterable[Square]) -> Self:
        """Returns the position after a manager's moves, whether they are legal or not."""
        position = cls(
            size,
            rule,
            black=setup.black,
            white=setup.white,
            neutral=setup.neutral,
            captures=setup.captures,
            turn=setup.turn,
        )
        for m in moves:
            position._put(m, _core().place(position, m))
        return position

    @property
    def size(self) -> int:
        """The side of the board."""
        return self._size

    @property
    def rule(self) -> Rule:
        """The rule that is played."""
        return self._rule

    @property
    def setup(self) -> Setup:
        """The stones before the first move."""
        return self._setup

    @property
    def turn(self) -> Color:
        """The side to move."""
        first = self._setup.turn
        return first if len(self._moves) % 2 == 0 else first.other

    @property
    def moves(self) -> list[str]:
        """The names of the moves, oldest first."""
        return names_of(self._moves, self._size)

    @property
    def squares(self) -> list[Square]:
        """The moves as coordinates."""
        return list(self._moves)

    @property
    def stones(self) -> dict[str, Color]:
        """The stones on the board by name, in the order in which they were placed."""
        return {name_of(m, self._size): color for m, color in self._stones.items()}

    @property
    def board(self) -> dict[Square, Color]:
        """The stones on the board by coordinates."""
        return dict(self._stones)

    @property
    def captures(self) -> tuple[int, int]:
        """The captures of (Black, White): stones under keryo, pairs under other rules."""
        counts = list(self._setup.captures)
        mover = 0 if self._setup.turn is Color.BLACK else 1
        for ply, outcome in enumerate(self._outcomes):
            counts[(mover + ply) % 2] += self._rule.count_captured(len(outcome.captured))
        return (counts[0], counts[1])

    @property
    def outcome(self) -> Outcome:
        """The effect of the last move and the state of the game."""
        return self._outcomes[-1] if self._outcomes else self._start

    @property
    def status(self) -> Status:
        """The status of the game."""
        return self.outcome.status

    @property
    def winner(self) -> Color | None:
        """The winner; None while there is none."""
        return self.outcome.winner

    @property
    def reason(self) -> Reason | None:
        """The reason of the end; None while the game goes on."""
        return self.outcome.reason

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status in (Status.WIN, Status.DRAW)

    @property
    def forbidden(self) -> dict[str, Forbidden]:
        """The empty squares that the rule forbids to the side to move, each with the reason."""
        handle = _core().at(self)
        reasons = ((m, handle.why_forbidden(m)) for m in handle.forbidden(self._size**2))
        return {name_of(m, self._size): why for m, why in reasons if why is not None}

    @property
    def legal_moves(self) -> list[str]:
        """The names of the legal squares of the side to move; empty when the game is over."""
        if self.is_over:
            return []
        forbidden = set(_core().at(self).forbidden(self._size**2))
        excluded = forbidden | set(self._stones) | set(self._setup.neutral)
        every = ((x, y) for y in range(self._size) for x in range(self._size))
        return [name_of(m, self._size) for m in every if m not in excluded]

    def legal(self, m: Square | str) -> bool:
        """Returns whether a move there is legal. Raises NotASquareError, OffBoardError."""
        at = checked_square(m, self._size)
        return not self.is_over and _core().at(self).legal(at)

    def play(self, *moves: Square | str) -> Outcome:
        """Plays moves, each for the side to move; returns the effect of the last one.

        Raises an IllegalMoveError for the first illegal move; the moves before it stay.
        """
        for move in moves:
            at = checked_square(move, self._size)
            self._put(at, _core().play(self, at))
        return self.outcome

    def _put(self, at: Square, outcome: Outcome) -> None:
        """Notes a move and its effect."""
        self._stones[at] = self.turn
        for m in outcome.captured:
            del self._stones[m]
        self._moves.append(at)
        self._outcomes.append(outcome)

    def undo(self) -> str:
        """Takes the last move and its captures back; returns its name. Raises NoUndoError."""
        if not self._moves:
            raise NoUndoError("nothing to take back")
        move, outcome = self._moves.pop(), self._outcomes.pop()
        del self._stones[move]
        for m in outcome.captured:
            self._stones[m] = self.turn.other
        return name_of(move, self._size)

    def copy(self) -> Self:
        """Returns a copy with the same moves."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._moves, other._outcomes = list(self._moves), list(self._outcomes)
        other._stones = dict(self._stones)
        return other

    def name(self, m: Square) -> str:
        """The name of a square."""
        return name_of(checked_square(m, self._size), self._size)

    def names(self, squares: Iterable[Square] | None) -> list[str]:
        """Returns the names of squares, such as those of a line; empty for None."""
        return [self.name(m) for m in squares or ()]

    def square(self, name: str) -> Square:
        """The coordinates of a name, as h8 or 7,7. Raises NotASquareError, OffBoardError."""
        return checked_square(name, self._size)

    def __eq__(self, other: object) -> bool:
        """Returns whether both have the same start and the same moves."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def _key(self) -> tuple[object, ...]:
        return (self._size, self._rule, self._setup, self._moves)

    def __str__(self) -> str:
        """The board, and below it rule and turn; `from_text` reads it."""
        board = diagram.draw(self._size, self._stones, self._setup.neutral)
        below = diagram.footer(self._rule, self.turn, self.captures)
        if self.is_over and self.reason is not None:
            winner = f"{self.winner.value} wins" if self.winner else "draw"
            below += f", {winner}: {self.reason.value.replace('_', ' ')}"
        return f"{board}\n{below}"

    def __repr__(self) -> str:
        return f"<Position {diagram.brief(self._size, self._rule, len(self._stones), self.turn)}>"


class _Core:
    """A board of the core, which is brought to the position of each question."""

    def __init__(self) -> None:
        self._board = Board(15, Rule.FREESTYLE)
        self._handle = Handle(self._board.size, self._board.rule, 1, _LEAST_KIB)

    def at(self, position: Position) -> Handle:
        """Returns the core's board, at this position."""
        board, size, rule = self._board, position._size, position._rule
        if (size, rule) != (board.size, board.rule):
            board.reset(self._handle, size, rule)
        board.go_to(self._handle, position._setup, position._moves)
        return self._handle

    def play(self, position: Position, m: Square) -> Outcome:
        """Plays a move on the core's board; raises IllegalMoveError."""
        return self._board.play(self.at(position), m)

    def place(self, position: Position, m: Square) -> Outcome:
        """Puts a stone on the core's board, whether it is legal or not."""
        return self._board.place(self.at(position), m)


class _Cores(threading.local):
    """The core's board of each thread."""

    core: _Core | None = None


_cores = _Cores()


def _core() -> _Core:
    if _cores.core is None:
        _cores.core = _Core()
    return _cores.core
