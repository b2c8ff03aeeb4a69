"""The page under `tengen-arena board`: brains and people, and what goes wrong with them."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from arena.game.files import load_games
from records.sgf import read_sgf
from tests.support.fakes import fake, no_brain_is_left
from tests.support.paths import ROOT
from tests.web.board_page import PAGE, BoardPage, Square

FIVE = "0,0/1,0/2,0/3,0/4,0"
OPTIONS = ("--no-browser", "--page", str(PAGE))
OTHER = "0,2/1,2/2,2/3,2/4,2"


class ServedPage(BoardPage):
    """The page as the server gives it."""

    def open_at(self, address: str) -> None:
        """Opens the page and waits until the server has greeted it."""
        self.page.goto(address)
        self.page.wait_for_selector("body[data-ready]", timeout=60_000)
        self.until(lambda: self.value("tengen.match.lost === ''"))
        self.page.click("#tab-match")
        self.settle()

    def start(self, black: str, white: str, turn_ms: int = 5000) -> None:
        """Starts a game; an empty name is the person."""
        self.page.select_option("#match-black", black)
        self.page.select_option("#match-white", white)
        self.page.select_option("#match-turn", str(turn_ms))
        before = self.value("tengen.match.head?.game ?? 0")
        self.page.click("#match-start")
        self.until(lambda: self.value("tengen.match.head?.game ?? 0") > before)

    def wait_for_stones(self, count: int) -> None:
        """Waits until so many stones are on the board."""
        self.until(lambda: self.stones == count)

    def wait_for_end(self) -> None:
        """Waits for the verdict."""
        self.page.wait_for_selector("#match-verdict", timeout=60_000)
        self.settle()


class Command:
    """`tengen-arena board` as a process."""

    def __init__(self, games: Path, **brains: list[str]) -> None:
        words = [f"{name}={' '.join(command)}" for name, command in brains.items()]
        self.games = games
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", "board", *words, *OPTIONS, "--out", str(games)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        found = re.search(r"http://\S+/", self.process.stdout.readline())
        assert found, self.process.communicate(timeout=30)
        self.address = found[0]

    def end(self) -> None:
        """Ends it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        assert "Traceback" not in errors
        assert no_brain_is_left()


