"""Reviews: reading the game, proofs by the referee, the journal, and the output."""

import json
import shlex
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.main import main
from arena.game.files import game_at
from arena.play.client import Brain
from arena.review.journal import Journal, OtherReviewError
from arena.review.judge import Budget, Judge
from arena.review.page import graph
from arena.review.progress import telling
from arena.review.proof import kind_of_win
from arena.review.source import load_source
from arena.rules.referee import Color, Point, Position, Rule
from arena.util.exits import Exit
from arena.util.faults import BrainFault
from pyengine import Game
from records import files
from records.errors import FormatError
from records.review import Judgement
from records.squares import renju_named
from tests.support.fakes import fake, no_brain_is_left
from tests.support.paths import DATA, SUPPORT

LOST = "h8 i9 g8 i7 f8 a1 e8 a2 d8"
"""Black's fifth stone makes an open three, which White's a1 does not stop."""
BEGINNER = shlex.join((sys.executable, "-S", "-E", str(SUPPORT / "fakes" / "beginner.py")))


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert no_brain_is_left()


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "lost.txt"
    path.write_text(LOST)
    return path


def points(names: str, size: int = 15) -> list[Point]:
    return [renju_named(name, size) for name in names.split()]


def after(names: str, rule: Rule = Rule.FREESTYLE) -> Position:
    position = Position(size=15, rule=rule)
    for point in points(names):
        position.play(point)
    return position


# The command


def test_a_review_of_a_game_with_a_blunder(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(game), "--nodes", "3k"]) == Exit.DONE
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert lines[0].split() == ["move", "by", "played", "better", "lost", "missed", "line"]
    assert lines[1].split()[:4] == ["6", "white", "a1", "i8"]
    assert "defence" in lines[1]
    assert all(len(line) < 80 for line in lines[:2])
    assert "10 of 10 positions" in told.err
    folder = game.with_name("lost-review")
    values = json.loads((folder / "review.json").read_text())
    assert values["game"]["moves"] == LOST.split()
    assert (values["game"]["result"], values["limits"]) == ("B+", "3,000 nodes")
    assert [p["ply"] for p in values["positions"]] == list(range(10))
    assert values["positions"][9]["black_wins"] == 1.0
    (point,) = values["turning_points"]
    assert (point["ply"], point["played"], point["missed"]) == (6, "a1", "defence")
    reviewed = Game.load(folder / "review.sgf")
    assert reviewed.moves == LOST.split()
    assert len(reviewed.lines()) == 2
    assert "missed: defence" in list(reviewed.root.main_line())[5].comment


