"""Builds the C core. Only this file and build_toolchain.py know its sources, flags and names.

`make`, the wheel (hatch_build.py) and the executable (build_exe.py) build through it. Objects are
in build/, one folder for each variant. They are made again when a source, an included header or the
command changes. It needs Python, a C compiler, and cffi for the binding's declarations and the
format of the weights files.

    python build_core.py                       the libraries and declarations, into pyengine/
    python build_core.py --variant sanitize --run tests bench_main   programs, built and run
    python build_core.py training              the programs of training/
    python build_core.py --variant thread --run test_smp             two threads, checked for races
"""

import argparse
import contextlib
import functools
import io
import os
import platform
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import build_constants
import build_weights
from build_lock import LOCK, one_build
from build_toolchain import (
    CPU_FLAGS,
    BuildError,
    Toolchain,
    command_text,
    cpu_paths,
    find_toolchain,
    library_name,
)

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "csrc"
HEADER = build_constants.HEADER
# Two sources of one function: with the weights files and without. A package has the files once, in
# its baseline library; the binding passes them to the AVX2 library.
EMBEDDED = SOURCES / "eval" / "embedded.c"
NOT_EMBEDDED = SOURCES / "eval" / "embedded_none.c"
PROGRAMS = sorted(SOURCES.glob("bench/bench_*.c"))  # each is a program, not part of the library
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
    "-Wno-enum-float-conversion",  # enum constants are the core's integer constants
]
SANITIZERS = [
    "-g",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]
# The variants for which clang is preferred (build_toolchain.py).
FAST = ("release", "separate")
# The assertions recompute the whole position after each move. This is some hundred times slower, so
# the bench is built without them.
VARIANTS = {
    "release": ["-O3", "-DNDEBUG"],
    # As release, but never with link-time optimisation, so linking a program takes no seconds.
    "separate": ["-O3", "-DNDEBUG"],
    "werror": ["-O3", "-DNDEBUG", "-Werror"],
    "plain": ["-O0", "-DNDEBUG", "-U__SSE2__"],  # as on an unknown processor
    "debug": ["-O1", "-g"],
    "sanitize": ["-O1", *SANITIZERS],
    "sanitize-fast": ["-O2", "-DNDEBUG", *SANITIZERS],
    "thread": ["-O2", "-g", "-DNDEBUG", "-fno-omit-frame-pointer", "-fsanitize=thread"],
    # For clang only; its main() comes from libFuzzer.
    "fuzz": ["-O2", "-DNDEBUG", *SANITIZERS, "-fsanitize=fuzzer"],
}
# Programs that include a source of the core themselves.
STAND_INS = {
    TESTS / "test_scarce.c": SOURCES / "base" / "platform.c",
    TRAINING / "nodes.c": SOURCES / "eval" / "evaluate.c",
}


@functools.cache
def assets() -> list[Path]:
    """Returns the weights files, one a rule. Raises BuildError unless all are complete."""
    try:
        return build_weights.check_assets()
    except build_weights.WeightsError as error:
        raise BuildError(str(error)) from None


def core_sources(*, with_weights: bool = True) -> list[Path]:
    """Returns all sources of a library or program, with or without the weights files.

    Raises BuildError if a part is missing.
    """
    assets()
    found = list(SOURCES.rglob("*.c"))
    if not found:
        raise BuildError(f"no C sources under {SOURCES}")
    return sorted({*found} - {*PROGRAMS, NOT_EMBEDDED if with_weights else EMBEDDED})


