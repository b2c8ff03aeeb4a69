"""Runs the programs that make and read files of games."""

import subprocess
from pathlib import Path

NODES = 100


def play(
    player: Path, target: Path, *options: str, count: int = 30, rule: int = 0, size: int = 9
) -> Path:
    """Makes a file of games from seed 1."""
    command = [player, rule, size, NODES, count, 1, target, *options]
    subprocess.run(list(map(str, command)), check=True)
    return target


def said(reader: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs `games`."""
    command = [str(reader), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
