"""The referee where one line alone does not decide: renju's forbidden moves, ninuki's threes."""

import pytest

from arena.rules.referee import Outcome, Reason, RefereeError, Rule, Status
from tests.support.drawn import BLACK, WHITE, drawn


def test_forbidden_squares_are_told_from_other_illegal_squares() -> None:
    """Only an empty square can be forbidden, and only for the side to move."""
    position, move = drawn(Rule.RENJU, ["..B..", ".B*B.", "..B.."], at=(5, 5))
    assert position.is_forbidden(move)
    assert not position.is_forbidden((7, 5))
    assert not position.is_forbidden((-1, 0))
    assert not position.legal((7, 5))
    assert not position.legal((15, 0))
    assert move not in position.legal_moves()
    position.play((0, 0))
    assert position.legal(move)
    assert position.forbidden() == []


def test_renju_neutral_stones_stop_threes_and_fours() -> None:
    """A neutral stone blocks the room of a three like a white one."""
    position, move = drawn(Rule.RENJU, ["N.BB*.N", "....B..", "....B.."], at=(3, 7))
    assert position.legal(move)
    position, move = drawn(Rule.RENJU, ["NBBB*N", "....B.", "....B.", "....B."], at=(3, 7))
    assert position.legal(move)


def test_renju_draw_when_black_has_no_legal_move() -> None:
    """The corners, all double fours, are the only empty squares: the game is drawn."""
    rows = [".BBB.", "BWWWB", "BW*WB", "BWWWB", ".BBB."]
    position, move = drawn(Rule.RENJU, rows, size=5, to_move=WHITE)
    assert position.play(move) == Outcome([], Status.DRAW, None, Reason.NO_LEGAL_MOVE)
    assert position.forbidden() == [(0, 0), (0, 4), (4, 0), (4, 4)]
    assert position.legal_moves() == []
    assert position.is_over
    position, _ = drawn(Rule.RENJU, [row.replace("*", "W") for row in rows], size=5)
    assert (position.status, position.reason) == (Status.DRAW, Reason.NO_LEGAL_MOVE)
    position, _ = drawn(Rule.FREESTYLE, [row.replace("*", "W") for row in rows], size=5)
    assert position.status is Status.ONGOING


# --- ninuki -------------------------------------------------------------------------------------

BREAKABLE = ["..W..", "..B..", "BBBBB", "....."]


def test_pending_from_outside_whether_breakable_or_not() -> None:
    """A five of the side not to move is pending; one of the side to move is not judged yet."""
    for rows in (BREAKABLE, ["BBBBB"]):
        position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=WHITE)
        assert (position.status, position.winner) == (Status.PENDING, None)
        position.play((0, 0))
        assert (position.status, position.winner) == (Status.WIN, BLACK)
        assert position.reason is Reason.FIVE_NOT_BROKEN
        position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=BLACK)
        assert position.status is Status.ONGOING


def test_older_five_of_the_side_to_move_counts_at_its_next_move() -> None:
    """Any move of the owner makes the older five win, or pending if it can be broken."""
    position, _ = drawn(Rule.NINUKI, ["BBBBB"], at=(5, 7))
    assert position.play((0, 0)) == Outcome([], Status.WIN, BLACK, Reason.FIVE)
    position, _ = drawn(Rule.NINUKI, BREAKABLE, at=(5, 7))
    assert position.play((0, 0)) == Outcome([], Status.PENDING, None, None)


def test_fives_of_both_sides_from_outside() -> None:
    """The side to move must first break; then its own older five is judged."""
    rows = [*BREAKABLE, ".......", "WWWWW.."]
    position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=WHITE)
    assert position.play((0, 0)).winner is BLACK
    position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=WHITE)
    outcome = position.play((7, 10))
    assert outcome == Outcome([(7, 8), (7, 9)], Status.WIN, WHITE, Reason.FIVE)


def test_reply_that_makes_a_five_without_breaking_loses() -> None:
    """An own five does not answer a pending five."""
    position, move = drawn(
        Rule.NINUKI, [*BREAKABLE, ".......", "WWWW*.."], at=(5, 7), to_move=WHITE
    )
    assert position.play(move) == Outcome([], Status.WIN, BLACK, Reason.FIVE_NOT_BROKEN)


def test_reply_with_the_fifth_pair_wins_without_breaking() -> None:
    """The fifth pair counts before the standing five."""
    rows = [*BREAKABLE, "*BBW.."]
    for taken, winner in ((4, WHITE), (3, BLACK)):
        position, move = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=WHITE, captures=(0, taken))
        assert position.play(move).winner is winner


def test_capture_elsewhere_does_not_make_a_five_pending() -> None:
    """Even with four pairs taken, only a capture that breaks the five keeps the game open."""
    rows = ["BBBB*....", ".........", "WBB......"]
    position, move = drawn(Rule.NINUKI, rows, at=(5, 9), captures=(0, 4))
    assert position.play(move) == Outcome([], Status.WIN, BLACK, Reason.FIVE)


