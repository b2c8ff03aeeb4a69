"""Lets a build wait while another process holds its lock."""

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

__all__ = ["LOCK", "WAITING", "one_build"]

LOCK = Path(__file__).resolve().parent / "build" / "lock"
LOOK_S = 0.2
WAITING = "waiting for another build in this tree"


@contextlib.contextmanager
def one_build(path: Path = LOCK) -> Iterator[None]:
    """Holds a lock; waits while another process holds it, and says so on a terminal.

    It says nothing in a file or a pipe, where the programs that build write their errors. The lock
    ends with its process, so a killed build blocks no other one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        if not _is_taken(file):
            if sys.stderr and sys.stderr.isatty():
                print(WAITING, file=sys.stderr, flush=True)
            while not _is_taken(file):
                time.sleep(LOOK_S)
        yield


def _is_taken(file: IO[bytes]) -> bool:
    """Takes the lock if it is free; says whether it did."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
