"""Levels of play: the limits of each, and what every level must see."""

import itertools
import random
from collections.abc import Iterator

import pytest

from pyengine import Color, Engine, Limits, OptionError, Rule, Stage, Status

LEVELS = range(1, 11)
LOWER = range(1, 10)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(memory_mib=2) as engine:
        yield engine


def opening(chance: random.Random, plies: int) -> list[tuple[int, int]]:
    """Returns different squares around the centre of 15x15."""
    squares = list(itertools.product(range(4, 11), range(4, 11)))
    return chance.sample(squares, plies)


def test_full_strength_is_the_default_and_bounds_nothing(engine: Engine) -> None:
    engine.set_position(black=[(7, 7)], white=[(8, 8)])
    plain = engine.search(Limits(depth=7))
    engine.clear_table()
    engine.set_option("level", 10)
    again = engine.search(Limits(depth=7))
    assert (again.move, again.nodes, again.depth) == (plain.move, plain.nodes, 7)


def test_each_level_thinks_more_than_the_one_below(engine: Engine) -> None:
    nodes = []
    for level in LOWER:
        engine.set_option("level", level)
        engine.clear_table()
        engine.set_position(black=[(7, 7), (9, 7)], white=[(8, 8), (8, 6)])
        nodes.append(engine.search(Limits(time_ms=20_000)).nodes)
    assert nodes == sorted(nodes)
    assert nodes[0] < 50 and 40_000 < nodes[-1] <= 55_032


@pytest.mark.parametrize("level", LOWER)
def test_a_level_looks_no_further_than_the_limits_say(engine: Engine, level: int) -> None:
    engine.set_option("level", level)
    engine.set_position(black=[(7, 7)], white=[(8, 8)])
    assert engine.search(Limits(depth=1)).depth == 1
    assert engine.search(Limits(nodes=10)).nodes <= 12
    engine.set_option("level", 10)
    assert engine.search(Limits(depth=5)).depth == 5


@pytest.mark.parametrize("value", [0, 11, -1])
def test_there_are_ten(engine: Engine, value: int) -> None:
    with pytest.raises(OptionError, match="level"):
        engine.set_option("level", value)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
def test_fives_are_made_and_stopped(level: int, rule: Rule) -> None:
    with Engine(rule=rule, memory_mib=2) as engine:
        engine.set_option("level", level)
        four, scattered = [(x, 7) for x in range(4, 8)], [(0, 0), (3, 2), (12, 4), (9, 13)]
        engine.set_position(black=four, white=scattered)
        made = engine.search(Limits(nodes=5_000))
        assert made.move in {(3, 7), (8, 7)} and made.stage is Stage.WIN
        engine.set_position(black=[*four, (14, 0)], white=[(3, 7), *scattered], to_move=Color.WHITE)
        # caro's five may be closed before it is made
        answers = {(8, 7), (9, 7)} if rule in (Rule.CARO, Rule.CARO_STANDARD) else {(8, 7)}
        assert engine.search(Limits(nodes=5_000)).move in answers


@pytest.mark.parametrize("level", LEVELS)
def test_an_open_three_becomes_an_open_four(level: int) -> None:
    """Other stones offer better shapes, but none of them wins as soon."""
    with Engine(memory_mib=2) as engine:
        engine.set_option("level", level)
        for seed in range(20):
            chance = random.Random(seed)
            three = [(x, 10) for x in (5, 6, 7)]
            white = [(x, y) for x, y in opening(chance, 12) if y < 8][:4]
            engine.set_position(black=[*three, (1, 1)], white=white)
            found = engine.search(Limits(nodes=5_000))
            assert found.move in {(4, 10), (8, 10)}, (seed, white, found)
            assert found.mate == 3


def play(level: int, seed: int) -> tuple[bool, Color | None]:
    """Plays a game of a level, Black; returns whether it saw a win, and the winner."""
    seen = False
    with Engine(memory_mib=2) as black, Engine(memory_mib=2) as white:
        black.set_option("level", level)
        white.set_option("level", min(10, level + 1))
        both = (black, white)
        moves = opening(random.Random(seed), 4)
        for side in both:
            for move in moves:
                side.place(move)
        for ply in range(150):
            found = both[ply % 2].search(Limits(nodes=16_000))
            seen |= ply % 2 == 0 and (found.mate or 0) > 0
            outcome, _ = [side.play(found.move) for side in both]
            if outcome.status is not Status.ONGOING:
                return seen, outcome.winner
    return seen, None


@pytest.mark.parametrize("level", LOWER)
def test_a_win_that_was_seen_is_won(level: int) -> None:
    games = [play(level, seed) for seed in range(12)]
    assert any(seen for seen, _ in games)
    assert all(winner is Color.BLACK for seen, winner in games if seen)


def test_a_lower_level_misses_what_a_higher_one_finds(engine: Engine) -> None:
    """One stone makes two threes in two lines; a beginner sees single lines only."""
    engine.set_position(
        black=[(5, 7), (6, 7), (7, 5), (7, 6)], white=[(2, 2), (12, 12), (2, 12), (12, 2)]
    )
    found = engine.search(Limits(nodes=5_000))
    assert found.mate is not None
    engine.set_option("level", 1)
    engine.clear_table()
    assert engine.search(Limits(nodes=5_000)).mate is None
