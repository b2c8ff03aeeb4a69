"""Squares, rules, decoding and moves as text, which all formats share."""

import codecs
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.referee import Rule
from records.errors import FormatError, quoted
from records.moves import read_moves, write_moves
from records.openings import offset_text, pos_text, read_offsets, read_pos
from records.rules import RULE_NAMES, rule_name, rule_named
from records.squares import (
    Point,
    name_of,
    named,
    renju_name_of,
    renju_named,
    sgf_letters,
    sgf_square,
)
from records.text import MAX_BYTES, decode, read_bytes, read_text

squares = st.tuples(st.integers(0, 21), st.integers(0, 21))
games = st.lists(squares, max_size=30)


def test_an_error_names_the_place_that_is_known() -> None:
    assert str(FormatError("bad")) == "bad"
    assert str(FormatError("bad", line=3)) == "line 3: bad"
    assert str(FormatError("bad", source="a.psq")) == "a.psq: bad"
    error = FormatError("bad", line=3).within("a.psq")
    assert (str(error), error.line, error.source) == ("a.psq:3: bad", 3, "a.psq")
    assert str(error.within("b.psq")) == "a.psq:3: bad"
    # A worker in another process returns the error.
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert quoted("é" * 50) == "'" + r"\xe9" * 40 + "...'"


# Squares


@given(squares)
def test_names_of_squares_are_read_back(point: Point) -> None:
    assert named(name_of(point)) == named(name_of(point).upper()) == point
    assert sgf_square(sgf_letters(point)) == point
    for size in (22, 30):
        assert renju_named(renju_name_of(point, size), size) == point


def test_where_a1_is() -> None:
    assert (name_of((7, 0)), renju_name_of((7, 0), 15), sgf_letters((7, 0))) == ("h1", "h15", "ha")
    assert named("a0") == (0, -1)
    for text in ("", "h", "8", "h8 ", "hh8", "h888", "\u0431" + "8"):
        with pytest.raises(FormatError, match="expected a square such as h8"):
            named(text)
    for text in ("", "h", "hh8", "h8", "HH"):
        with pytest.raises(FormatError, match="expected two letters such as hh"):
            sgf_square(text)


# Rules


def test_the_rules_are_those_of_the_referee() -> None:
    assert set(RULE_NAMES) == {int(rule) for rule in Rule}
    for rule in Rule:
        assert rule_name(rule) == rule.name.lower().replace("_", " ")
        for text in (rule.name, rule.name.lower(), rule_name(rule), str(int(rule))):
            assert rule_named(text) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Freestyle15_1", 0),
        ("Fastgame", 0),
        ("Gomoku", 0),
        ("Gomoku (free style)", 0),
        ("Standard2", 1),
        ("RIF", 4),
        ("Renju (RIF)", 4),
        ("Soosyrv-8", 4),
        ("Taraguchi-10", 4),
        ("Caro", 8),
        ("caro-standard", 9),
        ("CARO_STANDARD", 9),
        ("Ninuki-renju", 16),
        ("", None),
        ("Japanese", None),
        ("32", 32),
        ("64", 64),
        ("128", None),
        ("9" * 5000, None),
        ("5 in a row", None),
    ],
)
def test_names_that_others_give_a_rule(text: str, rule: int | None) -> None:
    assert rule_named(text) == rule


# Decoding


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Dvořák\r\n8,8,0\r9,9,1\n".encode(), "Dvořák\n8,8,0\n9,9,1\n"),
        (codecs.BOM_UTF8 + b"A\n", "A\n"),
        (codecs.BOM_UTF16_LE + "Ž\n".encode("utf-16-le"), "Ž\n"),
        (codecs.BOM_UTF16_BE + "Ž\n".encode("utf-16-be"), "Ž\n"),
        (b"M\xfcller\x94s", "M\xfcller\u201ds"),
        (b"\x81\x8d", "\x81\x8d"),
        ("(;GM[4]CA[gb2312]PB[五子]".encode("gb2312"), "(;GM[4]CA[gb2312]PB[五子]"),
        ("(;CA[Windows-1250]PB[Dvořák]".encode("cp1250"), "(;CA[Windows-1250]PB[Dvořák]"),
        ("(;CA[no-such]PB[é]".encode(), "(;CA[no-such]PB[é]"),
        ("(;CA[rot13]PB[é]".encode(), "(;CA[rot13]PB[é]"),
        (b"(;CA[UTF-8]PB[M\xfcller]", "(;CA[UTF-8]PB[Müller]"),
        (b"", ""),
    ],
)
def test_one_way_of_decoding(data: bytes, text: str, tmp_path: Path) -> None:
    assert decode(data) == text
    path = tmp_path / "game"
    path.write_bytes(data)
    assert read_text(path) == text


@given(st.binary(max_size=60))
def test_decoding_never_fails(data: bytes) -> None:
    assert "\r" not in decode(data)


@given(st.text(max_size=60))
def test_utf8_is_read_as_it_was_written(text: str) -> None:
    text = text.replace("\r", " ").removeprefix("\ufeff")
    assert decode(text.encode("utf-8", "replace")) == text.encode("utf-8", "replace").decode()


def test_what_cannot_be_read(tmp_path: Path) -> None:
    large = tmp_path / "large.psq"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    for path, words in (
        (tmp_path / "none.psq", "none.psq: cannot be read: No such file"),
        (tmp_path, "cannot be read: Is a directory"),
        (large, "large.psq: is larger than 16 MiB"),
        (f"{tmp_path}/a\0b", "cannot be read: embedded null"),
    ):
        with pytest.raises(FormatError, match=words):
            read_text(path)


def test_a_list_of_games_may_be_larger(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert len(read_bytes(path)) == MAX_BYTES + 1


# Moves and openings as text


@given(games)
def test_moves_are_read_back(moves: list[Point]) -> None:
    assert [point for point, _ in read_moves(write_moves(moves))] == moves
    pairs = " ".join(f"{x},{y}" for x, y in moves)
    assert [point for point, _ in read_moves(pairs)] == moves
    if moves:
        assert [point for point, _ in read_pos(pos_text(moves))] == moves
        assert [point for point, _ in read_offsets(offset_text(moves, 15), 15)] == moves


@pytest.mark.parametrize(
    "text",
    ["h8 i9 j7", "h8i9j7", "H8, I9, J7", "1. h8 i9\n2. j7\n", "7,7 8,8 9,6", "(7, 7) (8, 8);(9,6)",
     "# my game\n1: h8\n\n2: i9\n3: j7", "\ufeffh8 i9\rj7"],
)  # fmt: skip
def test_moves_as_people_write_them(text: str) -> None:
    assert [point for point, _ in read_moves(text)] == [(7, 7), (8, 8), (9, 6)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("h8 i9 x", "line 1: 'x': expected moves such as h8 i9 j7"),
        ("h8\ni9 hello", "line 2: 'hello'"),
        ("0,0, 1,-1", "line 1: '1,-1'"),
        ("h8i9j", "line 1: 'h8i9j'"),
        ("h888", "line 1: 'h888'"),
    ],
)
def test_what_is_no_move(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_moves(text)
