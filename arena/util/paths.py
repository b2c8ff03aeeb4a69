"""Paths from the command line. A name that no file can have counts as missing."""

import os
import re
from pathlib import Path

from records.text import replace_bytes

__all__ = [
    "all_numbered",
    "exists",
    "file_name",
    "game_path",
    "is_dir",
    "is_file",
    "next_numbered",
    "replace_text",
]

LONGEST = 100  # bytes; the name of a file has at most 255 and may join two names


def exists(path: str | Path) -> bool:
    """Says whether the path exists."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def is_file(path: str | Path) -> bool:
    """Says whether the path is a file."""
    try:
        return Path(path).is_file()
    except OSError:
        return False


def is_dir(path: str | Path) -> bool:
    """Says whether the path is a folder."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def game_path(path: Path) -> Path:
    """Returns the path at which to store a game; without a known suffix it gets .psq.

    Raises OSError, RuntimeError or ValueError for a path that cannot be written.
    """
    path = path.expanduser()
    return path if path.suffix in (".psq", ".sgf") else path.with_name(path.name + ".psq")


def file_name(name: str) -> str:
    """Returns a name in a form that a file can have."""
    plain = re.sub(r"[^\w.#+-]+", "_", name)
    return plain.encode()[:LONGEST].decode(errors="ignore")


def replace_text(path: Path, text: str) -> None:
    """Writes a file of text in one step, with the line ends of the system. Raises OSError."""
    replace_bytes(path, text.replace("\n", os.linesep).encode())


def _numbers(home: Path, stem: str) -> list[int]:
    pattern = re.compile(re.escape(stem) + r"-(\d{3,})")
    found = [pattern.fullmatch(path.name) for path in home.glob("*")]
    return sorted(int(match[1]) for match in found if match)


def next_numbered(home: Path, stem: str) -> Path:
    """Returns `home/stem-NNN` with the number after the highest in use."""
    last = max(_numbers(home, stem), default=0)
    return home / f"{stem}-{last + 1:03}"


def all_numbered(home: Path, stem: str) -> list[Path]:
    """Returns all folders `home/stem-NNN`, the highest number first."""
    return [home / f"{stem}-{number:03}" for number in reversed(_numbers(home, stem))]