def test_a_review_goes_on_where_it_stopped(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["review", str(game), "--nodes", "500"]
    assert main(command) == Exit.DONE
    folder = game.with_name("lost-review")
    whole = (folder / "review.jsonl").read_bytes()
    results = (folder / "review.json").read_text()
    lines = whole.split(b"\n")
    marked = json.loads(lines[2])
    marked["score"] = "kept"
    kept = json.dumps(marked, separators=(",", ":")).encode()
    cut = b"\n".join([*lines[:2], kept, *lines[3:5], lines[5][:7]])
    (folder / "review.jsonl").write_bytes(cut)
    (folder / "review.json").unlink()
    assert main(command) == Exit.DONE
    again = (folder / "review.jsonl").read_bytes().split(b"\n")
    assert again[:2] + again[3:5] == lines[:2] + lines[3:5]
    assert again[2] == kept, "what was judged is not judged again"
    assert len(again) == len(lines)
    assert len((folder / "review.json").read_text().splitlines()) >= len(results.splitlines()) - 60
    capsys.readouterr()
    assert main(["review", str(game), "--nodes", "501"]) == Exit.USAGE
    assert "a review of another game, engine or limit; --again begins anew" in (
        capsys.readouterr().err
    )
    assert main(["review", str(game), "--nodes", "501", "--again"]) == Exit.DONE


def test_ctrl_c_keeps_what_is_judged(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []
    judge = Judge.judge

    def interrupted(self: Judge, position: Position, played: Point | None) -> Judgement:
        judged.append(len(position.moves))
        if judged == [0, 1, 2, 3]:
            raise KeyboardInterrupt
        return judge(self, position, played)

    monkeypatch.setattr(Judge, "judge", interrupted)
    assert main(["review", str(game), "--nodes", "200"]) == Exit.STOPPED
    assert "stopped: 3 of 10 positions; the same command continues" in capsys.readouterr().err
    assert not (game.with_name("lost-review") / "review.json").exists()
    assert main(["review", str(game), "--nodes", "200"]) == Exit.DONE
    assert judged == [0, 1, 2, 3, *range(3, 10)]


def test_progress_is_a_bar_at_a_terminal_and_lines_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for is_terminal, plain in ((True, False), (True, True), (False, False)):
        stream = StringIO()
        monkeypatch.setattr(stream, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        with telling(2, plain=plain) as tell:
            tell(1)
            tell(2)
        shown = stream.getvalue()
        if is_terminal and not plain:
            assert "2/2" in shown
        else:
            assert shown == "2 of 2 positions\n"


@pytest.mark.parametrize(
    ("file", "rule"),
    [("odd_forfeit.psq", Rule.RENJU), ("illegal_last.psq", Rule.FREESTYLE)],
)
def test_real_files_are_reviewed(file: str, rule: Rule, tmp_path: Path) -> None:
    source = load_source(DATA / "games" / file)
    assert source.rule is rule
    out = tmp_path / "out"
    command = ["review", str(DATA / "games" / file), "--nodes", "50", "--out", str(out)]
    assert main([*command, "--plain"]) == Exit.DONE
    assert len(json.loads((out / "review.json").read_text())["positions"]) == len(source.moves) + 1


@pytest.mark.parametrize("ending", ["sgf", "lib", "psq"])
def test_every_format_is_reviewed(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"game.{ending}"
    one = Game(rule="renju")
    one.play(*LOST.split()[:4])
    one.save(path)
    record = game_at(path, rule=Rule.RENJU)
    assert [move.point for move in record.moves] or record.opening
    assert main(["review", str(path), "--nodes", "50", "--rule", "renju"]) == Exit.DONE


def test_ninuki_is_reviewed_with_its_captures(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    one = Game(9, "ninuki")
    one.play("e5", "d5", "f5", "a1", "g1", "g5", "d4", "h5", "i5")
    one.save(path)
    assert main(["review", str(path), "--nodes", "200"]) == Exit.DONE
    page = Page()
    page.feed((tmp_path / "game-review" / "review.html").read_text())
    values = json.loads(page.texts["game"])
    assert values["captures"] is True
    taken = [sorted(move[3]) for move in values["moves"]]
    assert taken == [[[4, 4], [5, 4]] if move == 5 else [] for move in range(9)]


def test_any_engine_may_judge(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(game), "--engine", BEGINNER, "--turn", "50ms"]) == Exit.DONE
    assert "reports no score, so no turning point can be found" in capsys.readouterr().out
    page = (game.with_name("lost-review") / "review.html").read_text()
    assert "No move lost much." in page


def test_an_engine_that_breaks_down_is_named(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = shlex.join(fake("crash", at=1))
    assert main(["review", str(game), "--engine", broken, "--turn", "50ms"]) == Exit.FORFEITED
    assert "fake_brain broke down: crash" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.psq"], "none.psq: cannot be read"),
        (["lost.txt", "--game", "2"], "lost.txt: holds 1 game: there is no game 2"),
        (["lost.txt", "--rule", "chess"], "unknown rule: 'chess'"),
        (["lost.txt", "--nodes", "many"], "'many' is not a whole number"),
        (["lost.txt", "--least", "0"], "0 is not from 1 to 100"),
        (["lost.txt", "--engine", "no-such-brain"], "no such file or command"),
        (["bad.txt"], "bad.txt:1: move 2, h8: (7, 7) is occupied"),
        (["pass.sgf"], "pass.sgf:1: move 1: a pass: expected a square"),
    ],
)
def test_wrong_arguments_are_named(
    words: list[str],
    said: str,
    game: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(game.parent)
    Path("bad.txt").write_text("h8 h8 i9")
    Path("pass.sgf").write_text("(;GM[4];B[];W[aa])")
    try:
        code = main(["review", *words])
    except SystemExit as end:
        code = int(str(end.code))
    assert code == Exit.USAGE
    assert said in capsys.readouterr().err


def test_a_position_is_analysed(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["analyse", str(game), "--ply", "5", "--lines", "2", "--depth", "4"]
    assert main([*command, "--turn", "20s"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[8].split() == ["8", *(5 * "."), *(3 * "X"), *(7 * "."), "8"]
    assert lines[17] == "freestyle, white to move, after f8"
    assert lines[20].startswith(" 1  ") and lines[21].startswith(" 2  ")
    assert "%)" in lines[20] or "loses in" in lines[20]
    assert main(["analyse", str(game)]) == Exit.DONE
    assert "the game is over: black wins after 9 moves" in capsys.readouterr().out
    assert main(["analyse", str(game), "--ply", "10"]) == Exit.USAGE
    assert "--ply: 10: the game has 9 moves" in capsys.readouterr().err


# Wins


@pytest.mark.parametrize(
    ("moves", "line", "kind"),
    [
        ("h8 a1 h9 a3 h10 a5", "h11 h12 h7", "vcf"),
        ("h8 a1 h9 a3 h10 a5 h11 a7", "h12", "vcf"),
        ("h8 k2 g8 k3 i9 m2 i10 m5", "i8 i11 f8 e8 j8", "vct"),
        ("h8 a1 h9 a3", "h10 a5 h11 a7 h12", "vct"),
        ("h8 a1 i8 a3", "o15 a5 j8 a7 k8 a9 l8", ""),
        ("h8 a1 h9 a3 h10 a5", "h11 h12", ""),
        ("h8 a1 h9 a3 h10 a5", "h11 h11", ""),
        ("h8 a1 h9 a3 h10 a5 h11 h12", "o1 h7", ""),
    ],
)
def test_the_kind_of_a_win(moves: str, line: str, kind: str) -> None:
    position = after(moves)
    assert kind_of_win(position, points(line)) == kind
    assert position.moves == points(moves)


def test_white_wins_too_and_ninuki_is_left_open() -> None:
    assert kind_of_win(after("a1 h8 a3 h9 a5 h10 a7"), points("h11 h7 h12")) == "vcf"
    assert kind_of_win(after("h8 a1 h9 a3 h10 a5", Rule.NINUKI), points("h11 h12 h7")) == ""


def test_a_missed_win_is_shown_to_its_end() -> None:
    position = after("h8 k8 h9 k9 h10 k10")
    with Brain() as brain:
        found = Judge(brain, Budget(nodes=2000)).judge(position, points("a1")[0])
        assert found.mate is not None and found.mate > 0
        assert (found.stage, found.win_rate) == ("vcf", 1.0)
        assert len(position.moves) == 6
        for point in found.line:
            position.play(point)
        assert position.winner is Color.BLACK


def test_an_illegal_answer_is_a_fault() -> None:
    position = after("h8 a1")
    with (
        Brain(shlex.join(fake("none", moves="7,7"))) as brain,
        pytest.raises(BrainFault, match="illegal"),
    ):
        Judge(brain, Budget(time_ms=50)).judge(position, None)


def test_the_end_of_a_game_is_judged_without_an_engine() -> None:
    judge = Judge(Brain(BEGINNER), Budget(time_ms=50))
    assert judge.judge(after(LOST), None) == Judgement(None, 0.0)


# The journal

judgements = st.builds(
    Judgement,
    st.one_of(st.none(), st.tuples(st.integers(0, 21), st.integers(0, 21))),
    st.one_of(st.none(), st.floats(0, 1)),
    st.text(max_size=9),
    st.one_of(st.none(), st.integers(-99, 99)),
    st.sampled_from(("", "vcf", "vct")),
    st.lists(st.tuples(st.integers(0, 21), st.integers(0, 21)), max_size=3).map(tuple),
)


@given(st.lists(judgements, max_size=5), st.integers(0, 40))
def test_a_journal_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, written: list[Judgement], lost: int
) -> None:
    path = tmp_path_factory.mktemp("journal") / "review.jsonl"
    journal = Journal(path, {"game": 1})
    for judgement in written:
        journal.add(judgement)
    journal.close()
    path.write_bytes(path.read_bytes()[: -lost or None])
    read = Journal(path, {"game": 1})
    read.close()
    assert read.judgements == written[: len(read.judgements)]
    assert lost or read.judgements == written


def test_a_journal_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    Journal(path, {"game": 1}).close()
    with pytest.raises(OtherReviewError, match="a review of another game"):
        Journal(path, {"game": 2})
    assert path.read_text() == '{"game":1}\n'
    path.write_text('{"game":1}\n{"best":1}\n')
    with pytest.raises(OtherReviewError, match="expected a judgement"):
        Journal(path, {"game": 1})
    Journal(path, {"game": 2}, again=True).close()
    assert path.read_text() == '{"game":2}\n'


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
