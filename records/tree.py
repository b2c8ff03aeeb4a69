"""A game as a tree of moves with comments, and its .sgf form.

A tree knows no rules and does not check moves. Properties of .sgf without a field stay with their
node and are written back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from records.errors import FormatError, quoted
from records.rules import SGF_GAMES, rule_name, rule_named
from records.sgf import SgfNode, point_list
from records.squares import PASS, Point, sgf_letters, sgf_square

__all__ = ["BLACK", "WHITE", "GameTree", "Node", "from_sgf", "refuse_set_up", "to_sgf"]

BLACK, WHITE = "black", "white"
_LETTERS = {"B": BLACK, "W": WHITE}
_OTHER = {BLACK: WHITE, WHITE: BLACK}
_GOMOKU = "4"
_LARGEST = 26
# The properties with fields in the tree: of the nodes before the first move, and of the root.
# Any other property is kept.
_SET_UP = ("AB", "AW", "AE", "PL")
_HEAD = ("FF", "GM", "CA", "SZ", "RU", "PB", "PW", "RE", *_SET_UP)


@dataclass(eq=False)
class Node:
    """Holds one move, its comment and its children.

    move:       None at the root and for a comment between two moves; PASS for a pass.
    children:   the first continues the main line, each other one begins a variation.
    properties: further properties of .sgf.
    line:       the line in the file; 0 without a file.
    """

    move: Point | None = None
    comment: str = ""
    children: list["Node"] = field(default_factory=list)
    properties: dict[str, list[str]] = field(default_factory=dict)
    line: int = 0

    @property
    def sets_up(self) -> bool:
        """Says whether the node sets up or removes stones."""
        return any(key in self.properties for key in ("AB", "AW", "AE"))

    def main_line(self) -> Iterator["Node"]:
        """Yields the descendants of this node, always the first child."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def add(self, move: Point, comment: str = "") -> "Node":
        """Adds a move after this one, as a variation if there is another; returns its node."""
        node = Node(move, comment)
        self.children.append(node)
        return node


@dataclass(eq=False)
class GameTree:
    """Holds a game with its variations.

    rule:         its number; None if unknown.
    result:       as RE of .sgf: `B+`, `W+T`, `0`, `?`; empty if unknown.
    set_up_black, set_up_white: stones before the first move.
    first:        the color that moves first.
    """

    size: int = 15
    rule: int | None = None
    black: str = ""
    white: str = ""
    result: str = ""
    set_up_black: tuple[Point, ...] = ()
    set_up_white: tuple[Point, ...] = ()
    first: str = BLACK
    root: Node = field(default_factory=Node)

    @property
    def moves(self) -> list[Point]:
        """Returns the moves of the main line."""
        return [node.move for node in self.root.main_line() if node.move is not None]

    @property
    def is_one_line(self) -> bool:
        """Says whether the tree has no variations."""
        return all(len(node.children) < 2 for node in (self.root, *self.root.main_line()))

    @property
    def has_setup(self) -> bool:
        """Says whether the game begins with stones on the board, or with a move of White."""
        return bool(self.set_up_black or self.set_up_white) or self.first != BLACK

    def drop_last_passes(self) -> int:
        """Removes the passes after the last move of the main line; returns their number."""
        nodes = [self.root, *self.root.main_line()]
        count = 0
        while nodes[-1].move == PASS and len(nodes[-2].children) == 1:
            nodes.pop()
            nodes[-1].children.clear()
            count += 1
        return count

    def walk(self) -> Iterator[tuple[int, Node]]:
        """Yields each node with its depth, the root first, the main line before variations."""
        stack = [(0, self.root)]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack += [(depth + 1, child) for child in reversed(node.children)]


def from_sgf(root: SgfNode) -> GameTree:
    """Reads a game with all its variations; raises FormatError."""
    game = root.get("GM", _GOMOKU).strip()
    if game not in SGF_GAMES:
        raise FormatError(f"GM[{game}]: expected GM[4], Gomoku and Renju", line=root.line)
    size = _size(root)
    before = _nodes_before(root)
    stones = _stones(before, size)
    tree = GameTree(
        size=size,
        rule=rule_named(root.get("RU")) if root.get("RU").strip() else SGF_GAMES[game],
        black=root.get("PB"),
        white=root.get("PW"),
        result=root.get("RE").strip(),
        set_up_black=tuple(point for point, color in stones.items() if color == BLACK),
        set_up_white=tuple(point for point, color in stones.items() if color == WHITE),
    )
    if "RU" in root.properties and rule_named(root.get("RU")) is None:
        raise FormatError(
            f"RU: {quoted(root.get('RU'))}: expected a rule such as freestyle or renju",
            line=root.line,
        )
    first = _first(before, tree)
    tree.first = first
    set_up = set(before)
    stack: list[tuple[SgfNode, Node | None, str]] = [(root, None, first)]
    while stack:
        given, parent, turn = stack.pop()
        known = _HEAD if parent is None else _SET_UP if given in set_up else ()
        node, turn = _read_node(given, turn, tree.size, known)
        if parent is not None:
            parent.children.append(node)
        elif node.move is None:
            tree.root = node
        else:  # a first move in the node of the head
            tree.root = Node(comment=node.comment, properties=node.properties, line=node.line)
            node = tree.root.add(node.move)
            node.line = given.line
        stack += [(child, node, turn) for child in reversed(given.children)]
    return tree


