"""The page of a review, and games with stones set up, a forbidden move or variations."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from arena.cli.main import main
from arena.game.files import game_at
from arena.review.page import graph
from arena.review.source import load_source
from arena.rules.referee import Color, Rule
from arena.util.exits import Exit
from pyengine import Game
from records import files
from records.errors import FormatError
from tests.support.paths import DATA
from tests.support.reviews import LOST, points

pytestmark = pytest.mark.usefixtures("nothing_is_left")


# The page


class Page(HTMLParser):
    """Collects elements and the contents of the JSON script."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._inside = ""
        self.texts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id") or ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside] = self.texts.get(self._inside, "") + data


def test_the_page_holds_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    one = Game(black="</script><b>", white="O'Neil & co")
    one.play(*LOST.split())
    one.save(path)
    assert main(["review", str(path), "--nodes", "1000"]) == Exit.DONE
    text = (tmp_path / "game-review" / "review.html").read_text()
    page = Page()
    page.feed(text)
    assert not [tag for tag, _ in page.tags if tag == "b"]
    assert "http://" not in text.replace("http://www.w3.org", "") and "https://" not in text
    values: dict[str, Any] = json.loads(page.texts["game"])
    assert len(values["judged"]) == len(values["moves"]) + 1 == 10
    assert [tuple(move[:2]) for move in values["moves"]] == points(LOST)
    assert [move[2] for move in values["moves"]] == [0, 1] * 4 + [0]
    assert values["five"] == sorted([[x, 7] for x in range(3, 8)])
    rows = [attrs["data-ply"] for tag, attrs in page.tags if tag == "tr" and "data-ply" in attrs]
    assert "6" in rows


def test_the_graph_has_gaps_where_no_score_is_told() -> None:
    assert graph([0.5, None, 0.4, 0.3], []).count("<polyline") == 2
    assert graph([None, None], []).count("<polyline") == 0


def test_setup_stones_and_a_forbidden_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[4]SZ[15]AB[hh]AW[aa]PL[B];B[hi];W[ac])")
    source = load_source(path, rule=Rule.RENJU)
    assert source.position_at(0).stones == {(7, 7): Color.BLACK, (0, 0): Color.WHITE}
    assert len(source.moves) == 2
    with pytest.raises(ValueError, match="3: the game has 2 moves"):
        source.position_at(3)
    assert main(["review", str(path), "--rule", "renju", "--nodes", "50"]) == Exit.DONE
    page = Page()
    page.feed((tmp_path / "game-review" / "review.html").read_text())
    values = json.loads(page.texts["game"])
    assert values["setup"] == [[0, 0, 1], [7, 7, 0]]
    assert [move[:3] for move in values["moves"]] == [[7, 8, 0], [0, 2, 1]]
    foul = tmp_path / "foul.txt"
    foul.write_text("h8 a1 h9 a3 i10 a5 j10 a7 h10")
    source = load_source(foul, rule=Rule.RENJU)
    assert (len(source.moves), source.tree.result) == (8, "W+")
    assert main(["review", str(foul), "--rule", "renju", "--nodes", "50"]) == Exit.DONE
    assert "W+" in (tmp_path / "foul-review" / "review.sgf").read_text()
    with pytest.raises(FormatError, match=r"foul\.txt:1: move 9, h10"):
        foul.write_text("h8 a1 h9 a3 i10 a5 j10 a7 h10 a9")
        load_source(foul, rule=Rule.RENJU)


def test_the_main_line_of_a_library(tmp_path: Path) -> None:
    path = tmp_path / "book.LIB"
    book = Game(rule="renju")
    book.play("h8", "h9", "j10")
    book.add_variation(1, "i9", comment="indirect")
    files.save(book.tree, tmp_path / "book.lib")
    (tmp_path / "book.lib").rename(path)
    record = game_at(path)
    assert [move.point for move in record.moves] == points("h8 h9 j10")
    assert (record.rule, record.notes) == (4, ("variations are left out",))


@pytest.mark.parametrize("file", ["illegal_last.psq", "odd_forfeit.psq"])
def test_reviews_and_records_name_the_same_winner(file: str) -> None:
    path = DATA / "games" / file
    source = load_source(path)
    assert source.record.winner == game_at(path).winner
    told = {"black": "B+", "white": "W+", None: "0"}[source.record.winner]
    assert (source.tree.result, Game.load(path).result) == (told, told)


def test_ninuki_is_reviewed_with_its_captures(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    one = Game(9, "ninuki")
    one.play("e5", "d5", "f5", "a1", "g1", "g5", "d4", "h5", "i5")
    one.save(path)
    assert main(["review", str(path), "--nodes", "200"]) == Exit.DONE
    page = Page()
    page.feed((tmp_path / "game-review" / "review.html").read_text())
    values = json.loads(page.texts["game"])
    assert values["captures"] == {"unit": "pairs", "size": 2, "toWin": 5}
    taken = [sorted(move[3]) for move in values["moves"]]
    assert taken == [[[4, 4], [5, 4]] if move == 5 else [] for move in range(9)]
