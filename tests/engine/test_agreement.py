"""The core and the referee, which share no code, agree on every rule.

Games and crowded positions are random, but moves prefer lines and captures. Each test checks at the
end that its subject has occurred.
"""

import json
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
from pyengine import Color, Engine, GameOverError, NoUndoError, OccupiedError, Outcome, Rule, Status
from tests.support.paths import DATA

BLACK, WHITE = Color.BLACK, Color.WHITE
ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
COLOURLESS = [rule for rule in Rule if rule is not Rule.RENJU]
STEPS: list[Point] = [(1, 0), (0, 1), (1, 1), (1, -1)]
BOTH_WAYS = [(way * dx, way * dy) for dx, dy in STEPS for way in (1, -1)]

Setup = dict[str, Any]
"""The arguments of `set_position` of engine and referee, except for the colours."""


def load(name: str) -> list[dict[str, Any]]:
    """Returns the cases of a data file."""
    cases: list[dict[str, Any]] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


def repeat(check: Callable[[int], None], *, times: int, soak: bool = False) -> None:
    """Calls a check with many seeds: always the same ones, or new ones in a soak."""
    run = given(st.integers(min_value=0, max_value=2**64 - 1))(check)
    settings(max_examples=times, deadline=None, derandomize=not soak, database=None)(run)()


# --- random positions and moves -----------------------------------------------------------------


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


def takes(stones: dict[Point, str], m: Point, color: str) -> bool:
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
        empty.sort(key=lambda m: not takes(stones, m, mover))
    elif mood == "near":
        empty.sort(key=lambda m: not any((m[0] + x, m[1] + y) in stones for x, y in BOTH_WAYS))
    return empty


# --- the two in step ----------------------------------------------------------------------------


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
    """Returns everything visible of the engine's position."""
    legal = [m for m in squares(e.size) if e.legal(m)]
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


# --- games --------------------------------------------------------------------------------------

ENDS = {"win", "five", "ongoing"}
IN_GAMES: dict[Rule, set[str]] = {
    Rule.FREESTYLE: ENDS,
    Rule.STANDARD: ENDS | {"draw", "board_full"},
    Rule.RENJU: ENDS | {"forbidden"},
    Rule.CARO: ENDS | {"draw", "board_full"},
    Rule.CARO_STANDARD: ENDS | {"draw", "board_full"},
    Rule.NINUKI: ENDS
    | {"forbidden", "pending", "captures", "five_not_broken", "2 captured", "4 captured"},
    Rule.PENTE: ENDS | {"captures", "2 captured", "4 captured"},
    Rule.KERYO: ENDS | {"captures", "2 captured", "3 captured", "4 captured"},
}


def games(rule: Rule, *, times: int, soak: bool = False) -> None:
    """Plays random games from the empty board."""
    seen: Counter[str] = Counter()

    def game(seed: int) -> None:
        rng = random.Random(seed)
        size = likely_size(rng)
        with both(rule, size, {"to_move": BLACK}) as (e, position):
            play_on(e, position, rng, seen)

    repeat(game, times=times, soak=soak)
    assert IN_GAMES[rule] <= set(seen), seen


@ALL_RULES
def test_random_games(rule: Rule) -> None:
    """Engine and referee agree at each ply on legal squares, captures and ends, also after undo."""
    games(rule, times=30)


@pytest.mark.soak
@ALL_RULES
def test_many_random_games(rule: Rule) -> None:
    """The same with new seeds, for longer."""
    games(rule, times=300, soak=True)


WITH_CAPTURES = [rule for rule in Rule if rule.has_captures]


@pytest.mark.parametrize("rule", WITH_CAPTURES, ids=lambda rule: rule.name)
def test_quick_games_with_captures(rule: Rule) -> None:
    """Captures, ends and counts agree in games of moves that capture if they can."""
    quick_games(rule, random.Random(1), count=100)


@pytest.mark.soak
@pytest.mark.parametrize("rule", WITH_CAPTURES, ids=lambda rule: rule.name)
def test_thousands_of_quick_games_with_captures(rule: Rule) -> None:
    """The same with new seeds, for longer."""
    quick_games(rule, random.Random(), count=3_000)


def quick_games(rule: Rule, rng: random.Random, *, count: int) -> None:
    """Plays games on boards of 5x5 to 10x10 and compares each move's outcome."""
    seen: Counter[str] = Counter()
    for _ in range(count):
        size = rng.randint(5, 10)
        with both(rule, size, {"to_move": BLACK}) as (e, position):
            while not position.is_over:
                note_outcome(seen, compare_move(e, position, quick_move(rng, position)))
    enough = {"win", "five", "captures", *(f"{n} captured" for n in (2, 4))}
    assert enough <= set(seen), seen


def quick_move(rng: random.Random, position: Position) -> Point:
    """Returns a legal square: of a few random ones, one that captures if there is one."""
    size, mover = position.size, position.to_move.value
    stones = {m: color.value for m, color in position.stones.items()}
    empty = [m for m in squares(size) if m not in stones]
    rng.shuffle(empty)
    legal = (m for m in empty if position.legal(m))
    some = [m for m, _ in zip(legal, range(rng.choice((1, 4, 12))), strict=False)]
    return next((m for m in some if takes(stones, m, mover)), some[0])


