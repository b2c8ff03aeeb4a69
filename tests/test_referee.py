"""The referee against worked cases and positions made by hand, rule by rule."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.referee import (
    Color,
    Outcome,
    Point,
    Position,
    Reason,
    RefereeError,
    Rule,
    Status,
)

BLACK, WHITE = Color.BLACK, Color.WHITE
WITHOUT_CAPTURES = [rule for rule in Rule if rule is not Rule.NINUKI]
DATA = Path(__file__).parent / "data"


def load(name: str) -> list[dict[str, Any]]:
    """Returns the cases of one data file."""
    cases: list[dict[str, Any]] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


def drawn(
    rule: Rule,
    rows: list[str],
    *,
    size: int = 15,
    at: Point = (0, 0),
    to_move: Color = BLACK,
    captures: tuple[int, int] = (0, 0),
) -> tuple[Position, Point]:
    """Returns a position drawn with B, W, N (neutral), and the square of the `*` in it."""
    squares: dict[str, list[Point]] = {letter: [] for letter in "BWN*."}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            squares[letter].append((at[0] + x, at[1] + y))
    position = Position(size=size, rule=rule)
    position.set_position(
        black=squares["B"],
        white=squares["W"],
        neutral=squares["N"],
        to_move=to_move,
        captures=captures,
    )
    return position, (squares["*"] or [(-1, -1)])[0]


def wins(rule: Rule, rows: list[str], *, at: Point = (3, 7), to_move: Color = BLACK) -> bool:
    """Says whether the drawn move wins by a line."""
    position, move = drawn(rule, rows, at=at, to_move=to_move)
    outcome = position.play(move)
    if outcome.status is Status.WIN:
        assert (outcome.winner, outcome.reason) == (to_move, Reason.FIVE)
        return True
    assert outcome == Outcome([], Status.ONGOING, None, None)
    return False


# --- worked cases -------------------------------------------------------------------------------


@pytest.mark.parametrize("case", load("ninuki_rules.json"), ids=lambda case: str(case["id"]))
def test_ninuki_case(case: dict[str, Any]) -> None:
    """Every worked case of ninuki comes out as it says."""
    position = Position(size=19, rule=Rule.NINUKI)
    position.set_position(
        black=case["black"],
        white=case["white"],
        captures=(case["captures"]["black"], case["captures"]["white"]),
        to_move=Color(case["to_move"]),
    )
    move, expected = (case["move"][0], case["move"][1]), case["expected"]
    assert position.legal(move) == expected["legal"]
    if not expected["legal"]:
        assert (move in position.forbidden()) == (expected["why"] == "double-three")
        with pytest.raises(RefereeError):
            position.play(move)
        return
    outcome = position.play(move)
    assert outcome.captured == [tuple(point) for point in expected["captured"]]
    assert outcome.status.value == expected["status"]
    assert (outcome.winner and outcome.winner.value) == expected.get("winner")
    assert (outcome.reason and outcome.reason.value) == expected.get("reason")
    if "captures_after" in expected:
        after = expected["captures_after"]
        assert position.captures == (after["black"], after["white"])


def test_all_ninuki_cases_are_there() -> None:
    """The file of worked cases is complete."""
    assert len(load("ninuki_rules.json")) == 70


@pytest.mark.parametrize("case", load("renju_bans.json"), ids=lambda case: str(case["id"]))
def test_renju_case(case: dict[str, Any]) -> None:
    """Every renju case is barred, or not, for the reason it gives."""
    position = Position(size=case["size"], rule=Rule.RENJU)
    position.set_position(black=case["black"], white=case["white"], to_move=Color(case["to_move"]))
    move = (case["move"][0], case["move"][1])
    ban = position.ban(move)
    assert ("none" if ban is None else ban.value) == case["kind"]
    assert (case["kind"] != "none") == case["barred"]
    assert position.is_foul(move) == case["barred"] == (move in position.forbidden())
    assert position.legal(move) != case["barred"]
    if case["barred"]:
        with pytest.raises(RefereeError, match=case["kind"]):
            position.play(move)
    else:
        position.play(move)


# --- lines, rule by rule ------------------------------------------------------------------------


@pytest.mark.parametrize("to_move", Color)
@pytest.mark.parametrize("rule", Rule)
def test_five_wins_in_every_corner_and_direction(rule: Rule, to_move: Color) -> None:
    """A plain five wins under every rule, from each corner and in each direction."""
    for size in (5, 22):
        last = size - 1
        for corner in ((0, 0), (last, 0), (0, last), (last, last)):
            inward = (1 if corner[0] == 0 else -1, 1 if corner[1] == 0 else -1)
            for dx, dy in ((inward[0], 0), (0, inward[1]), inward):
                line = [(corner[0] + dx * i, corner[1] + dy * i) for i in range(5)]
                for move in line:
                    position = Position(size=size, rule=rule)
                    mine = [point for point in line if point != move]
                    if to_move is BLACK:
                        position.set_position(black=mine, to_move=to_move)
                    else:
                        position.set_position(white=mine, to_move=to_move)
                    outcome = position.play(move)
                    assert outcome == Outcome([], Status.WIN, to_move, Reason.FIVE)


@pytest.mark.parametrize("rule", Rule)
def test_four_is_no_win(rule: Rule) -> None:
    """Four stones, and five with a hole, win nothing."""
    assert not wins(rule, ["BBB*"])
    assert not wins(rule, ["BB*.B"])


@pytest.mark.parametrize("rule", Rule)
def test_lines_do_not_run_over_the_edge(rule: Rule) -> None:
    """The end of one row and the start of the next are no line."""
    position = Position(size=7, rule=rule)
    position.set_position(black=[(4, 2), (5, 2), (6, 2), (0, 3)])
    assert position.play((1, 3)).status is Status.ONGOING


@pytest.mark.parametrize(
    ("rule", "black_wins", "white_wins"),
    [
        (Rule.FREESTYLE, True, True),
        (Rule.STANDARD, False, False),
        (Rule.CARO, True, True),
        (Rule.CARO_STANDARD, False, False),
        (Rule.NINUKI, True, True),
    ],
)
def test_six_and_nine(rule: Rule, black_wins: bool, white_wins: bool) -> None:
    """Six and more in a line win, or are nothing, as the rule says."""
    for row in ("BBB*BB", "BBBB*BBBB"):
        assert wins(rule, [row]) == black_wins
        assert wins(rule, [row.replace("B", "W")], to_move=WHITE) == white_wins


def test_six_under_renju() -> None:
    """Six wins for White, and Black may not make it."""
    assert wins(Rule.RENJU, ["WWW*WW"], to_move=WHITE)
    position, move = drawn(Rule.RENJU, ["BBB*BB"], at=(4, 7))
    assert position.is_foul(move)
    assert not position.legal(move)


@pytest.mark.parametrize("rule", [Rule.STANDARD, Rule.RENJU, Rule.CARO_STANDARD])
def test_five_beside_a_six_wins(rule: Rule) -> None:
    """Where six is nothing, a five in another direction through the same stone still wins."""
    assert wins(rule, ["BBB*BB", "...B..", "...B..", "...B..", "...B.."])


@pytest.mark.parametrize(
    ("row", "at", "result"),
    [
        (".BB*BB.", (3, 7), True),
        ("WBB*BB.", (3, 7), True),
        (".BB*BBW", (3, 7), True),
        ("WBB*BBW", (3, 7), False),
        ("BB*BBW", (0, 7), True),
        ("WBBBB*", (9, 7), True),
        ("NBB*BBW", (3, 7), True),
        ("WBB*BBN", (3, 7), True),
        ("W.BB*BBW", (3, 7), True),
    ],
)
@pytest.mark.parametrize("rule", [Rule.CARO, Rule.CARO_STANDARD])
def test_caro_five(rule: Rule, row: str, at: Point, result: bool) -> None:
    """Only stones of the opponent close an end, and only both ends closed spoil a five."""
    assert wins(rule, [row], at=at) == result
    column = list(row)
    assert wins(rule, column, at=(at[1], at[0])) == result
    swapped = row.translate(str.maketrans("BW", "WB"))
    assert wins(rule, [swapped], at=at, to_move=WHITE) == result


def test_caro_closed_six_and_second_line() -> None:
    """A closed six wins under caro only; a closed five does not spoil an open one."""
    assert wins(Rule.CARO, ["WBBB*BBW"])
    assert not wins(Rule.CARO_STANDARD, ["WBBB*BBW"])
    for rule in (Rule.CARO, Rule.CARO_STANDARD):
        assert wins(rule, ["WBB*BBW", "...B...", "...B...", "...B...", "...B..."])


@pytest.mark.parametrize("rule", WITHOUT_CAPTURES)
def test_nothing_is_captured_without_ninuki(rule: Rule) -> None:
    """A bracketed pair stays where the rule has no captures."""
    position, move = drawn(rule, ["*WWB"])
    assert position.play(move) == Outcome()
    assert position.stones == {(0, 0): BLACK, (1, 0): WHITE, (2, 0): WHITE, (3, 0): BLACK}


@pytest.mark.parametrize("rule", WITHOUT_CAPTURES)
def test_a_five_that_was_set_up_is_nothing(rule: Rule) -> None:
    """The game goes on beside a five of the past, until a move makes a win through its stone."""
    for to_move in Color:
        position, _ = drawn(rule, ["BBBBB", ".....", "WWWWW"], to_move=to_move)
        assert position.status is Status.ONGOING
        assert position.play((9, 9)).status is Status.ONGOING
    assert wins(rule, ["BBBBB....", ".........", "....BB*BB"])


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.RENJU])
def test_only_renju_and_ninuki_bar_squares(rule: Rule) -> None:
    """A double three and a double four are barred nowhere but where the rule says so."""
    for rows in (["..B..", ".B*B.", "..B.."], ["BBB*", "...B", "...B", "...B"]):
        position, move = drawn(rule, rows, at=(5, 5))
        expected = rule is Rule.NINUKI and len(rows) == 3
        assert position.is_foul(move) == expected == (position.forbidden() == [move])


# --- renju --------------------------------------------------------------------------------------


def test_renju_foul_is_told_from_other_illegal_squares() -> None:
    """Only an empty square that is barred for the side to move is a foul."""
    position, move = drawn(Rule.RENJU, ["..B..", ".B*B.", "..B.."], at=(5, 5))
    assert position.is_foul(move)
    assert not position.is_foul((7, 5))
    assert not position.is_foul((-1, 0))
    assert not position.legal((7, 5))
    assert not position.legal((15, 0))
    assert move not in position.legal_moves()
    position.play((0, 0))
    assert position.legal(move)
    assert position.forbidden() == []


def test_renju_neutral_stones_stop_threes_and_fours() -> None:
    """A stone of nobody takes the room that a three needs, as a white one does."""
    position, move = drawn(Rule.RENJU, ["N.BB*.N", "....B..", "....B.."], at=(3, 7))
    assert position.legal(move)
    position, move = drawn(Rule.RENJU, ["NBBB*N", "....B.", "....B.", "....B."], at=(3, 7))
    assert position.legal(move)


def test_renju_draw_when_black_has_no_legal_move() -> None:
    """Every corner would be a double four, nothing else is empty: the game is drawn."""
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
    """A five of the side not to move is pending, and one of the side to move is not yet judged."""
    for rows in (BREAKABLE, ["BBBBB"]):
        position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=WHITE)
        assert (position.status, position.winner) == (Status.PENDING, None)
        position.play((0, 0))
        assert (position.status, position.winner) == (Status.WIN, BLACK)
        assert position.reason is Reason.FIVE_NOT_BROKEN
        position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=BLACK)
        assert position.status is Status.ONGOING


def test_older_five_of_the_side_to_move_counts_at_its_next_move() -> None:
    """Any move of the owner makes the older five a win, or pending where it can be broken."""
    position, _ = drawn(Rule.NINUKI, ["BBBBB"], at=(5, 7))
    assert position.play((0, 0)) == Outcome([], Status.WIN, BLACK, Reason.FIVE)
    position, _ = drawn(Rule.NINUKI, BREAKABLE, at=(5, 7))
    assert position.play((0, 0)) == Outcome([], Status.PENDING, None, None)


def test_fives_of_both_sides_from_outside() -> None:
    """The side to move must first break; then its own older five is judged as any other."""
    rows = [*BREAKABLE, ".......", "WWWWW.."]
    position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=WHITE)
    assert position.play((0, 0)).winner is BLACK
    position, _ = drawn(Rule.NINUKI, rows, at=(5, 7), to_move=WHITE)
    outcome = position.play((7, 10))
    assert outcome == Outcome([(7, 8), (7, 9)], Status.WIN, WHITE, Reason.FIVE)


def test_reply_that_makes_a_five_without_breaking_loses() -> None:
    """A five of one's own is no answer to a pending five."""
    position, move = drawn(
        Rule.NINUKI, [*BREAKABLE, ".......", "WWWW*.."], at=(5, 7), to_move=WHITE
    )
    assert position.play(move) == Outcome([], Status.WIN, BLACK, Reason.FIVE_NOT_BROKEN)


