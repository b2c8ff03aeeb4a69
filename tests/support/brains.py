"""The brains for tests: a scripted one, the module, and the executable if it exists."""

import os
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.protocol_runner import FAKE, MODULE

EXE = Path(os.environ.get("TENGEN_EXE", ROOT / "dist" / "pbrain-tengen"))
PLAYERS = {"module": MODULE} | ({"executable": (str(EXE),)} if EXE.is_file() else {})
BRAINS = {"fake": (*FAKE, "60")} | PLAYERS
ALL_BRAINS = pytest.mark.parametrize("command", BRAINS.values(), ids=BRAINS)
ALL_PLAYERS = pytest.mark.parametrize("command", PLAYERS.values(), ids=PLAYERS)
