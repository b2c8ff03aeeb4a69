"""The arguments for limits and adjudication, and their values."""

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from ..engines.arguments import whole_number
from ..engines.clock import Limits
from ..game.adjudication import Adjudication, DrawRule, ResignRule

__all__ = [
    "UsageError",
    "add_adjudication",
    "add_clock",
    "adjudication_of",
    "draw_argument",
    "duration_ms",
    "limits_of",
    "memory_mib",
    "resign_argument",
    "tolerance_ms",
]

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|min|h)", re.IGNORECASE)
_MS = {"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000}
_MEMORY = re.compile(r"(\d+)(k|m|g|kb|mb|gb|kib|mib|gib)?", re.IGNORECASE)
MOST_MOVES = 1000


class UsageError(ValueError):
    """The arguments do not make a match; the text names the argument and the reason."""


def duration_ms(text: str) -> int:
    """Reads a time with its unit."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected a time with its unit, e.g. 100ms or 1s"
        )
    value = float(found[1]) * _MS[found[2].lower()]
    if not 0.5 < value <= 2_000_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 1 ms to 23 days")
    return round(value)


def tolerance_ms(text: str) -> int:
    """Reads a time that may be 0."""
    return 0 if text.strip() == "0" else duration_ms(text)


def memory_mib(text: str) -> int:
    """Reads an amount of memory; the default unit is MiB."""
    found = _MEMORY.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected MiB, e.g. 350, or a unit, e.g. 350M or 1G"
        )
    unit = (found[2] or "m").lower()[0]
    value = float(found[1]) * {"k": 1 / 1024, "m": 1, "g": 1024}[unit]
    if value > 1 << 20 or value != int(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of MiB up to 1 TiB")
    return int(value)


def draw_argument(text: str) -> DrawRule:
    """Reads MOVES,SCORE[,START]."""
    return DrawRule(*_numbers(text, "MOVES,SCORE or MOVES,SCORE,START, e.g. 8,10,60", (2, 3)))


def resign_argument(text: str) -> ResignRule:
    """Reads MOVES,SCORE."""
    return ResignRule(*_numbers(text, "MOVES,SCORE, e.g. 4,2000", (2,)))


def _numbers(text: str, expected: str, counts: tuple[int, ...]) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in counts or not all(re.fullmatch(r"\d{1,7}", part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r}: expected {expected}")
    numbers = [int(part) for part in parts]
    if numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected one move or more")
    if counts == (2,) and numbers[1] < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a score of 1 or more")
    return numbers


def add_adjudication(parser: argparse.ArgumentParser) -> None:
    """Adds the options that end games early."""
    add = parser.add_argument_group("adjudication (default: games are played out)").add_argument
    add(
        "--resign",
        type=resign_argument,
        metavar="MOVES,SCORE",
        help="end a game when both engines report the same side ahead by SCORE for MOVES moves",
    )
    add(
        "--draw",
        type=draw_argument,
        metavar="MOVES,SCORE[,START]",
        help="draw when both report at most SCORE for MOVES moves, after START stones",
    )
    add(
        "--max-moves",
        type=whole_number(1, MOST_MOVES),
        metavar="N",
        help="draw after N stones, those of the opening included",
    )
    # None instead of False: in a tournament the file decides if the option is missing.
    add(
        "--mates",
        action=argparse.BooleanOptionalAction,
        help="end a game when both engines announce the same forced win",
    )


def adjudication_of(
    max_moves: int | None, draw: DrawRule | None, resign: ResignRule | None, mates: bool | None
) -> Adjudication | None:
    """Returns the adjudication of the options; None if all games are played out."""
    rules = Adjudication(max_moves, draw, resign, bool(mates))
    return None if rules == Adjudication() else rules


@dataclass(frozen=True)
class _Option:
    """An option that also exists for each engine."""

    name: str
    field: str
    reader: Any
    metavar: str
    help: str


_OWN = (
    _Option("turn", "turn_ms", duration_ms, "TIME", "time for each move"),
    _Option("game", "match_ms", duration_ms, "TIME", "time for all moves"),
    _Option("increment", "increment_ms", tolerance_ms, "TIME", "time added after each move"),
    _Option(
        "moves-to-go", "moves_to_go", whole_number(0, MOST_MOVES), "N", "moves for the game time"
    ),
    _Option("memory", "memory_mib", memory_mib, "MIB", "memory limit"),
)


def add_clock(add: Callable[..., object]) -> None:
    """Adds the options of the game clock, for all engines."""
    add(
        "--increment",
        type=tolerance_ms,
        metavar="TIME",
        help="add TIME to the game clock after each move (needs --game)",
    )
    add(
        "--moves-to-go",
        type=whole_number(0, MOST_MOVES),
        metavar="N",
        help="add the time of --game again after every N moves of a player",
    )


def add_own_limits(parser: argparse.ArgumentParser) -> None:
    """Adds the own limits of engine A and of engine B."""
    for side in "AB":
        title = f"limits of {side} alone"
        about = "An engine with its own --turn or --game ignores the common --turn and --game."
        group = parser.add_argument_group(title, about if side == "A" else None)
        for option in _OWN:
            group.add_argument(
                f"--{option.name}-{side.lower()}",
                type=option.reader,
                metavar=option.metavar,
                help=f"{option.help} of {side}",
            )
        group.add_argument(
            f"--nodes-{side.lower()}",
            type=whole_number(1),
            metavar="N",
            help=f"send INFO max_node N to {side}",
        )
        group.add_argument(
            f"--depth-{side.lower()}",
            type=whole_number(1, 1000),
            metavar="N",
            help=f"send INFO max_depth N to {side}",
        )


def limits_of(args: argparse.Namespace, side: str) -> Limits | None:
    """Returns the own limits of one side (a or b); None if it has none."""
    values = {
        option.field: getattr(args, f"{option.name.replace('-', '_')}_{side}") for option in _OWN
    }
    assert set(values) == {field.name for field in fields(Limits)}
    limits = Limits(**values)
    return None if limits == Limits() else limits
