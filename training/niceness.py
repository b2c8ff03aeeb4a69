"""The niceness of programs with a session of their own."""

import functools
import os
import sys
import time
from pathlib import Path

PROC = Path("/proc")
TRIES = 20
WAIT = 0.1  # seconds: for users but root, Linux takes one change of this kind in that time


def share_less(pid: int) -> None:
    """Gives the group of a process that leads a session the niceness of the process.

    Linux shares the processors among sessions first (autogroup). So the niceness of a process does
    not count beside other sessions, only that of its group. Where the system has no such groups,
    nothing is done. If the system refuses the change, stderr says so once.
    """
    group = PROC / str(pid) / "autogroup"
    if not group.exists():
        return
    why = "busy"
    for _ in range(TRIES):
        try:
            niceness = os.getpriority(os.PRIO_PROCESS, pid)
            if niceness > 0:
                group.write_text(str(niceness))
        except BlockingIOError:
            time.sleep(WAIT)
        except (ProcessLookupError, FileNotFoundError):
            return  # it has ended
        except OSError as error:
            why = error.strerror or "refused"
            break
        else:
            return
    _tell(f"niceness: /proc/PID/autogroup: {why}: the games take as much time as other sessions")


@functools.cache
def _tell(text: str) -> None:
    print(text, file=sys.stderr)
