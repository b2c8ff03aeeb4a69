"""The figures and pictures of docs/board.md: `python -m tests.web.figures`, after `make board`.

python -m tests.web.figures                       the table of figures
python -m tests.web.figures --pictures FOLDER     the pictures of the page
python -m tests.web.figures --engines FOLDER ONE="./a" TWO="./b"
                                                  the picture of two brains at the server
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.support.paths import ROOT
from tests.web.board_page import PAGE, BoardPage, named

OPENINGS: Final = 5
STOPS_MS: Final = (400, 900, 1500, 2500, 1200)
GAME: Final = "h8 i9 h10 h9 g9 i7 i11 f8 j12 k13 f7 i10 i8 g10 j8"
CAPTURES: Final = "k10 l10 k12 m10 n10 l11 k11 k13 l12 j12"
THREATS: Final = "h8 i9 g8 i7 f8 a1 e8 a2 d8"
STOP: Final = """async () => {
    const began = performance.now();
    await tengen.engine.stop();
    const took = performance.now() - began;
    tengen.moved();
    return took;
}"""


def opened(
    browser: Browser, width: int = 1180, height: int = 800, scheme: str = "light"
) -> BoardPage:
    """The page in a fresh profile."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    board = BoardPage(context.new_page())
    board.open()
    return board


def analysing(board: BoardPage, lines: int = 3, game: str = GAME) -> None:
    """Starts an analysis of a game before its last moves."""
    board.paste(game)
    board.page.evaluate("document.querySelector('.toast')?.remove()")
    board.page.click("#tab-analyse")
    for _ in range(4):
        board.page.click("#step-back")
        board.settle()
    board.page.select_option("#line-count", str(lines))
    board.page.click("#analysis")
    board.page.wait_for_selector("#score")


def native_speed() -> tuple[str, int]:
    """The signature and the nodes a second of the native bench."""
    told = subprocess.run(
        [sys.executable, "-m", "pyengine"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    speed, signature = re.search(r"(\d+) nodes/s", told), re.search(r"0x[0-9a-f]{16}", told)
    assert speed and signature, told
    return signature[0], int(speed[1])


def figures(browser: Browser) -> list[tuple[str, str]]:
    """The rows of the table; page and native bench take turns."""
    ready = [int(opened(browser).value("document.body.dataset.ready")) for _ in range(OPENINGS)]
    board = opened(browser)
    pages, natives, signatures = [], [], set()
    for _ in range(3):
        result = board.value("tengen.engine.bench()")
        signature, speed = native_speed()
        pages.append(result["nodesPerSecond"])
        natives.append(speed)
        signatures |= {result["signature"], signature}
    analysing(board)
    stops = []
    for wait in STOPS_MS:
        board.page.wait_for_timeout(wait)
        stops.append(board.value(STOP))
    page, native = statistics.median(pages), statistics.median(natives)
    return [
        ("size of the file", f"{PAGE.stat().st_size / 1e6:.2f} MB"),
        ("until the first move can be made", f"{min(ready)} to {max(ready)} ms after opening"),
        ("bench signatures of page and native engine", ", ".join(sorted(signatures))),
        (
            "bench, median of three",
            f"{page:,.0f} nodes/s, native {native:,.0f} ({page / native:.0%})",
        ),
        ("a stop in the middle of an analysis", f"{min(stops):.0f} to {max(stops):.0f} ms"),
    ]


def pictures(browser: Browser, folder: Path) -> None:
    """Draws the page as docs/board.md and the README show it."""
    board = opened(browser)
    board.new_game(16, side="both")
    board.play(named(CAPTURES, 19))
    board.value("tengen.set({side: 'black', level: 6})")
    board.until(lambda: board.value("tengen.facts !== null"))
    board.page.wait_for_timeout(1500)
    board.page.screenshot(path=folder / "play.png")
    board = opened(browser)
    analysing(board, 5)
    board.page.wait_for_timeout(6000)
    board.page.screenshot(path=folder / "analyse.png")
    board = opened(browser)
    analysing(board, 3, THREATS)
    board.page.wait_for_timeout(3000)
    board.page.click("#analysis")
    board.page.check("#threats")
    board.until(lambda: board.value("tengen.threats?.list.length > 0"))
    board.page.wait_for_timeout(500)
    board.page.screenshot(path=folder / "threats.png")
    board = opened(browser)
    board.page.click("#open")
    board.page.set_input_files("dialog input[type=file]", ROOT / "docs" / "ninuki.psq")
    board.page.wait_for_selector(".toast")
    board.page.click("#tab-review")
    board.page.select_option("#review-time", "500")
    board.page.click("#review")
    board.until(lambda: board.value("tengen.review.done > 1 && !tengen.review.running"), 200)
    board.page.locator("#turns button").first.click()
    board.settle()
    board.page.wait_for_timeout(500)
    board.page.screenshot(path=folder / "review.png")
    board = opened(browser, 360, 760, "dark")
    analysing(board)
    board.page.wait_for_timeout(3000)
    board.page.screenshot(path=folder / "phone.png")


def engines(browser: Browser, folder: Path, brains: Sequence[str]) -> None:
    """Draws two brains in the middle of their game at the server."""
    one, two = (word.partition("=")[0] for word in brains)
    command = [sys.executable, "-m", "arena", "board", *brains, "--no-browser"]
    command += ["--page", str(PAGE), "--out", "games"]
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(command, cwd=folder, env=paths, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        address = server.stdout.readline().split()[-1]
        page = browser.new_page(viewport={"width": 1180, "height": 800})
        board = BoardPage(page)
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        board.until(lambda: board.value("tengen.match.lost === ''"))
        page.click("#tab-match")
        page.select_option("#match-black", one)
        page.select_option("#match-white", two)
        page.select_option("#match-turn", "1000")
        page.click("#match-start")
        board.until(lambda: board.value("tengen.match.end !== null"), 300)
        board.settle()
        page.screenshot(path=folder / "engines.png")
        print(board.status, page.inner_text("#match-verdict"), sep="\n")
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder / "games", ignore_errors=True)


def main() -> None:
    """Prints the table, or draws what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.figures")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    parser.add_argument("--engines", nargs=3, metavar=("FOLDER", "ONE", "TWO"))
    asked = parser.parse_args()
    path = shutil.which("chromium")
    assert path, "chromium is missing"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        if asked.pictures:
            pictures(browser, asked.pictures)
        elif asked.engines:
            engines(browser, Path(asked.engines[0]), asked.engines[1:])
        else:
            print(time.strftime("%Y-%m-%d"), browser.version)
            for name, value in figures(browser):
                print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
