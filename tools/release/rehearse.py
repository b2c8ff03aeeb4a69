"""Makes and tries a release of this commit before it has a tag: `make rehearsal VERSION=0.2.0`.

    python -m tools.release.rehearse 0.2.0

It clones this tree into build/rehearsal/, sets the version in the clone, and commits it there. Then
it runs `make release`, `make try-release` and `make trials` in the clone. At the end it copies the
results into this tree: docs/artefacts.json and the table of docs/release.md. The clone shares
build/roots/ and .kept/ with this tree. It needs what `make trials` needs. If a step fails, it
prints the reason, and the exit code is 1.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from .checks import check_tree
from .programs import output_of
from .results import RECORD, put, read, table
from .targets import KEPT, ROOT, ReleaseError

HOME: Final = ROOT / "build" / "rehearsal"
GOALS: Final = ("release", "try-release", "trials")
PAGE: Final = ROOT / "docs" / "release.md"


def name_version(tree: Path, version: str, day: str) -> None:
    """Writes a version into a tree, as a maintainer does. Raises ReleaseError."""
    for file, pattern, text in (
        (tree / "CHANGELOG.md", r"^## Unreleased$", f"## {version} - {day}"),
        (tree / "pyengine" / "__init__.py", r'^__version__ = ".*"$', f'__version__ = "{version}"'),
    ):
        changed, count = re.subn(pattern, text, file.read_text(encoding="utf-8"), flags=re.M)
        if count != 1:
            raise ReleaseError(f"{file} has {count} lines like {pattern}: expected 1")
        file.write_text(changed, encoding="utf-8")


def rehearse(version: str) -> None:
    """Makes and tries the release, and copies the results. Raises ReleaseError."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ReleaseError(f"the version is {version}: expected three numbers, as in 0.2.0")
    check_tree()
    tree = HOME / "tengen"
    shutil.rmtree(tree, ignore_errors=True)
    HOME.mkdir(parents=True, exist_ok=True)
    output_of(["git", "clone", "--quiet", ROOT, tree])
    name_version(tree, version, time.strftime("%Y-%m-%d", time.gmtime()))
    output_of(["git", "commit", "--quiet", "--all", "--message", f"Rehearsal of {version}"], tree)
    roots = ROOT / "build" / "roots"
    roots.mkdir(parents=True, exist_ok=True)
    (tree / "build").mkdir()
    (tree / "build" / "roots").symlink_to(roots, target_is_directory=True)
    for goal in GOALS:
        started = time.monotonic()
        _make(tree, goal)
        print(f"make {goal}: {time.monotonic() - started:.0f} s", flush=True)
    shutil.copyfile(tree / RECORD.relative_to(ROOT), RECORD)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(put(page, table(read(RECORD))), encoding="utf-8")


def _make(tree: Path, goal: str) -> None:
    """Runs a target in the clone, not in the make that may have started this program."""
    settings = {name: os.environ[name] for name in os.environ if not name.startswith("MAKE")}
    # Makefile exports TENGEN_EXE as a path of this tree. The others choose another folder or tag.
    for name in ("TENGEN_EXE", "RELEASE", "TAG"):
        settings.pop(name, None)
    done = subprocess.run(
        ["make", goal], cwd=tree, env={**settings, "TENGEN_KEPT": str(KEPT)}, check=False
    )
    if done.returncode != 0:
        raise ReleaseError(f"make {goal} failed in {tree}")


def main() -> int:
    """Rehearses the release of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.rehearse",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("version", metavar="VERSION", help="version, for example 0.2.0")
    try:
        rehearse(parser.parse_args().version)
    except ReleaseError as error:
        print(f"no rehearsal: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
