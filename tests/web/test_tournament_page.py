"""A tournament's page in a browser: its boards are drawn by the code of the board."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from arena.game.record import EndReason, GameRecord, MoveRecord, PlayerRecord
from arena.page import Report, write_page
from arena.rules.referee import Position, Rule
from arena.stats.standings import table_of
from tests.web.axe import violations

SQUARES = [(9, 9), (10, 9), (0, 0), (11, 9), (12, 9), (0, 2), (9, 8)]
"""Black's fifth stone captures two."""


def record() -> GameRecord:
    """A game of ninuki with a capture."""
    position = Position(size=19, rule=Rule.NINUKI)
    moves = []
    for square in SQUARES:
        color = position.to_move
        taken = tuple(position.play(square).captured)
        made = MoveRecord(*square, color=color.value, ms=12.5, limit_ms=1e3, captured=taken)
        moves.append(made)
    return GameRecord(
        black=PlayerRecord("one"),
        white=PlayerRecord("two"),
        size=19,
        rule=int(Rule.NINUKI),
        turn_ms=1000,
        match_ms=None,
        memory_mib=0,
        tolerance_ms=0,
        opening=(),
        moves=tuple(replace(move, depth=5, nodes=12345, score="17") for move in moves),
        winner=None,
        reason=EndReason.BOARD_FULL,
        detail="",
        captures=position.captures,
    )


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page of two games, in a window that may not complain."""
    records = [record(), replace(record(), black=PlayerRecord("three"))]
    path = tmp_path / "index.html"
    write_page(path, Report("Cup", table_of(["one", "two", "three"], records), tuple(records)))
    page = browser.new_page()
    page.set_default_timeout(30_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(path.as_uri())
    yield page
    page.close()
    assert errors == []


def unfold(page: Page, card: str) -> None:
    """Opens a card and waits for its board, which the page draws after the click."""
    page.click(f"{card} summary")
    page.locator(f"{card} svg.board .stone").first.wait_for()


def stones(page: Page, card: str) -> int:
    """Returns the number of stones on a card's board."""
    return page.locator(f"{card} svg.board .stone:not(.fallen)").count()


def test_a_card_opens_a_board_with_its_moves(opened: Page) -> None:
    page = opened
    unfold(page, "#g1")
    assert stones(page, "#g1") == 5
    assert page.locator("#g1 .moves tbody tr").count() == 7
    assert "j10" in page.inner_text("#g1 .moves tbody tr:nth-child(1)")
    assert "12.3k" in page.inner_text("#g1 .moves tbody tr:nth-child(1)")
    assert page.inner_text('#g1 [data-captures="black"]') == "1"
    # back over the capture: by key, by button, by a click on the left of the board
    page.keyboard.press("ArrowLeft")
    page.click("#g1 button.back")
    assert stones(page, "#g1") == 3
    assert page.locator("#g1 .stone.fallen").count() == 2
    page.locator("#g1 svg.board").click(position={"x": 40, "y": 100})
    assert stones(page, "#g1") == 4
    assert page.inner_text('#g1 [data-captures="black"]') == "0"
    page.click("#g1 .moves tbody tr:nth-child(2)")
    assert stones(page, "#g1") == 2
    page.check("#g1 .controls input.numbers")
    assert page.locator("#g1 .stone .number").count() == 2
    page.check("#g1 input.counting")
    assert "9,9" in page.inner_text("#g1 .moves tbody tr:nth-child(1)")
    assert page.locator("#g1 .moves tr.now").count() == 1
    assert violations(page) == []
    page.click("#g1 button.go")
    page.locator("#g1 .stone").nth(3).wait_for()


def test_the_filter_and_the_address_lead_to_games(opened: Page) -> None:
    page = opened
    assert page.inner_text(".filter output") == "2 of 2 games"
    page.select_option("select[name=one]", label="three")
    assert page.inner_text(".filter output") == "1 of 2 games"
    page.goto(f"{page.url}#g2")
    page.reload()
    page.locator("#g2 svg.board .stone").first.wait_for()
    assert stones(page, "#g2") == 5
    # two boards are open: each has colours of its own
    unfold(page, "#g1")
    fills = json.loads(
        page.evaluate(
            "JSON.stringify([...document.querySelectorAll('svg.board .stone.black > :first-child')]"
            ".map(circle => circle.getAttribute('fill')))"
        )
    )
    assert set(fills) == {"url(#black-stone-1)", "url(#black-stone-2)"}
