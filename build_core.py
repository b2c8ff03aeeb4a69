"""Builds the C core: the one place that knows its sources, flags and names.

`make`, the wheel (hatch_build.py) and the executable (build_exe.py) all build through this file.
Objects are kept per variant under build/ and made again only when a source, a header that it
includes, or the command changes. Needs Python and a C compiler; cffi for the binding's
declarations only.

    python build_core.py                       the library and its declarations, into pyengine/
    python build_core.py --variant sanitize --run tests bench_main   programs, built and run
    python build_core.py --variant thread --run test_smp             two threads, watched for races
"""

import argparse
import contextlib
import hashlib
import io
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "csrc"
HEADER = SOURCES / "include" / "tengen.h"
WEIGHTS = SOURCES / "eval" / "weights.c"
PROGRAMS = sorted(SOURCES.glob("bench_*.c"))  # each a program of its own, not in the library
TESTS = ROOT / "tests" / "c"
PACKAGE = ROOT / "pyengine"
BUILD = ROOT / "build"
MARKS = ("/* cffi: begin */", "/* cffi: end */")

COMMON_FLAGS = [
    "-std=gnu11",
    "-fvisibility=hidden",
    "-pthread",
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wconversion",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
]
SANITIZERS = [
    "-g",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]
# The assertions recompute the whole position after each move: some hundred times slower, so that
# the bench goes without them.
VARIANTS = {
    "release": ["-O3", "-DNDEBUG"],
    "werror": ["-O3", "-DNDEBUG", "-Werror"],
    "plain": ["-O0", "-DNDEBUG"],
    "debug": ["-O1", "-g"],
    "sanitize": ["-O1", *SANITIZERS],
    "sanitize-fast": ["-O2", "-DNDEBUG", *SANITIZERS],
    "thread": ["-O2", "-g", "-DNDEBUG", "-fno-omit-frame-pointer", "-fsanitize=thread"],
}
COMPILERS = ("cc", "gcc", "clang", "x86_64-w64-mingw32-gcc")


class BuildError(Exception):
    """The core cannot be built; the text is for the user."""


@dataclass(frozen=True)
class Toolchain:
    """A compiler (a command, perhaps with arguments) and the system that it builds for."""

    command: tuple[str, ...]
    system: str  # "linux", "darwin", "win32"

    @property
    def library_name(self) -> str:
        return library_name(self.system)

    @property
    def program_suffix(self) -> str:
        return ".exe" if self.system == "win32" else ""

    @property
    def compile_flags(self) -> list[str]:
        """Windows code is position-independent without being told."""
        return [] if self.system == "win32" else ["-fPIC"]

    @property
    def shared_flags(self) -> list[str]:
        if self.system == "darwin":
            return ["-dynamiclib", f"-Wl,-install_name,@rpath/{self.library_name}"]
        return ["-shared"] if self.system == "win32" else ["-shared", "-Wl,-z,defs"]

    @property
    def link_flags(self) -> list[str]:
        """On Windows the compiler's own libraries go in, so that one file is all there is."""
        return ["-static", "-s"] if self.system == "win32" else []


def library_name(system: str) -> str:
    """What the binding looks for on a system."""
    return {"win32": "tengen.dll", "darwin": "libtengen.dylib"}.get(system, "libtengen.so")


def find_toolchain(wanted: str | None = None) -> Toolchain:
    """Takes the compiler asked for, $CC, or the first one found. Raises BuildError."""
    asked = wanted or os.environ.get("CC")
    for candidate in [asked] if asked else COMPILERS:
        command = tuple(shlex.split(candidate, posix=os.name == "posix"))
        if command and shutil.which(command[0]):
            return Toolchain(command, _target_system(command))
    raise BuildError(
        f"no C compiler: {asked} is not found"
        if asked
        else "no C compiler found (tried " + ", ".join(COMPILERS) + "); on Debian install gcc"
    )


def _target_system(command: Sequence[str]) -> str:
    """What the compiler builds for, which need not be this machine."""
    said = subprocess.run([*command, "-dumpmachine"], capture_output=True, text=True, check=False)
    machine = said.stdout.lower()
    if "mingw" in machine or "windows" in machine or "cygwin" in machine:
        return "win32"
    if "darwin" in machine or "apple" in machine:
        return "darwin"
    return "linux" if machine else sys.platform


def check_weights() -> None:
    """Looks whether the fitted tables are there and whole. Raises BuildError."""
    for path in (WEIGHTS, *WEIGHTS.parent.glob(f"{WEIGHTS.stem}_*.c")):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BuildError(f"the table file {path} cannot be read: {error}") from None
        head, _, tables = text.partition(" */\n")
        if head.rpartition(" ")[2] != hashlib.sha256(tables.encode()).hexdigest():
            raise BuildError(
                f"the table file {path} is damaged: its sha256 is not the one it names"
            )


def core_sources() -> list[Path]:
    """Everything that goes into the library. Raises BuildError when a part is missing."""
    check_weights()
    found = [*SOURCES.glob("*.c"), *SOURCES.glob("*/*.c")]
    if not found:
        raise BuildError(f"no C sources under {SOURCES}")
    return sorted(set(found) - set(PROGRAMS))


def declarations() -> str:
    """The part of the public header that Python reads. Raises BuildError without the marks."""
    text = HEADER.read_text(encoding="utf-8")
    begin, end = (text.find(mark) for mark in MARKS)
    if not 0 <= begin < end:
        raise BuildError(f"{HEADER} lacks the marks {' and '.join(MARKS)}")
    return text[begin + len(MARKS[0]) : end]


