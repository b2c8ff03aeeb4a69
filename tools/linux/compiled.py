"""A Python that needs only an old glibc, compiled by zig; it is compiled once and then kept.

It holds the modules of the standard library that the engine or PyInstaller imports, and none that
needs a library of the machine. It finds its own files wherever it lies; no path of the machine is
in its programs and libraries, so that two builds have the same bytes.

The recipe is this file, the sources and the compiler. The result is kept in `.kept/`, or in the
folder that TENGEN_KEPT names, which several clones may share. The name of an archive there contains
the SHA-256 of its recipe and of itself, so that one rename keeps it.
"""

import hashlib
import io
import os
import shlex
import shutil
import subprocess
import tarfile
import time
from pathlib import Path
from typing import Final

from build_toolchain import BuildError

from ..release import targets
from ..release.targets import ReleaseError, find_target, zig, zig_settings
from . import sources
from .sources import HOME, LIBFFI, PYTHON, ZLIB, Source, bring, extract, unpack

TARGET: Final = find_target("linux-x86_64")
VERSION: Final = "3.11"
PREFIX: Final = HOME / "python"
INSTALLED: Final = HOME / "installed"
PROGRAM: Final = PREFIX / "bin" / f"python{VERSION}"
KEPT: Final = targets.KEPT
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
# Changes in Python's Makefile. zig's linker has only the long name of the option -h. The modules
# are not compiled to .pyc files, three times each: PyInstaller takes the sources.
EDITS: Final = (
    ("-Wl,-h", "-Wl,-soname,"),
    ("'bad_coding|badsyntax|site-packages|lib2to3/tests/data'", "."),
)
_AGAIN: Final = "Remove it, and Python is compiled again"
# Settings that would change the result although the recipe is the same.
_NOT_PASSED_ON: Final = {
    "CFLAGS", "CFLAGS_NODIST", "CONFIG_SITE", "CPPFLAGS", "DESTDIR", "LDFLAGS",
    "LDFLAGS_NODIST", "LIBS", "MAKEFLAGS", "MAKELEVEL", "OPT", "PYTHONHOME", "PYTHONPATH",
}  # fmt: skip


def compiler() -> list[str]:
    """Returns the C compiler for the old glibc. Raises BuildError."""
    return [_zig(), "cc", "-target", TARGET.triple, "-g0", "-s"]


def recipe() -> str:
    """Returns the SHA-256 of everything that the compiled Python depends on."""
    digest = hashlib.sha256()
    for file in (Path(__file__), Path(sources.__file__), targets.REQUIREMENTS):
        digest.update(file.read_bytes() + b"\0")
    digest.update(TARGET.triple.encode())
    return digest.hexdigest()


def restore() -> None:
    """Puts the Python into PREFIX, and compiles it where none is kept. Raises BuildError.

    PROGRAM has the time 0 then, so that make finds it out of date until it is complete.
    """
    name = f"python-{recipe()[:16]}"
    kept = sorted(KEPT.glob(f"{name}-*.tar.gz"))
    if kept:
        print(f"  Python {VERSION} was kept: {kept[0]}", flush=True)
    archive = kept[0] if kept else _keep(_compile(), name)
    fresh = PREFIX.with_name(f"{PREFIX.name}.new")
    for folder in (fresh, PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
    _unpack_kept(archive, fresh)
    os.utime(fresh / PROGRAM.relative_to(PREFIX), (0, 0))
    fresh.rename(PREFIX)


def _keep(installed: Path, name: str) -> Path:
    """Packs a compiled Python into KEPT, and returns the archive."""
    KEPT.mkdir(parents=True, exist_ok=True)
    fresh = KEPT / f"{name}.{os.getpid()}"
    try:
        with tarfile.open(fresh, "w:gz", compresslevel=6) as kept:
            kept.add(installed, ".")
        found = hashlib.sha256(fresh.read_bytes()).hexdigest()
        return fresh.replace(KEPT / f"{name}-{found}.tar.gz")
    finally:
        fresh.unlink(missing_ok=True)


def _unpack_kept(archive: Path, target: Path) -> None:
    try:
        content = archive.read_bytes()
    except OSError as error:
        raise BuildError(f"{archive} cannot be read: {error.strerror}. {_AGAIN}") from None
    if not archive.name.endswith(f"-{hashlib.sha256(content).hexdigest()}.tar.gz"):
        raise BuildError(f"{archive} is damaged. {_AGAIN}")
    with tarfile.open(fileobj=io.BytesIO(content)) as kept:
        extract(kept, target)


def _compile() -> Path:
    """Compiles the Python and returns the folder with it."""
    bring()
    for folder in (INSTALLED, HOME / "libraries"):
        shutil.rmtree(folder, ignore_errors=True)
    libraries = HOME / "libraries"
    _build_zlib(libraries)
    _build_libffi(libraries)
    _build_python(libraries)
    return INSTALLED / PREFIX.name


def _build_zlib(libraries: Path) -> None:
    folder = unpack(ZLIB, HOME / "zlib")
    _step(ZLIB, folder, ["./configure", "--static", f"--prefix={libraries}"], CFLAGS="-O2 -fPIC")
    _step(ZLIB, folder, [*_make(), "libz.a"])
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
    _step(LIBFFI, folder, [*_make(), "install"])


def _build_python(libraries: Path) -> None:
    folder = unpack(PYTHON, HOME / "cpython")
    makefile = folder / "Makefile.pre.in"
    text = makefile.read_text(encoding="utf-8")
    for old, new in EDITS:
        if old not in text:
            raise BuildError(f"{makefile} has no {old}")
        text = text.replace(old, new)
    makefile.write_text(text, encoding="utf-8")
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
    make = [*_make(), "PY3LIBRARY="]
    _step(PYTHON, folder, make)
    _step(PYTHON, folder, [*make, "altinstall", f"DESTDIR={INSTALLED}"])


def _make() -> list[str]:
    return ["make", f"-j{os.cpu_count() or 1}"]


def _choose_modules(folder: Path) -> None:
    """Writes which modules are compiled, from the list that configure has made."""
    modules = folder / "Modules"
    listed = (modules / "Setup.stdlib").read_text(encoding="utf-8").splitlines()
    chosen = [line for line in listed if line and not line.startswith("#")]
    chosen = [line for line in chosen if line.split()[0] not in LEFT_OUT]
    lines = [*chosen, CTYPES, "*disabled*", *LEFT_OUT]
    (modules / "Setup.local").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _zig() -> str:
    try:
        return zig()
    except ReleaseError as error:
        raise BuildError(str(error)) from None


def _step(source: Source, folder: Path, command: list[str], **settings: str) -> None:
    """Runs one command of a build; its output goes into a file beside the sources."""
    log = folder.parent / "log.txt"
    tools = {"CC": compiler(), "AR": [_zig(), "ar"], "RANLIB": [_zig(), "ranlib"]}
    environment = {
        **{name: value for name, value in os.environ.items() if name not in _NOT_PASSED_ON},
        **{name: shlex.join(words) for name, words in tools.items()},
        **zig_settings(),
        "SOURCE_DATE_EPOCH": "0",
        **settings,
    }
    started = time.monotonic()
    with log.open("ab") as output:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=output, stderr=output, check=False
        )
    if done.returncode != 0:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-10:]
        said = "\n".join(line[:200] for line in last)
        raise BuildError(f"{source.top}: {command[0]} failed; see {log}:\n{said}")
    what = "install" if command[-1].startswith("DESTDIR") else Path(command[0]).name
    print(f"  {source.top}: {what}, {time.monotonic() - started:.0f} s", flush=True)
