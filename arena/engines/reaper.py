"""Ends the brains of a killed manager and removes their temporary folders.

A manager that gets SIGKILL cannot clean up. A brain that hangs or is suspended does not notice the
end of its input. A small separate process, the reaper, therefore learns of each brain before the
brain starts. It reads a pipe that only the manager holds. When the pipe ends, the reaper kills the
remaining brains, waits until they are gone, and removes the folders. A process that the manager was
about to start holds a copy of the pipe until it runs its program, so the reaper finds it, too.

The reaper has no limit in seconds: on a busy machine a second may pass before anything happens.
This file is also the program of the reaper, and uses the standard library only.
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
"""The number of checks for which a brain may exit by itself after the end of its input."""
LOOK_S, LONGEST_LOOK_S = 0.01, 1.0

_lock = threading.Lock()
_reaper: "subprocess.Popen[bytes] | None" = None
_owner = 0
_guarded: dict[str, list[str]] = {}
"""The lines to repeat to a new reaper, by mark."""


def guard(mark: str, folder: Path | None = None) -> None:
    """Registers a mark and a folder: they are killed and removed when this process is gone.

    Call it before the process or the folder exists.
    """
    path = "" if folder is None else os.fsencode(folder).hex()
    _tell(mark, f"+ {mark} {path}\n")


def started(mark: str, pid: int) -> None:
    """Registers the leader of a mark's process group. Systems other than Linux kill the group."""
    _tell(mark, f"= {mark} {pid}\n")


def release(mark: str) -> None:
    """Unregisters a mark: no process carries it any more, and its folder is gone."""
    with _lock:
        _guarded.pop(mark, None)
    _tell(None, f"- {mark}\n")


def _tell(mark: str | None, line: str) -> None:
    global _reaper, _owner
    if os.name != "posix":
        return
    with _lock:
        # After a fork the reaper belongs to the parent and watches the parent.
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
    """Reads marks and folders until the pipe ends, then kills and removes them."""
    folders: dict[str, str] = {}
    groups: dict[str, int] = {}
    for line in sys.stdin:
        if not line.endswith("\n"):
            break  # torn: half a path is a different path
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
    """Kills the processes of a mark; returns when none is left."""
    _signal(_marked(marks), signal.SIGCONT)
    for _ in range(LOOKS):
        if not _marked(marks):
            return
        time.sleep(LOOK_S)
    spared: set[int] = set()
    pause = LOOK_S
    # Repeat: a child may start while its parent is being killed.
    while living := _marked(marks) - spared:
        spared |= _signal(living, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_LOOK_S)


def _marked(marks: set[str]) -> set[int]:
    """Returns the living processes that carry a mark. A dead one has an empty environment."""
    found = set()
    wanted = {f"ARENA_BRAIN_MARK={mark}".encode() for mark in marks}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted & set((folder / "environ").read_bytes().split(b"\0")):
                found.add(int(folder.name))
    return found


def _signal(pids: set[int], number: int) -> set[int]:
    """Sends a signal to processes; returns those that this user may not signal."""
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
    """Removes a folder, also if a brain has removed its permissions."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            os.chmod(path, 0o700)  # noqa: PTH101 - os.walk tells texts
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _main()