# --- positions from outside ---------------------------------------------------------------------

IN_CROWDS: dict[Rule, set[str]] = {
    rule: ENDS | {"draw", "board_full"} for rule in Rule if not rule.has_captures
}
IN_CROWDS[Rule.RENJU] |= {"forbidden"}
IN_CROWDS |= {rule: IN_GAMES[rule] | {"draw", "board_full"} for rule in Rule if rule.has_captures}


def crowds(rule: Rule, *, times: int, soak: bool = False) -> None:
    """Compares random set-up positions and their legal moves, then plays on from there."""
    seen: Counter[str] = Counter()

    def look(seed: int) -> None:
        rng = random.Random(seed)
        size = likely_size(rng)
        with both(rule, size, crowd(rng, rule, size)) as (e, position):
            compare(e, position, seen, squares(size))
            if position.is_over:
                return
            before = snapshot(e)
            for m in inviting_moves(rng, position)[:12]:
                if position.legal(m):
                    note_outcome(seen, compare_move(e, position, m))
                    e.undo()
                    position.undo()
            assert snapshot(e) == before
            play_on(e, position, rng, seen)

    repeat(look, times=times, soak=soak)
    assert IN_CROWDS[rule] <= set(seen), seen


@ALL_RULES
def test_crowded_positions(rule: Rule) -> None:
    """Positions of any stones, with neutral stones, standing fives and captured pairs."""
    crowds(rule, times=100)


@pytest.mark.soak
@ALL_RULES
def test_many_crowded_positions(rule: Rule) -> None:
    """The same with new seeds, for longer."""
    crowds(rule, times=400, soak=True)


def test_a_side_with_only_forbidden_squares_has_drawn() -> None:
    """The game is a draw if Black's only empty square is an overline."""
    size, gap, last = 7, (3, 6), (0, 0)
    black = [(x, 6) for x in range(size) if (x, 6) != gap]
    rest = [m for m in squares(size) if m[1] < 6 and m != last]
    setup = {"black": black, "neutral": rest, "to_move": WHITE}
    with both(Rule.RENJU, size, setup) as (e, position):
        outcome = compare_move(e, position, last)
        assert said(outcome) == ("draw", None, "no_legal_move")
        compare(e, position, Counter(), squares(size))
        with pytest.raises(GameOverError):
            e.play(gap)
    setup = {"black": black, "white": [last], "neutral": rest, "to_move": BLACK}
    with both(Rule.RENJU, size, setup) as (e, position):
        assert said(e.outcome()) == ("draw", None, "no_legal_move")
        compare(e, position, Counter(), squares(size))
    with both(Rule.RENJU, size, {**setup, "to_move": WHITE}) as (e, position):
        assert said(compare_move(e, position, gap)) == ("draw", None, "board_full")


# --- worked cases -------------------------------------------------------------------------------


@pytest.mark.parametrize("case", load("ninuki_rules.json"), ids=lambda case: str(case["id"]))
def test_ninuki_case(case: dict[str, Any]) -> None:
    """The core agrees with every worked case of ninuki."""
    expected, m = case["expected"], tuple(case["move"])
    before = [case["captures"][side] for side in ("black", "white")]
    with Engine(size=19, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(
            black=case["black"],
            white=case["white"],
            captures=(before[0], before[1]),
            to_move=Color(case["to_move"]),
        )
        assert e.legal(m) == expected["legal"]
        assert (m in e.forbidden()) == (expected.get("why") == "double-three")
        if not expected["legal"]:
            return
        outcome = e.play(m)
    assert outcome.captured == sorted(tuple(stone) for stone in expected.get("captured", []))
    status, winner, reason = said(outcome)
    assert status == expected["status"]
    assert winner == expected.get("winner")
    assert reason == expected.get("reason")


@pytest.mark.parametrize("case", load("renju_forbidden.json"), ids=lambda case: str(case["id"]))
def test_renju_case(case: dict[str, Any]) -> None:
    """The core forbids the squares of every worked case of renju, in all eight views."""
    size = case["size"]
    with Engine(size=size, rule=Rule.RENJU, memory_mib=1) as e:
        for way in range(8):
            e.set_position(
                black=[turned(m, size, way) for m in case["black"]],
                white=[turned(m, size, way) for m in case["white"]],
                to_move=Color(case["to_move"]),
            )
            m = turned(case["move"], size, way)
            assert e.legal(m) == (not case["forbidden"])
            assert (m in e.forbidden()) == case["forbidden"]


# --- symmetries ---------------------------------------------------------------------------------


def turned(m: Point, size: int, way: int) -> Point:
    """Returns a square under one of the eight symmetries."""
    x, y = m
    if way & 1:
        x = size - 1 - x
    if way & 2:
        y = size - 1 - y
    return (y, x) if way & 4 else (x, y)


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
