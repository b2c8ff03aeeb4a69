"""Games as samples for training, in the format of training/games.h.

A sample needs the score of each move, from an engine whose points are those of Tengen.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .adjudication import points_of
from .record import EMPTY_BOARD, EndReason, GameRecord, MoveRecord

__all__ = ["Samples", "SamplesError", "to_samples"]

_MAGIC = b"TGGAMES\n"
_VERSION = 1
_ENGINE = b"arena"
_ADJUDICATED = 4
_ROW = 32
MATE = 30_000
"""A win in n plies has the score MATE - n, as in the core."""
LARGEST = 29_000
"""The largest score of a position without a proven end."""


class SamplesError(ValueError):
    """Games cannot be made into a file of samples; the text says why."""


@dataclass(frozen=True)
class Samples:
    """Holds a file of samples, the number of its games, and the reasons for omitted games."""

    data: bytes
    games: int
    left_out: "Counter[str]"


def to_samples(records: Iterable[GameRecord]) -> Samples:
    """Returns the games of one rule and size as samples; raises SamplesError.

    Games without a result, forfeits, and games with a move without a score are omitted.
    """
    left_out: Counter[str] = Counter()
    games: list[bytes] = []
    kinds: set[tuple[int, int]] = set()
    for record in records:
        if why := _unfit(record):
            left_out[why] += 1
            continue
        kinds.add((record.rule, record.size))
        games.append(_game(record))
    if len(kinds) > 1:
        told = ", ".join(f"rule {rule} on {size}x{size}" for rule, size in sorted(kinds))
        raise SamplesError(f"games of {told}: expected games of one rule and size")
    if not games:
        why = ", ".join(f"{text} {count}" for text, count in left_out.most_common())
        raise SamplesError(f"no game can be a sample ({why or 'there is none'})")
    ((rule, size),) = kinds
    head = struct.pack("<8sHBBIQIIII16s8x", _MAGIC, _VERSION, rule, size, 0, 0, len(games),
                       len(games), 0, 0, _ENGINE)  # fmt: skip
    body = head + b"".join(games)
    return Samples(body + struct.pack("<I", zlib.crc32(body)), len(games), left_out)


def _unfit(record: GameRecord) -> str:
    """Returns why a game cannot be a sample; empty if it can."""
    if record.is_unfinished:
        return "without a result"
    if record.is_forfeit:
        return "forfeited"
    if record.setup != EMPTY_BOARD:
        return "with stones set up"
    if any(points_of(move) is None for move in record.moves):
        return "with a move without a score"
    return "" if record.moves else "without a move"


def _game(record: GameRecord) -> bytes:
    """Returns one game. The moves of its opening are not for learning."""
    result = {"black": 1, "white": -1, None: 0}[record.winner]
    flags = _ADJUDICATED if record.reason is EndReason.ADJUDICATED else 0
    plies = len(record.opening) + len(record.moves)
    head = struct.pack(
        "<BBbBHHHH", record.rule, record.size, result, flags, len(record.opening), 0, plies, 0
    )
    opening = b"".join(struct.pack("<Hh", y * _ROW + x, 0) for x, y in record.opening)
    return (
        head
        + opening
        + b"".join(
            struct.pack("<Hh", move.y * _ROW + move.x, _score(move)) for move in record.moves
        )
    )


def _score(move: MoveRecord) -> int:
    """Returns the score of a move in the core's units, for the side that moves."""
    if move.mate is not None:
        return MATE - move.mate if move.mate > 0 else -MATE - move.mate
    points = points_of(move) or 0
    # Tengen reports a proven score as a number beside the mate; other engines may report any
    # number.
    return max(-LARGEST, min(LARGEST, points))
