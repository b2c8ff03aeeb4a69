"""Fixtures of the browser tests: Debian's chromium, and the page built from this tree."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.support.paths import ROOT
from tests.web.board_page import BoardPage

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks every test of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("web")


@pytest.fixture(scope="session")
def built() -> None:
    """The page, current with its sources."""
    done = subprocess.run(
        [sys.executable, ROOT / "web" / "build.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def browser(built: None) -> Iterator[Browser]:
    """A browser without a window."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert path, "chromium is missing. On Debian, as root: apt-get install chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def board(browser: Browser) -> Iterator[BoardPage]:
    """The page in a fresh profile; it may not complain of anything."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = BoardPage(context.new_page())
    page.open()
    yield page
    assert page.errors == []
    context.close()
