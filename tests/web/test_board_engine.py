"""Analysis, proofs and review on the page; the engine's signature, stops, memory."""

import time

from playwright.sync_api import Browser

from tests.support.paths import ROOT
from tests.web.board_page import BoardPage, Square, named

OPENING: list[Square] = [(7, 7), (8, 6), (6, 8), (9, 5), (8, 8)]


def analysing(board: BoardPage, moves: list[Square]) -> None:
    """The analysis of a position, once it shows something."""
    board.new_game(0)
    board.play(moves)
    board.page.click("#tab-analyse")
    board.settle()
    board.page.click("#analysis")
    board.page.wait_for_selector("#score")


def test_the_bench_signature_is_the_native_one(board: BoardPage) -> None:
    signature = (ROOT / "tests" / "data" / "bench_signature.txt").read_text().strip()
    result = board.value("tengen.engine.bench()")
    assert result["signature"] == signature


def test_analysis_only_gets_deeper_and_keeps_its_lines(board: BoardPage) -> None:
    analysing(board, OPENING)
    seen = []
    end = time.monotonic() + 4
    while time.monotonic() < end:
        seen.append(board.value("tengen.view && [tengen.view.depth, tengen.view.lines.length]"))
        board.page.wait_for_timeout(100)
    seen = [view for view in seen if view]
    assert seen == sorted(seen)
    assert seen[-1][0] > seen[0][0] or seen[0][0] > 8
    assert seen[-1][1] == 3
    assert board.page.locator("svg.board .mark").count() == 3
    assert board.page.locator("#lines li").count() == 3


def test_a_line_is_played_out_while_it_is_pointed_at(board: BoardPage) -> None:
    analysing(board, OPENING)
    board.until(lambda: board.value("tengen.view?.lines[0].pv.length > 3"))
    board.page.hover("#lines li:first-child button")
    assert board.page.locator(".ghost").count() > 3
    board.page.mouse.move(5, 5)
    assert board.page.locator(".ghost").count() == 0


def test_more_lines(board: BoardPage) -> None:
    analysing(board, OPENING)
    board.page.select_option("#line-count", "10")
    board.until(lambda: board.page.locator("#lines li").count() == 10)


def test_a_stop_is_answered_within_100_ms(board: BoardPage) -> None:
    times = []
    analysing(board, OPENING)
    for wait in (1500, 2500, 900, 400):
        board.page.wait_for_timeout(wait)
        times.append(
            board.value(
                """async () => {
                    const began = performance.now();
                    await tengen.engine.stop();
                    const took = performance.now() - began;
                    tengen.moved();
                    return took;
                }"""
            )
        )
    # a machine that is busy with other work is late by itself: the best of four counts
    assert sorted(times)[1] < 100, times


def test_the_page_steps_through_a_game_while_it_analyses(board: BoardPage) -> None:
    analysing(board, OPENING)
    for _ in range(5):
        board.page.keyboard.press("ArrowLeft")
    board.settle()
    assert board.moves == []
    for key in ("End", "ArrowLeft"):
        board.page.keyboard.press(key)
    board.settle()
    assert len(board.moves) == 4
    board.until(lambda: board.value("tengen.view?.lines.length === 3"))


def test_find_a_win_shows_its_proof(board: BoardPage) -> None:
    board.new_game(0)
    board.play(named("h8 a1 i8 c1 j8 e15 i9 g15 j10 m1".replace("j10", "i10")))
    board.page.click("#tab-analyse")
    board.settle()
    board.page.click("#find-win")
    board.until(lambda: "continuous fours" in board.page.inner_text("#win"))
    proof = board.value("tengen.winLine")
    board.page.click("#keep-line")
    node = board.value("tengen.game.current.children[0].move")
    assert node == proof[0]
    for _ in proof:
        board.page.keyboard.press("ArrowRight")
        board.settle()
    assert board.status == "Black wins with five in a row."


def test_no_win_is_told_apart_from_none_within_the_limit(board: BoardPage) -> None:
    board.new_game(0)
    board.play([(7, 7)])
    board.page.click("#tab-analyse")
    board.settle()
    one_node = "tengen.engine.vct(tengen.game.position, {nodes: 1})"
    assert board.value(one_node) == {"line": [], "answer": "NOT_FOUND"}
    board.page.click("#find-win")
    board.until(lambda: "this is proved" in board.page.inner_text("#win"))
    assert board.page.locator("#keep-line").count() == 0
    # the engine keeps the proof for the next call
    assert board.value(one_node) == {"line": [], "answer": "NO_WIN"}


def test_a_proof_that_runs_is_ended_by_a_step(board: BoardPage) -> None:
    board.new_game(0)
    board.play(OPENING)
    board.page.click("#tab-analyse")
    board.settle()
    board.page.click("#find-win")
    began = time.monotonic()
    board.page.keyboard.press("ArrowLeft")
    board.settle()
    assert len(board.moves) == 4
    assert time.monotonic() - began < 3


