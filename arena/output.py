"""Output whose reader has gone, as in `tengen-arena ... | head`: the end, and no error."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

__all__ = ["EXIT_NOBODY_READS", "ending_quietly", "is_broken_pipe"]

EXIT_NOBODY_READS = 141  # a shell's name for SIGPIPE


def ending_quietly(run: Callable[[], int]) -> int:
    """Returns what `run` returns, with all that it printed gone out, or EXIT_NOBODY_READS when
    nobody reads standard output any more. All else that it raises is raised. Where standard output
    is closed, what is printed goes nowhere."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
    try:
        try:
            code = run()
        except SystemExit as end:
            if not end.code:  # argparse has printed its help
                sys.stdout.flush()
            raise
        sys.stdout.flush()
        return code
    except BaseException as error:
        broken = is_broken_pipe(error)
        # any other end must not be hidden by what Python cannot get rid of any more
        if _forget_unread(probe="\n" if broken else "") and broken:
            return EXIT_NOBODY_READS
        raise


def is_broken_pipe(error: BaseException) -> bool:
    """Whether it says that nobody reads what was written. Windows has an invalid argument told."""
    if os.name == "nt" and isinstance(error, OSError) and error.errno == errno.EINVAL:
        return True
    return isinstance(error, BrokenPipeError)


def _forget_unread(probe: str) -> bool:
    """Returns whether nobody reads standard output or errors; then what Python still holds for them
    goes nowhere. The pipe that broke may be an engine's: only a write of the probe tells. Errors
    are held until they are through, so of those a flush is enough."""
    asked = ((sys.stdout, probe), (sys.stderr, ""))
    unread = [stream for stream, text in asked if stream is not None and not _takes(stream, text)]
    for stream in unread:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return bool(unread)


def _takes(stream: TextIO, text: str) -> bool:
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        return False
    return True
