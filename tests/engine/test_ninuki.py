"""Ninuki: the engine is right about captures, breakable fives and the fifth pair."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from arena.rules import referee
from pyengine import Color, Engine, Limits, Reason, Rule, Status
from tests.support.agreement import inviting_moves
from tests.support.exhaustive import Solver, set_up
from tests.support.paths import DATA

SOLVED: list[dict[str, Any]] = json.loads((DATA / "ninuki_solved.json").read_text("utf-8"))["cases"]
GAMES, SOAK_GAMES = 60, 20_000

Square = tuple[int, int]


def engine_of(case: dict[str, Any]) -> Engine:
    """Returns an engine with a case's position."""
    e = Engine(size=case["size"], rule=Rule.NINUKI, memory_mib=4)
    e.set_position(
        black=[(x, y) for x, y in case["black"]],
        white=[(x, y) for x, y in case["white"]],
        neutral=[(x, y) for x, y in case.get("neutral", [])],
        captures=tuple(case["captures"]),
        to_move=Color(case["to_move"]),
    )
    return e


# --- faults of an older engine -------------------------------------------------------------------

# Black's five on (8, 9) or (3, 9) can be broken on (5, 11), by the pair (5, 9), (5, 10).
FOUR_WITH_A_PAIR = {
    "size": 19,
    "black": [(4, 9), (5, 9), (6, 9), (7, 9), (5, 10), (14, 3)],
    "white": [(5, 8), (1, 1), (3, 9), (16, 14)],
    "captures": (0, 4),
    "to_move": "black",
}


def test_a_break_that_takes_the_fifth_pair_wins() -> None:
    """The five does not win, even if it could be made again: the break ends the game."""
    with engine_of(FOUR_WITH_A_PAIR) as e:
        assert e.play((8, 9)).status is Status.PENDING
        outcome = e.play((5, 11))
        assert outcome.winner is Color.WHITE and outcome.reason is Reason.CAPTURES
        e.undo()
        result = e.search(Limits(nodes=2000))
        assert result.move == (5, 11) and result.mate == 1


def test_the_pair_is_saved_before_the_five() -> None:
    """With four pairs captured by White, Black saves the pair and claims no win for its five."""
    with engine_of(FOUR_WITH_A_PAIR) as e:
        result = e.search(Limits(nodes=5000))
        line = e.vcf()
        assert result.move == (5, 11)
        assert line is None or line[0] == (5, 11)


def test_the_same_break_without_a_fifth_pair_is_worth_nothing() -> None:
    """With two pairs the break only delays the five, which comes again and wins."""
    with engine_of({**FOUR_WITH_A_PAIR, "captures": (0, 2)}) as e:
        result = e.search(Limits(nodes=20_000))
        assert result.mate is not None and result.mate > 0


# White's five on row 4 stands and can be broken; Black could make one of its own.
STANDING_FIVE = {
    "size": 19,
    "black": [(3, 12), (4, 12), (5, 12), (6, 12), (8, 3), (12, 9)],
    "white": [(6, 4), (7, 4), (8, 4), (9, 4), (10, 4), (8, 5), (15, 15), (2, 16)],
    "captures": (0, 0),
    "to_move": "black",
}


def test_an_own_five_is_no_answer_to_one_that_stands() -> None:
    """Only the capture answers the five, although Black could complete a four."""
    with engine_of(STANDING_FIVE) as e:
        assert e.outcome().status is Status.PENDING
        for nodes in (1, 100, 5000):
            assert e.search(Limits(nodes=nodes)).move == (8, 6)
        assert e.vcf() is None
        outcome = e.play((7, 12))
        assert outcome.winner is Color.WHITE and outcome.reason is Reason.FIVE_NOT_BROKEN


def test_an_own_five_that_breaks_counts() -> None:
    """A capture that breaks the standing five and makes an own one wins."""
    case = {**STANDING_FIVE, "black": [(8, 3), (7, 6), (6, 6), (5, 6), (4, 6), (12, 9)]}
    with engine_of(case) as e:
        assert e.search(Limits(nodes=2000)).move == (8, 6)
        assert e.play((8, 6)).winner is Color.BLACK


# --- losses ---------------------------------------------------------------------------------------

# A game that was lost too early: every move loses, but few of them at once.
LOST = [
    (3, 9), (6, 6), (0, 8), (6, 10), (3, 7), (6, 8), (3, 8), (3, 6),
    (4, 8), (2, 8), (6, 9), (5, 8), (4, 8), (2, 6), (7, 8), (5, 9),
    (4, 8), (2, 7), (2, 9), (4, 6), (5, 6), (4, 5), (1, 8), (1, 9),
    (8, 7), (2, 5), (2, 4), (4, 9), (2, 9), (5, 4), (6, 3), (5, 10),
    (9, 6), (10, 5), (3, 4), (0, 7), (1, 4), (3, 10),
]  # fmt: skip


