"""A file of JSON lines that a run appends to, and from which it continues."""

import fcntl
import hashlib
import json
from pathlib import Path
from typing import Any


class JournalError(Exception):
    """A run cannot continue with this journal."""


class Journal:
    """The journal of a run, which only this run may write. Its lines name the run's config."""

    def __init__(self, path: Path, config: dict[str, Any], *, first: str) -> None:
        """Opens the journal; an incomplete last line does not count.

        first: the first key of every line. Raises JournalError if the file is not writable, no
        journal, or of another config. Then the file is left as it is.
        """
        self.path = path
        self.digest = digest(config)
        try:
            self._file = path.open("a+b", buffering=0)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{path}: another run is writing to it") from None
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from None
        self._file.seek(0)
        text = self._file.read()
        self.lines = _lines(path, text, first, self.digest)
        self._whole = text.rfind(b"\n") + 1  # bytes of complete lines

    def add(self, line: dict[str, Any]) -> None:
        """Adds a line and the digest of the config to it. Raises JournalError."""
        text = json.dumps({**line, "config": self.digest}).encode() + b"\n"
        written = 0
        try:
            self._file.truncate(self._whole)
            while written < len(text):
                written += self._file.write(text[written:])
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}") from None
        self._whole += written


def read_journal(path: Path, config: dict[str, Any], *, first: str) -> list[dict[str, Any]]:
    """Returns the complete lines, also of a run that goes on. Raises JournalError."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror}") from None
    return _lines(path, text, first, digest(config))


def digest(config: dict[str, Any]) -> str:
    """Returns what the lines of a config have in common."""
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]


def _lines(path: Path, text: bytes, first: str, wanted: str) -> list[dict[str, Any]]:
    begin = f'{{"{first}"'.encode()
    if text and not text.startswith(begin[: len(text)]):
        raise JournalError(f"{path}: not a journal of this program")
    *whole, rest = text.split(b"\n")
    lines = []
    for number, line in enumerate(whole, 1):
        try:
            lines.append(json.loads(line))
        except ValueError as error:
            raise JournalError(f"{path}: line {number}: {error}") from None
    if not lines and _is_json(rest):
        raise JournalError(f"{path}: not a journal of this program")
    for number, line in enumerate(lines, 1):
        if not isinstance(line, dict):
            raise JournalError(f"{path}: line {number}: not a line of a journal")
        if line.get("config") != wanted:
            raise JournalError(f"{path}: line {number} is of another config")
    return lines


def _is_json(text: bytes) -> bool:
    """Whether a text without a line end is complete; a run writes the line end with the line."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
