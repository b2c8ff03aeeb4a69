"""How long something took, and how much of it was its own: the rest, the machine kept.

A limit on the time of an answer says little where cores are taken: what waits for one, or for the
host of a virtual machine, is late by nothing of its own. So upper limits are held against `own_s`,
what a watch shows less what the system says was waited. Where it says nothing the two are the same.
Threads that wait for each other count as well, so of what a watch shows a fifth always remains:
what never comes is noticed at five times its limit at the latest.
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
"""Of the time that a watch shows: more is not taken off."""
KEPT_S = 0.01

repeated: list[str] = []
"""The attempts that were repeated in this process: the test, and what came first."""


class Stopwatch:
    """Runs from where it is made; watches this process and all that it has started.

    A thread or process that has ended takes its waits with it: then less is taken off.
    """

    def __init__(self) -> None:
        self._waited_ms = {pid: waited_ms([pid]) for pid in _ours()}
        self._stolen_ms = stolen_ms()
        self._began = time.monotonic()

    @property
    def wall_s(self) -> float:
        """The seconds since it runs."""
        return time.monotonic() - self._began

    @property
    def own_s(self) -> float:
        """The same without what was waited for a core."""
        wall_s = self.wall_s
        lost_ms = (stolen_ms() - self._stolen_ms) / (os.cpu_count() or 1)
        for pid in _ours():
            lost_ms += max(0.0, waited_ms([pid]) - self._waited_ms.get(pid, 0.0))
        return wall_s - min(lost_ms / 1000, MOST_WAITED * wall_s)


def undisturbed(attempt: Callable[[], T], is_good: Callable[[T], bool]) -> T:
    """What an attempt comes to that hangs on the clock, for what is judged as a manager does.

    One that is not good is repeated, a few times, where the machine kept a core from us meanwhile:
    what is wrong of itself is wrong each time.
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
    """The numbers of this process and of those that it has started."""
    ours = psutil.Process()
    with contextlib.suppress(psutil.Error):
        return [ours.pid, *(child.pid for child in ours.children(recursive=True))]
    return [os.getpid()]
