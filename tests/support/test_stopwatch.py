"""The stopwatch of the tests subtracts waits for a core, but never all of the time."""

import os
import subprocess
import sys
import time

import pytest

from tests.support import stopwatch
from tests.support.stopwatch import MOST_WAITED, Stopwatch, undisturbed


def test_what_sleeps_waits_for_no_core() -> None:
    watch = Stopwatch()
    time.sleep(0.2)
    assert 0.2 * (1 - MOST_WAITED) <= watch.own_s <= watch.wall_s


def test_time_goes_on_beside_more_threads_than_cores() -> None:
    spinning = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(2 * (os.cpu_count() or 1))
    ]
    try:
        watch = Stopwatch()
        deadline = time.monotonic() + 60
        while watch.own_s < 0.2:
            assert time.monotonic() < deadline, "the watch stands still"
            time.sleep(0.05)
        assert watch.own_s >= (1 - MOST_WAITED) * watch.wall_s * 0.9
    finally:
        for process in spinning:
            process.kill()
            process.wait()


@pytest.mark.parametrize("good", [True, False])
def test_what_is_wrong_of_itself_stays_wrong(good: bool) -> None:
    assert undisturbed(lambda: good, lambda result: result) is good


class Disturbed:
    """A watch that reports the whole time as a wait for a core."""

    wall_s, own_s = 1.0, 0.2


def test_what_was_repeated_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    repeated: list[str] = []
    monkeypatch.setattr(stopwatch, "Stopwatch", Disturbed)
    monkeypatch.setattr(stopwatch, "repeated", repeated)
    results = iter([30, 20, 10])
    assert undisturbed(lambda: next(results), lambda ms: ms < 15) == 10
    assert [line.rpartition(": ")[2] for line in repeated] == ["30", "20"]
    assert all("test_what_was_repeated_is_counted" in line for line in repeated)
