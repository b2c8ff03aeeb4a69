"""Brains for the tests of the arena, and what the tests need to start and to count them."""

import os
import sys
import time
import uuid
from pathlib import Path

import psutil

from arena.engines.process import MARK_VARIABLE

__all__ = ["fake", "no_brain_is_left"]

SCRIPT = Path(__file__).with_name("fake_brain.py")
RUN_VARIABLE = "ARENA_TEST_RUN"
RUN = os.environ.setdefault(RUN_VARIABLE, uuid.uuid4().hex)
"""Tells the processes of this run of tests from those of another one on the same machine."""


def fake(fault: str = "none", **keys: object) -> list[str]:
    """Returns the command of a brain with a fault; the keys are told in its script."""
    words = [f"{key}={value}" for key, value in keys.items()]
    return [sys.executable, "-S", "-E", str(SCRIPT), fault, *words]


def no_brain_is_left() -> bool:
    """Says whether no process that a brain started, or was, is there a moment later."""
    until = time.monotonic() + 30
    while left := [process for process in psutil.process_iter() if _is_ours(process)]:
        if time.monotonic() > until:
            print("left behind:", left)
            return False
        time.sleep(0.02)
    return True


def _is_ours(process: psutil.Process) -> bool:
    try:
        words = process.cmdline()
        environment = process.environ()
    except (psutil.Error, OSError):
        return False
    if MARK_VARIABLE not in environment or environment.get(RUN_VARIABLE) != RUN:
        return False
    return any("fake_brain" in word or "time.sleep(600)" in word for word in words)
