"""Types of command-line arguments."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

__all__ = ["at_least_one", "file_path", "number_between", "share_of_games"]


def at_least_one(text: str, most: int | None = None) -> int:
    """Reads a whole number. Raises ArgumentTypeError."""
    value = int(text) if text.isascii() and text.isdecimal() else 0
    if value < 1 or (most is not None and value > most):
        bounds = "1 or more" if most is None else f"1 to {most}"
        raise argparse.ArgumentTypeError(f"{text}: expected a number, {bounds}")
    return value


def _read_number(text: str) -> float:
    """Reads a number; NaN, which is within no bounds, if it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def share_of_games(text: str) -> float:
    """Reads a part of 1. Raises ArgumentTypeError."""
    value = _read_number(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a share, above 0 and at most 1")
    return value


def number_between(least: float, most: float) -> Callable[[str], float]:
    """Returns the type of a number within bounds, which raises ArgumentTypeError for others."""

    def read(text: str) -> float:
        value = _read_number(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text}: expected a number, {least:g} to {most:g}")
        return value

    return read


def file_path(text: str) -> Path:
    """Reads a path. An empty one, often an unset variable of a shell, is not the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path; the current folder is .")
    return Path(text)
