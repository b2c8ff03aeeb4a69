"""The text of an .sgf file: nodes with properties, along the main line of the first game."""

import re

__all__ = ["SgfError", "escape", "read_nodes"]

_KEY = re.compile(r"[A-Za-z]+")
Node = dict[str, list[str]]


class SgfError(ValueError):
    """Says where the text is no .sgf, and what was expected."""


def escape(text: str) -> str:
    """Returns a text as a property's value: one line, nothing that would end it."""
    plain = " ".join(text.split())
    return plain.replace("\\", "\\\\").replace("]", "\\]")


def read_nodes(text: str) -> list[Node]:
    """Returns the nodes from the first root down the first branches; raises SgfError.

    A node is a property's name with its values. Lower-case letters in names, which old files have,
    are dropped.
    """
    scanner = _Scanner(text)
    scanner.expect("(")
    nodes: list[Node] = []
    # A branch that is not the first ends the main line: what comes then is of no interest.
    while True:
        sign = scanner.peek()
        if sign == ";":
            scanner.expect(";")
            nodes.append(scanner.node())
        elif sign == "(" and nodes:
            scanner.expect("(")
        elif sign == ")" and nodes:
            return nodes
        else:
            raise scanner.error("a node, which begins with ;")


class _Scanner:
    """Walks through the text and knows the line that it is in."""

    def __init__(self, text: str) -> None:
        self._text = text
        # What comes before the first game, as in a mail, is to be skipped.
        start = re.search(r"\(\s*;", text)
        self._at = 0 if start is None else start.start()

    def error(self, expected: str) -> SgfError:
        """Makes the error for this place."""
        line = self._text.count("\n", 0, self._at) + 1
        found = self._text[self._at : self._at + 12]
        shown = repr(found) if found else "the end of the file"
        return SgfError(f"line {line}: {shown}: expected {expected}")

    def peek(self) -> str:
        """Returns the next character that is no blank, "" at the end."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def expect(self, sign: str) -> None:
        """Goes past a character."""
        if self.peek() != sign:
            raise self.error(sign)
        self._at += 1

    def node(self) -> Node:
        """Reads the properties of a node."""
        found: Node = {}
        while self.peek().isalpha():
            match = _KEY.match(self._text, self._at)
            if match is None:
                raise self.error("a property, as B[hh]")
            self._at = match.end()
            key = "".join(letter for letter in match[0] if letter.isupper())
            if not key or key in found:
                raise self.error(f"a property that the node does not have yet, not {match[0]}")
            found[key] = [self._value()]
            while self.peek() == "[":
                found[key].append(self._value())
        return found

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
