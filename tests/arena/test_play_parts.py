"""Parts of the board at the terminal: commands, session, engines, saved games."""

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.engines.lines import Answer
from arena.engines.spec import EngineSpec, parse_engine
from arena.game.formats import from_psq, from_sgf
from arena.game.record import EndReason
from arena.play.engine import Engine, Variation, _analysis, default_engine, variation_text
from arena.play.screen import Screen
from arena.play.session import Options, Session
from arena.play.table import Table
from arena.play.words import Place, Places, Word, WordError, read_word
from arena.rules.referee import Color, Rule
from arena.util.faults import BrainFault
from tests.support.fakes import fake, no_brain_is_left
from tests.support.paths import SUPPORT

MANNERED = SUPPORT / "fakes" / "mannered_brain.py"
GOOD = shlex.join((sys.executable, "-S", "-E", str(MANNERED)))


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert no_brain_is_left()


def test_words_are_read() -> None:
    assert read_word("  ", 15) is None
    for line in ("h8", " H8 ", "7,7", "7, 7", "7 7"):
        assert read_word(line, 15) == Place((7, 7)), line
    assert read_word("undo", 15) == Word("undo")
    assert read_word("u 2", 15) == Word("undo", number=2)
    assert read_word("ANALYZE 5", 15) == Word("analyse", number=5)
    assert read_word("save my game.psq", 15) == Word("save", text="my game.psq")
    for line in ("h8 i9 j8", "h8i9j8", "h8, 8,8; j8", "7,7 8,8 9,7", "7 7 8 8 9 7"):
        assert read_word(line, 15) == Places(((7, 7), (8, 8), (9, 7))), line
    for line, said in (
        ("h8 foo j8", "'foo' is not a square (e.g. h8 or 7,7); no move was played"),
        ("h8 i9 z9", "'z9' is off the board"),
        ("h8 i", "'i' is not a square"),
    ):
        with pytest.raises(WordError, match=re.escape(said)):
            read_word(line, 15)
    with pytest.raises(WordError, match="hint or help"):
        read_word("h", 15)
    with pytest.raises(WordError, match="off the board"):
        read_word("h8", 7)


@given(st.text(max_size=30), st.integers(5, 22))
def test_any_line_is_read_or_refused(line: str, size: int) -> None:
    try:
        word = read_word(line, size)
    except WordError as error:
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


COMMANDS = st.sampled_from(["undo", "undo 2", "hint", "take", "board", "resign", "moves", "help"])
SQUARES = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda xy: f"{xy[0]},{xy[1]}")


@settings(max_examples=60, deadline=None)
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
    assert points == [(0, 0), (4, 4)]
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


def test_an_analysis_is_read_as_it_is_told() -> None:
    said = (
        "MESSAGE LINE 1 DEPTH 3-4 SCORE 20 NODES 9 TIME 1 PV 7,7 8,8",
        "MESSAGE LINE 2 DEPTH 3-4 SCORE 10 NODES 9 TIME 1 PV 6,6 8,8",
        "MESSAGE LINE 1 DEPTH 4-9 SCORE 29997 MATE 3 NODES 9 TIME 1 PV 6,6 8,7 5,5",
        "MESSAGE NOTHING OF THIS KIND",
    )
    analysis = _analysis(Answer("6,6", 5.0, said, 0.0), 3)
    told = [(variation.moves[0], variation.depth) for variation in analysis.variations]
    assert told == [((6, 6), 4), ((7, 7), 3)]  # what the last depth left unsaid, from before it
    assert analysis.variations[0].mate == 3
    assert "win in 3" in variation_text(1, analysis.variations[0], 0)
    assert "score 20 (52.1 %)" in variation_text(2, analysis.variations[1], 0)
    assert "score 20 (50.1 %)" in variation_text(2, analysis.variations[1], 16)
    assert "score +M5  " in variation_text(1, Variation(((7, 7),), score="+M5"), 0)
    older = _analysis(Answer("7,7", 5.0, said, 0.0), 3)
    assert [variation.moves[0] for variation in older.variations] == [(7, 7), (6, 6)]
    foreign = _analysis(Answer("1,2", 5.0, ("MESSAGE depth 5 eval -12",), 0.0), 3)
    assert foreign.variations == (Variation(((1, 2),), 5, "-12"),)
    assert foreign.raw


def test_an_engine_without_several_lines_still_has_an_opinion() -> None:
    table = Table(15, Rule.FREESTYLE, 20_000)
    table.play((7, 7), 1.0)
    engine = Engine(parse_engine(GOOD), size=15, rule=0, turn_ms=20_000)
    try:
        analysis = engine.analyse(table.request(limit_ms=20_000, is_new=True), 3)
        again = engine.analyse(table.request(limit_ms=20_000, is_new=True), 3)
    finally:
        engine.stop()
    assert [variation.moves for variation in analysis.variations] == [((6, 6),)]
    assert again.variations == analysis.variations


def test_an_engine_that_refuses_to_start_says_why() -> None:
    spec = EngineSpec("odd", tuple(fake("start-text", text=r"ERROR no core\n")))
    engine = Engine(spec, size=15, rule=0, turn_ms=20_000)
    with pytest.raises(BrainFault, match="ERROR no core"):
        engine.move(Table(15, Rule.FREESTYLE, 20_000).request(limit_ms=20_000, is_new=True))
    engine.stop()


def test_our_own_engine_is_found() -> None:
    spec = default_engine()
    assert spec.name == "tengen"
    assert spec.command[0] == sys.executable or spec.command[0].endswith("tengen")


def test_a_saved_game_goes_on_where_it_stood(tmp_path: Path) -> None:
    game = session(["h8", "a1", f"save {tmp_path}/one", f"save {tmp_path}/one.sgf", "h9"])
    game.run()
    psq = from_psq((tmp_path / "one.psq").read_text())
    sgf = from_sgf((tmp_path / "one.sgf").read_text())
    for record in (psq, sgf):
        assert [move.point for move in record.moves] == [(7, 7), (0, 0)]
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
    points = [(7, 7), (8, 8), (6, 6), (2, 2), (3, 3)]
    assert [move.point for move in game.table.moves] == points
    assert "c3 already has a white stone\nalso not played: d4\n" in out.getvalue()


def test_an_engine_answers_between_the_moves_of_a_line() -> None:
    game = session(["a1 b1 c1", "undo 6"], white=GOOD)
    game.run()
    assert game.table.moves == []
    game = session(["a1 b1 c1"], white=GOOD)
    game.run()
    assert [move.color for move in game.table.moves] == ["black", "white"] * 3
    assert [move.point for move in game.table.moves[::2]] == [(0, 0), (1, 0), (2, 0)]


def test_moves_behind_the_end_of_the_game_are_dropped() -> None:
    game = session(["a1 a9 b1 b9 c1 c9 d1 d9 e1 e9 f1"])
    out = StringIO()
    game.screen = Screen(out, {color: "somebody" for color in Color})
    game.run()
    assert len(game.table.moves) == 9 and game.table.end is not None
    assert "the game is over; undo, save FILE or quit\nalso not played: f1\n" in out.getvalue()
