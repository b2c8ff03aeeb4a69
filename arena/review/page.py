"""The review as one HTML page: the graph of the win rate, the board, the turning points."""

import json
from collections.abc import Sequence
from importlib import resources
from string import Template

from records.review import Judgement, TurningPoint
from records.rules import rule_name
from records.squares import renju_name_of

from ..page import text
from ..page.text import escape
from ..rules.board_view import star_points
from .source import Source

__all__ = ["review_page"]

WIDTH, HEIGHT = 880, 180
LEFT, BOTTOM = 40, 22


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
    title = f"{tree.black or 'Black'} - {tree.white or 'White'}"
    about = [
        ("rule", f"{rule_name(int(source.rule))}, {source.size}x{source.size}"),
        ("moves", str(len(source.moves))),
        ("result", source.record.summary()),
        *facts,
    ]
    return Template(_text("review.html")).substitute(
        title=escape(title),
        style=resources.files(text.__package__).joinpath("style.css").read_text(encoding="utf-8")
        + _text("review.css"),
        script=_text("review.js"),
        facts="".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in about),
        graph=graph(rates, points),
        points=_table(source, points),
        data=_data(source, judgements, rates),
    )


def graph(rates: Sequence[float | None], points: Sequence[TurningPoint]) -> str:
    """Returns an SVG of Black's chance to win after each move, turning points marked."""
    last = max(1, len(rates) - 1)

    def at(ply: int, rate: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 10) * ply / last
        return round(x, 1), round(8 + (HEIGHT - BOTTOM - 8) * (1 - rate), 1)

    parts = [
        f'<svg class="graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'data-left="{LEFT}" data-right="{WIDTH - 10}" data-width="{WIDTH}" '
        'aria-label="The chance of Black to win after each move">'
    ]
    for percent in (0, 25, 50, 75, 100):
        _, y = at(0, percent / 100)
        kind = "middle" if percent == 50 else "tick"
        parts.append(f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - 10}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4}">{percent}</text>')
    for ply in range(0, last + 1, 10 if last > 15 else 5):
        x, _ = at(ply, 0)
        parts.append(f'<text class="ply" x="{x}" y="{HEIGHT - 5}">{ply}</text>')
    for run in _runs(rates):
        line = " ".join("{},{}".format(*at(ply, rate)) for ply, rate in run)
        parts.append(f'<polyline points="{line}"/>')
    for point in points:
        rate = rates[point.ply]
        if rate is not None:
            x, y = at(point.ply, rate)
            parts.append(f'<circle class="{point.color}" cx="{x}" cy="{y}" r="5"/>')
    parts.append(f'<line class="now" x1="{LEFT}" x2="{LEFT}" y1="8" y2="{HEIGHT - BOTTOM}"/></svg>')
    return "".join(parts)


def _runs(rates: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Returns the stretches for which a rate is told."""
    runs: list[list[tuple[int, float]]] = [[]]
    for ply, rate in enumerate(rates):
        if rate is None:
            runs.append([])
        else:
            runs[-1].append((ply, rate))
    return [run for run in runs if run]


def _table(source: Source, points: Sequence[TurningPoint]) -> str:
    if not points:
        return '<p class="empty">No move lost much.</p>'
    size = source.size
    rows = []
    for p in points:
        line = " ".join(renju_name_of(move, size) for move in p.line)
        rows.append(
            f'<tr data-ply="{p.ply}" tabindex="0"><td>{p.ply}</td>'
            f'<td><i class="dot {p.color}"></i>{renju_name_of(p.played, size)}</td>'
            f"<td>{renju_name_of(p.better, size)}</td><td>{100 * p.lost:.0f} %</td>"
            f"<td>{escape(p.missed)}</td><td>{line}</td></tr>"
        )
    head = "".join(
        f"<th>{word}</th>" for word in ("", "played", "better", "lost", "missed", "the better line")
    )
    return (
        f'<table class="turning"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _data(source: Source, judgements: Sequence[Judgement], rates: Sequence[float | None]) -> str:
    """Returns the game as JSON for the script, with nothing that could end the script element."""
    boards = []
    for position in source.positions():
        stones = [[*point, color.value] for point, color in position.stones.items()]
        boards.append({"stones": stones, "captures": position.captures})
    values = {
        "size": source.size,
        "stars": sorted(star_points(source.size)),
        "first": source.tree.first,
        "moves": source.moves,
        "boards": boards,
        "judged": [
            {"best": j.best, "score": j.score, "line": j.line, "black": rate}
            for j, rate in zip(judgements, rates, strict=True)
        ],
    }
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c")


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