def test_the_longest_resistance_is_looked_for() -> None:
    """Moves that lose to fours are preferred to one that loses at once."""
    with Engine(size=19, rule=Rule.NINUKI, memory_mib=8) as e:
        for m in LOST:
            e.play(m)
        result = e.search(Limits(nodes=5000))
        assert result.mate is None or result.mate < -2
        e.play(result.move)
        answer = e.search(Limits(nodes=20_000))
        assert answer.mate is not None and answer.mate >= 3


# --- against the solver --------------------------------------------------------------------------


def test_the_suite_is_half_won() -> None:
    """The suite has 50 wins of the side to move and 50 other positions, with captures in both."""
    assert Counter(case["won"] for case in SOLVED) == {True: 50, False: 50}
    assert {case["size"] for case in SOLVED} == {7, 9}


@pytest.mark.parametrize("case", SOLVED[::10], ids=lambda case: str(case["captures"]))
def test_the_solver_says_so(case: dict[str, Any]) -> None:
    """The exhaustive solver confirms the answers of the suite."""
    assert Solver(set_up(case["size"], case)).wins() is case["won"]


def test_claims_agree_with_the_solver() -> None:
    """VCF claims only won positions; the search finds all of them and claims no others."""
    claimed = 0
    for number, case in enumerate(SOLVED):
        with engine_of(case) as e:
            line = e.vcf()
            assert line is None or case["won"], number
            claimed += line is not None
            result = e.search(Limits(nodes=100_000, depth=40))
            assert (result.mate is not None and result.mate > 0) is case["won"], number
    assert claimed >= 10


def test_threats_agree_with_the_solver() -> None:
    """VCT claims only won positions, among them some without a win by fours."""
    claimed = beyond_fours = 0
    for number, case in enumerate(SOLVED):
        with engine_of(case) as e:
            line = e.vct(max_nodes=300_000)
            assert line is None or case["won"], number
            claimed += line is not None
            beyond_fours += line is not None and e.vcf() is None
    assert claimed >= 38 and beyond_fours >= 2


# --- against the referee -------------------------------------------------------------------------


def play_game(e: Engine, rng: random.Random, seen: Counter[str]) -> None:
    """Plays random moves until the end; after each, engine and referee say the same."""
    position = referee.Position(size=e.size, rule=referee.Rule.NINUKI)
    e.reset()
    while not position.is_over:
        inviting = inviting_moves(rng, position)
        forbidden = position.forbidden()
        assert e.forbidden() == forbidden
        seen["double threes"] += len(forbidden)
        m = rng.choice(inviting) if inviting and rng.random() < 0.8 else None
        if m is None or not position.legal(m):
            m = rng.choice(position.legal_moves())
        there, here = position.play(m), e.play(m)
        assert here.captured == there.captured and here.status.value == there.status.value
        assert (here.winner and here.winner.value) == (there.winner and there.winner.value)
        assert (here.reason and here.reason.value) == (there.reason and there.reason.value)
        seen["captured"] += len(here.captured)
        seen["pending"] += here.status is Status.PENDING
        seen["double captures"] += len(here.captured) > 2
        seen[f"won by {here.reason and here.reason.value}"] += 1
    undo_all(e, len(position.moves))


def undo_all(e: Engine, moves: int) -> None:
    """Takes every move back; the board is then empty."""
    for _ in range(moves):
        e.undo()
    outcome = e.outcome()
    assert outcome.status is Status.ONGOING and e.legal((e.size // 2, e.size // 2))
    assert e.evaluate() == empty_value(e.size)


def empty_value(size: int) -> int:
    """Returns the value of an empty board of a size."""
    if size not in EMPTY_VALUES:
        with Engine(size=size, rule=Rule.NINUKI, memory_mib=1) as e:
            EMPTY_VALUES[size] = e.evaluate()
    return EMPTY_VALUES[size]


EMPTY_VALUES: dict[int, int] = {}


def play_games(count: int) -> Counter[str]:
    """Plays random games on boards of 6 to 9; returns the counts of events."""
    seen: Counter[str] = Counter()
    rng = random.Random(16)
    with Engine(size=6, rule=Rule.NINUKI, memory_mib=1) as e:
        for number in range(count):
            e.reset(size=6 + number % 4)
            play_game(e, rng, seen)
    return seen


def assert_seen(seen: Counter[str], games: int) -> None:
    """Checks that the important events have occurred often enough."""
    assert seen["captured"] > 4 * games
    assert seen["double captures"] > games // 12
    assert seen["pending"] > games // 3
    assert seen["double threes"] > games
    assert seen["won by captures"] and seen["won by five"] and seen["won by five_not_broken"]


def test_random_games() -> None:
    """Engine and referee agree, with many captures, pending fives and double threes."""
    assert_seen(play_games(GAMES), GAMES)


@pytest.mark.soak
def test_many_random_games() -> None:
    """The same in 20,000 games."""
    assert_seen(play_games(SOAK_GAMES), SOAK_GAMES)
