"""Fixtures for the tests of the engine."""

from collections.abc import Iterator

import pytest

from pyengine import Engine
from tests.support.quiet import BLACK, WHITE


@pytest.fixture
def engine() -> Iterator[Engine]:
    """An engine at a position without threats."""
    with Engine(memory_mib=4) as engine:
        engine.set_position(black=BLACK, white=WHITE)
        yield engine
