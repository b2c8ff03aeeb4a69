"""What several test files share."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


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