def refuse_set_up(node: Node, number: int, stones: Mapping[Point, str], size: int) -> None:
    """Raises FormatError if a node after `number` moves sets up stones that are not there.

    `stones` are those on the board. A node that changes nothing is accepted: files show captures in
    this way to programs that do not know them.
    """
    for key, color in (("AB", BLACK), ("AW", WHITE), ("AE", None)):
        for point in _points(node, key, size):
            if stones.get(point) != color:
                raise FormatError(
                    f"{key}[{sgf_letters(point)}] after move {number}: expected stones to be set "
                    "up before the first move only",
                    line=node.line or None,
                )


def _size(root: SgfNode) -> int:
    width, _, height = root.get("SZ", "15").strip().partition(":")
    if not (width.isascii() and width.isdigit()) or (height or width) != width:
        problem = f"SZ: {quoted(root.get('SZ'))}: expected the side of a square board, such as 15"
        raise FormatError(problem, line=root.line)
    if not 1 <= int(width[:4]) <= _LARGEST:
        raise FormatError(f"SZ: {width[:4]}: expected 1 to {_LARGEST}", line=root.line)
    return int(width)


def _nodes_before(root: SgfNode) -> list[SgfNode]:
    """Returns the nodes of the main line up to and with the first move. Each may set up stones."""
    nodes = []
    for node in root.main_line():
        nodes.append(node)
        if any(letter in node.properties for letter in _LETTERS):
            break
    return nodes


def _stones(nodes: list[SgfNode], size: int) -> dict[Point, str]:
    """Returns the stones that nodes set up, with their colors."""
    stones: dict[Point, str] = {}
    for node in nodes:
        for key, color in (("AB", BLACK), ("AW", WHITE)):
            stones |= dict.fromkeys(_points(node, key, size), color)
        for point in _points(node, "AE", size):
            stones.pop(point, None)
    return stones


def _points(node: SgfNode | Node, key: str, size: int) -> tuple[Point, ...]:
    try:
        points = tuple(point_list(node.properties.get(key, [])))
    except FormatError as error:
        raise FormatError(f"{key}: {error.problem}", line=node.line) from None
    off = next((point for point in points if max(point) >= size), None)
    if off is not None:
        problem = f"{key}[{sgf_letters(off)}]: off the board of size {size}"
        raise FormatError(problem, line=node.line)
    return points


def _first(before: list[SgfNode], tree: GameTree) -> str:
    """Returns the color that moves first: that of PL, else of the first move, else Black."""
    told = next((node for node in reversed(before) if "PL" in node.properties), None)
    if told is not None:
        letter = told.get("PL").strip().upper()[:1]
        if letter not in _LETTERS:
            problem = f"PL: {quoted(told.get('PL'))}: expected B or W"
            raise FormatError(problem, line=told.line)
        return _LETTERS[letter]
    for letter, color in _LETTERS.items():
        if letter in before[-1].properties:
            return color
    more = len(tree.set_up_black) > len(tree.set_up_white)
    return WHITE if more else BLACK


def _read_node(given: SgfNode, turn: str, size: int, known: tuple[str, ...]) -> tuple[Node, str]:
    """Reads a node without the known properties; returns it and the color that moves next."""
    own = ("B", "W", "C", *known)
    rest = {key: list(values) for key, values in given.properties.items() if key not in own}
    node = Node(comment=given.get("C"), properties=rest, line=given.line)
    told = [letter for letter in _LETTERS if letter in given.properties]
    if len(told) == 2:
        raise FormatError("B and W in one node: expected one move", line=given.line)
    if told:
        letter = told[0]
        if _LETTERS[letter] != turn:
            problem = f"{letter}: two moves of {_LETTERS[letter]} in a row: expected {turn}'s"
            raise FormatError(problem, line=given.line)
        node.move = _move(given, letter, size)
        turn = _OTHER[turn]
    return node, turn


def _move(given: SgfNode, letter: str, size: int) -> Point:
    values = given.properties[letter]
    if len(values) != 1:
        raise FormatError(f"{letter}{values}: expected one square", line=given.line)
    text = values[0].strip()
    if not text:
        return PASS
    try:
        point = sgf_square(text)
    except FormatError as error:
        raise FormatError(f"{letter}: {error.problem}", line=given.line) from None
    if max(point) >= size:
        if text == "tt":  # a pass in FF[3]
            return PASS
        problem = f"{letter}[{text}]: off the board of size {size}"
        raise FormatError(problem, line=given.line)
    return point


def to_sgf(tree: GameTree) -> SgfNode:
    """Returns the tree as nodes of .sgf (FF[4], GM[4])."""
    head = {"FF": "4", "GM": _GOMOKU, "CA": "UTF-8", "SZ": str(tree.size)}
    if tree.rule is not None:
        head["RU"] = rule_name(tree.rule).replace(" ", "_")
    head |= {k: v for k, v in (("PB", tree.black), ("PW", tree.white), ("RE", tree.result)) if v}
    properties = {key: [value] for key, value in head.items()}
    for key, points in (("AB", tree.set_up_black), ("AW", tree.set_up_white)):
        if points:
            properties[key] = [sgf_letters(point) for point in points]
    if tree.has_setup:
        properties["PL"] = ["B" if tree.first == BLACK else "W"]
    result = SgfNode(properties)
    stack: list[tuple[Node, SgfNode, str]] = [(tree.root, result, tree.first)]
    while stack:
        node, made, turn = stack.pop()
        if node.move is not None:
            text = "" if node.move == PASS else sgf_letters(node.move)
            made.properties["B" if turn == BLACK else "W"] = [text]
            turn = _OTHER[turn]
        if node.comment:
            made.properties["C"] = [node.comment]
        made.properties |= {key: list(values) for key, values in node.properties.items()}
        for child in node.children:
            below = SgfNode()
            made.children.append(below)
            stack.append((child, below, turn))
    return result
