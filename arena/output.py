"""Output whose reader has gone, as in `tengen-arena ... | head`: the end, and no error."""

import errno
import os
import sys
from collections.abc import Callable
from typing import TextIO

__all__ = ["EXIT_NOBODY_READS", "ending_quietly"]

EXIT_NOBODY_READS = 141  # a shell's name for SIGPIPE


def ending_quietly(run: Callable[[], int]) -> int:
    """Returns what `run` returns, with all that it printed gone out, or EXIT_NOBODY_READS when
    nobody reads standard output any more. All else that it raises is raised."""
    try:
        try:
            return run()
        finally:
            if sys.stdout is not None:  # closed by who started us
                sys.stdout.flush()
    except OSError as error:
        if not _is_broken_pipe(error):
            raise
        unread = [s for s in (sys.stdout, sys.stderr) if s is not None and not _is_read(s)]
        if not unread:
            raise
        for stream in unread:
            _forget(stream)
        return EXIT_NOBODY_READS


def _is_broken_pipe(error: OSError) -> bool:
    """Windows has a broken pipe of ours told as an invalid argument."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)


def _is_read(stream: TextIO) -> bool:
    """Only a write tells; the pipe that broke may be an engine's. Errors are held until they are
    through, so of those a flush tells enough."""
    try:
        if stream is sys.stdout:
            stream.write("\n")
        stream.flush()
    except OSError:
        return False
    return True


def _forget(stream: TextIO) -> None:
    """What Python still holds for it goes nowhere when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
