"""A game to be reviewed: its tree as the file has it, and its moves as the referee replays them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from records.errors import FormatError
from records.files import load
from records.tree import BLACK, GameTree

from ..game.record import GameRecord
from ..game.tree_games import from_tree
from ..rules.referee import Point, Position, Rule

__all__ = ["Source", "load_source", "source_of_record"]


@dataclass(frozen=True)
class Source:
    """Holds a game: `moves` are the legal ones of the main line, `tree` keeps everything."""

    tree: GameTree
    record: GameRecord
    moves: tuple[Point, ...]

    @property
    def size(self) -> int:
        """Returns the side of the board."""
        return self.record.size

    @property
    def rule(self) -> Rule:
        """Returns the rule that is played."""
        return Rule(self.record.rule)

    def positions(self) -> Iterator[Position]:
        """Yields the position before each move, and the last one: one object that goes on."""
        position = self.record.start()
        yield position
        for move in self.moves:
            position.play(move)
            yield position

    def position_at(self, ply: int) -> Position:
        """Returns the position after so many moves; raises ValueError where there are fewer."""
        if not 0 <= ply <= len(self.moves):
            raise ValueError(f"{ply}: the game has {len(self.moves)} moves")
        position = self.record.start()
        for move in self.moves[:ply]:
            position.play(move)
        return position


def load_source(path: Path, *, number: int = 1, rule: Rule | None = None, size: int = 15) -> Source:
    """Reads a game of a file of any format; raises FormatError, which names file and line.

    `rule` and `size` hold where the file names none.
    """
    trees = load(path, size=size)
    if not 1 <= number <= len(trees):
        count = f"{len(trees)} game{'' if len(trees) == 1 else 's'}"
        raise FormatError(f"holds {count}: there is no game {number}", source=str(path))
    try:
        return source_of(trees[number - 1], rule)
    except FormatError as error:
        raise error.within(str(path)) from None


def source_of_record(record: GameRecord) -> Source:
    """Returns a record's game; the stones of an opening are its first moves."""
    moves = (*record.opening, *(move.point for move in record.moves))
    tree = GameTree(
        size=record.size,
        rule=record.rule,
        black=record.black.name,
        white=record.white.name,
        result="" if record.winner is None else f"{record.winner[0].upper()}+",
        set_up_black=record.setup.black,
        set_up_white=record.setup.white,
        first=record.setup.first,
    )
    node = tree.root
    for move in moves:
        node = node.add(move)
    return Source(tree, record, moves)


def source_of(tree: GameTree, rule: Rule | None = None) -> Source:
    """Replays a tree's main line; raises FormatError for an illegal move."""
    record = from_tree(tree, rule)
    tree.rule = record.rule
    if record.winner is not None:
        tree.result = f"{'B' if record.winner == BLACK else 'W'}+"
    return Source(tree, record, tuple(move.point for move in record.moves))
