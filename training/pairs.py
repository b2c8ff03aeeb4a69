"""What pairs of games with opposite values show: the worth of a factor, and the test of a match."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from arena.stats.sprt import Pentanomial, Sprt, SprtResult, SprtState
from training.factors import Factor

ELO_PER_POINT = 400 / math.log(10)  # near a score of one half; a point is a quarter of a pair
NINETY_FIVE = 1.96  # standard deviations


@dataclass(frozen=True)
class Pair:
    """The result of a pair: the sign of each factor, and the points of the first side."""

    signs: str
    points: int

    def gain(self, place: int) -> int:
        """Returns the points of the side with the alternative of this factor."""
        return self.points if self.signs[place] == "+" else -self.points


@dataclass(frozen=True)
class Worth:
    """The Elo difference of the alternative from the current value, and its 95 % error."""

    factor: Factor
    elo: float
    error: float


def worths(factors: list[Factor], pairs: list[Pair]) -> list[Worth]:
    """Returns the worth of each factor, the highest first. pairs: at least two."""
    found = []
    for place, factor in enumerate(factors):
        points = [pair.gain(place) for pair in pairs]
        error = NINETY_FIVE * statistics.stdev(points) / math.sqrt(len(points))
        found.append(Worth(factor, statistics.fmean(points) * ELO_PER_POINT, error * ELO_PER_POINT))
    return sorted(found, key=lambda worth: -worth.elo)


def match_counts(pairs: Iterable[Pair]) -> Pentanomial:
    """Counts the pairs of a match, a config with one factor, for the side of the alternative."""
    counts = Counter(pair.gain(0) for pair in pairs)
    return Pentanomial(*(counts[gain] for gain in range(-2, 3)))


@dataclass(frozen=True)
class Decision:
    """The state of a test and the number of pairs that it counts."""

    state: SprtState
    pairs: int


def decide(sprt: Sprt, pairs: Iterable[Pair]) -> Decision:
    """Tests a match pair by pair, until the first result: further pairs do not change it."""
    counts = [0] * 5
    state = sprt.state(Pentanomial(*counts))
    for pair in pairs:
        counts[pair.gain(0) + 2] += 1
        state = sprt.state(Pentanomial(*counts))
        if state.result is not SprtResult.GOES_ON:
            break
    return Decision(state, sum(counts))
