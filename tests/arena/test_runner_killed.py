"""Killed workers, killed runners and signals cost no finished game, and leave no process."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest

from arena.engines.managers import manager_profile
from arena.run.jobs import play_job
from arena.run.runner import Played, Runner
from arena.run.scheduler import LocalExecutor, WorkerLostError, open_executor
from arena.run.store import read_store
from tests.support.fakes import no_brain_is_left
from tests.support.jobs import engine, ids_in, jobs_of
from tests.support.workers import PATIENCE_S, brains_of, wait_until, workers_of

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def test_a_worker_that_is_killed_costs_no_game() -> None:
    killed: list[int] = []

    def on_result(played: Played) -> None:
        workers = workers_of(os.getpid())
        if len(killed) < 2 and workers:
            killed.append(workers[0].pid)
            workers[0].kill()

    slow = engine("A", "late", ms=100, at=1)
    with open_executor(2) as (executor, count):
        records = Runner(None, executor, concurrency=count).run(jobs_of(8, slow), on_result)
    assert len(killed) == 2
    assert len(records) == 8
    assert not any(record.is_forfeit for record in records)


@pytest.mark.parametrize("suspend", [False, True])
def test_brains_of_a_killed_worker_are_killed_even_if_they_hang_or_sleep(suspend: bool) -> None:
    manager = manager_profile("strict", suspend=suspend)
    stalled, idle = engine("A", "stall", at=1), engine("B", "ignores-end")
    job = replace(next(jobs_of(1, stalled, idle)), manager=manager)
    executor = LocalExecutor(1)
    try:
        future = executor.submit(play_job, job)
        wait_until(lambda: brains_of(os.getpid()) == 2)
        time.sleep(0.3)
        workers_of(os.getpid())[0].kill()
        with pytest.raises(WorkerLostError):
            future.result(timeout=PATIENCE_S)
        assert no_brain_is_left()
    finally:
        executor.abort()


MANAGER = """
import sys
from pathlib import Path
from tests.support.jobs import engine, jobs_of
from arena.run.runner import Runner
from arena.run.scheduler import open_executor
if __name__ == "__main__":
    with open_executor(2) as (executor, count):
        runner = Runner(Path(sys.argv[1]), executor, concurrency=count)
        runner.run(jobs_of(int(sys.argv[2]), engine("A", sys.argv[3], ms=60, at=1)))
        print("interrupted" if runner.interrupted else "done")
"""


def manager(root: Path, store: Path, games: int, fault: str = "late") -> "subprocess.Popen[str]":
    """Starts a runner in a process that leads a group, as in a terminal."""
    return subprocess.Popen(
        [sys.executable, "-c", MANAGER, str(store), str(games), fault],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def has_lines(store: Path, count: int) -> bool:
    """Says whether a store has the given number of complete lines."""
    return store.exists() and store.read_bytes().count(b"\n") >= count


def test_a_runner_that_is_killed_loses_no_finished_game(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "games.jsonl"
    process = manager(root, store, 12)
    wait_until(partial(has_lines, store, 4))
    workers = workers_of(process.pid)
    assert workers
    process.kill()
    process.wait()
    assert no_brain_is_left()
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE_S)
    assert not alive, "workers outlive their manager"
    before = store.read_text().split("\n")[:-1]
    process = manager(root, store, 12)
    assert process.communicate(timeout=PATIENCE_S)[0] == "done\n"
    after = store.read_text().splitlines()
    assert after[: len(before)] == before
    assert sorted(ids_in(store)) == [job.id for job in jobs_of(12)]


def test_ctrl_c_ends_it_cleanly(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "games.jsonl"
    process = manager(root, store, 1000, "late")
    wait_until(partial(has_lines, store, 2))
    # A terminal signals the whole group.
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE_S)
    assert out == "interrupted\n"
    assert process.returncode == 0
    assert 2 <= len(ids_in(store)) < 1000
    assert len(read_store(store)) == len(ids_in(store))


def test_sigterm_leaves_nothing_behind(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "games.jsonl"
    process = manager(root, store, 1000, "stall")
    wait_until(lambda: brains_of(process.pid) >= 2)
    workers = workers_of(process.pid)
    process.terminate()
    process.communicate(timeout=PATIENCE_S)
    assert no_brain_is_left()
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE_S)
    assert not alive
