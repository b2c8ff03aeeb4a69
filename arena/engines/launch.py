"""The start of a brain: three pipes, a mark in its environment, its own temporary folder.

A one-file executable unpacks files and cannot remove them if it is killed. Each brain therefore
gets a temporary folder that only it uses. The folder is removed after the brain.
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
"""The environment variables for the temporary folder, on POSIX and Windows."""
_OURS = {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOSPC}
"""Errors of the machine, which ran out of a resource; they say nothing about the command."""


class Launch:
    """Holds the started process of a brain, its mark and its folder."""

    def __init__(self, command: Sequence[str], cwd: Path | None) -> None:
        """Starts the command; raises CannotStartError if that fails.

        Raises OSError if the machine is out of processes, files, memory or disk space.
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
        """Returns the names of the files that the brain left in its temporary folder."""
        return self._folder.left()

    def forget(self) -> None:
        """Removes the temporary folder. Call it after the brain has ended."""
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
            where = f" in {cwd}, which is not a folder"
    return shown(f"cannot start {name}{where}: {text}")
