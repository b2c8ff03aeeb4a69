"""Moves without time: the engine plays a win in one, and blocks one if a move can."""

import itertools
import random
from collections.abc import Callable, Sequence

import pytest

from pyengine import Color, Engine, Limits, Rule, Status

Square = tuple[int, int]

AT_ONCE = Limits(time_ms=0)
SIZE = 9
BOARD = list(itertools.product(range(SIZE), range(SIZE)))
POSITIONS = 100


def wins(e: Engine, move: Square) -> bool:
    """Says whether a move of the side to move wins at once."""
    mover = e.position.turn
    won = e.play(move).winner is mover
    e.undo()
    return won


def legal(e: Engine) -> list[Square]:
    return [square for square in BOARD if e.legal(square)]


def loses(e: Engine, move: Square) -> bool:
    """Says whether a move loses, or lets the other side win with its next move."""
    mover = e.position.turn
    outcome = e.play(move)
    if outcome.status in (Status.WIN, Status.DRAW):
        lost = outcome.winner not in (None, mover)
    else:
        lost = any(wins(e, reply) for reply in legal(e))
    e.undo()
    return lost


def fives() -> list[list[Square]]:
    """Returns all lines of five squares."""
    steps = [(1, 0), (0, 1), (1, 1), (1, -1)]
    lines = [[(x + i * dx, y + i * dy) for i in range(5)] for x, y in BOARD for dx, dy in steps]
    return [line for line in lines if set(line) <= set(BOARD)]


FIVES = fives()


def deal(e: Engine, chance: random.Random, owner: Callable[[Color, Color], Color]) -> bool:
    """Sets up random stones and a four. Returns False if the game would be over."""
    mover, other = chance.sample([Color.BLACK, Color.WHITE], 2)
    line = chance.sample(chance.choice(FIVES), 4)
    rest = chance.sample([square for square in BOARD if square not in line], 12)
    stones = {Color.BLACK: rest[:6], Color.WHITE: rest[6:]}
    stones[owner(mover, other)] += line
    e.set_position(black=stones[Color.BLACK], white=stones[Color.WHITE], to_move=mover)
    return e.outcome().status is Status.ONGOING


@pytest.mark.parametrize("rule", Rule)
def test_a_win_is_played_without_time(rule: Rule) -> None:
    chance = random.Random(int(rule))
    seen = 0
    with Engine(size=SIZE, rule=rule, memory_mib=1) as e:
        for _ in range(POSITIONS):
            if not deal(e, chance, lambda mover, _: mover):
                continue
            if not any(wins(e, square) for square in legal(e)):
                continue
            seen += 1
            move = e.search(AT_ONCE).move
            assert wins(e, move), f"{e}\n{move}"
    assert seen > POSITIONS // 5


@pytest.mark.parametrize("lines", [1, 5])
@pytest.mark.parametrize("rule", Rule)
def test_no_move_without_time_loses_at_once_needlessly(rule: Rule, lines: int) -> None:
    limits = Limits(time_ms=0, lines=lines)
    chance = random.Random(1000 + int(rule))
    seen = 0
    with Engine(size=SIZE, rule=rule, memory_mib=1) as e:
        for _ in range(POSITIONS):
            if not deal(e, chance, lambda _, other: other):
                continue
            move = e.search(limits).move
            if wins(e, move):
                continue
            seen += 1
            if loses(e, move):
                assert all(loses(e, square) for square in legal(e)), f"{e}\n{move}"
    assert seen > POSITIONS // 5


