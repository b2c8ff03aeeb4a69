"""Signals: Ctrl-C ends a long call soon, and a handler may stop or close the engine."""

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

import pyengine
from pyengine import Analysis, BusyError, ClosedError, Color, Engine, Limits, _native
from pyengine._handle import Handle
from tests.support.quiet import BLACK, WHITE
from tests.support.stopwatch import Stopwatch, undisturbed

LONGEST_S = 0.2
"""The longest time from Ctrl-C to the exception."""


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

    def slow(handle: Handle, *_: object) -> list[tuple[int, int]]:
        handle.search(Limits(lines=2), 0)
        return []

    monkeypatch.setattr(Handle, "vcf", slow)
    monkeypatch.setattr(Handle, "vct", slow)
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
    assert engine._guard.freed
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
        search = Handle.search

        def noted(handle: Handle, limits: Limits, placed: int) -> object:
            started.append(threading.get_ident())
            return search(handle, limits, placed)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Handle, "search", noted)
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
