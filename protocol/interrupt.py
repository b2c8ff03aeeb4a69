"""Who may stop which search. Lines are numbered as they are read; a search carries the number of
the line that asked for it, so a STOP ends the searches asked for before it, running or queued,
and never one that is asked for after it.
"""

import threading
from typing import Final, Protocol

from protocol.guard import Guard

EVERYTHING: Final = 2**63


class Stoppable(Protocol):
    """The part of an engine that this needs."""

    def arm(self) -> None:
        """Forgets an earlier stop."""

    def stop(self) -> None:
        """Ends the running or the armed search; from any thread."""


class Interrupt:
    """The one thing that the reader and the searching thread share, behind one lock."""

    def __init__(self, engine: Stoppable, guard: Guard) -> None:
        self._engine = engine
        self._guard = guard
        self._lock = threading.Condition()
        self._stopped = 0
        self._seen = 0
        self._pondering = False

    def seen(self, number: int) -> None:
        """The reader has read a line: thinking on the opponent's time ends."""
        with self._lock:
            self._seen = number
            if self._pondering:
                self._stop_engine()

    def stop(self, number: int) -> None:
        """Ends every search asked for by a line up to this one."""
        with self._lock:
            self._stopped = max(self._stopped, number)
            self._stop_engine()
            self._lock.notify_all()

    def pause(self, number: int, seconds: float) -> None:
        """Lets the time pass, unless what this line asks for is to end at once."""
        with self._lock:
            self._lock.wait_for(lambda: number <= self._stopped, seconds)

    def stopped(self, number: int) -> bool:
        """Whether the search that this line asks for is to end at once."""
        with self._lock:
            return number <= self._stopped

    def arm(self, number: int) -> bool:
        """Makes the engine ready to search for this line; False when a stop has come already."""
        with self._lock:
            self._engine.arm()
            if number <= self._stopped:
                self._stop_engine()
                return False
            return True

    def begin_pondering(self, number: int) -> bool:
        """Makes ready to think on the opponent's time; False when a line came after this one."""
        with self._lock:
            if self._seen > number:
                return False
            self._engine.arm()
            self._pondering = True
            return True

    def end_pondering(self) -> None:
        """That search is over."""
        with self._lock:
            self._pondering = False

    def _stop_engine(self) -> None:
        """Stops the engine. An engine that fails must not end the thread that reads."""
        self._guard.run("stop", self._engine.stop, None)
