"""The topics of the protocol, by which scenarios and oddities are sorted."""

import enum

__all__ = ["Topic"]


class Topic(enum.Enum):
    """A part of the protocol. The value is the word that reports print."""

    START = "start"
    COMMANDS = "commands"
    INFO = "info"
    ANSWERS = "answers"
    TIME = "time"
    MEMORY = "memory"
    PROCESS = "process"
    ZIP_TEST = "zip test"
    RULES = "rules"
    BAD_INPUT = "bad input"

    @property
    def text(self) -> str:
        """Returns what the topic covers, as a phrase for the help text."""
        return _TEXTS[self]


_TEXTS = {
    Topic.START: "each manager's order of commands from the start to the first move",
    Topic.COMMANDS: "the effect of a command and whether it has an answer",
    Topic.INFO: "INFO keys and their values",
    Topic.ANSWERS: "the form of answers, MESSAGE lines and other output",
    Topic.TIME: "limits, tolerance, and use of the processor on the opponent's turn",
    Topic.MEMORY: "memory limits",
    Topic.PROCESS: "END, the end of the input, exit, working folder, queued commands",
    Topic.ZIP_TEST: "Gomocup's test of a ZIP entry",
    Topic.RULES: "wins, forbidden squares and captures",
    Topic.BAD_INPUT: "wrong or unusual input, which no manager sends",
}
