"""The compiler of the core for Windows: clang and lld with the headers and libraries of mingw.

Their code is faster than that of mingw's gcc (decisions 0142 and 0146).
"""

import dataclasses
import shlex
import subprocess
from pathlib import Path

from build_toolchain import BuildError, Toolchain, find_toolchain, library_fault
from tools.windows import wine

TARGET = "x86_64-w64-mingw32"
# Further required programs, and their Debian packages.
NEEDED = {"clang": "clang", "ld.lld": "lld"}


def toolchain() -> Toolchain:
    """Returns the compiler. Raises BuildError if it makes no library."""
    libgcc, library = _file("-print-libgcc-file-name"), _file("-print-file-name=libmingw32.a")
    command = (
        *("clang", f"--target={TARGET}", "-fuse-ld=lld"),
        # Without it clang looks into this system's headers and libraries, too.
        *(f"--sysroot={library.parent.parent}", f"-L{library.parent}", f"-L{libgcc.parent}"),
        "-Wno-unused-command-line-argument",
    )
    found = find_toolchain(shlex.join(command))
    if not found.has_lto:
        fault = library_fault(dataclasses.replace(found, has_lto=True))
        raise BuildError(
            f"clang and lld make no library for Windows: {shlex.join(command)}\n{fault.rstrip()}"
        )
    return found


def _file(question: str) -> Path:
    """Returns a file of mingw's gcc. Raises BuildError if it has none."""
    asks = [wine.COMPILER, question]
    said = subprocess.run(asks, capture_output=True, text=True, check=False)
    path = Path(said.stdout.strip())
    if said.returncode != 0 or not path.is_absolute() or not path.is_file():
        raise BuildError(f"{shlex.join(asks)} names no file: {said.stdout}{said.stderr}")
    return path.resolve()
