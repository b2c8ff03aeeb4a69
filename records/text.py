"""Reads and writes files, in the same way for all formats."""

import codecs
import errno
import os
import re
from pathlib import Path

from records.errors import FormatError

__all__ = [
    "MAX_BYTES",
    "MAX_LIST_BYTES",
    "decode",
    "plain",
    "read_bytes",
    "read_text",
    "replace_bytes",
]

MAX_BYTES = 16 << 20
"""The largest size of a game file. It stops the reading of a device or a film."""
MAX_LIST_BYTES = 256 << 20
"""The largest size of a .jsonl file: enough for a match of about 10,000 games."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHARSET = re.compile(rb"\(\s*;[^(]*?\bCA\s*\[\s*([\w.:+-]{1,40})\s*\]")
_HEAD = 4096


def decode(data: bytes) -> str:
    """Returns the text of a file, with \\n as its only line end.

    The charset is that of a byte order mark, else that named by an .sgf (CA), else UTF-8. Other
    bytes are Windows-1252, the usual charset of names in old files. It never fails: moves are ASCII
    in all charsets, and each reader checks them.
    """
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return plain(data[len(mark) :].decode(charset, "replace"))
    named = _CHARSET.search(data[:_HEAD])
    charsets = ["utf-8", "cp1252"]
    if named is not None:
        charsets.insert(0, named[1].decode("ascii", "replace"))
    for charset in charsets:
        try:
            return plain(data.decode(charset))
        except (LookupError, ValueError):
            continue
    return plain(data.decode("latin-1"))


def plain(text: str) -> str:
    """Returns a text without byte order mark, with \\n as its only line end."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path | str) -> str:
    """Returns the text of a file; raises FormatError if it cannot be read."""
    return decode(read_bytes(path))


def read_bytes(path: Path | str) -> bytes:
    """Returns the bytes of a file; raises FormatError if it cannot be read."""
    most = MAX_LIST_BYTES if Path(path).suffix.lower() == ".jsonl" else MAX_BYTES
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", source=str(path)) from None
    except ValueError as error:  # a name with a NUL
        raise FormatError(f"cannot be read: {error}", source=ascii(str(path))) from None
    if len(data) > most:
        raise FormatError(
            f"is larger than {most >> 20} MiB: expected a game file", source=str(path)
        )
    return data


def replace_bytes(path: Path, data: bytes) -> None:
    """Writes a file in one step: a reader sees the old bytes or the new ones.

    A link keeps its target. A device or a pipe is written to and never replaced. Raises OSError.
    """
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
