"""The store of a match: a file with one JSON line for each finished game."""

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

from ..game.record import Count, GameRecord
from ..util.json_text import read_json

__all__ = ["GameStore", "StoreError", "StoreWriteError", "StoredGame", "read_store"]


class StoreError(RuntimeError):
    """Says what is wrong with a store: the file, the line, and what was expected."""


class StoreWriteError(StoreError):
    """Says that a finished game could not be written: the file, and why."""


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
        """Reads what `to_json` wrote; raises ValueError for anything else."""
        values: Any = read_json(text)
        if not isinstance(values, dict) or set(values) != {"id", "pair", "record"}:
            raise ValueError("expected an object with id, pair and record")
        head = msgspec.convert(values, _Head)
        return cls(head.id, head.pair, GameRecord.from_values(values["record"]))


@dataclass(frozen=True)
class _Head:
    """Holds what a line says besides the record."""

    id: str
    pair: Count


def read_store(path: Path) -> list[StoredGame]:
    """Returns the games of a store, the first of those with one id; none where there is no file.

    A last line that was cut off is no game. Raises StoreError for any other that is none.
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
    """Appends games to a file, each at once and whole; one process at a time, except on Windows.

    Also a context manager.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file, making it and its folder, and takes off a last line that was cut off."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("a+b", buffering=0)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
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
        """Where the file lies."""
        return self._path.parent

    def close(self) -> None:
        """Closes the file: now another process may write to it."""
        self._file.close()

    def append(self, game: StoredGame) -> None:
        """Writes a game; when this returns, no kill of this process can lose it."""
        rest = game.to_json().encode("utf-8") + b"\n"
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise StoreWriteError(f"{self._path}: {error.strerror}") from None

    def _mend(self) -> None:
        """Makes the file end with a whole line."""
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
    """Sees to it that no other process writes to the file; the lock goes with the process."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise StoreError(f"{path}: another run is writing to it") from None
