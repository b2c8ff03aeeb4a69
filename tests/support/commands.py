"""Runs commands for tests."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path


def run(
    command: Sequence[str | Path], cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder, with further variables in its environment."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


# The last line of a fake compiler: it writes a file in place of what it is to make.
WRITES_OUTPUT = 'while [ "$1" != -o ]; do shift; done; echo > "$2"\n'


def write_program(path: Path, script: str) -> None:
    """Writes a script that can be run."""
    path.write_text(script)
    path.chmod(0o755)
