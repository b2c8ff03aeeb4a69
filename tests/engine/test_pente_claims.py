"""Announced wins under Pente and Keryo-Pente hold against every reply, on small boards.

VCF, VCT and mates of up to five plies are checked by trying every move with a plain referee.
"""

import random
from collections import Counter

import pytest

from pyengine import Engine, Rule
from tests.support.capture_claims import FalseClaimError, check_claims, some_position
from tests.support.capture_games import RULES

BOTH_RULES = pytest.mark.parametrize("rule", list(RULES), ids=lambda rule: rule.name)

CLAIMS = {"vcf win", "vcf no win, tried", "vct win", "mate 1", "mate 3", "mate 5", "mate -2"}


def claims(rule: Rule, *, seeds: range, read_as: Rule | None = None) -> Counter[str]:
    """Checks the claims in random positions; `read_as`: the rule that the core plays instead."""
    seen: Counter[str] = Counter()
    with Engine(rule=rule, memory_mib=4) as engine:
        for seed in seeds:
            game = some_position(random.Random(seed), rule)
            check_claims(read_as or rule, game, engine, seen)
    return seen


@BOTH_RULES
def test_claims(rule: Rule) -> None:
    """No claim is refuted, and no win by two fours is denied."""
    seen = claims(rule, seeds=range(45, 90))
    assert set(seen) >= CLAIMS, seen


@pytest.mark.soak
@BOTH_RULES
def test_many_claims(rule: Rule) -> None:
    """The same with new seeds, for longer."""
    first = random.randrange(2**40)
    claims(rule, seeds=range(first, first + 2_000))


def test_claims_of_another_rule_are_refuted() -> None:
    """The check fails if the core plays Keryo-Pente and the referee Pente."""
    with pytest.raises(FalseClaimError):
        claims(Rule.PENTE, seeds=range(60), read_as=Rule.KERYO)
