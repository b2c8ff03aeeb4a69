"""The pictures of the standings: rating bars with error whiskers, and the cross table."""

import math
from collections.abc import Callable

from ..stats.ratings import Rating
from ..stats.standings import Standing, Table, elo_text, speed_text
from .text import escape

__all__ = ["cross_table", "rating_bars", "standings_table"]

WIDTH = 880
NAME_WIDTH = 220
VALUE_WIDTH = 110
ROW = 30
TOP = 26
NAME_LETTERS = 22
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)


def rating_bars(table: Table) -> str:
    """Returns an SVG with a bar from the middle of the scale to each rating, and its interval."""
    ratings = [row.rating for row in table.rows if row.rating.elo is not None]
    if not ratings:
        return '<p class="empty">No games yet, so no ratings.</p>'
    ticks = axis_ticks(
        min(min(rating.low for rating in ratings), table.zero),
        max(max(rating.high for rating in ratings), table.zero),
    )
    height = TOP + ROW * len(ratings) + 10
    left, right = NAME_WIDTH, WIDTH - VALUE_WIDTH

    def at(elo: float) -> float:
        return round(left + (right - left) * (elo - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    parts = [
        f'<svg class="bars" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="Ratings with their 95 % intervals">'
    ]
    for tick in ticks:
        kind = "zero" if tick == table.zero else "tick"
        parts.append(f'<line class="{kind}" x1="{at(tick)}" x2="{at(tick)}" y1="{TOP - 6}" ')
        parts.append(f'y2="{height - 6}"/><text class="tick" x="{at(tick)}" y="12">{tick:g}</text>')
    if table.zero not in ticks:
        zero = at(table.zero)
        parts.append(f'<line class="zero" x1="{zero}" x2="{zero}" y1="{TOP - 6}" ')
        parts.append(f'y2="{height - 6}"/>')
    for place, rating in enumerate(ratings):
        parts += _bar(rating, TOP + ROW * place, at, at(table.zero))
    parts.append("</svg>")
    return "".join(parts)


def _bar(rating: Rating, top: int, at: Callable[[float], float], zero: float) -> list[str]:
    elo, error = elo_text(rating)
    name = rating.name
    if len(name) > NAME_LETTERS:
        name = name[: NAME_LETTERS - 1] + "…"
    assert rating.elo is not None
    end, low, high = at(rating.elo), at(rating.low), at(rating.high)
    middle = top + ROW // 2
    told = error if rating.anchored else f"± {error}"
    kind = " anchored" if rating.anchored else ""
    parts = [
        f'<g class="bar{kind}"><title>{escape(rating.name)}: {elo} ({told})</title>',
        f'<text class="name" x="{NAME_WIDTH - 12}" y="{middle + 5}">{escape(name)}</text>',
        f'<rect x="{min(zero, end)}" y="{top + 6}" width="{abs(end - zero):.1f}" '
        f'height="{ROW - 12}" rx="3"/>',
    ]
    if not rating.anchored:
        parts.append(
            f'<path class="whisker" d="M{low} {middle}H{high}M{low} {middle - 5}v10'
            f'M{high} {middle - 5}v10"/>'
        )
    parts.append(f'<circle cx="{end}" cy="{middle}" r="3.5"/>')
    parts.append(f'<text class="value" x="{WIDTH - VALUE_WIDTH + 14}" y="{middle + 5}">{elo} ')
    parts.append(f'<tspan class="error">{told}</tspan></text></g>')
    return parts


def axis_ticks(low: float, high: float) -> list[float]:
    """Returns four to nine round numbers that hold the values between them."""
    span = max(high - low, 1.0)
    step = next((step for step in STEPS if span / step <= 7), 10.0 ** math.ceil(math.log10(span)))
    first, last = math.floor(low / step), math.ceil(high / step)
    if first == last:
        last += 1
    return [float(step * count) for count in range(first, last + 1)]


def standings_table(table: Table) -> str:
    """Returns the rating table."""
    titles = (
        ("#", ""),
        ("Engine", ""),
        ("Elo", ""),
        ("± 95 %", "half the width of the 95 % interval"),
        ("LOS", "likelihood of being stronger than the next in the list"),
        ("Games", ""),
        ("Score", ""),
        ("Won", ""),
        ("Drawn", ""),
        ("Lost", ""),
        ("Forfeits", "games lost by a fault: late, illegal, crashed ..."),
        ("Depth", "average, as the engine tells"),
        ("Nodes/s", "as the engine tells"),
    )
    head = "".join(f'<th scope="col" title="{text}">{name}</th>' for name, text in titles)
    rows = "".join(_standing_row(place, row) for place, row in enumerate(table.rows, 1))
    return (
        "".join(f'<p class="note fault">{escape(text)}</p>' for text in table.warnings)
        + f'<table class="standings"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        + "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    )


def _standing_row(place: int, row: Standing) -> str:
    elo, error = elo_text(row.rating)
    superior = row.rating.superior
    forfeits = ", ".join(f"{reason} {count}" for reason, count in row.forfeits)
    cells = (
        elo,
        error,
        "" if superior is None else f"{superior:.0%}",
        row.games,
        "" if row.share is None else f"{row.share:.1%}",
        row.wins,
        row.draws,
        row.losses,
        f'<span class="fault">{escape(forfeits)}</span>' if forfeits else "0",
        "" if row.depth is None else f"{row.depth:.1f}",
        "" if row.nps is None else speed_text(row.nps),
    )
    values = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><td>{place}</td><th scope="row">{escape(row.name)}</th>{values}</tr>'


def cross_table(table: Table, numbers: dict[str, int]) -> str:
    """Returns the cross table; each cell leads to the games of its pair, by players' numbers."""
    head = "".join(
        f'<th scope="col" title="{escape(row.name)}">{place}</th>'
        for place, row in enumerate(table.rows, 1)
    )
    rows = []
    for place, row in enumerate(table.rows, 1):
        cells = "".join(_cross_cell(table, row, other, numbers) for other in table.rows)
        rows.append(f'<tr><td>{place}</td><th scope="row">{escape(row.name)}</th>{cells}</tr>')
    return (
        '<table class="cross"><thead><tr><th></th><th scope="col">Engine</th>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _cross_cell(table: Table, row: Standing, other: Standing, numbers: dict[str, int]) -> str:
    if other is row:
        return '<td class="self"></td>'
    cell = table.cell(row.name, other.name)
    if cell is None:
        return '<td class="none"></td>'
    share = cell.points / cell.games
    kind, strength = ("won", 2 * share - 1) if share >= 0.5 else ("lost", 1 - 2 * share)
    told = (
        f"{row.name} against {other.name}: {cell.wins} won, {cell.draws} drawn, {cell.losses} lost"
    )
    pair = f"{numbers[row.name]}-{numbers[other.name]}"
    return (
        f'<td class="{kind}" style="--s:{strength:.2f}"><a href="#games" data-pair="{pair}" '
        f'title="{escape(told)}"><b>{_points(cell.points)}</b>'
        f"<span>{cell.wins}-{cell.draws}-{cell.losses}</span></a></td>"
    )


def _points(points: float) -> str:
    """Returns points with the half as one sign."""
    whole, half = divmod(points, 1)
    return f"{int(whole) if whole or not half else ''}{'½' if half else ''}"
