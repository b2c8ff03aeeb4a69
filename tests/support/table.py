"""A session with a scripted engine, for tests: lines in, lines out, on one thread."""

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
        """Receives a line of the session."""
        self.said.append(line)

    def send(self, *lines: str, at: float | None = None) -> list[str]:
        """Sends lines; returns all output, also MESSAGE lines.

        at: the time of all lines together; None: each line comes after the last answer.
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
        """Sends lines; returns their single answer, without MESSAGE lines."""
        (answer,) = (line for line in self.send(*lines) if not line.startswith("MESSAGE "))
        return answer

    def stones(self) -> tuple[set[object], set[object]]:
        """Returns the stones of the brain and of the opponent at the engine's last search."""
        self.ask("YXNBEST 1")
        setup = self.engine.setups[-1]
        black, white = setup["black"], setup["white"]
        assert isinstance(black, list) and isinstance(white, list)
        return set(black), set(white)


def begun() -> Table:
    """Returns a session after the start of a 15x15 game, with immediate moves."""
    table = Table()
    assert table.send("INFO timeout_turn 0", "START 15") == ["OK"]
    return table


def later(seconds: float, call: Callable[[], object]) -> None:
    """Calls a function from another thread after a delay."""
    threading.Timer(seconds, call).start()
