"""The tournament opening of Pente, against the rule's text as the plain referee reads it."""

import random

import pytest

from arena.rules.opening_rules import Opening, OpeningRule, usual_opening
from arena.rules.referee import Point, Rule
from tests.support.pente_referee import allowed_by_tournament_rule


@pytest.mark.parametrize("size", [7, 9, 13, 15, 19, 21])
@pytest.mark.parametrize("rule", [Rule.PENTE, Rule.KERYO])
def test_the_tournament_rule(rule: Rule, size: int) -> None:
    """Centre, any square, a square three lines from the centre; then all squares are free."""
    rng = random.Random(size)
    assert usual_opening(rule, size) is OpeningRule.PRO
    for _ in range(6):
        stones: list[Point] = []
        opening = Opening.begin(OpeningRule.PRO, rule, size)
        while not opening.is_over:
            allowed = allowed_by_tournament_rule(size, stones)
            assert set(opening.squares()) == allowed
            stones.append(rng.choice(sorted(allowed)))
            opening = opening.answer(stones[-1])
        assert len(stones) == 3
        assert opening.to_move.value == "white"
