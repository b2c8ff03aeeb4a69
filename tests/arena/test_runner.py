"""The runner plays each game once and stores it at once."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from errno import ENOSPC
from pathlib import Path

import pytest

from arena.game.game import GameSettings
from arena.game.record import GameRecord
from arena.rules.referee import Position, Rule
from arena.run.jobs import Job, RandomOpenings, TurnedOpenings, play_job
from arena.run.runner import Played, Runner, RunnerError
from arena.run.scheduler import WorkerLostError, open_executor
from arena.run.store import GameStore, StoredGame, StoreError, StoreWriteError, read_store
from tests.support.jobs import ids_in, jobs_of, record_of

pytestmark = pytest.mark.usefixtures("nothing_is_left")


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


def test_a_folder_without_room_is_no_damaged_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path, **__: bool) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(StoreWriteError, match=r"games.jsonl: No space left on device"):
        GameStore(tmp_path / "games.jsonl")


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


def test_only_the_main_thread_answers_ctrl_c() -> None:
    found: list[int] = []
    before, runner = signal.getsignal(signal.SIGINT), Runner(None, Inline(), play=record_of)
    thread = threading.Thread(target=lambda: found.append(len(runner.run(jobs_of(2)))))
    thread.start()
    thread.join()
    assert found == [2]
    assert len(runner.run(jobs_of(2))) == 2
    assert signal.getsignal(signal.SIGINT) is before
