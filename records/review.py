"""The review of a game as plain data: a judgement of each position, and turning points.

The judge may be the engine of a script or any brain of the arena.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from records.squares import Point, renju_name_of
from records.tree import BLACK, WHITE, GameTree, Node
from records.winrate import percent

__all__ = [
    "TURNING",
    "Judgement",
    "TurningPoint",
    "annotate",
    "classify",
    "table",
    "turning_points",
    "win_rates",
]

_MARK = "Review: "
TURNING = 0.15
"""A move that loses at least this much of the win rate is a turning point."""


@dataclass(frozen=True)
class Judgement:
    """Holds an engine's judgement of a position, for the side to move.

    best:     its move; None after the end of the game.
    win_rate: 0 to 1; None if the engine reports no score.
    score:    as the engine reports it, for people; empty if it reports none.
    mate:     plies to a proven end, negative for a loss.
    stage:    the deciding search: `vcf`, `vct`, `answer_vcf` and so on; empty if unknown.
    line:     the expected moves, the best one first.
    """

    best: Point | None
    win_rate: float | None
    score: str = ""
    mate: int | None = None
    stage: str = ""
    line: tuple[Point, ...] = ()


@dataclass(frozen=True)
class TurningPoint:
    """Holds a move that lost much.

    ply:    the number of the move, from 1.
    lost:   the loss of win rate, 0 to 1.
    missed: `VCF`, `VCT`, `win`, `defence`, or empty.
    """

    ply: int
    color: str
    played: Point
    better: Point
    lost: float
    missed: str
    line: tuple[Point, ...]


def win_rates(judgements: Sequence[Judgement], first: str = BLACK) -> list[float | None]:
    """Returns Black's win rate before each move and at the end; None if unknown."""
    whites = 1 if first == BLACK else 0
    rates = [judgement.win_rate for judgement in judgements]
    return [
        1 - rate if rate is not None and i % 2 == whites else rate for i, rate in enumerate(rates)
    ]


def turning_points(
    moves: Sequence[Point],
    judgements: Sequence[Judgement],
    *,
    first: str = BLACK,
    least: float = TURNING,
) -> list[TurningPoint]:
    """Returns the moves that lost at least `least` of the win rate, in order.

    There is one judgement more than moves: one before each move, and one after the last. Raises
    ValueError otherwise.
    """
    if len(judgements) != len(moves) + 1:
        raise ValueError(f"{len(judgements)} judgements: expected {len(moves) + 1}")
    points: list[TurningPoint] = []
    colors = (first, WHITE if first == BLACK else BLACK)
    for i, played in enumerate(moves):
        before, after = judgements[i], judgements[i + 1]
        if before.win_rate is None or after.win_rate is None:
            continue
        lost = before.win_rate - (1 - after.win_rate)
        if before.best is None or before.best == played or lost < least:
            continue
        points.append(
            TurningPoint(
                ply=i + 1,
                color=colors[i % 2],
                played=played,
                better=before.best,
                lost=lost,
                missed=classify(before, after),
                line=before.line or (before.best,),
            )
        )
    return points


def classify(before: Judgement, after: Judgement) -> str:
    """Returns what a move missed: the kind of a proven win, or the defence against one."""
    if before.mate is not None and before.mate > 0:
        return {"vcf": "VCF", "vct": "VCT"}.get(before.stage, "win")
    if after.mate is not None and after.mate > 0:
        return "defence"
    return ""


def table(points: Sequence[TurningPoint], size: int) -> str:
    """Returns the turning points as lines of text, at most 79 letters wide."""
    if not points:
        return "no turning points\n"
    rows = [("move", "by", "played", "better", "lost", "missed", "line")]
    for p in points:
        line = " ".join(renju_name_of(move, size) for move in p.line)
        rows.append(
            (
                str(p.ply),
                p.color,
                renju_name_of(p.played, size),
                renju_name_of(p.better, size),
                f"{100 * p.lost:.0f} %",
                p.missed,
                line,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    lines = []
    for row in rows:
        head = "  ".join(cell.ljust(width) for cell, width in zip(row[:6], widths, strict=True))
        whole = f"{head}  {row[6]}".rstrip()
        lines.append(whole if len(whole) <= 79 else whole[:79].rsplit(" ", 1)[0])
    return "\n".join(lines) + "\n"


def annotate(
    tree: GameTree, judgements: Sequence[Judgement], points: Sequence[TurningPoint]
) -> None:
    """Writes a review into the main line: a comment at each move, better lines as variations.

    Existing comments stay before the new ones. A second review of the same tree replaces the first.
    """
    nodes = [node for node in tree.root.main_line() if node.move is not None]
    nodes = nodes[: len(judgements) - 1]  # without an illegal move that ended the game
    rates = win_rates(judgements, tree.first)
    turned = {point.ply: point for point in points}
    for ply, node in enumerate(nodes, 1):
        rate = rates[ply]
        told = ["no score was reported" if rate is None else f"Black wins {percent(rate)}"]
        if point := turned.get(ply):
            better = renju_name_of(point.better, tree.size)
            missed = f", missed: {point.missed}" if point.missed else ""
            told.append(f"lost {100 * point.lost:.0f} %: better {better}{missed}")
        own = node.comment.split(_MARK)[0].rstrip("\n")
        node.comment = "\n".join([*([own] if own else []), _MARK + "; ".join(told)])
    for ply, point in turned.items():
        _add_line(tree.root if ply == 1 else nodes[ply - 2], point)


def _add_line(parent: Node, point: TurningPoint) -> None:
    """Adds a better line after a node, along existing moves."""
    node = parent
    for move in point.line:
        found = next((child for child in node.children if child.move == move), None)
        node = found or node.add(move)
