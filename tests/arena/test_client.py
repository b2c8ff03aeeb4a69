"""Any brain, used by a script."""

import shlex
import sys

import pytest

import arena
from arena.engines.brain import CommandError
from arena.play.client import Brain
from arena.util.faults import BrainFault
from pyengine import Game, Position
from records.winrate import wdl
from tests.support.fakes import fake
from tests.support.paths import SUPPORT

BEGINNER = shlex.join((sys.executable, "-S", "-E", str(SUPPORT / "fakes" / "beginner.py")))
CONFIGURABLE = shlex.join(
    (sys.executable, "-S", "-E", str(SUPPORT / "fakes" / "configurable_brain.py"))
)


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def test_the_package_has_it() -> None:
    assert arena.Brain is Brain
    with pytest.raises(AttributeError, match="has no attribute 'Brian'"):
        _ = arena.Brian


def test_our_own_engine_tells_score_and_line() -> None:
    with Brain() as brain:
        assert repr(brain) == "<Brain tengen, not started>"
        position = Position.from_text("h8 i9 h10 i8 j7", rule="renju")
        found = brain.search(position, time_ms=300)
        assert repr(brain) == "<Brain tengen, running>"
        assert position.legal(found.name)
        assert found.score is not None and found.depth is not None
        assert found.win_rate is not None and 0 < found.win_rate < 1
        assert found.wdl() == wdl(4, found.score, size=15, placed=5)
        assert found.names[0] == found.name
        assert str(found).startswith(f"depth {found.depth}  {found.score:+} (")
        best = brain.analyse(position, lines=3, time_ms=300)
        assert len(best.lines) == 3
        assert len({line.moves[0] for line in best.lines}) == 3
        three = Position.from_text("h8 a1 h9 a3 h10 a5")
        won = brain.search(three, nodes=1000, analysis=True)
        assert won.mate is not None and won.mate > 0
        assert (won.win_rate, won.wdl(), won.size) == (1.0, (1, 0, 0), 15)


def test_captures_are_told() -> None:
    position = Position(19, "ninuki", black=["k10"], white=["i10", "j10"], turn="black")
    position.play("h10", "a1")
    with Brain() as brain:
        assert position.legal(brain.search(position, nodes=300).name)


def test_captured_stones_were_placed() -> None:
    with Brain() as brain:
        position = Position.from_text("k10 k11 l10 k12 k13", rule="pente", size=19)
        assert position.captures == (1, 0)
        assert brain.search(position, nodes=500, analysis=True).placed == 5


def test_a_brain_that_says_nothing() -> None:
    with Brain(BEGINNER, name="novice", info={"level": 3}) as brain:
        found = brain.search(Position.from_text("h8 i9"), time_ms=100)
        assert (brain.name, found.score, found.win_rate) == ("novice", None, None)
        assert found.wdl() is None
        assert str(found) == f"no score  {found.name}"
        assert brain.search(Position.from_text("h8 i9"), time_ms=100, analysis=True).name


def test_two_brains_play() -> None:
    with Brain(BEGINNER) as one, Brain(CONFIGURABLE) as other:
        game = Game(rule="standard").play_out(one, other, time_ms=100)
    assert game.is_over


def test_a_fault_is_raised_and_the_next_search_starts_anew() -> None:
    with Brain(shlex.join(fake("crash", at=1))) as brain:
        for _ in range(2):
            with pytest.raises(BrainFault):
                brain.search(Position(), time_ms=50)


def test_wrong_arguments() -> None:
    with pytest.raises(CommandError, match="no such file or command"):
        Brain("no-such-brain-anywhere")
    brain = Brain(BEGINNER)
    with pytest.raises(ValueError, match="time_ms must be 0 or more, not -1"):
        brain.search(Position(), time_ms=-1)
    with pytest.raises(ValueError, match="lines must be at least 1, not 0"):
        brain.analyse(Position(), lines=0)
    with pytest.raises(TypeError, match="position must be a Position, not 'h8'"):
        brain.search("h8")  # type: ignore[arg-type]
    brain.close()
