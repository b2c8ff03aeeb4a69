"""The order of openings: which come first, how many of their moves are played, who shares them."""

import enum
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..rules.grid import Point
from .book import OpeningError

__all__ = ["Arrangement", "Order", "Policy"]


class Order(enum.StrEnum):
    """The orders of openings."""

    RANDOM = "random"
    SEQUENTIAL = "sequential"


class Policy(enum.StrEnum):
    """The engines that share an opening in a tournament.

    ROUND: all pairings play the same openings. ENCOUNTER: each pairing plays the next ones.
    """

    ROUND = "round"
    ENCOUNTER = "encounter"


@dataclass(frozen=True)
class Arrangement:
    """Holds how a list of openings is used.

    `start` is the number of the first opening, from 1, after shuffling; earlier ones come last.
    `plies` is the number of moves to play of each; None means all.
    """

    order: Order = Order.RANDOM
    seed: int = 1
    start: int = 1
    plies: int | None = None

    def apply(self, openings: Sequence[tuple[Point, ...]]) -> list[tuple[Point, ...]]:
        """Returns the openings in their order, without copies; raises OpeningError."""
        found = list(openings)
        if not 1 <= self.start <= len(found):
            raise OpeningError(f"there are {len(found)} openings: there is no opening {self.start}")
        if self.order is Order.RANDOM:
            random.Random(self.seed).shuffle(found)
        found = found[self.start - 1 :] + found[: self.start - 1]
        if self.plies is not None:
            # Openings with a common beginning may be equal now.
            found = list(dict.fromkeys(moves[: self.plies] for moves in found))
        return found

    @property
    def told(self) -> str:
        """Returns the arrangement in words, as `, seed 1`."""
        words = f", seed {self.seed}" if self.order is Order.RANDOM else ""
        if self.start > 1:
            words += f", from number {self.start}"
        return words if self.plies is None else f"{words}, {self.plies} plies"
