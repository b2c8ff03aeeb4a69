"""The one place that catches unexpected exceptions of the engine and of the protocol.

The traceback goes to the log, a note goes to the manager with the next move, and the game goes on.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Guard:
    """Runs calls that may fail. Any thread may call any method."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._note: str | None = None

    def run(self, what: str, call: Callable[[], T], otherwise: T) -> T:
        """Returns the result of a call, or `otherwise` if it raises an Exception.

        what: the name of the call, for the note.
        """
        try:
            return call()
        except Exception as error:
            import traceback  # only here: it costs time to load

            traceback.print_exc()  # stderr is the log, when one is open
            described = traceback.format_exception_only(error)[-1].strip()
            with self._lock:
                self._note = self._note or f"{what} failed: {described}"
        return otherwise

    def note(self) -> str | None:
        """Returns the first failure since the last call of this method, or None."""
        with self._lock:
            note, self._note = self._note, None
        return note
