"""Tengen's search core in Python.

>>> from pyengine import Engine
>>> with Engine(rule="renju") as engine:
...     print(engine.search(time_ms=500))
"""

import functools
import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyengine import _calls, _native
from pyengine._library import cpu_path
from pyengine._native import (
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
    BusyError,
    ClosedError,
    EngineError,
    ForbiddenError,
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
from pyengine.results import (
    BenchRow,
    Line,
    Proof,
    ProofAnswer,
    SearchResult,
    Stage,
    StageNote,
    Traced,
    TraceRow,
    View,
)
from pyengine.types import (
    Color,
    Forbidden,
    GamePosition,
    Limits,
    Option,
    Outcome,
    Reason,
    Rule,
    Setup,
    Square,
    Status,
    Threat,
)

if TYPE_CHECKING:
    from pyengine.game import Game, Review
    from pyengine.position import Position
    from records.errors import FormatError

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "BenchRow",
    "BusyError",
    "ClosedError",
    "Color",
    "Engine",
    "EngineError",
    "Forbidden",
    "ForbiddenError",
    "FormatError",
    "Game",
    "GameOverError",
    "GamePosition",
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
    "Position",
    "Proof",
    "ProofAnswer",
    "Reason",
    "Review",
    "Rule",
    "SearchResult",
    "Setup",
    "Square",
    "Stage",
    "StageNote",
    "Status",
    "Threat",
    "TraceRow",
    "Traced",
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


# These read files and texts. The executable does without them, and would start later with them.
_LATER = {
    "FormatError": "pyengine.position",
    "Game": "pyengine.game",
    "Position": "pyengine.position",
    "Review": "pyengine.game",
}


BarredError = ForbiddenError
"""The old name, for one more version."""


def __getattr__(name: str) -> Any:
    """Loads what a script asks for the first time."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_LATER[name]), name)


def bench() -> Iterator[BenchRow]:
    """Searches the bench positions one after the other, each to its fixed depth with one thread."""
    index = 0
    while (row := _calls.run(functools.partial(_native.bench_row, index))) is not None:
        yield row
        index += 1
