"""The position of a handle: Python's record of what the core's board holds."""

from collections.abc import Sequence

from pyengine._handle import Handle
from pyengine.errors import NoUndoError
from pyengine.types import Outcome, Rule, Setup, Square
from pyengine.weights import WeightsFiles


class Board:
    """The position that a handle was brought to, and the moves since it was set.

    Every change goes to the core first, so that after an error both still agree.
    weights: the files to play with; None = the built-in weights.
    """

    def __init__(self, size: int, rule: Rule, weights: WeightsFiles | None = None) -> None:
        self._weights = weights
        self.size = size
        self.rule = rule
        self.setup = Setup()
        self.moves: list[Square] = []

    @property
    def placed(self) -> int:
        """The number of stones that were placed, captured and neutral ones too."""
        setup = self.setup
        stones = len(setup.black) + len(setup.white) + len(setup.neutral)
        return stones + self.rule.captured_stones(sum(setup.captures)) + len(self.moves)

    def reset(self, handle: Handle, size: int, rule: Rule) -> None:
        """Empties board and table. Raises WeightsError if the rule has no weights file."""
        if self._weights is not None and rule is not self.rule:
            handle.load_weights(size, self._weights.read(rule))
        else:
            handle.reset(size, rule)
        self.size, self.rule = size, rule
        self.setup, self.moves = Setup(), []

    def set_up(self, handle: Handle, setup: Setup) -> None:
        """Replaces the position."""
        handle.set_position(setup.black, setup.white, setup.neutral, setup.captures, setup.turn)
        self.setup, self.moves = setup, []

    def go_to(self, handle: Handle, setup: Setup, moves: Sequence[Square]) -> None:
        """Goes to a position of the same size and rule by the fewest changes."""
        if setup != self.setup:
            self.set_up(handle, setup)
        same = 0
        for ours, theirs in zip(self.moves, moves, strict=False):
            if ours != theirs:
                break
            same += 1
        while len(self.moves) > same:
            self.undo(handle)
        for m in moves[same:]:
            self.place(handle, m)

    def play(self, handle: Handle, m: Square) -> Outcome:
        """Plays a legal move. Raises IllegalMoveError."""
        outcome = handle.play(m)
        self.moves.append(m)
        return outcome

    def place(self, handle: Handle, m: Square) -> Outcome:
        """Puts a stone of the side to move on an empty square, whether the move is legal or not."""
        outcome = handle.place(m)
        self.moves.append(m)
        return outcome

    def undo(self, handle: Handle) -> None:
        """Takes the last move back. Raises NoUndoError if there is none.

        The core keeps only the newest moves of a game that continues long after its end. The
        others are played again from the first position.
        """
        try:
            handle.undo()
        except NoUndoError:
            if not self.moves:
                raise
            setup, earlier = self.setup, self.moves[:-1]
            self.set_up(handle, setup)
            for m in earlier:
                self.place(handle, m)
            return
        self.moves.pop()
