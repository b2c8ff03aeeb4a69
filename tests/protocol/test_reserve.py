"""The reserve of a move's time, which learns from late replies."""

import pytest

from protocol.clock import (
    AT_ONCE,
    Budget,
    Reserve,
)

# Time


@pytest.mark.parametrize(
    ("turn", "reserve"), [(0, 8), (10, 8), (24, 8), (30, 10), (60, 20), (90, 30), (5000, 30)]
)
def test_the_reserve_of_a_machine_that_nobody_knows(turn: int, reserve: int) -> None:
    assert Reserve().ms(turn) == reserve


def taught(*costs: float, hard_ms: int = 34, shrinks: bool = True) -> Reserve:
    """A reserve that has seen replies of these costs."""
    reserve = Reserve(shrinks=shrinks)
    for cost in costs:
        reserve.learn(Budget(hard_ms, hard_ms), hard_ms + cost)
    return reserve


def test_prompt_replies_make_the_reserve_smaller() -> None:
    """By and by, and never below what the brain cannot see of a reply."""
    kept = [taught(*[0.5] * replies).ms(50) for replies in range(100)]
    assert kept[0] == 16 and kept == sorted(kept, reverse=True)
    assert kept[8] > 13 and kept[32] == kept[99] == 6.5
    assert taught(*[0.0] * 100).ms(5000) == 6


def test_one_late_reply_makes_the_reserve_larger_at_once() -> None:
    prompt = [0.2] * 100
    assert taught(*prompt, 7).ms(50) == 13
    assert taught(*prompt, 14).ms(50) == 20, "more than on a machine that nobody knows"
    assert taught(*prompt, 14, *[0.2] * 200).ms(50) == 20, "it is not forgotten soon"
    assert taught(*prompt, 14, *[0.2] * 300).ms(50) < 7


def test_where_nobody_has_measured_the_reserve_only_grows() -> None:
    assert taught(*[0.2] * 100, shrinks=False).ms(50) == 16
    assert taught(*[0.2] * 100, 14, shrinks=False).ms(50) == 20


@pytest.mark.parametrize(("turn", "most"), [(10, 8), (30, 15), (50, 25), (90, 45), (5000, 60)])
def test_a_reserve_has_an_end(turn: int, most: int) -> None:
    assert taught(10_000).ms(turn) == most


def test_only_replies_that_used_their_time_are_counted() -> None:
    reserve = Reserve(shrinks=True)
    reserve.learn(Budget(1000, 1000), 400)  # a win was found
    reserve.learn(Budget(None, None), 400)
    reserve.learn(AT_ONCE, 9)
    assert reserve.ms(50) == 16
    reserve.learn(Budget(1000, 1000), 999.5)
    assert reserve.ms(50) < 16
