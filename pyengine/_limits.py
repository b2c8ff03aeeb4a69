"""The limits of a search: from Limits or from keywords, checked."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypedDict

from pyengine._checks import INT32_MAX, INT64_MAX, integer, show
from pyengine.errors import OutOfRangeError, WrongTypeError
from pyengine.types import GamePosition, Limits, Square

# A search within these limits ends before the user misses Ctrl-C. A thread of its own would cost
# it 0.2 ms.
_SHORT_MS: Final = 100
_SHORT_NODES: Final = 5000


class LimitKeys(TypedDict, total=False):
    """The fields of Limits, as keywords of a search."""

    time_ms: int | None
    soft_ms: int | None
    depth: int | None
    nodes: int | None
    lines: int
    excluded: Sequence[Square | str]
    analysis: bool


def limits_of(given: Limits | GamePosition | None, keys: LimitKeys) -> Limits:
    """The limits of a search, from Limits or from keywords. Raises OutOfRangeError with neither."""
    if isinstance(given, Limits):
        if keys:
            raise WrongTypeError(f"search takes Limits or {next(iter(keys))}=, not both")
        return checked_limits(given)
    position_of(given)
    limits = checked_limits(Limits(**keys))
    if limits.time_ms is None and limits.nodes is None and limits.depth is None:
        raise OutOfRangeError("search needs time_ms, nodes or depth; analyse() runs without one")
    return limits


def analysis_limits(given: Limits | GamePosition | None, keys: LimitKeys) -> Limits:
    """The limits of an analysis: keywords replace fields of Limits, and none is needed."""
    position_of(given)
    base = given if isinstance(given, Limits) else Limits()
    return checked_limits(replace(replace(base, **keys), analysis=True))


def position_of(given: Limits | GamePosition | None) -> GamePosition | None:
    """The position of an argument that may be Limits. Raises WrongTypeError for neither."""
    if given is None or isinstance(given, Limits):
        return None
    if not isinstance(given, GamePosition):
        raise WrongTypeError(f"limits must be a Limits or a Position, not {show(given)}")
    return given


def checked_limits(limits: Limits) -> Limits:
    """Limits as the core takes them. Raises WrongTypeError, OutOfRangeError."""
    for name, high in (
        ("time_ms", INT32_MAX),
        ("soft_ms", INT32_MAX),
        ("depth", INT32_MAX),
        ("nodes", INT64_MAX),
    ):
        value = getattr(limits, name)
        if value is not None:
            integer(name, value, 0, high)
    integer("lines", limits.lines, 1)
    if not isinstance(limits.analysis, bool):
        raise WrongTypeError(f"analysis must be True or False, not {show(limits.analysis)}")
    return limits


def is_short(limits: Limits) -> bool:
    """Whether a search within these limits ends before the user misses Ctrl-C."""
    return (limits.time_ms is not None and limits.time_ms <= _SHORT_MS) or (
        limits.nodes is not None and limits.nodes <= _SHORT_NODES
    )
