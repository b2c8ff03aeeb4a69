"""Positions by name: drawn boards, moves, captures, forbidden moves with reasons, and undo."""

import copy
import json
import pickle
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyengine import (
    Color,
    Engine,
    Forbidden,
    ForbiddenError,
    FormatError,
    GameOverError,
    IllegalMoveError,
    NotASquareError,
    NoUndoError,
    OccupiedError,
    OffBoardError,
    OutOfRangeError,
    Position,
    Reason,
    Rule,
    Status,
    WrongTypeError,
)
from tests.support.paths import DATA

RENJU: list[dict[str, Any]] = json.loads((DATA / "renju_forbidden.json").read_text())["cases"]
FOURS: list[dict[str, Any]] = json.loads((DATA / "vcf_wins.json").read_text())["cases"]
FIVE = "h8 a1 h9 a3 h10 a5 h11 a7 h12"


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draws random games on a set-up board, up to an end."""
    size = draw(st.integers(5, 22))
    squares = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    stones = draw(st.lists(squares, max_size=8, unique=True))
    position = Position(
        size,
        draw(st.sampled_from(list(Rule))),
        black=stones[:3],
        white=stones[3:6],
        neutral=stones[6:],
        turn=draw(st.sampled_from(list(Color))),
    )
    for move in draw(st.lists(squares, max_size=40)):
        if position.legal(move):
            position.play(move)
    return position


def shown(position: Position) -> tuple[object, ...]:
    return (position.size, position.rule, position.stones, position.turn, position.captures)


@given(positions())
def test_what_is_drawn_is_read(position: Position) -> None:
    read = Position.from_text(str(position))
    assert read.stones.items() == position.stones.items()
    assert shown(read)[:2] == shown(position)[:2]
    assert read.turn is position.turn
    assert read.setup.neutral == tuple(sorted(position.setup.neutral, key=lambda m: (m[1], m[0])))
    assert read.captures == position.captures


@given(positions())
def test_undo_goes_back_to_the_beginning(position: Position) -> None:
    passed = []
    moves = position.moves
    while position.moves:
        passed.append(shown(position))
        assert position.undo() == moves[len(position.moves)]
    for move, then in zip(moves, reversed(passed), strict=True):
        position.play(move)
        assert shown(position) == then
    with pytest.raises(NoUndoError):
        Position().undo()


@settings(max_examples=50)
@given(positions())
def test_the_engine_stands_where_the_position_does(position: Position) -> None:
    with Engine(memory_mib=1) as engine:
        engine.set_position(position)
        assert shown(engine.position) == shown(position)
        assert engine.moves == position.moves
        assert engine.outcome().status is position.status
        assert engine.stones == position.stones
        legal = [m for m in position.legal_moves if engine.legal(m)]
        assert legal == position.legal_moves


def test_a_game_by_names() -> None:
    position = Position(rule="renju")
    assert position.turn is Color.BLACK
    outcome = position.play("h8", "H9", "7,5", (8, 8))
    assert outcome.captured == []
    assert position.moves == ["h8", "h9", "h10", "i7"]
    assert position.squares == [(7, 7), (7, 6), (7, 5), (8, 8)]
    assert position.stones == {
        "h8": Color.BLACK,
        "h9": Color.WHITE,
        "h10": Color.BLACK,
        "i7": Color.WHITE,
    }
    assert len(position.legal_moves) == 221
    assert repr(position) == "<Position 15x15 renju, 4 stones, black to move>"
    assert (position.name((0, 0)), position.square("a15")) == ("a15", (0, 0))
    assert position.names([(7, 7), (0, 14)]) == ["h8", "a1"]
    assert position.names(None) == []


def test_the_end_of_a_game() -> None:
    position = Position.from_text(FIVE)
    assert (position.status, position.winner) == (Status.WIN, Color.BLACK)
    assert (position.reason, position.is_over) == (Reason.FIVE, True)
    assert position.legal_moves == []
    assert str(position).endswith("freestyle, white to move, black wins: five")
    with pytest.raises(GameOverError):
        position.play("a9")
    position.undo()
    assert (position.status, position.winner, position.is_over) == (Status.ONGOING, None, False)


def test_captures_come_and_go() -> None:
    position = Position(19, "ninuki", black=["k10"], white=["i10", "j10"], turn="black")
    assert position.play("h10").captured == [(8, 9), (9, 9)]
    assert position.captures == (1, 0)
    assert set(position.stones) == {"k10", "h10"}
    assert str(position).endswith("ninuki, white to move, captures 1:0")
    position.undo()
    assert position.captures == (0, 0)
    assert set(position.stones) == {"k10", "i10", "j10"}


@pytest.mark.parametrize("case", RENJU, ids=lambda case: case["id"])
def test_the_reason_of_a_ban(case: dict[str, Any]) -> None:
    black, white = ([tuple(m) for m in case[side]] for side in ("black", "white"))
    position = Position(case["size"], "renju", black=black, white=white, turn=case["to_move"])
    move = position.name(tuple(case["move"]))
    found = position.forbidden.get(move)
    assert found == (Forbidden(case["kind"]) if case["forbidden"] else None)
    with Engine(memory_mib=1) as engine:
        engine.set_position(position)
        assert engine.why_forbidden(move) is found
        assert (move in position.legal_moves) is not case["forbidden"]
    if case["forbidden"]:
        with pytest.raises(ForbiddenError):
            position.play(move)
        assert position.moves == []


def test_ninuki_has_one_ban() -> None:
    black = [(2, 4), (3, 4), (4, 5), (4, 6)]
    position = Position(9, Rule.NINUKI, black=black, white=["a9"], turn="black")
    assert position.forbidden == {"e5": Forbidden.DOUBLE_THREE}
    assert Position(9, Rule.FREESTYLE, black=black, turn="black").forbidden == {}


@pytest.mark.parametrize("case", FOURS[:20], ids=lambda case: case["id"])
def test_boards_with_b_and_w(case: dict[str, Any]) -> None:
    """The case files draw a part of the board, from its top left square."""
    left, top = case["diagram"]["top_left"]
    rows = [["."] * case["size"] for _ in range(case["size"])]
    for y, row in enumerate(case["diagram"]["rows"]):
        rows[top + y][left : left + len(row)] = row
    text = "\n".join(map("".join, rows))
    position = Position.from_text(text, rule=case["rule"], turn=case["to_move"])
    for side, color in (("black", Color.BLACK), ("white", Color.WHITE)):
        found = {m for m, stone in position.board.items() if stone is color}
        assert found == {tuple(m) for m in case[side]}


BOARD = """
      a b c d e
   5  . . . . .  5
   4  . ● ○ . .  4
   3  | . | . | x | . | . |
   2  +-+-*
   1  _ _ _ _ _  1