def test_reply_with_the_fifth_pair_wins_without_breaking() -> None:
    """The fifth pair is looked at before the five that still stands."""
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
    """A capture that breaks one of two fives is no break: the five wins at once."""
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
    """The same double three is barred without the capture and allowed with it."""
    for bracket, legal in ((".", False), ("B", True)):
        rows = [".......", "..B....", ".B*B...", "..BW...", "....W..", f".....{bracket}."]
        position, move = drawn(Rule.NINUKI, rows, at=(5, 5))
        assert position.legal(move) == legal
        assert position.is_foul(move) != legal


def test_neutral_stones_under_ninuki() -> None:
    """A stone of nobody brackets nothing, is never captured, and closes a three."""
    for row in ("*WWN", "*NNB", "*WNB", "*NWB"):
        position, move = drawn(Rule.NINUKI, [row])
        assert position.play(move).captured == []
    position, move = drawn(Rule.NINUKI, ["...B..", ".BB*N.", "...B.."], at=(5, 5))
    assert position.legal(move)
    position, move = drawn(Rule.NINUKI, ["BB*NBB"])
    assert position.play(move).status is Status.ONGOING


def test_set_up_with_five_pairs_is_over() -> None:
    """Five pairs taken end the game before a standing five is looked at."""
    position, _ = drawn(Rule.NINUKI, ["BBBBB"], captures=(1, 5), to_move=WHITE)
    assert (position.status, position.winner) == (Status.WIN, WHITE)
    assert position.reason is Reason.CAPTURES
    with pytest.raises(RefereeError, match="end of the game"):
        position.play((9, 9))


