"""The report of an ablation study: a table in Markdown, and a plot in SVG."""

import math
from collections.abc import Sequence

from ..stats.panels import Bars, Points, picture
from .steps import StepResult, reach

__all__ = ["markdown", "plot"]

HEAD = (
    ("Step", "Turned on", "Depth", "Nodes a move", "+W =D -L", "Elo ± error", "LLR", "Verdict"),
    ("---", "---", "---:", "---:", "---:", "---:", "---:", "---"),
)


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
    names = [f"{result.step.number} {result.step.title}" for result in results]
    depths = tuple(result.means.depth for result in results)
    nodes = tuple(result.means.nodes for result in results)
    elos = tuple(reach(result.score) if result.score.samples else None for result in results)
    return picture(
        "Depth, nodes a move and Elo of each step of the ablation study",
        names,
        [
            Bars("depth", depths, ".1f"),
            Bars("nodes a move", nodes, ",.0f"),
            Points("Elo against the step before, 95 %", elos),
        ],
    )
