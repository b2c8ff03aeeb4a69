"""The page of a review in a browser: graph, table and board go together."""

from pathlib import Path

from playwright.sync_api import Browser

from arena.cli.main import main
from arena.util.exits import Exit
from tests.web.axe import violations


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
    assert page.locator("svg.board .ghost").count() > 3, "the better line is drawn"
    assert page.locator("svg.board .target").count() == 1, "the move of the game is marked"
    assert page.locator(".turning tr.now").count() == 1
    page.keyboard.press("ArrowRight")
    assert told.inner_text().splitlines()[:2] == ["after move 6, a1", "Black wins 100.0 %"]
    page.click("button.last")
    assert told.inner_text().startswith("after move 9, d8")
    assert page.locator("svg.board .stone.black").count() == 5
    assert page.locator("svg.board .five").count() == 5
    page.click("button.first")
    assert told.inner_text().startswith("before the first move")
    box = page.locator(".graph").bounding_box()
    assert box is not None
    page.click(".graph", position={"x": box["width"] - 12, "y": 20})
    assert told.inner_text().startswith("after move 9")
    page.click(".turning tbody tr")
    assert told.inner_text().startswith("after move 5")
    # a1 is at the bottom left until Piskvork's counting is wanted
    cell = page.locator(".turning tbody td:nth-child(2)").first
    labels = page.locator("svg.board .label")
    assert (cell.inner_text(), labels.nth(0).text_content()) == ("a1", "a")
    page.check("input.counting")
    assert (cell.inner_text(), labels.nth(0).text_content()) == ("0,14", "0")
    assert told.inner_text().startswith("after move 5, 5,7")
    page.reload()
    assert page.is_checked("input.counting"), "the page remembers it"
    assert cell.inner_text() == "0,14"
    page.uncheck("input.counting")
    assert cell.inner_text() == "a1"
    assert violations(page) == []
    assert wrong == []
    page.close()