def write_declarations(target: Path) -> Path:
    """Writes the binding's `_ffi.py` unless it is up to date."""
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
    """Builds one variant with one compiler, in a folder of its own.

    cpu: the target processors, one of CPU_FLAGS.
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
        lto = toolchain.lto_flags if variant == "release" else []
        plain = [*toolchain.command, *COMMON_FLAGS, *VARIANTS[variant], *lto]
        rest = [*toolchain.compile_flags, f"-I{SOURCES.name}"]
        self._compile = [*plain, *toolchain.cpu_flags(cpu), *rest]
        # zig would compile the C library once more for each kind of processor.
        self._link_with = [*plain, *rest]

    def libraries(self, target_folder: Path) -> list[Path]:
        """Links a shared library for each kind of processor into a folder."""
        paths = cpu_paths(self._toolchain.system, self._toolchain.machine)
        return [self.for_cpu(cpu)._library(target_folder) for cpu in paths]

    def for_cpu(self, cpu: str) -> "Builder":
        """Returns a builder for other processors. Raises BuildError if the target has none."""
        return Builder(self._variant, self._toolchain, self.folder, cpu)

    def _library(self, target_folder: Path) -> Path:
        target = target_folder / library_name(self._toolchain.system, self._cpu)
        sources = core_sources(with_weights=self._cpu == "baseline")
        return self._link(target, self._objects(sources), self._toolchain.shared_flags)

    def programs(self, mains: Sequence[Path]) -> list[Path]:
        """Links several programs at once (see `program`)."""
        if not mains:
            return []
        self._objects(core_sources())  # so that no two programs compile the same source
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self.program, mains))

    def program(self, main: Path) -> Path:
        """Links a source with main() and the core into a program with the source's name."""
        target = self.folder / f"{main.stem}{self._toolchain.program_suffix}"
        sources = [source for source in core_sources() if source != STAND_INS.get(main)]
        # training computes in floats; the library does not need libm
        return self._link(target, self._objects([*sources, main]), [], ["-lm"])

    def _objects(self, sources: list[Path]) -> list[Path]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self._object, sources))

    def _object(self, source: Path) -> Path:
        shown = source.relative_to(ROOT)
        target = (self.folder / "objects" / shown).with_suffix(".o")
        depends = target.with_suffix(".d")
        # The linker has no -I for the files that this source includes as they are.
        whole = ["-fno-lto"] if "-flto" in self._compile and source == EMBEDDED else []
        command = [*self._compile, *whole, "-MMD", "-MF", str(depends), "-c", str(shown)]
        label = f"cc {shown}" if self._cpu == "baseline" else f"cc {shown}, {self._cpu}"
        included = [*_headers(depends), *(assets() if source == EMBEDDED else ())]
        self._make(target, command, [source, *included], target, label)
        return target

    def _link(
        self, target: Path, objects: list[Path], flags: list[str], libraries: Sequence[str] = ()
    ) -> Path:
        files = [*map(str, objects), *libraries]
        command = [*self._link_with, *flags, *files, *self._toolchain.link_flags]
        # All builders link into the package's folder: one note says which did last.
        notes = BUILD if target.parent == PACKAGE else self.folder
        self._make(target, command, objects, notes / target.name, f"ld {target.name}")
        return target

    def _make(
        self, target: Path, command: list[str], sources: list[Path], note: Path, label: str
    ) -> None:
        """Runs a command if its target is missing, older than a source, or from another command.

        note: the path, with `.command` added, of the file with the last command and the version of
        its compiler: an object for link-time optimisation is for this version only. The target is
        replaced in one step: a program that has it loaded keeps the old one, and a failed build
        leaves no new file.
        """
        note = note.with_name(f"{note.name}.command")
        text = f"{shlex.join(command)}\n{self._toolchain.version}\n"
        if target.exists() and note.exists() and note.read_text() == text:
            made = target.stat().st_mtime_ns
            if all(source.exists() and source.stat().st_mtime_ns <= made for source in sources):
                return
        for folder in (target.parent, note.parent):
            folder.mkdir(parents=True, exist_ok=True)
        sys.stdout.write(f"  {label}\n")  # in one write, because other threads print, too
        sys.stdout.flush()
        # A Windows library holds its own file name. The new file has that name in every build, in a
        # folder that no other process uses.
        with tempfile.TemporaryDirectory(dir=target.parent) as fresh_folder:
            fresh = Path(fresh_folder) / target.name
            done = subprocess.run(
                [*command, "-o", str(fresh)], cwd=ROOT, capture_output=True, text=True, check=False
            )
            if done.stderr.strip():
                print(done.stderr.rstrip(), file=sys.stderr, flush=True)
            if done.returncode != 0:
                raise BuildError(f"{label} failed: {shlex.join(command)}")
            fresh.replace(target)
        note.write_text(text)


