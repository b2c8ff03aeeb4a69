"""A turned or mirrored position has the same answers, and colours can be swapped."""

import random

import pytest

from arena.rules.symmetry import turned
from pyengine import Engine, Rule, Status
from tests.support.agreement import (
    ALL_RULES,
    NAMES,
    Setup,
    crowd,
    likely_size,
    repeat,
    said,
    squares,
)

COLOURLESS = [rule for rule in Rule if rule is not Rule.RENJU]


def turned_setup(setup: Setup, size: int, way: int) -> Setup:
    """Returns the position in another view."""
    return {**setup, **{name: [turned(m, size, way) for m in setup[name]] for name in NAMES}}


def swapped_setup(setup: Setup) -> Setup:
    """Returns the position with exchanged colours."""
    return {
        **setup,
        "black": setup["white"],
        "white": setup["black"],
        "captures": setup["captures"][::-1],
        "to_move": setup["to_move"].other,
    }


@ALL_RULES
def test_symmetries(rule: Rule) -> None:
    """Turned and mirrored positions have the same forbidden squares, evaluation and outcome."""
    count, evaluations = 0, set()

    def look(seed: int) -> None:
        nonlocal count
        rng = random.Random(seed)
        size = likely_size(rng)
        setup = crowd(rng, rule, size)
        m = rng.choice(squares(size))
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            views = []
            for way in range(8):
                e.set_position(**turned_setup(setup, size, way))
                forbidden = e.forbidden()
                at = turned(m, size, way)
                ongoing = e.outcome().status in (Status.ONGOING, Status.PENDING)
                view: list[object] = [e.outcome(), e.evaluate(), e.legal(at)]
                if ongoing and e.legal(at):
                    out = e.play(at)
                    taken = {
                        stone for stone in squares(size) if turned(stone, size, way) in out.captured
                    }
                    view += [said(out), taken, e.evaluate()]
                    e.undo()
                views.append(view)
                if way == 0:
                    expected = forbidden
                    count += len(forbidden)
                    evaluations.add(e.evaluate())
                assert forbidden == sorted(turned(f, size, way) for f in expected), (setup, way)
            assert all(view == views[0] for view in views), (setup, views)

    repeat(look, times=40)
    assert len(evaluations) > 20
    assert (count > 0) == (rule in (Rule.RENJU, Rule.NINUKI))


@pytest.mark.parametrize("rule", COLOURLESS, ids=lambda rule: rule.name)
def test_colours_can_be_swapped(rule: Rule) -> None:
    """If the colours have the same rules, exchanging them changes nothing."""
    evaluations = set()

    def look(seed: int) -> None:
        rng = random.Random(seed)
        size = likely_size(rng)
        setup = crowd(rng, rule, size)
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            e.set_position(**setup)
            here = (e.outcome(), e.forbidden(), e.evaluate())
            e.set_position(**swapped_setup(setup))
            there = (e.outcome(), e.forbidden(), e.evaluate())
        assert here[1:] == there[1:], setup
        assert here[0].status == there[0].status and here[0].reason == there[0].reason, setup
        assert (here[0].winner and here[0].winner.other) == there[0].winner, setup
        evaluations.add(here[2])

    repeat(look, times=40)
    assert len(evaluations) > 20
