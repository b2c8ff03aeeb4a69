"""Finds the version of glibc that the files of a package need."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .targets import ReleaseError

ELF: Final = b"\x7fELF"
_VERSION: Final = re.compile(rb"GLIBC_2\.(\d+)")


def needed(content: bytes) -> int:
    """Returns the N of the highest GLIBC_2.N that a program or library names; 0 if none."""
    return max(map(int, _VERSION.findall(content)), default=0)


def check_folder(folder: Path, newest: int) -> int:
    """Returns how many programs and libraries lie in a folder.

    Raises ReleaseError where one needs a glibc newer than 2.`newest`, or where there is none.
    """
    files = ((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*"))
    return _check(
        ((name, path.read_bytes()) for name, path in files if path.is_file()), folder.name, newest
    )


def check_one_file(program: Path, newest: int) -> int:
    """Does the same for a one-file executable of PyInstaller, and for all that it unpacks."""
    from PyInstaller.archive.readers import CArchiveReader

    archive = CArchiveReader(str(program))
    held = ((name, archive.extract(name)) for name in archive.toc)
    entries = ((name, content) for name, content in held if isinstance(content, bytes))
    start = iter([(program.name, program.read_bytes())])
    return _check((entry for part in (start, entries) for entry in part), program.name, newest)


def _check(entries: Iterator[tuple[str, bytes]], whole: str, newest: int) -> int:
    count = 0
    for name, content in entries:
        if not content.startswith(ELF):
            continue
        count += 1
        if needed(content) > newest:
            raise ReleaseError(
                f"{whole}: {name} needs glibc 2.{needed(content)}: expected 2.{newest} at most"
            )
    if not count:
        raise ReleaseError(f"{whole} holds no program and no library")
    return count