def test_all_fives_must_be_broken() -> None:
    """A capture that breaks one of two fives is not enough: the other wins at once."""
    rows = ["....W", "....B", "BBBB*", ".....", "BBBBB"]
    position, move = drawn(Rule.NINUKI, rows, at=(5, 7))
    assert position.play(move) == Outcome([], Status.WIN, BLACK, Reason.FIVE)
    position, move = drawn(Rule.NINUKI, rows[:3], at=(5, 7))
    assert position.play(move).status is Status.PENDING


def test_break_that_removes_a_stone_of_both_fives() -> None:
    """The stone where two fives cross is captured, so both are gone and the game goes on."""
    rows = ["....B..", "....B..", "....B..", "...WB..", "BBBB*..", ".....B.", "......."]
    position, move = drawn(Rule.NINUKI, rows, at=(4, 4))
    assert position.play(move).status is Status.PENDING
    outcome = position.play((10, 10))
    assert outcome == Outcome([(8, 8), (9, 9)], Status.ONGOING, None, None)
    assert position.captures == (0, 1)


def test_break_may_be_a_double_three() -> None:
    """A breaking capture may make a double three; a reply that captures nothing may not."""
    rows = ["..W.....", "..B.....", "..BBBBB.", "..*WW...", "...W....", "....W..."]
    position, move = drawn(Rule.NINUKI, rows, at=(5, 5), to_move=WHITE)
    assert position.status is Status.PENDING
    assert position.play(move) == Outcome([(7, 6), (7, 7)], Status.ONGOING, None, None)
    position, move = drawn(Rule.NINUKI, ["", *rows[1:]], at=(5, 5), to_move=WHITE)
    assert position.status is Status.PENDING
    assert position.forbidden() == [move]


def test_double_three_with_a_capture_is_allowed() -> None:
    """The same double three is forbidden without the capture and allowed with it."""
    for bracket, legal in ((".", False), ("B", True)):
        rows = [".......", "..B....", ".B*B...", "..BW...", "....W..", f".....{bracket}."]
        position, move = drawn(Rule.NINUKI, rows, at=(5, 5))
        assert position.legal(move) == legal
        assert position.is_forbidden(move) != legal


def test_neutral_stones_under_ninuki() -> None:
    """A neutral stone brackets nothing, is never captured, and closes a three."""
    for row in ("*WWN", "*NNB", "*WNB", "*NWB"):
        position, move = drawn(Rule.NINUKI, [row])
        assert position.play(move).captured == []
    position, move = drawn(Rule.NINUKI, ["...B..", ".BB*N.", "...B.."], at=(5, 5))
    assert position.legal(move)
    position, move = drawn(Rule.NINUKI, ["BB*NBB"])
    assert position.play(move).status is Status.ONGOING


def test_set_up_with_five_pairs_is_over() -> None:
    """Five captured pairs end the game before a standing five counts."""
    position, _ = drawn(Rule.NINUKI, ["BBBBB"], captures=(1, 5), to_move=WHITE)
    assert (position.status, position.winner) == (Status.WIN, WHITE)
    assert position.reason is Reason.CAPTURES
    with pytest.raises(RefereeError, match="end of the game"):
        position.play((9, 9))


def test_emptied_squares_are_played_again() -> None:
    """A captured square is empty: either side may play there, and moving into a bracket is safe."""
    position, move = drawn(Rule.NINUKI, ["*WWB"])
    assert position.play(move).captured == [(1, 0), (2, 0)]
    assert position.play((1, 0)).captured == []
    assert position.play((9, 9)).captured == []
    assert position.play((2, 0)).captured == []
    assert position.stones[(1, 0)] is position.stones[(2, 0)] is WHITE


@pytest.mark.parametrize(
    ("row", "free"),
    [
        (".BB*.", True),
        (".B*B.", True),
        (".B.*B.", True),
        (".*.BB.", True),
        (".B*B..B", True),
        (".*B.B.B.", True),
        ("B..*BB.", True),
        ("B.*BB.", False),
        (".BBB*.", False),
        (".B.*.B.", False),
        (".B..*B.", False),
        ("WBB*.", False),
        (".BB*N", False),
        ("W.BB*.W", True),
    ],
)
def test_free_three(row: str, free: bool) -> None:
    """A line is a free three or not: together with a certain one it decides about the square."""
    middle = row.index("*")
    below = "." * middle + "B"
    position, move = drawn(Rule.NINUKI, [row, below, below], size=19, at=(5, 9))
    assert position.is_forbidden(move) == free


def test_three_at_the_edge_is_not_free() -> None:
    """The square beyond each end must be on the board."""
    for row, free in (("BB*.", False), (".BB*.", True), ("B.B*.", False)):
        rows = [row, "." * row.index("*") + "B", "." * row.index("*") + "B"]
        position, move = drawn(Rule.NINUKI, rows, at=(0, 7))
        assert position.is_forbidden(move) == free
