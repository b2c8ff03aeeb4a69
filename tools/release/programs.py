"""Runs the programs that make or try the files of a release."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from .targets import ReleaseError

__all__ = ["output_of"]


def output_of(
    command: Sequence[str | Path],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Runs a program with an empty input, and returns its standard output.

    folder: the current folder of the program. Raises ReleaseError with the last lines of a program
    that fails.
    """
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-2000:]
        raise ReleaseError(f"{' '.join(map(str, command))} failed:\n{said}")
    return done.stdout
