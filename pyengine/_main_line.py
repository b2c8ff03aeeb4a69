"""Plays the main line of a game tree and finds its positions, its nodes and its end."""

from pyengine.errors import EngineError, ForbiddenError, IllegalMoveError
from pyengine.position import Position
from pyengine.types import Color, name_of
from records.errors import FormatError
from records.squares import PASS
from records.tree import GameTree, Node, refuse_set_up


def start_of(tree: GameTree) -> Position:
    """Returns the position before the first move; raises FormatError if there is none."""
    try:
        return Position(
            tree.size,
            tree.rule or 0,
            black=tree.set_up_black,
            white=tree.set_up_white,
            turn=tree.first,
        )
    except EngineError as error:
        raise FormatError(str(error)) from None


def play_main_line(tree: GameTree) -> tuple[Position, str | None]:
    """Plays the main line; returns its last position, and the name of an illegal last move.

    Passes after the last move are removed from the tree.

    The last move may be illegal if the game has a result, or if renju forbids the move. Any other
    illegal move raises FormatError, with the move's line in the file. If the game's result is a win
    or unknown, an illegal last move makes it a win of the other side.
    """
    position = start_of(tree)
    tree.drop_last_passes()
    for node in tree.root.main_line():
        if node.sets_up:
            stones = {m: color.value for m, color in position.board.items()}
            refuse_set_up(node, len(position.squares), stones, tree.size)
        if node.move is None:
            continue
        try:
            if node.move == PASS:
                raise IllegalMoveError("a pass: a Game has none")
            position.play(node.move)
        except IllegalMoveError as error:
            if _ended_illegally(tree, position, node, error):
                return position, name_of(node.move, tree.size)
            number = len(position.squares) + 1
            name = "" if node.move == PASS else f", {name_of(node.move, tree.size)}"
            line = node.line or None
            raise FormatError(f"move {number}{name}: {error}", line=line) from None
    return position, None


def _ended_illegally(
    tree: GameTree, position: Position, node: Node, error: IllegalMoveError
) -> bool:
    """Returns whether an illegal move ended the game. If so, may set the result of the game."""
    if node.move == PASS or node.children:
        return False
    told = tree.result
    if told[:2] in ("B+", "W+") or (isinstance(error, ForbiddenError) and told in ("", "?")):
        tree.result = "W+" if position.turn is Color.BLACK else "B+"
    return tree.result not in ("", "?")


def last_node(tree: GameTree) -> Node:
    """Returns the last node of the main line."""
    return [tree.root, *tree.root.main_line()][-1]


def node_after(tree: GameTree, ply: int) -> Node:
    """Returns the node after `ply` moves of the main line."""
    node = tree.root
    seen = 0
    for following in tree.root.main_line():
        if seen == ply:
            return node
        node = following
        seen += following.move is not None
    return node
