"""The manager's side: the referee and the match runner. Shares no code with the engine."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .play.client import Brain, BrainResult

__all__ = ["Brain", "BrainResult"]


def __getattr__(name: str) -> Any:
    """Loads what a script asks for the first time: the commands start without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.play.client"), name)
