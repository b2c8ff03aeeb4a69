"""Copies, signals, forks and dropped analyses: an engine ends its work and is not used twice."""

import copy
import functools
import gc
import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

import pyengine
from pyengine import Analysis, BusyError, ClosedError, Color, Engine, Limits, Rule, _native
from tests.support.stopwatch import Stopwatch, undisturbed

BLACK, WHITE = [(7, 7), (9, 6)], [(8, 8), (6, 8)]
LONGEST_S = 0.2
"""The longest time from Ctrl-C to the exception."""


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(memory_mib=4) as engine:
        engine.set_position(black=BLACK, white=WHITE)
        yield engine


# --- copies --------------------------------------------------------------------------------------

COPIES: dict[str, Callable[[object], object]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {protocol}": functools.partial(pickle.dumps, protocol=protocol)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("name", COPIES)
def test_an_engine_is_not_copied(engine: Engine, name: str) -> None:
    """A copy shared the core's memory and used it after the original was closed."""
    with pytest.raises(TypeError, match="an Engine cannot be copied or pickled"):
        COPIES[name](engine)
    with pytest.raises(TypeError, match="an Engine cannot be copied"):
        COPIES[name]([{"engine": engine}] if name != "copy" else engine)
    analysis = engine.analyse(Limits(depth=1))
    with pytest.raises(TypeError, match="an Analysis cannot be copied or pickled"):
        COPIES[name](analysis)
    with pytest.raises(TypeError, match="a handle of the core cannot be copied"):
        COPIES[name](engine._handle)
    assert engine.search(Limits(depth=1)).depth == 1


def test_a_handle_that_was_freed_is_not_used() -> None:
    """The core never gets a freed pointer."""
    handle = _native.Handle(15, Rule.FREESTYLE, 1, 1024)
    handle.free()
    handle.free()
    for call in (handle.stop, handle.arm, handle.undo, handle.outcome, handle.clear_table):
        with pytest.raises(ClosedError):
            call()


# --- Ctrl-C --------------------------------------------------------------------------------------


Send = Callable[[float], list[Stopwatch]]


@pytest.fixture
def ctrl_c() -> Iterator[Send]:
    """Sends the signal to the main thread after some seconds; a stopwatch starts then."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers: list[threading.Timer] = []

    def send(watches: list[Stopwatch]) -> None:
        watches.append(Stopwatch())
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    def plan(seconds: float) -> list[Stopwatch]:
        watches: list[Stopwatch] = []
        timers.append(threading.Timer(seconds, send, (watches,)))
        timers[-1].start()
        return watches

    yield plan
    for timer in timers:
        timer.join()
    signal.signal(signal.SIGINT, before)


def assert_soon(ctrl_c: Send, call: Callable[[], object]) -> None:
    """Checks that Ctrl-C ends a call within the allowed time."""

    def seconds() -> float:
        watches = ctrl_c(0.2)
        with pytest.raises(KeyboardInterrupt):
            call()
        return watches[0].own_s

    assert undisturbed(seconds, lambda taken: taken < LONGEST_S) < LONGEST_S


def with_two_threads(e: Engine) -> None:
    """Runs a search without limits."""
    e.set_option("threads", 2)
    e.search(Limits(lines=2))


LONG: dict[str, Callable[[Engine], object]] = {
    "search without limits": lambda e: e.search(Limits(lines=2)),
    "search of a minute": lambda e: e.search(Limits(time_ms=60_000, lines=2)),
    "search of many nodes": lambda e: e.search(Limits(nodes=2**60, lines=2)),
    "search of many plies": lambda e: e.search(Limits(depth=100, lines=2)),
    "search of two threads": with_two_threads,
    "analysis": lambda e: e.analyse(lines=2).result(),
    "views of an analysis": lambda e: list(e.analyse(lines=2)),
    "block of an analysis": lambda e: until_interrupted(e.analyse(lines=2)),
}


def until_interrupted(analysis: Analysis) -> None:
    """Waits inside the block of an analysis."""
    with analysis:
        while analysis.running:
            time.sleep(1)


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_a_long_call(engine: Engine, ctrl_c: Send, name: str) -> None:
    """A search once noticed Ctrl-C only after its end."""
    for _ in range(2):
        assert_soon(ctrl_c, lambda: LONG[name](engine))
        gc.collect()
        assert engine.search(Limits(depth=2)).depth == 2, "the engine can be used as before"
        engine.play(engine.search(Limits(nodes=10)).move)


def test_ctrl_c_ends_the_proofs(
    engine: Engine, ctrl_c: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proof searches are long in few positions only, so the core is slowed down here."""

    def slow(handle: _native.Handle, *_: object) -> list[tuple[int, int]]:
        handle.search(Limits(lines=2))
        return []

    monkeypatch.setattr(_native.Handle, "vcf", slow)
    monkeypatch.setattr(_native.Handle, "vct", slow)
    for call in (engine.vcf, engine.vct):
        assert_soon(ctrl_c, call)
    assert engine.search(Limits(depth=2)).depth == 2


def test_ctrl_c_ends_the_bench(ctrl_c: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_native, "bench_row", lambda index: time.sleep(3))
    assert_soon(ctrl_c, lambda: next(pyengine.bench()))


def test_a_second_ctrl_c_leaves_no_search_behind(engine: Engine, ctrl_c: Send) -> None:
    for seconds in (0.2, 0.2005, 0.201, 0.202, 0.205):
        ctrl_c(seconds)
    for _ in range(5):
        with suppress(KeyboardInterrupt):
            engine.search(Limits(lines=2, time_ms=1000))
            break
    while True:
        with suppress(KeyboardInterrupt):
            time.sleep(0.3)
            break
    assert engine.search(Limits(depth=2)).depth == 2


def test_a_handler_that_does_not_raise_ends_nothing(engine: Engine, ctrl_c: Send) -> None:
    """A handler may stop the search; calls that would wait for the search are refused."""
    seen: list[str] = []

    def handler(*_: object) -> None:
        for name, call in (
            ("legal", lambda: engine.legal((0, 0))),
            ("search", lambda: engine.search(Limits(depth=1))),
            ("analyse", lambda: engine.analyse(Limits(depth=1))),
        ):
            with pytest.raises(BusyError, match="signal handler"):
                call()
            seen.append(name)
        if len(seen) > 3:
            engine.stop()

    signal.signal(signal.SIGINT, handler)
    ctrl_c(0.2)
    ctrl_c(0.6)
    result = engine.search(Limits(lines=2))
    assert seen == ["legal", "search", "analyse"] * 2
    assert result.time_ms > 400 and engine.legal(result.move)


def test_a_handler_may_close_the_engine(ctrl_c: Send) -> None:
    """A SIGTERM handler may close the engine. Once it and the search waited for each other."""
    engine = Engine(memory_mib=1)
    engine.set_position(black=BLACK, white=WHITE)
    signal.signal(signal.SIGINT, lambda *_: engine.close())
    ctrl_c(0.2)
    assert engine.search(Limits(lines=2)).pv
    assert engine._handle is None
    with pytest.raises(ClosedError):
        engine.legal((0, 0))


def test_a_handler_may_call_what_it_has_interrupted(engine: Engine, ctrl_c: Send) -> None:
    """A short call holds the lock, too, and the handler runs on the thread that holds it."""
    seen: list[bool] = []
    signal.signal(signal.SIGINT, lambda *_: seen.append(engine.legal((0, 0))))
    while len(seen) < 10:
        ctrl_c(0.0)
        for _ in range(200):
            engine.legal((1, 1))
            engine.progress()
    assert all(seen)


def test_without_a_handler_of_python_no_thread_is_started(engine: Engine) -> None:
    """If SIGINT ends the process, a move needs no second thread."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    started: list[int] = []
    try:
        search = _native.Handle.search

        def noted(handle: _native.Handle, limits: Limits) -> object:
            started.append(threading.get_ident())
            return search(handle, limits)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(_native.Handle, "search", noted)
            engine.search(Limits(depth=2))
            signal.signal(signal.SIGINT, signal.default_int_handler)
            engine.search(Limits(depth=2))
            engine.search(Limits(time_ms=20))
            engine.search(Limits(nodes=50))
    finally:
        signal.signal(signal.SIGINT, before)
    me = threading.get_ident()
    assert [ident == me for ident in started] == [True, False, True, True]


def test_without_threads_a_search_goes_on_as_well(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("pyengine._calls._thread.start_new_thread", refused)
    assert engine.search(Limits(depth=3)).depth == 3
    with pytest.raises(pyengine.OffBoardError):
        engine.search(Limits(depth=3, excluded=[(15, 0)]))


# --- analyses that nobody looks at any more ------------------------------------------------------


@pytest.mark.parametrize("in_a_circle", [False, True])
def test_an_analysis_that_is_dropped_stops(engine: Engine, *, in_a_circle: bool) -> None:
    """A dropped analysis once ran on, and every other call waited for it."""
    analysis = engine.analyse(lines=2)
    if in_a_circle:
        circle: list[object] = [analysis]
        circle.append(circle)
        del circle
    seen = weakref.ref(analysis)
    del analysis
    gc.collect()
    assert seen() is None
    assert engine.legal((0, 0)), "only possible after the search"
    assert engine.search(Limits(depth=2)).depth == 2


def test_leaving_the_loop_over_an_analysis_stops_it(engine: Engine) -> None:
    for view in engine.analyse(lines=2):
        assert view.lines
        break
    assert engine.legal((0, 0))


def test_an_engine_and_its_analysis_go_together() -> None:
    engine = Engine(memory_mib=1)
    analysis = engine.analyse(lines=2)
    seen: list[weakref.ref[Any]] = [weakref.ref(engine), weakref.ref(engine._handle)]
    del engine, analysis
    deadline = time.monotonic() + 60
    while any(ref() is not None for ref in seen) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [ref() for ref in seen] == [None, None]


# --- other processes -----------------------------------------------------------------------------


def in_a_child(work: Callable[[], None]) -> None:
    """Runs a function in a forked child; fails if it raises or does not end."""
    child = multiprocessing.get_context("fork").Process(target=work, daemon=True)
    child.start()
    child.join(30)
    hangs = child.is_alive()
    if hangs:
        child.kill()
    assert not hangs, "the child does not end"
    assert child.exitcode == 0


def test_an_idle_engine_goes_on_in_both_processes(engine: Engine) -> None:
    def work() -> None:
        engine.play((0, 0))
        assert engine.search(Limits(depth=3)).depth == 3
        with engine.analyse(Limits(depth=2)) as analysis:
            assert analysis.result().depth == 2
        engine.close()
        engine.close()

    in_a_child(work)
    assert engine.legal((0, 0)) and engine.search(Limits(depth=3)).depth == 3


@pytest.mark.parametrize("how", ["search", "analysis", "pestered"])
def test_an_engine_that_searches_is_closed_in_a_forked_child(engine: Engine, how: str) -> None:
    """close() once waited in the child for a thread that only the parent has."""
    analysis = engine.analyse(lines=2) if how != "search" else None
    searching = threading.Thread(target=lambda: engine.search(Limits(lines=2)))
    if how == "search":
        searching.start()
    while not engine.progress():
        time.sleep(0.001)
    over = threading.Event()

    def pester() -> None:
        while not over.is_set():
            engine.progress()

    def work() -> None:
        for call in (engine.forbidden, engine.stop, engine.progress, engine.undo):
            with pytest.raises(ClosedError, match="forked while the engine was busy"):
                call()
        if analysis is not None:
            assert not analysis.running
            analysis.stop()
            with pytest.raises(ClosedError, match="forked"):
                analysis.result()
            analysis.view()
            assert len(list(analysis)) <= 1
            with analysis:
                pass
        engine.close()
        engine.close()
        with Engine(memory_mib=1) as another:
            another.set_position(black=BLACK, white=WHITE)
            assert another.search(Limits(depth=3)).depth == 3

    pesterer = threading.Thread(target=pester)
    if how == "pestered":
        pesterer.start()
    for _ in range(5 if how == "pestered" else 1):
        in_a_child(work)
    over.set()
    engine.stop()
    if analysis is not None:
        assert analysis.result().pv
    if searching.ident is not None:
        searching.join()
    assert engine.search(Limits(depth=2)).depth == 2


SCRIPT = """
import os, sys, threading, time
from pyengine import *
engine = Engine(memory_mib=1)
engine.set_position(black=[(7, 7), (9, 6)], white=[(8, 8), (6, 8)])
how = sys.argv[1]
if how == "search":
    threading.Thread(target=lambda: engine.search(Limits(lines=2)), daemon=True).start()
else:
    analysis = engine.analyse(lines=2)
while not engine.progress():
    time.sleep(0.001)
if how == "dropped":
    del analysis
if how == "forked" and os.fork():
    _, status = os.wait()
    sys.exit(os.waitstatus_to_exitcode(status))
if how == "raised":
    raise SystemExit(7)
"""


@pytest.mark.parametrize(
    "how",
    [
        "search",
        "analysis",
        "dropped",
        "raised",
        "forked",
    ],
)
def test_the_interpreter_ends_while_a_search_runs(how: str) -> None:
    """The interpreter exits at once and without a crash, also in a forked child."""
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (7 if how == "raised" else 0, "")


def test_the_color_to_move_is_kept_after_an_interrupt(engine: Engine, ctrl_c: Send) -> None:
    """An interrupted search leaves the position unchanged."""
    engine.set_position(black=BLACK, white=WHITE, to_move=Color.WHITE)
    before = engine.evaluate()
    ctrl_c(0.2)
    with pytest.raises(KeyboardInterrupt):
        engine.search(Limits(lines=2))
    assert engine.evaluate() == before
    engine.play((0, 0))
    engine.undo()
    assert engine.evaluate() == before