@pytest.fixture(scope="module")
def command(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """One server with good and bad brains for all tests that leave it running."""
    started = Command(
        tmp_path_factory.mktemp("board") / "games",
        one=fake("none", moves=FIVE),
        two=fake("none", moves=OTHER),
        plain=fake("none"),
        slow=fake("stall", at=1),
        crash=fake("crash"),
        stall=fake("stall"),
        occupied=fake("occupied"),
    )
    yield started
    started.end()


@pytest.fixture
def bare(browser: Browser) -> Iterator[ServedPage]:
    """A window that has opened nothing yet; it may not complain of anything."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = ServedPage(context.new_page())
    page.page.set_default_timeout(30_000)
    yield page
    context.close()
    assert page.errors == []


@pytest.fixture
def served(command: Command, bare: ServedPage) -> ServedPage:
    """The page of the server, without a running game."""
    bare.open_at(command.address)
    if bare.page.locator("#match-stop").count():
        bare.page.click("#match-stop")
        bare.page.wait_for_selector("#match-start")
    return bare


def test_two_brains_play_a_whole_game(served: ServedPage, command: Command) -> None:
    board = served
    board.start("one", "two")
    board.wait_for_end()
    assert board.status == "Black wins with five in a row."
    assert board.stones == 9
    assert board.page.inner_text(".player.black").startswith("one")
    assert "black wins after 9 moves" in board.page.inner_text("#match-verdict")
    said = board.page.inner_text("#talk")
    assert "> START 15" in said
    assert "< 0,2" in said
    *_, record = load_games(command.games / "games.jsonl")
    assert (record.winner, len(record.moves)) == ("black", 9)
    # the game can be gone through as any other
    board.page.click("#step-back")
    board.settle()
    assert board.stones == 8
    # a page that is loaded again shows the game
    board.open_at(command.address)
    board.until(lambda: board.stones == 9)
    assert board.status == "Black wins with five in a row."


def test_a_person_plays_a_brain_and_takes_back(served: ServedPage) -> None:
    board = served
    board.start("", "plain")
    board.until(lambda: board.status == "Your move.")
    for number in range(5):
        board.click((number, 14))
        board.wait_for_stones(2 * number + (1 if number == 4 else 2))
        if number == 1:
            board.page.fill("#comment", "too far away")
            board.page.click("#match-undo")
            board.until(lambda: board.stones == 2 and board.status == "Your move.")
            # what was taken back is there still
            assert "too far away" in board.saved("sgf").decode()
            board.click((1, 14))
            board.until(lambda: board.stones == 4)
        if number < 4:
            board.until(lambda: board.status == "Your move.")
    board.wait_for_end()
    assert board.status == "Black wins with five in a row."


def moves_after(board: ServedPage, turns: int) -> list[Square]:
    """Plays moves at the edge against the plain engine; returns all moves."""
    board.start("", "plain")
    for number in range(turns):
        board.until(lambda: board.status == "Your move.")
        board.click((number, 14))
        board.wait_for_stones(2 * number + 2)
    board.until(lambda: board.status == "Your move.")
    return board.moves


def test_moves_taken_back_before_a_resignation_are_a_variation(
    served: ServedPage, tmp_path: Path
) -> None:
    """The main line is the game as played, also after the file is opened again."""
    board = served
    before = moves_after(board, 2)
    board.page.fill("#comment", "too far away")
    board.page.click("#match-undo")
    board.until(lambda: board.stones == 2 and board.status == "Your move.")
    board.page.click("#match-resign")
    board.wait_for_end()
    saved = board.saved("sgf")
    assert board.moves == before[:2]
    assert board.saved("moves").decode().split() == ["a1", "a15"]
    (root,) = read_sgf(saved.decode())
    assert [node.get("B") + node.get("W") for node in root.main_line()] == ["", "ao", "aa"]
    assert "too far away" in saved.decode()
    board.page.click("#tab-analyse")
    board.paste(saved.decode())
    assert board.moves == before[:2]
    assert board.saved("sgf") == saved


def test_a_second_undo_keeps_the_moves_of_the_first(served: ServedPage) -> None:
    """A move that was taken back keeps its comment and the moves after it if it is repeated."""
    board = served
    before = moves_after(board, 3)
    for stones in (4, 2):
        board.page.click("#match-undo")
        board.wait_for_stones(stones)
        board.until(lambda: board.status == "Your move.")
    (root,) = read_sgf(board.saved("sgf").decode())
    line = list(root.main_line())
    assert len(line) == len(before) + 1
    assert all(len(node.children) < 2 for node in line)


def test_a_stone_out_of_turn_is_not_played(served: ServedPage) -> None:
    board = served
    board.start("slow", "", turn_ms=60_000)
    board.until(lambda: board.status == "slow is thinking …")
    board.click((7, 7))
    assert board.stones == 0
    board.page.click("#match-resign")
    board.wait_for_end()
    assert board.status == "Black wins."
    assert "white resigns" in board.page.inner_text("#match-verdict")


@pytest.mark.parametrize(
    ("fault", "word"),
    [("crash", "exit code 3"), ("stall", "no answer to TURN"), ("occupied", "is occupied")],
)
def test_a_brain_that_fails_loses_and_the_page_says_why(
    served: ServedPage, fault: str, word: str
) -> None:
    board = served
    board.start("plain", fault, turn_ms=300)
    board.wait_for_end()
    assert board.status == "Black wins: the other side forfeits."
    assert word in board.page.inner_text("#match-verdict")
    # and the next game can be started
    board.start("plain", "")
    board.until(lambda: board.status == "Your move.")
    board.page.click("#match-stop")
    board.until(lambda: board.status == "The game was stopped.")


def test_tengen_plays_from_the_shown_position(served: ServedPage) -> None:
    board = served
    board.page.click("#tab-play")
    board.new_game(16, side="both")
    board.play([(9, 9), (10, 9)])
    board.page.click("#tab-match")
    board.page.check("#match-here")
    board.start("", "tengen", turn_ms=300)
    board.until(lambda: board.status == "Your move.")
    assert board.value("tengen.game.head.rule") == 16
    assert board.moves == [(9, 9), (10, 9)]
    board.click((5, 5))
    board.until(lambda: board.stones == 4)
    assert "depth" in board.page.inner_text("#match-thought")


def test_analysis_runs_in_the_native_engine(served: ServedPage) -> None:
    board = served
    board.page.click("#tab-play")
    board.new_game(16, side="both")
    board.play([(9, 9), (10, 9), (0, 0), (11, 9), (12, 9), (0, 2)])  # the fifth captures a pair
    board.page.click("#tab-analyse")
    board.page.select_option("#line-count", "4")
    board.page.click("#analysis")
    board.until(lambda: board.page.locator("#lines li").count() == 4)
    board.until(lambda: board.value("tengen.view.nodes") > 20_000)
    assert "hash" not in board.page.inner_text("#facts"), "the native engine does not tell it"
    assert board.page.locator("svg.board .mark").count() == 4
    native = board.value("tengen.view")
    assert board.value("tengen.engine.searching") is False
    # another position, and the analysis goes on there
    board.page.click("#step-back")
    board.until(lambda: board.value("tengen.view && tengen.view.lines[0].depth") or 0 > 3)
    assert board.value("tengen.view.nodes") != native["nodes"]
    # the engine of the page answers instead
    board.page.select_option("#analysis-by", "page")
    board.until(lambda: "hash" in board.page.inner_text("#facts"))
    assert board.value("tengen.engine.searching") is True
    board.page.select_option("#analysis-by", "native")
    board.until(lambda: board.page.locator("#lines li").count() == 4)
    board.page.click("#analysis")
    board.settle()
    assert board.value("tengen.match.native.running") is None
    assert board.page.inner_text("#analysis") == "Start analysis"


def test_a_game_goes_on_while_another_tab_is_open(served: ServedPage) -> None:
    board = served
    board.start("", "plain")
    board.until(lambda: board.status == "Your move.")
    board.click((7, 7))
    board.until(lambda: board.stones == 2)
    board.page.click("#tab-analyse")
    board.settle()
    assert board.stones == 2
    board.page.click("#tab-play")
    board.new_game(0, side="both")
    board.page.click("#tab-match")
    board.page.click("#match-show")
    board.until(lambda: board.stones == 2 and board.status == "Your move.")


def test_a_wrong_token_gets_nothing(command: Command, bare: ServedPage) -> None:
    wrong = command.address[:-2] + ("A/" if command.address[-2] != "A" else "B/")
    answer = bare.page.goto(wrong)
    assert answer
    assert answer.status == 404
    assert answer.text() == "not found\n"
    bare.page.goto("about:blank")
    assert all("404" in error for error in bare.errors)  # the browser complains
    bare.errors.clear()


FOREIGN = """address => new Promise(resolve => {
    const socket = new WebSocket(address);
    socket.onopen = () => resolve("open");
    socket.onerror = () => resolve("refused");
})"""


def test_a_foreign_page_gets_no_socket(
    command: Command, browser: Browser, bare: ServedPage, tmp_path: Path
) -> None:
    address = "ws" + command.address.removeprefix("http") + "socket"
    foreign = tmp_path / "foreign.html"
    foreign.write_text("<p>another page")
    context = browser.new_context()
    page = context.new_page()
    page.goto(foreign.as_uri())
    assert page.evaluate(FOREIGN, address) == "refused"
    context.close()
    bare.open_at(command.address)  # and ours gets one


def test_a_second_window_is_told(served: ServedPage, command: Command) -> None:
    second = BoardPage(served.page.context.new_page())
    second.page.goto(command.address)
    second.page.click("#tab-match")
    second.until(lambda: "another window" in second.status)
    served.page.close()
    second.page.click("#match-again")
    second.until(lambda: second.page.locator("#match-start").count() == 1)


def test_the_page_says_that_the_server_has_ended(bare: ServedPage, tmp_path: Path) -> None:
    own = Command(tmp_path / "games", slow=fake("stall", at=1))
    bare.open_at(own.address)
    bare.start("slow", "", turn_ms=60_000)
    bare.until(lambda: bare.status == "slow is thinking …")
    own.end()
    bare.until(lambda: bare.status == "The server has ended.")
    # the page itself still plays
    bare.page.click("#tab-play")
    bare.new_game(0, side="both")
    bare.click((7, 7))
    assert bare.stones == 1


def test_a_page_from_a_file_has_no_engines(board: BoardPage) -> None:
    assert board.page.locator("#tab-match").count() == 0
    assert board.value("tengen.match === undefined")
