"""The board for people who use no mouse or see little: keys alone, screen readers, contrast."""

import pytest
from playwright.sync_api import Browser

from tests.web.axe import violations
from tests.web.board_page import BoardPage, Square, named

TABS = ("play", "analyse", "review")


@pytest.mark.parametrize("theme", ["light", "dark", "wood"])
def test_axe_finds_nothing_on_the_tabs(board: BoardPage, theme: str) -> None:
    board.value(f"tengen.set({{theme: '{theme}'}})")
    board.new_game(16, side="both")
    board.play([(9, 9), (10, 9), (0, 0), (11, 9), (12, 9)])
    for tab in TABS:
        board.page.click(f"#tab-{tab}")
        board.settle()
        if tab == "analyse":
            board.page.check("#threats")
            board.page.click("#analysis")
            board.until(lambda: board.page.locator("#lines li").count() == 3)
            board.page.click("#analysis")
            board.until(lambda: board.value("tengen.threats !== null"))
        if tab == "review":
            board.page.select_option("#review-time", "100")
            board.page.click("#review")
            board.until(lambda: board.value("tengen.review.done === 6 && !tengen.review.running"))
        assert violations(board.page) == [], tab


@pytest.mark.parametrize("opener", ["new-game", "open", "save", "settings"])
def test_axe_finds_nothing_in_the_dialogs(board: BoardPage, opener: str) -> None:
    board.play([(7, 7)])
    board.page.click(f"#{opener}")
    assert board.page.locator("dialog[open]").count() == 1
    assert violations(board.page) == []
    board.page.keyboard.press("Escape")
    board.until(lambda: board.page.locator("dialog[open]").count() == 0)


@pytest.mark.parametrize("code", ["ko", "ja", "zh", "ru", "cs"])
def test_axe_finds_nothing_in_other_languages_on_a_phone(
    browser: Browser, built: None, code: str
) -> None:
    context = browser.new_context(locale=code, viewport={"width": 360, "height": 760})
    board = BoardPage(context.new_page())
    board.open()
    for tab in TABS:
        board.page.click(f"#tab-{tab}")
        board.settle()
        assert violations(board.page) == [], tab
        assert board.value("document.documentElement.scrollWidth") <= 360
    context.close()


class Keys:
    """A person who has a keyboard alone."""

    def __init__(self, board: BoardPage) -> None:
        self.board = board
        self.press = board.page.keyboard.press

    def focus(self, selector: str) -> None:
        """Goes by Tab until an element has the focus."""
        for _ in range(80):
            if self.board.page.evaluate(
                "selector => document.activeElement.matches(selector)", selector
            ):
                return
            self.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def choose(self, selector: str, value: str) -> None:
        """Goes through a list by the arrows until it has a value."""
        self.focus(selector)
        self.press("Home")
        for _ in range(30):
            if self.board.page.input_value(selector) == value:
                return
            self.press("ArrowDown")
        raise AssertionError(f"{selector} has no {value}")

    def play(self, square: Square) -> None:
        """Moves the cursor of the board to a square and plays there."""
        self.focus("svg.board")
        if self.board.value("tengen.cursor") is None:
            self.press("ArrowUp")
        x, y = self.board.value("tengen.cursor")
        for key, count in (("ArrowRight", square[0] - x), ("ArrowDown", square[1] - y)):
            back = {"ArrowRight": "ArrowLeft", "ArrowDown": "ArrowUp"}[key]
            for _ in range(abs(count)):
                self.press(key if count > 0 else back)
        assert self.board.value("tengen.cursor") == list(square)
        before = self.board.moves
        self.press("Enter")
        self.board.settle()
        assert self.board.moves == [*before, square]


def test_a_whole_game_by_keys_alone(board: BoardPage) -> None:
    keys = Keys(board)
    keys.focus("#new-game")
    keys.press("Enter")
    keys.choose("#new-rule", "16")
    keys.choose("#new-size", "9")
    keys.choose("#new-side", "both")
    keys.focus("#start-game")
    keys.press("Enter")
    board.until(lambda: board.value("tengen.game.head.size") == 9)
    board.settle()
    # Black's seventh stone captures two; then the row d4 to h4 is a five that cannot be broken
    game = named("e5 f5 a9 g5 h5 a1 d4 c1 e4 e1 f4 g1 g4 i1 h4", 9)
    for number, square in enumerate(game, 1):
        keys.play(square)
        said = board.page.inner_text("#live")
        if number < len(game):
            assert said.startswith("Black plays" if number % 2 else "White plays"), number
    assert board.status == "Black wins with five in a row."
    assert board.page.inner_text("#live") == board.status, "the end is said"
    assert board.stones == len(game) - 2
    # what cannot be played is said, and what lies under the cursor
    keys.press("ArrowLeft")
    assert "black" in board.page.inner_text("#live").lower()
    # back and forward through the game by keys, and a review of it
    keys.focus("#tab-play")
    keys.press("Home")
    board.settle()
    assert board.stones == 0
    keys.press("End")
    board.settle()
    assert board.stones == len(game) - 2
    keys.focus("#tab-review")
    keys.press("Enter")
    keys.choose("#review-time", "100")
    keys.focus("#review")
    keys.press("Enter")
    board.until(lambda: board.value("tengen.review.done") == len(game) + 1, 120)
    keys.focus("#turns button")
    keys.press("Enter")
    board.settle()
    assert board.value("tengen.game.current.ply") < len(game)
