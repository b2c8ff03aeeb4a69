"""An arena killed while its brains start: neither a process nor a file stays behind."""

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from arena.engines.process_tree import MARK_VARIABLE
from arena.engines.reaper import __file__ as REAPER
from tests.support.fakes import RUN, RUN_VARIABLE

PATIENCE_S = 900.0
LOADER = """#!/bin/sh
mkdir "$TMPDIR/_MEI$$" && echo unpacked >"$TMPDIR/_MEI$$/library.so"
trap '' TERM
sleep 600 &
while :; do wait; done
"""
"""Unpacks like a one-file executable, and never finishes."""


def wait_until(is_so: Callable[[], object]) -> None:
    """Waits for a condition; the limit only ends a broken test."""
    until = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.01)


def ours_with(folder: Path) -> list[psutil.Process]:
    """Returns the processes whose temporary folder is this folder, or one in it."""
    found = []
    for process in psutil.process_iter():
        try:
            environment = process.environ()
        except (psutil.Error, OSError):
            continue
        if environment.get(RUN_VARIABLE) == RUN and str(folder) in environment.get("TMPDIR", ""):
            found.append(process)
    return found


class Match:
    """Runs a match of a brain against itself, at a low priority, with its own $TMPDIR."""

    def __init__(self, root: Path, tmp_path: Path, brain: str) -> None:
        self.temporary = tmp_path / "temporary"
        self.temporary.mkdir(exist_ok=True)
        words = [f"A={brain}", f"B={brain}", "--games", "8", "--concurrency", "2"]
        self.process = subprocess.Popen(
            ["nice", "-n", "10", sys.executable, "-m", "arena", "match", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(self.temporary)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def unpacked(self) -> list[Path]:
        """Returns the files that brains have unpacked so far."""
        return list(self.temporary.rglob("_MEI*"))

    def end(self, number: signal.Signals, *, group: bool) -> str:
        """Signals the manager, or it and its workers; returns stderr.

        Checks that no process and no file is left.
        """
        (os.killpg if group else os.kill)(self.process.pid, number)
        said = self.process.communicate(timeout=PATIENCE_S)[1]
        wait_until(lambda: not ours_with(self.temporary))
        assert list(self.temporary.iterdir()) == []
        return said


WAYS = [
    (signal.SIGTERM, False),
    (signal.SIGTERM, True),
    (signal.SIGKILL, False),
    (signal.SIGKILL, True),
]


@pytest.mark.linux
@pytest.mark.parametrize(("number", "group"), WAYS)
def test_a_loader_that_is_killed_in_the_middle_leaves_nothing(
    root: Path, tmp_path: Path, number: signal.Signals, group: bool
) -> None:
    brain = tmp_path / "loader"
    brain.write_text(LOADER)
    brain.chmod(0o755)
    match = Match(root, tmp_path, shlex.quote(str(brain)))
    wait_until(lambda: len(match.unpacked()) == 4)
    said = match.end(number, group=group)
    assert "Traceback" not in said and "leaked" not in said
    assert match.process.returncode == (143 if number == signal.SIGTERM else -number)


@pytest.mark.linux
@pytest.mark.parametrize(("number", "group"), WAYS)
@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.soak)])
def test_the_executable_leaves_nothing_whenever_its_arena_is_killed(
    root: Path, tmp_path: Path, executable: Path, number: signal.Signals, group: bool, times: int
) -> None:
    chance = random.Random(f"{number} {group} {times}")
    for _ in range(times):
        match = Match(root, tmp_path, shlex.quote(str(executable)))
        wait_until(lambda: any(match.temporary.iterdir()))  # noqa: B023
        time.sleep(chance.uniform(0, 0.4))
        said = match.end(number, group=group)
        assert "Traceback" not in said and "leaked" not in said


@pytest.mark.linux
def test_a_folder_goes_with_who_made_it(root: Path, tmp_path: Path) -> None:
    code = (
        "import os, signal\n"
        "from arena.engines.scratch import ScratchFolder\n"
        "folder = ScratchFolder('arena-folder-')\n"
        "(folder.path / 'x').write_text('x')\n"
        "folder.path.chmod(0)\n"
        "print(folder.path, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    folder = Path(done.stdout.strip())
    assert folder.parent == tmp_path
    wait_until(lambda: not folder.exists())


@pytest.mark.linux
def test_the_reaper_kills_what_hangs_and_removes_what_it_was_told_whole(tmp_path: Path) -> None:
    whole, torn, strange = ("1" * 32, "2" * 32, "3" * 32)
    folders = [tmp_path / f"brain-{whole}", tmp_path / "of-another", tmp_path / f"brain-{torn}"]
    for folder in folders:
        folder.mkdir()
        (folder / "file").touch()
    hung = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"],
        env={**os.environ, MARK_VARIABLE: whole},
    )
    hung.send_signal(signal.SIGSTOP)
    paths = [os.fsencode(folder).hex() for folder in folders]
    lines = f"+ {whole} {paths[0]}\n+ {strange} {paths[1]}\n+ {torn} {paths[2][:-2]}"
    subprocess.run([sys.executable, REAPER], input=lines, text=True, check=True)
    assert hung.wait() == -signal.SIGKILL
    assert [folder.exists() for folder in folders] == [False, True, True]


@pytest.mark.linux
def test_a_brain_that_takes_its_time_may_leave_by_itself(tmp_path: Path) -> None:
    mark, told = "4" * 32, tmp_path / "told"
    brain = subprocess.Popen(
        ["sh", "-c", f"read line; echo saved >{shlex.quote(str(told))}"],
        env={**os.environ, MARK_VARIABLE: mark},
        stdin=subprocess.PIPE,
    )
    assert brain.stdin
    brain.stdin.close()
    subprocess.run([sys.executable, REAPER], input=f"+ {mark} \n", text=True, check=True)
    assert brain.wait() == 0 and told.read_text() == "saved\n"
