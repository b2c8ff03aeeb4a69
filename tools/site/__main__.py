"""Builds the documentation site. A dead link is an error.

    python -m tools.site            writes dist/site/
    python -m tools.site --serve    serves the site on 127.0.0.1:8000, rebuilt when a page changes

MkDocs has an environment of its own in build/, which the first run installs.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from ..environment import EnvironmentFailedError, python_with

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
HOME: Final = ROOT / "build" / "site-venv"
BOARD: Final = ROOT / "dist" / "tengen-board.html"


def main() -> int:
    """Runs MkDocs and returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--serve", action="store_true", help="serve the site; do not write it")
    args = parser.parse_args()
    if not BOARD.is_file():
        print(f"{BOARD} is missing: run `make board`", file=sys.stderr)
        return 1
    try:
        python = python_with(HERE / "requirements.txt", HOME)
    except EnvironmentFailedError as error:
        print(error, file=sys.stderr)
        return 1
    words = ["serve"] if args.serve else ["build", "--strict", "--clean", "--quiet"]
    done = subprocess.run(
        [python, "-m", "mkdocs", *words, "--config-file", HERE / "mkdocs.yml"],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=False,
    )
    if done.returncode == 0 and not args.serve:
        print(ROOT / "dist" / "site" / "index.html")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
