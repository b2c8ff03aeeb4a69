"""Parts of the board at the terminal: commands, session, saved games."""

import re
import shlex
import sys
from collections.abc import Sequence
from errno import ENOSPC
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.engines.spec import EngineSpec, parse_engine
from arena.game.formats import from_psq, from_sgf
from arena.game.record import EndReason, GameRecord
from arena.play.commands import Command, InputError, Place, Places, read_command
from arena.play.engine import Engine
from arena.play.notation import Notation, Squares
from arena.play.screen import Screen
from arena.play.session import Options, Session
from arena.play.table import Table
from arena.rules.board_view import draw_board
from arena.rules.referee import Color, Rule
from tests.support.fakes import fake
from tests.support.paths import SUPPORT

CONFIGURABLE = SUPPORT / "fakes" / "configurable_brain.py"
GOOD = shlex.join((sys.executable, "-S", "-E", str(CONFIGURABLE)))


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def test_words_are_read() -> None:
    assert read_command("  ", 15) is None
    for line in ("h8", " H8 ", "7,7", "7, 7", "7 7"):
        assert read_command(line, 15) == Place((7, 7)), line
    assert read_command("undo", 15) == Command("undo")
    assert read_command("u 2", 15) == Command("undo", number=2)
    assert read_command("ANALYZE 5", 15) == Command("analyse", number=5)
    assert read_command("save my game.psq", 15) == Command("save", text="my game.psq")
    for line in ("h8 i7 j8", "h8i7j8", "h8, 8,8; j8", "7,7 8,8 9,7", "7 7 8 8 9 7"):
        assert read_command(line, 15) == Places(((7, 7), (8, 8), (9, 7))), line
    for line, said in (
        ("h8 foo j8", "'foo' is not a square (e.g. h8 or 7,7); no move was played"),
        ("h8 i9 z9", "'z9' is off the board"),
        ("h8 i", "'i' is not a square"),
    ):
        with pytest.raises(InputError, match=re.escape(said)):
            read_command(line, 15)
    with pytest.raises(InputError, match="hint or help"):
        read_command("h", 15)
    with pytest.raises(InputError, match="off the board"):
        read_command("h8", 7)


@given(st.text(max_size=30), st.integers(5, 22))
def test_any_line_is_read_or_refused(line: str, size: int) -> None:
    try:
        word = read_command(line, size)
    except InputError as error:
        assert str(error).isascii() and "\n" not in str(error)
        return
    if isinstance(word, Place | Places):
        points = [word.point] if isinstance(word, Place) else word.points
        assert all(0 <= n < size for point in points for n in point)


