"""Handles the signals that stop a program: SIGTERM and SIGINT (Ctrl-C)."""

import contextlib
import signal
from collections.abc import Callable, Iterator

__all__ = ["handling", "stopping"]


def stopping(stop: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """Calls `stop` on either signal."""
    return handling(lambda _: stop())


@contextlib.contextmanager
def handling(stop: Callable[[int], None]) -> Iterator[None]:
    """Calls `stop` with the number of the signal. Restores the earlier handlers at the end."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, lambda number, _: stop(number)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
