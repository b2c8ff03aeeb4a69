"""The most likely distribution under a hypothesis, and ratios of likelihoods.

A distribution is a list of values and a list of their shares, which are above 0 and add up to 1.
The theory is by M. Van den Bergh: "Comments on normalized Elo", propositions 1.1 and section 4.1.
"""

import math
from collections.abc import Callable, Sequence

__all__ = ["llr_of_mean", "llr_of_t_value", "mean_and_variance"]

CLOSE_ENOUGH = 1e-10
MOST_ROUNDS = 200
STEEPEST = 100.0


def mean_and_variance(values: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    """Returns the mean and the variance of a distribution."""
    mean = math.fsum(value * share for value, share in zip(values, shares, strict=True))
    squares = ((value - mean) ** 2 * share for value, share in zip(values, shares, strict=True))
    return mean, math.fsum(squares)


def llr_of_mean(
    values: Sequence[float], seen: Sequence[float], mean0: float, mean1: float
) -> float:
    """Returns the log-likelihood ratio of the means `mean1` and `mean0`, per sample."""

    def likeliest(mean: float) -> list[float]:
        return _tilted(seen, [value - mean for value in values])

    return _log_ratio(seen, likeliest(mean0), likeliest(mean1))


def llr_of_t_value(values: Sequence[float], seen: Sequence[float], t0: float, t1: float) -> float:
    """Returns the same for two distances of the mean from 1/2, in standard deviations."""
    return _log_ratio(seen, _likeliest_of_t(values, seen, t0), _likeliest_of_t(values, seen, t1))


def _log_ratio(seen: Sequence[float], under0: Sequence[float], under1: Sequence[float]) -> float:
    terms = zip(seen, under0, under1, strict=True)
    return math.fsum(share * math.log(p1 / p0) for share, p0, p1 in terms)


def _likeliest_of_t(values: Sequence[float], seen: Sequence[float], t: float) -> list[float]:
    """Returns the likeliest distribution whose mean lies `t` deviations above 1/2.

    The condition is not linear. Each step linearises it at the last guess, until the guess is
    stable.
    """
    before = guess = _some_of_t(values, t)
    for _ in range(MOST_ROUNDS):
        slopes = _slopes(values, guess, t)
        if not min(slopes) < 0 < max(slopes):
            # Too far: no distribution meets the linearised condition.
            guess = [(old + new) / 2 for old, new in zip(before, guess, strict=True)]
            continue
        before, guess = guess, _tilted(seen, slopes)
        if max(abs(new - old) for new, old in zip(guess, before, strict=True)) < CLOSE_ENOUGH:
            break
    return guess


def _slopes(values: Sequence[float], guess: Sequence[float], t: float) -> list[float]:
    """Returns how much each share moves the mean relative to `t` deviations above 1/2."""
    mean, variance = mean_and_variance(values, guess)
    sigma = math.sqrt(variance)
    return [value - 0.5 - t * sigma * (1 + ((mean - value) / sigma) ** 2) / 2 for value in values]


def _some_of_t(values: Sequence[float], t: float) -> list[float]:
    """Returns a distribution that meets the condition: its shares grow or fall evenly."""

    def shares(growth: float) -> list[float]:
        weights = [math.exp(growth * (value - (1 if growth > 0 else 0))) for value in values]
        return [weight / math.fsum(weights) for weight in weights]

    def lack(growth: float) -> float:
        mean, variance = mean_and_variance(values, shares(growth))
        return t * math.sqrt(variance) - (mean - 0.5)

    return shares(_root(lack, -STEEPEST, STEEPEST))


def _tilted(seen: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """Returns the likeliest distribution for which the slopes have a mean of 0.

    It is the observed distribution, each share divided by 1 + x * slope. One x solves this.
    """
    low, high = min(slopes), max(slopes)
    assert low < 0 < high, "the hypothesis is out of the reach of any result"

    def excess(x: float) -> float:
        terms = zip(seen, slopes, strict=True)
        return math.fsum(share * slope / (1 + x * slope) for share, slope in terms)

    x = _root(excess, -1 / high, -1 / low)
    return [share / (1 + x * slope) for share, slope in zip(seen, slopes, strict=True)]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Returns the zero of a function that falls from +inf at `low` to -inf at `high`."""
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
