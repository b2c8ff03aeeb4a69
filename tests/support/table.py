"""A session with a scripted engine behind it, for tests: lines in, lines out, on one thread."""

import threading
from collections.abc import Callable

from protocol.clock import now
from protocol.commands import Assembler, Word
from protocol.guard import Guard
from protocol.interrupt import Interrupt
from protocol.memory import MIB
from protocol.session import Request, Session
from protocol.settings import Settings
from protocol.tuning import Host
from tests.support.fake_engine import FakeEngine
from tests.support.protocol_runner import WELL_FORMED

CLOCKS = ("protocol.searches", "protocol.voice", "protocol.thinking", "tests.support.table")
"""The modules that look at the clock by `now`."""


class Table:
    """A session and its engine; lines in, lines out, on the caller's thread."""

    def __init__(
        self,
        engine: FakeEngine | None = None,
        host: Host | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.engine = engine or FakeEngine()
        guard = Guard()
        self.interrupt = Interrupt(self.engine, guard)
        self.said: list[str] = []
        host = host or Host(resident=lambda: 30 * MIB, cpus=4)
        self.session = Session(
            self.engine, self.interrupt, guard, self.say, host, settings or Settings()
        )
        self._assembler = Assembler()
        self._number = 0

    def say(self, line: str) -> None:
        """Takes a line of the session's."""
        self.said.append(line)

    def send(self, *lines: str, at: float | None = None) -> list[str]:
        """Feeds lines; everything that is said about them, MESSAGE lines too.

        at: when they came, all at once; None: one after the other, each after the last's answer.
        """
        before = len(self.said)
        for line in lines:
            self._number += 1
            self.interrupt.seen(self._number)
            command = self._assembler.feed(line)
            if command is Word.STOP:
                self.interrupt.stop(self._number)
            if command is not None:
                self.session.handle(Request(command, self._number, now() if at is None else at))
        new = self.said[before:]
        assert all(WELL_FORMED.fullmatch(line) for line in new), new
        return new

    def ask(self, *lines: str) -> str:
        """Feeds lines; their one answer, MESSAGE lines left out."""
        (answer,) = (line for line in self.send(*lines) if not line.startswith("MESSAGE "))
        return answer

    def stones(self) -> tuple[set[object], set[object]]:
        """The brain's and the opponent's stones, as the engine sees them when asked to move."""
        self.ask("YXNBEST 1")
        setup = self.engine.setups[-1]
        black, white = setup["black"], setup["white"]
        assert isinstance(black, list) and isinstance(white, list)
        return set(black), set(white)


def begun() -> Table:
    """A session with a game of 15x15 begun, moves made at once."""
    table = Table()
    assert table.send("INFO timeout_turn 0", "START 15") == ["OK"]
    return table


def later(seconds: float, call: Callable[[], object]) -> None:
    """Calls something from another thread in a while."""
    threading.Timer(seconds, call).start()
