"""Wins by continuous fours and threes: all are found, none is claimed wrongly.

The referee checks each claim; `tests/support/win_tree.py` says how.
"""

import pytest

from arena.rules import referee
from arena.rules.referee import Point
from pyengine import Color, Engine, ProofAnswer, Rule
from tests.support.slow_solver import Board
from tests.support.win_tree import (
    MAX_NODES,
    Case,
    WinTree,
    board_of,
    engine,
    load,
    missed,
    name_of,
    play_line,
)

RULES = [rule for rule in Rule if not rule.has_captures]
FINAL_NODES = 1_000_000
WINS, NONE = load("vct_wins.json"), load("vct_none.json")


@pytest.mark.parametrize("case", WINS, ids=name_of)
def test_each_win_is_found(case: Case) -> None:
    """The win needs threes; the line of the claim wins before the referee, like the answer's."""
    play_line(case, [tuple(m) for m in case["answer"]])
    with engine(case) as e:
        assert e.vcf(max_nodes=MAX_NODES) is None
        line = e.vct(max_nodes=MAX_NODES)
        assert line is not None
        play_line(case, line)


def a_win_of(rule: Rule) -> Case:
    """Returns the second shortest win of a rule."""
    cases = [case for case in WINS if Rule[case["rule"].upper()] is rule]
    return sorted(cases, key=lambda case: len(case["answer"]))[1]


@pytest.mark.parametrize("case", list(map(a_win_of, RULES)), ids=name_of)
def test_the_tree_of_a_win_is_true(case: Case) -> None:
    """Every reply that may matter is refuted, in one win of each rule."""
    WinTree(case).walk()


@pytest.mark.soak
@pytest.mark.parametrize("case", WINS, ids=name_of)
def test_the_tree_of_each_win_is_true(case: Case) -> None:
    """The same for all cases."""
    WinTree(case).walk()


@pytest.mark.soak
@pytest.mark.parametrize("case", sorted(WINS, key=lambda c: len(c["answer"]))[:5], ids=name_of)
def test_no_reply_at_all_helps(case: Case) -> None:
    """Every legal reply to every three is refuted, wherever it is."""
    WinTree(case, everything=True).walk()


@pytest.mark.parametrize("case", NONE, ids=name_of)
def test_nothing_is_claimed_where_there_is_no_win(case: Case) -> None:
    """No number of nodes gives a claim, also in a second call."""
    with engine(case) as e:
        for max_nodes in (1, 100, 10_000, MAX_NODES, MAX_NODES):
            answers = e.prove_vct(max_nodes=max_nodes)
            assert not answers and not answers.moves
            assert answers.answer is not ProofAnswer.WIN


@pytest.mark.parametrize("case", NONE, ids=name_of)
def test_that_there_is_no_win_is_said_only_when_it_is_proved(case: Case) -> None:
    """One node proves nothing. With enough of them the answer is final, and stays so."""
    with engine(case) as e:
        assert e.prove_vct(max_nodes=1).answer is ProofAnswer.NOT_FOUND
        found = e.prove_vct(max_nodes=FINAL_NODES)
        assert found.answer in (ProofAnswer.NO_WIN, ProofAnswer.NOT_FOUND)
        if found.answer is ProofAnswer.NO_WIN:
            board = board_of(case)
            assert not board.wins_by_fours()


@pytest.mark.parametrize("number", range(5))
def test_wins_by_quiet_threes_are_proved(number: int) -> None:
    """Positions of public collections that a root search misses at depth 30."""
    case = missed()[number]
    with engine(case) as e:
        found = e.prove_vct(max_nodes=5_000_000)
        assert found.answer is ProofAnswer.WIN
        assert found.moves[0] == tuple(case["winning_move"])
        play_line(case, found.moves)


@pytest.mark.soak
@pytest.mark.parametrize("case", NONE, ids=name_of)
def test_the_slow_solver_finds_nothing_either(case: Case) -> None:
    """Within the bound of the case."""
    board = board_of(case)
    assert not board.wins_by_threats(case["bound"])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_slow_solver_finds_short_wins(rule: Rule) -> None:
    """The solver is only useful on positions without a win if it finds existing wins."""
    white = [(3, 4), (4, 4), (5, 5), (5, 6)]  # two twos, which meet in two threes on (5, 4)

    def board(black: list[Point]) -> Board:
        return Board(
            rule=referee.Rule(rule),
            size=9,
            black=black,
            white=white,
            attacker=referee.Color.WHITE,
        )

    assert not board([(0, 0)]).wins_by_fours()
    assert board([(0, 0)]).wins_by_threats(1)
    assert not board([(2, 4), (6, 4)]).wins_by_threats(1)
    with Engine(size=9, rule=rule, memory_mib=1) as e:
        e.set_position(white=white, black=[(0, 0)], to_move=Color.WHITE)
        assert e.vcf() is None
        assert e.vct() is not None


FORBIDDEN = [case for case in load("renju_forbidden.json") if case["to_move"] == "black"]


@pytest.mark.parametrize("case", FORBIDDEN, ids=name_of)
def test_no_win_begins_on_a_forbidden_square(case: Case) -> None:
    """A claimed line does not begin with a forbidden move, and wins before the referee."""
    case = {**case, "rule": "renju"}
    square = tuple(case["move"])
    with engine(case) as e:
        for line in (e.vcf(max_nodes=MAX_NODES), e.vct(max_nodes=MAX_NODES)):
            if line is not None:
                assert line[0] != square or not case["forbidden"]
                play_line(case, line)


def test_suites_cover_the_rules() -> None:
    """The suites have wins and positions without one under every rule."""
    assert len(WINS) >= 40 and len(NONE) >= 20
    for cases in (WINS, NONE):
        assert {Rule[case["rule"].upper()] for case in cases} == set(RULES)
        assert {case["to_move"] for case in cases} == {"black", "white"}
        assert len({case["id"] for case in cases}) == len(cases)
