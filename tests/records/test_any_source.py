"""Every format through one function: contents, errors, damaged files and default rules."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game.files import game_at, games_of, load_games
from arena.game.formats import FormatError, from_moves, from_sgf, to_psq, to_sgf
from arena.game.record import GameRecord
from arena.rules.referee import Rule
from arena.run.store import StoredGame
from records.files import load, save
from records.text import read_text
from tests.support.paths import DATA
from tests.support.psq import FIVE, psq

GAMES = DATA / "games"


def test_every_format_is_read_at_one_door(tmp_path: Path) -> None:
    moves = [(7, 7), (8, 6), (9, 8)]
    record = from_moves("h8 i9 j7")
    line = StoredGame("1-1", 1, record).to_json()
    texts = {
        "a.psq": to_psq(record),
        "b.sgf": to_sgf(record),
        "c.jsonl": line + "\n",
        "d.json": record.to_json(),
        "e.txt": "h8 i9 j7",
        "no_suffix": to_sgf(record),
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        again = game_at(path)
        assert [move.point for move in again.moves] == moves, name
        assert load_games(path) == [again]
    several = tmp_path / "games.jsonl"
    several.write_text(f"{line}\n\n{line}\n{line}\n", encoding="utf-8")
    assert len(load_games(several)) == 3
    assert game_at(several, 2).notes == ("the file has 3 games; this is game 2",)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.psq", "8,8,0", ":1: '8,8,0': expected Piskvorky"),
        ("a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n-1\n", ":3: 8,8: .*occupied"),
        ("a.sgf", "h8 i9", ":1: 'h8 i9': expected"),
        ("a.sgf", "(;SZ[15]\n;B[hh];W[hh];B[aa])", ":2: move 2: .*occupied"),
        ("a.jsonl", '{"id": 1}', ":1: not a game record"),
        ("a.jsonl", '{"record":' + "[" * 100_000, ":1: not a game record"),
        ("a.txt", "h8 h8", ":1: move 2, h8: .*occupied"),
        ("a.txt", "h8\np8", ":2: move 2, p8: .*off the board"),
        ("a.txt", "7,7\n30,3", ":2: move 2, 30,3: .*off the board"),
        ("a.txt", " \n", ": is empty: expected a game"),
    ],
)
def test_every_error_names_file_and_line(tmp_path: Path, name: str, text: str, words: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    for read in (game_at, load_games):
        with pytest.raises(FormatError, match="^" + re.escape(str(path)) + words):
            read(path)


WHOLE = [
    read_text(GAMES / "odd_forfeit.psq"),
    psq(FIVE, 2, "1,Freestyle"),
    "(;FF[4]GM[4]SZ[15]RU[renju]RE[B+]AB[hh]AW[ii]PL[B];B[jj]C[12.500 ms];W[kk](;B[aa])(;B[bb]))",
    from_moves("h8 i9 j7").to_json(),
    "1. h8 i9\n2. 9,6 a1",
]


@given(
    st.sampled_from(WHOLE),
    st.lists(st.tuples(st.integers(0, 400), st.text("0189,;()[]{}\\ahWB\n\0é.-", max_size=3))),
)
def test_a_damaged_game_is_read_or_refused(text: str, cuts: list[tuple[int, str]]) -> None:
    for at, letters in cuts[:4]:
        text = text[:at] + letters + text[at + 1 :]
    for name in ("game", "game.psq", "game.sgf", "1_2_3_1.psq"):
        try:
            records = [read() for read in games_of(text, name, None, 15)]
        except FormatError:
            continue
        for record in records:
            assert GameRecord.from_json(record.to_json()) == record


def test_a_game_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("h8")
    with pytest.raises(FormatError, match=r"a\.txt: has 1 game: there is no game 2"):
        game_at(path, 2)


def test_a_rule_that_is_given_holds_where_the_file_names_none(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("h8 i9")
    assert game_at(path, rule=Rule.CARO, size=20).rule == Rule.CARO
    path.write_text("(;SZ[15];B[hh])")
    assert game_at(path, rule=Rule.CARO).rule == Rule.CARO
    path.write_text("(;SZ[15]RU[house rules];B[hh])")
    assert game_at(path, rule=Rule.CARO).rule == Rule.CARO
    path.write_text("(;SZ[15]RU[renju];B[hh])")
    assert game_at(path, rule=Rule.CARO).rule == Rule.RENJU


ORC = """(;
GM[5]FF[4]
SW[NO]
5A[gg][hh]
GN[one-two(B) : RIF rule]
EV[none]
RE[W+Resign]
PW[one]WR[3d*]
PB[two]BR[1d ]
SZ[15]TM[600]KM[5.5]

;B[hh];W[hg];B[jf];W[ig]C[
 A started observation.
]
;B[ie];W[kg];B[jg];W[jh];B[ki];W[gg]
;)
"""


def test_the_files_of_renju_servers_name_another_game(tmp_path: Path) -> None:
    record = from_sgf(ORC)
    assert (record.rule, record.winner, len(record.moves)) == (Rule.RENJU, "white", 10)
    assert (record.black.name, record.white.name) == ("two", "one")
    assert from_sgf(ORC, rule=Rule.STANDARD).rule == Rule.STANDARD
    assert from_sgf(ORC.replace("KM[5.5]", "RU[free]")).rule == Rule.FREESTYLE
    path = tmp_path / "orc.sgf"
    path.write_text(ORC)
    (tree,) = load(path)
    assert (tree.rule, tree.result, len(tree.moves)) == (4, "W+Resign", 10)
    save(tree, tmp_path / "again.sgf")
    again = (tmp_path / "again.sgf").read_text()
    assert "GM[4]" in again and "5A[gg][hh]" in again
    assert load(tmp_path / "again.sgf")[0].moves == tree.moves
    for text, said in [("(;GM[5]55A[gg])", "expected a"), ("(;GM[5]5[gg])", "expected a")]:
        with pytest.raises(FormatError, match=said):
            from_sgf(text)
