"""The core and the referee side by side: the same positions, the same moves, the same answers."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import Color, Engine, GameOverError, NoUndoError, OccupiedError, Outcome, Rule

BLACK, WHITE = Color.BLACK, Color.WHITE


ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)


STEPS: list[Point] = [(1, 0), (0, 1), (1, 1), (1, -1)]


BOTH_WAYS = [(way * dx, way * dy) for dx, dy in STEPS for way in (1, -1)]


Setup = dict[str, Any]
"""The arguments of `set_position` of engine and referee, except for the colours."""


def repeat(check: Callable[[int], None], *, times: int, soak: bool = False) -> None:
    """Calls a check with many seeds: always the same ones, or new ones in a soak."""
    run = given(st.integers(min_value=0, max_value=2**64 - 1))(check)
    settings(max_examples=times, derandomize=not soak, database=None)(run)()


def crowd(rng: random.Random, rule: Rule, size: int) -> Setup:
    """Returns a random position: from a few stones to a full board, sometimes with fives."""
    fill = rng.choice((0.2, 0.5, 0.8, 0.95, 1.0))
    weights = [rng.uniform(0.3, 1.0), rng.uniform(0.1, 1.0), rng.choice((0.0, 0.05, 0.3))]
    stones: dict[Point, str] = {}
    for x in range(size):
        for y in range(size):
            if rng.random() < fill:
                stones[(x, y)] = rng.choices(("black", "white", "neutral"), weights)[0]
    for _ in range(rng.choice((0, 0, 1, 2))):
        color = rng.choice(("black", "white"))
        dx, dy = rng.choice(STEPS)
        x, y = rng.randrange(size), rng.randrange(size)
        line = [(x + i * dx, y + i * dy) for i in range(rng.randint(4, 6))]
        stones.update((m, color) for m in line if on_board(m, size))
    for _ in range(rng.choice((0, 0, 1, 3))):  # otherwise there may be no empty square
        stones.pop((rng.randrange(size), rng.randrange(size)), None)
    enough = rule.captures_to_win
    taken = (rng.randrange(enough + 1), rng.randrange(enough)) if enough else (0, 0)
    return {
        **{name: [m for m, s in stones.items() if s == name] for name in NAMES},
        "captures": rng.choice((taken, taken[::-1])),
        "to_move": rng.choice((BLACK, WHITE)),
    }


NAMES = ("black", "white", "neutral")


def on_board(m: Point, size: int) -> bool:
    """Says whether a square exists."""
    return 0 <= m[0] < size and 0 <= m[1] < size


def likely_size(rng: random.Random) -> int:
    """Returns a random size; small boards, where a few moves change much, are more likely."""
    return rng.choice((rng.randint(5, 22), rng.randint(5, 12), rng.randint(5, 8)))


def line_length(stones: dict[Point, str], m: Point, color: str) -> int:
    """Returns the longest run that a stone on an empty square would be in."""

    def walk(dx: int, dy: int) -> int:
        n = 1
        while stones.get((m[0] + n * dx, m[1] + n * dy)) == color:
            n += 1
        return n - 1

    return max(1 + walk(dx, dy) + walk(-dx, -dy) for dx, dy in STEPS)


def captures(stones: dict[Point, str], m: Point, color: str) -> bool:
    """Says whether a stone on an empty square would bracket a pair or a triple."""
    prey = "white" if color == "black" else "black"

    def line(dx: int, dy: int, length: int) -> list[str | None]:
        return [stones.get((m[0] + i * dx, m[1] + i * dy)) for i in range(1, length + 2)]

    return any(
        line(dx, dy, length) == [prey] * length + [color]
        for dx, dy in BOTH_WAYS
        for length in (2, 3)
    )


def inviting_moves(rng: random.Random, position: Position) -> list[Point]:
    """Returns the empty squares, the attractive ones first."""
    size = position.size
    stones = {m: color.value for m, color in position.stones.items()}
    taken = set(stones) | set(position.neutral)
    empty = [(x, y) for x in range(size) for y in range(size) if (x, y) not in taken]
    rng.shuffle(empty)
    mover = position.to_move.value
    mood = rng.choice(("own line", "their line", "capture", "near", "near", "anywhere"))
    if mood == "own line":
        empty.sort(key=lambda m: -line_length(stones, m, mover))
    elif mood == "their line":
        empty.sort(key=lambda m: -line_length(stones, m, position.to_move.other.value))
    elif mood == "capture":
        empty.sort(key=lambda m: not captures(stones, m, mover))
    elif mood == "near":
        empty.sort(key=lambda m: not any((m[0] + x, m[1] + y) in stones for x, y in BOTH_WAYS))
    return empty


def said(outcome: Outcome | referee.Outcome) -> tuple[object, ...]:
    """Returns an outcome in words, without its captures."""
    return (
        outcome.status.value,
        outcome.winner.value if outcome.winner else None,
        outcome.reason.value if outcome.reason else None,
    )


def refereed(rule: Rule, size: int, setup: Setup) -> Position:
    """Returns the referee's position."""
    position = Position(size=size, rule=referee.Rule(rule))
    position.set_position(**{**setup, "to_move": referee.Color(setup["to_move"].value)})
    return position


