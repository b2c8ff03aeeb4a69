"""Engine.analyse: a search that is watched while it runs."""

import _thread
import itertools
import threading
import time
from typing import Any

import pytest

from pyengine import (
    ClosedError,
    Color,
    Engine,
    Limits,
    NoMoveError,
    OffBoardError,
    OutOfRangeError,
    SearchResult,
    View,
    WrongTypeError,
)
from pyengine import analysis as analysis_module
from pyengine._handle import Handle
from tests.support.quiet import BLACK, WHITE
from tests.support.stopwatch import Stopwatch


def test_it_goes_on_until_it_is_stopped(engine: Engine) -> None:
    with engine.analyse(lines=3) as analysis:
        views: list[View] = []
        for view in analysis:
            views.append(view)
            if len(views) == 8:
                time.sleep(0.1)
                assert analysis.running
                watch = Stopwatch()
                analysis.stop()
        assert watch.own_s < 0.5
        assert not analysis.running
        result = analysis.result()
    assert views[-1] == analysis.view()
    assert result.move == views[-1].lines[0].pv[0]
    assert engine.search(Limits(depth=1)).depth == 1, "the engine is free again"


def test_a_view_grows_and_holds_each_move_once(engine: Engine) -> None:
    with engine.analyse(Limits(depth=8), lines=4) as analysis:
        views = list(analysis)
    assert views[-1].depth == 8
    assert [line.line for line in views[-1].lines] == [0, 1, 2, 3]
    assert {line.depth for line in views[-1].lines} == {8}
    for before, after in itertools.pairwise(views):
        assert before.depth <= after.depth and before.nodes <= after.nodes
        assert before.time_ms <= after.time_ms
    for view in views:
        moves = [line.pv[0] for line in view.lines]
        assert len(set(moves)) == len(moves)
        assert view.score == view.lines[0].score


def test_nothing_is_played(engine: Engine) -> None:
    with engine.analyse(Limits(nodes=2_000)) as analysis:
        move = analysis.result().move
    assert engine.legal(move)
    assert engine.search(Limits(depth=2)).move not in {*BLACK, *WHITE}
    engine.play(move)


def test_nothing_of_an_earlier_search_is_seen(engine: Engine) -> None:
    assert engine.search(Limits(depth=9)).depth == 9
    assert engine.progress()
    engine.set_position(black=[(0, 0)], white=[(1, 1)])
    with engine.analyse(Limits(depth=2)) as analysis:
        assert {line.depth for view in analysis for line in view.lines} <= {1, 2}
    engine.arm()
    assert engine.progress() == []


def test_leaving_the_block_ends_it(engine: Engine) -> None:
    watch = Stopwatch()
    with engine.analyse(lines=2):
        time.sleep(0.1)
    engine.set_position()
    assert watch.own_s < 1


def test_limits_hold(engine: Engine) -> None:
    watch = Stopwatch()
    assert engine.analyse(Limits(time_ms=200, lines=2)).result().time_ms >= 150
    assert watch.own_s < 1
    assert engine.analyse(Limits(nodes=500), lines=1).result().nodes <= 532
    with engine.analyse(Limits(depth=3, lines=5)) as analysis:
        assert len(list(analysis)[-1].lines) == 5
    excluded = engine.analyse(Limits(depth=3)).result().move
    other = engine.analyse(Limits(depth=3, excluded=[excluded])).result().move
    assert other != excluded


def test_there_are_no_more_lines_than_moves() -> None:
    with Engine(size=5, memory_mib=1) as engine:
        black = [(x, y) for x in range(5) for y in range(5) if (x + 2 * y) % 4 < 2][:11]
        squares = [(x, y) for x in range(5) for y in range(5) if (x, y) not in black]
        engine.set_position(black=black, white=squares[:-2])
        with engine.analyse(Limits(depth=2), lines=10) as analysis:
            views = list(analysis)
        assert views and len(views[-1].lines) <= 2


def test_as_many_lines_as_the_board_has_moves() -> None:
    """The buffer of lines overflows, but the last one of each rank is never lost."""
    with Engine(size=22, memory_mib=1) as engine:
        apart = [(x, y) for x in range(2, 22, 4) for y in range(2, 22, 4)]
        engine.set_position(black=apart[::2], white=apart[1::2])
        with engine.analyse(Limits(depth=2), lines=22 * 22) as analysis:
            analysis.result()
            view = analysis.view()
    assert view is not None
    assert len(view.lines) > 400
    assert [line.line for line in view.lines] == list(range(len(view.lines)))
    assert {line.depth for line in view.lines} == {2}


def test_errors_come_with_the_result(engine: Engine) -> None:
    with pytest.raises(OffBoardError):
        engine.analyse(Limits(depth=1, excluded=[(15, 0)])).result()
    full = [(x, y) for x in range(15) for y in range(15)]
    engine.set_position(
        black=[m for i, m in enumerate(full) if i % 4 < 2],
        white=[m for i, m in enumerate(full) if i % 4 >= 2],
    )
    analysis = engine.analyse(Limits(depth=1))
    assert list(analysis) == [] and analysis.view() is None
    with pytest.raises(NoMoveError):
        analysis.result()


def test_bad_arguments(engine: Engine) -> None:
    with pytest.raises(OutOfRangeError, match="lines"):
        engine.analyse(lines=0)
    with pytest.raises(WrongTypeError, match="limits"):
        engine.analyse(3)  # type: ignore[arg-type]


def test_an_analysis_and_another_thread_wait_for_each_other(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An analysis and another thread exclude each other; a stop ends only its own search."""
    began: list[str] = []
    search = Handle.search

    def noted(handle: Handle, limits: Limits, placed: int) -> SearchResult:
        began.append("analysis" if limits.nodes is None else "search")
        return search(handle, limits, placed)

    def late(*arguments: Any) -> None:
        time.sleep(0.2)
        run(*arguments)

    run = analysis_module._run
    monkeypatch.setattr(analysis_module, "_run", late)
    monkeypatch.setattr(Handle, "search", noted)
    results: list[SearchResult] = []
    analysis = engine.analyse(lines=2)
    other = threading.Thread(
        target=lambda: results.append(engine.search(Limits(nodes=100_000, lines=2)))
    )
    other.start()
    time.sleep(0.5)
    assert analysis.running and began == ["analysis"]
    analysis.stop()
    assert analysis.result().move
    while other.is_alive():
        analysis.stop()
    assert began == ["analysis", "search"] and results[0].nodes >= 100_000


def test_an_analysis_that_cannot_begin_blocks_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*given: object) -> int:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched, pytest.raises(RuntimeError):
        patched.setattr(_thread, "start_new_thread", refused)
        engine.analyse()
    assert engine.search(Limits(depth=1)).depth == 1


def test_closing_the_engine_ends_it() -> None:
    engine = Engine(memory_mib=1)
    engine.set_position(black=BLACK, white=WHITE, to_move=Color.BLACK)
    analysis = engine.analyse(lines=2)
    time.sleep(0.1)
    seen = analysis.view()
    engine.close()
    assert seen is not None and analysis.result().depth >= seen.depth
    assert analysis.view() == seen
    with pytest.raises(ClosedError):
        engine.analyse()
