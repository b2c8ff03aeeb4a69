"""Text for a person on standard output, whatever that can take. The protocol does not use it."""

import os
import sys
from collections.abc import Callable

__all__ = ["BROKEN", "NOBODY_READS", "STOPPED", "complain", "printing"]

BROKEN = 1
STOPPED = 130
NOBODY_READS = 141


def printing(run: Callable[[], int]) -> int:
    """Runs what prints, and returns its exit code with all that it printed gone out.

    A letter that the stream lacks is spelled, and a closed stream takes nothing. Returns
    NOBODY_READS where the reader is gone, BROKEN where the output cannot be written (stderr says
    why), STOPPED after Ctrl-C.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    elif hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = run()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return STOPPED
    except OSError as error:
        # Otherwise Python would report the unwritten output as an error at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return NOBODY_READS
        complain(f"standard output: {error}")
        return BROKEN


def complain(text: str) -> None:
    """Writes a line on stderr, where there is one."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
