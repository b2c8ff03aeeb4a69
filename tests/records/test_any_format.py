"""Games of other programs: winners, illegal last moves, setup stones, and every format."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game.files import game_at
from arena.game.formats import FormatError, from_psq, from_sgf, to_psq, to_sgf
from arena.game.record import EndReason, GameRecord, MoveRecord, PlayerRecord, Setup, Side
from arena.rules.referee import Color, Point, Position, RefereeError, Rule
from records.files import load, save
from records.text import read_text
from tests.support.paths import DATA
from tests.support.psq import FIVE, psq

GAMES = DATA / "games"


# The winner of a .psq file


def test_the_last_line_names_the_player_who_moved_first_after_the_opening() -> None:
    record = from_psq(read_text(GAMES / "odd_forfeit.psq"))
    assert (record.winner, record.reason, record.rule) == ("white", EndReason.UNKNOWN, 4)
    assert record.opening == ((7, 7), (8, 8), (9, 9))
    assert (record.black.name, record.white.name) == ("ALFA21.zip", "BETA21.zip")


@pytest.mark.parametrize("opening", range(6))
@pytest.mark.parametrize("played", range(3, 7))
@pytest.mark.parametrize("result", [0, 1, 2])
def test_the_winner_of_a_forfeit(opening: int, played: int, result: int) -> None:
    """The file lacks late moves, crashes and forbidden moves: only the digit has the winner."""
    moves = [f"{1 + 2 * n},{1 + (n * n) % 13}" for n in range(opening + played)][:15]
    record = from_psq(psq(moves[:7], min(opening, 7), f"{result},Freestyle1"))
    first = ["black", "white"] if opening % 2 == 0 else ["white", "black"]
    assert record.winner == (None if result == 0 else first[result - 1])
    assert record.reason is (EndReason.DRAW if result == 0 else EndReason.UNKNOWN)
    assert len(record.opening) == opening


@pytest.mark.parametrize("opening", range(9))
def test_a_five_tells_how_long_the_opening_was(opening: int) -> None:
    """Black has a five, so a brain's answer in 0 ms is not a move of the opening."""
    digit = 1 if opening % 2 == 0 else 2
    record = from_psq(psq(FIVE, opening, f"{digit},Freestyle1", fast=(opening,)))
    assert (record.winner, record.reason) == ("black", EndReason.FIVE)
    assert len(record.opening) == opening


def test_answers_in_0_ms_are_no_opening() -> None:
    """Three moves of opening, then answers in 0 ms by White alone: White is late."""
    moves = ["8,8", "9,9", "10,10", "1,1", "1,3", "1,5", "1,7"]
    text = psq(moves, 3, "2,Renju", fast=(3, 5))
    record = from_psq(text)
    assert (record.winner, len(record.opening), record.notes) == ("black", 3, ())
    # With Black's late move instead, seen from an opening of four, the digit is the same.
    record = from_psq(psq([*moves, "1,9"], 4, "2,Renju", fast=(5, 7)))
    assert (record.winner, len(record.opening)) == ("white", 4)


def test_a_game_with_answers_in_0_ms_keeps_its_winner(tmp_path: Path) -> None:
    moves = ["8,8", "9,9", "10,10", "1,1", "1,3", "1,5", "1,7"]
    for name, winner in (("3_0_7_1.psq", "B+"), ("3_0_7_2.psq", "W+")):
        path = tmp_path / name
        path.write_text(psq(moves, 3, "2,Renju", fast=(3, 5)))
        (tree,) = load(path)
        assert tree.result == winner
        save(tree, tmp_path / "again.psq")
        (again,) = load(tmp_path / "again.psq")
        assert (again.result, again.moves) == (winner, tree.moves)


def test_the_referees_name_of_a_file_tells_the_color(tmp_path: Path) -> None:
    """GomocupJudge writes ROUND_PLAYER_PLAYER_COLOR.psq, with 1 for Black."""
    text = psq(["8,8", "9,9", "10,10", "1,1", "1,3"], 3, "1,Renju")
    for name, winner, opening in (("3_0_7_1.psq", "black", 2), ("3_0_7_2.PSQ", "white", 3)):
        path = tmp_path / name
        path.write_text(text)
        record = game_at(path)
        assert (record.winner, len(record.opening), record.notes) == (winner, opening, ())
    unnamed = from_psq(text)
    assert unnamed.winner == "white"
    assert "an opening of 3 moves; with one move less, black would win" in unnamed.notes[0]


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("15", ("white", EndReason.TIME)),
        ("-2", ("white", EndReason.UNKNOWN)),
        ("0", (None, EndReason.UNKNOWN)),
        ("-1", (None, EndReason.UNKNOWN)),
        ("-1\n?,freestyle", (None, EndReason.UNKNOWN)),
        ("-1\n0,freestyle", (None, EndReason.DRAW)),
    ],
)
def test_the_code_of_piskvork(end: str, expected: tuple[str | None, EndReason]) -> None:
    """15 is a late move and -2 an error of the side to move, here Black."""
    record = from_psq(f"Piskvorky 15x15, 1:1, 1\n8,8,5\n9,9,5\nA\nB\n{end}\n")
    assert (record.winner, record.reason) == expected
    assert (record.black.name, record.white.name) == ("B", "A")


