"""Tengen's search core in Python.

>>> from pyengine import Engine, Limits
>>> with Engine(size=15) as e:
...     move = e.search(Limits(time_ms=500)).move
"""

import functools
from collections.abc import Iterator

from pyengine import _calls, _native
from pyengine._native import (
    cpu_path,
    fill_cache,
    one_heap,
    option_aliases,
    proof_bytes,
    resident_bytes,
    trim_heap,
)
from pyengine.analysis import Analysis
from pyengine.engine import Engine
from pyengine.errors import (
    BarredError,
    BusyError,
    ClosedError,
    EngineError,
    GameOverError,
    IllegalMoveError,
    LibraryError,
    NoMoveError,
    NotASquareError,
    NoUndoError,
    OccupiedError,
    OffBoardError,
    OptionError,
    OutOfMemoryError,
    OutOfRangeError,
    WeightsError,
    WrongTypeError,
)
from pyengine.types import (
    BenchRow,
    Color,
    Limits,
    Line,
    Option,
    Outcome,
    Reason,
    Rule,
    SearchResult,
    Square,
    Stage,
    Status,
    View,
)

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "BarredError",
    "BenchRow",
    "BusyError",
    "ClosedError",
    "Color",
    "Engine",
    "EngineError",
    "GameOverError",
    "IllegalMoveError",
    "LibraryError",
    "Limits",
    "Line",
    "NoMoveError",
    "NoUndoError",
    "NotASquareError",
    "OccupiedError",
    "OffBoardError",
    "Option",
    "OptionError",
    "OutOfMemoryError",
    "OutOfRangeError",
    "Outcome",
    "Reason",
    "Rule",
    "SearchResult",
    "Square",
    "Stage",
    "Status",
    "View",
    "WeightsError",
    "WrongTypeError",
    "__version__",
    "bench",
    "cpu_path",
    "fill_cache",
    "one_heap",
    "option_aliases",
    "proof_bytes",
    "resident_bytes",
    "trim_heap",
]


def bench() -> Iterator[BenchRow]:
    """Searches the bench positions one after the other, each to its fixed depth with one thread."""
    index = 0
    while (row := _calls.run(functools.partial(_native.bench_row, index))) is not None:
        yield row
        index += 1
