"""A file of JSON lines that a run appends to, and from which it continues."""

import fcntl
import hashlib
import json
from pathlib import Path
from typing import IO, Any


class JournalError(Exception):
    """A run cannot continue with this journal."""


class Journal:
    """The journal of a run, which only this run may write. Its lines name the run's config."""

    def __init__(self, path: Path, config: dict[str, Any], *, first: str) -> None:
        """Opens the journal and removes an incomplete last line.

        first: the first key of every line. Raises JournalError if the file is not writable, no
        journal, or of another config.
        """
        self.digest = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]
        self.begin = f'{{"{first}"'.encode()
        try:
            self.file: IO[bytes] = path.open("a+b")
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{path}: another run is writing to it") from None
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from None
        self.lines = self._read(path)

    def _read(self, path: Path) -> list[dict[str, Any]]:
        self.file.seek(0)
        text = self.file.read()
        whole = text[: text.rfind(b"\n") + 1]
        if text and not text.startswith(self.begin[: len(text)]):
            raise JournalError(f"{path}: no lines of a tuning")
        lines = []
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                lines.append(json.loads(line))
            except ValueError as error:
                raise JournalError(f"{path}: line {number}: {error}") from None
        if any(line.get("config") != self.digest for line in lines):
            raise JournalError(f"{path}: lines of another config")
        self.file.truncate(len(whole))
        return lines

    def add(self, line: dict[str, Any]) -> None:
        """Adds a line and the digest of the config to it."""
        self.file.write(json.dumps({**line, "config": self.digest}).encode() + b"\n")
        self.file.flush()
