"""Tries the files of a release here: the bench signature, the functions of the package, the start.

    python -m tools.release.trial FILE...       wheels or executables for these systems:

    manylinux x86_64    pip installs it in a fresh environment, with cffi from PyPI; with --root,
                        the Python of `make linux` runs it with the glibc of FOLDER
    win_amd64           the Windows Python of tools/windows runs it under wine
    manylinux aarch64   Python of --root FOLDER, under qemu-aarch64-static
    musllinux           a C program, linked by zig, runs the bench with musl's loader (Debian's
                        package musl); aarch64: with that of --root FOLDER, under qemu
    pbrain-tengen       the executables, as one file or ZIP: for Linux here, or in --root FOLDER;
                        for Windows under wine

FILE may be the folder of a whole release; its other files are passed over. --root FOLDER names
another Linux, and may be repeated. Each file is tried here and in the roots of its processor.
`python -m tools.release.roots` makes an old Debian and one for arm64.

Where no program of a file's system runs, its libraries are only read: format, processor, exports,
imports. --record writes what was found into docs/artefacts.json, for the table of docs/release.md.
The exit code is 1 where a file fails, and 3 where one could not be tried.
"""

import argparse
import contextlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import build_exe
import build_stamp
import pyengine
from build_toolchain import BuildError

from ..linux import compiled
from ..windows import wine
from . import formats
from .executables import STARTS, system_name, try_executable
from .programs import output_of
from .results import EXECUTABLES, NEEDS, NOT_RUN, RECORD, CannotRunError, Trial, artefact_of, note
from .targets import ROOT, ReleaseError, Target, find_target, zig, zig_settings

SMOKE: Final = Path(__file__).with_name("smoke.py")
QEMU: Final = "qemu-aarch64-static"
MUSL_LOADER: Final = "lib/ld-musl-{}.so.1"
CANNOT_RUN: Final = 3
LOADERS: Final = {
    "x86_64": "lib64/ld-linux-x86-64.so.2",
    "aarch64": "lib/ld-linux-aarch64.so.1",
}


def try_file(file: Path, root: Path | None) -> Trial:
    """Tries a file. Raises ReleaseError where it fails, CannotRunError where it cannot run."""
    artefact = artefact_of(file)
    with tempfile.TemporaryDirectory(prefix="tengen-trial-") as folder:
        if artefact in EXECUTABLES:
            return try_executable(file.resolve(), artefact, Path(folder), root)
        target = find_target(artefact.removesuffix(" wheel"))
        if target.name not in RUNNERS:
            formats.check_wheel(file, target)
            return Trial(None, NOT_RUN)
        return RUNNERS[target.name](file.resolve(), target, Path(folder), root)


