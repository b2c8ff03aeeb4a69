"""Connects the engine to its pipes: one thread reads, the main thread answers."""

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, NoReturn

from protocol import memory
from protocol.clock import now
from protocol.commands import Assembler, Command, Info, Word, read_int
from protocol.guard import Guard
from protocol.interrupt import EVERYTHING, Interrupt
from protocol.port import EnginePort
from protocol.session import Request, Session
from protocol.settings import Settings
from protocol.tuning import Host

_STDIN: Final = 0
_STDOUT: Final = 1
_CHUNK: Final = 4096
_LONGEST_LINE: Final = 8192
# The parent may leave its pipes in non-blocking mode; then a read has to be repeated.
_PAUSE_SECONDS: Final = 0.002
_BOM: Final = b"\xef\xbb\xbf"
# How long a finished search waits for the thread that holds Python's lock; the default is 5 ms.
# Windows counts whole milliseconds. Less than one would mean spinning on the core that the other
# thread needs.
_SWITCH_SECONDS: Final = 0.001 if sys.platform == "win32" else 0.0005
# After END or the end of the input the main thread ends the process when it has answered. If it
# cannot, the process ends after so long in one write, after so much processor time for one command,
# or after so long without either.
BLOCKED_SECONDS: Final = 0.25
BUSY_SECONDS: Final = 1.0
IDLE_SECONDS: Final = 30.0
_LOOK_SECONDS: Final = 0.01


def leave() -> NoReturn:
    """Ends the process at once, without freeing the table, which would take time."""
    os._exit(0)


def say(text: str) -> None:
    """Writes one line in one write. A closed pipe ends the process without a message."""
    data = text.encode("ascii", "replace") + b"\n"
    while data:
        try:
            data = data[os.write(_STDOUT, data) :]
        except BlockingIOError:
            time.sleep(_PAUSE_SECONDS)
        except OSError:
            leave()


class Work:
    """Counts the steps of the main thread, for the thread that waits for its last answers."""

    def __init__(self) -> None:
        self.steps = 0
        self.writing = False

    def say(self, text: str) -> None:
        """Writes one line: a step."""
        self.writing = True
        say(text)
        self.writing = False
        self.steps += 1


def wait_while_it_answers(work: Work) -> None:
    """Returns when the main thread makes no more progress.

    A busy machine may take the processor away for long. Time in a write is therefore counted in
    looks of this thread, which are late as well, and time for a command in processor time.
    """
    steps, looks, busy, since = -1, 0, 0.0, 0.0
    while True:
        if steps != work.steps:
            steps, looks, busy, since = work.steps, 0, time.process_time(), now()
        looks = looks + 1 if work.writing else 0
        if looks * _LOOK_SECONDS > BLOCKED_SECONDS:
            return
        if time.process_time() - busy > BUSY_SECONDS or now() - since > IDLE_SECONDS:
            return
        time.sleep(_LOOK_SECONDS)


def lines(read: Callable[[], bytes]) -> Iterator[tuple[str, float]]:
    """Yields the lines of a stream with their times, until `read` returns nothing.

    CR, LF and both end a line. A last line without an end counts; an overlong line is cut. A byte
    order mark before the first line is dropped. The sizes of the pieces do not matter.
    """
    held, mark, at = b"", _BOM, now()
    while chunk := read():
        at = now()
        *whole, held = (held + chunk).replace(b"\r", b"\n").split(b"\n")
        held = held[: _LONGEST_LINE + len(_BOM)]
        for line in whole:
            yield _text(line.removeprefix(mark)), at
            mark = b""
    if held := held.removeprefix(mark):
        yield _text(held), at


def _text(line: bytes) -> str:
    # Latin-1 decodes every byte; a command has only ASCII anyway.
    return line[:_LONGEST_LINE].decode("latin-1")


class Reader:
    """Reads stdin: numbers the lines, stops searches, and queues requests in their order."""

    def __init__(self, read: Callable[[], bytes], interrupt: Interrupt) -> None:
        self._read = read
        self._interrupt = interrupt
        self.inbox: queue.SimpleQueue[Request] = queue.SimpleQueue()

    def run(self) -> None:
        """Reads until END or the end of the input; the last queued request is END."""
        assembler = Assembler()
        number, read_at = 0, 0.0
        for line, at in lines(self._read):
            if not line.strip():
                continue
            number += 1
            if not assembler.in_block:
                read_at = at
            self._interrupt.seen(number)
            command = assembler.feed(line)
            if command is Word.END:
                break
            if command is not None:
                if _ends_the_search(command):
                    self._interrupt.stop(number)
                self.inbox.put(Request(command, number, read_at))
        self._interrupt.seen(EVERYTHING)
        self._interrupt.stop(EVERYTHING)
        self.inbox.put(Request(Word.END, EVERYTHING, now()))


def _ends_the_search(command: Command) -> bool:
    """Returns whether a command is STOP, or Piskvork's "move now"."""
    if isinstance(command, Info):
        return command.key == "timeout_turn" and read_int(command.value) == 0
    return command is Word.STOP


def serve(engine: EnginePort, host: Host, settings: Settings) -> NoReturn:
    """Answers stdin on stdout until END, then ends the process.

    settings: the settings before any INFO.
    """
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(_STDIN, os.O_BINARY)
        msvcrt.setmode(_STDOUT, os.O_BINARY)
    sys.setswitchinterval(_SWITCH_SECONDS)
    guard = Guard()
    interrupt = Interrupt(engine, guard)
    work = Work()
    session = Session(engine, interrupt, guard, work.say, host, settings)
    reader = Reader(_read_stdin, interrupt)

    def read_and_watch() -> None:
        memory.begin_reader()
        guard.run("reading", reader.run, None)
        wait_while_it_answers(work)
        leave()

    threading.Thread(target=read_and_watch, daemon=True).start()
    while (request := reader.inbox.get()).command is not Word.END:
        session.handle(request)
        work.steps += 1
    leave()


def _read_stdin() -> bytes:
    while True:
        try:
            return os.read(_STDIN, _CHUNK)
        except BlockingIOError:
            time.sleep(_PAUSE_SECONDS)
        except OSError:
            return b""
