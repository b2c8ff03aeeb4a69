"""The C compiler of a build: its target, its flags, and the names of the libraries."""

import dataclasses
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# The library is built for every x86-64 processor, and once more for those of the last twelve years.
# The binding loads the best library that the processor can run (decision 0091).
CPU_FLAGS = {"baseline": [], "avx2": ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"]}
COMPILERS = ("cc", "gcc", "clang", "x86_64-w64-mingw32-gcc")
# Preferred on Linux on x86-64, where it was measured to be faster (decision 0142); then comes the
# clang of the package `ziglang` (decision 0147).
FAST_COMPILER = "clang"
# A source with the headers that the core needs beyond the usual ones.
PROBE = """
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int probe_count;
int probe(void) { return puts("") + (int)_mm256_extract_epi32(_mm256_set1_epi32(probe_count), 0); }
"""


class BuildError(Exception):
    """The core cannot be built; the text is for the user."""


@dataclass(frozen=True)
class Toolchain:
    """A compiler (a command, perhaps with arguments) and its target."""

    command: tuple[str, ...]
    system: str  # "linux", "darwin", "win32"
    machine: str  # "x86_64", "aarch64", ...
    is_clang: bool
    is_zig: bool = False
    has_gnu_ld: bool = False  # for Windows: GNU ld links, not lld
    has_lto: bool = False  # link-time optimisation works, and makes the search faster
    version: str = ""  # what the compiler says; its objects with link-time optimisation need it

    @property
    def program_suffix(self) -> str:
        return ".exe" if self.system == "win32" else ""

    @property
    def compile_flags(self) -> list[str]:
        """Returns the flags of the target. Windows code is always position-independent."""
        return [] if self.system == "win32" else ["-fPIC"]

    @property
    def lto_flags(self) -> list[str]:
        """Returns the flags of link-time optimisation, for compiling and for linking."""
        return ["-flto"] if self.has_lto else []

    def cpu_flags(self, cpu: str) -> list[str]:
        """Returns the flags of a key of CPU_FLAGS. Raises BuildError if the target lacks it."""
        if cpu not in cpu_paths(self.system, self.machine):
            raise BuildError(f"there is no {cpu} path for {self.system} on {self.machine}")
        if cpu == "baseline" or self.system != "win32" or self.is_clang:
            return CPU_FLAGS[cpu]
        # Windows aligns stacks to 16 bytes only; gcc assumes more (its bug 54412).
        return [*CPU_FLAGS[cpu], "-Wa,-muse-unaligned-vector-move"]

    @property
    def shared_flags(self) -> list[str]:
        if self.system == "darwin":
            return ["-dynamiclib", f"-Wl,-install_name,@rpath/{library_name(self.system)}"]
        if self.system == "win32":
            # By default GNU ld derives the load address from the path of the file.
            return ["-shared", *(["-Wl,--disable-auto-image-base"] if self.has_gnu_ld else [])]
        return ["-shared", "-Wl,-z,defs"]

    @property
    def link_flags(self) -> list[str]:
        """Returns the flags for linking. On Windows they add the compiler's own libraries.

        zig adds them by itself; with `-static` it would write an archive. Without the last flag,
        other linkers write the time of the build into the file.
        """
        if self.system != "win32":
            return []
        if self.is_zig:
            return ["-s"]
        return ["-static", "-s", "-Wl,--no-insert-timestamp"]


def library_name(system: str, cpu: str = "baseline") -> str:
    """Returns the file name of the library on a system."""
    stem = "tengen" if system == "win32" else "libtengen"
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(system, ".so")
    return f"{stem}{suffix}" if cpu == "baseline" else f"{stem}-{cpu}{suffix}"


def cpu_paths(system: str, machine: str) -> list[str]:
    """Returns the keys of CPU_FLAGS for which a package of this system has a library."""
    wide = machine.lower() in ("x86_64", "amd64") and system != "darwin"
    return list(CPU_FLAGS) if wide else ["baseline"]


def library_names(system: str, machine: str) -> list[str]:
    """Returns the names of all libraries of a package."""
    return [library_name(system, cpu) for cpu in cpu_paths(system, machine)]


def find_toolchain(wanted: str | None = None, *, fast: bool = True) -> Toolchain:
    """Returns the wanted compiler, else $CC, else the first one found. Raises BuildError.

    fast: on Linux on x86-64, clang comes first if it makes libraries, then zig, which has a clang,
    if this Python has it. Other variants than release set it to False: the libraries of clang's
    sanitizers may be missing.
    """
    asked = wanted or os.environ.get("CC")
    words = tuple(shlex.split(asked, posix=os.name == "posix")) if asked else ()
    for command in [words] if asked else _compilers(fast):
        if command and shutil.which(command[0]):
            said = _said(command, "--version")
            is_zig = any(Path(word).stem in ("zig", "ziglang") for word in command)
            system, machine = _target(command)
            is_clang = "clang" in said
            has_gnu_ld = system == "win32" and not is_zig and "GNU ld" in _linker(command)
            first_line = said.partition("\n")[0]
            plain = Toolchain(
                command, system, machine, is_clang, is_zig, has_gnu_ld, version=first_line
            )
            return dataclasses.replace(plain, has_lto=links_as_one(plain))
    raise BuildError(
        f"no C compiler: {asked} is not found"
        if asked
        else "no C compiler found (tried " + ", ".join(COMPILERS) + "); on Debian install gcc"
    )


def _compilers(fast: bool) -> list[tuple[str, ...]]:
    """Returns the compilers to look for, in this order."""
    usual: list[tuple[str, ...]] = [(name,) for name in COMPILERS]
    if not fast or (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return usual
    clang = Toolchain((FAST_COMPILER,), "linux", "x86_64", is_clang=True)
    if shutil.which(FAST_COMPILER) and makes_libraries(clang):
        return [clang.command, *usual]
    if zig := zig_command():
        fault = library_fault(Toolchain(zig, "linux", "x86_64", is_clang=True))
        if not fault:
            return [zig, *usual]
        print(f"ziglang cannot compile the engine: {fault.strip()}", file=sys.stderr)
    return usual


def command_text(command: Sequence[str]) -> str:
    """Returns a command as $CC holds it: find_toolchain splits it into the same words."""
    return shlex.join(command) if os.name == "posix" else " ".join(command)


def zig_command() -> tuple[str, ...]:
    """Returns the C compiler of the package `ziglang` for this Linux, or nothing without it.

    By default zig compiles for the very processor of the machine and adds debug information.
    """
    found = importlib.util.find_spec("ziglang")
    program = Path(found.origin).parent / "zig" if found and found.origin else None
    if program is None or not program.is_file():
        return ()
    return (str(program), "cc", "-mcpu=x86_64", "-g0", "-s")


def links_as_one(toolchain: Toolchain) -> bool:
    """Returns whether link-time optimisation is used: clang on x86-64, if its linker can.

    zig's linker can for Linux, and cannot for Windows. Other compilers gain nothing, other
    processors were not measured (decision 0146). `-fno-lto` in the command turns it off.
    """
    measured = toolchain.is_clang and "avx2" in cpu_paths(toolchain.system, toolchain.machine)
    if not measured or "-fno-lto" in toolchain.command:
        return False
    if toolchain.is_zig:
        return toolchain.system == "linux"
    return makes_libraries(dataclasses.replace(toolchain, has_lto=True))


def makes_libraries(toolchain: Toolchain) -> bool:
    """Returns whether a compiler makes libraries for its target with what the core needs."""
    return not library_fault(toolchain)


def library_fault(toolchain: Toolchain) -> str:
    """Returns why a compiler makes no library (see `makes_libraries`), or nothing."""
    # without -O, zig would first compile a library that only such builds need
    start = [*toolchain.command, "-std=gnu11", "-O3", "-pthread", *toolchain.compile_flags]
    flags = [*toolchain.lto_flags, *toolchain.cpu_flags("avx2"), *toolchain.shared_flags]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "probe.so")
        words = [*start, *flags, "-x", "c", "-", "-o", str(library), *toolchain.link_flags]
        try:
            done = subprocess.run(
                words, input=PROBE.encode(), capture_output=True, check=False, timeout=60
            )
            if done.returncode != 0 or not library.exists():
                return done.stderr.decode(errors="replace")[-500:] or "it makes nothing"
            target = _target(toolchain.command)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:  # or it prints noise
            return str(error) or type(error).__name__
    return "" if target == (toolchain.system, toolchain.machine) else f"its target is {target}"


def _linker(command: Sequence[str]) -> str:
    """Returns what the linker of a compiler prints as its version."""
    with tempfile.TemporaryDirectory() as folder:
        words = [*command, "-Wl,--version", "-x", "c", "-", "-o", str(Path(folder, "nothing"))]
        done = subprocess.run(
            words, input="", capture_output=True, text=True, errors="replace", check=False
        )
    return done.stdout


def _target(command: Sequence[str]) -> tuple[str, str]:
    """Returns system and machine of the compiler's target."""
    target = _said(command, "-dumpmachine").strip().lower()
    machine = target.partition("-")[0] or platform.machine()
    if "mingw" in target or "windows" in target or "cygwin" in target:
        return "win32", machine
    if any(name in target for name in ("darwin", "apple", "macos")):
        return "darwin", machine
    return ("linux" if target else sys.platform), machine


def _said(command: Sequence[str], question: str) -> str:
    """Returns what a compiler prints to stdout when it is called with one option."""
    program = shutil.which(command[0])
    asked = [str(Path(program).absolute()) if program else command[0], *command[1:], question]
    # For a macOS target, zig writes a file into the current folder.
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(asked, cwd=elsewhere, capture_output=True, text=True, check=False)
    return done.stdout
