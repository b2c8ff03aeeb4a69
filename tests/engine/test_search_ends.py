"""The search at the end of games: wins, losses and their defences, pending fives, full boards."""

import pytest

from pyengine import (
    Engine,
    Limits,
    NoMoveError,
    Reason,
    Rule,
    Stage,
    Status,
)
from tests.support.scenes import ALL_RULES, BLACK, WHITE, Setup, row, scattered, squares


def test_a_win_at_once() -> None:
    """Four in a row: the fifth stone, one ply from the end."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 7)), white=row(0, range(0, 8, 2)), to_move=BLACK)
        r = e.search(Limits(depth=4))
        assert (r.stage, r.mate) == (Stage.WIN, 1)
        assert e.play(r.move).winner is BLACK


def test_a_win_in_three() -> None:
    """An open three: four, some answer, five."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 6)), white=[(0, 0), (4, 1), (0, 9)], to_move=BLACK)
        r = e.search(Limits(depth=4))
        assert (r.stage, r.mate, len(r.pv)) == (Stage.VCF, 3, 3)
        assert [line.pv for line in e.progress()] == [r.pv], "the whole proof is told"


def test_the_only_answer() -> None:
    """A four with one stopping square is stopped."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(4)), white=[(9, 9), (3, 12), (9, 2)], to_move=WHITE)
        r = e.search(Limits(depth=4))
        assert (r.stage, r.move, r.mate) == (Stage.BLOCK, (4, 7), None)


def test_a_loss_in_two() -> None:
    """Against an open four every move loses in two plies."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 7)), white=[(0, 0), (4, 1), (0, 9)], to_move=WHITE)
        r = e.search(Limits(depth=6))
        assert r.mate == -2
        assert r.score < 0
        assert r.move in [(2, 7), (7, 7)]


@ALL_RULES
def test_a_search_after_the_end_still_gives_a_legal_move(rule: Rule) -> None:
    """Managers may play on after the end, so the engine must answer."""
    with Engine(size=9, rule=rule, memory_mib=1) as e:
        e.set_position(black=row(4, range(2, 6)), white=row(0, range(0, 8, 2)), to_move=BLACK)
        assert e.play((6, 4)).winner is BLACK
        assert e.legal(e.search(Limits(depth=3)).move)
        e.set_position(black=row(4, range(2, 7)), white=row(0, range(0, 8, 2)), to_move=BLACK)
        assert e.legal(e.search(Limits(depth=3)).move)
        if rule.has_captures:
            e.set_position(black=[(4, 4)], captures=(rule.captures_to_win, 0), to_move=WHITE)
            assert e.outcome().reason is Reason.CAPTURES
            assert e.legal(e.search(Limits(depth=3)).move)


def test_a_pending_five_is_broken() -> None:
    """The one capture that breaks the five is played, at any depth and without time."""
    five = row(7, range(3, 8))
    setup: Setup = {"black": [*five, (5, 8)], "white": [(5, 6), (12, 12)], "to_move": WHITE}
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        for limits in (Limits(time_ms=0), Limits(nodes=1), Limits(depth=1), Limits(depth=5)):
            e.set_position(**setup)
            assert e.outcome().status is Status.PENDING
            r = e.search(limits)
            assert r.move == (5, 9)
            assert r.stage in (Stage.ANSWER_FIVE, Stage.STATIC)
            assert e.play(r.move).status is Status.ONGOING


def test_a_fifth_pair_answers_a_pending_five() -> None:
    """A capture elsewhere does not break the five, but as the fifth pair it wins."""
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        black = [*row(7, range(3, 8)), (10, 11), (11, 11)]
        e.set_position(black=black, white=[(9, 11), (1, 1)], captures=(0, 4), to_move=WHITE)
        r = e.search(Limits(depth=3))
        assert (r.move, r.mate) == ((12, 11), 1)
        assert e.play(r.move).winner is WHITE


def test_a_five_that_cannot_be_broken_is_a_loss() -> None:
    """In this set-up position every move loses at once."""
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 8)), white=[(1, 1)], to_move=WHITE)
        r = e.search(Limits(depth=3))
        assert e.legal(r.move)
        assert r.mate == -1
        assert e.play(r.move).reason is Reason.FIVE_NOT_BROKEN


def test_an_older_five_counts_with_any_move() -> None:
    """Ninuki: a set-up five of the side to move counts after any next move."""
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 8)), white=[(1, 1)], to_move=BLACK)
        r = e.search(Limits(depth=3))
        assert r.mate == 1
        assert e.play(r.move).winner is BLACK


@ALL_RULES
def test_one_empty_square(rule: Rule) -> None:
    """The last square is played, whatever the result."""
    with Engine(size=5, rule=rule, memory_mib=1) as e:
        e.set_position(neutral=[m for m in squares(5) if m != (2, 3)], to_move=WHITE)
        for limits in (Limits(depth=5), Limits(time_ms=0), Limits(depth=0), Limits(nodes=0)):
            assert e.search(limits).move == (2, 3)
        assert e.vcf() is None
        assert e.play((2, 3)).status is Status.DRAW


