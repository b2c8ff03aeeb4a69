"""Exit codes of the arena's programs, in one table."""

import enum
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["EXIT_TEXTS", "Exit", "exit_lines", "exit_table"]


class Exit(enum.IntEnum):
    """The exit codes. 1 is missing because Python itself uses it."""

    DONE = 0
    BROKE_DOWN = 1
    USAGE = 2
    UNDECIDED = 3
    H0_ACCEPTED = 4
    FORFEITED = 5
    FOUND_WRONG = 6
    STOPPED = 130
    """128 + SIGINT, as in a shell."""
    NOBODY_READS = 141
    """128 + SIGPIPE."""
    TERMINATED = 143
    """128 + SIGTERM."""


EXIT_TEXTS: Mapping[Exit, str] = MappingProxyType(
    {
        Exit.DONE: "done; sprt: H1 is accepted",
        Exit.BROKE_DOWN: "breakdown of the arena or the machine: a bug, a full disk, lost workers, "
        "too few processes or files to start an engine",
        Exit.USAGE: "wrong arguments, or a file that cannot be used",
        Exit.UNDECIDED: "sprt: undecided after the last game",
        Exit.H0_ACCEPTED: "sprt: H0 is accepted",
        Exit.FORFEITED: "an engine forfeited a game; sprt: too many games were forfeited; "
        "review, analyse, openings: the engine failed",
        Exit.FOUND_WRONG: "conform, openings, soak: a check failed",
        Exit.STOPPED: "stopped by Ctrl-C",
        Exit.NOBODY_READS: "standard output was closed, as by `| head`",
        Exit.TERMINATED: "stopped by SIGTERM",
    }
)


def exit_table() -> str:
    """Returns the table of all exit codes, one line for each."""
    rows = (f"  {code.value:>3}  {text}" for code, text in EXIT_TEXTS.items())
    return "\n".join(("exit codes", *rows))


def exit_lines(*codes: Exit, done: str = "done", forfeited: str = "a game was forfeited") -> str:
    """Returns the exit codes of a command for its help; the texts are the meanings of 0 and 5."""
    texts = {**EXIT_TEXTS, **_SHORT, Exit.DONE: done, Exit.FORFEITED: forfeited}
    told = "; ".join(f"{code.value} {texts[code]}" for code in codes)
    return f"exit codes: {told}; for all codes see tengen-arena --help"


_SHORT = {
    Exit.BROKE_DOWN: "breakdown",
    Exit.USAGE: "wrong arguments or file",
    Exit.UNDECIDED: "undecided",
    Exit.H0_ACCEPTED: "H0 accepted",
    Exit.FOUND_WRONG: "a check failed",
    Exit.STOPPED: "Ctrl-C",
}
