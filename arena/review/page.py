"""The review as one HTML page: the graph of the win rate, the turning points, the board."""

from collections.abc import Sequence

from markupsafe import Markup

from records.review import Judgement, TurningPoint
from records.rules import rule_name
from records.squares import renju_name_of

from ..page import framed, page_style
from ..page.games import move_data
from ..page.replay import steps_of, winning_line
from ..page.templates import render, text_of
from ..rules.referee import Color, Point, Rule
from .source import Source

__all__ = ["graph", "review_page"]

WIDTH, HEIGHT = 880, 180
LEFT, RIGHT, TOP, BOTTOM = 40, 870, 8, 22


def review_page(
    source: Source,
    judgements: Sequence[Judgement],
    points: Sequence[TurningPoint],
    rates: Sequence[float | None],
    *,
    facts: Sequence[tuple[str, str]] = (),
) -> str:
    """Returns the page as HTML that refers to nothing outside itself."""
    tree = source.tree

    def names(squares: Sequence[Point]) -> str:
        return " ".join(renju_name_of(square, source.size) for square in squares)

    return render(
        __package__,
        "review.html",
        **framed("reviewed.js", page_style() + text_of(__package__, "review.css")),
        title=f"{tree.black or 'Black'} - {tree.white or 'White'}",
        facts=[
            ("rule", f"{rule_name(int(source.rule))}, {source.size}x{source.size}"),
            ("moves", len(source.moves)),
            ("result", source.record.summary()),
            *facts,
        ],
        graph=graph(rates, points),
        points=points,
        names=names,
        moves=source.moves,
        data=_data(source, judgements, rates),
    )


def graph(rates: Sequence[float | None], points: Sequence[TurningPoint]) -> Markup:
    """Returns an SVG of Black's chance to win after each move, turning points marked."""
    last = max(1, len(rates) - 1)

    def at(ply: int, rate: float) -> tuple[float, float]:
        x = LEFT + (RIGHT - LEFT) * ply / last
        return round(x, 1), round(TOP + (HEIGHT - BOTTOM - TOP) * (1 - rate), 1)

    told = [(point, rates[point.ply]) for point in points]
    return render(
        __package__,
        "graph.html",
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=RIGHT,
        top=TOP,
        bottom=BOTTOM,
        levels=[(percent, at(0, percent / 100)[1]) for percent in (0, 25, 50, 75, 100)],
        plies=[(ply, at(ply, 0)[0]) for ply in range(0, last + 1, 10 if last > 15 else 5)],
        lines=[" ".join("{},{}".format(*at(*place)) for place in run) for run in _runs(rates)],
        dots=[(p.color, *at(p.ply, rate)) for p, rate in told if rate is not None],
    )


def _runs(rates: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Returns the stretches for which a rate is told."""
    runs: list[list[tuple[int, float]]] = [[]]
    for ply, rate in enumerate(rates):
        if rate is None:
            runs.append([])
        else:
            runs[-1].append((ply, rate))
    return [run for run in runs if run]


def _data(
    source: Source, judgements: Sequence[Judgement], rates: Sequence[float | None]
) -> dict[str, object]:
    """Returns what reviewed.js draws the game from."""
    steps = steps_of(source.record)
    setup = len(steps) - len(source.moves)
    return {
        "size": source.size,
        "setup": [[*s.point, int(s.color is Color.WHITE)] for s in steps[:setup]],
        "moves": [move_data(step) for step in steps[setup:]],
        "five": winning_line(source.record, steps),
        "captures": _captures(source.rule),
        "judged": [
            {"best": j.best, "score": j.score, "line": j.line, "black": rate}
            for j, rate in zip(judgements, rates, strict=True)
        ],
    }


def _captures(rule: Rule) -> dict[str, object] | None:
    """Returns how the rule counts captures, as reviewed.js takes it; None without captures."""
    if not rule.has_captures:
        return None
    return {
        "unit": rule.capture_unit,
        "size": rule.captured_stones(1),
        "toWin": rule.captures_to_win,
    }
