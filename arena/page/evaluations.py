"""The evaluation graph of a game: what both engines thought of Black's chances, move by move."""

from markupsafe import Markup

from records.winrate import CURVES, WON, win_rate

from ..game.adjudication import points_of
from ..game.record import GameRecord, MoveRecord
from ..rules.referee import Color
from .templates import render

__all__ = ["chances_of", "evaluation_graph"]

WIDTH, HEIGHT = 420, 120
LEFT, TOP, BOTTOM = 30, 6, 18
STEPS = (5, 10, 20, 50, 100)
LEAST_SCORES = 2


def chances_of(record: GameRecord, color: Color) -> list[tuple[int, float]]:
    """Returns Black's chance to win as one engine saw it: (stones on the board, 0 to 1) each.

    The curve is that of Tengen's scores; for another engine it is an estimate.
    """
    first = len(record.opening) + 1
    return [
        (first + number, chance if color is Color.BLACK else 1 - chance)
        for number, move in enumerate(record.moves)
        if move.color == color.value and (chance := _chance(record.rule, move)) is not None
    ]


def _chance(rule: int, move: MoveRecord) -> float | None:
    points = points_of(move)
    if points is None or rule not in CURVES:
        return None
    return win_rate(rule, max(-WON, min(WON, points)), move.mate)


def evaluation_graph(record: GameRecord) -> Markup:
    """Returns an SVG with a line for each engine, empty where hardly a score was reported."""
    lines = {color: chances_of(record, color) for color in Color}
    if max(len(points) for points in lines.values()) < LEAST_SCORES:
        return Markup("")
    last = max(2, len(record.opening) + len(record.moves))

    def at(stone: int, chance: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 6) * (stone - 1) / (last - 1)
        return round(x, 1), round(TOP + (HEIGHT - BOTTOM - TOP) * (1 - chance), 1)

    step = next((step for step in STEPS if last / step <= 8), STEPS[-1])
    return render(
        __package__,
        "evaluation.html",
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - 6,
        levels=[(percent, at(1, percent / 100)[1]) for percent in (0, 50, 100)],
        stones=[(stone, at(stone, 0)[0]) for stone in range(step, last + 1, step)],
        lines=[
            (
                color.value,
                record.player(color).name,
                " ".join("{},{}".format(*at(*point)) for point in points),
            )
            for color, points in lines.items()
        ],
    )
