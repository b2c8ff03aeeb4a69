"""Reads the stamp of a package: the commit that it was built from, and its bench signature."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["FILE", "Stamp", "read_stamp"]

FILE: Final = Path(__file__).with_name("stamp.txt")
"""Written by the builds of packages; the source tree has none."""


@dataclass(frozen=True)
class Stamp:
    """commit: 12 hexadecimal digits, `+changes` after them if the tree differed from the commit,
    or `unknown`. bench: the signature, `0x` and 16 hexadecimal digits.
    """

    commit: str
    bench: str


def read_stamp(file: Path = FILE) -> Stamp | None:
    """Returns the stamp of this package; None in the source tree.

    Raises ValueError, with the file's name, for a damaged stamp.
    """
    try:
        text = file.read_text(encoding="ascii")
    except FileNotFoundError:
        return None
    fields = dict(line.split(" ", 1) for line in text.splitlines() if " " in line)
    if sorted(fields) != ["bench", "commit"]:
        raise ValueError(f"{file} is damaged: expected a line `commit ...` and a line `bench ...`")
    return Stamp(fields["commit"], fields["bench"])
