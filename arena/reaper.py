"""Ends the brains of a manager that is itself killed, where it could not do so any more.

A manager that gets SIGKILL cannot tidy up, and a brain that hangs or is suspended does not see
that its input has ended. So a small process of its own is told of each brain, by a pipe that only
the manager holds; when that ends, the process kills the brains that do not leave of themselves, and
leaves. What they were started by is killed last: the loader of a one-file executable removes what
it has unpacked when its child is gone, and nobody else does.
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

LEAVE_S = 0.7
"""The end of its input is enough for a brain in good order."""
LOADER_S = 0.5
KILL_S = 2.0
LOOK_S = 0.01

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
    wanted = {mark for _, mark in brains}
    _signal(_marked(wanted), signal.SIGCONT)
    _wait(wanted, LEAVE_S)
    living = _marked(wanted)
    _signal({pid for pid in living if _parent(pid) in living}, signal.SIGKILL)
    _wait(wanted, LOADER_S)
    # More than once: a child may be started while its parent is being killed.
    until = time.monotonic() + KILL_S
    while (living := _marked(wanted)) and time.monotonic() < until:
        _signal(living, signal.SIGKILL)
        time.sleep(LOOK_S)


def _wait(marks: set[str], seconds: float) -> None:
    """Waits until no process carries a mark, so long at most."""
    until = time.monotonic() + seconds
    while _marked(marks) and time.monotonic() < until:
        time.sleep(LOOK_S)


def _marked(marks: set[str]) -> set[int]:
    """Returns the living processes that carry a mark: a dead one shows an empty environment."""
    found = set()
    wanted = {f"ARENA_BRAIN_MARK={mark}".encode() for mark in marks}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted & set((folder / "environ").read_bytes().split(b"\0")):
                found.add(int(folder.name))
    return found


def _parent(pid: int) -> int:
    """Returns the process that started another, 0 where that is gone."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        # The name, in brackets, may hold anything.
        return int(
            Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()[1]
        )
    return 0


def _signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


if __name__ == "__main__":
    _main()
