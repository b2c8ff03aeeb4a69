"""Incremental values equal those of a board set up from scratch.

tests/c/test_pattern.c compares the shapes with their definition. Here the shipped library, without
assertions, is checked through everything that depends on shapes.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import Engine, Limits, Rule
from tests.support.scenes import setup_of

ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
RANDOM = settings(max_examples=20, derandomize=True, database=None)
seeds = st.integers(min_value=0, max_value=2**64 - 1)


def seen(e: Engine) -> tuple[object, ...]:
    """Returns the values that depend on shapes: evaluation, forbidden moves, threats.

    The best move is left out: it also depends on the last move, and a set-up position has none.
    """
    e.clear_table()
    line = e.vcf(max_nodes=50)
    r = e.search(Limits(depth=0, nodes=5000))  # the proofs at the root, 500 and 250 nodes
    return e.evaluate(), e.forbidden(), line, (r.mate, r.stage)


def near(rng: random.Random, position: Position) -> Point:
    """Returns a legal square, mostly next to a stone."""
    stones = list(position.stones) or [(position.size // 2, position.size // 2)]
    for _ in range(20):
        x, y = rng.choice(stones)
        m = (x + rng.randint(-2, 2), y + rng.randint(-2, 2))
        if position.legal(m):
            return m
    return rng.choice(position.legal_moves())


@ALL_RULES
def test_what_is_kept_is_what_is_there(rule: Rule) -> None:
    """Moves, captures and undo give the same values as setting up the same stones.

    The last two moves are played in both, because the evaluation uses them.
    """
    captures = evaluations = 0

    @RANDOM
    @given(seed=seeds)
    def check(seed: int) -> None:
        nonlocal captures, evaluations
        rng = random.Random(seed)
        size = rng.randint(5, 22)
        position = Position(size=size, rule=referee.Rule(rule))
        with (
            Engine(size=size, rule=rule, memory_mib=0.125) as kept,
            Engine(size=size, rule=rule, memory_mib=0.125) as fresh,
        ):
            for _ in range(40):
                if position.moves and (position.is_over or rng.random() < 0.2):
                    for _ in range(rng.randint(1, min(3, len(position.moves)))):
                        kept.undo()
                        position.undo()
                    continue
                m = near(rng, position)
                captures += len(kept.play(m).captured)
                position.play(m)
                if position.is_over or rng.random() < 0.6:
                    continue
                last = position.moves[-2:]
                for _ in last:
                    position.undo()
                fresh.set_position(**setup_of(position))
                for m in last:
                    fresh.play(m)
                    position.play(m)
                assert seen(kept) == seen(fresh), (rule, size, position.moves)
                evaluations += 1

    check()
    assert evaluations > 100
    assert (captures > 0) == rule.has_captures
