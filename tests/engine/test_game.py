"""Games: load, play on, save, variations, playing out and review."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyengine import (
    Color,
    Engine,
    FormatError,
    Game,
    GameOverError,
    IllegalMoveError,
    NoUndoError,
    OutOfRangeError,
    Position,
    Rule,
    Square,
    WrongTypeError,
)
from tests.support.paths import DATA

FIVE = ["h8", "a1", "h9", "a3", "h10", "a5", "h11", "a7", "h12"]
LOST = ["h8", "i9", "g8", "i7", "f8", "a1", "e8", "a2", "d8"]
"""Black's fifth stone makes an open three, which White's a1 does not stop."""


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Draws games with variations, up to an end on the board."""
    size = draw(st.integers(7, 15))
    squares = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    game = Game(size, draw(st.sampled_from(list(Rule))), black="A", white="B")
    for move in draw(st.lists(squares, max_size=30)):
        if game.position.legal(move):
            game.play(move)
    for _ in range(draw(st.integers(0, 3))):
        ply = draw(st.integers(0, len(game.moves)))
        move = draw(squares)
        if game.position_at(ply).legal(move) and not game.is_over:
            game.add_variation(ply, move, comment="why not")
    return game


def told(game: Game) -> tuple[object, ...]:
    head = (game.size, game.rule, game.black, game.white, game.result)
    return (*head, game.lines(), game.moves, game.status)


@given(games())
def test_a_saved_game_is_loaded(game: Game) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.sgf"
        game.save(path)
        assert told(Game.load(path)) == told(game)


@given(games())
def test_undo_takes_everything_back(game: Game) -> None:
    while game.moves:
        last = game.moves[-1]
        before = len(game.lines())
        assert game.undo() == last
        assert len(game.lines()) <= before + 1
        assert game.position.moves == game.moves
    with pytest.raises(NoUndoError):
        game.undo()


def test_a_game_is_played() -> None:
    game = Game(rule="renju")
    game.play("h8", (8, 6), "7,5")
    assert game.moves == ["h8", "i9", "h10"]
    assert game.turn is Color.WHITE
    assert game.result == ""
    assert repr(game) == "<Game 15x15 renju, 3 moves, ongoing>"
    assert str(game) == "Black - White, renju 15x15, no result\nh8 i9 h10"
    assert [len(position.moves) for position in game.positions()] == [0, 1, 2, 3]
    assert game.position_at(1).moves == ["h8"]
    with pytest.raises(IllegalMoveError):
        game.play("h8")
    with pytest.raises(OutOfRangeError):
        game.position_at(4)
    assert game.moves == ["h8", "i9", "h10"]


def test_the_board_decides_the_result() -> None:
    game = Game()
    game.play(*FIVE[:-1])
    assert game.result == ""
    game.play(FIVE[-1])
    assert (game.result, game.winner, game.is_over) == ("B+", Color.BLACK, True)
    with pytest.raises(GameOverError):
        game.play("a9")
    game.undo()
    assert game.result == ""
    wrong = Game.from_text("(;GM[4]RU[freestyle]RE[W+]" + sgf_moves(FIVE) + ")")
    assert wrong.result == "B+"


def sgf_moves(names: list[str]) -> str:
    position = Position()
    squares = [position.square(name) for name in names]
    letters = "abcdefghijklmno"
    return "".join(f";{'BW'[i % 2]}[{letters[x]}{letters[y]}]" for i, (x, y) in enumerate(squares))


def test_variations() -> None:
    game = Game()
    game.play(*LOST)
    node = game.add_variation(5, "i8", "i6", comment="stops the three")
    assert node.move == (8, 9)
    game.add_variation(5, "i8", "e8")
    assert game.lines() == [LOST, [*LOST[:5], "i8", "i6"], [*LOST[:5], "i8", "e8"]]
    assert game.root.children[0].move == (7, 7)
    with pytest.raises(IllegalMoveError):
        game.add_variation(5, "i7")
    assert len(game.lines()) == 3
    game.add_variation(9)
    assert game.moves == LOST
    open_end = Game()
    open_end.add_variation(0, "h8", "i9")
    assert open_end.moves == ["h8", "i9"]


