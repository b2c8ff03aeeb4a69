"""Forked processes and the end of the interpreter, while an engine searches."""

import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from pyengine import ClosedError, Engine, Limits, SearchResult
from pyengine.analysis import _Course
from tests.support.quiet import BLACK, WHITE


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


def test_a_fork_at_the_end_of_a_search_leaves_no_child_waiting(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search is over, but its thread has not left the engine: it is not in the child."""
    leave, may_leave = _Course.leave, threading.Event()

    def late(course: _Course) -> None:
        may_leave.wait(60)
        leave(course)

    monkeypatch.setattr(_Course, "leave", late)
    analysis = engine.analyse(Limits(depth=2))
    while analysis.running:
        time.sleep(0.001)
    in_a_child(lambda: assert_depth(analysis.result(), 2))
    may_leave.set()
    assert analysis.result().depth == 2


def assert_depth(result: SearchResult, depth: int) -> None:
    assert result.depth == depth


INTERPRETER = """
import sys
import _xxsubinterpreters as interpreters
one = interpreters.create(isolated=False)
interpreters.run_string(one, f"import sys; sys.path[:] = {sys.path!r}")
interpreters.run_string(one, '''
import _thread, time
from pyengine import Engine, Limits
with Engine(memory_mib=1) as engine:
    assert engine.analyse(Limits(nodes=2000)).result().move
while _thread._count():  # the end of an interpreter with threads is fatal
    time.sleep(0.001)
''')
interpreters.destroy(one)
"""


def test_an_interpreter_of_a_process_ends_after_an_analysis() -> None:
    """A thread that outlived all analyses once ended the process."""
    pytest.importorskip("_xxsubinterpreters")
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETER], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
