"""Engines of the board at the terminal: what they say, and how they are found."""

import shlex
import sys

import pytest

from arena.engines.lines import Answer
from arena.engines.spec import EngineSpec, parse_engine
from arena.play.client import numbers_of
from arena.play.engine import Engine, Variation, _analysis, default_engine, variation_text
from arena.play.notation import Notation
from arena.play.table import Table
from arena.rules.referee import Rule
from arena.util.faults import BrainFault
from records.winrate import percent, win_rate
from tests.support.fakes import fake
from tests.support.paths import SUPPORT

CONFIGURABLE = SUPPORT / "fakes" / "configurable_brain.py"
GOOD = shlex.join((sys.executable, "-S", "-E", str(CONFIGURABLE)))


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def test_an_analysis_is_read_as_it_is_told() -> None:
    said = (
        "MESSAGE LINE 1 DEPTH 3-4 SCORE 20 NODES 9 TIME 1 PV 7,7 8,8",
        "MESSAGE LINE 2 DEPTH 3-4 SCORE 10 NODES 9 TIME 1 PV 6,6 8,8",
        "MESSAGE LINE 1 DEPTH 4-9 SCORE 29997 MATE 3 NODES 9 TIME 1 PV 6,6 8,7 5,5",
        "MESSAGE NOTHING OF THIS KIND",
    )
    analysis = _analysis(Answer("6,6", 5.0, said, 0.0), 3, 15)
    told = [(variation.moves[0], variation.depth) for variation in analysis.variations]
    assert told == [((6, 6), 4), ((7, 7), 3)]  # what the last depth left unsaid, from before it
    assert analysis.variations[0].mate == 3
    name = Notation(15).name
    assert "win in 3" in variation_text(1, analysis.variations[0], 0, name)
    for rule in (0, 16):
        text = f"score 20 ({percent(win_rate(rule, 20))})"
        assert text in variation_text(2, analysis.variations[1], rule, name)
    assert "score +M5  " in variation_text(1, Variation(((7, 7),), score="+M5"), 0, name)
    older = _analysis(Answer("7,7", 5.0, said, 0.0), 3, 15)
    assert [variation.moves[0] for variation in older.variations] == [(7, 7), (6, 6)]
    foreign = _analysis(Answer("1,2", 5.0, ("MESSAGE depth 5 eval -12",), 0.0), 3, 15)
    assert foreign.variations == (Variation(((1, 2),), 5, "-12"),)
    assert foreign.raw


OWN_FORM = (
    "MESSAGE winrate 53.7% depth 9-14 multipv 1 ev 35",
    "MESSAGE depth 9-14 multipv 1 ev 35 n 81234 n/ms 676 tm 120 pv 10,10 11,11 8,8",
    "MESSAGE winrate 100.0% depth 9-14 multipv 2 ev +M7",
    "MESSAGE depth 9-14 multipv 2 ev +M7 n 81234 n/ms 676 tm 120 pv 3,12 0,14",
)
RAPFI_FORM = (
    "MESSAGE Speed 812K | Depth 9-14 | Eval 35 | Node 12M | Time 5ms",
    "MESSAGE depth 9-14 multipv 1 ev 35 n 1.5M n/ms 676 tm 120 pv K5 L4 I7",
    "MESSAGE depth 9-14 multipv 2 ev +M7 n 1.5M n/ms 676 tm 120 pv D3 A1",
)
PIPE_FORM = ("MESSAGE (1) 35 | 9-14 | K5 L4 I7", "MESSAGE (2) +M7 | 9-14 | D3 A1")
FROM_THE_TOP = ("MESSAGE (1) 35 | 9-14 | k11 l12 i9", "MESSAGE (2) +M7 | 9-14 | d13 a15")
OLD_FORM = (
    "MESSAGE LINE 1 DEPTH 9-14 SCORE 35 WINRATE 53.7% NODES 81234 TIME 120 PV 10,10 11,11 8,8",
    "MESSAGE LINE 2 DEPTH 9-14 SCORE 29993 MATE 7 WINRATE 100.0% NODES 9 TIME 120 PV 3,12 0,14",
)


@pytest.mark.parametrize("said", [OWN_FORM, RAPFI_FORM, PIPE_FORM, FROM_THE_TOP, OLD_FORM])
def test_the_lines_of_every_known_form_are_read(said: tuple[str, ...]) -> None:
    """The letters of Rapfi have a1 at the bottom left; others are known by their first move."""
    best, second = _analysis(Answer("10,10", 5.0, said, 0.0), 3, 15).variations
    assert best == Variation(((10, 10), (11, 11), (8, 8)), 9, "35")
    assert (second.moves, second.depth, second.mate) == (((3, 12), (0, 14)), 9, 7)
    assert numbers_of(second)[1] == 7


def test_one_line_is_read_up_to_a_square_off_the_board() -> None:
    said = ("MESSAGE Depth 5-8 | Eval -12 | Time 1.5s | H8 I99 H9",)
    (best,) = _analysis(Answer("7,7", 5.0, said, 0.0), 1, 15).variations
    assert best == Variation(((7, 7),), 5, "-12")


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
