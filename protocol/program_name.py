"""Reads the level from the name of the program, for managers that pass no arguments.

A copy of the executable named `pbrain-tengen-level3`, or `tengen3`, plays level 3.
"""

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from pyengine.constants import MAX_LEVEL, MIN_LEVEL

# "level" and a number end the name; the short form is the bare name and a number.
_LEVEL: Final = re.compile(r"(?:^|[-_. ])level[-_ ]?(\d{1,9})$", re.IGNORECASE)
_SHORT: Final = re.compile(r"^(?:pbrain[-_])?tengen(\d{1,2})$", re.IGNORECASE)


@dataclass(frozen=True)
class NamedLevel:
    """The level in a name, or a note about a level that does not exist."""

    level: int | None = None
    note: str | None = None


def level_of(program: str) -> NamedLevel:
    """Reads the level from the path of a program; without one, the result has neither field.

    The short form reads only numbers that are levels: `pbrain-tengen64` names a processor.
    """
    name = PurePath(program).name
    if name.lower().endswith(".exe"):
        name = name[:-4]
    if long := _LEVEL.search(name):
        number = int(long[1])
        if MIN_LEVEL <= number <= MAX_LEVEL:
            return NamedLevel(level=number)
        return NamedLevel(
            note=f"the program is named for level {number}, but levels are {MIN_LEVEL} to "
            f"{MAX_LEVEL}: playing at full strength"
        )
    short = _SHORT.match(name)
    if short and MIN_LEVEL <= int(short[1]) <= MAX_LEVEL:
        return NamedLevel(level=int(short[1]))
    return NamedLevel()
