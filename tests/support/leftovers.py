"""Ends what a failed test leaves behind: processes, and files in the temporary folder.

Every process that a test starts inherits two variables: the run of the tests, and the test. A
failed test skips its own clean-up, and its engines would take processor time from later tests.
"""

import contextlib
import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psutil

__all__ = ["begin", "end_processes", "temporary_folder"]

RUN_VARIABLE = "TENGEN_TEST_RUN"
TEST_VARIABLE = "PYTEST_CURRENT_TEST"  # set by pytest: test and stage
STAGE = " (call)"


def begin() -> None:
    """Marks the processes that this process will start; each worker of pytest-xdist has a mark."""
    os.environ[RUN_VARIABLE] = uuid.uuid4().hex


def end_processes(test: str = "") -> list[str]:
    """Kills what a test of this run, or any test, has started; returns the commands.

    Fixtures end their own processes: those of a session serve later tests.
    """
    left = [process for process in psutil.process_iter() if _is_started_by(test, process)]
    commands = []
    for process in left:
        with contextlib.suppress(psutil.Error):
            commands.append(" ".join(process.cmdline()))
            process.kill()
    psutil.wait_procs(left, timeout=60)
    return commands


def _is_started_by(test: str, process: psutil.Process) -> bool:
    try:
        environment = process.environ()
    except (psutil.Error, OSError):
        return False
    if process.pid == os.getpid() or environment.get(RUN_VARIABLE) != os.environ[RUN_VARIABLE]:
        return False
    started_by = environment.get(TEST_VARIABLE, "")
    return started_by == test + STAGE if test else started_by.endswith(STAGE)


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Gives all tests of this process a temporary folder, and removes it with what they left in it.

    Its path is short: systems limit the paths of sockets to some hundred bytes.
    """
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(prefix="tengen-tests-", ignore_cleanup_errors=True) as name:
        _set_temporary(name)
        try:
            yield Path(name)
        finally:
            _set_temporary(before)


def _set_temporary(folder: str | None) -> None:
    """Makes `tempfile` and all processes that are started from now on use a folder."""
    if folder is None:
        os.environ.pop("TMPDIR", None)
    else:
        os.environ["TMPDIR"] = folder
    tempfile.tempdir = None
