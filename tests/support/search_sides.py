"""A player for tests of the tuning of the search: it has values and no engine."""

from typing import Any


class Side:
    """Replaces training.search_games.Player."""

    def __init__(self, memory_mib: float) -> None:
        self.values: dict[str, int] = {}

    def start(self, board: Any, opening: Any, values: dict[str, int]) -> None:
        """Takes the values."""
        self.values = values
