"""The niceness of programs with a session of their own."""

import os
import sys
import time
from pathlib import Path

TRIES = 20
WAIT = 0.1  # seconds: for users but root, Linux takes one change of this kind in that time


def share_less(pid: int) -> None:
    """Gives the group of a process that leads a session the niceness of the process.

    Linux shares the processors among sessions first (autogroup). So the niceness of a process does
    not count beside other sessions, only that of its group. Where the system has no such groups,
    nothing is done. If the system does not take the change, stderr says so.
    """
    group = Path(f"/proc/{pid}/autogroup")
    if not group.exists():
        return
    for _ in range(TRIES):
        try:
            group.write_text(str(os.getpriority(os.PRIO_PROCESS, pid)))
        except BlockingIOError:
            time.sleep(WAIT)
        except ProcessLookupError:
            return  # it has ended
        except OSError as error:
            print(f"{group}: {error.strerror}: the niceness does not count", file=sys.stderr)
            return
        else:
            return
    print(f"{group}: busy: the niceness does not count", file=sys.stderr)