"""


def test_boards_of_several_kinds() -> None:
    position = Position.from_text(BOARD)
    assert position.stones == {"b4": Color.BLACK, "c3": Color.BLACK, "c4": Color.WHITE}
    assert position.turn is Color.WHITE
    assert Position.from_text(BOARD, turn="black", rule="renju").turn is Color.BLACK
    bare = "XO...\n.....\n.....\n.....\n....."
    assert Position.from_text(bare).stones == {"a5": Color.BLACK, "b5": Color.WHITE}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XO...\n.....\n.....\n.....\n....", "line 5: 4 squares: expected 5"),
        ("XO...\n......\n.....\n.....\n.....", "line 2: 6 squares: expected 5"),
        ("h8 i9 z", "line 1: 'z': expected moves"),
        ("well played", "line 1: 'well': expected moves"),
        (".....\n.....\n.....\n.....\n.....\nhello", "line 6: 'hello': expected a row"),
        (".....\n.....\n.....\n.....\n.....\n\n.....", "line 1: 5 squares: expected 6"),
    ],
)
def test_what_is_no_position_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Position.from_text(text)


def test_illegal_moves_change_nothing() -> None:
    position = Position.from_text("h8 i9")
    for move, kind in (
        ("h8", OccupiedError),
        ("z1", OffBoardError),
        ("h16", OffBoardError),
        ((15, 0), OffBoardError),
        ("8h", NotASquareError),
        ("", NotASquareError),
        (3, NotASquareError),
    ):
        with pytest.raises(kind):
            position.play(move)  # type: ignore[arg-type]
    assert position.moves == ["h8", "i9"]
    with pytest.raises(IllegalMoveError):
        position.play("a1", "a1", "a2")
    assert position.moves == ["h8", "i9", "a1"]


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(OutOfRangeError, match="rule must be one of freestyle, standard, renju"):
        Position(rule="chess")
    with pytest.raises(OutOfRangeError, match="size"):
        Position(4)
    with pytest.raises(OutOfRangeError, match="turn must be black or white, not 'red'"):
        Position(turn="red")
    with pytest.raises(OccupiedError, match="named twice"):
        Position(black=["h8"], white=["7,7"])
    with pytest.raises(NotASquareError, match="squares must be a list"):
        Position(black="h8")
    with pytest.raises(WrongTypeError, match="text must be a string"):
        Position.from_text(7)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="a board of size 5: expected 15"):
        Position.from_text("XO...\n.....\n.....\n.....\n.....", size=15)


def test_copies_go_their_own_ways() -> None:
    position = Position.from_text("h8 i9", rule=4)
    for other in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position
        other.play("a1")
        assert other != position
        assert position.moves == ["h8", "i9"]
        assert other.undo() == "a1"
        assert other == position


def test_positions_in_several_threads() -> None:
    """Each thread has its own board of the core, so positions do not mix."""
    wrong: list[object] = []

    def play(rule: Rule, size: int) -> None:
        one, other = Position(size, rule), Position(size)
        for x in range(size):
            one.play((x, x % 3))
            other.play((x, 4))
            if len(one.legal_moves) + len(one.stones) != size**2 or one.is_over:
                wrong.append((rule, size, x))
            other.undo()

    threads = [threading.Thread(target=play, args=(Rule.FREESTYLE, size)) for size in (9, 11, 15)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
