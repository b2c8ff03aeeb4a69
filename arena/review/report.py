"""The results of a review: a table, an annotated game, JSON, and one HTML page."""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from records.review import (
    Judgement,
    TurningPoint,
    annotate,
    table,
    turning_points,
    win_rates,
)
from records.rules import rule_name
from records.sgf import write_sgf
from records.squares import renju_name_of
from records.tree import to_sgf

from ..rules.referee import Point
from ..util.paths import replace_text
from .page import review_page
from .source import Source

__all__ = ["Finished", "write_reports"]

FORMAT = 1


@dataclass(frozen=True)
class Finished:
    """Holds a review that is done.

    engine: its name. limits: of each search, for people.
    least:  what of the chance to win a turning point loses.
    """

    source: Source
    judgements: tuple[Judgement, ...]
    engine: str
    limits: str
    least: float

    @property
    def points(self) -> list[TurningPoint]:
        """Returns the turning points."""
        moves, first = self.source.moves, self.source.tree.first
        return turning_points(moves, self.judgements, first=first, least=self.least)

    @property
    def rates(self) -> list[float | None]:
        """Returns Black's chance to win before each move, and at the end."""
        return win_rates(self.judgements, self.source.tree.first)

    @property
    def table(self) -> str:
        """Returns the turning points as text."""
        if all(rate is None for rate in self.rates[: len(self.source.moves)]):
            return f"{self.engine} reports no score, so no turning point can be found\n"
        return table(self.points, self.source.size)


def write_reports(folder: Path, review: Finished) -> list[Path]:
    """Writes review.sgf, review.json and review.html; returns their paths. Raises OSError."""
    tree = copy.deepcopy(review.source.tree)
    annotate(tree, review.judgements, review.points)
    texts = {
        "review.sgf": write_sgf([to_sgf(tree)]),
        "review.json": json.dumps(_values(review), indent=1) + "\n",
        "review.html": review_page(
            review.source,
            review.judgements,
            review.points,
            review.rates,
            facts=(("judge", review.engine), ("each search", review.limits)),
        ),
    }
    for name, text in texts.items():
        replace_text(folder / name, text)
    return [folder / name for name in texts]


def _values(review: Finished) -> dict[str, object]:
    source, size = review.source, review.source.size

    def name(point: Point | None) -> str | None:
        return None if point is None else renju_name_of(point, size)

    def names(points: Sequence[Point]) -> list[str]:
        return [renju_name_of(point, size) for point in points]

    return {
        "format": FORMAT,
        "game": {
            "black": source.tree.black,
            "white": source.tree.white,
            "rule": rule_name(int(source.rule)),
            "size": size,
            "result": source.tree.result,
            "moves": names(source.moves),
        },
        "engine": review.engine,
        "limits": review.limits,
        "positions": [
            {
                "ply": ply,
                "black_wins": None if rate is None else round(rate, 4),
                "best": name(judgement.best),
                "score": judgement.score,
                "mate": judgement.mate,
                "line": names(judgement.line),
            }
            for ply, (judgement, rate) in enumerate(
                zip(review.judgements, review.rates, strict=True)
            )
        ],
        "turning_points": [
            {
                "ply": point.ply,
                "color": point.color,
                "played": name(point.played),
                "better": name(point.better),
                "lost": round(point.lost, 4),
                "missed": point.missed,
                "line": names(point.line),
            }
            for point in review.points
        ],
    }
