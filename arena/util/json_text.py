"""JSON that somebody else may have written: whatever it holds, ValueError is all that is raised."""

import json
from typing import Any

__all__ = ["read_json"]


def read_json(text: str) -> Any:
    """Returns what a JSON text holds; raises ValueError for anything that cannot be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("the brackets are nested too deeply") from None
