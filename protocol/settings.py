"""The settings of `INFO` as one frozen value. No text raises here.

Unknown keys and unreadable numbers change nothing, because INFO never gets an answer.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from protocol.commands import INT64_MAX, read_int, read_numbers
from pyengine import Rule
from pyengine.constants import MAX_LEVEL, MAX_THREADS, MIN_LEVEL

_KNOWN_RULE_BITS: Final = 1 | 2 | 4 | 8 | 16 | 32 | 64
# From here on, a depth or node count means "no limit": managers send 2^31-1 and 2^64-1.
_NO_DEPTH: Final = 10_000
_NO_NODES: Final = INT64_MAX
FULL_STRENGTH: Final = MAX_LEVEL
# A minute is a long time for a move.
LONGEST_DELAY_MS: Final = 60_000


@dataclass(frozen=True)
class Settings:
    """All settings so far; None = never sent, or no limit.

    Times are milliseconds, memory is bytes. delay_ms: the bounds of the least time of a move, which
    is drawn anew for each move. captures: of (engine, opponent), for the next BOARD under a rule
    with captures, in the rule's count. options: names and values for the engine. start_note: a note
    for the first move.
    """

    rule: Rule = Rule.FREESTYLE
    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    time_increment: int = 0
    max_memory: int = 0
    hash_size_kib: int = 0
    threads: int = 1
    max_depth: int | None = None
    max_nodes: int | None = None
    level: int = FULL_STRENGTH
    delay_ms: tuple[int, int] = (0, 0)
    ponder: bool = False
    log_path: str = ""
    trace: bool = False
    captures: tuple[int, int] = (0, 0)
    options: dict[str, int] = field(default_factory=dict)
    start_note: str | None = None


def read_delay(text: str) -> tuple[int, int] | None:
    """Reads milliseconds as `500` or a range as `500-1200`; None for anything else."""
    first, dash, last = text.partition("-")
    least, most = read_int(first), read_int(last if dash else first)
    if least is None or most is None or not 0 <= least <= most <= LONGEST_DELAY_MS:
        return None
    return least, most


def nearest_rule(number: int) -> tuple[Rule, bool]:
    """Returns the rule of a sum of bits, and whether all bits are known.

    64 outranks 32, 32 outranks 16, 16 outranks 4, 4 outranks 8, 8 keeps bit 1; bit 2 (continuous
    game) is not a rule.
    """
    known = number & ~_KNOWN_RULE_BITS == 0
    if number & 64:
        return Rule.KERYO, known
    if number & 32:
        return Rule.PENTE, known
    if number & 16:
        return Rule.NINUKI, known
    if number & 4:
        return Rule.RENJU, known
    if number & 8:
        return Rule.CARO_STANDARD if number & 1 else Rule.CARO, known
    return Rule.STANDARD if number & 1 else Rule.FREESTYLE, known


def note_on(key: str, value: str) -> str | None:
    """Returns a note about a setting that is not applied as sent; None = applied."""
    number = read_int(value)
    if key == "rule" and number is not None and number >= 0:
        rule, known = nearest_rule(number)
        if not known:
            return f"rule {number} is unknown, playing {rule.name}"
    return None


def changed(settings: Settings, key: str, value: str) -> Settings:
    """Returns the settings after `INFO key value`; the same object if nothing changes."""
    if key == "log":
        return replace(settings, log_path=value)
    if key == "captures":
        return _with_captures(settings, value)
    if key == "delay":
        delay = read_delay(value)
        return settings if delay is None else replace(settings, delay_ms=delay)
    number = read_int(value)
    if number is None:
        return settings
    if key.startswith(("prune.", "tune.")):
        return replace(settings, options=settings.options | {key: number})
    return _with_number(settings, key, number)


def _with_number(settings: Settings, key: str, number: int) -> Settings:
    match key:
        case "rule":
            return replace(settings, rule=nearest_rule(number)[0]) if number >= 0 else settings
        case "timeout_turn":
            return replace(settings, timeout_turn=number)
        case "timeout_match":
            return replace(settings, timeout_match=number)
        case "time_left":
            return replace(settings, time_left=number)
        case "time_increment":
            return replace(settings, time_increment=max(0, number))
        case "max_memory":
            return replace(settings, max_memory=number) if number >= 0 else settings
        case "hash_size":
            return replace(settings, hash_size_kib=max(0, number))
        case "thread_num":
            return replace(settings, threads=min(MAX_THREADS, max(1, number)))
        case "max_depth":
            return replace(settings, max_depth=number if 0 < number < _NO_DEPTH else None)
        case "max_node":
            return replace(settings, max_nodes=number if 0 < number < _NO_NODES else None)
        case "level":
            return replace(settings, level=min(FULL_STRENGTH, max(MIN_LEVEL, number)))
        case "ponder":
            return replace(settings, ponder=number == 1) if number in (0, 1) else settings
        case "trace":
            return replace(settings, trace=number == 1) if number in (0, 1) else settings
    return settings


def _with_captures(settings: Settings, value: str) -> Settings:
    captures = read_numbers(value, 2)
    if captures is None or min(captures) < 0:
        return settings
    return replace(settings, captures=(captures[0], captures[1]))
