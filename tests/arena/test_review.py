"""The command `tengen-arena review`: what it writes, where it goes on, and its errors."""

import json
import re
import shlex
import sys
from io import StringIO
from pathlib import Path

import pytest

from arena.cli.main import main
from arena.game.files import game_at
from arena.review.judge import Judge
from arena.review.progress import telling
from arena.review.source import load_source
from arena.rules.referee import Point, Position, Rule
from arena.util.exits import Exit
from pyengine import Game
from records.review import Judgement
from tests.support.fakes import fake
from tests.support.paths import DATA
from tests.support.reviews import BEGINNER, LOST

pytestmark = pytest.mark.usefixtures("nothing_is_left")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "lost.txt"
    path.write_text(LOST)
    return path


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
    ("told", "winner", "is_unfinished"),
    [
        ("White wins", "white", False),
        ("B+Resign", "black", False),
        ("Draw", None, False),
        ("Void", None, True),
        ("?", None, True),
    ],
)
def test_the_result_is_read_as_by_other_commands(
    told: str, winner: str | None, is_unfinished: bool, tmp_path: Path
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(f"(;GM[4]RE[{told}];B[hh];W[ii])")
    record = load_source(path).record
    assert (record.winner, record.is_unfinished) == (winner, is_unfinished)
    assert record.reason is game_at(path).reason


def test_passes_after_the_last_move_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "passes.sgf"
    path.write_text("(;GM[4];B[hh];W[ii];B[];W[])")
    source = load_source(path)
    assert source.moves == ((7, 7), (8, 8))
    assert source.record.notes == ("2 passes after the last move",)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.psq"], "none.psq: cannot be read"),
        (["lost.txt", "--game", "2"], "lost.txt: holds 1 game: there is no game 2"),
        (["lost.txt", "--rule", "chess"], "unknown rule: 'chess'"),
        (["lost.txt", "--nodes", "many"], "'many' is not a whole number"),
        (["lost.txt", "--least", "0"], "0 is not from 1 to 100"),
        (["lost.txt", "--engine", "no-such-brain"], "no such file or command"),
        (["lost.txt", "--out", "bad.txt"], "--out: bad.txt: File exists"),
        (["lost.txt", "--out", "bad.txt/x"], "--out: bad.txt/x: Not a directory"),
        (["bad.txt"], "bad.txt:1: move 2, h8: (7, 7) is occupied"),
        (["pass.sgf"], "pass.sgf:1: move 1: a pass: expected a square"),
        (["put.sgf"], "put.sgf:1: AB[bb] after move 1: expected stones to be set up before"),
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
    Path("put.sgf").write_text("(;GM[4];B[aa];AB[bb];W[cc])")
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
    chances = re.findall(r" W (\d+) D (\d+) L (\d+) +depth ", "\n".join(lines[20:22]))
    assert [sum(map(int, found)) for found in chances] == [100, 100]
    assert main(["analyse", str(game)]) == Exit.DONE
    assert "the game is over: black wins after 9 moves" in capsys.readouterr().out
    far = shlex.join(fake(moves="99,99"))
    assert main(["analyse", str(game), "--ply", "5", "--engine", far]) == Exit.DONE
    assert capsys.readouterr().out.endswith(" 99,99\n")
    assert main(["analyse", str(game), "--ply", "10"]) == Exit.USAGE
    assert "--ply: 10: the game has 9 moves" in capsys.readouterr().err
