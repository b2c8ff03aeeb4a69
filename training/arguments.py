"""Types of command-line arguments."""

import argparse
import math

__all__ = ["at_least_one", "share_of_games"]


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
