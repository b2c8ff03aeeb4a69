"""Checks before a release."""

import re
import subprocess
import sys
from typing import Final

import pyengine

from .targets import ROOT, ReleaseError

CHANGELOG: Final = ROOT / "CHANGELOG.md"
SIGNATURE: Final = ROOT / "tests" / "data" / "bench_signature.txt"


def check_tree() -> None:
    """Raises ReleaseError where the tree has changes, or is no checkout at all."""
    done = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ReleaseError(f"git status: {done.stderr.strip()}")
    if done.stdout:
        changes = done.stdout.splitlines()
        raise ReleaseError(f"the tree has {len(changes)} changes, the first is {changes[0]!r}")


def check_tag(tag: str) -> None:
    """Raises ReleaseError unless a tag is v and the version."""
    expected = f"v{pyengine.__version__}"
    if tag != expected:
        raise ReleaseError(f"the tag is {tag}: expected {expected}")


def sections(text: str) -> dict[str, str]:
    """Returns the sections of a changelog by their headings' first word."""
    parts = re.split(r"^## +(\S+).*\n", text, flags=re.M)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def check_changelog() -> None:
    """Raises ReleaseError where the version has no section, or something is unreleased."""
    found = sections(CHANGELOG.read_text(encoding="utf-8"))
    version = pyengine.__version__
    if found.get("Unreleased"):
        raise ReleaseError(f"CHANGELOG.md has unreleased entries: name them {version} or later")
    if version not in found:
        raise ReleaseError(f"CHANGELOG.md has no section of version {version}")


def notes_of(*, dirty: bool) -> str:
    """Returns the notes of this version; those of the next one for a trial."""
    found = sections(CHANGELOG.read_text(encoding="utf-8"))
    name = "Unreleased" if dirty and found.get("Unreleased") else pyengine.__version__
    if name not in found:
        raise ReleaseError(f"CHANGELOG.md has no section {name}")
    return f"# Tengen {name}\n\n{found[name]}\n"


def check_signature() -> None:
    """Raises ReleaseError where the bench of this tree's core has another signature."""
    done = subprocess.run(
        [sys.executable, "-m", "pyengine"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    expected = SIGNATURE.read_text(encoding="ascii").strip()
    if f"signature {expected}" not in done.stdout.splitlines():
        said = (done.stdout + done.stderr).splitlines()[-3:]
        raise ReleaseError(f"the bench has to have the signature {expected}: {said}")
