"""The compiler of the core for Windows: clang with the headers, libraries and linker of mingw.

The code that clang makes is faster than that of mingw's gcc (decision 0142).
"""

import shlex
import shutil
import subprocess
from pathlib import Path

from build_toolchain import BuildError, Toolchain, find_toolchain, makes_libraries
from tools.windows import wine

TARGET = "x86_64-w64-mingw32"
LINKER = f"{TARGET}-ld"
# A further required program, and its Debian package.
NEEDED = {"clang": "clang"}


def toolchain() -> Toolchain:
    """Returns the compiler. Raises BuildError if it makes no library."""
    linker = shutil.which(LINKER)
    if linker is None:
        raise BuildError(f"mingw lacks its linker, {LINKER}")
    libgcc, library = _file("-print-libgcc-file-name"), _file("-print-file-name=libmingw32.a")
    command = (
        *("clang", f"--target={TARGET}", f"--ld-path={linker}"),
        # Without it clang looks into this system's headers and libraries, too.
        *(f"--sysroot={library.parent.parent}", f"-L{library.parent}", f"-L{libgcc.parent}"),
        "-Wno-unused-command-line-argument",
    )
    found = find_toolchain(shlex.join(command))
    if not makes_libraries(found):
        raise BuildError(f"clang makes no library for Windows here: {shlex.join(command)}")
    return found


def _file(question: str) -> Path:
    """Returns a file of mingw's gcc. Raises BuildError if it has none."""
    asks = [wine.COMPILER, question]
    said = subprocess.run(asks, capture_output=True, text=True, check=False)
    path = Path(said.stdout.strip())
    if said.returncode != 0 or not path.is_absolute() or not path.is_file():
        raise BuildError(f"{shlex.join(asks)} names no file: {said.stdout}{said.stderr}")
    return path.resolve()
