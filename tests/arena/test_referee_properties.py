"""The referee's refusals, its undo, and properties of random positions."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.referee import Position, RefereeError, Rule, Status
from arena.rules.symmetry import turned
from tests.support.crowds import BLACK, RANDOM, WHITE, crowd, seeds, set_up

# --- refusals and undo --------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 23, 0, -1, 15.0, "15", None])
def test_bad_size(size: Any) -> None:
    """Sizes from 5 to 22 are accepted; the error names the argument."""
    with pytest.raises(RefereeError, match="size"):
        Position(size=size, rule=Rule.FREESTYLE)


@pytest.mark.parametrize("rule", [2, 3, -1, "renju", None])
def test_bad_rule(rule: Any) -> None:
    """Only existing rules are accepted."""
    with pytest.raises(RefereeError, match="rule"):
        Position(size=15, rule=rule)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"black": [(15, 0)]}, "black: .* off the board"),
        ({"black": [(0, -1)]}, "black: .* off the board"),
        ({"black": [(1, 2, 3)]}, "black"),
        ({"black": [1]}, "black"),
        ({"white": [("a", 1)]}, "white"),
        ({"black": [(1, 1), (1, 1)]}, "black: .* already"),
        ({"black": [(1, 1)], "white": [(1, 1)]}, "white: .* already"),
        ({"white": [(1, 1)], "neutral": [(1, 1)]}, "neutral: .* already"),
        ({"captures": (0, -1)}, "captures"),
        ({"captures": (0,)}, "captures"),
        ({"captures": (0.5, 1)}, "captures"),
        ({"captures": 3}, "captures"),
        ({"captures": (5, 5)}, "captures"),
        ({"to_move": "black"}, "to_move"),
    ],
)
def test_bad_set_up_is_named_and_changes_nothing(arguments: dict[str, Any], named: str) -> None:
    """Every bad argument is named by the error, and the position stays as it was."""
    position = Position(size=15, rule=Rule.NINUKI)
    position.set_position(black=[(3, 3)], white=[(4, 4)], captures=(1, 2), to_move=WHITE)
    position.play((5, 5))
    before = snapshot(position)
    with pytest.raises(RefereeError, match=named):
        position.set_position(**arguments)
    assert snapshot(position) == before


def test_captures_need_a_rule_that_captures() -> None:
    """Captured pairs are refused under rules without captures."""
    with pytest.raises(RefereeError, match="captures"):
        Position(size=15, rule=Rule.RENJU).set_position(captures=(1, 0))


@pytest.mark.parametrize(
    ("move", "named"),
    [((15, 3), "off the board"), ((3, -1), "off the board"), ((7, 7), "occupied"), (3, "move")],
)
def test_illegal_moves_are_named_and_change_nothing(move: Any, named: str) -> None:
    """A refused move says what is wrong with it."""
    position = Position(size=15, rule=Rule.RENJU)
    position.play((7, 7))
    before = snapshot(position)
    with pytest.raises(RefereeError, match=named):
        position.play(move)
    assert snapshot(position) == before


def test_a_new_game() -> None:
    """On an empty board Black moves first, no square is forbidden, and undo has no move."""
    for rule in Rule:
        position = Position(size=19, rule=rule)
        assert (position.size, position.rule, position.to_move) == (19, rule, BLACK)
        assert (position.status, position.winner, position.reason) == (Status.ONGOING, None, None)
        assert (position.stones, position.neutral, position.moves) == ({}, [], [])
        assert position.forbidden() == []
        assert len(position.legal_moves()) == 19 * 19
        with pytest.raises(RefereeError, match="undo"):
            position.undo()


def test_undo_stops_at_the_set_up_position() -> None:
    """Setting up a position clears the moves before it."""
    position = Position(size=15, rule=Rule.FREESTYLE)
    position.play((1, 1))
    position.set_position(black=[(2, 2)])
    with pytest.raises(RefereeError, match="undo"):
        position.undo()


# --- properties ---------------------------------------------------------------------------------


def snapshot(position: Position) -> tuple[object, ...]:
    """Returns everything visible of a position except the forbidden squares."""
    return (
        position.stones,
        position.neutral,
        position.captures,
        position.to_move,
        position.status,
        position.winner,
        position.reason,
        position.moves,
    )


@RANDOM
@given(seed=seeds, rule=st.sampled_from(list(Rule)), from_empty=st.booleans())
def test_undo_restores_everything(seed: int, rule: Rule, from_empty: bool) -> None:
    """Undo of a random game gives the same positions in reverse order."""
    position = Position(size=7, rule=rule) if from_empty else set_up(rule, crowd(seed, rule=rule))
    rng = random.Random(seed)
    seen = [snapshot(position)]
    while not position.is_over:
        outcome = position.play(rng.choice(position.legal_moves()))
        assert (outcome.status, outcome.winner, outcome.reason) == seen_end(position)
        assert outcome.captured == sorted(outcome.captured)
        seen.append(snapshot(position))
    for before in reversed(seen[:-1]):
        position.undo()
        assert snapshot(position) == before


def seen_end(position: Position) -> tuple[object, ...]:
    """Returns the state of the game in a position."""
    return (position.status, position.winner, position.reason)


@RANDOM
@given(seed=seeds, rule=st.sampled_from(list(Rule)), way=st.integers(min_value=1, max_value=7))
def test_symmetries(seed: int, rule: Rule, way: int) -> None:
    """Turned and mirrored positions have the same forbidden squares, legal moves and outcomes."""
    arguments = crowd(seed, rule=rule)
    size = arguments["size"]
    mirrored = dict(arguments)
    for name in ("black", "white", "neutral"):
        mirrored[name] = [turned(point, size, way) for point in arguments[name]]
    here, there = set_up(rule, arguments), set_up(rule, mirrored)
    assert seen_end(here) == seen_end(there)
    assert sorted(turned(point, size, way) for point in here.forbidden()) == there.forbidden()
    moves = here.legal_moves()
    assert sorted(turned(point, size, way) for point in moves) == there.legal_moves()
    for move in [] if here.is_over else moves:
        outcome, other = here.play(move), there.play(turned(move, size, way))
        assert sorted(turned(point, size, way) for point in outcome.captured) == other.captured
        assert seen_end(here) == seen_end(there)
        here.undo()
        there.undo()


@RANDOM
@given(seed=seeds)
def test_colours_can_be_swapped(seed: int) -> None:
    """Except for renju the colours have the same rules."""
    for rule in Rule:
        arguments = crowd(seed, rule=rule)
        swapped = {
            **arguments,
            "black": arguments["white"],
            "white": arguments["black"],
            "captures": arguments["captures"][::-1],
            "to_move": arguments["to_move"].other,
        }
        here, there = set_up(rule, arguments), set_up(rule, swapped)
        if rule is Rule.RENJU:
            assert WHITE in (here.to_move, there.to_move)
            continue
        assert here.legal_moves() == there.legal_moves()
        for move in [] if here.is_over else here.legal_moves()[:20]:
            outcome, other = here.play(move), there.play(move)
            assert (outcome.captured, outcome.status) == (other.captured, other.status)
            assert (outcome.winner and outcome.winner.other) == other.winner
            here.undo()
            there.undo()
