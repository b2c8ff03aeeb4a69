"""The messages of the page: one JSON object each, read into a value or refused with a reason."""

import json
from dataclasses import dataclass
from typing import Any

from ..engines.clock import UNLIMITED_MS
from ..engines.player import MoveRequest
from ..game.game import GameSettings
from ..rules.referee import MAX_SIZE, MIN_SIZE, Color, Point, Rule

__all__ = ["MAX_BYTES", "Analyse", "Halt", "Message", "MessageError", "Move", "Resign", "Start"]
__all__ += ["Stop", "Undo", "read_message"]

MAX_BYTES = 16_384
"""The longest message in bytes; the moves of a full board take half of it."""
MAX_MS = 86_400_000
MAX_MEMORY_MIB = 1 << 20
TOLERANCE_MS = 1000
"""Greatest delay of a move of an engine, as in a match without `--tolerance`."""
NAME_LENGTH = 200
MOST_LINES = 10
MOST_CAPTURES = 38
"""The most that a side can capture under any rule: fourteen stones, and three in each direction."""


class MessageError(ValueError):
    """Says which field of a message is wrong, and what was expected."""


@dataclass(frozen=True)
class Start:
    """Asks for a game. A side is the name of a brain, or None for the person at the page.

    `level` is the playing level of Tengen; other brains do not get it.
    """

    black: str | None
    white: str | None
    settings: GameSettings
    level: int = 10


@dataclass(frozen=True)
class Move:
    """Holds a person's move, and how many moves were played before it."""

    at: Point
    ply: int


@dataclass(frozen=True)
class Resign:
    """Gives the person's game up."""


@dataclass(frozen=True)
class Stop:
    """Ends the game without a result."""


@dataclass(frozen=True)
class Undo:
    """Takes back to the person's last move."""


@dataclass(frozen=True)
class Analyse:
    """Asks for the best `lines` of a position until Halt; events about it bear its `number`."""

    number: int
    size: int
    rule: int
    lines: int
    memory_mib: int
    request: MoveRequest


@dataclass(frozen=True)
class Halt:
    """Ends the analysis."""


Message = Analyse | Halt | Start | Move | Resign | Stop | Undo


def read_message(text: str) -> Message:
    """Reads one message; raises MessageError for whatever is none."""
    try:
        values: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("expected a JSON object") from None
    if not isinstance(values, dict):
        raise MessageError("expected a JSON object")
    match values.get("do"):
        case "start":
            return _start(values)
        case "move":
            ply = _whole(values, "ply", 0, MAX_SIZE**2)
            return Move(_point(values.get("at"), "at"), ply)
        case "resign":
            return Resign()
        case "stop":
            return Stop()
        case "undo":
            return Undo()
        case "analyse":
            return _analyse(values)
        case "halt":
            return Halt()
    raise MessageError("do: expected start, move, resign, stop, undo, analyse or halt")


def _start(values: dict[str, Any]) -> Start:
    moves = _list(values, "moves")
    rule = _rule(values)
    try:
        settings = GameSettings(
            size=_whole(values, "size", 0, 1000),
            rule=rule,
            turn_ms=_limit(values, "turn_ms"),
            match_ms=_limit(values, "match_ms"),
            memory_mib=_whole(values, "memory_mib", 0, MAX_MEMORY_MIB, default=0),
            tolerance_ms=TOLERANCE_MS,
            opening=tuple(_point(move, "moves") for move in moves),
        )
    except ValueError as error:
        raise MessageError(str(error)) from None
    level = _whole(values, "level", 1, 10, default=10)
    return Start(_side(values, "black"), _side(values, "white"), settings, level)


def _analyse(values: dict[str, Any]) -> Analyse:
    size = _whole(values, "size", MIN_SIZE, MAX_SIZE)
    stones = _stones(values, size)
    black, white = (_whole(values, f"{side.value}_captures", 0, MOST_CAPTURES, 0) for side in Color)
    request = MoveRequest(
        color=_color(values.get("to_move"), "to_move"),
        stones=tuple(stones.items()),
        captures=(black, white),
        last=None,
        limit_ms=0.0,
        time_left=UNLIMITED_MS,
    )
    return Analyse(
        number=_whole(values, "id", 0, 1 << 31),
        size=size,
        rule=_rule(values),
        lines=_whole(values, "lines", 1, MOST_LINES),
        memory_mib=_whole(values, "memory_mib", 0, MAX_MEMORY_MIB, default=0),
        request=request,
    )


def _stones(values: dict[str, Any], size: int) -> dict[Point, Color]:
    """Returns the stones of a position in playing order, told as [x, y, colour]."""
    stones: dict[Point, Color] = {}
    for value in _list(values, "stones"):
        if not isinstance(value, list) or len(value) != 3:
            raise MessageError("stones: expected stones as [x, y, colour]")
        point = _point(value[:2], "stones")
        if not all(0 <= n < size for n in point):
            raise MessageError(f"stones: {point[0]},{point[1]} is off the board")
        if point in stones:
            raise MessageError(f"stones: {point[0]},{point[1]} is taken")
        stones[point] = _color(value[2], "stones")
    return stones


def _color(value: object, name: str) -> Color:
    if isinstance(value, bool) or value not in (1, 2):
        raise MessageError(f"{name}: expected a colour: 1 for Black, 2 for White")
    return Color.BLACK if value == 1 else Color.WHITE


def _list(values: dict[str, Any], name: str) -> list[Any]:
    value = values.get(name, [])
    if not isinstance(value, list) or len(value) > MAX_SIZE**2:
        raise MessageError(f"{name}: expected a list of squares")
    return value


def _rule(values: dict[str, Any]) -> Rule:
    rule = _whole(values, "rule", 0, 1000)
    if rule not in set(Rule):
        raise MessageError(f"rule: {rule} is not a rule")
    return Rule(rule)


def _whole(
    values: dict[str, Any], name: str, least: int, most: int, default: int | None = None
) -> int:
    value = values.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise MessageError(f"{name}: expected a whole number from {least} to {most}")
    return value


def _limit(values: dict[str, Any], name: str) -> int | None:
    """Returns a limit in ms; None is no limit."""
    return None if values.get(name) is None else _whole(values, name, 1, MAX_MS)


def _side(values: dict[str, Any], name: str) -> str | None:
    value = values.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > NAME_LENGTH:
        raise MessageError(f"{name}: expected the name of a brain, or null for a person")
    return value


def _point(value: object, name: str) -> Point:
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(n, int) and not isinstance(n, bool) for n in value)
        and all(-1000 < n < 1000 for n in value)
    ):
        return (value[0], value[1])
    raise MessageError(f"{name}: expected a square as [x, y]")
