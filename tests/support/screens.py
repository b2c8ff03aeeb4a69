"""A small screen, its program and its journal, for tests of screens and of matches."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from pyengine import Engine, Rule

__all__ = ["SCREEN", "defaults", "lines", "screen"]

SCREEN = """\
nodes = 300
seed = 1
memory_mib = 1
boards = [["freestyle_15", 0, 15], ["renju_15", 4, 15]]

[fixed]
lmr_scale = 30

[factors]
rfp_step = [27, 35]
move_count_base = [5, 2]
"prune.history" = [1, 0]
"""


def screen(
    root: Path, folder: Path, config: str, *options: object
) -> subprocess.CompletedProcess[str]:
    """Runs the program with a config."""
    (folder / "screen.toml").write_text(config)
    command = [sys.executable, root / "training" / "screen.py", folder / "screen.toml"]
    command += [folder / "screen.jsonl", *options]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def defaults(rule: Rule) -> dict[str, int]:
    """Returns the values that ship."""
    with Engine(memory_mib=1) as engine:
        return {option.name: option.default for option in engine.options(rule)}


def lines(folder: Path) -> list[dict[str, Any]]:
    """Returns the journal."""
    return [json.loads(line) for line in (folder / "screen.jsonl").read_text().splitlines()]
