"""Writes files as a whole, with errors that name the file."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from records.text import replace_bytes

__all__ = ["naming", "replace_text"]


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Adds the path to an OSError that names no file, such as one from a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def replace_text(path: Path, text: str) -> None:
    """Replaces a file in one step. A program that has opened the old file still reads that one.

    Raises OSError, with the path, and then keeps the old file.
    """
    with naming(path):
        replace_bytes(path, text.encode())
