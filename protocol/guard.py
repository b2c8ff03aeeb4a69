"""The one place that catches what must not happen: an engine that fails, or a fault of the brain.

The traceback goes to the log, a note goes to the manager with the next move, and the game goes on.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Guard:
    """Runs calls that may fail. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._note: str | None = None

    def run(self, what: str, call: Callable[[], T], otherwise: T) -> T:
        """What the call returns, or `otherwise` when it raises an Exception.

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
        """The first failure since the last call of this method, or None when nothing failed."""
        with self._lock:
            note, self._note = self._note, None
        return note
