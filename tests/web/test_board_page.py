"""The page itself: focus, languages, sizes on the screen, size of the file."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.board_page import PAGE, BoardPage

LANGUAGES = {
    "en": "New game",
    "ko": "새 대국",
    "ja": "新しい対局",
    "zh": "新",
    "ru": "Новая игра",
    "cs": "Nová hra",
}


def test_focus_stays_while_the_page_changes(board: BoardPage) -> None:
    board.new_game(0)
    board.play([(7, 7)])
    board.page.click("#tab-analyse")
    board.settle()
    board.page.click("#analysis")
    board.page.focus("#comment")
    board.page.keyboard.type("written while lines come in", delay=40)
    assert board.page.input_value("#comment") == "written while lines come in"
    assert board.value("document.activeElement.id") == "comment"


@pytest.mark.parametrize(("code", "text"), LANGUAGES.items())
def test_languages(browser: Browser, built: None, code: str, text: str) -> None:
    context = browser.new_context(locale=code)
    board = BoardPage(context.new_page())
    board.open()
    assert text in board.page.inner_text("#new-game")
    assert board.value("document.documentElement.lang") == code
    context.close()


def test_every_language_has_every_text() -> None:
    import re

    source = PAGE.parents[1] / "web" / "src"
    english = (source / "strings.js").read_text(encoding="utf-8").split("const en = {")[1]
    wanted = set(re.findall(r'^  "?([\w.]+)"?:', english.split("};")[0], re.M)) - {"title"}
    for path in sorted((source / "languages").glob("*.js")):
        has = set(re.findall(r'^  "?([\w.]+)"?:', path.read_text(encoding="utf-8"), re.M))
        assert has == wanted, path.name


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_everything_is_on_the_screen(
    browser: Browser, built: None, tmp_path: Path, scheme: str, width: int
) -> None:
    height = 760 if width == 360 else 900
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        has_touch=width == 360,
    )
    board = BoardPage(context.new_page())
    board.open()
    if width == 360:
        at = board.value("tengenBoard.placeOf([7, 7])")
        board.page.touchscreen.tap(at["clientX"], at["clientY"])
        board.settle()
    else:
        board.click((7, 7))
    assert len(board.moves) == 2
    for tab in ("analyse", "review", "play"):
        board.page.click(f"#tab-{tab}")
        board.settle()
        assert board.value("document.documentElement.scrollWidth") <= width
        outside = board.value(
            """[...document.querySelectorAll("button,select,svg.board")].filter((e) => {
                const box = e.getBoundingClientRect();
                return !e.closest(".tree") && (box.left < 0 || box.right > innerWidth + 1);
            }).map((e) => e.id)"""
        )
        assert outside == []
    folder = Path(os.environ.get("BOARD_SCREENSHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    board.page.screenshot(path=folder / f"board-{scheme}-{width}.png", full_page=True)
    assert board.errors == []
    context.close()


def test_the_file_is_small_and_asks_for_nothing(browser: Browser, built: None) -> None:
    assert PAGE.stat().st_size < 6_000_000
    context = browser.new_context(offline=True)
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    board = BoardPage(page)
    board.open()
    board.play([(7, 7)])
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    assert board.errors == []
    context.close()
