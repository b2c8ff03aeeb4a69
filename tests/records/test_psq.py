"""The fields of .psq files survive writing and reading, and errors name the line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.errors import FormatError
from records.psq import PsqGame, PsqMove, clean_name, is_psq, read_psq, write_psq

GAME = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\nA.zip\nB.zip\n-1\n1,Renju_1\n"

moves = st.builds(
    PsqMove,
    point=st.tuples(st.integers(-5, 40), st.integers(-5, 40)),
    ms=st.integers(-1, 10**9),
)
names = st.text(max_size=20).map(clean_name)
leagues = st.text(alphabet="ABCstyle15_ ", max_size=12).map(lambda text: " ".join(text.split()))
psq_games = st.builds(
    PsqGame,
    size=st.integers(1, 99),
    moves=st.lists(moves, max_size=8).map(tuple),
    names=st.none() | st.tuples(names, names),
    starts=st.integers(0, 1),
    code=st.integers(-99, 99),
    result=st.none() | st.integers(0, 2),
    league=leagues,
)


@given(psq_games)
def test_what_is_written_is_read_back(game: PsqGame) -> None:
    text = write_psq(game)
    assert is_psq(text)
    assert read_psq(text) == game
    assert read_psq(text.replace("\n", "\r\n")) == game


@given(st.text(max_size=30))
def test_no_name_is_taken_for_anything_else(name: str) -> None:
    game = PsqGame(15, (PsqMove((7, 7), 3),), (clean_name(name), clean_name("1,2,3")))
    again = read_psq(write_psq(game))
    assert (again.names, again.moves, again.result) == (game.names, game.moves, None)
    assert clean_name(clean_name(name)) == clean_name(name)


@given(st.text(alphabet="0123456789,,-\n\r AZPiskvorky:x", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, "Piskvorky 15x15, 0:0, 0\n" + text):
        try:
            read_psq(whole)
        except FormatError as error:
            assert error.line is not None


def test_a_file_of_gomocup() -> None:
    game = read_psq(GAME)
    assert game == PsqGame(
        size=15,
        moves=(PsqMove((7, 7), 0), PsqMove((8, 8), 12)),
        names=("A.zip", "B.zip"),
        code=-1,
        result=1,
        league="Renju_1",
    )
    assert [move.line for move in game.moves] == [2, 3]


def test_the_header_says_which_player_is_black() -> None:
    """Piskvork names its players in a fixed order; the header's last field is who began."""
    game = read_psq(GAME.replace("11:11, 0", "11:11, 1"))
    assert (game.names, game.players) == (("A.zip", "B.zip"), ("B.zip", "A.zip"))
    assert read_psq(GAME).players == ("A.zip", "B.zip")


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("", (None, None, None, "")),
        ("-1\n", (None, -1, None, "")),
        ("A\nB\n15\n", (("A", "B"), 15, None, "")),
        ("A\nB\n0", (("A", "B"), 0, None, "")),
        ("A\nB\n", (("A", "B"), None, None, "")),
        ("A\nB\n2,Caro\n", (("A", "B"), None, 2, "Caro")),
        ("A\nB\n-1\n\n0,\n\n", (("A", "B"), -1, 0, "")),
        ("A\nB\n-1\n?,caro standard\n", (("A", "B"), -1, None, "caro standard")),
        ("A\nB\n-1\nsomething else\n", (("A", "B"), -1, None, "")),
        ("A\nB\n-1\n1,12\n", (("A", "B"), -1, 1, "12")),
    ],
)
def test_what_stands_behind_the_moves(end: str, expected: tuple[object, ...]) -> None:
    game = read_psq("Piskvorky 15x15, 0:3, 1\n 8 , 8 \n" + end)
    assert (game.names, game.code, game.result, game.league) == expected
    assert game.moves == (PsqMove((7, 7), 0),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: '': expected Piskvorky 15x15"),
        ("\n\nGomoku", "line 3: 'Gomoku': expected Piskvorky 15x15"),
        ("Piskvorky 15x20, 0:0, 0", "line 1: size: 15x20: expected a square board"),
        (
            GAME.replace("9,9,12", "9;9;12\n9,9,12"),
            "line 3: '9;9;12': expected a move such as `8,8,0`",
        ),
        (
            GAME.replace("B.zip\n", ""),
            "line 4: 'A.zip': expected a move such as `8,8,0`, or the names",
        ),
        (GAME.replace("A.zip", "A\nA2"), "line 4: 'A': expected a move"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n9,", "line 3: '9,': expected a move"),
        ("Piskvorky 15x15, 0:0, 0\n12345,8,0\n-1\n", "line 2: '12345,8,0'"),
    ],
)
def test_what_is_wrong_has_its_line(text: str, words: str) -> None:
    with pytest.raises(FormatError, match="^" + re.escape(words)):
        read_psq(text)