def _headers(depends: Path) -> list[Path]:
    """Returns the headers of the last compilation, from the compiler's rule for make."""
    if not depends.exists():
        return []
    words = depends.read_text().replace("\\\n", " ").replace("\\ ", "\0").split()
    return [ROOT / word.replace("\0", " ") for word in words[1:]]


def build_package_files(folder: Path, builder: Builder) -> list[Path]:
    """Builds the libraries and declarations that the binding needs."""
    folder.mkdir(parents=True, exist_ok=True)
    return [*builder.libraries(folder), write_declarations(folder / "_ffi.py")]


def platform_tag() -> str:
    """Returns the platform part of the wheel's tag."""
    name = sysconfig.get_platform()
    if name.endswith("-universal2"):  # Python runs on both, the library on this one
        name = name.removesuffix("universal2") + platform.machine()
    return name.replace("-", "_").replace(".", "_")


def main() -> int:
    """Builds the requested targets; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(description="Builds the C core.")
    parser.add_argument("--variant", choices=sorted(VARIANTS), default="release")
    parser.add_argument(
        "--cpu",
        choices=list(CPU_FLAGS),
        default="baseline",
        help="of the programs; not the package",
    )
    parser.add_argument("--cc", help="the compiler (default: $CC, or the first one found)")
    parser.add_argument("--which", action="store_true", help="print the compiler, as CC names it")
    parser.add_argument("--run", action="store_true", help="run the programs that were built")
    groups = {"tests": sorted(TESTS.glob("*.c")), "training": sorted(TRAINING.glob("*.c"))}
    every = [*PROGRAMS, *sorted(FUZZERS.glob("*.c")), *groups["tests"], *groups["training"]]
    mains = {path.stem: [path] for path in every} | groups
    parser.add_argument(
        "targets", nargs="*", choices=["package", *mains], default="package", metavar="target"
    )
    args = parser.parse_args()
    try:
        toolchain = find_toolchain(args.cc, fast=args.variant in FAST)
        if args.which:
            print(command_text(toolchain.command))
            return 0
        builder = Builder(args.variant, toolchain)
        named = [paths for target, paths in mains.items() if target in args.targets]
        wanted = list(dict.fromkeys(path for paths in named for path in paths))
        with contextlib.ExitStack() as locks:
            for path in locks_of(args.variant, package="package" in args.targets):
                locks.enter_context(one_build(path))
            if "package" in args.targets:
                build_package_files(PACKAGE, builder)
                build_constants.write(PACKAGE / "constants.py")
            programs = builder.for_cpu(args.cpu).programs(wanted)
        if args.run:
            run(programs)
    except (BuildError, build_constants.ConstantsError) as error:
        print(f"build_core: {error}", file=sys.stderr)
        return 1
    return 0


def locks_of(variant: str, *, package: bool) -> list[Path]:
    """Returns the locks of a build, in the order in which every build takes them.

    The tree's own lock is for the package and for the variant that it is made of. Each other
    variant has a folder and a lock of its own, so builds of two variants run at the same time.
    """
    own = [] if variant == "release" else [BUILD / f"{variant}.lock"]
    return [LOCK, *own] if package or not own else own


def run(programs: list[Path]) -> None:
    """Runs built programs, as many at once as there are processors.

    The output of one program is shown as it comes, that of several when each has ended. Raises
    BuildError if one fails, after all have ended.
    """
    alone = len(programs) == 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [text for text in pool.map(lambda path: _run(path, alone), programs) if text]
    if failed:
        raise BuildError("; ".join(failed))


def _run(program: Path, alone: bool) -> str:
    """Runs a program; returns why it failed, or nothing."""
    title = f"  run {program.relative_to(ROOT)}\n"
    if alone:
        print(title, end="", flush=True)
        status = subprocess.run([str(program)], cwd=ROOT, check=False).returncode
    else:
        done = subprocess.run(
            [str(program)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        status = done.returncode
        sys.stdout.write(title + done.stdout)  # in one write, because other threads print, too
        sys.stdout.flush()
    return f"{program.name} failed with {status}" if status else ""


if __name__ == "__main__":
    sys.exit(main())
