"""The processes below a manager: its workers and their brains."""

import contextlib
import time
from collections.abc import Callable, Iterator

import psutil

PATIENCE_S = 60.0


def workers_of(pid: int) -> list[psutil.Process]:
    """Returns the worker processes of a manager."""
    return [child for child, words in descendants(pid) if "spawn_main" in words]


def descendants(pid: int) -> Iterator[tuple[psutil.Process, str]]:
    """Returns all living descendants of a process, with their command lines."""
    for child in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            yield child, " ".join(child.cmdline())


def wait_until(happened: Callable[[], bool]) -> None:
    """Waits for a condition, with a limit."""
    until = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def brains_of(pid: int) -> int:
    """Returns the number of fakes that a manager has running."""
    return sum("fake_brain" in words for _, words in descendants(pid))
