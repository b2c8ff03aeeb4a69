"""The core and the referee agree in random games, crowded positions and worked cases."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from arena.rules.referee import Point, Position
from arena.rules.symmetry import turned
from pyengine import Color, Engine, GameOverError, Rule
from tests.support.agreement import (
    ALL_RULES,
    BLACK,
    WHITE,
    both,
    captures,
    compare,
    compare_move,
    crowd,
    inviting_moves,
    likely_size,
    note_outcome,
    play_on,
    repeat,
    said,
    snapshot,
    squares,
)
from tests.support.paths import DATA


def load(name: str) -> list[dict[str, Any]]:
    """Returns the cases of a data file."""
    cases: list[dict[str, Any]] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


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
    quick_games(rule, random.Random(1), count=50)


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
    return next((m for m in some if captures(stones, m, mover)), some[0])


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
    crowds(rule, times=60)


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