@pytest.mark.parametrize("ending", [".psq", ".txt", ".lib", ".sgf"])
def test_every_ending_keeps_the_moves(ending: str, tmp_path: Path) -> None:
    game = Game(rule="renju")
    game.play(*LOST)
    game.save(tmp_path / f"game{ending}")
    loaded = Game.load(tmp_path / f"game{ending}", rule="renju")
    assert (loaded.moves, loaded.result) == (LOST, "B+")


def test_a_format_that_cannot_hold_a_game_says_so(tmp_path: Path) -> None:
    game = Game()
    game.play("h8")
    game.add_variation(0, "h9")
    for name, why in (
        ("a.psq", "cannot hold variations"),
        ("a.txt", "cannot hold variations"),
        ("a.doc", "expected a"),
    ):
        with pytest.raises(FormatError, match=f"{name}: .*{why}"):
            game.save(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_real_files() -> None:
    odd = Game.load(DATA / "games" / "odd_forfeit.psq")
    assert (odd.rule, odd.result, odd.black) == (Rule.RENJU, "W+", "ALFA21.zip")
    illegal = Game.load(DATA / "games" / "illegal_last.psq")
    assert illegal.illegal_move is not None
    assert illegal.result == ("W+" if illegal.turn is Color.BLACK else "B+")
    with pytest.raises(GameOverError, match="was illegal"):
        illegal.play("a1")


def test_a_forbidden_last_move_loses() -> None:
    text = "h8 a1 h9 a3 i10 a5 j10 a7 h10"
    game = Game.from_text(text, rule="renju")
    assert (game.illegal_move, game.result, len(game.moves)) == ("h10", "W+", 8)
    assert game.foul == game.illegal_move, "the old name"
    assert Game.from_text(text).illegal_move is None
    with pytest.raises(FormatError, match=r"move 9, h10: .*forbidden"):
        Game.from_text(text + " a9", rule="renju")


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("h8 i9\nh8\n")
    with pytest.raises(FormatError, match=r"bad\.txt:2: move 3, h8: .*occupied"):
        Game.load(path)
    with pytest.raises(FormatError, match=r"bad\.txt: holds 1 game: there is no game 2"):
        Game.load(path, number=2)
    with pytest.raises(FormatError, match=r"none\.sgf: cannot be read"):
        Game.load(tmp_path / "none.sgf")
    path.write_text("h8 i9\nh1 ok\n")
    with pytest.raises(FormatError, match=r"bad\.txt:2: 'ok': expected moves"):
        Game.load(path)


def test_a_board_that_cannot_be_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.sgf"
    for text, words in (
        ("(;SZ[4];B[aa])", "size must be from 5 to 22, not 4"),
        ("(;SZ[26];B[aa])", "size must be from 5 to 22, not 26"),
    ):
        path.write_text(text)
        with pytest.raises(FormatError, match=rf"bad\.sgf: {words}"):
            Game.load(path)


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("h8")
    text: Any = 5
    with pytest.raises(WrongTypeError, match="text must be a string, not 5"):
        Game.from_text(text)
    word: Any = "x"
    with pytest.raises(WrongTypeError, match="number must be an integer, not 'x'"):
        Game.load(path, number=word)
    makers: tuple[Callable[..., Game], ...] = (
        Game,
        partial(Game.load, path),
        partial(Game.from_text, "h8"),
    )
    for make in makers:
        with pytest.raises(WrongTypeError, match="size must be an integer, not 'x'"):
            make(size=word)
        with pytest.raises(OutOfRangeError, match="size must be from 5 to 22, not 4"):
            make(size=4)
        with pytest.raises(OutOfRangeError, match="rule must be one of"):
            make(rule="chess")


def test_stones_set_up_during_a_game_must_be_there() -> None:
    captured = "(;RU[ninuki];B[hh];W[ih];B[aa];W[jh];B[kh];AE[ih][jh];W[bb])"
    assert Game.from_text(captured).position.captures == (1, 0)
    for node in ("AB[aa]", "AW[hh]", "AE[hh]"):
        with pytest.raises(FormatError, match=r"line 2: A.\[..\] after move 1: expected stones"):
            Game.from_text(f"(;B[hh]\n;{node};W[ii])")


def test_passes_after_the_last_move_are_left_out() -> None:
    game = Game.from_text("(;B[hh];W[ii];B[];W[tt])")
    assert game.moves == ["h8", "i7"]
    game.play("j6")
    assert game.lines() == [["h8", "i7", "j6"]]
    with pytest.raises(FormatError, match="move 2: a pass"):
        Game.from_text("(;B[hh];W[];B[ii])")


def test_a_game_of_a_match(tmp_path: Path) -> None:
    record = {
        "opening": [[7, 7]],
        "moves": [{"x": 8, "y": 8}],
        "size": 15,
        "rule": 4,
        "black": {"name": "one"},
        "white": {"name": "other"},
        "winner": "white",
        "reason": "time",
    }
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(record) + "\n" + json.dumps({"record": record}) + "\n")
    game = Game.load(path, number=2)
    assert (game.moves, game.rule, game.result) == (["h8", "i7"], Rule.RENJU, "W+")
    assert (game.black, game.white) == ("one", "other")


