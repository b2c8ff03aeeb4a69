"""How long processes were ready to run and got no core: the machine's part of a delay.

Linux counts it for each thread, and what the host of a virtual machine took away for all. Elsewhere
nobody says, and nothing is excused.
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["stolen_ms", "waited_ms"]

NS_PER_MS = 1e6
STOLEN = 8
"""The place of the ticks that the host took in the first line of /proc/stat."""


def waited_ms(pids: Iterable[int]) -> float:
    """Returns the ms that all living threads of the processes have waited since they began.

    The waits of threads that run beside each other add up: of a process whose threads wait for
    each other, as a brain's reader and its main thread do, the sum is what was lost. Of threads
    that have ended nobody knows.
    """
    return sum(_waited_ns(pid) for pid in pids) / NS_PER_MS


def stolen_ms() -> float:
    """Returns the ms of all cores that the host of this machine gave to others, in coarse steps."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        with Path("/proc/stat").open(encoding="ascii") as file:
            ticks = int(file.readline().split()[STOLEN])
        return ticks * 1000 / os.sysconf("SC_CLK_TCK")
    return 0.0


def _waited_ns(pid: int) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError, IndexError, ValueError):
                total += int((task / "schedstat").read_text(encoding="ascii").split()[1])
    return total
