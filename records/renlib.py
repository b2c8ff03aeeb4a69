"""RenLib's .lib: a tree of renju openings with comments, as bytes.

    FF "RenLib" FF  major minor  10 bytes   the header; files before version 3 have none
    square flags [2 bytes] [texts]          a node; the tree in preorder

A square is 16 * row + column, the row from 0 at the top and the column from 1: h8 is 0x78. 0 is the
root, or a pass. The texts of a node end with a byte 0 and have an even length. The file does not
name their charset.
"""

import contextlib
import re

from records.errors import FormatError
from records.squares import PASS, Point, sgf_letters
from records.text import decode, plain
from records.tree import GameTree, Node

__all__ = ["SIZE", "is_renlib", "read_renlib", "write_renlib"]

SIZE = 15
"""RenLib's board size."""

_MAGIC = b"\xffRenLib\xff"
_HEADER = 20
_VERSION = (3, 4)
_CENTRE = 0x78
_RENJU = 4

_HAS_SIBLING, _IS_LAST, _OLD_COMMENT, _MARK, _COMMENT = 0x80, 0x40, 0x20, 0x10, 0x08
_NO_MOVE, _EXTENDED = 0x02, 0x01
_CHINESE = "gb18030"
_CHINESE_RUN = re.compile(rb"[\xa1-\xfe]{4}")
_BOARD_TEXT = 0x01  # in the second byte of the extension


def is_renlib(data: bytes) -> bool:
    """Says whether bytes begin like a .lib file with a header."""
    return data.startswith(_MAGIC)


def read_renlib(data: bytes) -> GameTree:
    """Reads a library; raises FormatError with the byte.

    The mark of a node becomes MA, a text on the board LB, as in .sgf. Texts are decoded by
    `decode`, or as GB 18030 if they look Chinese.
    """
    reader = _Reader(data)
    tree = _read(reader)
    return _read(_Reader(data, _CHINESE)) if _are_chinese(reader.raw_texts) else tree


def _are_chinese(texts: list[bytes]) -> bool:
    """Says whether texts are Chinese in the charset of Windows in China.

    Letters with accents come singly or in pairs in western languages. A run of four bytes that are
    not ASCII is not a western word, and a Chinese character has two bytes.
    """
    foreign = [text for text in texts if not text.isascii()]
    if not any(_CHINESE_RUN.search(text) for text in foreign):
        return False
    return sum(_is_of(text, "utf-8") for text in foreign) < sum(
        _is_of(text, _CHINESE) for text in foreign
    )


def _is_of(text: bytes, charset: str) -> bool:
    try:
        text.decode(charset)
    except ValueError:
        return False
    return True


def _read(reader: "_Reader") -> GameTree:
    """Reads the tree of nodes."""
    tree = GameTree(size=SIZE, rule=_RENJU)
    parents: list[Node] = []
    current, more = tree.root, False
    if reader.begins_with_root:
        _, flags, extension = reader.node()
        reader.texts(tree.root, flags, extension)
    while not reader.at_end:
        at = reader.at
        square, flags, extension = reader.node()
        node = Node(None if flags & _NO_MOVE else _point(square, at))
        reader.texts(node, flags, extension)
        current.children.append(node)
        if flags & _HAS_SIBLING:
            parents.append(current)
        current, more = node, True
        if flags & _IS_LAST:
            more = bool(parents)
            current = parents.pop() if parents else tree.root
    if more:
        raise reader.error("the end of the file: expected the rest of the tree")
    return tree


def _point(square: int, at: int) -> Point:
    if square == 0:
        return PASS
    point = ((square & 15) - 1, square >> 4)
    if not (0 <= point[0] < SIZE and point[1] < SIZE):
        raise FormatError(f"byte {at}: {square:#04x}: expected a square of a 15x15 board")
    return point


