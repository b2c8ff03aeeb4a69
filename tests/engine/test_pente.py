"""Pente by worked cases: core and referee play each drawn move by the rules."""

import pytest

from pyengine import Color, Engine, Limits, OutOfRangeError, Rule
from tests.support.worked import SIZE, Case, check

BLACK, WHITE = Color.BLACK, Color.WHITE

CASES = [
    Case("a pair", ["*WWB"], [(1, 0), (2, 0)]),
    Case("the other way", ["BWW*"], [(1, 0), (2, 0)]),
    Case("down", ["*", "W", "W", "B"], [(0, 1), (0, 2)]),
    Case("a diagonal", ["*", ".W", "..W", "...B"], [(1, 1), (2, 2)]),
    Case("one stone stays", ["*WB"], []),
    Case("four stones stay", ["*WWWWB"], []),
    Case("the edge is no bracket", ["WW*"], [], at=(0, 6)),
    Case("a neutral stone is no bracket", ["*WWN"], []),
    Case("a neutral stone is no prey", ["*WNB"], []),
    Case("moving between two stones is safe", ["WB*W"], []),
    Case("two pairs in one move", ["BWW*WWB"], [(1, 0), (2, 0), (4, 0), (5, 0)]),
    Case("a double three is allowed", ["..B..", ".B*B.", "..B.."], []),
    Case("a double four is allowed", ["BBB*", "...B", "...B", "...B"], []),
    Case("five", ["BBBB*"], [], "five"),
    Case("six", ["BBB*BB"], [], "five"),
    Case("nine", ["BBBB*BBBB"], [], "five"),
    Case("a five that a capture would break", ["..W", "BB*BB", "..B", "..."], [], "five"),
    Case("five between two stones", ["WBBBB*W"], [], "five"),
    Case("a fourth pair does not win", ["*WWB"], [(1, 0), (2, 0)], captures=(3, 4)),
    Case("a fifth pair wins", ["*WWB"], [(1, 0), (2, 0)], "captures", (4, 4)),
    Case("a fifth pair before a five", ["BBBB*WWB"], [(5, 0), (6, 0)], "captures", (4, 0)),
    Case(
        "two pairs win from three",
        ["BWW*WWB"],
        [(1, 0), (2, 0), (4, 0), (5, 0)],
        "captures",
        (3, 0),
    ),
]


@pytest.mark.parametrize("swapped", [False, True], ids=["black", "white"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_worked_case(case: Case, swapped: bool) -> None:
    """Both colours have the same rules."""
    check(Rule.PENTE, case, swapped=swapped)


def test_a_five_that_was_set_up_decides_nothing() -> None:
    with Engine(size=SIZE, rule=Rule.PENTE, memory_mib=1) as e:
        e.set_position(black=[(x, 5) for x in range(3, 8)], white=[(0, 0)], to_move=WHITE)
        assert e.outcome().status.value == "ongoing"
        assert e.play((9, 9)).status.value == "ongoing"
        assert e.play((8, 5)).winner is BLACK


def test_captures_of_both_sides_that_win_are_refused() -> None:
    with (
        Engine(size=SIZE, rule=Rule.PENTE, memory_mib=1) as e,
        pytest.raises(OutOfRangeError, match="captures"),
    ):
        e.set_position(captures=(5, 5), to_move=BLACK)


# White has four pairs. A stone at either end or the fifth pair stops Black's four.
RACE_BLACK = [(5, 9), (6, 9), (7, 9), (8, 9), (12, 12), (13, 12)]


def test_a_win_by_captures_comes_before_a_four() -> None:
    with Engine(size=SIZE, rule=Rule.PENTE, memory_mib=1) as e:
        e.set_position(black=RACE_BLACK, white=[(14, 12)], captures=(0, 4), to_move=WHITE)
        found = e.search(Limits(nodes=2000))
        assert (found.move, found.mate) == ((11, 12), 1)


def test_a_four_wins_although_it_could_be_broken() -> None:
    """Under ninuki the same five is pending: White breaks it with (5, 12)."""
    black = [(5, 9), (6, 9), (7, 9), (8, 9), (5, 10), (4, 3)]
    white = [(5, 8), (4, 9), (14, 14), (2, 12)]
    with Engine(size=SIZE, rule=Rule.PENTE, memory_mib=1) as e:
        e.set_position(black=black, white=white, to_move=BLACK)
        found = e.search(Limits(nodes=2000))
        assert (found.move, found.mate) == ((9, 9), 1)
        assert e.play((9, 9)).winner is BLACK
