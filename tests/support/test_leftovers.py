"""A test that fails or is interrupted leaves neither processes nor files."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.support import leftovers

CONFTEST = "from tests.conftest import *\n"
TEST = """\
import subprocess, sys, tempfile, time
from pathlib import Path

PROGRAM = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print('ready', flush=True); time.sleep(600)"
)


def test_it() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout.readline()
    folder = tempfile.mkdtemp()
    Path("noted").write_text(f"{process.pid} {folder}")
    ENDING


def test_later() -> None:
    pid = Path("noted").read_text().split()[0]
    assert not Path(f"/proc/{pid}").exists()
"""


def started(folder: Path, root: Path, ending: str) -> "subprocess.Popen[str]":
    """Starts pytest with two tests in a folder. The first one leaves a process and a folder."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_it.py").write_text(TEST.replace("ENDING", ending))
    (folder / "pytest.ini").write_text("[pytest]\n")
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def left(folder: Path) -> tuple[int, Path]:
    """Returns the process and the folder of the first test, once it has written them down."""
    until = time.monotonic() + 60
    noted = folder / "noted"
    while not (noted.exists() and noted.read_text()):
        assert time.monotonic() < until
        time.sleep(0.01)
    pid, name = noted.read_text().split()
    return int(pid), Path(name)


@pytest.mark.linux
def test_the_processes_of_a_failed_test_are_ended_and_named(root: Path, tmp_path: Path) -> None:
    run = started(tmp_path, root, "assert False")
    said = run.communicate(timeout=300)[0]
    pid, folder = left(tmp_path)
    assert "1 failed, 1 passed" in said and "process left behind" in said, said
    assert not psutil.pid_exists(pid) and not folder.exists()


@pytest.mark.linux
def test_ctrl_c_ends_the_processes_of_the_running_test(root: Path, tmp_path: Path) -> None:
    run = started(tmp_path, root, "time.sleep(600)")
    pid, folder = left(tmp_path)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=300)
    assert run.returncode == pytest.ExitCode.INTERRUPTED
    assert not psutil.pid_exists(pid) and not folder.exists()


@pytest.mark.linux
def test_the_processes_of_other_tests_stay() -> None:
    """Here belongs a server that a fixture started, or an engine of another worker."""
    program = [sys.executable, "-c", "input()"]
    for changed in ({"PYTEST_CURRENT_TEST": "other (call)"}, {"TENGEN_TEST_RUN": "other"}):
        process = subprocess.Popen(program, stdin=subprocess.PIPE, env={**os.environ, **changed})
        test = os.environ["PYTEST_CURRENT_TEST"].removesuffix(" (call)")
        assert leftovers.end_processes(test) == []
        process.communicate(b"\n")
        assert process.returncode == 0
