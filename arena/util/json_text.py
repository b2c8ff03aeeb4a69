"""Reads JSON of unknown origin. Every fault in it raises ValueError."""

import json
from typing import Any

__all__ = ["read_json"]


def read_json(text: str) -> Any:
    """Returns the value of a JSON text; raises ValueError if it cannot be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("the brackets are nested too deeply") from None
