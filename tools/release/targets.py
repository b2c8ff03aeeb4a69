"""The systems for which wheels are made, and the compiler that makes them all on one machine."""

import functools
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..environment import EnvironmentFailedError, python_with

ROOT: Final = Path(__file__).resolve().parents[2]
BUILD: Final = ROOT / "build" / "release"
REQUIREMENTS: Final = Path(__file__).with_name("requirements.txt")
# Files that are the same for all commits. `make clean` keeps them, and clones may share them.
KEPT: Final = Path(os.environ.get("TENGEN_KEPT") or ROOT / ".kept").absolute()


@dataclass(frozen=True)
class Target:
    """One kind of system.

    triple: for the compiler. tag: the wheel's platform. needs: the oldest system that runs it.
    """

    name: str
    triple: str
    tag: str
    needs: str


TARGETS: Final = (
    Target(
        "linux-x86_64",
        "x86_64-linux-gnu.2.17",
        "manylinux_2_17_x86_64.manylinux2014_x86_64",
        "glibc 2.17",
    ),
    Target(
        "linux-aarch64",
        "aarch64-linux-gnu.2.17",
        "manylinux_2_17_aarch64.manylinux2014_aarch64",
        "glibc 2.17",
    ),
    Target("musl-x86_64", "x86_64-linux-musl", "musllinux_1_1_x86_64", "musl 1.2"),
    Target("musl-aarch64", "aarch64-linux-musl", "musllinux_1_1_aarch64", "musl 1.2"),
    Target("windows-x86_64", "x86_64-windows-gnu", "win_amd64", "Windows 10"),
    Target("windows-arm64", "aarch64-windows-gnu", "win_arm64", "Windows 10"),
    Target("macos-x86_64", "x86_64-macos.11.0", "macosx_11_0_x86_64", "macOS 11"),
    Target("macos-arm64", "aarch64-macos.11.0", "macosx_11_0_arm64", "macOS 11"),
)


class ReleaseError(Exception):
    """A part of the release cannot be made; the text is for the user."""


def find_target(name: str) -> Target:
    """Returns the target of a name. Raises ReleaseError with the names that there are."""
    for target in TARGETS:
        if target.name == name:
            return target
    names = ", ".join(target.name for target in TARGETS)
    raise ReleaseError(f"there is no target {name}: expected one of {names}")


@functools.cache
def zig() -> str:
    """Returns the program of `ziglang`, which is installed in an environment of its own.

    The first use installs it. Raises ReleaseError when that fails.
    """
    try:
        python = python_with(REQUIREMENTS, BUILD / "venv")
    except EnvironmentFailedError as error:
        raise ReleaseError(f"the compiler is missing: {error}") from None
    # `python -m ziglang` is the same, and starts a Python for each file that is compiled.
    asks = "import ziglang, os; print(os.path.dirname(ziglang.__file__))"
    said = subprocess.run([python, "-c", asks], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise ReleaseError(f"the compiler is missing: {said.stderr[-2000:]}")
    return str(Path(said.stdout.strip()) / ("zig.exe" if os.name == "nt" else "zig"))


def zig_settings() -> dict[str, str]:
    """Returns the environment of the compiler.

    It compiles the C library of a system once and keeps that by its content: for Windows, this
    takes longer than the engine.
    """
    return {
        "ZIG_GLOBAL_CACHE_DIR": str(KEPT / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(BUILD / "zig"),
    }
