"""Random crowded positions of the referee, and settings of hypothesis for them."""

import json
import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from arena.rules.referee import Color, Point, Position, Rule
from tests.support.paths import DATA

BLACK, WHITE = Color.BLACK, Color.WHITE
STEPS: list[Point] = [(1, 0), (0, 1), (1, 1), (1, -1)]
RENJU_CASES: list[dict[str, Any]] = json.loads(
    (DATA / "renju_forbidden.json").read_text(encoding="utf-8")
)["cases"]
RANDOM = settings(max_examples=40)
seeds = st.integers(min_value=0, max_value=2**32 - 1)


def crowd(seed: int, *, rule: Rule, sizes: tuple[int, ...] = (7, 9, 12)) -> dict[str, Any]:
    """Returns the arguments of a random crowded position, with its size."""
    rng = random.Random(seed)
    size = rng.choice(sizes)
    share = {"B": rng.uniform(0.1, 0.5), "W": rng.uniform(0.0, 0.4), "N": 0.02}
    stones: dict[str, list[Point]] = {"B": [], "W": [], "N": []}
    for x in range(size):
        for y in range(size):
            letter = rng.choices("BWN.", [*share.values(), max(0.1, 1 - sum(share.values()))])[0]
            if letter != ".":
                stones[letter].append((x, y))
    captures = (rng.randrange(5), rng.randrange(5)) if rule.has_captures else (0, 0)
    return {
        "size": size,
        "black": stones["B"],
        "white": stones["W"],
        "neutral": stones["N"],
        "captures": captures,
        "to_move": rng.choice(list(Color)),
    }


def set_up(rule: Rule, arguments: dict[str, Any]) -> Position:
    """Returns a position from the arguments of `crowd`."""
    rest = {name: value for name, value in arguments.items() if name != "size"}
    position = Position(size=arguments["size"], rule=rule)
    position.set_position(**rest)
    return position
