"""The text of .sgf files (FF[4]): trees of nodes with properties, variations included."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from records.errors import FormatError, quoted
from records.squares import Point, sgf_square
from records.text import plain

__all__ = ["SgfNode", "escape", "is_sgf", "point_list", "read_sgf", "write_sgf"]

_START = re.compile(r"\(\s*;")
# FF[4] allows letters only; the renju server ORC writes `5A` for the offered fifth moves.
_KEY = re.compile(r"[0-9]?[A-Za-z]+")
# A node has each property once. If it repeats, lists and texts are joined; a property with one
# value is an error, because it is ambiguous.
_TEXTS = frozenset({"C", "GC", "N", "AN", "CP", "US", "SO", "EV", "PC", "RO"})
_LISTS = frozenset({"AB", "AW", "AE", "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TR", "VW"})
# A value is a point or a number, a colon, and a text. A colon in this text is escaped.
_TEXT_AFTER_COLON = frozenset({"LB", "FG"})


@dataclass(eq=False)
class SgfNode:
    """Holds one node: the values of each property, its children, and its line.

    The first child continues the main line; each other one begins a variation.
    """

    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list["SgfNode"] = field(default_factory=list)
    line: int = 0

    def get(self, key: str, default: str = "") -> str:
        """Returns the first value of a property."""
        return self.properties.get(key, [default])[0]

    def main_line(self) -> Iterator["SgfNode"]:
        """Yields this node and its descendants, always the first child."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node


def is_sgf(text: str) -> bool:
    """Says whether a text contains a game of an .sgf file."""
    return _START.search(text) is not None


def escape(text: str) -> str:
    """Returns a text as the value of a property: one line, with escaped brackets."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split()).replace("\\", "\\\\").replace("]", "\\]")


def point_list(values: Sequence[str]) -> list[Point]:
    """Reads a list of squares, with the rectangles of FF[4], as `aa:cc`; raises FormatError."""
    points: list[Point] = []
    for value in values:
        first, colon, last = value.strip().partition(":")
        (left, top), (right, bottom) = sgf_square(first), sgf_square(last if colon else first)
        if left > right or top > bottom:
            raise FormatError(f"{quoted(value)}: expected the top left corner first")
        points += [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
    return points


def read_sgf(text: str) -> list[SgfNode]:
    """Returns the root of each game in a text; raises FormatError, also without a game.

    Text before the first game and after the last one is ignored, as in a mail. Lower-case letters
    in names of properties are ignored, too; old files have them.
    """
    scanner = _Scanner(plain(text))
    roots = [scanner.tree()]
    while scanner.peek() == "(":
        roots.append(scanner.tree())
    return roots


def write_sgf(roots: Sequence[SgfNode]) -> str:
    """Returns the text of games, one line for each node."""
    lines: list[str] = []
    for root in roots:
        start = len(lines)
        _write_tree(root, lines)
        lines[start] = "(" + lines[start]
        lines[-1] += ")"
    return "\n".join(lines) + "\n"


def _write_tree(root: SgfNode, lines: list[str]) -> None:
    """Writes a tree. The stack has nodes, and the brackets around variations."""
    stack: list[SgfNode | str] = [root]
    opening = ""
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            if node == "(":
                opening = "("
            else:
                lines[-1] += node
            continue
        lines.append(opening + ";" + "".join(_property_text(node)))
        opening = ""
        branches = len(node.children) > 1
        for child in reversed(node.children):
            stack += [")", child, "("] if branches else [child]


def _property_text(node: SgfNode) -> Iterator[str]:
    for key, values in node.properties.items():
        yield key + "".join(f"[{_value_text(key, value)}]" for value in values)


def _value_text(key: str, value: str) -> str:
    first, colon, rest = value.partition(":")
    if colon and key in _TEXT_AFTER_COLON:
        return _escaped(first) + ":" + _escaped(rest).replace(":", "\\:")
    return _escaped(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


class _Scanner:
    """Scans the text and counts its lines."""

    def __init__(self, text: str) -> None:
        self._text = text
        start = _START.search(text)
        self._at = 0 if start is None else start.start()
        self._line = 1 + text.count("\n", 0, self._at)
        self._counted = self._at

    @property
    def line(self) -> int:
        """Returns the current line."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def error(self, expected: str) -> FormatError:
        """Returns the error for the current place."""
        found = self._text[self._at : self._at + 12]
        shown = repr(found) if found else "the end of the file"
        return FormatError(f"{shown}: expected {expected}", line=self.line)

    def peek(self) -> str:
        """Returns the next character other than blanks; "" at the end."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def expect(self, sign: str) -> None:
        """Skips the expected character; raises FormatError for another one."""
        if self.peek() != sign:
            raise self.error(sign)
        self._at += 1

    def tree(self) -> SgfNode:
        """Reads one game with its variations."""
        self.expect("(")
        root: SgfNode | None = None
        last: SgfNode | None = None
        forks: list[SgfNode | None] = [None]
        while forks:
            sign = self.peek()
            if sign == ";":
                self._at += 1
                node = self._node()
                if last is None:
                    root = node
                else:
                    last.children.append(node)
                last = node
            elif sign == "(" and last is not None:
                self._at += 1
                forks.append(last)
            elif sign == ")" and last is not None:
                self._at += 1
                last = forks.pop() or root
            else:
                raise self.error("a node, which begins with ;")
        assert root is not None
        return root

    def _node(self) -> SgfNode:
        """Reads the properties of a node."""
        node = SgfNode(line=self.line)
        while self.peek().isalnum():
            match = _KEY.match(self._text, self._at)
            if match is None:
                raise self.error("a property such as B[hh]")
            key = "".join(letter for letter in match[0] if not letter.islower())
            if not any(letter.isupper() for letter in key):
                raise self.error("a property in capital letters, such as B[hh]")
            self._at = match.end()
            values = [self._value()]
            while self.peek() == "[":
                values.append(self._value())
            self._add(node, key, values)
        return node

    def _add(self, node: SgfNode, key: str, values: list[str]) -> None:
        """Adds a property's values to a node that may have the property."""
        found = node.properties.setdefault(key, [])
        if not found or key in _LISTS:
            found += values
        elif key in _TEXTS:
            found[0] = "\n".join([found[0], *values])
        elif found != values:
            raise FormatError(
                f"{key}{[*found, *values]}: expected a property that the node does not have yet",
                line=self.line,
            )

    def _value(self) -> str:
        """Reads a value in square brackets."""
        self.expect("[")
        letters: list[str] = []
        while self._at < len(self._text):
            letter = self._text[self._at]
            self._at += 1
            if letter == "]":
                return "".join(letters)
            if letter == "\\":
                letter = self._text[self._at : self._at + 1]
                self._at += 1
                if letter == "\n":
                    continue
            letters.append(letter)
        raise self.error("]")