@pytest.mark.parametrize("lines", [1, 5])
@pytest.mark.parametrize("rule", [rule for rule in Rule if rule.has_captures])
def test_no_move_without_time_gives_the_last_capture(rule: Rule, lines: int) -> None:
    """The opponent has captured nearly enough stones."""
    limits = Limits(time_ms=0, lines=lines)
    chance = random.Random(2000 + int(rule))
    captures = (0, 14 if rule is Rule.KERYO else 4)  # stones, or pairs
    seen = 0
    with Engine(size=SIZE, rule=rule, memory_mib=1) as e:
        for _ in range(POSITIONS // 4):
            stones = chance.sample(BOARD, 16)
            e.set_position(
                black=stones[:8], white=stones[8:], to_move=Color.BLACK, captures=captures
            )
            if e.outcome().status is not Status.ONGOING or any(wins(e, s) for s in legal(e)):
                continue
            losing = [square for square in legal(e) if loses(e, square)]
            seen += 0 < len(losing) < len(legal(e))
            move = e.search(limits).move
            assert move not in losing or len(losing) == len(legal(e)), f"{e}\n{move}"
    assert seen > POSITIONS // 20


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule.has_captures])
def test_an_aborted_search_does_not_shorten_a_loss(rule: Rule) -> None:
    """The best move is proven to lose, and the search ends before it knows the other moves."""
    chance = random.Random(3000 + int(rule))
    captures = (0, 13 if rule is Rule.KERYO else 4)
    seen = 0
    with Engine(size=SIZE, rule=rule, memory_mib=1) as e:
        for _ in range(POSITIONS * 2):
            stones = chance.sample(BOARD, 20)
            e.set_position(
                black=stones[:10], white=stones[10:], to_move=Color.BLACK, captures=captures
            )
            if e.outcome().status is not Status.ONGOING:
                continue
            move = e.search(Limits(nodes=chance.choice((8, 16, 32, 64)))).move
            if loses(e, move):
                seen += 1
                assert all(loses(e, square) for square in legal(e)), f"{e}\n{move}"
    assert seen > POSITIONS // 20


# Rule, size, stones in the order of BOARD (1 is the side to move), the answers.
FOUND: list[tuple[int, int, str, Sequence[Square]]] = [
    (4, 15, "7,4,1 6,4,2 8,4,1 6,9,2 9,4,1 9,7,2 10,4,1 7,8,2", [(11, 4)]),
    (8, 15, "5,7,2 6,7,2 8,7,2 9,7,2 4,6,1 12,12,1 3,3,1 12,2,1", [(7, 7)]),
    (9, 15, "5,7,2 6,7,2 8,7,2 9,7,2 4,6,1 12,12,1 3,3,1 12,2,1", [(7, 7)]),
    (
        64,
        19,
        "6,7,1 7,7,2 9,5,1 8,7,2 5,5,1 9,7,2 8,6,1 10,7,2 12,9,1 9,9,2 10,8,1 8,10,2",
        [(11, 7)],
    ),
    (
        32,
        19,
        "7,8,1 8,8,2 8,7,1 10,8,2 10,11,1 11,8,2 9,10,1 12,8,2 10,6,1 6,5,2 12,11,1 7,6,2",
        [(9, 8)],
    ),
]


def test_the_other_end_of_a_four_wins_if_one_is_excluded() -> None:
    black = [(2, 3), (2, 4), (2, 6), (2, 5), (1, 0), (3, 3), (3, 4), (6, 4), (5, 5), (3, 5)]
    with Engine(size=SIZE, rule=Rule.RENJU, memory_mib=1) as e:
        e.set_position(black=black, white=[(5, 2), (8, 3), (4, 8), (5, 8)], to_move=Color.BLACK)
        assert e.search(Limits(time_ms=0, excluded=[(2, 2)])).move == (2, 7)


@pytest.mark.parametrize(("rule", "size", "stones", "answers"), FOUND)
def test_the_answers_of_found_positions(
    rule: int, size: int, stones: str, answers: Sequence[Square]
) -> None:
    own: list[Square] = []
    their: list[Square] = []
    for text in stones.split():
        x, y, side = map(int, text.split(","))
        (own if side == 1 else their).append((x, y))
    with Engine(size=size, rule=rule, memory_mib=1) as e:
        e.set_position(black=own, white=their, to_move=Color.BLACK)
        assert e.search(AT_ONCE).move in answers
