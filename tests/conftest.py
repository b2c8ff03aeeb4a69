"""Fixtures and hooks for all tests."""

import gc
import os
import signal
import zipfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import settings

from tests.support import leftovers, stopwatch
from tests.support.paths import ROOT
from tests.support.table import Table, begun

# A shell that starts the tests in the background ignores Ctrl-C, and all their child processes
# would inherit this. With a handler here they start with the default again.
signal.signal(signal.SIGINT, signal.default_int_handler)

leftovers.begin()

# A busy machine makes single examples slow. pytest-timeout detects what hangs.
settings.register_profile("tengen", deadline=None)
settings.load_profile("tengen")

failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Ends the processes of a failed test after its fixtures; the report names them."""
    report = yield
    item.stash[failed] = report.failed or item.stash.get(failed, False)
    if report.when == "teardown" and item.stash[failed]:
        for command in leftovers.end_processes(item.nodeid):
            report.sections.append(("process left behind, ended at teardown", command))
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Collects the repeated attempts of a worker of pytest-xdist."""
    stopwatch.repeated.extend(getattr(node, "workeroutput", {}).get("repeated", []))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Hands on the repeated attempts of a worker; ends the processes of interrupted tests."""
    if exitstatus == pytest.ExitCode.INTERRUPTED:
        leftovers.end_processes()
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["repeated"] = stopwatch.repeated


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Reports the attempts that were repeated because the machine took a core away."""
    if stopwatch.repeated:
        terminalreporter.section(f"{len(stopwatch.repeated)} attempts repeated on a busy machine")
        for line in stopwatch.repeated:
            terminalreporter.line(line)


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A temporary folder for this process and its children, removed at the end.

    pytest's own folders, which are kept for a while, lie elsewhere.
    """
    tmp_path_factory.getbasetemp()
    with leftovers.temporary_folder() as folder:
        yield folder


@pytest.fixture(scope="module", autouse=True)
def frozen() -> None:
    """Freezes all older objects: each new game of a session collects garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the source tree."""
    return ROOT


@pytest.fixture(scope="session")
def executable() -> Path:
    """The frozen brain: $TENGEN_EXE, or the result of `make exe`."""
    path = Path(os.environ.get("TENGEN_EXE", ROOT / "dist" / "pbrain-tengen")).resolve()
    assert path.is_file(), f"{path} is missing: run `make exe`, or use `make test`"
    return path


@pytest.fixture(scope="session")
def one_folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked brain of the tournament package."""
    package = root / "dist" / "pbrain-tengen.zip"
    assert package.is_file(), f"{package} is missing: run `make zip`, or use `make test`"
    folder = tmp_path_factory.mktemp("package")
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder)
    brain = folder / "pbrain-tengen"
    brain.chmod(0o755)
    return brain


@pytest.fixture
def table() -> Table:
    """A session after the start of a 15x15 game, with immediate moves."""
    return begun()


@pytest.fixture
def cluster(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two worker processes that import the project as workers of a cluster do."""
    from distributed import LocalCluster  # here: few tests need it, and it loads slowly

    monkeypatch.setenv("PYTHONPATH", str(root))
    made = cast(Any, LocalCluster)(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=50,
    )
    try:
        yield made
    finally:
        made.close()
