"""The board in a browser, as the tests of tests/web/ use it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from tests.support.paths import ROOT

PAGE: Final = ROOT / "dist" / "tengen-board.html"

Square = tuple[int, int]


def named(text: str, size: int = 15) -> list[Square]:
    """The squares of names such as `h8 i9` on a board whose a1 is at the bottom left."""
    return [(ord(name[0]) - ord("a"), size - int(name[1:])) for name in text.split()]


class BoardPage:
    """The page and what a person does with it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console",
            lambda said: self.errors.append(said.text) if said.type == "error" else None,
        )

    def open(self, fragment: str = "") -> None:
        """Opens the file as a double click does, and waits until it can be used."""
        self.page.goto(PAGE.as_uri() + fragment)
        self.page.wait_for_selector("body[data-ready]", timeout=60_000)
        self.settle()

    def value(self, expression: str) -> Any:
        """Returns the value of an expression in the page."""
        return self.page.evaluate(expression)

    def until(self, done: Callable[[], Any], seconds: float = 60) -> Any:
        """Waits until something holds, and returns it; the page forbids scripts from texts."""
        end = time.monotonic() + seconds
        while True:
            result = done()
            if result:
                return result
            assert time.monotonic() < end, f"not within {seconds} s; status: {self.status}"
            self.page.wait_for_timeout(30)

    def settle(self) -> None:
        """Waits until the core has said what the last change means, and the engine has moved."""
        self.until(lambda: self.value("!tengen.stale && !tengen.thinking"))

    def click(self, square: Square) -> None:
        """Clicks a square, and waits for what comes of it."""
        at = self.page.evaluate("square => tengenBoard.placeOf(square)", list(square))
        self.page.mouse.click(at["clientX"], at["clientY"])
        self.settle()

    def play(self, moves: Sequence[Square]) -> None:
        """Clicks one move after another; each has to be taken."""
        for move in moves:
            before = len(self.moves)
            self.click(move)
            assert len(self.moves) > before, f"{move} was not played: {self.status}"

    def new_game(
        self,
        rule: int = 0,
        size: int | None = None,
        side: str = "both",
        level: int = 1,
        *,
        tournament: bool = True,
        settle: bool = True,
    ) -> None:
        """Starts a game by the dialog; waits for the engine's moves unless `settle` is off."""
        self.page.click("#new-game")
        self.page.select_option("#new-rule", str(rule))
        if size is not None:
            self.page.select_option("#new-size", str(size))
        if self.page.is_enabled("#opening"):
            self.page.set_checked("#opening", tournament)
        self.page.select_option("#new-side", side)
        self.page.select_option("#new-level", str(level))
        self.page.click("#start-game")
        self.until(lambda: not self.value("document.querySelector('dialog[open]') !== null"))
        if settle:
            self.settle()

    def paste(self, text: str) -> None:
        """Opens a text by the dialog, and waits until the page says what came of it."""
        self.page.click("#open")
        self.page.fill("dialog textarea", text)
        # the sentence about the text before may be there still
        self.page.evaluate("document.querySelector('.toast')?.remove()")
        self.page.click("dialog button.primary")
        self.page.wait_for_selector(".toast")
        self.settle()

    def saved(self, kind: str) -> bytes:
        """Returns the text that a button of the save dialog downloads."""
        self.page.click("#save")
        with self.page.expect_download() as download:
            self.page.click(f"#save-{kind}")
        return Path(download.value.path()).read_bytes()

    def title_at(self, square: Square) -> str:
        """Moves the mouse to a square and returns the text that the page shows."""
        self.page.mouse.move(0, 0)
        at = self.page.evaluate("square => tengenBoard.placeOf(square)", list(square))
        self.page.mouse.move(at["clientX"], at["clientY"])
        return self.page.get_attribute(".board-host", "title") or ""

    @property
    def status(self) -> str:
        """The sentence below the board."""
        return self.page.inner_text("#status")

    @property
    def toast(self) -> str:
        """The sentence that is shown for some seconds."""
        return self.page.inner_text(".toast")

    @property
    def moves(self) -> list[Square]:
        """The moves up to the position that is shown."""
        return [(x, y) for x, y in self.value("tengen.game.moves")]

    @property
    def stones(self) -> int:
        """Returns the number of stones on the board."""
        return self.page.locator("svg.board .stone:not(.fallen):not(.ghost)").count()