def test_a_full_board_of_piskvork_is_a_draw() -> None:
    """With 25 squares empty or fewer, the code 0 is a draw: on 5x5 from the first move on."""
    record = from_psq("Piskvorky 5x5, 1:1, 0\n1,1,5\n2,5,5\nA\nB\n0\n")
    assert (record.winner, record.reason) == (None, EndReason.BOARD_FULL)
    assert record.detail == "23 squares are empty, which is a draw for Piskvork"


# An illegal last move


@pytest.mark.parametrize("name", ["illegal_last.psq", "outside_last.psq"])
def test_an_illegal_last_move_ends_the_game(name: str) -> None:
    record = from_psq(read_text(GAMES / name))
    assert (record.winner, record.reason) == ("white", EndReason.ILLEGAL)
    assert [*record.opening, *(m.point for m in record.moves)] == [(7, 7), (8, 8)]
    assert record.detail.startswith("black forfeits (illegal): ")
    assert record.is_forfeit
    assert GameRecord.from_json(record.to_json()) == record


FORBIDDEN = ["6,8", "1,1", "7,8", "3,1", "8,6", "5,1", "8,7", "7,1", "8,8"]
"""Black's last move makes two open threes."""


@pytest.mark.parametrize(
    ("last", "winner", "reason"),
    [
        ("2,Renju", "white", EndReason.FORBIDDEN),
        ("1,Renju", "white", EndReason.FORBIDDEN),
        ("0,Renju", None, EndReason.FORBIDDEN),
        ("?,Renju", "white", EndReason.FORBIDDEN),
        ("2,Freestyle", "white", EndReason.UNKNOWN),
    ],
)
def test_a_forbidden_last_move(last: str, winner: str | None, reason: EndReason) -> None:
    record = from_psq(psq(FORBIDDEN, 0 if last[0] == "2" else 1, last))
    assert (record.winner, record.reason) == (winner, reason)
    played = len(record.opening) + len(record.moves)
    assert played == (9 if reason is EndReason.UNKNOWN else 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (psq(["8,8", "8,8", "9,9"], 0, "2,Freestyle"), "line 3: 8,8: .*occupied"),
        (psq(["8,8", "16,8", "9,9"], 0, "2,Freestyle"), "line 3: 16,8: .*off the board"),
        (psq(["8,8", "8,8"], 0, "?,Freestyle"), "line 3: 8,8: .*occupied"),
        (psq([*FORBIDDEN, "10,10"], 0, "2,Renju"), "line 10: 8,8: .*forbidden"),
        (psq([*FIVE, "13,8"], 0, "1,Freestyle"), r"line 11: 13,8: the game is over \(five\) "
         "under freestyle$"),
        (psq([*FIVE, "13,8"], 0, "1,cup"), "freestyle, which is assumed: the file names no rule"),
    ],
)  # fmt: skip
def test_an_illegal_move_within_is_refused(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        from_psq(text)


def test_an_illegal_last_move_of_an_sgf() -> None:
    for moves, reason in ((";B[hh];W[ii];B[hh]", EndReason.ILLEGAL), (";B[hh];W[ii];B[ph]",
                          EndReason.ILLEGAL)):  # fmt: skip
        record = from_sgf(f"(;SZ[15]RE[W+F]{moves})")
        assert (record.winner, record.reason, len(record.moves)) == ("white", reason, 2)
        with pytest.raises(FormatError, match="line 1: move 3: "):
            from_sgf(f"(;SZ[15]{moves})")


# .sgf files of others


def test_stones_are_set_up() -> None:
    text = "(;GM[4]SZ[15]RU[RIF]AB[hh:ih][aa]AW[jj];AE[aa]AB[ab]\n;W[kk];B[ll]RE[?])"
    record = from_sgf(text)
    assert record.setup == Setup(((0, 1), (7, 7), (8, 7)), ((9, 9),), "white")
    assert [(m.color, m.point) for m in record.moves] == [("white", (10, 10)), ("black", (11, 11))]
    position = record.start()
    assert (position.stones[(8, 7)], position.to_move) == (Color.BLACK, Color.WHITE)
    assert GameRecord.from_json(record.to_json()) == record
    assert from_sgf(to_sgf(record)) == record
    with pytest.raises(FormatError, match=r"a \.psq file cannot hold setup stones"):
        to_psq(record)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("(;SZ[15];W[hh];B[ii])", "white"),
        ("(;SZ[15]PL[W])", "white"),
        ("(;SZ[15]PL[White];W[hh])", "white"),
        ("(;SZ[15]AB[hh])", "white"),
        ("(;SZ[15]AB[hh]AW[ii])", "black"),
        ("(;SZ[15]AB[hh];B[ii])", "black"),
        ("(;SZ[15]HA[2]AB[hh][ii])", "white"),
        ("(;SZ[15]HA[0];B[hh])", "black"),
        ("(;SZ[15];B[hh];PL[W];W[ii])", "black"),
    ],
)
def test_who_moves_first(text: str, first: str) -> None:
    record = from_sgf(text)
    assert record.setup.first == first
    assert from_sgf(to_sgf(record)).setup == record.setup


