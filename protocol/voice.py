"""Says answers, notes and failures to the manager."""

from collections.abc import Callable, Iterable

from protocol import replies
from protocol.clock import now
from protocol.guard import Guard


class Voice:
    """Writes lines, and remembers whether the current request has its answer."""

    def __init__(self, write: Callable[[str], None], guard: Guard) -> None:
        self._write = write
        self._guard = guard
        self.answered = False
        self.ready_at = 0.0  # the time of the first answer; 0 = none yet

    def say(self, line: str) -> None:
        """Says an answer or a message."""
        if not line.startswith("MESSAGE"):
            self.answered = True
            self.ready_at = self.ready_at or now()
        self._write(line)

    def say_all(self, lines: Iterable[str]) -> None:
        """Says several lines."""
        for line in lines:
            self.say(line)

    def error(self, text: str) -> None:
        """Answers ERROR with the reason."""
        self.say(replies.error(text))

    def notes(self, notes: Iterable[str]) -> None:
        """Says the notes that come with this move."""
        self.say_all(replies.message(note) for note in notes)

    def failure(self) -> None:
        """Says the first failure since the last move, just before the answer."""
        if (note := self._guard.note()) is not None:
            self.say(replies.message(note))
