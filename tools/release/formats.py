"""Checks libraries that this machine cannot load: processor, exports, what they need."""

import json
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..environment import EnvironmentFailedError, python_with
from .targets import BUILD, ROOT, ReleaseError, Target

HEADER: Final = ROOT / "csrc" / "include" / "tengen.h"
REQUIREMENTS: Final = Path(__file__).with_name("lief-requirements.txt")
INSPECT: Final = Path(__file__).with_name("inspect_library.py")
# By the system in a target's triple: the format, and the libraries that every such system has.
SYSTEMS: Final[Mapping[str, tuple[str, str]]] = {
    "linux-gnu": ("ELF", r"lib(c|m|pthread|dl)\.so\.\d+|ld-linux.*"),
    "linux-musl": ("ELF", r"libc\.so"),
    "windows-gnu": (
        "PE",
        r"(?i)(kernel32|ntdll|advapi32|psapi|ucrtbase|msvcrt)\.dll|api-ms-win-[\w-]+\.dll",
    ),
    "macos": ("Mach-O", r"/usr/lib/libSystem\.B\.dylib"),
}
MACHINES: Final[Mapping[str, set[str]]] = {
    "x86_64": {"X86_64", "AMD64"},
    "aarch64": {"AARCH64", "ARM64"},
}


def public_functions() -> set[str]:
    """Returns the functions of tengen.h."""
    text = HEADER.read_text(encoding="utf-8")
    return set(re.findall(r"^\w[\w ]*[ *](tg_\w+)\(", text, re.M))


def check_wheel(wheel: Path, target: Target) -> None:
    """Raises ReleaseError unless the libraries of a wheel fit its target."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith((".so", ".dll", ".dylib"))]
        if not names:
            raise ReleaseError(f"{wheel.name} has no library")
        files = [archive.extract(name, folder) for name in names]
        for name, found in zip(names, _inspect(files), strict=True):
            wrong = faults(found, target)
            if wrong:
                raise ReleaseError(f"{wheel.name}: {name}: {'; '.join(wrong)}")


def faults(found: Mapping[str, Any], target: Target) -> list[str]:
    """Returns what in a library does not fit a target. found: see inspect_library.py."""
    machine, _, rest = target.triple.partition("-")
    system = next(name for name in SYSTEMS if rest.startswith(name))
    form, known = SYSTEMS[system]
    if found["format"] != form:
        return [f"it is {found['format']}: expected {form}"]
    wrong = []
    if found["machine"] not in MACHINES[machine]:
        wrong.append(f"it is for {found['machine']}: expected {machine}")
    if not found["is_library"]:
        wrong.append("it is no shared library")
    lacking = public_functions() - set(found["exports"])
    if lacking:
        wrong.append(f"it does not export {', '.join(sorted(lacking))}")
    foreign = [name for name in found["needs"] if not re.fullmatch(known, name)]
    if foreign:
        wrong.append(f"it needs {', '.join(foreign)}, which not every system has")
    if system == "macos":
        oldest = rest.partition(".")[2]
        if found["minimum"] != oldest:
            wrong.append(f"it needs macOS {found['minimum']}: expected {oldest}")
        if machine == "aarch64" and not found["signed"]:
            wrong.append("it has no signature, and macOS loads none without on this processor")
    return wrong


def _inspect(files: list[str]) -> list[dict[str, Any]]:
    try:
        python = python_with(REQUIREMENTS, BUILD / "lief-venv")
    except EnvironmentFailedError as error:
        raise ReleaseError(f"the libraries cannot be read: {error}") from None
    done = subprocess.run([python, INSPECT, *files], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"{INSPECT.name} failed:\n{done.stderr[-2000:]}")
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
