"""Files, links and pictures: what the page writes is read back; bad input changes nothing."""

import base64
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from records.files import load
from records.psq import read_psq
from records.rules import rule_named
from records.sgf import read_sgf
from tests.support.paths import ROOT
from tests.web.board_page import BoardPage, Square, named

MOVES: list[Square] = [(7, 7), (8, 6), (6, 8), (9, 5), (8, 8)]
GAMES = ROOT / "tests" / "data" / "games"


def with_variation(board: BoardPage) -> None:
    """A game of five moves with a variation and a comment."""
    board.new_game(4)
    board.play(MOVES)
    board.page.click("#step-back")
    board.settle()
    board.play([(1, 1)])
    board.page.fill("#comment", "a try ] with \\ signs")


def test_saved_files_are_read_by_the_record_library(board: BoardPage) -> None:
    with_variation(board)
    (root,) = read_sgf(board.saved("sgf").decode())
    assert root.properties["SZ"] == ["15"]
    assert root.properties["RU"] == ["renju"]
    node, count = root, 0
    while node.children:
        last, node, count = node, node.children[0], count + 1
    assert count == 5
    assert [child.properties.get("C") for child in last.children] == [
        None,
        ["a try ] with \\ signs"],
    ]
    game = read_psq(board.saved("psq").decode())
    assert [tuple(move.point) for move in game.moves] == MOVES
    assert board.saved("moves").decode().split() == ["h8", "i9", "g7", "j10", "i7"]


def test_properties_that_the_board_does_not_know_are_kept(board: BoardPage) -> None:
    """They are written as they were read; a text of two parts has an escaped colon."""
    kept = [
        ";B[hh]C[a\\] b]LB[hh:1\\:2][ii:\\]]TR[hh]",
        ";W[ii]WL[12.5]BM[1]N[x\\\\]",
        ";B[jj]TE[1]",
    ]
    head = "(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[15]RU[renju]PB[a]PW[b]RE[B+]"
    more = "C[root]GN[a\\] name]EV[cup]DT[2026-01-02]GC[two\nlines]"
    text = f"{head}{more}\n{kept[0]}\n({kept[1]})\n({kept[2].replace('B[', 'W[')}))\n"
    board.paste(text)
    assert board.saved("sgf").decode() == text
    game = board.saved("sgf").decode()
    board.paste(
        "(;PB[only a name];C[one];C[two]CR[aa];B[hh];CR[bb]SQ[cc];W[ii](;B[jj])(;B[jj]N[x]))"
    )
    game = board.saved("sgf").decode()
    assert (
        "PB[only a name]C[one\ntwo]CR[aa]\n;B[hh]CR[bb]SQ[cc];W[ii]\n(;B[jj])\n(;B[jj]N[x])" in game
    )
    board.paste(game)
    assert board.saved("sgf").decode() == game


@pytest.mark.parametrize(
    ("text", "saved"),
    [
        ("(;;GM[4]SZ[19]PB[a];PW[b];B[ss])", "SZ[19]RU[freestyle]PB[a]PW[b]\n;B[ss])"),
        ("(;GM[5]SZ[15]AB[hh];AW[ii];B[jj])", "RU[renju]AB[hh]AW[ii]PL[B]\n;B[jj])"),
        ("(;GM[4]AB[hh]AW[ii];PL[W];W[jj])", "AB[hh]AW[ii]PL[W]\n;W[jj])"),
        ("(;GM[4](;B[hh])(;PL[B];B[ii];PL[W];W[jj]))", "\n(;B[hh])\n(;B[ii];W[jj]))"),
        ("(;GM[5];B[hh];W[ii]5A[jj][kk];B[jj])", "\n;B[hh];W[ii]5A[jj][kk];B[jj])"),
        ("(;GM[4];B[hh]N[a]TE[1];C[c]N[b]TE[1])", "\n;B[hh]C[c\nN: b]N[a]TE[1])"),
        ("(;GM[4];B[hh]N[a][b];LB[ii:1][jj:2])", "\n;B[hh]C[N: b]N[a]LB[ii:1][jj:2])"),
        ("(;GM[4];B[hh];W[ii]PB[a];PB[b])", "\n;B[hh];W[ii]C[PB: b]PB[a])"),
    ],
)
def test_files_of_other_programs_are_read_whole(board: BoardPage, text: str, saved: str) -> None:
    """Properties of the game in several nodes, PL before a move, and names of ORC."""
    board.paste(text)
    game = board.saved("sgf").decode()
    assert game.endswith(f"{saved}\n")
    board.paste(game)
    assert board.saved("sgf").decode() == game


