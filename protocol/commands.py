"""Reads the lines of a manager into values. Nothing here prints or raises, whatever the text.

`parse` reads one line on its own. `Assembler` reads a stream of lines and puts the lines between
`BOARD` (or another opening word) and `DONE` into one `Block`.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from pyengine.constants import MAX_SIZE

Square = tuple[int, int]

INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)
# A block with more lines than the largest board has squares cannot be a position.
_MAX_BLOCK_LINES: Final = MAX_SIZE * MAX_SIZE
_SHOWN: Final = 40


class Word(Enum):
    """The commands that take no arguments."""

    BEGIN = "BEGIN"
    RESTART = "RESTART"
    ABOUT = "ABOUT"
    END = "END"
    STOP = "STOP"
    SHOW_FORBIDDEN = "YXSHOWFORBID"
    SHOW_INFO = "YXSHOWINFO"
    CLEAR_TABLE = "YXHASHCLEAR"
    UNBLOCK_ALL = "YXBLOCKRESET"


class BlockKind(Enum):
    """The commands whose lines follow until `DONE`."""

    BOARD = "BOARD"
    YXBOARD = "YXBOARD"
    SWAP2BOARD = "SWAP2BOARD"
    BLOCK = "YXBLOCK"
    UNBLOCK = "YXBLOCKUNDO"
    QUERY = "YXQUERYDATABASE..."
    EDIT = "YXEDIT...DATABASE..."
    UNSUPPORTED = "(unsupported)"


@dataclass(frozen=True)
class Start:
    """A new game on a board of this width and height."""

    width: int
    height: int


@dataclass(frozen=True)
class Turn:
    """A move of the opponent; the manager waits for a move."""

    square: Square


@dataclass(frozen=True)
class Takeback:
    """A stone to remove."""

    square: Square


@dataclass(frozen=True)
class Play:
    """A move that the manager makes for the engine."""

    square: Square


@dataclass(frozen=True)
class Info:
    """A setting: the key in lower case, the value without blanks at its ends."""

    key: str
    value: str


@dataclass(frozen=True)
class NBest:
    """A request for this many best lines of the position on the board."""

    lines: int


@dataclass(frozen=True)
class Balance:
    """A request for one or two moves after which the side to move stands near this score."""

    moves: int
    score: int


@dataclass(frozen=True)
class Opening:
    """The first line of a block. `parse` returns it; an Assembler never does."""

    kind: BlockKind
    word: str


@dataclass(frozen=True)
class Block:
    """A whole block.

    rows: the numbers of each line, as many as the kind demands; empty for other blocks.
    bad:  the fault of the first bad line; None = all lines are good.
    """

    kind: BlockKind
    word: str
    rows: tuple[tuple[int, ...], ...] = ()
    bad: str | None = None


@dataclass(frozen=True)
class Malformed:
    """A known command with bad arguments; text: the ERROR that it gets."""

    text: str


@dataclass(frozen=True)
class Unknown:
    """An unknown command."""

    word: str


Command = (
    Word
    | Start
    | Turn
    | Takeback
    | Play
    | Info
    | NBest
    | Balance
    | Opening
    | Block
    | Malformed
    | Unknown
)

_WORDS: Final = {word.value: word for word in Word} | {"YXSTOP": Word.STOP}
_UNSUPPORTED: Final = (
    *("SWAPBOARD", "SWAP1STBOARD", "PROBOARD", "LONGPROBOARD"),
    *("YXBLOCKPATH", "YXBLOCKPATHUNDO"),
)
_EDITS: Final = (
    *("YXEDITTVDDATABASE", "YXEDITTEXTDATABASE", "YXEDITLABELDATABASE"),
    *("YXSETBESTMOVEDATABASE", "YXDELETEDATABASEONE", "YXDELETEDATABASEALL"),
)
_FIELDS: Final = {
    BlockKind.BOARD: 3,
    BlockKind.YXBOARD: 3,
    BlockKind.SWAP2BOARD: 2,
    BlockKind.BLOCK: 2,
    BlockKind.UNBLOCK: 2,
}
_BLOCKS: Final = (
    {kind.value: kind for kind in _FIELDS}
    | dict.fromkeys(_UNSUPPORTED, BlockKind.UNSUPPORTED)
    | dict.fromkeys(_EDITS, BlockKind.EDIT)
)
# Commands about database files; the rest of the line names the file.
_DATABASE_FILES: Final = re.compile(r"YXDB[A-Z]+|YX[A-Z]+(?:DATABASE|TODB)")
NO_DATABASE: Final = "there is no database"
_BALANCES: Final = {"YXBALANCEONE": 1, "YXBALANCETWO": 2}
# No score is larger.
_MOST_BIAS: Final = 30_000
_SQUARE_COMMANDS: Final[dict[str, type[Turn] | type[Takeback] | type[Play]]] = {
    "TURN": Turn,
    "TAKEBACK": Takeback,
    "PLAY": Play,
}


def read_int(text: str) -> int | None:
    """Reads a decimal integer and clamps it to 64 bits; returns None for anything else."""
    text = text.strip()
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    # A longer number is out of range anyway, and int() refuses thousands of digits.
    number = int(digits) if len(digits.lstrip("0")) < 20 else 2**64
    return max(INT64_MIN, min(INT64_MAX, -number if text[0] == "-" else number))


def read_numbers(text: str, count: int) -> tuple[int, ...] | None:
    """Reads exactly `count` integers with commas between them; returns None for anything else."""
    numbers = [read_int(part) for part in text.split(",")]
    whole = tuple(number for number in numbers if number is not None)
    return whole if len(whole) == len(numbers) == count else None


def shown(text: str) -> str:
    """Returns a text that an answer may repeat: one short line of printable ASCII."""
    clean = "".join(c if " " <= c <= "~" else "?" for c in text.strip())
    return clean if len(clean) <= _SHOWN else clean[: _SHOWN - 3] + "..."


def parse(line: str) -> Command | None:
    """Reads one line outside any block; returns None for a blank line."""
    parts = line.split(maxsplit=1)
    if not parts:
        return None
    word = parts[0].upper()
    rest = parts[1].strip() if len(parts) > 1 else ""
    if word in _WORDS:
        return _WORDS[word]
    if word in _BLOCKS:
        return Opening(_BLOCKS[word], word)
    if word.startswith("YXQUERYDATABASE"):
        return Opening(BlockKind.QUERY, word)
    if word in _SQUARE_COMMANDS:
        pair = read_numbers(rest, 2)
        if pair is None:
            return Malformed(f"{word} needs x,y, not '{shown(rest)}'")
        return _SQUARE_COMMANDS[word]((pair[0], pair[1]))
    if word == "INFO":
        key, *value = rest.split(maxsplit=1) or [""]
        return Info(key.lower(), value[0].strip() if value else "")
    if word in ("START", "RECTSTART"):
        return _parse_start(word, rest)
    if word == "YXNBEST":
        lines = read_int(rest)
        return Malformed("YXNBEST needs a number") if lines is None else NBest(max(1, lines))
    if word in _BALANCES:
        return _parse_balance(word, rest)
    if _DATABASE_FILES.fullmatch(word):
        return Malformed(f"{word}: {NO_DATABASE}")
    return Unknown(parts[0])


def _parse_balance(word: str, rest: str) -> Command:
    """Reads `YXBALANCEONE` or `YXBALANCETWO`, with or without a score."""
    score = read_int(rest) if rest else 0
    if score is None or abs(score) > _MOST_BIAS:
        most = _MOST_BIAS
        return Malformed(f"{word} needs a score from -{most} to {most}, not '{shown(rest)}'")
    return Balance(_BALANCES[word], score)


def _parse_start(word: str, rest: str) -> Command:
    """Reads `START n`, `START w h` of Yixin-Board, or `RECTSTART w,h`."""
    sides = [read_int(part) for part in rest.replace(",", " ").split()]
    if word == "START" and len(sides) == 1:
        sides *= 2
    if len(sides) != 2 or sides[0] is None or sides[1] is None:
        return Malformed(f"{word} needs the size of the board, not '{shown(rest)}'")
    return Start(sides[0], sides[1])


class Assembler:
    """Turns lines into commands; collects the lines of a block until its DONE."""

    def __init__(self) -> None:
        self._opening: Opening | None = None
        self._rows: list[tuple[int, ...]] = []
        self._bad: str | None = None

    @property
    def in_block(self) -> bool:
        """Whether a block is open."""
        return self._opening is not None

    def feed(self, line: str) -> Command | None:
        """Takes one line; returns the command that it completes, or None.

        Inside a block, every line but END belongs to the block.
        """
        if self._opening is None:
            command = parse(line)
            if not isinstance(command, Opening):
                return command
            self._opening, self._rows, self._bad = command, [], None
            return None
        word = line.split(maxsplit=1)[0].upper() if line.strip() else ""
        if word == "END":
            self._opening = None
            return Word.END
        if word == "DONE":
            opening, self._opening = self._opening, None
            return Block(opening.kind, opening.word, tuple(self._rows), self._bad)
        if word:
            self._take(self._opening, line)
        return None

    def _take(self, opening: Opening, line: str) -> None:
        """Keeps the numbers of one line, or notes its fault."""
        fields = _FIELDS.get(opening.kind)
        if fields is None or self._bad is not None:
            return
        row = read_numbers(line, fields)
        if row is None or (fields == 3 and row[2] not in (1, 2, 3)):
            self._bad = f"bad line '{shown(line)}'"
        elif len(self._rows) >= _MAX_BLOCK_LINES:
            self._bad = "too many lines"
        else:
            self._rows.append(row)
