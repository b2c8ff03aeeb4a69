"""The log of a game: each line between the manager and both engines, with its time."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from .store import StoreWriteError

__all__ = ["GameLog"]


class GameLog:
    """Writes one file of lines `SECONDS NAME MARK TEXT`; the seconds count from its opening.

    The marks are `>` to the engine, `<` from it, `!` from its stderr. Any thread may write. An
    error of the disk is stored and raised by `close`, because no engine may lose a game by it.
    """

    def __init__(self, path: Path) -> None:
        """Creates the folder and the file; raises StoreWriteError."""
        self._path = path
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._error: OSError | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise StoreWriteError(f"{path}: {error.strerror}") from None

    def of(self, name: str) -> Callable[[str, str], None]:
        """Returns a function that writes the lines of one engine from mark and text."""
        return lambda mark, text: self._write(name, mark, text)

    def _write(self, name: str, mark: str, text: str) -> None:
        seconds = time.monotonic() - self._began
        with self._lock:
            if self._error is not None or self._file.closed:
                return
            try:
                self._file.write(f"{seconds:9.3f} {name} {mark} {text}\n")
            except OSError as error:
                self._error = error

    def close(self) -> None:
        """Closes the file; raises StoreWriteError if a line could not be written."""
        with self._lock:
            try:
                self._file.close()
            except OSError as error:
                self._error = self._error or error
        if self._error is not None:
            raise StoreWriteError(f"{self._path}: {self._error.strerror}")
