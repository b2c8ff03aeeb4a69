"""Checks the arguments of a script and turns them into values that the core takes."""

from collections.abc import Iterable
from typing import Final

from pyengine.constants import MAX_MEMORY_KIB, MAX_SIZE, MIN_MEMORY_KIB, MIN_SIZE
from pyengine.errors import (
    NotASquareError,
    OccupiedError,
    OffBoardError,
    OutOfRangeError,
    WrongTypeError,
)
from pyengine.types import Color, Rule, Square

INT32_MAX: Final = 2**31 - 1
INT64_MAX: Final = 2**63 - 1


def show(value: object) -> str:
    """A value for a message, never long, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # such as an integer of more digits than Python prints
        return f"that {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def whole(name: str, value: int) -> int:
    """An integer of any size. True and False are none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongTypeError(f"{name} must be an integer, not {show(value)}")
    return value.__index__()


def integer(name: str, value: int, low: int = 0, high: int = INT32_MAX) -> int:
    """An integer within its range, as C can hold it."""
    number = whole(name, value)
    if not low <= number <= high:
        raise OutOfRangeError(f"{name} must be from {low} to {high}, not {show(value)}")
    return number


def checked_size(size: int) -> int:
    """A side that the core has. Raises OutOfRangeError."""
    return integer("size", size, MIN_SIZE, MAX_SIZE)


def checked_rule(rule: Rule | int | str) -> Rule:
    """A rule by number or name. Raises OutOfRangeError, WrongTypeError."""
    if isinstance(rule, str):
        from records.rules import RULE_NAMES, rule_named

        number = rule_named(rule)
        if number is None:
            known = ", ".join(RULE_NAMES.values())
            raise OutOfRangeError(f"rule must be one of {known}, not {show(rule)}")
        return Rule(number)
    number = integer("rule", rule, -INT64_MAX, INT64_MAX)
    try:
        return Rule(number)
    except ValueError:
        known = ", ".join(str(int(r)) for r in Rule)
        raise OutOfRangeError(f"rule must be one of {known}, not {show(number)}") from None


def checked_color(name: str, color: Color | str) -> Color:
    """A side by its name. Raises WrongTypeError, OutOfRangeError."""
    if isinstance(color, str):
        try:
            return Color(color.lower())
        except ValueError:
            raise OutOfRangeError(f"{name} must be black or white, not {show(color)}") from None
    if not isinstance(color, Color):
        raise WrongTypeError(f"{name} must be a Color, not {show(color)}")
    return color


def checked_captures(captures: tuple[int, int]) -> tuple[int, int]:
    """Two counts of captures. Raises WrongTypeError, OutOfRangeError."""
    if not isinstance(captures, tuple | list) or len(captures) != 2:
        raise WrongTypeError(f"captures must be two numbers, not {show(captures)}")
    return (integer("captures", captures[0]), integer("captures", captures[1]))


def checked_square(m: Square | str, size: int) -> Square:
    """A square of a board, by its coordinates or name. Raises NotASquareError, OffBoardError."""
    if isinstance(m, str):
        return _named(m, size)
    if not isinstance(m, tuple | list) or len(m) != 2:
        raise NotASquareError(f"a square is two integers (x, y) or a name, not {show(m)}")
    try:
        x, y = (integer("x", m[0], 0, size - 1), integer("y", m[1], 0, size - 1))
    except WrongTypeError as error:
        text = f"a square is two integers (x, y) or a name, not {show(m)}"
        raise NotASquareError(text) from error
    except OutOfRangeError as error:
        raise OffBoardError(f"{show(m)}: off the board of size {size}") from error
    return x, y


def _named(text: str, size: int) -> Square:
    from records.errors import FormatError
    from records.squares import square_of

    try:
        return square_of(text, size)
    except FormatError as error:
        kind = OffBoardError if "off the board" in str(error) else NotASquareError
        raise kind(str(error)) from None


def kibibytes(memory_mib: float) -> int:
    """A size of the table in KiB. Raises WrongTypeError, OutOfRangeError."""
    if isinstance(memory_mib, bool) or not isinstance(memory_mib, int | float):
        raise WrongTypeError(f"memory_mib must be a number, not {show(memory_mib)}")
    least, most = MIN_MEMORY_KIB, MAX_MEMORY_KIB
    if not least <= memory_mib * 1024 <= most:  # does not hold for NaN
        raise OutOfRangeError(
            f"memory_mib must be from {least / 1024:g} to {most // 1024}, not {show(memory_mib)}"
        )
    return int(memory_mib * 1024)


def checked_rules(rules: Iterable[Rule | int | str]) -> list[Rule]:
    """Returns rules, given by number or name. Raises OutOfRangeError and WrongTypeError."""
    if isinstance(rules, str) or not isinstance(rules, Iterable):
        raise WrongTypeError(f"rules must be a list of rules, not {show(rules)}")
    return [checked_rule(rule) for rule in rules]


def listed(squares: Iterable[Square | str]) -> list[Square | str]:
    """Squares in a list. Raises WrongTypeError, and NotASquareError for one name alone."""
    if isinstance(squares, str):
        raise NotASquareError(f"squares must be a list of (x, y) or names, not {show(squares)}")
    if not isinstance(squares, Iterable):
        raise WrongTypeError(f"squares must be a list of (x, y) or names, not {show(squares)}")
    return list(squares)


def refuse_twice(squares: Iterable[Square]) -> None:
    """Raises OccupiedError where a square is named twice."""
    seen: set[Square] = set()
    for m in squares:
        if m in seen:
            raise OccupiedError(f"{m} is named twice")
        seen.add(m)
