"""A lost game, an engine and points for reviews."""

import shlex
import sys

from arena.rules.referee import Point
from records.squares import renju_named
from tests.support.paths import SUPPORT

LOST = "h8 i9 g8 i7 f8 a1 e8 a2 d8"
"""Black's fifth stone makes an open three, which White's a1 does not stop."""
BEGINNER = shlex.join((sys.executable, "-S", "-E", str(SUPPORT / "fakes" / "beginner.py")))


def points(names: str, size: int = 15) -> list[Point]:
    """Returns the points of a list of names."""
    return [renju_named(name, size) for name in names.split()]
