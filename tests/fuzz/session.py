"""One fuzzed conversation: bytes become lines, the reader and the session answer them, and what
they say is held against what the protocol allows.

A byte below 128 stands for itself; one from there on stands for a word of the protocol, so that
changing a byte makes another command and not just another typing error. 255 lets the next byte
through as it is. The first byte says how many lines come at once: within such a heap a STOP is read
before the search that it ends has begun.

The engine is the real one, held to a few hundred nodes. No file is written and no clock matters.
"""

import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn
from unittest.mock import patch

from protocol import configuration
from protocol.commands import (
    Balance,
    Block,
    BlockKind,
    Command,
    Info,
    NBest,
    Play,
    Start,
    Turn,
    Word,
)
from protocol.guard import Guard
from protocol.interrupt import Interrupt
from protocol.log import Log
from protocol.session import Request, Session
from protocol.stdio import Reader
from protocol.tuning import Host
from pyengine import Engine, Limits, NoMoveError, SearchResult, Square
from tests.support.protocol_runner import MOVE, WELL_FORMED

NODES = 200
LONGEST_LINE = 499
WORDS = [
    b"\n", b"\r\n", b" ", b",", b"START ", b"START 15\n", b"START 5\n", b"RECTSTART ", b"RESTART\n",
    b"BEGIN\n", b"TURN ", b"BOARD\n", b"DONE\n", b"YXBOARD\n", b"SWAP2BOARD\n", b"YXBLOCK\n",
    b"YXBLOCKUNDO\n", b"YXBLOCKRESET\n", b"YXNBEST ", b"YXSHOWFORBID\n", b"YXHASHCLEAR\n",
    b"YXSTOP\n", b"STOP\n", b"TAKEBACK ", b"PLAY ", b"ABOUT\n", b"END\n", b"PROBOARD\n",
    b"YXQUERYDATABASEALL\n", b"INFO ", b"timeout_turn ", b"timeout_match ", b"time_left ",
    b"time_increment ", b"max_memory ", b"max_node ", b"max_depth ", b"rule ", b"game_type ",
    b"folder ", b"log ", b"level ", b"ponder 1\n", b"captures ", b"hash_size ", b"thread_num ",
    b"evaluate ", b"prune.", b"lmr ", b"INFO rule 16\n", b"INFO rule 4\n", b"INFO rule 9\n",
    b"INFO timeout_turn 0\n", b"INFO timeout_turn 100\n", b"-1", b"0", b"2147483647",
    b"9223372036854775808", b"99999999999999999999999", b"7,7\n", b"8,8\n", b"TURN 7,7\n", b",1\n",
    b",2\n", b",3\n", b"20", b"22", b"23", b"\xef\xbb\xbf", b"\x00", b"\xd9\xa1", b"x" * 600,
    b"YXSHOWINFO\n", b"YXBALANCEONE ", b"YXBALANCETWO\n", b"YXQUERYDATABASETEXT\n",
    b"YXDELETEDATABASEALL\n",
]  # fmt: skip
FIRST_WORD = 128
RAW = 255
SILENT = {Word.STOP, Word.CLEAR_TABLE, Word.UNBLOCK_ALL, Word.SHOW_INFO}
SILENT_BLOCKS = {BlockKind.YXBOARD, BlockKind.BLOCK, BlockKind.UNBLOCK, BlockKind.QUERY}
MOVES = re.compile(rf"({MOVE})( {MOVE})*")


def text_of(data: bytes) -> bytes:
    """The bytes that the reader gets for an input."""
    out, raw = bytearray(), False
    for byte in data:
        if raw or byte < FIRST_WORD:
            out.append(byte)
            raw = False
        elif byte == RAW:
            raw = True
        else:
            out += WORDS[(byte - FIRST_WORD) % len(WORDS)]
    return bytes(out)


def heaps(text: bytes, lines_at_once: int) -> Iterator[bytes]:
    """The text in pieces of so many lines."""
    lines = text.splitlines(keepends=True)
    for at in range(0, len(lines), lines_at_once):
        yield b"".join(lines[at : at + lines_at_once])