def test_review_of_a_file(board: BoardPage) -> None:
    board.page.click("#open")
    board.page.set_input_files("dialog input[type=file]", ROOT / "docs" / "ninuki.psq")
    board.page.wait_for_selector(".toast")
    count = board.value("tengen.game.root.end().ply")
    assert count > 40
    board.page.click("#tab-review")
    board.page.select_option("#review-time", "100")
    board.page.click("#review")
    board.until(lambda: board.value("tengen.review?.done > 4"))
    # the game can be read meanwhile
    board.page.click("#step-first")
    board.settle()
    assert board.moves == []
    board.page.click("#review")
    done = board.value("tengen.review.done")
    board.page.wait_for_timeout(300)
    assert board.value("tengen.review.done") == done < count
    board.page.click("#review")
    board.until(lambda: board.value("!tengen.review.running"), 120)
    assert board.value("tengen.review.done") == count + 1
    # the loser's share is nothing at the end
    assert board.value("tengen.review.verdicts.at(-1).chance") == 0
    assert board.page.locator(".graph .curve").count() == 1
    assert "%" in board.page.inner_text("#accuracy")


def test_review_finds_a_missed_defence_and_writes_it_down(board: BoardPage) -> None:
    board.new_game(0)
    # White does not answer Black's four: a turning point for a search of any length
    board.play(named("h8 i8 g8 j9 f8 j7 e8 a1 d8"))
    board.page.click("#tab-review")
    board.settle()
    board.page.select_option("#review-time", "100")
    board.page.click("#review")
    board.until(lambda: board.value("tengen.review?.done === 10"), 60)
    board.until(lambda: board.value("!tengen.review.running"))
    turns = board.value("tengen.review.turns.map((turn) => turn.ply)")
    assert turns[-1] == 8
    board.page.click("#annotate")
    board.page.click("#annotate")
    text = board.saved("sgf").decode()
    assert text.count("C[") == 9
    assert text.count("(;") > 1
    assert text.count("Tengen:") == 9
    assert "; Lost " in text
    # a turning point shows the position before it, with the better line
    board.page.set_viewport_size({"width": 360, "height": 760})
    assert board.value("document.documentElement.scrollWidth") == 360
    board.page.locator("#turns button").first.click()
    board.until(lambda: board.page.locator("svg.board .ghost").count() > 0)
    assert board.value("tengen.game.current.ply") == turns[0] - 1


def test_a_review_ends_with_its_game(board: BoardPage) -> None:
    """A new game ends the review of the old one. Old nodes cannot be shown any more."""
    board.new_game(4)
    board.play(named("h8 i8 h9 i9 h10 i10"))
    board.page.click("#tab-review")
    board.page.select_option("#review-time", "100")
    board.page.click("#review")
    board.until(lambda: board.value("tengen.review?.done > 1"))
    old = board.page.evaluate_handle("tengen.review.line[2]")
    board.new_game(16)
    assert not board.value("tengen.review.running")
    board.play([(9, 9)])
    board.page.evaluate("node => tengen.goTo(node)", old)
    board.settle()
    assert board.moves == [(9, 9)]
    board.page.click("#tab-review")
    assert board.page.locator(".graph").count() == 0


def test_accuracy_is_that_of_the_mover(board: BoardPage) -> None:
    """White moves first and leaves a four standing; Black wins by it."""
    board.paste("(;GM[4]SZ[15]AB[hh][hi][hj][hk]AW[hg][gg][ig][ii]PL[W];W[oo];B[hl])")
    board.page.click("#tab-review")
    board.page.select_option("#review-time", "100")
    board.page.click("#review")
    board.until(lambda: board.value("tengen.review?.done === 3"))
    black, white = board.value("[true, false].map((black) => tengen.review.accuracy(black))")
    assert black == 1
    assert white < 0.5
    board.until(lambda: "White" in board.page.inner_text("#accuracy"))
    shown = " ".join(board.page.inner_text("#accuracy").split())
    assert "Black 100" in shown


def test_the_space_bar_presses_a_focused_button(board: BoardPage) -> None:
    board.page.click("#tab-analyse")
    board.page.focus("#tab-review")
    board.page.keyboard.press(" ")
    assert board.value("tengen.tab") == "review"
    assert not board.value("tengen.analysing")


def test_memory_does_not_grow_over_games(board: BoardPage) -> None:
    grown = board.value(
        """async () => {
            const sizes = [];
            const position = (moves) => ({ size: 15, rule: 16, moves });
            for (let game = 0; game < 200; game++) {
                const moves = [[7, 7], [game % 7, 3], [8, 8], [3, game % 5 + 8]];
                await tengen.engine.inspect(position(moves));
                await tengen.engine.search(position(moves), { level: 3 });
                if (game % 50 === 49) sizes.push(await tengen.engine.memoryBytes());
            }
            return sizes;
        }"""
    )
    assert len(set(grown)) == 1, grown


def test_a_browser_without_simd_gets_a_plain_sentence(browser: Browser, built: None) -> None:
    page = browser.new_page()
    page.add_init_script("WebAssembly.validate = () => false;")
    page.goto((ROOT / "dist" / "tengen-board.html").as_uri())
    page.wait_for_selector("[role=alert]")
    assert "lacks WebAssembly with SIMD" in page.inner_text("#app")
    page.close()


def test_an_engine_that_cannot_start_is_told(browser: Browser, built: None) -> None:
    page = browser.new_page()
    page.add_init_script("WebAssembly.compile = () => Promise.reject(new Error('no memory'));")
    page.goto((ROOT / "dist" / "tengen-board.html").as_uri())
    page.wait_for_selector("[role=alert]")
    assert "no memory" in page.inner_text("#app")
    page.close()
