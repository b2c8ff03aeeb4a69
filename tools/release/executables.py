"""Tries the executables of a release: the bench signature, the start, a move."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import build_exe
import build_stamp

from ..windows import wine
from .results import CannotRunError, Trial
from .targets import ROOT, ReleaseError

STARTS: Final = 10  # the fastest counts: other work on the machine slows single ones
BENCH_S: Final = 600.0
"""Seconds for the bench, on a busy machine."""


def try_executable(file: Path, artefact: str, folder: Path, root: Path | None) -> Trial:
    """Tries an executable or a ZIP in an empty folder. Raises ReleaseError, CannotRunError.

    root: another Linux, whose files and glibc the program gets; None = this one.
    """
    if artefact.startswith("windows"):
        return _try_windows(_unpack(file, folder), folder)
    if sys.platform != "linux":
        raise CannotRunError(f"{file.name} needs Linux")
    if root is None:
        return _try(_unpack(file, folder), folder, system_name(Path("/")))
    if os.geteuid() != 0:
        raise CannotRunError("--root needs the rights of root, for chroot")
    inside = root / "tmp" / folder.name
    inside.mkdir()
    try:
        program = _unpack(file, inside)
        # Another root has no $TMPDIR of this one.
        words = ["env", "-u", "TMPDIR", "chroot", str(root), f"/{program.relative_to(root)}"]
        return _try(write_starter(folder, words), folder, system_name(root))
    finally:
        shutil.rmtree(inside)


def write_starter(folder: Path, words: list[str]) -> Path:
    """Writes a program that runs a command with the arguments that it gets."""
    starter = folder / "start"
    starter.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    starter.chmod(0o755)
    return starter


def system_name(root: Path) -> str:
    """Returns the name of a Linux, with its glibc: Debian 11, glibc 2.31."""
    try:
        lines = (root / "etc" / "os-release").read_text(encoding="utf-8")
    except OSError as error:
        raise CannotRunError(f"{root} is no Linux: {error}") from None
    found = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', lines, re.M))
    name = found.get("NAME", "Linux").partition(" ")[0]
    version = found.get("VERSION_ID") or found.get("VERSION_CODENAME", "")
    libraries = sorted(root.glob("usr/lib/*-linux-gnu/libc.so.6")) or sorted(
        root.glob("lib/*-linux-gnu/libc.so.6")
    )
    glibc = re.search(rb"GNU C Library .* version (2\.\d+)", libraries[0].read_bytes())
    assert glibc, libraries
    return f"{name} {version} (glibc {glibc[1].decode()})"


def _unpack(file: Path, folder: Path) -> Path:
    """Puts the program into a folder, and returns it."""
    if file.suffix != ".zip":
        program = folder / file.name
        shutil.copyfile(file, program)
    else:
        with zipfile.ZipFile(file) as package:
            package.extractall(folder)
        (program,) = [
            path for path in folder.iterdir() if path.is_file() and path.stem == build_exe.NAME
        ]
    program.chmod(0o755)
    return program


def _try_windows(program: Path, folder: Path) -> Trial:
    if shutil.which("wine") is None:
        raise CannotRunError("wine is missing; on Debian: apt-get install wine wine64")
    wine.prepare()
    settings = wine.environment()
    kept = [f"{name}={settings[name]}" for name in settings if name.startswith("WINE")]
    starter = write_starter(folder, ["env", *kept, *wine.command(program)])
    done = subprocess.run(["wine", "--version"], capture_output=True, text=True, check=False)
    version = done.stdout.removeprefix("wine-").split()[0] if done.stdout else "?"
    with wine.kept_running():
        return _try(starter, folder, f"wine {version}")


def _try(program: Path, folder: Path, where: str) -> Trial:
    bench = _output(program, "--bench", folder)
    signature = re.search(r"^signature (0x[0-9a-f]{16})\s*$", bench, re.M)
    if signature is None:
        raise ReleaseError(f"--bench printed no signature: {bench[-500:]!r}")
    said = _output(program, "--version", folder)
    if f"Tengen {build_stamp.find_version(ROOT)} (commit " not in said:
        raise ReleaseError(f"--version printed {said!r}")
    start_s = min(build_exe.try_out(program) for _ in range(STARTS))
    return Trial(signature[1], where, start_s)


def _output(program: Path, argument: str, folder: Path) -> str:
    done = subprocess.run(
        [program, argument],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=BENCH_S,
        check=False,
    )
    if done.returncode != 0:
        raise ReleaseError(f"{argument} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout
