"""Games on the page: each rule to its end, captures, forbidden squares, swap2, the engine."""

import pytest

from tests.web.board_page import BoardPage, Square, named


def mixed(black: str, white: str) -> list[Square]:
    """Black's and White's moves in turn."""
    pairs = zip(named(black), named(white + " a1"), strict=True)
    return [move for pair in pairs for move in pair][:-1]


# rule, moves after which the game still goes on, moves that end it
ENDS = [
    (0, mixed("h8 i8 j8 k8", "a1 c1 e1"), "g1 l8", "Black wins with five in a row."),
    # six in a row is no win under standard; an exact five is
    (1, mixed("d8 e8 f8 h8 i8 g8", "a1 c1 e1 g1 i1"), "k1 d7 m1 d6 a3 d5 c3 d4", "Black wins"),
    # a five with a white stone at both ends is no win under caro
    (8, mixed("d8 e8 f8 g8 h8", "c8 i8 a1 c1"), "e1 d7 g1 d6 i1 d5 k1 d4", "Black wins"),
    (9, mixed("d8 e8 f8 g8 h8", "c8 i8 a1 c1"), "e1 d7 g1 d6 i1 d5 k1 d4", "Black wins"),
    (4, mixed("a1 c1 e1 g1 i1", "h8 i8 j8 k8"), "l8", "White wins with five in a row."),
]


@pytest.mark.parametrize(("rule", "first", "rest", "said"), ENDS, ids=lambda value: str(value)[:8])
def test_a_game_ends_as_its_rule_says(
    board: BoardPage, rule: int, first: list[Square], rest: str, said: str
) -> None:
    board.new_game(rule)
    board.play(first)
    assert "to move" in board.status
    board.play(named(rest))
    assert said in board.status
    moves = board.moves
    board.click((0, 7))
    assert board.moves == moves
    assert board.status == said or "Black wins" in board.status


CAPTURE: list[Square] = [(9, 9), (10, 9), (0, 0), (11, 9), (12, 9)]


def test_a_capture_is_taken_back_by_undo(board: BoardPage) -> None:
    board.new_game(16)
    board.play(CAPTURE[:-1])
    assert board.stones == 4
    board.play(CAPTURE[-1:])
    assert board.stones == 3
    assert board.page.inner_text("#captures-1").startswith("1 ")
    assert board.page.locator(".stone.fallen").count() == 2
    board.page.click("#undo")
    board.settle()
    assert board.stones == 4
    assert board.page.inner_text("#captures-1").startswith("0 ")
    board.page.click("#redo")
    board.settle()
    assert board.stones == 3


def test_five_captured_pairs_win_under_ninuki(board: BoardPage) -> None:
    board.new_game(16)
    for i, row in enumerate((1, 4, 7, 10, 13)):
        filler: Square = (0, row + 1)
        board.play([(9, row), (10, row), filler, (11, row), (12, row)])
        if i < 4:
            board.play([(18, row + 1)])
    assert board.status == "Black wins with five captured pairs."


def test_fifteen_captured_stones_win_under_keryo(board: BoardPage) -> None:
    board.new_game(64, tournament=False)
    for i, row in enumerate((1, 4, 7, 10, 13)):
        filler: Square = (0, row + 1)
        board.play([(9, row), (10, row), filler, (11, row), (16, row + 1), (12, row), (13, row)])
        if i < 4:
            assert board.page.inner_text("#captures-1") == f"{3 * i + 3} of 15 stones captured"
            board.play([(18, row + 1)])
    assert board.status == "Black wins with fifteen captured stones."


@pytest.mark.parametrize("rule", [32, 64])
def test_the_tournament_opening_refuses_squares(board: BoardPage, rule: int) -> None:
    board.new_game(rule)
    board.click((9, 8))
    assert board.moves == [] and board.status == "The first stone goes on the centre."
    board.play([(9, 9), (0, 0)])
    moves = board.moves
    board.click((11, 10))
    assert board.moves == moves and "outside the 5\u00d75 squares" in board.status
    board.play([(12, 9), (5, 5), (10, 10)])


def test_the_engine_keeps_the_tournament_opening(board: BoardPage) -> None:
    board.new_game(32, side="white")
    assert board.moves == [(9, 9)]
    board.play([(10, 10)])
    board.settle()
    x, y = board.moves[2]
    assert max(abs(x - 9), abs(y - 9)) > 2


def test_other_rules_have_no_tournament_opening(board: BoardPage) -> None:
    board.new_game(16)
    board.play([(0, 0), (5, 5), (9, 9)])


PENDING = [
    *[(5, 9), (7, 8), (6, 9), (0, 0), (7, 9), (2, 0), (8, 9), (4, 0), (7, 10), (6, 0), (9, 9)]
]


@pytest.mark.parametrize(
    ("answer", "said"), [((7, 11), "Black to move."), ((12, 0), "the five was not broken")]
)
def test_a_pending_five_is_announced_with_what_breaks_it(
    board: BoardPage, answer: Square, said: str
) -> None:
    board.new_game(16)
    board.play(PENDING)
    assert board.status.startswith("A five stands.")
    assert [7, 11] in board.value("tengen.facts.breaks")
    assert board.page.locator(".target").count() == len(board.value("tengen.facts.breaks"))
    board.play([answer])
    assert said in board.status


def test_a_forbidden_square_is_marked_and_refused(board: BoardPage) -> None:
    board.new_game(4)
    # two open threes would meet on h8
    board.play(mixed("f8 g8 h10 h9", "a1 c1 o15"))
    board.play(named("o1"))
    assert board.page.locator(".forbidden").count() == 1
    moves = board.moves
    board.click(named("h8")[0])
    assert board.moves == moves
    assert board.status == "Forbidden: a double three."
    assert board.title_at(named("h8")[0]) == "Forbidden: a double three."
    assert board.title_at(named("a15")[0]) == ""


@pytest.mark.parametrize(
    ("black", "white", "why"),
    [
        ("d8 e8 f8 h8 i8", "a1 c1 e1 i1", "an overline"),
        ("e8 f8 h8 g7 g6 g5", "a1 c1 e1 i1 m1", "a double four"),
    ],
)
def test_the_reason_of_a_ban_is_told(board: BoardPage, black: str, white: str, why: str) -> None:
    board.new_game(4)
    board.play(mixed(black, white))
    board.play(named("o15"))
    assert board.title_at(named("g8")[0]) == f"Forbidden: {why}."


def test_the_engine_answers_and_undo_takes_back_both(board: BoardPage) -> None:
    board.new_game(0, side="black", level=3)
    board.play([(7, 7)])
    assert len(board.moves) == 2
    board.play([(8, 9)])
    assert len(board.moves) == 4
    board.page.click("#undo")
    board.settle()
    assert len(board.moves) == 2
    assert board.status == "Your move."
    board.page.click("#swap")
    board.settle()
    assert len(board.moves) == 3


def test_a_game_without_reading(board: BoardPage) -> None:
    """The first click on the open page is a move of a game against the engine."""
    board.play([(7, 7)])
    assert len(board.moves) == 2


DEAF = """
    const { engine } = tengen;
    const { receive } = engine;
    const { worker } = engine;
    const send = worker.postMessage.bind(worker);
    engine.receive = (message) => message.view || receive.call(engine, message);
    worker.postMessage = (message) => message.call === "stop" || send(message);
"""


def test_move_now_gives_a_move_though_the_search_had_none(board: BoardPage) -> None:
    board.new_game(0, side="black", level=10)
    # as on a busy machine: no view comes, and a stop is not answered in time
    board.page.evaluate(f"() => {{{DEAF}}}")
    at = board.value("tengenBoard.placeOf([7, 7])")
    board.page.mouse.click(at["clientX"], at["clientY"])
    board.page.wait_for_selector("#move-now")
    board.until(lambda: board.value("tengen.engine.searching"))
    board.page.click("#move-now")
    board.settle()
    assert len(board.moves) == 2
    assert board.value("tengen.engine.restarts") == 1


def test_a_click_while_the_engine_thinks_is_no_move(board: BoardPage) -> None:
    board.new_game(0, side="black", level=10)
    at = board.value("tengenBoard.placeOf([7, 7])")
    board.page.mouse.click(at["clientX"], at["clientY"])
    for x in (3, 4):
        other = board.page.evaluate("square => tengenBoard.placeOf(square)", [x, 3])
        board.page.mouse.click(other["clientX"], other["clientY"])
    board.page.wait_for_selector("#move-now")
    board.page.click("#move-now")
    board.settle()
    assert len(board.moves) == 2
    assert (3, 3) not in board.moves[:1]


def test_undo_while_the_engine_thinks(board: BoardPage) -> None:
    board.new_game(0, side="black", level=10)
    at = board.value("tengenBoard.placeOf([7, 7])")
    board.page.mouse.click(at["clientX"], at["clientY"])
    board.page.wait_for_selector("#move-now")
    board.page.click("#undo")
    board.settle()
    assert board.moves == []
    board.page.wait_for_timeout(500)
    assert board.moves == []


def test_the_engine_against_itself_pauses_and_goes_on(board: BoardPage) -> None:
    board.new_game(0, side="none", level=10, settle=False)
    board.page.click("#pause")
    board.settle()
    count = len(board.moves)
    board.page.wait_for_timeout(600)
    assert len(board.moves) == count
    board.page.click("#go-on")
    board.until(lambda: len(board.moves) > count)


def test_a_move_after_an_undo_is_the_game(board: BoardPage) -> None:
    """The moves before the undo become a variation. Files with one line leave them out."""
    board.new_game(0)
    board.play(named("h8 i7 j9"))
    board.page.click("#undo")
    board.settle()
    board.page.click("#undo")
    board.settle()
    board.play(named("h7 j6"))
    assert board.saved("moves").decode().split() == ["h8", "h7", "j6"]
    text = board.saved("sgf").decode()
    assert text.index("[hi]") < text.index("[ii]")


def test_cancel_changes_nothing(board: BoardPage) -> None:
    board.new_game(0, side="black", level=2)
    board.page.click("#new-game")
    board.page.select_option("#new-side", "white")
    board.page.select_option("#new-level", "7")
    board.page.locator("dialog button", has_text="Cancel").click()
    assert board.value("tengen.settings.side") == "black"
    assert board.value("tengen.settings.level") == 2
    assert board.status == "Your move."


def test_the_first_game_has_the_opening_of_the_settings(board: BoardPage) -> None:
    board.new_game(32)
    board.page.reload()
    board.page.wait_for_selector("body[data-ready]")
    board.settle()
    board.click((3, 3))
    assert board.moves == []


def test_a_hint_keeps_the_tournament_opening(board: BoardPage) -> None:
    board.new_game(32)
    board.play([(9, 9), (10, 10)])
    board.page.click("#hint")
    board.until(lambda: board.value("tengen.hint !== null"))
    x, y = board.value("tengen.hint")
    assert max(abs(x - 9), abs(y - 9)) > 2


def place_two_of_three(board: BoardPage) -> None:
    """Begins a Swap2 opening as Black, up to the last of the three stones."""
    board.page.click("#new-game")
    board.page.select_option("#new-side", "black")
    board.page.check("#swap2")
    board.page.click("#start-game")
    board.until(lambda: "3 left" in board.status)
    board.play([(7, 7), (8, 8)])


def test_a_swap2_opening_is_played_where_it_is(board: BoardPage) -> None:
    """Keys, wheel and tree are ignored. A change starts the search of the engine again."""
    place_two_of_three(board)
    at = board.page.evaluate("tengenBoard.placeOf([2, 2])")
    board.page.mouse.click(at["clientX"], at["clientY"])
    board.until(lambda: board.value("tengen.swap2.phase === 'choose' && tengen.thinking"))
    board.page.keyboard.press("ArrowLeft")
    board.page.mouse.wheel(0, -100)
    board.page.locator("#tree button").first.click()
    assert board.page.is_disabled("#play-side")
    board.page.evaluate("tengen.moved()")
    board.until(lambda: not board.value("tengen.swap2.on"))
    board.settle()
    assert len(board.moves) >= 3
    assert board.status == "Your move."


def test_swap2_with_a_persons_stones(board: BoardPage) -> None:
    place_two_of_three(board)
    board.click((2, 2))
    board.until(lambda: not board.value("tengen.swap2.on"))
    board.settle()
    assert board.value("tengen.settings.side") in ("black", "white")
    assert "Tengen plays" in board.toast
    assert board.status == "Your move."


def test_swap2_with_the_engines_stones(board: BoardPage) -> None:
    board.page.click("#new-game")
    board.page.select_option("#new-side", "white")
    board.page.select_option("#new-level", "1")
    board.page.check("#swap2")
    board.page.click("#start-game")
    board.page.click("#swap2-two")
    board.until(lambda: "2 left" in board.status)
    assert len(board.moves) == 3
    board.play([(14, 14)])
    board.click((12, 13))
    board.until(lambda: not board.value("tengen.swap2.on"))
    board.settle()
    assert len(board.moves) >= 5
    assert board.status == "Your move."
