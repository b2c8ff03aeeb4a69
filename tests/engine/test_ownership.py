"""An engine is not copied, and a dropped analysis ends its search."""

import _thread
import copy
import functools
import gc
import pickle
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from pyengine import ClosedError, Engine, Limits, Rule
from pyengine._handle import Handle
from pyengine.analysis import _Course, _Stopper

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
        COPIES[name](engine._guard.open())
    assert engine.search(Limits(depth=1)).depth == 1


def test_a_handle_that_was_freed_is_not_used() -> None:
    """The core never gets a freed pointer."""
    handle = Handle(15, Rule.FREESTYLE, 1, 1024)
    handle.free()
    handle.free()
    for call in (handle.stop, handle.arm, handle.undo, handle.outcome, handle.clear_table):
        with pytest.raises(ClosedError):
            call()


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


def fail(error: Exception) -> None:
    raise error


def test_dropping_an_analysis_begins_no_thread(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that begins while the interpreter ends crashed Python 3.11.2."""

    begun: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        begun.append(arguments)
        raise RuntimeError("a thread begins")

    analysis = engine.analyse(lines=2)
    for module in (_thread, threading):
        for name in ("start_new_thread", "_start_new_thread", "_start_joinable_thread"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, refuse)
    course = analysis._course
    del analysis
    assert begun == []
    assert course.over.wait(60)


ANALYSES = """
import _thread, time
from pyengine import Engine
with Engine(memory_mib=1) as engine:
    for _ in range(3):
        first = engine.analyse(lines=2)
        first.stop()
        second = engine.analyse(lines=2)
        del second
        assert first.result().move
    while _thread._count():
        time.sleep(0.01)
"""


def test_no_thread_outlives_the_last_analysis() -> None:
    """Later Pythons warn of a fork while there is another thread."""
    subprocess.run([sys.executable, "-c", ANALYSES], check=True, timeout=60)


def test_a_stopper_that_begins_late_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two may be begun before one counts itself; the second once waited for ever."""
    begun: list[Callable[[], None]] = []
    monkeypatch.setattr(_thread, "start_new_thread", lambda work, _: begun.append(work))
    stopper = _Stopper()
    courses = [_Course(Engine(memory_mib=1)) for _ in range(2)]
    for course in courses:
        stopper.watch(course)
    monkeypatch.undo()
    threads = [threading.Thread(target=work, daemon=True) for work in begun]
    assert len(threads) == 2
    threads[0].start()
    for course in courses:
        stopper.forget(course)
    threads[0].join(60)
    threads[1].start()
    threads[1].join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert stopper._threads == 0


def test_an_engine_that_cannot_be_stopped_does_not_keep_others_running(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: told.append(error[1]))
    with Engine(memory_mib=1) as broken:
        first, second = broken.analyse(lines=2), engine.analyse(lines=2)
        course = second._course
        with monkeypatch.context() as context:
            context.setattr(Engine, "stop", lambda _: fail(OSError("broken")))
            del first
            deadline = time.monotonic() + 60
            while not told and time.monotonic() < deadline:
                time.sleep(0.01)
        assert [str(error) for error in told] == ["broken"]
        del second
        assert course.over.wait(5), "by itself it would end after half a minute"


def test_leaving_the_loop_over_an_analysis_stops_it(engine: Engine) -> None:
    for view in engine.analyse(lines=2):
        assert view.lines
        break
    assert engine.legal((0, 0))


def test_an_engine_and_its_analysis_go_together() -> None:
    engine = Engine(memory_mib=1)
    analysis = engine.analyse(lines=2)
    seen: list[weakref.ref[Any]] = [weakref.ref(engine), weakref.ref(engine._guard.open())]
    del engine, analysis
    deadline = time.monotonic() + 60
    while any(ref() is not None for ref in seen) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [ref() for ref in seen] == [None, None]
