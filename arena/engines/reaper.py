"""Ends the brains of a manager that is itself killed, and removes their temporary folders.

A manager that gets SIGKILL cannot tidy up, and a brain that hangs or is suspended does not see
that its input has ended. So a small process of its own is told of each brain before the brain is
started, by a pipe that only the manager holds. When that pipe ends, the process kills what is left
of the brains, waits until all of it is gone, and removes the folders. A process that the manager
was just about to start holds a copy of the pipe until it runs its program, and is found then.

Nothing here has a limit in seconds: on a busy machine a second is over before anything happened.
This file is also that process's program, and uses the standard library only.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

__all__ = ["guard", "release", "started"]

LOOKS = 70
"""So many looks a brain has to leave by itself at the end of its input."""
LOOK_S, LONGEST_LOOK_S = 0.01, 1.0

_lock = threading.Lock()
_reaper: "subprocess.Popen[bytes] | None" = None
_owner = 0
_guarded: dict[str, list[str]] = {}
"""The lines that a new reaper is told, by mark."""


def guard(mark: str, folder: Path | None = None) -> None:
    """Has everything that carries a mark killed when this process is gone, and a folder removed.

    It is called before there is such a process, or such a folder.
    """
    path = "" if folder is None else os.fsencode(folder).hex()
    _tell(mark, f"+ {mark} {path}\n")


def started(mark: str, pid: int) -> None:
    """Says which process leads the group of a mark; elsewhere than on Linux the group is killed."""
    _tell(mark, f"= {mark} {pid}\n")


def release(mark: str) -> None:
    """Says that nothing carries a mark any more, and that its folder is gone."""
    with _lock:
        _guarded.pop(mark, None)
    _tell(None, f"- {mark}\n")


def _tell(mark: str | None, line: str) -> None:
    global _reaper, _owner
    if os.name != "posix":
        return
    with _lock:
        # After a fork the parent's reaper is not ours: it looks after the parent.
        if _owner != os.getpid():
            _reaper, _owner = None, os.getpid()
            _guarded.clear()
        if mark is not None:
            _guarded.setdefault(mark, []).append(line)
        with contextlib.suppress(BrokenPipeError):
            if _reaper is not None:
                _write(_reaper, line)
                return
        if _guarded:
            _reaper = _start()
            _write(_reaper, "".join(line for lines in _guarded.values() for line in lines))


def _write(reaper: "subprocess.Popen[bytes]", text: str) -> None:
    assert reaper.stdin
    rest = text.encode("ascii")
    while rest:
        rest = rest[reaper.stdin.write(rest) :]


def _start() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-S", "-E", str(Path(__file__).resolve())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        cwd="/",
        start_new_session=True,
    )


def _main() -> None:
    """Reads what is to be killed and removed, until there is nobody left to say so."""
    folders: dict[str, str] = {}
    groups: dict[str, int] = {}
    for line in sys.stdin:
        if not line.endswith("\n"):
            break  # torn: half a path is the path of something else
        sign, mark, *rest = line.split()
        if sign == "+":
            folders[mark] = os.fsdecode(bytes.fromhex(rest[0])) if rest else ""
        elif sign == "=":
            groups[mark] = int(rest[0])
        else:
            folders.pop(mark, None)
            groups.pop(mark, None)
    if Path("/proc/self/environ").exists():
        _end(set(folders))
    else:
        for pid in groups.values():
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
    for mark, folder in folders.items():
        if folder.endswith(mark):
            _remove(folder)


def _end(marks: set[str]) -> None:
    """Returns when no process carries a mark any more."""
    _signal(_marked(marks), signal.SIGCONT)
    for _ in range(LOOKS):
        if not _marked(marks):
            return
        time.sleep(LOOK_S)
    spared: set[int] = set()
    pause = LOOK_S
    # More than once: a child may be started while its parent is being killed.
    while living := _marked(marks) - spared:
        spared |= _signal(living, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_LOOK_S)


def _marked(marks: set[str]) -> set[int]:
    """Returns the living processes that carry a mark: a dead one shows an empty environment."""
    found = set()
    wanted = {f"ARENA_BRAIN_MARK={mark}".encode() for mark in marks}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted & set((folder / "environ").read_bytes().split(b"\0")):
                found.add(int(folder.name))
    return found


def _signal(pids: set[int], number: int) -> set[int]:
    """Sends a signal to processes; returns those that are not ours to signal."""
    spared = set()
    for pid in pids:
        try:
            os.kill(pid, number)
        except PermissionError:
            spared.add(pid)
        except OSError:
            continue
    return spared


def _remove(folder: str) -> None:
    """Removes a folder, also where a brain has taken its rights away."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            os.chmod(path, 0o700)  # noqa: PTH101 - os.walk tells texts
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _main()