def test_saved_files_open_again(board: BoardPage) -> None:
    with_variation(board)
    files = [board.saved(kind).decode() for kind in ("sgf", "psq", "moves")]
    for text in files:
        board.new_game(0)
        board.paste(text)
        assert board.moves == MOVES, text
    board.paste(files[0])
    board.page.click("#step-back")
    board.settle()
    assert len(board.value("tengen.game.current.children.map((node) => node.comment)")) == 2
    assert board.value("tengen.game.head.rule") == 4


PSQ = """Piskvorky 15x15, 11:11, {starts}
8,8,0
9,9,0
10,10,35
11,11,40
A
B
-1
{end}
"""


@pytest.mark.parametrize(
    ("end", "rule", "result"),
    [
        ("1,Freestyle15_1", 0, "B+"),
        ("2,Renju20_1", 4, "W+"),
        ("0,Unlimited", 1, "0"),
        ("?,caro standard", 9, ""),
        ("2,Soosyrv-8", 4, "W+"),
    ],
)
@pytest.mark.parametrize("starts", [0, 1])
def test_files_of_gomocup_are_read_as_the_record_library_reads_them(
    board: BoardPage, tmp_path: Path, starts: int, end: str, rule: int, result: str
) -> None:
    text = PSQ.format(starts=starts, end=end)
    (tmp_path / "game.psq").write_text(text)
    (tree,) = load(tmp_path / "game.psq")
    assert (tree.rule, tree.result) == (rule, result)
    board.new_game(16)
    board.paste(text)
    head = board.value("tengen.game.head")
    assert (head["rule"], head["result"]) == (tree.rule, tree.result)
    assert (head["black"], head["white"]) == (tree.black, tree.white)
    (tmp_path / "saved.psq").write_bytes(board.saved("psq"))
    (saved,) = load(tmp_path / "saved.psq")
    assert (saved.rule, saved.result, saved.moves) == (tree.rule, tree.result, tree.moves)


NAMES = ["Renju (RIF)", "Soosyrv-8", "4", "Standard Caro", "Keryo-Pente", "Gomoku", "exact five"]


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_of_other_programs_are_known(board: BoardPage, name: str) -> None:
    board.paste(f"(;GM[4]SZ[15]RU[{name}];B[hh])")
    assert board.value("tengen.game.head.rule") == rule_named(name)


def test_the_charset_of_a_file(board: BoardPage, tmp_path: Path) -> None:
    text = "(;GM[4]CA[GB18030]SZ[15];B[hh]C[黑棋])"
    (tmp_path / "game.sgf").write_bytes(text.encode("gb18030"))
    board.page.click("#open")
    board.page.set_input_files("dialog input[type=file]", tmp_path / "game.sgf")
    board.page.wait_for_selector(".toast")
    assert "黑棋" in board.saved("sgf").decode()


def test_illegal_moves_are_cut_in_variations_too(board: BoardPage) -> None:
    board.paste("(;GM[4]SZ[15];B[hh](;W[ii];B[jj])(;W[hh];B[kk]))")
    assert board.value("tengen.game.root.children[0].children.length") == 1


def test_set_up_stones_are_saved_or_the_format_is_refused(board: BoardPage) -> None:
    """A .psq file and a list of moves have no place for them."""
    board.paste("(;GM[4]FF[4]SZ[15]AB[hh][ih]AW[gg]PL[W];W[jj])")
    stones = board.stones
    text = board.saved("sgf").decode()
    board.page.click("#save")
    for kind in ("psq", "moves"):
        assert board.page.is_disabled(f"#save-{kind}")
    assert "Only SGF keeps" in board.page.inner_text("dialog")
    board.page.keyboard.press("Escape")
    board.new_game(0)
    board.paste(text)
    assert board.stones == stones == 4


@pytest.mark.parametrize("name", ["odd_forfeit.psq", "illegal_last.psq", "outside_last.psq"])
def test_a_file_is_chosen(board: BoardPage, name: str) -> None:
    board.page.click("#open")
    board.page.set_input_files("dialog input[type=file]", GAMES / name)
    board.page.wait_for_selector(".toast")
    board.settle()
    legal = {"odd_forfeit.psq": 5, "illegal_last.psq": 2, "outside_last.psq": 2}
    assert len(board.moves) == legal[name]
    if name == "illegal_last.psq":
        assert "Move 3, h8" in board.toast


def test_a_file_is_dropped(board: BoardPage) -> None:
    board.page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.txt", { type: "text/plain" }));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }""",
        "h8 i9 j8",
    )
    board.page.wait_for_selector(".toast")
    board.settle()
    assert board.moves == named("h8 i9 j8")


