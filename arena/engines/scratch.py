"""Temporary folders that are removed even if this process is killed."""

import contextlib
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

from . import reaper

__all__ = ["ScratchFolder", "temporary_folder"]


class ScratchFolder:
    """Holds a temporary folder under a mark; the reaper removes it if this process cannot.

    The reaper also ends processes that carry the mark in their environment.
    """

    def __init__(self, prefix: str) -> None:
        """Creates the folder in the system's temporary folder; raises OSError if that fails."""
        self.mark = uuid.uuid4().hex
        self.path = Path(tempfile.gettempdir()) / f"{prefix}{self.mark}"
        reaper.guard(self.mark, self.path)
        try:
            self.path.mkdir(mode=0o700)
        except OSError:
            reaper.release(self.mark)
            raise

    def left(self) -> list[str]:
        """Returns the names of the files in the folder."""
        with contextlib.suppress(OSError):
            return sorted(path.name for path in self.path.iterdir())
        return []

    def remove(self) -> None:
        """Removes the folder. The reaper removes the rest later."""
        shutil.rmtree(self.path, ignore_errors=True)
        if not self.path.exists():
            reaper.release(self.mark)


@contextlib.contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Yields a folder and removes it afterwards."""
    folder = ScratchFolder(prefix)
    try:
        yield folder.path
    finally:
        folder.remove()
