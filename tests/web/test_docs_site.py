"""The documentation site, opened from its folder, without a network."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import pyengine
from tests.support.paths import ROOT

SITE = ROOT / "dist" / "site"
PAGES = ("index.html", "api.html", "decisions/index.html", "here.html")


@pytest.fixture(scope="module")
def site(built: None) -> Path:
    """The site, current with its sources."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.site"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return SITE


@pytest.fixture
def page(site: Path, browser: Browser) -> Iterator[Page]:
    """A page of a browser that is offline; no request may leave the folder."""
    context = browser.new_context(viewport={"width": 360, "height": 900}, offline=True)
    page = context.new_page()
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url))
    yield page
    assert [url for url in outside if not url.startswith(("file:", "blob:", "data:"))] == []
    context.close()


def test_the_search_works_without_a_network(page: Page) -> None:
    page.goto((SITE / "index.html").as_uri())
    page.click("label.md-header__button[for=__search]")
    page.focus(".md-search__input")
    page.keyboard.type("forbidden")
    page.wait_for_selector(".md-search-result__link >> text=Scripts", timeout=30_000)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_telephone(page: Page, name: str) -> None:
    """It is not wider than the screen, and all its images are there."""
    page.goto((SITE / name).as_uri())
    width = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(width)
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")


def test_the_board_plays_inside_the_site(page: Page) -> None:
    page.goto((SITE / "here.html").as_uri())
    board = page.frame_locator('iframe[title="Tengen\'s board"]')
    board.locator("svg.board").click()  # the centre
    board.locator("svg.board .stone:not(.ghost) >> nth=1").wait_for(timeout=60_000)


def test_the_api_page_has_all_calls(site: Path) -> None:
    """Also those that a class has from its base."""
    text = (site / "api.html").read_text(encoding="utf-8")
    for kind in (pyengine.Engine, pyengine.Game, pyengine.Position):
        calls = [name for name in dir(kind) if not name.startswith("_")]
        assert len(calls) > 5
        lacking = [name for name in calls if f'id="pyengine.{kind.__name__}.{name}"' not in text]
        assert lacking == [], kind.__name__
