"""The win rate of a score of the engine, by rule.

The curve is 1 / (1 + exp(-(score - a) / b)). Its parameters are fitted to games of the engine
against itself, with draws as half a win. docs/analysis.md names the games and the check on other
games. Protocol, arena, scripts and the board use this curve.
"""

import math

__all__ = ["CURVES", "WON", "percent", "score_text", "win_rate"]

CURVES: dict[int, tuple[int, int]] = {
    0: (6, 212),
    1: (5, 214),
    4: (6, 211),
    8: (4, 239),
    9: (4, 230),
    16: (19, 269),
    32: (10, 181),
    64: (7, 185),
}
"""By rule number: the score a of even chances, and the points b that multiply the odds by e."""

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


def score_text(rule: int, score: int, mate: int | None = None) -> str:
    """Returns a score for people: `+220 (71.4 %)`, `wins in 7 plies`."""
    if mate is not None and mate != 0:
        plies = "1 ply" if abs(mate) == 1 else f"{abs(mate)} plies"
        return f"{'wins' if mate > 0 else 'loses'} in {plies}"
    return f"{score:+} ({percent(win_rate(rule, score))})"


def percent(rate: float) -> str:
    """Returns a win rate for people: `71.4 %`."""
    return f"{100 * rate:.1f} %"
