"""How long processes were ready to run and had to wait for a core: the machine's part of a delay.

Linux counts it for each thread. Elsewhere nobody says, and nothing is excused.
"""

import contextlib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["waited_ms"]

NS_PER_MS = 1e6


def waited_ms(pids: Iterable[int]) -> float:
    """Returns the ms that all living threads of the processes have waited since they began.

    The waits of threads that run beside each other add up: of a process whose threads wait for
    each other, as a brain's reader and its main thread do, the sum is what was lost.
    """
    return sum(_waited_ns(pid) for pid in pids) / NS_PER_MS


def _waited_ns(pid: int) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError, IndexError, ValueError):
                total += int((task / "schedstat").read_text(encoding="ascii").split()[1])
    return total
