"""Measures how long processes were ready to run but had no CPU.

Linux counts this wait for each thread. It also counts the time that the host of a virtual machine
took. Other systems report neither, and the functions return 0.
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["stolen_ms", "waited_ms"]

NS_PER_MS = 1e6
STOLEN = 8
"""The index of the stolen ticks in the first line of /proc/stat."""


def waited_ms(pids: Iterable[int]) -> float:
    """Returns the ms that all living threads of the processes have waited since they began.

    The waits of all threads are added. The sum is the lost time if the threads wait for each
    other, as the reader and the main thread of an engine do. Ended threads do not count.
    """
    return sum(_waited_ns(pid) for pid in pids) / NS_PER_MS


def stolen_ms() -> float:
    """Returns the CPU time in ms that the host took from this machine, in clock ticks."""
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
