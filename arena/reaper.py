"""Ends the brains of a manager that is itself killed, where it could not do so any more.

A manager that gets SIGKILL cannot tidy up, and a brain that hangs or is suspended does not see
that its input has ended. So a small process of its own is told of each brain, by a pipe that only
the manager holds; when that ends, the process kills the brains that were not ended, and leaves.
This file is also that process's program, and uses the standard library only.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

__all__ = ["guard", "release"]

ROUNDS = 200

_lock = threading.Lock()
_reaper: "subprocess.Popen[bytes] | None" = None
_owner = 0


def guard(pid: int, mark: str) -> None:
    """Has a brain killed, with everything that carries its mark, when this process is gone."""
    _tell(f"+ {pid} {mark}\n")


def release(pid: int, mark: str) -> None:
    """Says that a brain was ended."""
    _tell(f"- {pid} {mark}\n")


def _tell(line: str) -> None:
    global _reaper, _owner
    if os.name != "posix":
        return
    with _lock, contextlib.suppress(OSError):
        # After a fork the parent's reaper is not ours: it looks after the parent.
        if _reaper is None or _owner != os.getpid():
            _reaper, _owner = _start(), os.getpid()
        assert _reaper.stdin
        _reaper.stdin.write(line.encode("ascii"))


def _start() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-S", "-E", str(Path(__file__).resolve())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
    )


def _main() -> None:
    """Reads who is to be killed, until there is nobody left to say so."""
    brains: set[tuple[str, str]] = set()
    for line in sys.stdin:
        sign, pid, mark = line.split()
        if sign == "+":
            brains.add((pid, mark))
        else:
            brains.discard((pid, mark))
    if not Path("/proc/self/environ").exists():
        for pid, _ in brains:
            with contextlib.suppress(OSError):
                os.killpg(int(pid), signal.SIGKILL)
        return
    # More than once: a child may be started while its parent is being killed.
    for _ in range(ROUNDS):
        if not brains or not _kill_marked({mark for _, mark in brains}):
            break
        time.sleep(0.01)


def _kill_marked(marks: set[str]) -> int:
    """Kills the living processes that carry a mark and returns how many there were.

    A process that is dead already shows an empty environment.
    """
    count = 0
    wanted = {f"ARENA_BRAIN_MARK={mark}".encode() for mark in marks}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted & set((folder / "environ").read_bytes().split(b"\0")):
                os.kill(int(folder.name), signal.SIGKILL)
                count += 1
    return count


if __name__ == "__main__":
    _main()
