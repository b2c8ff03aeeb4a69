"""Statistics of matches: Elo with its error, likelihood of superiority, and SPRT.

A score is a share of the points, from 0 to 1, from the view of the first player. All figures come
from counts. The trinomial model counts single games in three classes. The pentanomial model counts
pairs of games with one opening and swapped colours in five classes. It is more exact: the two
results of a pair depend on each other when the opening favours one side.
"""

import enum
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from statistics import NormalDist

from .likelihood import llr_of_mean, llr_of_t_value, mean_and_variance

__all__ = [
    "Elo",
    "EloModel",
    "Pentanomial",
    "Score",
    "Sprt",
    "SprtResult",
    "SprtState",
    "elo_of",
    "score_of",
]

NORMAL = NormalDist()
Z_95 = NORMAL.inv_cdf(0.975)
NORMALIZED_ELO_PER_T = 800 / math.log(10)
"""Normalized Elo of a score one standard deviation of a game above 1/2."""
NEVER_SEEN = 1e-3
"""Replaces a count of 0: a result that was not seen yet is still possible."""


def elo_of(score: float) -> float:
    """Returns the Elo difference for an expected score; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """Returns the expected score for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Elo:
    """Holds a difference in Elo and its error, half the width of the 95 % interval.

    Both are infinite if all games were won or all lost, and NaN without games. The error is 0 if
    all results were equal, and infinite if the interval has no end. Such figures carry no
    information.
    """

    value: float
    error: float

    @property
    def is_known(self) -> bool:
        """Says whether the figures carry information."""
        return math.isinf(self.value) or (self.error != 0 and math.isfinite(self.error))

    def __str__(self) -> str:
        """Returns the difference as +12.3 ± 45.6, or words if there is none."""
        if not self.is_known:
            return "not enough games"
        if math.isinf(self.value):
            return "every game won" if self.value > 0 else "every game lost"
        return f"{self.value:+.1f} ± {self.error:.1f}"


class _Counts(ABC):
    """Computes figures from counts of evenly spaced scores; each sample is `games_each` games."""

    games_each: int

    @property
    @abstractmethod
    def counts(self) -> tuple[int, ...]:
        """Returns the counts, from the worst score to the best."""

    @property
    def samples(self) -> int:
        """Returns the number of samples, games or pairs."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Returns the number of games."""
        return self.samples * self.games_each

    @property
    def score(self) -> float:
        """Returns the share of the points; 1/2 without games."""
        return self._mean_and_variance()[0] if self.samples else 0.5

    def elo(self) -> Elo:
        """Returns the difference in logistic Elo."""
        if not self.samples:
            return Elo(math.nan, math.nan)
        mean, variance = self._mean_and_variance()
        reach = Z_95 * math.sqrt(variance / self.samples)
        if mean in (0.0, 1.0):
            return Elo(elo_of(mean), math.inf)
        return Elo(elo_of(mean), (elo_of(mean + reach) - elo_of(mean - reach)) / 2)

    def normalized_elo(self) -> Elo:
        """Returns the difference in normalized Elo, in deviations of one game's result.

        Unlike logistic Elo, it determines the number of games that a test needs.
        """
        if not self.samples:
            return Elo(math.nan, math.nan)
        mean, variance = self._mean_and_variance()
        if variance == 0:
            sign = (mean > 0.5) - (mean < 0.5)
            return Elo(sign * math.inf, math.inf) if sign else Elo(0.0, math.inf)
        deviation = math.sqrt(variance * self.games_each)
        value = (mean - 0.5) / deviation * NORMALIZED_ELO_PER_T
        return Elo(value, Z_95 / math.sqrt(self.games) * NORMALIZED_ELO_PER_T)

    def los(self) -> float:
        """Returns the likelihood of superiority, 0 to 1; 1/2 without information."""
        mean, variance = self._mean_and_variance() if self.samples else (0.5, 0.0)
        if mean == 0.5:
            return 0.5
        if variance == 0:
            return 1.0 if mean > 0.5 else 0.0
        return NORMAL.cdf((mean - 0.5) / math.sqrt(variance / self.samples))

    def distribution(self) -> tuple[tuple[float, ...], tuple[float, ...], float]:
        """Returns the scores, their probabilities, and the number of samples.

        Counts of 0 become NEVER_SEEN, as in fishtest and fastchess.
        """
        counts = [float(count) or NEVER_SEEN for count in self.counts]
        total = sum(counts)
        return self._scores(), tuple(count / total for count in counts), total

    def _scores(self) -> tuple[float, ...]:
        last = len(self.counts) - 1
        return tuple(index / last for index in range(last + 1))

    def _mean_and_variance(self) -> tuple[float, float]:
        return mean_and_variance(self._scores(), [count / self.samples for count in self.counts])


