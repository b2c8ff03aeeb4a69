"""Decides which search a STOP ends. Lines are numbered as they are read, and a search carries the
number of its request. A STOP ends the searches of earlier requests, running or queued, and never a
search of a later request.
"""

import threading
from typing import Final, Protocol

from protocol.guard import Guard

EVERYTHING: Final = 2**63


class Stoppable(Protocol):
    """The methods of an engine that an Interrupt needs."""

    def arm(self) -> None:
        """Forgets an earlier stop."""

    def stop(self) -> None:
        """Ends the running or the armed search. Any thread may call this."""


class Interrupt:
    """The state that the reader shares with the searching thread, behind one lock."""

    def __init__(self, engine: Stoppable, guard: Guard) -> None:
        self._engine = engine
        self._guard = guard
        self._lock = threading.Condition()
        self._stopped = 0
        self._seen = 0
        self._pondering = False

    def seen(self, number: int) -> None:
        """Notes a line that was read, and ends pondering."""
        with self._lock:
            self._seen = number
            if self._pondering:
                self._stop_engine()

    def stop(self, number: int) -> None:
        """Ends every search that a line up to this one requested."""
        with self._lock:
            self._stopped = max(self._stopped, number)
            self._stop_engine()
            self._lock.notify_all()

    def pause(self, number: int, seconds: float) -> None:
        """Waits, until a stop reaches the request of this line."""
        with self._lock:
            self._lock.wait_for(lambda: number <= self._stopped, seconds)

    def stopped(self, number: int) -> bool:
        """Returns whether a stop has reached the request of this line."""
        with self._lock:
            return number <= self._stopped

    def arm(self, number: int) -> bool:
        """Prepares the engine to search for this line; returns False if a stop has come already."""
        with self._lock:
            self._engine.arm()
            if number <= self._stopped:
                self._stop_engine()
                return False
            return True

    def begin_pondering(self, number: int) -> bool:
        """Prepares the engine to ponder; returns False if another line was read after this one."""
        with self._lock:
            if self._seen > number:
                return False
            self._engine.arm()
            self._pondering = True
            return True

    def end_pondering(self) -> None:
        """Notes that pondering is over."""
        with self._lock:
            self._pondering = False

    def _stop_engine(self) -> None:
        """Stops the engine. A failure must not end the reader."""
        self._guard.run("stop", self._engine.stop, None)
