"""The store of a match: a file with one JSON line for each finished game."""

import contextlib
import json
import os
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import IO, Any

import msgspec

from ..game.record import Count, GameRecord
from ..util.json_text import read_json

__all__ = ["GameStore", "StoreError", "StoreWriteError", "StoredGame", "read_store"]


class StoreError(RuntimeError):
    """A store is damaged; the text names the file, the line, and the expectation."""


class StoreWriteError(StoreError):
    """A file could not be written, as on a full disk; the text names it and the reason."""


@dataclass(frozen=True)
class StoredGame:
    """Holds one game of a store: its job's id and pair, and its record."""

    id: str
    pair: int
    record: GameRecord

    def to_json(self) -> str:
        """Returns one line of JSON, without a line end."""
        head = json.dumps({"id": self.id, "pair": self.pair}, separators=(",", ":"))
        return f'{head[:-1]},"record":{self.record.to_json()}}}'

    @classmethod
    def from_json(cls, text: str) -> "StoredGame":
        """Reads the output of `to_json`; raises ValueError for anything else."""
        values: Any = read_json(text)
        if not isinstance(values, dict) or set(values) != {"id", "pair", "record"}:
            raise ValueError("expected an object with id, pair and record")
        head = msgspec.convert(values, _Head)
        return cls(head.id, head.pair, GameRecord.from_values(values["record"]))


@dataclass(frozen=True)
class _Head:
    """Holds the fields of a line other than the record."""

    id: str
    pair: Count


def read_store(path: Path) -> list[StoredGame]:
    """Returns the games of a store, the first of each id; none if the file is missing.

    An incomplete last line is ignored. Raises StoreError for any other damaged line.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from None
    games: dict[str, StoredGame] = {}
    *lines, rest = data.split(b"\n")
    for number, line in enumerate([*lines, rest], 1):
        if not line.strip():
            continue
        try:
            game = StoredGame.from_json(line.decode("utf-8"))
        except ValueError as error:
            if line is rest:
                break
            raise StoreError(f"{path}, line {number}: not a game: {error}") from None
        games.setdefault(game.id, game)
    return list(games.values())


class GameStore:
    """Appends games to a file, each in one write. Only one process can open it, except on Windows.

    The class is also a context manager.
    """

    def __init__(self, path: Path) -> None:
        """Opens or creates the file and its folder; removes an incomplete last line."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("a+b", buffering=0)
        except OSError as error:
            kind = StoreWriteError if error.errno == ENOSPC else StoreError
            raise kind(f"{path}: {error.strerror}") from None
        try:
            _lock(self._file, path)
            self.games = read_store(path)
            self._mend()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "GameStore":
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the file."""
        self.close()

    @property
    def folder(self) -> Path:
        """Returns the folder of the file."""
        return self._path.parent

    def close(self) -> None:
        """Closes the file. Another process may then write to it."""
        self._file.close()

    def append(self, game: StoredGame) -> None:
        """Writes a game. After the call no kill of this process can lose it."""
        rest = game.to_json().encode("utf-8") + b"\n"
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise StoreWriteError(f"{self._path}: {error.strerror}") from None

    def _mend(self) -> None:
        """Removes an incomplete last line."""
        data = self._path.read_bytes()
        cut = data.rfind(b"\n") + 1
        rest = data[cut:]
        if not rest:
            return
        with contextlib.suppress(ValueError):
            StoredGame.from_json(rest.decode("utf-8"))
            self._file.write(b"\n")
            return
        os.truncate(self._path, cut)


def _lock(file: IO[bytes], path: Path) -> None:
    """Prevents other processes from writing to the file. The lock ends with the process."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise StoreError(f"{path}: another run is writing to it") from None