def artefacts_in(paths: Sequence[Path]) -> list[Path]:
    """Returns the files, and those of the folders that can be tried. Raises ReleaseError.

    A folder has a file of every kind: no row of the record may be left from another release.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            artefact_of(path)
            files.append(path)
            continue
        found = []
        for file in sorted(path.iterdir()):
            with contextlib.suppress(ReleaseError):
                found.append(artefact_of(file))
                files.append(file)
        lacking = [artefact for artefact in NEEDS if artefact not in found]
        if lacking:
            raise ReleaseError(f"{path} has no file to try for {', '.join(lacking)}")
    return files


def places(artefact: str, roots: Sequence[Path]) -> list[Path | None]:
    """Returns where a file is tried: None = here, and the roots of its processor."""
    system = artefact.rpartition(" ")[0]
    machine = system.rpartition("-")[2]
    fitting = [root for root in roots if root_machine(root) == machine]
    if system == "linux-x86_64":
        return [None, *fitting]
    if system in ("linux-aarch64", "musl-aarch64"):
        return [*fitting] or [None]
    return [None]


def root_machine(root: Path) -> str:
    """Returns the processor of a Linux in a folder. Raises ReleaseError."""
    for machine, loader in LOADERS.items():
        # In Debian 11 it is a link to an absolute path, which means nothing outside of the root.
        if os.path.lexists(root / loader):
            return machine
    raise ReleaseError(f"{root} is no Linux: it has none of {', '.join(LOADERS.values())}")


def _linux(wheel: Path, target: Target, folder: Path, root: Path | None) -> Trial:
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise CannotRunError(f"{wheel.name} needs Linux on x86-64")
    if root is not None:
        return _other_linux(wheel, folder, root)
    output_of([sys.executable, "-m", "venv", folder / "venv"], folder)
    bin_folder = folder / "venv" / "bin"
    pip: list[str | Path] = [
        bin_folder / "python",
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "-q",
    ]
    output_of([*pip, wheel], folder)
    said = _smoke([bin_folder / "python", SMOKE, ""], folder)
    _check_cpu_path(said)
    start_s = min(build_exe.try_out(bin_folder / "tengen") for _ in range(STARTS))
    where = f"{system_name(Path('/'))}, {_where(said)}"
    return Trial(said["signature"], where, start_s)


def _other_linux(wheel: Path, folder: Path, root: Path) -> Trial:
    """Runs a wheel with the glibc of another Linux, whose own Python may be too old."""
    if not compiled.PROGRAM.is_file():
        raise CannotRunError(f"{compiled.PROGRAM} is missing: make linux")
    if os.geteuid() != 0:
        raise CannotRunError("--root needs the rights of root, for chroot")
    inside = root / "tmp" / folder.name
    inside.mkdir()
    try:
        shutil.copytree(compiled.PREFIX, inside / "python")
        _unpack(wheel, inside / "site")
        shutil.copy(SMOKE, inside)
        here = Path("/tmp") / folder.name
        program = here / "python" / compiled.PROGRAM.relative_to(compiled.PREFIX)
        # Without /proc, the loader does not find libpython beside the program.
        path = f"LD_LIBRARY_PATH={here / 'python' / 'lib'}"
        words: list[str | Path] = [
            "chroot",
            root,
            "/usr/bin/env",
            path,
            program,
            here / SMOKE.name,
            here / "site",
        ]
        said = _smoke(words, folder)
    finally:
        shutil.rmtree(inside)
    _check_cpu_path(said)
    return Trial(said["signature"], f"{system_name(root)}, {_where(said)}")


def _windows(wheel: Path, target: Target, folder: Path, root: Path | None) -> Trial:
    if not wine.PYTHON.is_file():
        raise CannotRunError("the Windows Python is missing: python -m tools.windows python")
    _unpack(wheel, folder)
    wine.prepare()
    words = [wine.windows_path(SMOKE), wine.windows_path(folder)]
    said = _smoke(wine.command(wine.PYTHON, *words), folder, wine.environment())
    _check_cpu_path(said)
    return Trial(said["signature"], f"{_where(said)}, wine")


def _aarch64(wheel: Path, target: Target, folder: Path, root: Path | None) -> Trial:
    emulator = _emulator(root)
    assert root is not None
    pythons = sorted((root / "usr" / "bin").glob("python3.[0-9]*[0-9]"))
    if not pythons:
        raise CannotRunError(f"{root} holds no usr/bin/python3.N")
    version = pythons[0].name.removeprefix("python")
    output_of(
        [
            *(sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "-q"),
            *("--only-binary=:all:", f"--python-version={version}", f"--dest={folder / 'wheels'}"),
            *("--platform=manylinux_2_17_aarch64", "--platform=manylinux2014_aarch64", wheel),
        ],
        folder,
    )
    for file in (folder / "wheels").glob("*.whl"):
        _unpack(file, folder)
    said = _smoke([*emulator, pythons[0], SMOKE, folder], folder)
    return Trial(said["signature"], f"{_where(said)}, qemu")


def _musl(wheel: Path, target: Target, folder: Path, root: Path | None) -> Trial:
    machine = target.name.partition("-")[2]
    emulator: list[str | Path] = _emulator(root) if machine == "aarch64" else []
    loader = (root or Path("/")) / MUSL_LOADER.format(machine)
    if machine == "x86_64":
        loader = Path("/") / MUSL_LOADER.format(machine)
    if not loader.exists():
        raise CannotRunError(f"{loader} is missing: it comes with Debian's package musl")
    _unpack(wheel, folder)
    program = folder / "bench"
    output_of(
        [
            *(zig(), "cc", "-target", target.triple, "-std=gnu11", "-O2", "-Icsrc"),
            *("csrc/bench/bench_main.c", folder / "pyengine" / "libtengen.so"),
            *("-Wl,-rpath,$ORIGIN/pyengine", "-o", program),
        ],
        ROOT,
        {**os.environ, **zig_settings()},
    )
    said = output_of([*emulator, loader, program], folder)
    (signature,) = [line.split()[1] for line in said.splitlines() if line.startswith("signature")]
    return Trial(signature, f"C program, musl {machine}{', qemu' if emulator else ''}")


RUNNERS: Final[dict[str, Callable[[Path, Target, Path, Path | None], Trial]]] = {
    "linux-x86_64": _linux,
    "linux-aarch64": _aarch64,
    "musl-x86_64": _musl,
    "musl-aarch64": _musl,
    "windows-x86_64": _windows,
}


def _emulator(root: Path | None) -> list[str | Path]:
    if shutil.which(QEMU) is None:
        raise CannotRunError(f"{QEMU} is missing; on Debian: apt-get install qemu-user-static")
    if root is None:
        raise CannotRunError("--root must name a folder with a Debian for arm64")
    return [QEMU, "-L", root]


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)


def _where(said: dict[str, Any]) -> str:
    return f"Python {said['python']}, {said['system']}, {said['cpu_path']}"


def _check_cpu_path(said: dict[str, Any]) -> None:
    """Raises ReleaseError where the wheel takes another library than the core of this tree."""
    if said["cpu_path"] != pyengine.cpu_path():
        raise ReleaseError(
            f"the library for {said['cpu_path']} was taken: expected {pyengine.cpu_path()}"
        )


def _smoke(
    command: Sequence[str | Path], folder: Path, environment: dict[str, str] | None = None
) -> dict[str, Any]:
    """Runs smoke.py with the signature as its last argument, and returns what it has found."""
    said = output_of([*command, build_stamp.find_signature(ROOT)], folder, environment)
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def main() -> int:
    """Tries the files of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.trial",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument(
        "--root", type=Path, metavar="FOLDER", action="append", default=[], help="another Linux"
    )
    parser.add_argument(
        "--record", action="store_true", help=f"write the results into docs/{RECORD.name}"
    )
    args = parser.parse_args()
    try:
        roots = [root.resolve() for root in args.root]
        tries = [
            (file, root)
            for file in artefacts_in(args.files)
            for root in places(artefact_of(file), roots)
        ]
    except ReleaseError as error:
        print(f"trial: {error}", file=sys.stderr)
        return 1
    worst = 0
    for file, root in tries:
        try:
            trial = try_file(file, root)
            expected = build_stamp.find_signature(ROOT)
            if trial.signature not in (None, expected):
                raise ReleaseError(f"signature {trial.signature}: expected {expected}")
            if args.record:
                note(file, trial)
        except CannotRunError as error:
            print(f"not tried  {file.name}: {error}", file=sys.stderr)
            worst = worst or CANNOT_RUN
        except (ReleaseError, BuildError, OSError, subprocess.TimeoutExpired) as error:
            print(f"FAILED     {file.name}: {error}", file=sys.stderr)
            worst = 1
        else:
            start = "" if trial.start_s is None else f", ready after {trial.start_s:.2f} s"
            print(
                f"{trial.signature or 'read only'}  {file.name}: {trial.where}{start}", flush=True
            )
    return worst


if __name__ == "__main__":
    sys.exit(main())
