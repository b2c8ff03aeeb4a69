"""Temporary folders that never stay behind, also where this process is killed."""

import contextlib
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

from . import reaper

__all__ = ["ScratchFolder", "temporary_folder"]


class ScratchFolder:
    """Holds a folder under a mark; the reaper removes it if this process cannot.

    Processes that carry the mark in their environment are ended by the reaper, too.
    """

    def __init__(self, prefix: str) -> None:
        """Makes the folder in the system's place for such; raises OSError where that cannot be."""
        self.mark = uuid.uuid4().hex
        self.path = Path(tempfile.gettempdir()) / f"{prefix}{self.mark}"
        reaper.guard(self.mark, self.path)
        try:
            self.path.mkdir(mode=0o700)
        except OSError:
            reaper.release(self.mark)
            raise

    def left(self) -> list[str]:
        """Returns the names of what is in the folder."""
        with contextlib.suppress(OSError):
            return sorted(path.name for path in self.path.iterdir())
        return []

    def remove(self) -> None:
        """Removes the folder. What cannot be removed now, the reaper removes in the end."""
        shutil.rmtree(self.path, ignore_errors=True)
        if not self.path.exists():
            reaper.release(self.mark)


@contextlib.contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Yields a folder that is removed afterwards."""
    folder = ScratchFolder(prefix)
    try:
        yield folder.path
    finally:
        folder.remove()
