"""The start of a brain: three pipes, a mark in its environment, a temporary folder of its own.

A brain that is killed cannot remove what it has unpacked, as a one-file executable does. Therefore
its temporary folder is one that only it knows, and is removed with it.
"""

import contextlib
import errno
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..util.faults import CannotStartError
from ..util.output import shown
from . import reaper
from .process_tree import MARK_VARIABLE
from .scratch import ScratchFolder

__all__ = ["Launch"]

PREFIX = "arena-brain-"
TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""The variables that name the folder for temporary files, of POSIX and of Windows."""
_OURS = {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOSPC}
"""Errors that say nothing against the command: it is the machine that has run out of something."""


class Launch:
    """Holds the process that a brain was started as, its mark, and its folder."""

    def __init__(self, command: Sequence[str], cwd: Path | None) -> None:
        """Starts the command; raises CannotStartError where it cannot be.

        Raises OSError where the machine has run out of processes, files, memory or space.
        """
        self._folder = ScratchFolder(PREFIX)
        self.mark = self._folder.mark
        try:
            self.process = _start(command, cwd, self._folder)
        except BaseException:
            self._folder.remove()
            raise
        reaper.started(self.mark, self.process.pid)

    def left(self) -> list[str]:
        """Returns the names of what the brain has left in its temporary folder."""
        return self._folder.left()

    def forget(self) -> None:
        """Removes the temporary folder; the brain has ended."""
        self._folder.remove()


def _start(
    command: Sequence[str], cwd: Path | None, folder: ScratchFolder
) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    own = {MARK_VARIABLE: folder.mark, **dict.fromkeys(TEMPORARY, str(folder.path))}
    try:
        return subprocess.Popen(
            list(command),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            cwd=cwd,
            env={**os.environ, **own},
            start_new_session=True,
        )
    except (OSError, ValueError, IndexError) as error:
        if isinstance(error, OSError) and error.errno in _OURS:
            raise
        raise CannotStartError(_why_not(command, cwd, error)) from None


def _why_not(command: Sequence[str], cwd: Path | None, error: Exception) -> str:
    name = command[0] if command else "the empty command"
    text = getattr(error, "strerror", None) or error
    where = ""
    with contextlib.suppress(OSError):
        if cwd is not None and not cwd.is_dir():
            where = f" in {cwd}, which is no folder"
    return shown(f"cannot start {name}{where}: {text}")
