"""Positions for tests of the search, and the part of a result that does not depend on the clock."""

import random
from typing import Any

import pytest

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import (
    Color,
    Rule,
    SearchResult,
)

BLACK, WHITE = Color.BLACK, Color.WHITE
ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)

Setup = dict[str, Any]
"""The arguments of `set_position` of the engine."""


DOUBLE_THREE: Setup = {
    "black": [(2, 4), (3, 4), (4, 5), (4, 6)],
    "white": [(0, 0), (2, 0), (8, 1), (0, 8)],
    "captures": (0, 0),
    "to_move": BLACK,
}


def setup_of(position: Position) -> Setup:
    """Returns the referee's position for the engine."""
    stones = position.stones
    return {
        "black": [m for m, color in stones.items() if color is referee.Color.BLACK],
        "white": [m for m, color in stones.items() if color is referee.Color.WHITE],
        "neutral": position.neutral,
        "captures": position.captures,
        "to_move": Color(position.to_move.value),
    }


def row(y: int, xs: range) -> list[Point]:
    """Returns squares of one row."""
    return [(x, y) for x in xs]


def squares(size: int) -> list[Point]:
    """Every square of a board."""
    return [(x, y) for x in range(size) for y in range(size)]


def scattered(seed: int, size: int, stones: int, *, rule: Rule = Rule.FREESTYLE) -> Setup:
    """Returns a random position without a five: near the centre, or all over a small board."""
    rng, enough = random.Random(seed), rule.captures_to_win
    middle = [
        m for m in squares(size) if all(size < 10 or size // 4 <= i < 3 * size // 4 for i in m)
    ]
    while True:
        chosen = rng.sample(middle, stones)
        setup: Setup = {
            "black": chosen[::2],
            "white": chosen[1::2],
            "captures": (rng.randrange(enough), rng.randrange(enough)) if enough else (0, 0),
            "to_move": WHITE if stones % 2 else BLACK,
        }
        if not any(has_five(set(setup[name])) for name in ("black", "white")):
            return setup


def has_five(stones: set[Point]) -> bool:
    """Says whether five of the stones are in a row."""
    return any(
        all((x + i * dx, y + i * dy) in stones for i in range(5))
        for x, y in stones
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def essence(r: SearchResult) -> tuple[object, ...]:
    """Returns the part of a result that does not depend on the clock."""
    return r.move, r.score, r.mate, r.depth, r.seldepth, r.nodes, r.pv, r.stage, r.table_permille
