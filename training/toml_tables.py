"""Checks the tables of a TOML file, with faults that name table, key and value."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

__all__ = ["check_keys", "is_whole", "read_flag", "read_rows", "read_text", "read_whole"]

Row = TypeVar("Row")


def check_keys(row: dict[str, Any], needed: Iterable[str], others: Iterable[str] = ()) -> None:
    """Raises ValueError for an unknown or a missing key."""
    if strange := sorted(set(row).difference(needed, others)):
        raise ValueError(f"there is no key `{strange[0]}`")
    if missing := [key for key in needed if key not in row]:
        raise ValueError(f"`{missing[0]}` is missing")


def read_rows(data: dict[str, Any], name: str, read: Callable[[dict[str, Any]], Row]) -> list[Row]:
    """Reads the tables under [[name]] in order. Raises ValueError with the number of a table."""
    rows = data.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"`{name}` must be one or more tables, each under [[{name}]]")
    found = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(read(row))
        except ValueError as error:
            raise ValueError(f"{name} {number}: {error}") from None
    return found


def is_whole(value: Any) -> bool:
    """Says whether it is a whole number; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_whole(row: dict[str, Any], key: str, least: int, most: int) -> int:
    """Returns a whole number of a table. Raises ValueError."""
    value = row[key]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{key} = {value!r}: expected a whole number, {least} to {most}")
    return value


def read_text(row: dict[str, Any], key: str) -> str:
    """Returns a text of a table. Raises ValueError."""
    value = row[key]
    if not isinstance(value, str):
        raise ValueError(f"{key} = {value!r}: expected a text")
    return value


def read_flag(row: dict[str, Any], key: str, default: bool) -> bool:
    """Returns a boolean of a table, or the default. Raises ValueError."""
    value = row.get(key, default)
    if not isinstance(value, bool):
        raise ValueError(f"{key} = {value!r}: expected true or false")
    return value
