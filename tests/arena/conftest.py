"""Fixtures for the tests of the arena."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.fakes import no_brain_is_left

if TYPE_CHECKING:
    from tests.support.board_host import Script, Serve


@pytest.fixture
def nothing_is_left() -> Iterator[None]:
    """Checks after a test that it leaves no process of a fake."""
    yield
    assert no_brain_is_left()


@pytest.fixture
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test in its own folder, where commands write their games."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def in_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays games in threads of this process, because starting workers is slow."""

    @contextlib.contextmanager
    def threads(*_: object) -> Iterator[tuple[ThreadPoolExecutor, int]]:
        with ThreadPoolExecutor(2) as executor:
            yield executor, 2

    monkeypatch.setattr("arena.match.run.open_executor", threads)


@pytest.fixture
def serve(tmp_path: Path) -> "Serve":
    """Runs a script against a server of the board, whose games are under tmp_path."""
    from tests.support.board_host import brains, run_host  # here: it loads aiohttp

    def run(script: "Script", **commands: list[str]) -> None:
        run_host(script, tmp_path / "games", brains(**commands))

    return run
