"""Tells how far a review is: a bar at a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from ..util.output import complain

__all__ = ["Teller", "telling"]

_SECONDS = 10.0


class Teller(Protocol):
    """Takes how many positions are judged."""

    def __call__(self, done: int) -> None:
        """Tells it."""


@contextmanager
def telling(total: int, *, plain: bool = False) -> Iterator[Teller]:
    """Yields what tells of the progress, on standard error."""
    if plain or not sys.stderr.isatty():
        yield _Lines(total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), "positions", TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)

        def tell(done: int) -> None:
            progress.update(task, completed=done)

        yield tell


class _Lines:
    """Writes a line when ten seconds have passed since the last one, and at the end."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._said = time.monotonic()

    def __call__(self, done: int) -> None:
        if done == self._total or time.monotonic() - self._said >= _SECONDS:
            self._said = time.monotonic()
            complain(f"{done} of {self._total} positions")
