"""A Python that needs only an old glibc: compiled by zig, with the packages that freeze.

It holds the modules of the standard library that the engine or PyInstaller imports, and none that
needs a library of the machine. It finds its own files wherever it lies; no path of the machine is
compiled in, so that two builds have the same bytes.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from build_core import BUILD, ROOT, BuildError

from ..release.targets import ReleaseError, find_target, zig
from .sources import HOME, LIBFFI, PYTHON, ZLIB, Source, bring, unpack

TARGET: Final = find_target("linux-x86_64")
VERSION: Final = "3.11"
PREFIX: Final = HOME / "python"
PROGRAM: Final = PREFIX / "bin" / f"python{VERSION}"
PACKAGES: Final = PREFIX / "lib" / f"python{VERSION}" / "site-packages"
REQUIREMENTS: Final = ROOT / "requirements-dev.txt"
# What PyInstaller consists of, and the engine's own requirement.
FREEZES: Final = {
    "altgraph", "cffi", "packaging", "pycparser", "pyinstaller", "pyinstaller-hooks-contrib",
    "setuptools",
}  # fmt: skip
# Modules that need a library of the machine, and those that nothing here imports.
LEFT_OUT: Final = (
    "_bz2", "_codecs_cn", "_codecs_hk", "_codecs_iso2022", "_codecs_jp", "_codecs_kr", "_codecs_tw",
    "_crypt", "_curses", "_curses_panel", "_dbm", "_gdbm", "_hashlib", "_lsprof", "_lzma",
    "_multibytecodec", "_sqlite3", "_ssl", "_tkinter", "_uuid", "_xxsubinterpreters", "audioop",
    "nis", "ossaudiodev", "readline", "spwd", "syslog", "xxlimited", "xxlimited_35",
)  # fmt: skip
# Python 3.11 compiles ctypes with a script of its own, which looks for libffi on the machine.
CTYPES: Final = (
    "_ctypes _ctypes/_ctypes.c _ctypes/callbacks.c _ctypes/callproc.c _ctypes/stgdict.c "
    "_ctypes/cfield.c -DHAVE_FFI_PREP_CIF_VAR -DHAVE_FFI_PREP_CLOSURE_LOC "
    "-DHAVE_FFI_CLOSURE_ALLOC -lffi -ldl"
)
# zig's linker has only the long name of the option -h.
SONAME: Final = ("-Wl,-h", "-Wl,-soname,")
CACHE: Final = BUILD / "release" / "zig"
TRIAL: Final = "import ctypes, zlib, PyInstaller, _cffi_backend"


def compiler() -> list[str]:
    """Returns the C compiler for the old glibc."""
    try:
        return [*zig(), "cc", "-target", TARGET.triple, "-g0", "-s"]
    except ReleaseError as error:
        raise BuildError(str(error)) from None


def assemble() -> Path:
    """Compiles the Python under build/linux/, tries it, and returns it. Raises BuildError."""
    bring()
    shutil.rmtree(PREFIX, ignore_errors=True)
    libraries = HOME / "libraries"
    shutil.rmtree(libraries, ignore_errors=True)
    _build_zlib(libraries)
    _build_libffi(libraries)
    _build_python(libraries)
    _install_packages()
    try:
        run(["-c", TRIAL])
    except BuildError:
        PROGRAM.unlink()  # what is not there is made again
        raise
    return PROGRAM


def run(arguments: Sequence[str | Path]) -> None:
    """Runs the Python in the tree. Raises BuildError when that fails."""
    if not PROGRAM.is_file():
        raise BuildError(f"{PROGRAM} is missing: make linux")
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([PROGRAM, *arguments], cwd=ROOT, env=ours, check=False)
    if done.returncode != 0:
        raise BuildError(f"{PROGRAM.name} ended with {done.returncode}: {arguments}")


def _build_zlib(libraries: Path) -> None:
    folder = unpack(ZLIB, HOME / "zlib")
    _step(ZLIB, folder, ["./configure", "--static", f"--prefix={libraries}"], CFLAGS="-O2 -fPIC")
    _step(ZLIB, folder, ["make", "install"])


def _build_libffi(libraries: Path) -> None:
    folder = unpack(LIBFFI, HOME / "libffi")
    options = [
        "--disable-shared",
        "--disable-docs",
        "--disable-multi-os-directory",
        # It does not compile where glibc has no memfd_create.
        "--disable-exec-static-tramp",
        f"--prefix={libraries}",
    ]
    _step(LIBFFI, folder, ["./configure", *options], CFLAGS="-O2 -fPIC")
    _step(LIBFFI, folder, ["make", "install"])


def _build_python(libraries: Path) -> None:
    folder = unpack(PYTHON, HOME / "cpython")
    makefile = folder / "Makefile.pre.in"
    text = makefile.read_text(encoding="utf-8")
    if SONAME[0] not in text:
        raise BuildError(f"{makefile} has no {SONAME[0]}")
    makefile.write_text(text.replace(*SONAME), encoding="utf-8")
    options = [
        "--enable-shared",
        "--disable-test-modules",
        "--without-ensurepip",
        # No path of this machine: DESTDIR says where it really goes.
        f"--prefix=/{PREFIX.name}",
    ]
    _step(
        PYTHON,
        folder,
        ["./configure", *options],
        # zig forbids __DATE__, which has the date of SOURCE_DATE_EPOCH here.
        CFLAGS="-O2 -Wno-date-time",
        CPPFLAGS=f"-I{libraries / 'include'}",
        LDFLAGS=f"-L{libraries / 'lib'}",
        LDFLAGS_NODIST=r"-Wl,-rpath,\$$ORIGIN/../lib",
        PKG_CONFIG="false",
    )
    _choose_modules(folder)
    # No libpython3.so: it has no code, and zig links no library without any.
    make = ["make", f"-j{os.cpu_count() or 1}", "PY3LIBRARY="]
    _step(PYTHON, folder, make)
    _step(PYTHON, folder, [*make, "altinstall", f"DESTDIR={PREFIX.parent}"])


def _choose_modules(folder: Path) -> None:
    """Writes which modules are compiled, from the list that configure has made."""
    modules = folder / "Modules"
    listed = (modules / "Setup.stdlib").read_text(encoding="utf-8").splitlines()
    chosen = [line for line in listed if line and not line.startswith("#")]
    chosen = [line for line in chosen if line.split()[0] not in LEFT_OUT]
    lines = [*chosen, CTYPES, "*disabled*", *LEFT_OUT]
    (modules / "Setup.local").write_text("\n".join(lines) + "\n", encoding="utf-8")


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


def _step(source: Source, folder: Path, command: list[str], **settings: str) -> None:
    """Runs one command of a build; its output goes into a file beside the sources."""
    log = folder.parent / "log.txt"
    print(f"  {source.top}: {Path(command[0]).name}", flush=True)
    tools = {"CC": compiler(), "AR": [*zig(), "ar"], "RANLIB": [*zig(), "ranlib"]}
    environment = {
        **os.environ,
        **{name: shlex.join(words) for name, words in tools.items()},
        **dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), str(CACHE)),
        "SOURCE_DATE_EPOCH": "0",
        **settings,
    }
    for name in ("MAKEFLAGS", "MAKELEVEL", "PYTHONHOME", "PYTHONPATH"):
        environment.pop(name, None)
    with log.open("ab") as output:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=output, stderr=output, check=False
        )
    if done.returncode != 0:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-10:]
        said = "\n".join(line[:200] for line in last)
        raise BuildError(f"{source.top}: {command[0]} failed; see {log}:\n{said}")