def test_two_engines_play_a_game_out() -> None:
    with Engine(memory_mib=1) as one, Engine(memory_mib=1) as other:
        game = Game(9, "caro").play_out(one, other, nodes=200)
        assert (one.size, one.rule) == (9, Rule.CARO)
    assert game.is_over
    assert game.result in ("B+", "W+", "0")


def test_a_review_finds_the_blunder() -> None:
    game = Game()
    game.play(*LOST)
    told: list[tuple[int, int]] = []
    with Engine(memory_mib=8) as engine:
        review = game.review(
            engine, nodes=3000, progress=lambda done, total: told.append((done, total))
        )
    assert told == [(i, 10) for i in range(1, 11)]
    (point,) = review.turning_points
    assert (point.ply, point.color, point.missed) == (6, "white", "defence")
    assert point.lost > 0.15
    assert len(review.judgements) == len(review.win_rates) == 10
    assert review.win_rates[-1] == review.win_rates[6] == 1.0
    lines = str(review).splitlines()
    assert lines[0].split() == ["move", "by", "played", "better", "lost", "missed", "line"]
    assert lines[1].split()[:3] == ["6", "white", "a1"]
    annotated = review.annotate()
    assert annotated is game
    assert len(game.lines()) == 2
    assert "missed: defence" in list(game.root.main_line())[5].comment
    review.annotate()
    assert list(game.root.main_line())[5].comment.count("Review") == 1


@pytest.mark.parametrize(
    ("moves", "ply", "missed"),
    [
        ("h8 k8 h9 k9 h10 k10 a1 k11", 7, "VCF"),
        ("h8 k2 g8 k3 i9 m2 i10 m5 o15 i8", 9, "VCT"),
    ],
)
def test_a_review_names_the_missed_win(moves: str, ply: int, missed: str) -> None:
    game = Game()
    game.play(*moves.split())
    with Engine(memory_mib=8) as engine:
        review = game.review(engine, nodes=20_000)
    points = {point.ply: point for point in review.turning_points}
    assert points[ply].missed == missed


@dataclass
class Silent:
    """Finds moves and reports no score."""

    @dataclass(frozen=True)
    class Found:
        move: Square
        score: int | None = None
        mate: int | None = None
        pv: tuple[Square, ...] = ()

    def search(self, position: Position, /, **_: object) -> Found:
        return self.Found(position.square(position.legal_moves[0]))


def test_an_engine_that_tells_nothing_reviews_nothing() -> None:
    game = Game()
    game.play("h8", "i9")
    review = game.review(Silent())
    assert review.turning_points == []
    assert review.win_rates == [None, None, None]
    review.annotate()
    assert "no score was reported" in next(game.root.main_line()).comment
    with pytest.raises(OutOfRangeError, match="least"):
        game.review(Silent(), least=0)
