"""The report of an ablation study: a table in Markdown, and a plot in SVG."""

import math
from collections.abc import Sequence
from html import escape

from .steps import StepResult, reach

__all__ = ["markdown", "plot"]

HEAD = (
    ("Step", "Turned on", "Depth", "Nodes a move", "+W =D -L", "Elo ± error", "LLR", "Verdict"),
    ("---", "---", "---:", "---:", "---:", "---:", "---:", "---"),
)

ROW = 24
TOP = 46
NAMES = 170
PANEL = 210
GAP = 34
FONT = "font-family='sans-serif' font-size='12'"
INK, BAR, LINE, GRID = "#222222", "#4878a8", "#b04030", "#d8d8d8"


def markdown(results: Sequence[StepResult], *, notes: Sequence[str], plot_name: str) -> str:
    """Returns the whole page: introduction, plot, table, and conditions."""
    rows = [*HEAD, *(_row(result) for result in results)]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    said = "\n".join(f"- {note}" for note in notes)
    return f"""# Ablation study

This page shows how much each part of the search adds, from the simplest search to the full one.
Step 0 is plain negamax. Each further step turns on one more part by a run-time switch (`INFO
prune.NAME`), keeps all earlier parts, and plays against the step before. "Elo" is the difference
from the step before, with the 95 % interval. "Depth" and "nodes" are averages over the moves of the
step.

![Depth, nodes a move and Elo, step by step]({plot_name})

{table}

Conditions and notes:

{said}
"""


def _row(result: StepResult) -> tuple[str, ...]:
    step, score = result.step, result.score
    head = (f"{step.number} {step.title}", f"`{step.switches_text}`")
    figures = (_text(result.means.depth, ".1f"), _text(result.means.nodes, ",.0f"))
    if not score.samples:
        return (*head, *figures, "-", "-", "-", "-")
    llr = f"{result.llr:+.2f}"
    return (*head, *figures, str(score), _elo_text(result), llr, result.verdict_text)


def _elo_text(result: StepResult) -> str:
    """Returns the difference and its error, or one bound if the other is infinite."""
    if math.isfinite(result.elo.error):
        return str(result.elo)
    _, low, high = reach(result.score)
    bound = f"above {low:+.0f}" if result.score.score > 0.5 else f"below {high:+.0f}"
    known = math.isfinite(result.elo.value)
    return f"{result.elo.value:+.1f}, {bound}" if known else bound


def _text(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def plot(results: Sequence[StepResult]) -> str:
    """Returns an SVG with a row for each step: bars of depth and nodes, Elo with its error."""
    height = TOP + ROW * len(results) + 16
    width = NAMES + 3 * (PANEL + GAP)
    names = [
        _words(NAMES - 10, TOP + ROW * row + 16, f"{r.step.number} {r.step.title}", "end")
        for row, r in enumerate(results)
    ]
    depths = [result.means.depth for result in results]
    nodes = [result.means.nodes for result in results]
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
        f"width='{width}' height='{height}' role='img'>",
        "<title>Depth, nodes a move and Elo of each step of the ablation study</title>",
        f"<rect width='{width}' height='{height}' fill='#ffffff'/>",
        *names,
        *_bars(NAMES, "depth", depths, ".1f"),
        *_bars(NAMES + PANEL + GAP, "nodes a move", nodes, ",.0f"),
        *_elos(NAMES + 2 * (PANEL + GAP), results),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _words(x: float, y: float, text: str, anchor: str = "start") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{INK}' {FONT}>"
        f"{escape(text)}</text>"
    )


def _bars(left: float, title: str, values: Sequence[float | None], form: str) -> list[str]:
    """Returns a panel of bars, scaled so that the longest leaves room for its figure."""
    most = max((value for value in values if value is not None), default=0.0) or 1.0
    parts = [_words(left, TOP - 16, title)]
    for row, value in enumerate(values):
        y = TOP + ROW * row
        if value is None:
            parts.append(_words(left, y + 16, "-"))
            continue
        long = value / most * (PANEL - 60)
        parts.append(
            f"<rect x='{left:.1f}' y='{y + 4}' width='{long:.1f}' height='{ROW - 8}' fill='{BAR}'/>"
        )
        parts.append(_words(left + long + 5, y + 16, format(value, form)))
    return parts


def _elos(left: float, results: Sequence[StepResult]) -> list[str]:
    """Returns a panel of points with their errors, against the step before."""
    found = [(row, reach(r.score)) for row, r in enumerate(results) if r.score.samples]
    ends = [0.0, *(end for _, elo in found for end in elo)]
    low, high = min(ends), max(ends)
    scale = PANEL / ((high - low) or 1.0)
    zero = left - low * scale
    bottom = TOP + ROW * len(results)
    parts = [
        _words(left, TOP - 16, "Elo against the step before, 95 %"),
        f"<path d='M{zero:.1f} {TOP - 6}V{bottom}' stroke='{GRID}'/>",
        _words(zero, TOP - 2, "0", "middle"),
    ]
    for row, (value, least, most) in found:
        y = TOP + ROW * row + ROW / 2
        start, end = (zero + bound * scale for bound in (least, most))
        middle = zero + value * scale
        parts.append(f"<path d='M{start:.1f} {y}H{end:.1f}' stroke='{LINE}' stroke-width='1.5'/>")
        parts.append(f"<circle cx='{middle:.1f}' cy='{y}' r='4' fill='{LINE}'/>")
        said = f"{value:+.0f}"
        parts.append(_words(middle, y - 6, said, "end" if middle > left + PANEL / 2 else "start"))
    return parts