def write_declarations(target: Path) -> Path:
    """Writes the binding's `_ffi.py`, unless it is up to date."""
    made = target.stat().st_mtime_ns if target.exists() else 0
    if made > max(path.stat().st_mtime_ns for path in (HEADER, Path(__file__))):
        return target
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(declarations())
    ffi.set_source("pyengine._ffi", None)
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_python_code(str(target))
    target.touch()
    return target


class Builder:
    """Builds one variant with one compiler; objects and programs under its own folder."""

    def __init__(self, variant: str, toolchain: Toolchain, folder: Path | None = None) -> None:
        self.folder = folder or BUILD / f"{variant}-{Path(toolchain.command[0]).stem}"
        self._toolchain = toolchain
        self._compile = [
            *toolchain.command,
            *COMMON_FLAGS,
            *VARIANTS[variant],
            *toolchain.compile_flags,
            f"-I{SOURCES.name}",
        ]

    def library(self, target_folder: Path) -> Path:
        """Links the shared library into a folder."""
        target = target_folder / self._toolchain.library_name
        return self._link(target, self._objects(core_sources()), self._toolchain.shared_flags)

    def program(self, main: Path) -> Path:
        """Links a source with a main() and the core into a program of the source's name."""
        target = self.folder / f"{main.stem}{self._toolchain.program_suffix}"
        return self._link(target, self._objects([*core_sources(), main]), [])

    def _objects(self, sources: list[Path]) -> list[Path]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self._object, sources))

    def _object(self, source: Path) -> Path:
        shown = source.relative_to(ROOT)
        target = (self.folder / "objects" / shown).with_suffix(".o")
        depends = target.with_suffix(".d")
        command = [*self._compile, "-MMD", "-MF", str(depends), "-c", str(shown)]
        _make(target, command, [source, *_headers(depends)], target, f"cc {shown}")
        return target

    def _link(self, target: Path, objects: list[Path], flags: list[str]) -> Path:
        command = [*self._compile, *flags, *map(str, objects), *self._toolchain.link_flags]
        _make(target, command, objects, self.folder / target.name, f"ld {target.name}")
        return target


def _make(target: Path, command: list[str], sources: list[Path], note: Path, label: str) -> None:
    """Runs a command when its target is missing, older than a source, or was made otherwise.

    note: where the command is kept, under this name and `.command`. The target is replaced in
    one step: who has it loaded keeps the old one, and a broken build leaves none that looks new.
    """
    note = note.with_name(f"{note.name}.command")
    text = shlex.join(command)
    if target.exists() and note.exists() and note.read_text() == text:
        made = target.stat().st_mtime_ns
        if all(source.exists() and source.stat().st_mtime_ns <= made for source in sources):
            return
    for folder in (target.parent, note.parent):
        folder.mkdir(parents=True, exist_ok=True)
    sys.stdout.write(f"  {label}\n")  # in one piece, beside other threads
    sys.stdout.flush()
    fresh = target.with_name(f"{target.name}.{os.getpid()}.new")
    done = subprocess.run(
        [*command, "-o", str(fresh)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.stderr.strip():
        print(done.stderr.rstrip(), file=sys.stderr, flush=True)
    if done.returncode != 0:
        raise BuildError(f"{label} failed: {text}")
    fresh.replace(target)
    note.write_text(text)


def _headers(depends: Path) -> list[Path]:
    """The headers of the last compilation, from the rule that the compiler wrote for make."""
    if not depends.exists():
        return []
    words = depends.read_text().replace("\\\n", " ").replace("\\ ", "\0").split()
    return [ROOT / word.replace("\0", " ") for word in words[1:]]


def build_package_files(folder: Path, builder: Builder) -> list[Path]:
    """What the binding needs beside its sources: the library and the declarations."""
    folder.mkdir(parents=True, exist_ok=True)
    return [builder.library(folder), write_declarations(folder / "_ffi.py")]


def platform_tag() -> str:
    """The platform part of the wheel's tag."""
    name = sysconfig.get_platform()
    if name.endswith("-universal2"):  # Python runs on both, our library on this one
        name = name.removesuffix("universal2") + platform.machine()
    return name.replace("-", "_").replace(".", "_")


def main() -> int:
    """Builds what the command line asks for; 1 with the reason when that fails."""
    parser = argparse.ArgumentParser(description="Builds the C core.")
    parser.add_argument("--variant", choices=sorted(VARIANTS), default="release")
    parser.add_argument("--cc", help="the compiler (default: $CC, or the first one found)")
    parser.add_argument("--run", action="store_true", help="run the programs that were built")
    tests = sorted(TESTS.glob("*.c"))
    mains = {path.stem: [path] for path in [*PROGRAMS, *tests]} | {"tests": tests}
    parser.add_argument(
        "targets", nargs="*", choices=["package", *mains], default="package", metavar="target"
    )
    args = parser.parse_args()
    try:
        builder = Builder(args.variant, find_toolchain(args.cc))
        if "package" in args.targets:
            build_package_files(PACKAGE, builder)
        wanted = [
            path for target, paths in mains.items() if target in args.targets for path in paths
        ]
        programs = [builder.program(path) for path in wanted]
        if args.run:
            for program in programs:
                run(program)
    except BuildError as error:
        print(f"build_core: {error}", file=sys.stderr)
        return 1
    return 0


def run(program: Path) -> None:
    """Runs a program that was built. Raises BuildError when it fails."""
    print(f"  run {program.relative_to(ROOT)}", flush=True)
    done = subprocess.run([str(program)], cwd=ROOT, check=False)
    if done.returncode != 0:
        raise BuildError(f"{program.name} failed with {done.returncode}")


if __name__ == "__main__":
    sys.exit(main())
