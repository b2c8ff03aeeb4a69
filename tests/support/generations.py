"""A small generation of games, and the driver that makes it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

from training.gamefiles import read_file

MANIFEST = """\
# A small generation.
positions = 2500
chunk = 20

[[set]]
rule = 0
size = 9
nodes = 100
seed = 1_000_000_000
share = 2

[[set]]
rule = 16
size = 9
nodes = 100
seed = 2_000_000_000
"""


def driver_command(root: Path, manifest: Path, *options: str) -> list[str]:
    """Returns the command of the driver."""
    command = [sys.executable, str(root / "training" / "generate.py"), str(manifest)]
    return [*command, "--nice", "0", *options]  # tests wait for it


def generate(
    root: Path, folder: Path, *options: str, text: str | None = MANIFEST, name: str = "small"
) -> subprocess.CompletedProcess[str]:
    """Runs the driver; `text` None continues with the existing manifest."""
    manifest = folder / f"{name}.toml"
    if text is not None:
        manifest.write_text(text)
    return subprocess.run(
        driver_command(root, manifest, *options),
        env=os.environ | {"TENGEN_GAMES": str(folder / "games")},
        capture_output=True,
        text=True,
        check=False,
    )


def start_script(root: Path, folder: Path, program: str, *options: str) -> subprocess.Popen[str]:
    """Starts a script of training/ on the generation of a folder."""
    command = [sys.executable, str(root / "training" / program), str(folder / "small.toml")]
    return subprocess.Popen(
        [*command, *options],
        env=os.environ | {"TENGEN_GAMES": str(folder / "games")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def made(folder: Path, name: str = "small") -> list[dict[str, Any]]:
    """Returns the record in the manifest."""
    import tomllib

    return cast(
        list[dict[str, Any]], tomllib.loads((folder / f"{name}.toml").read_text()).get("made", [])
    )


def agree(folder: Path, name: str = "small") -> None:
    """Checks that the manifest names exactly the existing files, and no seed twice."""
    files = [read_file(path) for path in (folder / "games" / name).glob("*.tg")]
    seeds: list[int] = []
    for contents in files:
        first = contents.header.seed
        seeds += range(first, first + contents.header.asked)
    assert len(seeds) == len(set(seeds))
    rows = made(folder, name)
    noted = [seed for row in rows for first, after in row["seeds"] for seed in range(first, after)]
    assert sorted(noted) == sorted(seeds)
    assert sum(row["games"] for row in rows) == sum(c.header.count for c in files)
    assert sum(row["positions"] for row in rows) == sum(c.positions for c in files)
