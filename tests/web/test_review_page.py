"""The page of a review in a browser: graph, table and board go together."""

from pathlib import Path

from playwright.sync_api import Browser

from arena.cli.main import main
from arena.util.exits import Exit


def test_the_page_of_a_review(browser: Browser, tmp_path: Path) -> None:
    game = tmp_path / "lost.txt"
    game.write_text("h8 i9 g8 i7 f8 a1 e8 a2 d8")
    assert main(["review", str(game), "--nodes", "3k"]) == Exit.DONE
    page = browser.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((tmp_path / "lost-review" / "review.html").as_uri())
    told = page.locator(".told")
    assert told.inner_text().startswith("after move 5, f8"), "before the turning point"
    assert page.locator(".board .number").count() > 3, "the better line is drawn"
    assert page.locator(".turning tr.now").count() == 1
    page.keyboard.press("ArrowRight")
    assert told.inner_text().splitlines()[:2] == ["after move 6, a1", "Black wins 100.0 %"]
    page.click('[data-go="last"]')
    assert told.inner_text().startswith("after move 9, d8")
    assert page.locator(".board circle.black").count() == 5
    page.click('[data-go="first"]')
    assert told.inner_text().startswith("before the first move")
    box = page.locator(".graph").bounding_box()
    assert box is not None
    page.click(".graph", position={"x": box["width"] - 12, "y": 20})
    assert told.inner_text().startswith("after move 9")
    page.click(".turning tbody tr")
    assert told.inner_text().startswith("after move 5")
    assert wrong == []
    page.close()
