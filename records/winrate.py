"""What a score of the engine is worth: the chance to win, by rule.

The curve is 1 / (1 + exp(-(score - a) / b)). Its numbers were fitted to games of the engine against
itself, with draws as half a win; docs/analysis.md has the games and the check on others. Protocol,
arena, scripts and the board use these numbers.
"""

import math

__all__ = ["CURVES", "WON", "percent", "score_text", "win_rate"]

CURVES: dict[int, tuple[int, int]] = {
    0: (1, 226),
    1: (4, 227),
    4: (7, 216),
    8: (4, 239),
    9: (4, 230),
    16: (19, 269),
    32: (19, 269),  # not fitted: ninuki's
}
"""By the rule's number: the score a of even chances, and the points b that make odds of e to 1."""

WON = 30_000
"""The score of a win on the board; a proven win in n plies is n below."""
_PROVEN = WON - 512


def win_rate(rule: int, score: int, mate: int | None = None) -> float:
    """Returns the chance to win, 0 to 1, of the side whose score it is; half a draw counts as 1/2.

    mate: plies to a proven end, negative when losing; None = the score tells.
    Raises KeyError for a rule that there is not.
    """
    a, b = CURVES[rule]
    if mate is not None and mate != 0:
        return 1.0 if mate > 0 else 0.0
    if abs(score) > _PROVEN:
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + math.exp(-(score - a) / b))


def score_text(rule: int, score: int, mate: int | None = None) -> str:
    """Returns a score as people read it: `+220 (71.4 %)`, `wins in 7 plies`."""
    if mate is not None and mate != 0:
        plies = "1 ply" if abs(mate) == 1 else f"{abs(mate)} plies"
        return f"{'wins' if mate > 0 else 'loses'} in {plies}"
    return f"{score:+} ({percent(win_rate(rule, score))})"


def percent(rate: float) -> str:
    """Returns a win rate as people read it: `71.4 %`."""
    return f"{100 * rate:.1f} %"
