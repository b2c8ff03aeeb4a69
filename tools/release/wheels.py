"""Makes the wheels of every system on this one, and checks what is in them."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import build_toolchain

from . import formats, glibc
from .targets import ROOT, ReleaseError, Target, zig, zig_settings

ARENA: Final = ROOT / "arena"
PAGE: Final = ROOT / "dist" / "tengen-board.html"
# The first bytes of a library of each system: ELF, a Windows program, 64-bit Mach-O.
MAGIC: Final = {"linux": b"\x7fELF", "win32": b"MZ", "darwin": b"\xcf\xfa\xed\xfe"}


def build_wheel(target: Target, folder: Path) -> Path:
    """Compiles the core for a target and returns the wheel, checked. Raises ReleaseError."""
    # zig adds debug information otherwise: twice the size, and the paths of this machine.
    compiler = shlex.join([zig(), "cc", "-target", target.triple, "-g0", "-s"])
    alone = folder / target.name
    shutil.rmtree(alone, ignore_errors=True)  # of a run that was ended
    wheel = _build(
        ROOT,
        alone,
        CC=compiler,
        TENGEN_PLATFORM_TAG=target.tag,
        **zig_settings(),
    )
    if not wheel.name.endswith(f"-py3-none-{target.tag}.whl"):
        raise ReleaseError(f"{wheel.name} is not for {target.tag}")
    check_libraries(wheel, build_toolchain.find_toolchain(compiler))
    check_glibc(wheel)
    formats.check_wheel(wheel, target)
    made = wheel.replace(folder / wheel.name)
    alone.rmdir()
    return made


def build_arena(folder: Path) -> list[Path]:
    """Makes sdist and wheel of the arena. Raises ReleaseError where one lacks the board's page."""
    made = [_build(ARENA, folder, kind="sdist"), _build(ARENA, folder)]
    for file in made:
        check_page(file)
    return made


def check_page(file: Path) -> None:
    """Raises ReleaseError where an sdist or wheel of the arena lacks the page of this tree."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            held = [wheel.read(name) for name in wheel.namelist() if name.endswith(PAGE.name)]
    else:
        with tarfile.open(file) as sdist:
            found = [
                sdist.extractfile(name) for name in sdist.getnames() if name.endswith(PAGE.name)
            ]
            held = [stream.read() for stream in found if stream is not None]
    if held != [PAGE.read_bytes()]:
        raise ReleaseError(
            f"{file.name} does not hold the page {PAGE.name} that `make board` wrote"
        )


def build_sdist(folder: Path) -> Path:
    """Makes the engine's sdist. Raises ReleaseError."""
    return _build(ROOT, folder, kind="sdist")


def check_libraries(wheel: Path, toolchain: build_toolchain.Toolchain) -> None:
    """Compares the libraries of a wheel with those of the target. Raises ReleaseError."""
    wanted = set(build_toolchain.library_names(toolchain.system, toolchain.machine))
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.endswith((".so", ".dll", ".dylib"))}
        if names != {f"pyengine/{name}" for name in wanted}:
            raise ReleaseError(f"{wheel.name} holds {sorted(names)}: expected {sorted(wanted)}")
        for name in names:
            begin = archive.read(name)[:4]
            if not begin.startswith(MAGIC[toolchain.system]):
                raise ReleaseError(f"{wheel.name}: {name} is not a library of {toolchain.system}")


def check_glibc(wheel: Path) -> None:
    """Raises ReleaseError where a library needs a newer glibc than the wheel's name says."""
    named = re.search(r"manylinux_2_(\d+)_", wheel.name)
    if named is None:
        return
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.endswith(".so"):
                continue
            needed = glibc.needed(archive.read(name))
            if needed > int(named[1]):
                raise ReleaseError(
                    f"{wheel.name}: {name} needs glibc 2.{needed}: expected 2.{named[1]} at most"
                )


def _build(project: Path, folder: Path, *, kind: str = "wheel", **environment: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    before = set(folder.iterdir())
    command: Sequence[str | Path] = (
        sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder,
    )  # fmt: skip
    done = subprocess.run(
        command,
        cwd=project,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ReleaseError(f"{project.name}, {kind}: {done.stdout}{done.stderr}")
    (made,) = set(folder.iterdir()) - before
    return made
