"""The methods of `Engine` that set, change and show its position. None of them searches."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyengine import _searches
from pyengine._board import Board
from pyengine._checks import (
    checked_captures,
    checked_color,
    checked_rule,
    checked_size,
    checked_square,
    listed,
    refuse_twice,
)
from pyengine._guard import Guard
from pyengine._handle import Handle
from pyengine.errors import OffBoardError, WrongTypeError
from pyengine.types import (
    Color,
    Forbidden,
    GamePosition,
    Outcome,
    Rule,
    Setup,
    Square,
    Threat,
    names_of,
)

if TYPE_CHECKING:
    from pyengine.position import Position


class PositionCalls:
    """The part of `Engine` that sets, changes and shows its position."""

    def __init__(self, guard: Guard, board: Board) -> None:
        self._guard = guard
        self._board = board

    def __str__(self) -> str:
        """The board, as text."""
        return repr(self) if self._guard.closed else str(self.position)

    def __repr__(self) -> str:
        if self._guard.closed:
            return "<Engine, closed>"
        board = self._board
        rule = board.rule.name.lower().replace("_", " ")
        stones = sum(map(len, (board.setup.black, board.setup.white, board.setup.neutral)))
        set_up = f"{stones} stones set up, " if stones else ""
        return f"<Engine {board.size}x{board.size} {rule}, {set_up}{len(board.moves)} moves>"

    @property
    def size(self) -> int:
        """The side of the board."""
        self._guard.open()
        return self._board.size

    @property
    def rule(self) -> Rule:
        """The rule set that is played."""
        self._guard.open()
        return self._board.rule

    @property
    def position(self) -> "Position":
        """A copy of the engine's position."""
        from pyengine.position import Position

        self._guard.open()
        board = self._board
        return Position.of_game(board.size, board.rule, board.setup, list(board.moves))

    @property
    def moves(self) -> list[str]:
        """The names of the moves since the position was set."""
        self._guard.open()
        return names_of(list(self._board.moves), self._board.size)

    @property
    def stones(self) -> dict[str, Color]:
        """The stones on the board by name."""
        return self.position.stones

    def reset(self, *, size: int | None = None, rule: Rule | int | str | None = None) -> None:
        """Empties the board and the table. With None, the size or the rule stays.

        Raises WeightsError and changes nothing if the engine's weights files lack the rule.
        """
        new_size = None if size is None else checked_size(size)
        new_rule = None if rule is None else checked_rule(rule)
        with self._guard.turn:
            self._board.reset(
                self._guard.mine(),
                self._board.size if new_size is None else new_size,
                self._board.rule if new_rule is None else new_rule,
            )

    def set_position(
        self,
        position: GamePosition | None = None,
        *,
        black: Iterable[Square | str] = (),
        white: Iterable[Square | str] = (),
        captures: tuple[int, int] = (0, 0),
        to_move: Color | str = Color.BLACK,
        neutral: Iterable[Square | str] = (),
    ) -> None:
        """Replaces the position; on an error the old one stays. The stones may be unbalanced.

        position: a Position with its moves, instead of stones. Its size and rule are used.
        captures: those of (black, white), in stones under keryo, in pairs under other rules.
        neutral:  stones of neither side. They are not counted, are never captured, and do not
                  close a row under caro.
        """
        sides = [listed(squares) for squares in (black, white, neutral)]
        captured = checked_captures(captures)
        first = checked_color("to_move", to_move)
        if position is not None:
            if any(sides) or captured != (0, 0) or first is not Color.BLACK:
                raise WrongTypeError("set_position takes a Position or stones, not both")
            self._guard.call(lambda handle: _searches.go_to(handle, self._board, position))
            return
        with self._guard.turn:
            handle = self._guard.mine()
            stones = [tuple(self._square(m) for m in squares) for squares in sides]
            refuse_twice(m for squares in stones for m in squares)
            self._board.set_up(handle, Setup(stones[0], stones[1], stones[2], captured, first))

    def legal(self, m: Square | str) -> bool:
        """Whether the rule lets the side to move play there; False off the board.

        Does not check whether the game is over; `play` does.
        """
        with self._guard.turn:
            handle = self._guard.mine()
            try:
                at = self._square(m)
            except OffBoardError:
                return False
            return handle.legal(at)

    def forbidden(self) -> list[Square]:
        """The empty squares forbidden for the side to move, sorted."""
        return self._guard.call(lambda handle: handle.forbidden(self._board.size**2))

    def why_forbidden(self, m: Square | str) -> Forbidden | None:
        """Why an empty square is forbidden for the side to move; None if it is allowed."""
        return self._guard.call(lambda handle: handle.why_forbidden(self._square(m)))

    def threats(self, color: Color | str) -> dict[Square, Threat]:
        """Returns the threat of a stone of the colour on each square, without the quiet squares.

        color: either side, whoever is to move.
        """
        of = checked_color("color", color)
        return self._guard.call(lambda handle: handle.threats(of))

    def play(self, m: Square | str) -> Outcome:
        """Plays a move of the side to move.

        Raises an IllegalMoveError and changes nothing if `legal` is False or the game is over.
        """
        return self._guard.call(lambda handle: self._board.play(handle, self._square(m)))

    def place(self, m: Square | str) -> Outcome:
        """Places a stone of the side to move, as a manager reports it.

        The stone may capture. Forbidden moves and the end of the game are not checked. Raises an
        IllegalMoveError if the square is off the board or has a stone.
        """
        return self._guard.call(lambda handle: self._board.place(handle, self._square(m)))

    def undo(self) -> None:
        """Takes back the last move and its captures. Raises NoUndoError if there is no move."""
        self._guard.call(self._board.undo)

    def outcome(self) -> Outcome:
        """The state of the game, as the last move returned it, but without captured stones."""
        return self._guard.call(Handle.outcome)

    def _square(self, m: Square | str) -> Square:
        """A square on the board. Raises NotASquareError, OffBoardError."""
        return checked_square(m, self._board.size)