def test_a_setup_during_the_game_that_changes_nothing_is_no_setup() -> None:
    """A capture under ninuki, as it is shown to programs that know none."""
    moves = ";B[aa];W[ba];B[ii];W[ca];B[da]"
    record = from_sgf(f"(;SZ[19]RU[ninuki]{moves};AE[ba][ca]AB[aa];W[jj])")
    assert record.moves[4].captured == ((1, 0), (2, 0))
    with pytest.raises(FormatError, match=r"line 1: AE\[ba\] after move 5: expected stones to be"):
        from_sgf(f"(;SZ[19]RU[renju]{moves};AE[ba][ca];W[jj])")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(;SZ[15]\n;B[hh];AW[ii])", r"line 2: AW\[ii\] after move 1: expected stones"),
        ("(;SZ[15];B[hh]\n;AE[hh])", r"line 2: AE\[hh\] after move 1"),
        ("(;SZ[15];B[hh]\n;PL[B])", r"line 2: PL\[B\] after move 1: it is the other side's turn"),
        ("(;SZ[15]PL[x])", "line 1: PL: 'x': expected B or W"),
        ("(;SZ[15]PL[W];B[hh])", "move 1: B: expected W"),
        ("(;SZ[15]HA[3]AB[hh])", r"line 1: HA\[3\]: expected as many black stones"),
        ("(;SZ[15]AB[zz])", "line 1: AB: zz is off the board of size 15"),
        ("(;SZ[15]AB[h8])", "line 1: AB: 'h8': expected two letters"),
        ("(;SZ[15];B[hh]\n;W[];B[ii])", "line 2: move 2: W passes: expected a square"),
        ("(;SZ[15];B[hh]\n;W[tt];B[ii])", "line 2: move 2: W passes"),
        ("(;SZ[15];B[hh][ii])", r"line 1: B\['hh', 'ii'\]: expected one square"),
        ("(;SZ[15]\n;B[hh]\n;W[hh]\n;B[ii])", "line 3: move 2: .*occupied"),
        ("(;GM[1]SZ[19])", r"line 1: GM\[1\] \(Go\): expected GM\[4\]"),
        ("(;GM[7])", r"GM\[7\]: expected GM\[4\]"),
        ("(;SZ[15:19])", "size: 15x19: expected a square board"),
        ("(;SZ[x])", "line 1: SZ: 'x': expected a number"),
        ("(;SZ[99999999])", "line 1: SZ: '99999999': expected a number"),
        ("(;SZ[15]RU[Japanese])", "RU: 'Japanese': expected one of freestyle, standard, renju"),
    ],
)
def test_what_has_no_room_in_a_record_is_refused_by_name(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        from_sgf(text)


def test_what_is_left_out_is_said() -> None:
    text = "(;SZ[15];B[hh](;W[ii];B[](;W[])(;W[aa]))(;W[jj])(;W[kk]))(;SZ[15];B[hh])"
    record = from_sgf(text)
    assert record.notes == (
        "2 passes after the last move",
        "3 variations left out: this is the main line",
        "the file has 2 games; this is the first",
    )
    assert [m.point for m in record.moves] == [(7, 7), (8, 8)]
    assert from_sgf("(;SZ[20];B[tt];W[ss])").notes == ()
    assert GameRecord.from_json(record.to_json()) == record


@pytest.mark.parametrize(
    ("text", "winner", "reason", "detail"),
    [
        ("B+5", "black", EndReason.UNKNOWN, "the file does not tell why"),
        ("W+", "white", EndReason.UNKNOWN, "the file does not tell why"),
        ("B+R", "black", EndReason.UNKNOWN, "white resigns"),
        ("W+Resign", "white", EndReason.UNKNOWN, "black resigns"),
        ("w+Time", "white", EndReason.TIME, "black forfeits (time): the file says no more"),
        ("B+F", "black", EndReason.UNKNOWN, "white forfeits: the file says no more"),
        ("Black", "black", EndReason.UNKNOWN, "the file does not tell why"),
        ("White wins by five", "white", EndReason.UNKNOWN, "the file does not tell why"),
        ("0", None, EndReason.DRAW, "the file does not tell why"),
        ("Draw", None, EndReason.DRAW, "the file does not tell why"),
        ("?", None, EndReason.UNKNOWN, "the file does not tell how the game ended"),
        ("Void", None, EndReason.UNKNOWN, "the file does not tell how the game ended"),
        ("", None, EndReason.UNKNOWN, "the file does not tell how the game ended"),
        ("Bogus", None, EndReason.UNKNOWN, "the file does not tell how the game ended"),
    ],
)
def test_results_as_others_write_them(
    text: str, winner: str | None, reason: EndReason, detail: str
) -> None:
    record = from_sgf(f"(;SZ[15]RE[{text}];B[hh])")
    assert (record.winner, record.reason, record.detail) == (winner, reason, detail)


def test_a_note_that_is_nearly_ours_is_a_comment() -> None:
    for note in ("1.2.3 ms", f"{'9' * 400}.5 ms", f"5 ms, nodes {'9' * 5000}", "12ms"):
        assert from_sgf(f"(;SZ[15];B[hh]C[{note}])").moves[0].ms == 0.0


# Round trips


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Draws a game of random legal moves that ends on the board or otherwise."""
    rule = draw(st.sampled_from(Rule))
    size = draw(st.sampled_from([5, 9, 15, 22]))
    wanted = draw(st.lists(st.tuples(*[st.integers(0, size - 1)] * 2), max_size=14, unique=True))
    position = Position(size=size, rule=rule)
    opening_length = draw(st.integers(0, 5))
    opening: list[Point] = []
    moves: list[MoveRecord] = []
    for point in wanted:
        color = position.to_move
        try:
            captured = tuple(position.play(point).captured)
        except RefereeError:
            continue
        if len(opening) < opening_length and not moves:
            opening.append(point)
            continue
        ms = float(draw(st.integers(1, 9999)))
        x, y = point
        moves.append(MoveRecord(x, y, color.value, ms, 0.0, captured=captured))
    sides: list[Side | None] = ["black", "white", None]
    winner = draw(st.sampled_from(sides))
    ends = (
        [EndReason.DRAW]
        if winner is None
        else [EndReason.TIME, EndReason.CRASH, EndReason.FORBIDDEN]
    )
    reason = draw(st.sampled_from([*ends, EndReason.UNKNOWN]))
    if position.is_over and position.reason is not None:
        reason = EndReason(position.reason.value)
        winner = None if position.winner is None else position.winner.value
    return GameRecord(
        black=PlayerRecord("Alfa"),
        white=PlayerRecord("Beta"),
        size=size,
        rule=int(rule),
        turn_ms=None,
        match_ms=None,
        memory_mib=0,
        tolerance_ms=0,
        opening=tuple(opening),
        moves=tuple(moves),
        winner=winner,
        reason=reason,
        detail="as it was",
        captures=position.captures,
    )


def told(record: GameRecord) -> tuple[object, ...]:
    players = (record.black.name, record.white.name)
    moves = [(move.point, move.color, move.captured) for move in record.moves]
    return record.size, record.rule, players, record.opening, moves, record.captures


@given(records())
def test_a_psq_tells_the_same_game(record: GameRecord) -> None:
    name = {"black": "0_1_2_1.psq", "white": "0_1_2_2.psq", None: ""}[record.winner]
    for again in (from_psq(to_psq(record)), from_psq(to_psq(record), name=name)):
        assert again.winner == record.winner
        assert told(again) == told(record)
        assert again.is_unfinished == record.is_unfinished


@given(records())
def test_an_sgf_tells_the_same_game(record: GameRecord) -> None:
    assert from_sgf(to_sgf(record)) == record