class Typist:
    """Types lines in order, then ends the input."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)

    def __call__(self, prompt: str) -> str:
        if not self._lines:
            raise EOFError
        return self._lines.pop(0)


def session(lines: Sequence[str], **keys: object) -> Session:
    """Returns a game of two persons, or of one and an engine, with these typed lines."""
    rule = keys.get("rule", Rule.FREESTYLE)
    assert isinstance(rule, Rule)
    table = Table(9, rule, 200)
    engines: dict[Color, Engine] = {}
    if (command := keys.get("white")) is not None:
        spec = parse_engine(str(command))
        engines[Color.WHITE] = Engine(spec, size=9, rule=int(rule), turn_ms=20_000)
    names = {color: "somebody" for color in Color}
    screen = Screen(StringIO(), names)
    return Session(table, engines, None, screen, Typist(lines), Options())


COMMANDS = st.sampled_from(
    ["undo", "undo 2", "redo", "redo 2", "hint", "take", "board", "resign", "moves", "help"]
)
SQUARES = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda xy: f"{xy[0]},{xy[1]}")


@settings(max_examples=60)
@given(
    st.lists(st.one_of(SQUARES, SQUARES, COMMANDS, st.text(max_size=5)), max_size=40),
    st.sampled_from(list(Rule)),
)
def test_no_input_breaks_the_game(lines: list[str], rule: Rule) -> None:
    game = session([line for line in lines if not line.lower().startswith("s")], rule=rule)
    game.run()
    assert len(game.table.moves) == len(game.table.position.moves)
    assert game.table.record({color: "x" for color in Color}).captures == (
        game.table.position.captures
    )


def test_after_an_undo_the_engine_knows_the_position() -> None:
    game = session(["h8", "h9", "undo", "g2", "undo", "undo", "a1"], white=GOOD)
    game.run()
    points = [move.point for move in game.table.moves]
    assert points == [(0, 8), (4, 4)]
    assert game.table.end is None


def test_a_forbidden_move_of_an_engine_loses_and_a_persons_is_refused() -> None:
    table = Table(15, Rule.RENJU, 20_000)
    for point in ((7, 6), (0, 0), (7, 8), (0, 14), (6, 7), (14, 0), (8, 7), (14, 14)):
        table.play(point, 1.0)
    spec = EngineSpec("forbidden", tuple(fake("none", moves="7,7")))
    engine = Engine(spec, size=15, rule=4, turn_ms=20_000)
    names = {color: "x" for color in Color}
    game = Session(table, {Color.BLACK: engine}, None, Screen(StringIO(), names), Typist([]))
    game.run()
    assert table.end is not None
    assert (table.end.winner, table.end.reason) == (Color.WHITE, EndReason.FORBIDDEN)


def test_a_saved_game_goes_on_where_it_stood(tmp_path: Path) -> None:
    game = session(["h8", "a1", f"save {tmp_path}/one", f"save {tmp_path}/one.sgf", "h9"])
    game.run()
    psq = from_psq((tmp_path / "one.psq").read_text())
    sgf = from_sgf((tmp_path / "one.sgf").read_text())
    for record in (psq, sgf):
        assert [move.point for move in record.moves] == [(7, 1), (0, 8)]
        assert (record.winner, record.reason) == (None, EndReason.UNKNOWN)
    strange = session(["h8", "save .", "save /", "save ~nobody-here/x", "save " + "x" * 300, "a1"])
    out = StringIO()
    strange.screen = Screen(out, {color: "somebody" for color in Color})
    strange.run()  # says why not, and the game goes on
    assert out.getvalue().count("cannot be written") == 4
    assert len(strange.table.moves) == 2
    (tmp_path / "kept.psq").write_text("mine")
    other = session(["h8", f"save {tmp_path}/kept"])
    other.run()
    assert (tmp_path / "kept.psq").read_text() == "mine"


def test_several_moves_on_a_line_are_played_one_after_the_other() -> None:
    game = session(["h8 i9 g7", "c3 c3 d4", "d4"])
    out = StringIO()
    game.screen = Screen(out, {color: "somebody" for color in Color})
    game.run()
    points = [(7, 1), (8, 0), (6, 2), (2, 6), (3, 5)]
    assert [move.point for move in game.table.moves] == points
    assert "c3 already has a white stone\nalso not played: d4\n" in out.getvalue()


def test_an_engine_answers_between_the_moves_of_a_line() -> None:
    game = session(["a1 b1 c1", "undo 6"], white=GOOD)
    game.run()
    assert game.table.moves == []
    game = session(["a1 b1 c1"], white=GOOD)
    game.run()
    assert [move.color for move in game.table.moves] == ["black", "white"] * 3
    assert [move.point for move in game.table.moves[::2]] == [(0, 8), (1, 8), (2, 8)]


def test_moves_behind_the_end_of_the_game_are_dropped() -> None:
    game = session(["a1 a9 b1 b9 c1 c9 d1 d9 e1 e9 f1"])
    out = StringIO()
    game.screen = Screen(out, {color: "somebody" for color in Color})
    game.run()
    assert len(game.table.moves) == 9 and game.table.end is not None
    assert "the game is over; undo, save FILE or quit\nalso not played: f1\n" in out.getvalue()


def told(lines: Sequence[str], **keys: object) -> tuple[Session, str]:
    """Returns a game with these lines typed, and what was shown."""
    game = session(lines, **keys)
    out = StringIO()
    game.screen = Screen(out, {color: "somebody" for color in Color})
    game.run()
    return game, out.getvalue()


def points_of(game: Session) -> list[tuple[int, int]]:
    return [move.point for move in game.table.moves]


def test_what_was_taken_back_can_be_played_again() -> None:
    game, shown = told(["a9 b9 c9 d9", "undo 3", "redo", "redo 2", "redo"])
    assert points_of(game) == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert "only 0 move(s) can be played again" in shown
    game, shown = told(["a9 b9 c9", "undo 2", "redo 3", "e5", "redo"])
    assert points_of(game) == [(0, 0), (4, 4)], "another move ends it"
    assert "only 2 move(s)" in shown and "only 0 move(s)" in shown
    game, _ = told(["a9 a8 a7 a6", "undo", "redo"], white=GOOD)
    assert [move.color for move in game.table.moves] == ["black", "white"] * 4
    game, _ = told(["a1 a9 b1 b9 c1 c9 d1 d9 e1", "undo", "redo"])
    assert game.table.end is not None and game.table.end.winner is Color.BLACK


@pytest.mark.parametrize("rule", [Rule.NINUKI, Rule.RENJU])
def test_undo_and_redo_are_inverse(rule: Rule) -> None:
    game, _ = told(["3,3 4,3 8,8 5,3 6,3"], rule=rule)
    before = dict(game.table.position.stones)
    for count in range(1, 6):
        game.table.undo(count)
        game.table.redo(count)
        assert dict(game.table.position.stones) == before
        assert len(game.table.moves) == 5


def test_squares_are_shown_in_either_kind() -> None:
    _, shown = told(["a1", "moves", "squares xy", "moves", "a9", "squares a1", "squares h8"])
    assert "1. X black somebody: a1 (0,8)" in shown
    assert "  1. a1\n" in shown and "  1. 0,8\n" in shown
    assert "2. O white somebody: 0,0 (a9)" in shown
    assert "\n  1[X]. . . . . . . . 1\n    a b c d e f g h i\n" in shown
    assert "\n    0 1 2 3 4 5 6 7 8\n  0[O]" in shown
    assert "squares: 'h8': expected a1 or xy" in shown
    assert Notation(15, Squares.XY).both((7, 3)) == "7,3 (h12)"


def test_labels_of_two_digits_stand_upright() -> None:
    labels = Notation(12, Squares.XY).labels
    lines = draw_board(12, {}, labels=labels)
    assert lines[0] == "   " + "  " * 10 + " 1 1"
    assert lines[1] == "    0 1 2 3 4 5 6 7 8 9 0 1"
    assert lines[-2:] == lines[:2]


def test_both_clocks_are_shown() -> None:
    table = Table(9, Rule.FREESTYLE, 200)
    for point, ms in (((0, 0), 61_500.0), ((1, 0), 1_000.0), ((2, 0), 560.0)):
        table.play(point, ms)
    out = StringIO()
    Screen(out, {color: "x" for color in Color}).board(table, show_bans=False)
    assert "time used:  black 1:02.1  white 0:01.0\n" in out.getvalue()
    assert (table.spent_ms(Color.BLACK), table.spent_ms(Color.WHITE)) == (62_060.0, 1_000.0)


def test_a_game_is_saved_again_and_under_another_name(tmp_path: Path) -> None:
    taken = tmp_path / "taken.psq"
    taken.write_text("mine")
    one = tmp_path / "one.psq"
    _, shown = told(["save", "a1", f"save {one}", "b1", "save", f"save {taken}"])
    assert "save needs a file name" in shown
    assert "already exists; choose another name, or `save as` to replace it" in shown
    assert len(from_psq(one.read_text()).moves) == 2 and taken.read_text() == "mine"
    told(["a1", f"save as {taken}", "b1", "save"])
    assert len(from_psq(taken.read_text()).moves) == 2
    assert read_command("save as", 9) == Command("save", text="as")


def test_a_full_disk_costs_no_saved_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = tmp_path / "one.psq"
    told(["a1", f"save {one}"])
    kept = one.read_text()

    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        write(path, data[:5])
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    _, shown = told(["a1", "b1", f"save as {one}"])
    assert "one.psq cannot be written: No space left on device" in shown
    assert one.read_text() == kept


def test_a_score_has_its_win_rate() -> None:
    rival = shlex.join(fake(scores="100"))
    _, shown = told(["a1"], white=rival)
    assert re.search(r"2\. O white .* score 100 \(\d\d\.\d %\)", shown)


def test_a_move_waits_for_a_time_in_the_range() -> None:
    spec = parse_engine(GOOD)
    table = Table(9, Rule.FREESTYLE, 200)
    engines = {color: Engine(spec, size=9, rule=0, turn_ms=20_000) for color in Color}
    game = Session(
        table, engines, None, Screen(StringIO(), {c: "x" for c in Color}), Typist([]),
        Options(delay_ms=(1, 60)),
    )  # fmt: skip
    waits: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.sleep", waits.append)
        game.run()
    drawn = [ms for ms in waits if ms > 0]
    assert len({round(ms, 4) for ms in drawn}) > 3, "drawn anew for each move"
    assert max(drawn) <= 0.06


def test_the_reviewer_sees_the_game_as_it_stands(tmp_path: Path) -> None:
    seen: list[tuple[int, Path | None]] = []

    def reviewer(record: GameRecord, folder: Path | None) -> list[str]:
        seen.append((len(record.moves), folder))
        if folder is None:
            raise ValueError("no such thing")
        return ["a turning point"]

    game = session(["a1 b1", "review", f"review {tmp_path}", "resign"])
    out = StringIO()
    game.screen = Screen(out, {color: "somebody" for color in Color})
    game.reviewer = reviewer
    game.options = Options(review=True)
    game.run()
    assert seen == [(2, None), (2, tmp_path), (2, None)], "the last one when the game ended"
    assert "the game cannot be reviewed: no such thing" in out.getvalue()
    assert "\na turning point\n" in out.getvalue()
    assert "no engine is available" in told(["review"])[1]