class Quick(Engine):
    """The real engine, which gives up soon, and lets no mistake of its caller pass."""

    def search(  # type: ignore[override]  # as the session asks
        self, limits: Limits, *, armed: bool = False
    ) -> SearchResult:
        """Searches a few hundred nodes. Raises what the brain has to live with."""
        nodes = NODES if limits.nodes is None else min(NODES, limits.nodes)
        try:
            return super().search(replace(limits, nodes=nodes), armed=armed)
        except (NoMoveError, MemoryError):
            raise
        except Exception as error:
            fail(f"the search was asked for wrongly: {error!r}")

    def set_position(self, **stones: object) -> None:  # type: ignore[override]
        """Sets a position that the session should know to be sound."""
        try:
            super().set_position(**stones)  # type: ignore[arg-type]
        except Exception as error:
            fail(f"no position: {error!r}")


class NoLog(Log):
    """Opens nothing: what is fuzzed may name any path."""

    def open(self, path: str) -> bool:
        """Says that some paths can be written."""
        return not path.startswith("/")


class Broken(BaseException):
    """Something that must not be. No `except Exception` of the brain's stops it."""


def fail(text: str) -> NoReturn:
    """Ends the conversation with what was wrong."""
    raise Broken(text)


def owed(command: Command) -> tuple[int, int]:
    """Returns the least and the greatest number of answers to a command, without MESSAGE lines."""
    if isinstance(command, Info) or command in SILENT:
        return 0, 0
    if isinstance(command, Block) and command.kind in SILENT_BLOCKS:
        return 0, 1
    return 1, 1


def may_tell(command: Command) -> bool:
    """Whether messages may come: before the answer of a search, or as the answer itself."""
    if isinstance(command, Block):
        return command.kind in (BlockKind.BOARD, BlockKind.SWAP2BOARD, BlockKind.QUERY)
    return command in (Word.BEGIN, Word.SHOW_INFO) or isinstance(command, Turn | NBest | Balance)


def named(command: Command) -> set[Square]:
    """The squares on which a command says that stones stand."""
    if isinstance(command, Turn):
        return {command.square}
    if isinstance(command, Block) and command.kind is BlockKind.BOARD:
        return {(row[0], row[1]) for row in command.rows}
    return set()


class Conversation:
    """A session, the size of its board, and a look at every line that it says."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.size = 0
        self._engine = Quick(size=15, memory_mib=1 / 16)
        guard = Guard()
        interrupt = Interrupt(self._engine, guard)
        host = Host(resident=lambda: 30 << 20, cpus=2)
        self._session = Session(self._engine, interrupt, guard, self.said.append, host)
        self._interrupt = interrupt

    def run(self, text: bytes, lines_at_once: int) -> None:
        """Reads the whole text; after each heap of lines, answers what was read."""
        pieces = heaps(text, lines_at_once)

        def read() -> bytes:
            self._answer(reader)
            return next(pieces, b"")

        reader = Reader(read, self._interrupt)
        reader.run()
        self._answer(reader)
        self._engine.close()

    def _answer(self, reader: Reader) -> None:
        while not reader.inbox.empty():
            request = reader.inbox.get()
            self.said.clear()
            if request.command is Word.END:
                return
            self._session.handle(request)
            self._check(request)

    def _check(self, request: Request) -> None:
        command = request.command
        for line in self.said:
            if not WELL_FORMED.fullmatch(line) or len(line) > LONGEST_LINE:
                fail(f"{command} got {line!r}")
        answers = [line for line in self.said if not line.startswith("MESSAGE ")]
        fewest, most = owed(command)
        if not fewest <= len(answers) <= most:
            fail(f"{command} got {self.said}")
        if len(answers) < len(self.said) and not may_tell(command):
            fail(f"a message with {command}: {self.said}")
        if isinstance(command, Start) and answers == ["OK"]:
            self.size = command.width
        if isinstance(command, Play):
            return
        for answer in answers:
            self._check_moves(command, answer)

    def _check_moves(self, command: Command, answer: str) -> None:
        """A move goes to a square of the board on which nothing was said to stand."""
        if not MOVES.fullmatch(answer):
            return
        for text in answer.split():
            x, _, y = text.partition(",")
            square = int(x), int(y)
            if max(square) >= self.size or square in named(command):
                fail(f"{command} got {answer} on a board of {self.size}")


def play(data: bytes) -> None:
    """Has one conversation. Raises Broken, or whatever goes wrong."""
    if not data:
        return
    with patch.object(configuration, "Log", NoLog), patch.object(traceback, "print_exc", reraise):
        Conversation().run(text_of(data[1:]), 1 + data[0] % 16)


def reraise(*_: object, **__: object) -> None:
    """In place of the line for the log: a mistake that the session rescues itself from counts."""
    error = sys.exc_info()[1]
    fail(f"rescued from {error!r} {traceback.format_exc()}")
