"""The call of a VCT search: its limits, a stop, and a further call for the same position."""

import random
import threading

import pytest

from pyengine import Engine, OutOfRangeError, ProofAnswer
from tests.support.scenes import squares
from tests.support.stopwatch import Stopwatch
from tests.support.win_tree import MAX_NODES, engine, load, missed

LONG = max(load("vct_wins.json"), key=lambda c: len(c["answer"]))


def test_limits_are_kept() -> None:
    """Too few nodes or no time prove nothing; a stop ends the search."""
    with engine(LONG) as e:
        assert e.vct(max_nodes=5) is None
        assert e.vct(time_ms=0) is None
        assert e.vct(max_nodes=MAX_NODES) is not None
        with pytest.raises(OutOfRangeError):
            e.vct(max_nodes=0)
        with pytest.raises(OutOfRangeError):
            e.vct(time_ms=-1)


def test_the_largest_limit_is_none() -> None:
    with engine(LONG) as e:
        assert e.vct(max_nodes=2**63 - 1) is not None
    with engine(LONG) as e:
        line = e.vct(max_nodes=MAX_NODES)
        assert line is not None
        for move in line:
            if e.vcf(max_nodes=2**63 - 1) is not None:
                break
            e.play(move)
        else:
            pytest.fail("no win by fours on the way")


def test_a_fresh_engine_gives_the_same_line() -> None:
    """With one thread and a node limit the search is reproducible."""
    lines = []
    for _ in range(2):
        with engine(LONG) as e:
            lines.append(e.vct(max_nodes=MAX_NODES))
    assert lines[0] == lines[1]


def test_a_stop_ends_it() -> None:
    """A stop from another thread ends a search that would take more than a second."""
    rng = random.Random(121)
    dots = [(x, y) for x in range(1, 19, 2) for y in range(1, 20, 2)]
    black = rng.sample(dots, 22)
    white = rng.sample([m for m in squares(20) if m not in black], 34)
    with Engine(size=20, memory_mib=1) as e:
        e.set_position(black=black, white=white)
        assert e.prove_vct(max_nodes=2**40, time_ms=400).answer is ProofAnswer.NOT_FOUND
        for delay in (0.05, 0.2):
            timer = threading.Timer(delay, e.stop)
            timer.start()
            watch = Stopwatch()
            e.vct(max_nodes=2**40, time_ms=30_000)
            assert watch.own_s < 0.5
            timer.join()


def test_a_second_call_goes_on_where_the_first_one_ended() -> None:
    """Many calls with a few nodes each prove what one call with many nodes proves."""
    with engine(missed()[4]) as e:
        answers = [e.prove_vct(max_nodes=50_000) for _ in range(60)]
        assert answers[0].answer is ProofAnswer.NOT_FOUND
        assert any(answers)
