"""A flag that is set once, for threads that wait for it."""

from contextlib import suppress
from queue import Empty, SimpleQueue


class Latch:
    """Works like `threading.Event`, but an exception of a signal handler cannot leave it locked.

    An event holds a lock for some steps of Python code. An exception between them, such as
    KeyboardInterrupt, may leave the lock held, and then every thread that uses the event hangs.
    The queue here is of C code, which no handler interrupts.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._woken: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Sets it, and ends the waits. If a signal handler raises in this call, call it again."""
        self._is_set = True
        self._woken.put(None)

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return self._is_set

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until it is set, or until the time is over; returns whether it is set.

        Give a time limit if several threads wait: an exception in the wait of one of them may lose
        the wake-up of another.
        """
        if not self._is_set:
            with suppress(Empty):
                self._woken.get(timeout=seconds)
                self._woken.put(None)  # for the next thread
        return self._is_set
