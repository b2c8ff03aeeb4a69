"""The runner plays each game once, even if processes die."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest

from arena.engines.managers import manager_profile
from arena.engines.spec import EngineSpec
from arena.game.game import GameSettings
from arena.game.record import EndReason, GameRecord, PlayerRecord
from arena.rules.referee import Position, Rule
from arena.run.jobs import Job, RandomOpenings, TurnedOpenings, paired_jobs, play_job
from arena.run.runner import Played, Runner, RunnerError
from arena.run.scheduler import LocalExecutor, WorkerLostError, open_executor
from arena.run.store import GameStore, StoredGame, StoreError, read_store
from tests.support.fakes import fake, no_brain_is_left

TURN_MS = 60_000
PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert no_brain_is_left()


def engine(name: str, fault: str = "none", **keys: object) -> EngineSpec:
    """Returns an engine with a fault."""
    return EngineSpec(name, tuple(fake(fault, **keys)))


def jobs_of(
    games: int | None, a: EngineSpec | None = None, b: EngineSpec | None = None
) -> Iterator[Job]:
    """Returns the jobs of a short match on a small board."""
    settings = GameSettings(size=6, turn_ms=TURN_MS)
    openings = RandomOpenings(Rule.FREESTYLE, 6)
    return paired_jobs(a or engine("A"), b or engine("B"), settings, openings, games)


def record_of(job: Job) -> GameRecord:
    """Returns a record without moves that Black wins."""
    return GameRecord(
        black=PlayerRecord(job.black.name),
        white=PlayerRecord(job.white.name),
        size=6,
        rule=0,
        turn_ms=TURN_MS,
        match_ms=None,
        memory_mib=0,
        tolerance_ms=0,
        opening=job.settings.opening,
        moves=(),
        winner="black",
        reason=EndReason.FIVE,
        detail=job.id,
    )


class Inline(Executor):
    """Runs jobs at once; those in `lost` lose their worker the given number of times."""

    def __init__(self, lost: dict[str, int] | None = None) -> None:
        self.lost = dict(lost or {})
        self.given: list[str] = []

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        job = args[0]
        self.given.append(job.id)
        future: Future[GameRecord] = Future()
        if self.lost.get(job.id, 0) > 0:
            self.lost[job.id] -= 1
            future.set_exception(WorkerLostError("gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def ids_in(path: Path) -> list[str]:
    """Returns the ids in a store, line by line."""
    return [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]


def test_pairs_share_an_opening_and_swap_colours() -> None:
    jobs = list(jobs_of(7))
    assert [job.id for job in jobs[:4]] == ["00000a", "00000b", "00001a", "00001b"]
    assert [job.pair for job in jobs] == [0, 0, 1, 1, 2, 2, 3]
    assert [(job.black.name, job.white.name) for job in jobs[:2]] == [("A", "B"), ("B", "A")]
    for first, second in zip(jobs[0:6:2], jobs[1:6:2], strict=True):
        assert first.settings.opening == second.settings.opening
    assert len({job.settings.opening for job in jobs}) == 4


def test_random_openings_are_legal_and_come_again() -> None:
    for rule in Rule:
        for size in (5, 15):
            openings = RandomOpenings(rule, size, seed=7)
            some = [openings[number] for number in range(12)]
            assert some == [RandomOpenings(rule, size, seed=7)[number] for number in range(12)]
            assert some != [RandomOpenings(rule, size, seed=8)[number] for number in range(12)]
            assert len(set(some)) > 9
            for opening in some:
                GameSettings(size=size, rule=rule, opening=opening)
    with pytest.raises(IndexError):
        openings[len(openings)]


def test_turned_openings_are_the_same_position() -> None:
    plain = [((0, 1), (2, 1), (4, 4))]
    turned = TurnedOpenings(plain, 6)
    assert len(turned) == len(set(turned)) == 8
    assert turned[0] == plain[0]
    for opening in turned:
        position = Position(size=6, rule=Rule.FREESTYLE)
        for move in opening:
            position.play(move)
        assert sorted(min(x, 5 - x, y, 5 - y) for x, y in opening) == [0, 1, 1]


def test_each_job_is_kept_at_once_and_not_played_again(tmp_path: Path) -> None:
    store = tmp_path / "deep" / "games.jsonl"
    executor, seen = Inline(), []

    def on_result(played: Played) -> None:
        seen.append((played.job.id, played.resumed))
        assert not store.exists() or ids_in(store)[: len(seen)] == [job for job, _ in seen]

    records = Runner(store, executor, play=record_of).run(jobs_of(4), on_result)
    assert [record.detail for record in records] == executor.given == ids_in(store)
    assert all(not resumed for _, resumed in seen)
    seen.clear()
    more = Inline()
    records = Runner(store, more, play=record_of).run(jobs_of(6), on_result)
    assert more.given == ["00002a", "00002b"]
    assert len(records) == 6
    assert [resumed for _, resumed in seen] == [True] * 4 + [False] * 2
    assert read_store(store)[0].record == record_of(next(jobs_of(1)))


def test_a_torn_last_line_is_played_again_and_a_whole_one_is_not(tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    Runner(store, Inline(), play=record_of).run(jobs_of(3))
    whole = store.read_bytes()
    for cut in (1, 2, 40, len(whole.splitlines()[-1]) + 1):
        store.write_bytes(whole[:-cut])
        executor = Inline()
        assert len(Runner(store, executor, play=record_of).run(jobs_of(3))) == 3
        assert executor.given == ([] if cut == 1 else ["00001a"])
        assert store.read_bytes() == whole


def test_a_broken_line_in_the_middle_is_told(tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    Runner(store, Inline(), play=record_of).run(jobs_of(2))
    first, second = store.read_text().splitlines()
    store.write_text(f"{first}\n{{}}\n{second}\n")
    with pytest.raises(StoreError, match=r"games.jsonl, line 2: not a game: expected an object"):
        Runner(store, Inline(), play=record_of).run(jobs_of(2))


def test_a_game_that_a_store_has_twice_counts_once(tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    Runner(store, Inline(), play=record_of).run(jobs_of(2))
    store.write_text(store.read_text() * 2)
    assert len(read_store(store)) == 2
    assert len(Runner(store, Inline(), play=record_of).run(jobs_of(2))) == 2


def test_two_runs_do_not_write_to_one_store(tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"

    def on_result(played: Played) -> None:
        with pytest.raises(StoreError, match="another run is writing"):
            Runner(store, Inline(), play=record_of).run(jobs_of(1))

    assert len(Runner(store, Inline(), play=record_of).run(jobs_of(1), on_result)) == 1


@pytest.mark.linux
def test_a_game_that_could_not_be_written_is_told(tmp_path: Path) -> None:
    game = Runner(tmp_path / "one.jsonl", Inline(), play=record_of).run(jobs_of(1))
    assert len(game) == 1
    stored = read_store(tmp_path / "one.jsonl")[0]
    store = GameStore(tmp_path / "games.jsonl")
    store.append(stored)
    with Path("/dev/full").open("wb") as full:
        os.dup2(full.fileno(), store._file.fileno())
    with pytest.raises(StoreError, match=r"games.jsonl: No space left on device"):
        store.append(stored)
    store.close()
    assert [game.id for game in read_store(tmp_path / "games.jsonl")] == [stored.id]


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="directory"):
        Runner(tmp_path, Inline(), play=record_of).run(jobs_of(1))


def test_two_jobs_of_one_id_are_refused() -> None:
    job = next(jobs_of(1))
    with pytest.raises(RunnerError, match="job 00000a: two jobs"):
        Runner(None, Inline(), play=record_of).run([job, job])


def test_lost_workers_cost_no_game_until_it_is_the_games_doing(tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    executor = Inline({"00000b": 2, "00001a": 1})
    records = Runner(store, executor, play=record_of, concurrency=2).run(jobs_of(4))
    assert sorted(record.detail for record in records) == sorted(ids_in(store))
    assert len(ids_in(store)) == 4
    assert executor.given.count("00000b") == 3
    with pytest.raises(RunnerError, match="game 00000a: 5 workers died while playing it"):
        Runner(None, Inline({"00000a": 9}), play=record_of).run(jobs_of(2))


def test_it_stops_when_it_is_told_and_draws_no_more_than_it_needs() -> None:
    seen: list[str] = []
    drawn: list[str] = []

    def endless() -> Iterator[Job]:
        for job in jobs_of(None):
            drawn.append(job.id)
            yield job

    runner = Runner(None, Inline(), play=record_of, concurrency=3)
    records = runner.run(endless(), lambda p: seen.append(p.job.id), lambda: len(seen) >= 5)
    assert len(records) == len(seen) == 5
    assert len(drawn) <= 5 + 3
    assert not runner.interrupted


def test_what_is_stored_is_counted_before_it_is_asked_whether_to_stop(tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    Runner(store, Inline(), play=record_of).run(jobs_of(6))
    seen: list[str] = []
    executor = Inline()
    runner = Runner(store, executor, play=record_of)
    runner.run(jobs_of(None), lambda p: seen.append(p.job.id), lambda: len(seen) >= 2)
    assert (len(seen), executor.given) == (6, [])


def test_real_games_on_worker_processes(tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    beats: list[float] = []
    with open_executor(2) as (executor, count):
        runner = Runner(
            store, executor, concurrency=count, on_beat=lambda: beats.append(time.monotonic())
        )
        records = runner.run(jobs_of(6))
    alone = {job.id: play_job(job) for job in jobs_of(6)}
    assert len(records) == 6
    assert beats
    for game in read_store(store):
        assert game.record.summary() == alone[game.id].summary()
        assert StoredGame.from_json(game.to_json()) == game


def workers_of(pid: int) -> list[psutil.Process]:
    """Returns the worker processes of a manager."""
    return [child for child, words in descendants(pid) if "spawn_main" in words]


def descendants(pid: int) -> Iterator[tuple[psutil.Process, str]]:
    """Returns all living descendants of a process, with their command lines."""
    for child in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            yield child, " ".join(child.cmdline())


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


def wait_until(happened: Callable[[], bool]) -> None:
    """Waits for a condition, with a limit."""
    until = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


MANAGER = """
import sys
from pathlib import Path
from tests.arena.test_runner import engine, jobs_of
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


def brains_of(pid: int) -> int:
    """Returns the number of fakes that a manager has running."""
    return sum("fake_brain" in words for _, words in descendants(pid))


def test_only_the_main_thread_answers_ctrl_c() -> None:
    found: list[int] = []
    before, runner = signal.getsignal(signal.SIGINT), Runner(None, Inline(), play=record_of)
    thread = threading.Thread(target=lambda: found.append(len(runner.run(jobs_of(2)))))
    thread.start()
    thread.join()
    assert found == [2]
    assert len(runner.run(jobs_of(2))) == 2
    assert signal.getsignal(signal.SIGINT) is before
