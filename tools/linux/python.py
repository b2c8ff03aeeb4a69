"""The compiled Python with the packages that freeze: what runs build_exe.py for the old glibc."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from build_core import ROOT
from build_toolchain import BuildError

from . import compiled
from .compiled import PREFIX, PROGRAM, VERSION

PACKAGES: Final = PREFIX / "lib" / f"python{VERSION}" / "site-packages"
REQUIREMENTS: Final = ROOT / "requirements-dev.txt"
# The parts of PyInstaller, and the requirement of the engine.
FREEZES: Final = {
    "altgraph", "cffi", "packaging", "pycparser", "pyinstaller", "pyinstaller-hooks-contrib",
    "setuptools",
}  # fmt: skip
TRIAL: Final = "import ctypes, zlib, PyInstaller, _cffi_backend"


def assemble() -> Path:
    """Puts the Python under build/linux/, tries it, and returns it. Raises BuildError."""
    compiled.restore()
    try:
        _install_packages()
        run(["-c", TRIAL])
    except BuildError:
        PROGRAM.unlink()  # what is not there is made again
        raise
    PROGRAM.touch()  # make compares its time with those of the sources
    return PROGRAM


def run(arguments: Sequence[str | Path]) -> None:
    """Runs the Python in the tree. Raises BuildError when that fails."""
    if not PROGRAM.is_file():
        raise BuildError(f"{PROGRAM} is missing: make linux")
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([PROGRAM, *arguments], cwd=ROOT, env=ours, check=False)
    if done.returncode != 0:
        raise BuildError(f"{PROGRAM.name} ended with {done.returncode}: {arguments}")


def _install_packages() -> None:
    """Installs what freezes, in the versions of the developers' environment."""
    pins = [
        line
        for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines()
        if line.partition("==")[0] in FREEZES
    ]
    if len(pins) != len(FREEZES):
        raise BuildError(f"{REQUIREMENTS.name} pins {pins}: expected {sorted(FREEZES)}")
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    command += ["--no-deps", "--only-binary=:all:", f"--python-version={VERSION}"]
    command += ["--platform=manylinux2014_x86_64", f"--target={PACKAGES}"]
    done = subprocess.run([*command, *pins], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"pip cannot install {pins}:\n{done.stderr[-2000:]}")