class _Reader:
    """Reads nodes and texts from the bytes in order."""

    def __init__(self, data: bytes, charset: str | None = None) -> None:
        self._data = data
        self._charset = charset
        self.raw_texts: list[bytes] = []
        self.at = 0
        if data.startswith(_MAGIC):
            version = tuple(data[8:10])
            if len(data) < _HEADER:
                raise FormatError(f"byte {len(data)}: the header ends: expected {_HEADER} bytes")
            if version > _VERSION:
                told = ".".join(map(str, version))
                raise FormatError(f"version {told} of RenLib: expected 3.4 or older")
            self.at = _HEADER
        elif data[:1] != bytes([_CENTRE]):
            raise FormatError("is not a RenLib library: expected its header, or h8 as first move")

    @property
    def at_end(self) -> bool:
        """Says whether all bytes are read."""
        return self.at >= len(self._data)

    def error(self, problem: str) -> FormatError:
        """Returns the error for the current byte."""
        return FormatError(f"byte {self.at}: {problem}")

    def _pair(self) -> tuple[int, int]:
        if self.at + 2 > len(self._data):
            raise self.error("the end of the file: expected two more bytes")
        first, second = self._data[self.at : self.at + 2]
        self.at += 2
        return first, second

    def node(self) -> tuple[int, int, int]:
        """Returns the square, the flags and the flags of the extension."""
        square, flags = self._pair()
        return square, flags, self._pair()[1] if flags & _EXTENDED else 0

    @property
    def begins_with_root(self) -> bool:
        """Says whether the next node is the root, which has no square."""
        return self._data[self.at : self.at + 1] == b"\0"

    def texts(self, node: Node, flags: int, extension: int) -> None:
        """Returns comment, mark and board text of a node."""
        move = node.move
        if flags & _OLD_COMMENT:
            node.comment = self._old_text()
        elif flags & _COMMENT:
            node.comment = self._text()
        label = self._text() if extension & _BOARD_TEXT else ""
        if move is None or move == PASS:
            return
        if label:
            node.properties["LB"] = [f"{sgf_letters(move)}:{label}"]
        if flags & _MARK:
            node.properties["MA"] = [sgf_letters(move)]

    def _text(self) -> str:
        found = bytearray()
        while True:
            pair = self._pair()
            for byte in pair:
                if byte == 0:
                    return self._decoded(bytes(found))
                found.append(byte)

    def _old_text(self) -> str:
        """Reads a text whose last letter has the highest bit set, of even length."""
        found = bytearray()
        while True:
            pair = self._pair()
            for byte in pair:
                if byte & 0x7F:
                    found.append(byte & 0x7F)
                if byte & 0x80:
                    return self._decoded(bytes(found))

    def _decoded(self, data: bytes) -> str:
        """Returns a text; a byte 8 separates its first line from the others."""
        self.raw_texts.append(data)
        text = None
        if self._charset is not None:
            with contextlib.suppress(ValueError):
                text = plain(data.decode(self._charset))
        return (decode(data) if text is None else text).replace("\b", "\n", 1)


def write_renlib(tree: GameTree) -> bytes:
    """Returns a tree as a .lib file of version 3.4; raises FormatError if it does not fit.

    Properties of .sgf other than MA and LB, names and result are omitted.
    """
    if tree.size != SIZE or tree.has_setup:
        raise FormatError(f"a .lib file holds games on an empty {SIZE}x{SIZE} board only")
    data = bytearray(_MAGIC + bytes(_VERSION) + bytes(_HEADER - len(_MAGIC) - 2))
    data += _node_bytes(tree.root, _NO_MOVE)
    stack = [(child, child is not tree.root.children[-1]) for child in reversed(tree.root.children)]
    while stack:
        node, has_sibling = stack.pop()
        flags = (_HAS_SIBLING if has_sibling else 0) | (0 if node.children else _IS_LAST)
        data += _node_bytes(node, flags | (_NO_MOVE if node.move is None else 0))
        stack += [(child, child is not node.children[-1]) for child in reversed(node.children)]
    return bytes(data)


def _node_bytes(node: Node, flags: int) -> bytes:
    move = node.move
    square = 0 if move is None or move == PASS else 16 * move[1] + move[0] + 1
    label = node.properties.get("LB", [""])[0].partition(":")[2] if square else ""
    flags |= _COMMENT if node.comment else 0
    flags |= _MARK if square and "MA" in node.properties else 0
    flags |= _EXTENDED if label else 0
    extension = bytes((0, _BOARD_TEXT)) if label else b""
    return bytes((square, flags)) + extension + _text_bytes(node.comment) + _text_bytes(label)


def _text_bytes(text: str) -> bytes:
    if not text:
        return b""
    if "\0" in text:
        raise FormatError("a comment with a byte 0: expected text")
    data = text.replace("\n", "\b", 1).encode() + b"\0"
    return data + bytes(len(data) % 2)