@ALL_RULES
def test_a_full_board(rule: Rule) -> None:
    """There is no move, and no win."""
    with Engine(size=5, rule=rule, memory_mib=1) as e:
        e.set_position(neutral=squares(5))
        with pytest.raises(NoMoveError):
            e.search(Limits(depth=3))
        assert e.vcf() is None


def test_only_forbidden_squares() -> None:
    """Black's last square is an overline; White may play it."""
    black = [(x, 6) for x in range(7) if x != 3]
    setup: Setup = {"black": black, "neutral": [m for m in squares(7) if m[1] < 6]}
    with Engine(size=7, rule=Rule.RENJU, memory_mib=1) as e:
        e.set_position(**setup, to_move=BLACK)
        assert e.forbidden() == [(3, 6)]
        with pytest.raises(NoMoveError):
            e.search(Limits(depth=3))
        assert e.vcf() is None
        e.set_position(**setup, to_move=WHITE)
        assert e.search(Limits(depth=3)).move == (3, 6)


@ALL_RULES
def test_a_draw_is_nothing(rule: Rule) -> None:
    """With two empty squares and no possible line the score is that of a draw."""
    with Engine(size=5, rule=rule, memory_mib=1) as e:
        e.set_position(neutral=[m for m in squares(5) if m not in ((0, 0), (4, 4))])
        r = e.search(Limits(depth=6))
        assert (r.score, r.mate) == (0, None)


def test_who_has_no_move_left_under_renju_is_not_mated() -> None:
    """White's open four takes Black's last legal square, which is a draw."""
    black = [(5, 1), (5, 2), (5, 3), (5, 5), (5, 6), (5, 7)]
    black += [(1, 3), (2, 3), (3, 3), (6, 3), (7, 3)]
    white = [(1, 4), (2, 4), (3, 4), (4, 5), (4, 6), (4, 7)]
    empty = [(5, 4), (4, 3), (4, 4), (8, 0)]
    neutral = [m for m in squares(9) if m not in black + white + empty]
    with Engine(size=9, rule=Rule.RENJU, memory_mib=1) as e:
        e.set_position(black=black, white=white, neutral=neutral, to_move=BLACK)
        for limits in (Limits(depth=6), Limits(depth=6, excluded=[(4, 4)])):
            assert e.search(limits).mate is None
        e.search(Limits(depth=6, lines=2))
        assert all(line.mate is None for line in e.progress())


@ALL_RULES
def test_every_size_and_crowd_gets_a_legal_move(rule: Rule) -> None:
    """On boards from empty to full."""
    for size in range(5, 23):
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            for share in (0.0, 0.3, 0.9):
                stones = min(int(size * size * share), 60)
                e.set_position(**scattered(size, size, stones) if size < 10 or stones < 20 else {})
                r = e.search(Limits(depth=2, nodes=500))
                assert e.legal(r.move)


def test_a_five_is_seen_whatever_else_is_asked() -> None:
    """With several lines, or with one of two fives excluded, the other one still wins."""
    black, white = row(7, range(3, 7)), [(2, 7), *row(10, range(3, 7))]
    with Engine(size=15, rule=Rule.FREESTYLE, memory_mib=1) as e:
        e.set_position(black=black, white=[*white, (12, 12)][1:], to_move=BLACK)
        for lines in (1, 2, 3):
            found = e.search(Limits(depth=4, lines=lines))
            assert found.move in ((2, 7), (7, 7)) and found.mate == 1
        for excluded, left in (((2, 7), (7, 7)), ((7, 7), (2, 7))):
            found = e.search(Limits(depth=4, excluded=[excluded]))
            assert found.move == left and found.mate == 1
        e.set_position(black=black, white=white, to_move=BLACK)
        found = e.search(Limits(depth=4, lines=2))
        assert found.move == (7, 7) and found.mate == 1


def test_a_bait_answers_a_five_under_ninuki() -> None:
    """White lets the five's stone capture a bait, then breaks the five from its square."""
    with Engine(size=19, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(
            black=[(5, 9), (6, 9), (7, 9), (7, 8), (6, 6), (8, 9)],
            white=[(4, 9), (7, 10), (7, 7), (9, 11), (9, 12), (10, 8), (11, 7), (1, 17)],
            neutral=[(6, 7), (8, 7)],
            captures=(0, 4),
            to_move=WHITE,
        )
        found = e.search(Limits(depth=4))
        assert found.move == (8, 8) and found.mate is None
        e.play((8, 8))
        assert e.play((9, 9)).status is Status.PENDING
        won = e.play((7, 7))
        assert won.status is Status.WIN and won.winner is WHITE


def test_a_standing_five_is_broken_even_without_time() -> None:
    """Only one of the available captures breaks the five."""
    with Engine(size=19, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(
            black=[(7, 7), (6, 13), (17, 17)],
            white=[*row(9, range(5, 10)), (7, 8), (7, 13), (8, 13)],
            to_move=BLACK,
        )
        assert e.search(Limits(time_ms=0)).move == (7, 10)
