"""The win rate of a score of the engine, and its chances of a win, a draw and a loss, by rule.

The curve of the win rate is 1 / (1 + exp(-(score - a) / b)). Its parameters are fitted to games of
the engine against itself, with draws as half a win. The logarithm of the odds of a draw is a sum of
five terms (DRAWS). docs/analysis.md names the games and the checks on other games. Protocol, arena,
scripts and the board use these curves.
"""

import math
from typing import NamedTuple

__all__ = ["CURVES", "DRAWS", "WON", "Wdl", "percent", "score_text", "wdl", "win_rate"]

CURVES: dict[int, tuple[int, int]] = {
    0: (6, 214),
    1: (5, 209),
    4: (6, 207),
    8: (3, 220),
    9: (4, 230),
    16: (19, 269),
    32: (10, 181),
    64: (7, 185),
}
"""By rule number: the score a of even chances, and the points b that multiply the odds by e."""

DRAWS: dict[int, tuple[float, float, float, float, float]] = {
    0: (-2.69, 12.4, -0.37, -1.14, -3.27),
    1: (-2.51, 11.85, -0.35, -1.03, -2.98),
    4: (-2.62, 10.93, -0.39, -1.22, -3.47),
    8: (-1.19, 11.46, -0.46, -1.96, -3.28),
    9: (-0.88, 11.48, -0.53, -1.66, -2.55),
    16: (-6.86, -0.45, -2.65, -0.19, -0.86),
    32: (-6.66, -0.39, -2.72, -0.16, -0.9),
    64: (-7.01, -0.51, -2.58, -0.2, -0.91),
}
"""By rule number: five factors of the logarithm of the odds of a draw. Its terms are 1; the share
of squares on which a stone was placed; the distance of the score from a, in hundreds of points; the
product of these two; (size - 15) / 5."""

WON = 30_000
"""The score of a win on the board. A proven win in n plies has WON - n."""
_PROVEN = WON - 512


def win_rate(rule: int, score: int, mate: int | None = None) -> float:
    """Returns the win rate, 0 to 1, for the side of the score; a draw counts as 1/2.

    mate: plies to a proven end, negative for a loss; None uses the score. Raises KeyError for an
    unknown rule.
    """
    a, b = CURVES[rule]
    if mate is not None and mate != 0:
        return 1.0 if mate > 0 else 0.0
    if abs(score) > _PROVEN:
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + math.exp(-(score - a) / b))


class Wdl(NamedTuple):
    """Holds the chances of a win, a draw and a loss, 0 to 1; their sum is 1."""

    win: float
    draw: float
    loss: float

    def __str__(self) -> str:
        """The chances in percent: `W 45 D 49 L 6`."""
        win, loss = round(100 * self.win), round(100 * self.loss)
        return f"W {win} D {max(0, 100 - win - loss)} L {loss}"


def wdl(rule: int, score: int, mate: int | None = None, *, size: int, placed: int) -> Wdl:
    """Returns the chances of the side of the score, so that win + draw / 2 is the win rate.

    So the chance of a draw is at most twice the smaller of the win rate and its complement, and 0
    for a proven end. size: squares on a side. placed: the stones that were placed, captured ones
    too. The others as in `win_rate`.
    """
    rate = win_rate(rule, score, mate)
    constant, full, distance, both, larger = DRAWS[rule]
    share, gap = placed / size**2, abs(score - CURVES[rule][0]) / 100
    odds = constant + full * share + (distance + both * share) * gap + larger * (size - 15) / 5
    draw = min(1 / (1 + math.exp(-max(-40.0, min(40.0, odds)))), 2 * rate, 2 * (1 - rate))
    return Wdl(rate - draw / 2, draw, 1 - rate - draw / 2)


def score_text(rule: int, score: int, mate: int | None = None) -> str:
    """Returns a score for people: `+220 (71.4 %)`, `wins in 7 plies`."""
    if mate is not None and mate != 0:
        plies = "1 ply" if abs(mate) == 1 else f"{abs(mate)} plies"
        return f"{'wins' if mate > 0 else 'loses'} in {plies}"
    return f"{score:+} ({percent(win_rate(rule, score))})"


def percent(rate: float) -> str:
    """Returns a win rate for people: `71.4 %`."""
    return f"{100 * rate:.1f} %"