@dataclass(frozen=True)
class Score(_Counts):
    """Counts single games by their results (the trinomial model)."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    games_each = 1

    @classmethod
    def of(cls, points: Iterable[float]) -> "Score":
        """Counts games by their points, each 0, 1/2 or 1."""
        counts = Counter(points)
        return cls(counts[1.0], counts[0.5], counts[0.0])

    @property
    def counts(self) -> tuple[int, ...]:
        """Returns losses, draws and wins."""
        return self.losses, self.draws, self.wins

    @property
    def points(self) -> float:
        """Returns the points: one for a win, a half for a draw."""
        return self.wins + self.draws / 2

    def __str__(self) -> str:
        """Returns the counts as +5 =1 -4."""
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(frozen=True)
class Pentanomial(_Counts):
    """Counts colour-swapped pairs by their sum of points: 0, 1/2, 1, 3/2 and 2."""

    ll: int = 0
    ld: int = 0
    wl_or_dd: int = 0
    wd: int = 0
    ww: int = 0

    games_each = 2

    @classmethod
    def of(cls, pairs: Iterable[Sequence[float]]) -> "Pentanomial":
        """Counts pairs of points, each 0, 1/2 or 1."""
        sums = Counter(round(2 * (first + second)) for first, second in pairs)
        return cls(*(sums[index] for index in range(5)))

    @property
    def counts(self) -> tuple[int, ...]:
        """Returns the counts from LL to WW."""
        return astuple(self)

    def __str__(self) -> str:
        """Returns the counts as [1 2 3 2 1]."""
        return f"[{' '.join(str(count) for count in self.counts)}]"


class EloModel(enum.Enum):
    """The unit of the bounds of a test."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


class SprtResult(enum.Enum):
    """The hypothesis that a test has accepted, if any."""

    H0 = "H0"
    H1 = "H1"
    GOES_ON = "goes on"


@dataclass(frozen=True)
class SprtState:
    """Holds the current state of a test."""

    llr: float
    lower: float
    upper: float
    result: SprtResult

    def __str__(self) -> str:
        """Returns the state as LLR +1.23 [-2.944, +2.944] goes on."""
        return self.text()

    def text(self, *, is_over: bool = False) -> str:
        """Returns the state in words; a finished test without a result is undecided."""
        said = f"{self.result.value} accepted"
        if self.result is SprtResult.GOES_ON:
            said = "undecided" if is_over else "goes on"
        return f"LLR {self.llr:+.3f} [{self.lower:+.3f}, {self.upper:+.3f}] {said}"


@dataclass(frozen=True)
class Sprt:
    """Tests H0, a difference of `elo0`, against H1, a difference of `elo1`, by Wald's method.

    `alpha` is the probability of accepting H1 under H0, `beta` the opposite. Raises ValueError with
    the name of a field that is out of bounds.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = EloModel.LOGISTIC

    def __post_init__(self) -> None:
        """Checks each field."""
        for name in ("elo0", "elo1", "alpha", "beta"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"{name}: {getattr(self, name)} is not a finite number")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0, elo1: {self.elo0:g} is not less than {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name}: {getattr(self, name):g} is not between 0 and 0.5")
        if max(abs(self.elo0), abs(self.elo1)) > 2000:
            raise ValueError("elo0, elo1: must be from -2000 to 2000 Elo")

    @property
    def bounds(self) -> tuple[float, float]:
        """Returns the bounds of the LLR: the test accepts H0 at the first, H1 at the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Score | Pentanomial) -> float:
        """Returns the generalised log-likelihood ratio (GSPRT) of H1 to H0; 0 without games."""
        if not counts.samples:
            return 0.0
        scores, shares, total = counts.distribution()
        if self.model is EloModel.LOGISTIC:
            low, high = score_of(self.elo0), score_of(self.elo1)
            return total * llr_of_mean(scores, shares, low, high)
        # The mean of a pair deviates less than a single result, by a factor of sqrt(2).
        scale = math.sqrt(counts.games_each) / NORMALIZED_ELO_PER_T
        return total * llr_of_t_value(scores, shares, self.elo0 * scale, self.elo1 * scale)

    def state(self, counts: Score | Pentanomial) -> SprtState:
        """Returns the LLR, its bounds and the result."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        result = SprtResult.GOES_ON
        if llr <= lower:
            result = SprtResult.H0
        elif llr >= upper:
            result = SprtResult.H1
        return SprtState(llr, lower, upper, result)
