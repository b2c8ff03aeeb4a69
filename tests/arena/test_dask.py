"""Games on a Dask cluster, one of whose workers dies."""

import json
import os
import signal
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.engines.spec import EngineSpec
from arena.game.game import GameSettings
from arena.rules.referee import Rule
from arena.run.jobs import RandomOpenings, paired_jobs
from arena.run.runner import Runner
from arena.run.scheduler import ClusterExecutor, SchedulerError, SchedulerLostError, open_executor
from tests.support.fakes import fake, no_brain_is_left

GAMES = 12
LOOK_S = 0.02


def playing_workers() -> dict[int, int]:
    """Returns the parents of the running brains, each with its number of brains."""
    found: dict[int, int] = {}
    for process in psutil.Process().children(recursive=True):
        try:
            if "fake_brain" in " ".join(process.cmdline()):
                found[process.ppid()] = found.get(process.ppid(), 0) + 1
        except psutil.Error:
            continue
    return found


def test_a_worker_that_is_killed_loses_no_game_and_doubles_none(
    cluster: Any, tmp_path: Path
) -> None:
    store = tmp_path / "games.jsonl"
    killed: list[int] = []
    seen: list[str] = []
    is_over = threading.Event()

    def kill_one_at_work() -> None:
        while not killed and not is_over.wait(LOOK_S):
            for pid in playing_workers() if len(seen) >= 2 else ():
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                break

    a = EngineSpec("A", tuple(fake("late", ms=400, at=1)))
    b = EngineSpec("B", tuple(fake()))
    settings = GameSettings(size=6, turn_ms=10_000)
    jobs = list(paired_jobs(a, b, settings, RandomOpenings(Rule.FREESTYLE, 6), GAMES))
    watch = threading.Thread(target=kill_one_at_work)
    with open_executor(None, cluster.scheduler_address) as (executor, count):
        assert count == 2
        watch.start()
        try:
            runner = Runner(store, executor, concurrency=count)
            records = runner.run(jobs, lambda played: seen.append(played.job.id))
        finally:
            is_over.set()
            watch.join()
    assert len(killed) == 1, "no worker was at work when it should have been killed"
    ids = [json.loads(line)["id"] for line in store.read_text(encoding="utf-8").splitlines()]
    assert sorted(ids) == sorted(seen) == [job.id for job in jobs]
    assert len(records) == GAMES
    assert not any(record.is_forfeit for record in records)
    assert no_brain_is_left()


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.run.scheduler.CONNECT_S", 0.5)
    with (
        pytest.raises(SchedulerError, match=r"tcp://127\.0\.0\.1:9: no Dask scheduler answers"),
        open_executor(2, "tcp://127.0.0.1:9"),
    ):
        raise AssertionError("there is none")


def test_an_address_that_is_none_is_told() -> None:
    with (
        pytest.raises(SchedulerError, match="nonsense://x: expected the address"),
        open_executor(2, "nonsense://x"),
    ):
        raise AssertionError("there is none")


class LostClient:
    """A client of a scheduler that is lost after the first job."""

    status = "running"

    def get_executor(self, *, pure: bool) -> "LostClient":
        """Returns itself; its futures never finish."""
        assert pure is False
        return self

    def submit(self, *_: object) -> Future[None]:
        """Accepts a job and loses the scheduler."""
        self.status = "connecting"
        return Future()


def test_a_cluster_that_goes_away_ends_the_run_and_does_not_hang_it(tmp_path: Path) -> None:
    engine = EngineSpec("A", tuple(fake()))
    settings = GameSettings(size=6)
    jobs = paired_jobs(engine, engine, settings, RandomOpenings(Rule.FREESTYLE, 6), 4)
    runner = Runner(tmp_path / "games.jsonl", ClusterExecutor("tcp://x:1", LostClient()))
    with pytest.raises(SchedulerLostError, match="tcp://x:1: lost the connection to the scheduler"):
        runner.run(jobs)