def test_emptied_squares_are_played_again() -> None:
    """A captured square is empty: it may be taken by either side, and moving in between is safe."""
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
    """One line is a free three or not: crossed with a sure one the square is barred or not."""
    middle = row.index("*")
    below = "." * middle + "B"
    position, move = drawn(Rule.NINUKI, [row, below, below], size=19, at=(5, 9))
    assert position.is_foul(move) == free


def test_three_at_the_edge_is_not_free() -> None:
    """The square beyond each end must be on the board."""
    for row, free in (("BB*.", False), (".BB*.", True), ("B.B*.", False)):
        rows = [row, "." * row.index("*") + "B", "." * row.index("*") + "B"]
        position, move = drawn(Rule.NINUKI, rows, at=(0, 7))
        assert position.is_foul(move) == free


# --- draws --------------------------------------------------------------------------------------

FULL = ["BBWWB", "WWBBW", "BBWWB", "WWBBW", "BBWWB"]


@pytest.mark.parametrize("rule", Rule)
def test_full_board(rule: Rule) -> None:
    """The move that fills the board draws, a full board from outside is drawn, a win is a win."""
    position, move = drawn(rule, [*FULL[:2], "BB*WB", *FULL[3:]], size=5, to_move=WHITE)
    assert position.play(move) == Outcome([], Status.DRAW, None, Reason.BOARD_FULL)
    with pytest.raises(RefereeError, match="end of the game"):
        position.play((0, 0))
    position.undo()
    assert position.status is Status.ONGOING
    position, _ = drawn(rule, FULL, size=5)
    assert (position.status, position.reason) == (Status.DRAW, Reason.BOARD_FULL)
    position, move = drawn(rule, ["WWWW*", *FULL[1:]], size=5, to_move=WHITE)
    assert position.play(move) == Outcome([], Status.WIN, WHITE, Reason.FIVE)


@pytest.mark.parametrize("rule", Rule)
def test_full_board_with_a_five_from_outside_is_a_draw(rule: Rule) -> None:
    """Nobody can move, and no move has won: under ninuki too, where the five was pending."""
    position, _ = drawn(rule, ["WWWWW", *FULL[1:]], size=5, to_move=BLACK)
    assert (position.status, position.reason) == (Status.DRAW, Reason.BOARD_FULL)
