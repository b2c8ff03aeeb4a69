"""The picture of a game: numbered stones, captured stones, and the last move."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from arena.game.formats import from_psq
from arena.page.picture import draw, main
from tests.support.paths import ROOT

GAME = "Piskvorky 9x9, 11:11, 0\n3,5,0\n4,5,0\n9,9,1\n5,5,1\n6,5,1\nA\nB\n-1\n0,ninuki\n"
SVG = "{http://www.w3.org/2000/svg}"
DOCS = ROOT / "docs"


def test_captured_stones_are_crosses() -> None:
    """Black's fifth stone captures the pair between its first stone and itself."""
    picture = ET.fromstring(draw(from_psq(GAME)))
    numbers = [t.text for t in picture.iter(f"{SVG}text") if t.get("fill") == "#ffffff"]
    assert sorted(numbers, key=str) == ["1", "3", "5"]
    crosses = [p for p in picture.iter(f"{SVG}path") if p.get("stroke") == "#ffffff"]
    assert len(crosses) == 2


def test_the_last_move_is_ringed() -> None:
    picture = ET.fromstring(draw(from_psq(GAME)))
    (ring,) = [c for c in picture.iter(f"{SVG}circle") if c.get("fill") == "none"]
    (disc,) = [
        c
        for c in picture.iter(f"{SVG}circle")
        if c.get("r") == "10.5" and (c.get("cx"), c.get("cy")) == (ring.get("cx"), ring.get("cy"))
    ]
    assert disc.get("fill") == "#222222"


def test_the_picture_of_the_documents_is_of_its_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(DOCS / "ninuki.psq")]) == 0
    assert capsys.readouterr().out == (DOCS / "ninuki.svg").read_text(encoding="utf-8")


def test_a_bad_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.psq"
    bad.write_text("no game\n")
    for name, said in (("bad.psq", "line 1"), ("none.psq", "No such file")):
        with pytest.raises(SystemExit) as left:
            main([str(tmp_path / name)])
        error = capsys.readouterr().err
        assert left.value.code == 2 and name in error and said in error


def test_any_game_file_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Set-up stones have no number; stderr names omitted contents."""
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]AB[aa]AW[bb];B[ee](;W[ff])(;W[gg]))(;SZ[9];B[aa];W[bb];B[cc])")
    assert main([str(path)]) == 0
    shown = capsys.readouterr()
    texts = [t.text for t in ET.fromstring(shown.out).iter(f"{SVG}text")]
    assert [texts.count(number) for number in ("1", "2")] == [2, 2]  # one of them names a row
    assert "game.sgf: 1 variation left out" in shown.err
    assert main([str(path), "--game", "2"]) == 0
    assert "<title>3 moves" in capsys.readouterr().out
    moves = tmp_path / "moves.txt"
    moves.write_text("a1 b2 c3")
    assert main([str(moves), "--size", "9", "--rule", "renju"]) == 0
    assert "<title>3 moves, 9x9" in capsys.readouterr().out
