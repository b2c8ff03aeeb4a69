"""The latch: an exception at any moment of a wait or a set leaves it usable."""

import functools
import itertools
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from pyengine._latch import Latch


class Interrupted(BaseException):
    """What a handler raises."""


def ends_before(action: Callable[[], object], moment: int) -> bool:
    """Does it, and raises at a step of its Python code; returns whether it has fewer steps."""
    steps = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal steps
        frame.f_trace_opcodes = True
        if event == "opcode":
            steps += 1
            if steps == moment:
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    except Interrupted:
        return False
    finally:
        sys.settrace(before)
    return True


def is_usable(latch: Latch) -> bool:
    """Whether threads can set it and wait for it."""
    threads = [
        threading.Thread(target=work, daemon=True)
        for work in (lambda: latch.wait(60), latch.set, lambda: latch.wait(60))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    return not any(thread.is_alive() for thread in threads) and latch.is_set()


@pytest.mark.parametrize(
    "action", [Latch.set, lambda latch: latch.wait(0.001)], ids=["set", "wait"]
)
def test_an_exception_at_any_moment_leaves_it_usable(action: Callable[[Latch], object]) -> None:
    """An event of `threading` then hangs."""
    for moment in itertools.count(1):
        latch = Latch()
        over = ends_before(functools.partial(action, latch), moment)
        assert is_usable(latch), moment
        if over:
            break
    assert moment > 5


def test_all_who_wait_are_woken() -> None:
    latch = Latch()
    threads = [threading.Thread(target=latch.wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert not latch.is_set()
    assert not latch.wait(0)
    latch.set()
    for thread in threads:
        thread.join(60)
    assert latch.wait(0)
    assert latch.wait()
