"""Types of command-line arguments."""

import argparse
import math
from pathlib import Path

__all__ = ["at_least_one", "file_path", "share_of_games"]


def at_least_one(text: str) -> int:
    """Reads a whole number. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a number, 1 or more")
    return int(text)


def share_of_games(text: str) -> float:
    """Reads a part of 1. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a share, above 0 and at most 1")
    return value


def file_path(text: str) -> Path:
    """Reads a path. An empty one, often an unset variable of a shell, is not the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path; the current folder is .")
    return Path(text)
