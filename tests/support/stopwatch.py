"""Measures times, and the part of a time that the machine did not take away.

A limit on the time of an answer means little on a busy machine: a process that waits for a core, or
for the host of a virtual machine, is late without a fault. Upper limits are therefore compared with
`own_s`, the time on the watch minus the waits that the system reports. Without reports the two are
equal.

Waits of threads for each other count as well. A fifth of the time on the watch therefore always
remains, and an answer that never comes is noticed at five times its limit at the latest.
"""

import contextlib
import os
import time
from collections.abc import Callable
from typing import TypeVar

import psutil

from arena.stress.cpu_wait import stolen_ms, waited_ms

__all__ = ["Stopwatch", "undisturbed"]

T = TypeVar("T")
TRIES = 5
MOST_WAITED = 0.8
"""The largest share of the time on the watch that is subtracted."""
KEPT_S = 0.01

repeated: list[str] = []
"""The repeated attempts of this process: the test, and the first result."""


class Stopwatch:
    """Measures from its creation; watches this process and all processes that it started.

    The waits of a thread or process end with it: less is then subtracted.
    """

    def __init__(self) -> None:
        self._waited_ms = {pid: waited_ms([pid]) for pid in _ours()}
        self._stolen_ms = stolen_ms()
        self._began = time.monotonic()

    @property
    def wall_s(self) -> float:
        """Returns the seconds since the start."""
        return time.monotonic() - self._began

    @property
    def own_s(self) -> float:
        """Returns the same without waits for a core."""
        wall_s = self.wall_s
        lost_ms = (stolen_ms() - self._stolen_ms) / (os.cpu_count() or 1)
        for pid in _ours():
            lost_ms += max(0.0, waited_ms([pid]) - self._waited_ms.get(pid, 0.0))
        return wall_s - min(lost_ms / 1000, MOST_WAITED * wall_s)


def undisturbed(attempt: Callable[[], T], is_good: Callable[[T], bool]) -> T:
    """Returns the result of an attempt that depends on the clock, for verdicts of a manager.

    A bad attempt is repeated a few times, if the machine took a core away meanwhile. A real fault
    repeats, too.
    """
    for _ in range(TRIES - 1):
        watch = Stopwatch()
        result = attempt()
        if is_good(result) or watch.wall_s - watch.own_s < KEPT_S:
            return result
        test = os.environ.get("PYTEST_CURRENT_TEST", "no test").removesuffix(" (call)")
        repeated.append(f"{test}: {result!r}"[:200])
    return attempt()


def _ours() -> list[int]:
    """Returns the ids of this process and of those that it started."""
    ours = psutil.Process()
    with contextlib.suppress(psutil.Error):
        return [ours.pid, *(child.pid for child in ours.children(recursive=True))]
    return [os.getpid()]
