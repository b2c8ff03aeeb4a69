"""Paths: the top of the source tree, and the data of the tests."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DATA: Final = ROOT / "tests" / "data"
SUPPORT: Final = ROOT / "tests" / "support"
