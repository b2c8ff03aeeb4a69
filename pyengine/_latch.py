"""A flag that is set once, for threads that wait for it."""

from contextlib import suppress
from queue import Empty, SimpleQueue


class Latch:
    """Does what an event of `threading` does, but survives exceptions of signal handlers.

    An event holds a lock for some steps of Python code. An exception between them, as Ctrl-C
    raises it, may leave the lock held, and then every thread that uses the event hangs. The queue
    here is of C code, which no handler interrupts.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._woken: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Sets it, and ends the waits. To be repeated if a handler has raised here."""
        self._is_set = True
        self._woken.put(None)

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return self._is_set

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until it is set, or until the time is over; returns whether it is set.

        A thread that waits while a handler raises in the wait of another one needs a time limit.
        """
        if not self._is_set:
            with suppress(Empty):
                self._woken.get(timeout=seconds)
                self._woken.put(None)  # for the next thread
        return self._is_set
