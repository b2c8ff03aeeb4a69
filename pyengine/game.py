"""Games for scripts: load, play on, query, review, save.

A Game is a tree of `records` (moves, variations, comments) with the rules of the core.
"""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Self, Unpack

from pyengine._checks import INT64_MAX, checked_rule, checked_size, integer, show
from pyengine._main_line import last_node, node_after, play_main_line, start_of
from pyengine.errors import GameOverError, NoUndoError, OutOfRangeError, WrongTypeError
from pyengine.judging import Budget, Searcher, judge_all
from pyengine.position import Position
from pyengine.types import (
    Color,
    Outcome,
    Reason,
    Rule,
    Square,
    Status,
    name_of,
    names_of,
)
from records import files, review
from records.errors import FormatError
from records.review import Judgement, TurningPoint
from records.squares import PASS
from records.tree import BLACK, WHITE, GameTree, Node

__all__ = ["Game", "Review", "Searcher"]


class Game:
    """A game with its variations, at the end of its main line.

    size:         side of the board, 5 to 22.
    rule:         a Rule, its number or its name, as "renju".
    black, white: names of the players.
    tree:         a game from `records`, in place of size, rule and names.

    illegal_move: the name of the illegal move that ended the game; None if there is none. It is not
                  one of `moves`.
    """

    def __init__(
        self,
        size: int = 15,
        rule: Rule | int | str = Rule.FREESTYLE,
        *,
        black: str = "",
        white: str = "",
        tree: GameTree | None = None,
    ) -> None:
        if tree is None:
            side, played = checked_size(size), checked_rule(rule)
            tree = GameTree(size=side, rule=int(played), black=black, white=white)
        elif tree.rule is None:
            tree.rule = int(checked_rule(rule))
        self.tree = tree
        self._position, self.illegal_move = play_main_line(tree)
        if self._position.is_over:  # the board decides, not the file
            tree.result = self._told_result()

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        number: int = 1,
        rule: Rule | int | str = Rule.FREESTYLE,
        size: int = 15,
    ) -> Self:
        """Loads a game from a file: .sgf, .psq, .lib, games.jsonl, lines of openings, or moves.

        number: the number of the game in the file, from 1.
        rule, size: used if the file names none.

        Raises FormatError, which names the file and the line, also for an illegal move.
        """
        wanted = checked_rule(rule)
        integer("number", number, -INT64_MAX, INT64_MAX)
        trees = files.load(Path(path), size=checked_size(size))
        if not 1 <= number <= len(trees):
            count = f"{len(trees)} game{'' if len(trees) == 1 else 's'}"
            raise FormatError(f"holds {count}: there is no game {number}", source=str(path))
        try:
            return cls(rule=wanted, tree=trees[number - 1])
        except FormatError as error:
            raise error.within(str(path)) from None

    @classmethod
    def from_text(
        cls, text: str, *, rule: Rule | int | str = Rule.FREESTYLE, size: int = 15
    ) -> Self:
        """Reads the first game of a text in any of the formats; raises FormatError."""
        if not isinstance(text, str):
            raise WrongTypeError(f"text must be a string, not {show(text)}")
        wanted, side = checked_rule(rule), checked_size(size)
        return cls(rule=wanted, tree=files.trees_of(text.encode(), size=side)[0])

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the game in the format of the file name: .sgf, .psq, .txt or .lib.

        Raises FormatError if the format cannot hold the game, such as .psq with variations.
        """
        files.save(self.tree, Path(path))

    @property
    def size(self) -> int:
        """The side of the board."""
        return self.tree.size

    @property
    def rule(self) -> Rule:
        """The rule that is played."""
        return self._position.rule

    @property
    def black(self) -> str:
        """Black's name."""
        return self.tree.black

    @property
    def white(self) -> str:
        """White's name."""
        return self.tree.white

    @property
    def result(self) -> str:
        """The result as in .sgf: `B+`, `W+`, `0` for a draw, empty if unknown."""
        return self.tree.result

    @property
    def root(self) -> Node:
        """The node before the first move; its `children` are the tree."""
        return self.tree.root

    @property
    def moves(self) -> list[str]:
        """The names of the main line's moves."""
        return self._position.moves

    @property
    def squares(self) -> list[Square]:
        """The main line's moves as coordinates."""
        return self._position.squares

    @property
    def turn(self) -> Color:
        """The side to move."""
        return self._position.turn

    @property
    def stones(self) -> dict[str, Color]:
        """The stones at the end of the main line, by name."""
        return self._position.stones

    @property
    def status(self) -> Status:
        """The status of the game on the board."""
        return self._position.status

    @property
    def winner(self) -> Color | None:
        """The winner on the board, or None."""
        return self._position.winner

    @property
    def reason(self) -> Reason | None:
        """Why the game has ended on the board."""
        return self._position.reason

    @property
    def is_over(self) -> bool:
        """Whether the game has ended on the board."""
        return self._position.is_over

    @property
    def position(self) -> Position:
        """A copy of the position at the end of the main line."""
        return self._position.copy()

    def position_at(self, ply: int) -> Position:
        """Returns the position after `ply` moves of the main line. Raises OutOfRangeError."""
        last = len(self._position.squares)
        integer("ply", ply, 0, last)
        position = self._position.copy()
        for _ in range(last - ply):
            position.undo()
        return position

    def positions(self) -> Iterator[Position]:
        """Yields the position before each move of the main line, and the last one."""
        position = start_of(self.tree)
        yield position.copy()
        for move in self.squares:
            position.play(move)
            yield position.copy()

    def lines(self) -> list[list[str]]:
        """Returns every line of the tree from the first move to its end, the main line first."""
        found: list[list[str]] = []
        line: list[Square | None] = []
        for depth, node in self.tree.walk():
            line[depth:] = [node.move]
            if not node.children:
                found.append(names_of([m for m in line if m is not None and m != PASS], self.size))
        return found

    @property
    def foul(self) -> str | None:
        """The old name of `illegal_move`, for one more version."""
        return self.illegal_move

    def play(self, *moves: Square | str) -> Outcome:
        """Plays moves at the end of the main line. Raises an IllegalMoveError."""
        if moves and self.illegal_move is not None:
            raise GameOverError(f"the game is over: {self.illegal_move} was illegal")
        for move in moves:
            self._position.play(move)
            last_node(self.tree).add(self._position.squares[-1])
            if self._position.is_over:
                self.tree.result = self._told_result()
        return self._position.outcome

    def undo(self) -> str:
        """Takes back the last move of the main line and its variations; returns its name.

        Another variation at this place becomes the main line. Raises NoUndoError.
        """
        nodes = [self.root, *self.root.main_line()]
        last = next((n for n in reversed(nodes) if n.move is not None), None)
        if last is None:
            raise NoUndoError("nothing to take back")
        parent = nodes[nodes.index(last) - 1]
        name = name_of(last.move or PASS, self.size)
        parent.children.remove(last)
        self.tree.result = ""
        self._position, self.illegal_move = play_main_line(self.tree)
        return name

    def add_variation(self, ply: int, *moves: Square | str, comment: str = "") -> Node:
        """Adds a line after `ply` moves of the main line; returns its last node.

        Existing moves are not added again; `comment` goes to the first move. Raises OutOfRangeError
        or IllegalMoveError, and then adds nothing.
        """
        position = self.position_at(ply)
        position.play(*moves)
        node = node_after(self.tree, ply)
        for i, move in enumerate(position.squares[ply:]):
            found = next((child for child in node.children if child.move == move), None)
            node = found or node.add(move)
            if i == 0 and comment:
                node.comment = comment
        if len(self._position.squares) == ply:
            self._position, self.illegal_move = play_main_line(self.tree)
        return node

    def play_out(self, black: Searcher, white: Searcher, **limits: Unpack[Budget]) -> Self:
        """Lets two engines play on until the game is over; returns the game.

        limits: the limits of each search, such as `time_ms=100`. Raises IllegalMoveError if an
        engine plays an illegal move.
        """
        while not self.is_over:
            player = black if self.turn is Color.BLACK else white
            found = player.search(self.position, **limits)
            self.play(found.move)
        return self

    def review(
        self,
        engine: Searcher,
        *,
        least: float = review.TURNING,
        progress: Callable[[int, int], None] | None = None,
        **limits: Unpack[Budget],
    ) -> "Review":
        """Has an engine judge each position of the main line; returns the review.

        If `engine` is an Engine, a missed win is shown by the VCF or VCT that proves it.

        least:    the least loss of win rate that makes a turning point, 0 to 1.
        progress: called with the number of judged positions and of all positions.
        limits:   the limits of each search, such as `time_ms=500`; the default is 500 ms.
        """
        if not 0 < least <= 1:
            raise OutOfRangeError(f"least must be above 0 and at most 1, not {least!r}")
        given: Budget = limits or {"time_ms": 500}
        judged = judge_all(engine, self.positions(), self.squares, given, progress)
        return Review(self, judged, least)

    def __str__(self) -> str:
        """Players, rule, result and moves."""
        names = f"{self.black or 'Black'} - {self.white or 'White'}"
        rule = self.rule.name.lower().replace("_", " ")
        head = f"{names}, {rule} {self.size}x{self.size}, {self.result or 'no result'}"
        return f"{head}\n{' '.join(self.moves)}"

    def __repr__(self) -> str:
        rule = self.rule.name.lower().replace("_", " ")
        return f"<Game {self.size}x{self.size} {rule}, {len(self.moves)} moves, {self.status}>"

    def _told_result(self) -> str:
        return {Color.BLACK: "B+", Color.WHITE: "W+", None: "0"}[self._position.winner]


class Review:
    """The judgement of each position of a game.

    judgements:     for the position before each move, and for the last position.
    turning_points: the moves that lost much of the chance to win.
    """

    def __init__(self, game: Game, judgements: Sequence[Judgement], least: float) -> None:
        self.game = game
        self.judgements = tuple(judgements)
        self.turning_points: list[TurningPoint] = review.turning_points(
            game.squares, self.judgements, first=game.tree.first, least=least
        )

    @property
    def win_rates(self) -> list[float | None]:
        """Black's win rate before each move and at the end; None if the engine told no score."""
        return review.win_rates(self.judgements, self.game.tree.first)

    def annotate(self) -> Game:
        """Writes the review into the game: a comment at each move, better lines as variations.

        Returns the game. A second review replaces the first one's comments.
        """
        review.annotate(self.game.tree, self.judgements, self.turning_points)
        return self.game

    def __str__(self) -> str:
        """The turning points as a table."""
        return review.table(self.turning_points, self.game.size).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Review of {self.game!r}, {len(self.turning_points)} turning points>"


assert Color.BLACK.value == BLACK and Color.WHITE.value == WHITE