@contextmanager
def both(rule: Rule, size: int, setup: Setup) -> Iterator[tuple[Engine, Position]]:
    """Yields engine and referee on the same position; a failure shows the position."""
    with Engine(size=size, rule=rule, memory_mib=1) as e:
        e.set_position(**setup)
        position = refereed(rule, size, setup)
        try:
            yield e, position
        except AssertionError as error:
            error.add_note(f"{rule!r}, size {size}, {setup}, then {position.moves}")
            raise


def squares(size: int) -> list[Point]:
    """Every square of a board, sorted."""
    return [(x, y) for x in range(size) for y in range(size)]


def compare(e: Engine, position: Position, seen: Counter[str], asked: list[Point]) -> None:
    """Compares everything visible of the position on the given squares."""
    outcome = e.outcome()
    assert outcome.captured == []
    assert said(outcome) == said(
        referee.Outcome([], position.status, position.winner, position.reason)
    )
    forbidden = e.forbidden()
    for m in asked:
        legal = position.legal(m)
        assert e.legal(m) == legal, m
        assert (m in forbidden) == position.is_forbidden(m), m
    if len(asked) == position.size**2:
        assert forbidden == position.forbidden()
    seen["forbidden"] += bool(forbidden)
    note_outcome(seen, outcome)


def note_outcome(seen: Counter[str], outcome: Outcome) -> None:
    """Counts an outcome."""
    seen[outcome.status.value] += 1
    if outcome.reason:
        seen[outcome.reason.value] += 1
    if outcome.captured:
        seen[f"{len(outcome.captured)} captured"] += 1


def compare_move(e: Engine, position: Position, m: Point) -> Outcome:
    """Plays a legal move in both and compares them."""
    outcome, expected = e.play(m), position.play(m)
    assert (outcome.captured, *said(outcome)) == (expected.captured, *said(expected)), m
    return outcome


def snapshot(e: Engine) -> tuple[object, ...]:
    """Returns everything visible of the engine's position; of large boards some squares only."""
    asked = squares(e.size)[:: 1 if e.size <= 8 else 7]
    legal = [m for m in asked if e.legal(m)]
    return e.outcome(), e.forbidden(), e.evaluate(), legal


def play_on(e: Engine, position: Position, rng: random.Random, seen: Counter[str]) -> None:
    """Plays a random game to its end, compares at each ply, and takes all moves back."""
    snapshots = [snapshot(e)]
    every = squares(position.size)
    while not position.is_over:
        small = position.size <= 8 or rng.random() < 0.03
        compare(e, position, seen, every if small else rng.sample(every, 6))
        m = next(m for m in inviting_moves(rng, position) if position.legal(m))
        note_outcome(seen, compare_move(e, position, m))
        snapshots.append(snapshot(e))
    compare(e, position, seen, every)
    with pytest.raises((GameOverError, OccupiedError)):
        e.play(rng.choice(every))
    assert snapshot(e) == snapshots.pop()
    while snapshots:
        e.undo()
        position.undo()
        assert snapshot(e) == snapshots.pop()
    with pytest.raises(NoUndoError):
        e.undo()
