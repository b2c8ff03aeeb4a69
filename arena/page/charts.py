"""The pictures of the standings: rating bars with error whiskers, and the cross table."""

import math
from collections.abc import Callable

from markupsafe import Markup

from ..stats.ratings import Rating
from ..stats.standings import Standing, Table, elo_text, speed_text
from .templates import render

__all__ = ["cross_table", "rating_bars", "standings_table"]

WIDTH = 880
NAME_WIDTH = 220
VALUE_WIDTH = 110
ROW = 30
TOP = 26
NAME_LETTERS = 22
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)


def rating_bars(table: Table) -> Markup:
    """Returns an SVG with a bar from the middle of the scale to each rating, and its interval."""
    ratings = [row.rating for row in table.rows if row.rating.elo is not None]
    if not ratings:
        return Markup('<p class="empty">No games yet, so no ratings.</p>')
    ticks = axis_ticks(
        min(min(rating.low for rating in ratings), table.zero),
        max(max(rating.high for rating in ratings), table.zero),
    )
    left, right = NAME_WIDTH, WIDTH - VALUE_WIDTH

    def at(elo: float) -> float:
        return round(left + (right - left) * (elo - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    marked = [{"x": at(t), "label": f"{t:g}", "is_zero": t == table.zero} for t in ticks]
    if table.zero not in ticks:
        marked.append({"x": at(table.zero), "label": "", "is_zero": True})
    return render(
        __package__,
        "bars.html",
        width=WIDTH,
        height=TOP + ROW * len(ratings) + 10,
        top=TOP,
        row=ROW,
        name_width=NAME_WIDTH,
        letters=NAME_LETTERS,
        value_left=WIDTH - VALUE_WIDTH + 14,
        ticks=marked,
        bars=[
            _bar(rating, TOP + ROW * place, at, at(table.zero))
            for place, rating in enumerate(ratings)
        ],
    )


def _bar(rating: Rating, top: int, at: Callable[[float], float], zero: float) -> dict[str, object]:
    elo, error = elo_text(rating)
    assert rating.elo is not None
    end = at(rating.elo)
    return {
        "name": rating.name,
        "elo": elo,
        "told": error if rating.anchored else f"± {error}",
        "anchored": rating.anchored,
        "top": top,
        "middle": top + ROW // 2,
        "left": min(zero, end),
        "length": f"{abs(end - zero):.1f}",
        "end": end,
        "low": at(rating.low),
        "high": at(rating.high),
    }


def axis_ticks(low: float, high: float) -> list[float]:
    """Returns four to nine round numbers that hold the values between them."""
    span = max(high - low, 1.0)
    step = next((step for step in STEPS if span / step <= 7), 10.0 ** math.ceil(math.log10(span)))
    first, last = math.floor(low / step), math.ceil(high / step)
    if first == last:
        last += 1
    return [float(step * count) for count in range(first, last + 1)]


def standings_table(table: Table) -> Markup:
    """Returns the rating table."""
    rows = [
        (
            row,
            *elo_text(row.rating),
            ", ".join(f"{reason} {count}" for reason, count in row.forfeits),
            "" if row.nps is None else speed_text(row.nps),
        )
        for row in table.rows
    ]
    return render(__package__, "standings.html", table=table, rows=rows)


def cross_table(table: Table, numbers: dict[str, int]) -> Markup:
    """Returns the cross table; each cell leads to the games of its pair, by players' numbers."""
    rows = [
        (row, [_cell(table, row, other, numbers) for other in table.rows]) for row in table.rows
    ]
    return render(__package__, "cross.html", table=table, rows=rows)


def _cell(
    table: Table, row: Standing, other: Standing, numbers: dict[str, int]
) -> dict[str, object]:
    if other is row:
        return {"kind": "self"}
    cell = table.cell(row.name, other.name)
    if cell is None:
        return {"kind": "none"}
    share = cell.points / cell.games
    kind, strength = ("won", 2 * share - 1) if share >= 0.5 else ("lost", 1 - 2 * share)
    return {
        "kind": kind,
        "strength": f"{strength:.2f}",
        "told": f"{row.name} against {other.name}: "
        f"{cell.wins} won, {cell.draws} drawn, {cell.losses} lost",
        "pair": f"{numbers[row.name]}-{numbers[other.name]}",
        "points": _points(cell.points),
        "score": f"{cell.wins}-{cell.draws}-{cell.losses}",
    }


def _points(points: float) -> str:
    """Returns points with the half as one sign."""
    whole, half = divmod(points, 1)
    return f"{int(whole) if whole or not half else ''}{'½' if half else ''}"