def test_a_text_is_pasted_into_the_page(board: BoardPage) -> None:
    board.page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data }));
        }""",
        "0,0, 1,-1, 2,0",
    )
    board.page.wait_for_selector(".toast")
    board.settle()
    assert board.moves == [(7, 7), (8, 6), (9, 7)]


FRAMES = """async ([bytes, squares]) => {
    const data = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ type: "image/gif", data });
    await decoder.tracks.ready;
    await decoder.completed;
    const track = decoder.tracks.selectedTrack;
    const made = { count: track.frameCount, repeats: track.repetitionCount, frames: [] };
    for (let i = 0; i < track.frameCount; i++) {
        const { image } = await decoder.decode({ frameIndex: i });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        made.side = image.displayWidth;
        made.ms = image.duration / 1000;
        // a board of n squares and a rim of 26 units; a square has 40
        const unit = image.displayWidth / (26 + 15 * 40);
        made.frames.push(squares.map(([x, y]) => {
            const at = [20 + 20 + 40 * x + 8, 6 + 20 + 40 * y + 8].map((n) => n * unit);
            return context.getImageData(...at, 1, 1).data[2];
        }));
    }
    return made;
}"""


def test_a_game_becomes_an_animated_gif(board: BoardPage) -> None:
    board.new_game(0)
    board.play(MOVES)
    board.page.click("#step-first")
    board.settle()
    data = board.saved("gif")
    assert len(data) < 200_000
    made = board.page.evaluate(FRAMES, [base64.b64encode(data).decode(), MOVES])
    assert (made["count"], made["side"], made["ms"]) == (6, 560, 4000)
    for ply, blues in enumerate(made["frames"]):
        for number, blue in enumerate(blues):
            wanted = "wood" if number >= ply else "black" if number % 2 == 0 else "white"
            got = "black" if blue < 80 else "white" if blue > 180 else "wood"
            assert got == wanted, (ply, number, blue)
    assert board.page.locator(".board-host").count() == 1
    assert board.moves == [], "the game stands where it stood"


BROKEN = [
    ("(;GM[4](;AB[hh];W[ii])\n(;AB[jj];W[kk]))", "line 2: stones set up in the middle"),
    ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9;9,0\n8,9,0\nA\nB\n-1\n", "line 3"),
    ("Piskvorky 15x14, 11:11, 0\n8,8,0\n", "line 1"),
    ("(;GM[4]SZ[15];B[hh]\n;W[zz])", "line 2"),
    ("(;GM[1]SZ[19];B[hh])", "GM[1]"),
    ("(;GM[4]SZ[15];B[hh]", "line 1"),
    ("h8 i9\nj8 z99", "line 2"),
    ("0,0, 9,9", "line 1"),
]


@pytest.mark.parametrize(("text", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_a_broken_file_names_its_line_and_keeps_the_game(
    board: BoardPage, text: str, said: str
) -> None:
    board.new_game(0)
    board.play(MOVES)
    board.paste(text)
    assert said in board.toast
    assert board.moves == MOVES


def test_what_is_wrong_with_a_file_is_told_in_the_language_of_the_page(board: BoardPage) -> None:
    board.page.click("#settings")
    board.page.select_option("dialog select >> nth=0", "cs")
    board.page.click("dialog button[type=submit]")
    for text, said in (
        ("h8 z99", "Partii nelze přečíst. řádek 1: „z99“ není pole této desky"),
        ("(;GM[4]SZ[15];B[hh]", "řádek 1: očekává se „)“, nalezeno „konec“"),
        ("Piskvorky 15x14, 11:11, 0\n", "řádek 1: deska není čtvercová"),
    ):
        board.paste(text)
        assert said in board.toast


def test_a_share_link_holds_the_whole_game(board: BoardPage) -> None:
    with_variation(board)
    before = board.saved("sgf")
    board.page.click("#share")
    board.until(lambda: "#g=" in board.page.url)
    fragment = board.page.url[board.page.url.index("#") :]
    board.page.goto("about:blank")
    board.open(fragment)
    board.until(lambda: board.value("tengen.game.root.children.length"))
    assert board.saved("sgf") == before


def test_a_damaged_link_is_told(board: BoardPage) -> None:
    board.page.goto("about:blank")
    board.open("#g=AAAA")
    board.page.wait_for_selector(".toast")
    assert "link is damaged" in board.toast


def test_pictures(board: BoardPage) -> None:
    board.new_game(0)
    board.play(MOVES)
    root = ElementTree.fromstring(board.saved("svg"))
    circles = [e for e in root.iter() if e.tag.endswith("}circle")]
    assert len(circles) >= 5 + len(MOVES)
    png = board.saved("png")
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 1200


def test_settings_outlive_the_page(board: BoardPage) -> None:
    board.page.click("#settings")
    board.page.check("dialog input[type=checkbox] >> nth=0")
    board.page.click("dialog button[type=submit]")
    board.open()
    assert json.loads(board.value("localStorage['tengen-board']"))["numbers"] is True
    board.play([(7, 7)])
    assert board.page.locator(".stone .number").count() == 2
