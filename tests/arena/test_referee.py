"""The referee against worked cases and positions made by hand: lines and draws, by rule."""

import json
from typing import Any

import pytest

from arena.rules.referee import Color, Outcome, Point, Position, Reason, RefereeError, Rule, Status
from tests.support.drawn import BLACK, WHITE, drawn, wins
from tests.support.paths import DATA

WITHOUT_CAPTURES = [rule for rule in Rule if not rule.has_captures]


def load(name: str) -> list[dict[str, Any]]:
    """Returns the cases of one data file."""
    cases: list[dict[str, Any]] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


@pytest.mark.parametrize("case", load("ninuki_rules.json"), ids=lambda case: str(case["id"]))
def test_ninuki_case(case: dict[str, Any]) -> None:
    """Every worked case of ninuki has its expected result."""
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


@pytest.mark.parametrize("case", load("renju_forbidden.json"), ids=lambda case: str(case["id"]))
def test_renju_case(case: dict[str, Any]) -> None:
    """Every worked case of renju is forbidden or not, with the expected reason."""
    position = Position(size=case["size"], rule=Rule.RENJU)
    position.set_position(black=case["black"], white=case["white"], to_move=Color(case["to_move"]))
    move = (case["move"][0], case["move"][1])
    reason = position.why_forbidden(move)
    assert ("none" if reason is None else reason.value) == case["kind"]
    assert (case["kind"] != "none") == case["forbidden"]
    assert position.is_forbidden(move) == case["forbidden"] == (move in position.forbidden())
    assert position.legal(move) != case["forbidden"]
    if case["forbidden"]:
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
    """Four stones do not win, and neither do five with a gap."""
    assert not wins(rule, ["BBB*"])
    assert not wins(rule, ["BB*.B"])


@pytest.mark.parametrize("rule", Rule)
def test_lines_do_not_run_over_the_edge(rule: Rule) -> None:
    """The end of one row and the start of the next are not one line."""
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
        (Rule.PENTE, True, True),
        (Rule.KERYO, True, True),
    ],
)
def test_six_and_nine(rule: Rule, black_wins: bool, white_wins: bool) -> None:
    """Six or more in a line win or not, by the rule."""
    for row in ("BBB*BB", "BBBB*BBBB"):
        assert wins(rule, [row]) == black_wins
        assert wins(rule, [row.replace("B", "W")], to_move=WHITE) == white_wins


def test_six_under_renju() -> None:
    """Six wins for White, and Black may not make it."""
    assert wins(Rule.RENJU, ["WWW*WW"], to_move=WHITE)
    position, move = drawn(Rule.RENJU, ["BBB*BB"], at=(4, 7))
    assert position.is_forbidden(move)
    assert not position.legal(move)


@pytest.mark.parametrize("rule", [Rule.STANDARD, Rule.RENJU, Rule.CARO_STANDARD])
def test_five_beside_a_six_wins(rule: Rule) -> None:
    """If six do not win, a five in another direction through the same stone still does."""
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
    """Only stones of the opponent close an end, and only two closed ends spoil a five."""
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
    """A bracketed pair stays under rules without captures."""
    position, move = drawn(rule, ["*WWB"])
    assert position.play(move) == Outcome()
    assert position.stones == {(0, 0): BLACK, (1, 0): WHITE, (2, 0): WHITE, (3, 0): BLACK}


@pytest.mark.parametrize("rule", WITHOUT_CAPTURES)
def test_a_five_that_was_set_up_is_nothing(rule: Rule) -> None:
    """The game continues beside a set-up five, until a move wins through its own stone."""
    for to_move in Color:
        position, _ = drawn(rule, ["BBBBB", ".....", "WWWWW"], to_move=to_move)
        assert position.status is Status.ONGOING
        assert position.play((9, 9)).status is Status.ONGOING
    assert wins(rule, ["BBBBB....", ".........", "....BB*BB"])


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.RENJU])
def test_only_renju_and_ninuki_forbid_squares(rule: Rule) -> None:
    """A double three and a double four are forbidden only under their rules."""
    for rows in (["..B..", ".B*B.", "..B.."], ["BBB*", "...B", "...B", "...B"]):
        position, move = drawn(rule, rows, at=(5, 5))
        expected = rule is Rule.NINUKI and len(rows) == 3
        assert position.is_forbidden(move) == expected == (position.forbidden() == [move])


FULL = ["BBWWB", "WWBBW", "BBWWB", "WWBBW", "BBWWB"]


@pytest.mark.parametrize("rule", Rule)
def test_full_board(rule: Rule) -> None:
    """A move that fills the board draws, a set-up full board is drawn, a win is a win."""
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
    """Nobody can move, and no move has won, also under ninuki with a pending five."""
    position, _ = drawn(rule, ["WWWWW", *FULL[1:]], size=5, to_move=BLACK)
    assert (position.status, position.reason) == (Status.DRAW, Reason.BOARD_FULL)
