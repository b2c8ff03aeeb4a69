"""Builds the C core: the one place that knows its sources, flags and names.

`make`, the wheel (hatch_build.py) and the executable (build_exe.py) all build through this file.
Objects are kept per variant under build/ and made again only when a source, a header that it
includes, or the command changes. Needs Python and a C compiler; cffi for the binding's
declarations and for the format of the weights files.

    python build_core.py                       the libraries and declarations, into pyengine/
    python build_core.py --variant sanitize --run tests bench_main   programs, built and run
    python build_core.py training              the programs of training/
    python build_core.py --variant thread --run test_smp             two threads, watched for races
"""

import argparse
import contextlib
import functools
import io
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import build_constants
import build_weights
from build_lock import one_build

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "csrc"
HEADER = build_constants.HEADER
# Two sources of the same function: the weights files, and none. A package carries the files once,
# in its baseline library; the binding lends them to the one for AVX2.
EMBEDDED = SOURCES / "eval" / "embedded.c"
NOT_EMBEDDED = SOURCES / "eval" / "embedded_none.c"
PROGRAMS = sorted(SOURCES.glob("bench/bench_*.c"))  # each a program of its own, not in the library
TESTS = ROOT / "tests" / "c"
FUZZERS = ROOT / "tests" / "fuzz"
TRAINING = ROOT / "training"
PACKAGE = ROOT / "pyengine"
BUILD = ROOT / "build"

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
    "plain": ["-O0", "-DNDEBUG", "-U__SSE2__"],  # as on a processor that nothing is known of
    "debug": ["-O1", "-g"],
    "sanitize": ["-O1", *SANITIZERS],
    "sanitize-fast": ["-O2", "-DNDEBUG", *SANITIZERS],
    "thread": ["-O2", "-g", "-DNDEBUG", "-fno-omit-frame-pointer", "-fsanitize=thread"],
    # For clang only; its main() comes from libFuzzer.
    "fuzz": ["-O2", "-DNDEBUG", *SANITIZERS, "-fsanitize=fuzzer"],
}
# The library is built for every x86-64, and once more for those of the last twelve years; the
# binding loads what the processor can run (decision 0091).
CPU_FLAGS = {"baseline": [], "avx2": ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"]}
# Programs that bring a source of the core themselves.
STAND_INS = {TESTS / "test_scarce.c": SOURCES / "base" / "platform.c"}
COMPILERS = ("cc", "gcc", "clang", "x86_64-w64-mingw32-gcc")


class BuildError(Exception):
    """The core cannot be built; the text is for the user."""


@dataclass(frozen=True)
class Toolchain:
    """A compiler (a command, perhaps with arguments) and what it builds for."""

    command: tuple[str, ...]
    system: str  # "linux", "darwin", "win32"
    machine: str  # "x86_64", "aarch64", ...
    is_clang: bool
    is_zig: bool = False

    @property
    def program_suffix(self) -> str:
        return ".exe" if self.system == "win32" else ""

    @property
    def compile_flags(self) -> list[str]:
        """Windows code is position-independent without being told."""
        return [] if self.system == "win32" else ["-fPIC"]

    def cpu_flags(self, cpu: str) -> list[str]:
        """What the processors need. Raises BuildError where the target has none such."""
        if cpu not in cpu_paths(self.system, self.machine):
            raise BuildError(f"there is no {cpu} path for {self.system} on {self.machine}")
        if cpu == "baseline" or self.system != "win32" or self.is_clang:
            return CPU_FLAGS[cpu]
        # Stacks of Windows are aligned to 16 bytes, and gcc forgets it (its bug 54412).
        return [*CPU_FLAGS[cpu], "-Wa,-muse-unaligned-vector-move"]

    @property
    def shared_flags(self) -> list[str]:
        if self.system == "darwin":
            return ["-dynamiclib", f"-Wl,-install_name,@rpath/{library_name(self.system)}"]
        return ["-shared"] if self.system == "win32" else ["-shared", "-Wl,-z,defs"]

    @property
    def link_flags(self) -> list[str]:
        """On Windows the compiler's own libraries go in, so that one file is all there is.

        zig does so by itself; `-static` would make it write an archive. GNU ld would write the time
        of the build into the file; lld and zig do not.
        """
        if self.system != "win32":
            return []
        if self.is_zig:
            return ["-s"]
        return ["-static", "-s", *([] if self.is_clang else ["-Wl,--no-insert-timestamp"])]


def library_name(system: str, cpu: str = "baseline") -> str:
    """What the binding looks for on a system."""
    stem = "tengen" if system == "win32" else "libtengen"
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(system, ".so")
    return f"{stem}{suffix}" if cpu == "baseline" else f"{stem}-{cpu}{suffix}"


def cpu_paths(system: str, machine: str) -> list[str]:
    """The processors for which there is a library of its own."""
    wide = machine.lower() in ("x86_64", "amd64") and system != "darwin"
    return list(CPU_FLAGS) if wide else ["baseline"]


def library_names(system: str, machine: str) -> list[str]:
    """All libraries of a package."""
    return [library_name(system, cpu) for cpu in cpu_paths(system, machine)]


def find_toolchain(wanted: str | None = None) -> Toolchain:
    """Takes the compiler asked for, $CC, or the first one found. Raises BuildError."""
    asked = wanted or os.environ.get("CC")
    for candidate in [asked] if asked else COMPILERS:
        command = tuple(shlex.split(candidate, posix=os.name == "posix"))
        if command and shutil.which(command[0]):
            said = _said(command, "--version")
            is_zig = any(Path(word).stem in ("zig", "ziglang") for word in command)
            return Toolchain(command, *_target(command), "clang" in said, is_zig)
    raise BuildError(
        f"no C compiler: {asked} is not found"
        if asked
        else "no C compiler found (tried " + ", ".join(COMPILERS) + "); on Debian install gcc"
    )


def _target(command: Sequence[str]) -> tuple[str, str]:
    """System and machine that the compiler builds for, which need not be these."""
    target = _said(command, "-dumpmachine").strip().lower()
    machine = target.partition("-")[0] or platform.machine()
    if "mingw" in target or "windows" in target or "cygwin" in target:
        return "win32", machine
    if any(name in target for name in ("darwin", "apple", "macos")):
        return "darwin", machine
    return ("linux" if target else sys.platform), machine


def _said(command: Sequence[str], question: str) -> str:
    """What a compiler answers; nothing when it does not."""
    program = shutil.which(command[0])
    asked = [str(Path(program).absolute()) if program else command[0], *command[1:], question]
    # zig leaves a file where it is asked for a version of macOS.
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(asked, cwd=elsewhere, capture_output=True, text=True, check=False)
    return done.stdout


@functools.cache
def assets() -> list[Path]:
    """The weights files, one a rule. Raises BuildError unless all are there and whole."""
    try:
        return build_weights.check_assets()
    except build_weights.WeightsError as error:
        raise BuildError(str(error)) from None


def core_sources(*, with_weights: bool = True) -> list[Path]:
    """All sources of a library or program, with the weights files in it or without.

    Raises BuildError when a part is missing.
    """
    assets()
    found = list(SOURCES.rglob("*.c"))
    if not found:
        raise BuildError(f"no C sources under {SOURCES}")
    return sorted({*found} - {*PROGRAMS, NOT_EMBEDDED if with_weights else EMBEDDED})


def write_declarations(target: Path) -> Path:
    """Writes the binding's `_ffi.py`, unless it is up to date."""
    made = target.stat().st_mtime_ns if target.exists() else 0
    if made > max(path.stat().st_mtime_ns for path in (HEADER, Path(__file__))):
        return target
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(build_constants.declarations())
    ffi.set_source("pyengine._ffi", None)
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_python_code(str(target))
    target.touch()
    return target


class Builder:
    """Builds one variant with one compiler; objects and programs under its own folder.

    cpu: the processors that it builds for, one of CPU_FLAGS.
    """

    def __init__(
        self,
        variant: str,
        toolchain: Toolchain,
        folder: Path | None = None,
        cpu: str = "baseline",
    ) -> None:
        self.folder = folder or BUILD / f"{variant}-{Path(toolchain.command[0]).stem}"
        if cpu != "baseline":
            self.folder /= cpu
        self._variant = variant
        self._toolchain = toolchain
        self._cpu = cpu
        self._compile = [
            *toolchain.command,
            *COMMON_FLAGS,
            *VARIANTS[variant],
            *toolchain.cpu_flags(cpu),
            *toolchain.compile_flags,
            f"-I{SOURCES.name}",
        ]

    def libraries(self, target_folder: Path) -> list[Path]:
        """Links into a folder a shared library for each kind of processor."""
        paths = cpu_paths(self._toolchain.system, self._toolchain.machine)
        return [self.for_cpu(cpu)._library(target_folder) for cpu in paths]

    def for_cpu(self, cpu: str) -> "Builder":
        """The same for these processors. Raises BuildError where the target has none such."""
        return Builder(self._variant, self._toolchain, self.folder, cpu)

    def _library(self, target_folder: Path) -> Path:
        target = target_folder / library_name(self._toolchain.system, self._cpu)
        sources = core_sources(with_weights=self._cpu == "baseline")
        return self._link(target, self._objects(sources), self._toolchain.shared_flags)

    def program(self, main: Path) -> Path:
        """Links a source with a main() and the core into a program of the source's name."""
        target = self.folder / f"{main.stem}{self._toolchain.program_suffix}"
        sources = [source for source in core_sources() if source != STAND_INS.get(main)]
        # the training computes in floats; the library does without the libm
        return self._link(target, self._objects([*sources, main]), [], ["-lm"])

    def _objects(self, sources: list[Path]) -> list[Path]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self._object, sources))

    def _object(self, source: Path) -> Path:
        shown = source.relative_to(ROOT)
        target = (self.folder / "objects" / shown).with_suffix(".o")
        depends = target.with_suffix(".d")
        command = [*self._compile, "-MMD", "-MF", str(depends), "-c", str(shown)]
        label = f"cc {shown}" if self._cpu == "baseline" else f"cc {shown}, {self._cpu}"
        included = [*_headers(depends), *(assets() if source == EMBEDDED else ())]
        _make(target, command, [source, *included], target, label)
        return target

    def _link(
        self, target: Path, objects: list[Path], flags: list[str], libraries: Sequence[str] = ()
    ) -> Path:
        files = [*map(str, objects), *libraries]
        command = [*self._compile, *flags, *files, *self._toolchain.link_flags]
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
    """What the binding needs beside its sources: the libraries and the declarations."""
    folder.mkdir(parents=True, exist_ok=True)
    return [*builder.libraries(folder), write_declarations(folder / "_ffi.py")]


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
    parser.add_argument(
        "--cpu",
        choices=list(CPU_FLAGS),
        default="baseline",
        help="of the programs; not the package",
    )
    parser.add_argument("--cc", help="the compiler (default: $CC, or the first one found)")
    parser.add_argument("--run", action="store_true", help="run the programs that were built")
    groups = {"tests": sorted(TESTS.glob("*.c")), "training": sorted(TRAINING.glob("*.c"))}
    every = [*PROGRAMS, *sorted(FUZZERS.glob("*.c")), *groups["tests"], *groups["training"]]
    mains = {path.stem: [path] for path in every} | groups
    parser.add_argument(
        "targets", nargs="*", choices=["package", *mains], default="package", metavar="target"
    )
    args = parser.parse_args()
    try:
        with one_build():
            builder = Builder(args.variant, find_toolchain(args.cc))
            if "package" in args.targets:
                build_package_files(PACKAGE, builder)
                build_constants.write(PACKAGE / "constants.py")
            wanted = [
                path for target, paths in mains.items() if target in args.targets for path in paths
            ]
            programs = [builder.for_cpu(args.cpu).program(path) for path in wanted]
        if args.run:
            for program in programs:
                run(program)
    except (BuildError, build_constants.ConstantsError) as error:
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
