"""A request of the manager, as the reader queues it."""

from dataclasses import dataclass

from protocol.commands import Block, Command, Unknown, Word


@dataclass(frozen=True)
class Request:
    """A command with the number of its last line, and when its first was read (`clock.now`)."""

    command: Command
    number: int
    read_at: float

    @property
    def name(self) -> str:
        """The name of the command, for notes."""
        match self.command:
            case Word() as word:
                return word.value
            case Block(word=word) | Unknown(word=word):
                return word
        return type(self.command).__name__.upper()
