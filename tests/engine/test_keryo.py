"""Keryo-Pente by worked cases: core and referee play each drawn move by the rules."""

import pytest

from pyengine import Color, Engine, Limits, OutOfRangeError, Position, Rule
from tests.support.worked import SIZE, Case, check

BLACK, WHITE = Color.BLACK, Color.WHITE


def row(first: int, last: int) -> list[tuple[int, int]]:
    """Returns the squares of the drawing's first row from one column to another."""
    return [(x, 0) for x in range(first, last + 1)]


CASES = [
    Case("a pair", ["*WWB"], row(1, 2)),
    Case("a triple", ["*WWWB"], row(1, 3)),
    Case("a triple the other way", ["BWWW*"], row(1, 3)),
    Case("a triple down", ["*", "W", "W", "W", "B"], [(0, 1), (0, 2), (0, 3)]),
    Case("a triple on a diagonal", ["*", ".W", "..W", "...W", "....B"], [(1, 1), (2, 2), (3, 3)]),
    Case("one stone stays", ["*WB"], []),
    Case("four stones stay", ["*WWWWB"], []),
    Case("five stones stay", ["*WWWWWB"], []),
    Case("the edge is no bracket", ["WWW*"], [], at=(0, 6)),
    Case("a neutral stone is no bracket", ["*WWWN"], []),
    Case("a neutral stone is no prey", ["*WWNB"], []),
    Case("a gap in the row", ["*WW.WB"], []),
    Case("moving between four stones is safe", ["WBB*W"], []),
    Case("moving between two stones is safe", ["WB*W"], []),
    Case("a pair and a triple in one move", ["BWW*WWWB"], row(1, 2) + row(4, 6)),
    Case("two triples in one move", ["BWWW*WWWB"], row(1, 3) + row(5, 7)),
    Case("a triple one way, four the other", ["BWWW*WWWWB"], row(1, 3)),
    Case("a double three is allowed", ["..B..", ".B*B.", "..B.."], []),
    Case("five", ["BBBB*"], [], "five"),
    Case("nine", ["BBBB*BBBB"], [], "five"),
    Case("a five that a capture would break", ["..W", "BB*BB", "..B", "..B", "..."], [], "five"),
    Case("fourteen stones do not win", ["*WWWB"], row(1, 3), captures=(11, 14)),
    Case("the fifteenth stone wins", ["*WWWB"], row(1, 3), "captures", (12, 14)),
    Case("a pair wins from thirteen", ["*WWB"], row(1, 2), "captures", (13, 0)),
    Case("a pair does not win from twelve", ["*WWB"], row(1, 2), captures=(12, 0)),
    Case("a triple from fourteen", ["*WWWB"], row(1, 3), "captures", (14, 0)),
    Case("captures before a five", ["BBBB*WWB"], [(5, 0), (6, 0)], "captures", (13, 0)),
]


@pytest.mark.parametrize("swapped", [False, True], ids=["black", "white"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_worked_case(case: Case, swapped: bool) -> None:
    """Both colours have the same rules."""
    check(Rule.KERYO, case, swapped=swapped)


def test_captures_are_counted_in_stones() -> None:
    position = Position(SIZE, Rule.KERYO, black=["a1"], white=["b1", "c1", "d1"], turn="black")
    position.play("e1")
    assert position.captures == (3, 0)


@pytest.mark.parametrize("captures", [(15, 14), (38, 0)])
def test_counts_that_play_can_reach_are_accepted(captures: tuple[int, int]) -> None:
    with Engine(size=SIZE, rule=Rule.KERYO, memory_mib=1) as e:
        e.set_position(captures=captures, to_move=BLACK)
        assert e.outcome().winner is BLACK


@pytest.mark.parametrize("captures", [(15, 15), (39, 0), (-1, 0)])
def test_other_counts_are_refused(captures: tuple[int, int]) -> None:
    with (
        Engine(size=SIZE, rule=Rule.KERYO, memory_mib=1) as e,
        pytest.raises(OutOfRangeError, match="captures"),
    ):
        e.set_position(captures=captures, to_move=BLACK)


# White to move: a stone on (11, 12) captures three. Black has a four.
RACE_BLACK = [(5, 9), (6, 9), (7, 9), (8, 9), (12, 12), (13, 12), (14, 12)]


@pytest.mark.parametrize(("captures", "wins"), [(12, True), (11, False)])
def test_a_triple_wins_if_it_completes_fifteen(captures: int, wins: bool) -> None:
    """With twelve stones captured, three more win at once and come before Black's four."""
    with Engine(size=SIZE, rule=Rule.KERYO, memory_mib=1) as e:
        e.set_position(black=RACE_BLACK, white=[(15, 12)], captures=(0, captures), to_move=WHITE)
        found = e.search(Limits(nodes=2000))
        assert (found.mate == 1) is wins
        assert found.move == (11, 12) or not wins


def test_an_open_four_can_lose_its_middle() -> None:
    """White captures three stones of the four from outside its line: no win in three plies."""
    black = [(5, 9), (6, 9), (7, 9), (6, 10), (6, 11)]
    white = [(6, 8), (14, 14), (2, 12)]
    with Engine(size=SIZE, rule=Rule.KERYO, memory_mib=1) as e:
        e.set_position(black=black, white=white, to_move=BLACK)
        assert e.play((8, 9)).status.value == "ongoing"
        answer = e.play((6, 12))
        assert answer.captured == [(6, 9), (6, 10), (6, 11)]
        assert e.search(Limits(nodes=2000)).mate != 1
