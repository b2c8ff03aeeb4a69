"""What several test files share."""

import gc
import os
import signal
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.support import stopwatch
from tests.support.paths import ROOT
from tests.support.table import Table, begun

# A shell that starts the tests in the background has Ctrl-C ignored, and so would every program
# that they start; with a handler here those begin with the default again.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """A session looks for garbage with each game: not among all that the tests have loaded."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes over what a worker of pytest-xdist had to repeat."""
    stopwatch.repeated.extend(getattr(node, "workeroutput", {}).get("repeated", []))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hands on what was repeated, in a worker."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["repeated"] = stopwatch.repeated


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Counts the attempts that were repeated because the machine kept a core from them."""
    if stopwatch.repeated:
        terminalreporter.section(f"{len(stopwatch.repeated)} attempts repeated on a busy machine")
        for line in stopwatch.repeated:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the source tree."""
    return ROOT


@pytest.fixture(scope="session")
def executable() -> Path:
    """The frozen brain: $TENGEN_EXE, or what `make exe` makes."""
    path = Path(os.environ.get("TENGEN_EXE", ROOT / "dist" / "pbrain-tengen")).resolve()
    assert path.is_file(), f"{path} is missing: run `make exe`, or use `make test`"
    return path


@pytest.fixture(scope="session")
def one_folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The brain of the tournament package, unpacked."""
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
    """A session with a game of 15x15 begun, moves made at once."""
    return begun()
