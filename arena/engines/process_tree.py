"""The processes of one brain: the started process and all its descendants."""

import contextlib
import time
from pathlib import Path

import psutil

__all__ = ["MARK_VARIABLE", "ProcessTree", "is_alive"]

MARK_VARIABLE = "ARENA_BRAIN_MARK"
"""A variable in the environment of a brain. All children inherit it, daemons too."""


STOP_S = 0.5
"""The longest wait for a process to stop; one in a system call runs on for a moment."""


def is_alive(process: psutil.Process) -> bool:
    """Says whether a process exists and is not a zombie."""
    with contextlib.suppress(psutil.Error):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


class ProcessTree:
    """Finds, measures, suspends and resumes a process and its descendants.

    A process stays in the tree after its parent has ended.
    """

    def __init__(self, pid: int, mark: str) -> None:
        """Takes the id of the root and the value of MARK_VARIABLE in its environment."""
        self._pid = pid
        self._mark = mark
        self._seen: set[psutil.Process] = set()
        self._suspended: set[psutil.Process] = set()

    def living(self) -> list[psutil.Process]:
        """Returns the living processes of the tree."""
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self._pid)
            self._seen.add(root)
            self._seen.update(root.children(recursive=True))
        return [process for process in self._seen if is_alive(process)]

    def find_marked(self) -> None:
        """Adds the processes that have the mark, also those outside the tree."""
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(MARK_VARIABLE) == self._mark:
                    self._seen.add(process)

    def private_bytes(self) -> int:
        """Returns the private memory (USS) of all processes together."""
        total = 0
        for process in self.living():
            with contextlib.suppress(psutil.Error):
                total += int(process.memory_full_info().uss)
        return total

    def root_peak_bytes(self) -> int:
        """Returns the peak working set of the root."""
        with contextlib.suppress(OSError, ValueError, StopIteration):
            lines = Path(f"/proc/{self._pid}/status").read_text(encoding="ascii").splitlines()
            found = next(line for line in lines if line.startswith("VmHWM:"))
            return int(found.split()[1]) << 10
        with contextlib.suppress(psutil.Error):
            info = psutil.Process(self._pid).memory_info()
            return int(getattr(info, "peak_wset", info.rss))
        return 0

    @property
    def is_suspended(self) -> bool:
        """Says whether the tree is suspended."""
        return bool(self._suspended)

    def suspend(self) -> None:
        """Stops every process of the tree, also processes started meanwhile.

        A parent that forwards signals, such as the loader of a one-file executable, can wake a
        child with an earlier SIGCONT. The method therefore repeats until all processes stood still
        twice.
        """
        until = time.monotonic() + STOP_S
        calm = 0
        while calm < 2 and time.monotonic() < until:
            running = [process for process in self.living() if _runs(process)]
            for process in running:
                self._suspended.add(process)
                with contextlib.suppress(psutil.Error):
                    process.suspend()
            calm = 0 if running else calm + 1
            if running:
                time.sleep(0.001)

    def resume(self) -> None:
        """Continues every process that `suspend` stopped."""
        for process in self._suspended:
            with contextlib.suppress(psutil.Error):
                process.resume()
        self._suspended.clear()

    def others(self) -> list[psutil.Process]:
        """Returns the living processes other than the root."""
        return [process for process in self.living() if process.pid != self._pid]


def _runs(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return process.status() not in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE)
    return False
