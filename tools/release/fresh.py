"""Uses a release as its readers do: installs it in a fresh environment, and plays and reviews.

    python -m tools.release.fresh FOLDER        FOLDER holds the files of a release

It compares all files with SHA256SUMS, installs both wheels of this system without a compiler, runs
the bench, plays a match of two games and reviews one of them. It needs no package but Python's
own; it runs on every system. The exit code is 1, with the reason, where a step fails.
"""

import argparse
import hashlib
import os
import re
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .programs import output_of
from .targets import ROOT, ReleaseError

SIGNATURE: Final = ROOT / "tests" / "data" / "bench_signature.txt"
PROJECTS: Final = ("tengen-gomoku", "tengen-arena")
MATCH: Final = (
    *("A=tengen", "B=tengen", "--size", "9", "--games", "2"),
    *("--turn", "100ms", "--tolerance", "60s"),
)


def check_sums(folder: Path) -> int:
    """Returns how many files SHA256SUMS names. Raises ReleaseError where one differs.

    A file that it does not name is refused as well.
    """
    try:
        lines = (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines()
        unnamed = {path.name for path in folder.iterdir() if path.is_file()} - {"SHA256SUMS"}
        for line in lines:
            expected, name = line.split("  ", 1)
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != expected:
                raise ReleaseError(f"{name} is not the file that SHA256SUMS names")
            unnamed.discard(name)
    except (OSError, ValueError) as error:
        raise ReleaseError(f"{folder / 'SHA256SUMS'}: {error}") from None
    if unnamed:
        raise ReleaseError(f"SHA256SUMS does not name {', '.join(sorted(unnamed))}")
    return len(lines)


def version_of(folder: Path) -> str:
    """Returns the version of the engine's wheels. Raises ReleaseError unless there is one."""
    names = [path.name for path in folder.glob("tengen_gomoku-*.whl")]
    versions = {name.split("-")[1] for name in names}
    if len(versions) != 1:
        raise ReleaseError(f"{folder} has wheels of {sorted(versions)}: expected one version")
    return versions.pop()


def try_release(folder: Path) -> None:
    """Does all steps and reports each. Raises ReleaseError."""
    print(f"{check_sums(folder)} files are those of SHA256SUMS")
    version = version_of(folder)
    with tempfile.TemporaryDirectory(prefix="tengen-fresh-") as name:
        home = Path(name)
        venv.create(home / "venv", with_pip=True)
        programs = home / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        pip: list[str | Path] = [programs / "python", "-m", "pip", "install", "-q"]
        pip += ["--disable-pip-version-check", "--only-binary=:all:"]
        wanted = [f"{project}=={version}" for project in PROJECTS]
        # From the folder alone: PyPI may have files of the same version.
        ours: list[str | Path] = ["--no-index", "--no-deps", "--find-links", folder]
        _step("install", programs, [*pip, *ours, *wanted], home)
        _step("install what they need", programs, [*pip, *wanted], home)
        said = _step("bench", programs, [programs / "python", "-m", "pyengine"], home)
        signature = SIGNATURE.read_text(encoding="ascii").strip()
        if f"signature {signature}" not in said.splitlines():
            raise ReleaseError(f"the bench has to have the signature {signature}: {said!r}")
        arena = programs / f"tengen-arena{'.exe' if sys.platform == 'win32' else ''}"
        _step("match", programs, [arena, "match", *MATCH, "--out", home / "match"], home)
        games = sorted((home / "match").rglob("*.psq"))
        if len(games) != 2:
            raise ReleaseError(f"the match wrote {len(games)} games: expected 2")
        review: list[str | Path] = [
            arena,
            "review",
            games[0],
            "--nodes",
            "2k",
            "--out",
            home / "review",
        ]
        _step("review", programs, review, home)
        pages = sorted((home / "review").rglob("*.html"))
        if not pages or not re.search(r"(?i)<html", pages[0].read_text(encoding="utf-8")):
            raise ReleaseError("the review wrote no page")


def _step(name: str, programs: Path, command: Sequence[str | Path], folder: Path) -> str:
    started = time.monotonic()
    # The tree's own packages are not found from there; the installed commands are.
    settings = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    settings["PATH"] = os.pathsep.join([str(programs), settings.get("PATH", "")])
    try:
        said = output_of(command, folder, settings)
    except ReleaseError as error:
        raise ReleaseError(f"{name}: {error}") from None
    print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    return said


def main() -> int:
    """Tries the release of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.fresh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    try:
        try_release(parser.parse_args().folder.resolve())
    except ReleaseError as error:
        print(f"not as it should be: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
