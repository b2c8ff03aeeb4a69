"""The programs of training/, built once a session."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from training.gamefiles import build_programs


@pytest.fixture(scope="session")
def programs(root: Path) -> tuple[Path, Path]:
    """`selfplay` and `games`, built for this machine."""
    player, games = build_programs("selfplay", "games")
    return player, games


@pytest.fixture(scope="session")
def player(programs: tuple[Path, Path]) -> Path:
    """The program that plays."""
    return programs[0]


@pytest.fixture(scope="session")
def reader(programs: tuple[Path, Path]) -> Path:
    """The program that reads."""
    return programs[1]


@pytest.fixture(scope="session")
def fitter(root: Path) -> Path:
    """The program that fits the value network."""
    return build_programs("network")[0]


@pytest.fixture(scope="session")
def yardstick(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Positions of several rules."""
    path = tmp_path_factory.mktemp("yardstick") / "y.txt"
    lines = (root / "tests" / "data" / "yardstick.txt").read_text().splitlines()[:200]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="session")
def screener(root: Path) -> dict[str, Any]:
    """training/screen.py."""
    return runpy.run_path(str(root / "training" / "screen.py"), run_name="screen")
