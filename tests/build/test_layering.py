"""The order of the house: which room may use which, in C and in Python."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import build_core
from tests.support.paths import ROOT

CSRC = ROOT / "csrc"

# A room may include itself and those before it.
C_ROOMS = [
    "include",
    "base",
    "board",
    "rules",
    "shape",
    "position",
    "eval",
    "search",
    "api",
    "bench",
]
# Within eval: a module may use those before it.
EVAL_ORDER = [
    "tables",
    "captures",
    "embedded",
    "nn/simd",
    "nn/accumulator",
    "nn/value_net",
    "nn/policy_net",
    "features",
    "weights",
    "evaluate",
]
C_LIBRARY = {
    "assert.h",
    "ctype.h",
    "errno.h",
    "immintrin.h",
    "inttypes.h",
    "limits.h",
    "math.h",
    "pthread.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
}
SYSTEM_MACROS = re.compile(
    r"_WIN32|_WIN64|__linux__|__APPLE__|__MINGW\w+|__CYGWIN__|_MSC_VER|__GNUC__|__clang__"
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"(?P<ours>[^"]+)"|<(?P<libc>[^>]+)>)', re.M)
PLATFORM = {CSRC / "base" / "platform.c", CSRC / "base" / "platform.h"}

BUILDING = {
    "build_constants",
    "build_core",
    "build_exe",
    "build_lock",
    "build_weights",
    "hatch_build",
    "installed_names",
}
PROJECT = {"pyengine", "protocol", "records", "arena", "tests", "tools"} | BUILDING
# What each Python room may use of the project beside itself.
MAY_USE: dict[str, set[str]] = {
    "pyengine": set(),
    "protocol": {"pyengine"},
    "records": set(),
    "arena": {"records"},
}
# Within pyengine: a module may use those before it.
PYENGINE_ORDER = [
    "constants",
    "types",
    "errors",
    "_ffi",
    "_native",
    "_calls",
    "weights",
    "analysis",
    "engine",
    "output",
    "__init__",
    "__main__",
]
# Within arena: a folder may use those before it.
ARENA_ORDER = [
    "rules",
    "util",
    "engines",
    "game",
    "openings",
    "run",
    "stats",
    "match",
    "ablation",
    "conformance",
    "play",
    "page",
    "tournament",
    "stress",
    "cli",
]
CFFI = {"cffi", "_cffi_backend", "pyengine._ffi"}
CFFI_USERS = {
    ROOT / "pyengine" / "_native.py",
    ROOT / "build_constants.py",
    ROOT / "build_core.py",
    ROOT / "build_weights.py",
}

C_FILES = sorted([*CSRC.rglob("*.c"), *CSRC.rglob("*.h")])
PY_FILES = [
    path
    for folder in MAY_USE
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name not in ("_ffi.py", "hatch_build.py")  # made by the build, and part of the build
]


def name(path: Path) -> str:
    """A path as it is shown."""
    return path.relative_to(ROOT).as_posix()


def room(path: Path) -> str:
    """The folder of a C file; "" for the top of csrc/, where none belongs."""
    parts = path.relative_to(CSRC).parts
    return parts[0] if len(parts) > 1 else ""


def included(path: Path) -> Iterator[Path]:
    """The project's files that a C file includes."""
    for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
        if match["ours"]:
            places = [path.parent / match["ours"], CSRC / match["ours"]]
            found = [place.resolve() for place in places if place.is_file()]
            assert found, f"{name(path)} includes {match['ours']}, which is nowhere"
            yield found[0]


def imported(path: Path) -> Iterator[str]:
    """The full names of everything that a Python file imports, also inside functions."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level + 1]] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield inner if is_module(inner) else module


def is_module(dotted: str) -> bool:
    """Whether a dotted name is a module of the project, be it one that the build makes."""
    path = ROOT.joinpath(*dotted.split("."))
    return (
        dotted == "pyengine._ffi"
        or path.with_suffix(".py").is_file()
        or (path / "__init__.py").is_file()
    )


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """One cycle of a graph, or an empty list."""
    done: set[str] = set()

    def walk(node: str, trail: list[str]) -> list[str]:
        if node in trail:
            return [*trail[trail.index(node) :], node]
        if node not in done:
            for after in sorted(graph.get(node, ())):
                if cycle := walk(after, [*trail, node]):
                    return cycle
            done.add(node)
        return []

    for start in sorted(graph):
        if cycle := walk(start, []):
            return cycle
    return []


def test_there_is_something_to_look_at() -> None:
    assert len(C_FILES) > 5
    assert len(PY_FILES) > 5


@pytest.mark.parametrize("path", C_FILES, ids=name)
def test_c_files_include_only_rooms_above(path: Path) -> None:
    assert room(path) in C_ROOMS, f"csrc/{room(path)}/ has no place in the order"
    for other in included(path):
        assert C_ROOMS.index(room(other)) <= C_ROOMS.index(room(path)), (
            f"{name(path)} may not include {name(other)}"
        )


def test_eval_is_built_in_order() -> None:
    home = CSRC / "eval"

    def place(path: Path) -> int:
        module = path.relative_to(home).with_suffix("").as_posix()
        return EVAL_ORDER.index(module.removesuffix("_none"))  # two sources of one module

    for path in sorted(home.rglob("*.[ch]")):
        for other in included(path):
            if home in other.parents and place(other) >= place(path):
                assert other == path.with_name(f"{path.stem.removesuffix('_none')}.h"), (
                    f"{name(path)} may not include {name(other)}"
                )


def module(path: Path) -> str:
    """A C module: a .c file with its .h, named without the ending."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


# Two modules that still form a circle: a node's state and the pruning steps that read it.
KNOWN_CIRCLE = {"csrc/search/node", "csrc/search/prune"}


def test_c_modules_have_no_cycle() -> None:
    graph: dict[str, set[str]] = {}
    for path in C_FILES:
        used = {module(other) for other in included(path)} - {module(path)}
        graph.setdefault(module(path), set()).update(used)
    graph["csrc/search/prune"] -= KNOWN_CIRCLE
    assert find_cycle(graph) == []


def test_c_files_outside_the_core_use_it_by_its_headers() -> None:
    """Tests and training include headers of the core, and nothing of each other."""
    for folder in ("tests/c", "training"):
        for path in sorted((ROOT / folder).glob("*.[ch]")):
            for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
                ours = match["ours"]
                if not ours or (path.parent / ours).is_file():
                    continue
                assert (CSRC / ours).is_file(), f"{name(path)} includes {ours}"


@pytest.mark.parametrize("path", C_FILES, ids=name)
def test_c_needs_only_libc_and_pthreads(path: Path) -> None:
    if path in PLATFORM:
        return
    text = path.read_text(encoding="utf-8")
    headers = {match["libc"] for match in INCLUDE.finditer(text) if match["libc"]}
    strange = headers - C_LIBRARY
    assert not strange, f"{name(path)} includes {strange}"


@pytest.mark.parametrize("path", C_FILES, ids=name)
def test_only_the_platform_file_asks_for_the_system(path: Path) -> None:
    if path in PLATFORM:
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        if re.match(r"\s*#\s*(if|ifdef|ifndef|elif)\b", line):
            assert not SYSTEM_MACROS.search(line), f"{name(path)}: {line}"


def test_the_library_is_everything_without_a_main() -> None:
    sources = {path for path in C_FILES if path.suffix == ".c"}
    programs = {path for path in sources if re.search(r"^int main\(", path.read_text(), re.M)}
    assert CSRC / "bench" / "bench_main.c" in programs
    library = sources - programs
    assert set(build_core.core_sources()) == library - {build_core.NOT_EMBEDDED}
    assert set(build_core.core_sources(with_weights=False)) == library - {build_core.EMBEDDED}


@pytest.mark.parametrize("path", PY_FILES, ids=name)
def test_python_rooms_use_only_what_they_may(path: Path) -> None:
    own = path.relative_to(ROOT).parts[0]
    used = {module.split(".")[0] for module in imported(path)} & PROJECT
    assert used <= MAY_USE[own] | {own}


@pytest.mark.parametrize("folder", MAY_USE)
def test_python_imports_have_no_cycle(folder: str) -> None:
    graph: dict[str, set[str]] = {}
    for path in (ROOT / folder).rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        # A module always comes with its package, so that import says nothing about the order.
        graph[module] = {
            other for other in imported(path) if other.startswith(f"{folder}.") and other != module
        }
    assert find_cycle(graph) == []


def test_pyengine_is_built_in_order() -> None:
    for path in (ROOT / "pyengine").glob("*.py"):
        assert path.stem in PYENGINE_ORDER, f"{name(path)} has no place in the order"
        place = PYENGINE_ORDER.index(path.stem)
        for module in imported(path):
            if module.startswith("pyengine"):
                used = module.partition(".")[2] or "__init__"
                assert PYENGINE_ORDER.index(used) < place, f"{name(path)} may not use {module}"


def test_the_folders_of_the_arena_are_in_order() -> None:
    for path in (ROOT / "arena").rglob("*.py"):
        parts = path.relative_to(ROOT / "arena").parts
        if len(parts) == 1:
            assert path.stem in ("__init__", "__main__", "hatch_build"), (
                f"{name(path)} stands in no folder"
            )
            continue
        place = ARENA_ORDER.index(parts[0])
        for module in imported(path):
            if module.startswith("arena."):
                used = ARENA_ORDER.index(module.split(".")[1])
                assert used <= place, f"{name(path)} may not use {module}"


def test_one_door_to_cffi() -> None:
    everywhere = [*PY_FILES, *ROOT.glob("*.py")]
    users = {path for path in everywhere if CFFI & set(imported(path))}
    assert users <= CFFI_USERS
    assert ROOT / "pyengine" / "_native.py" in users


@pytest.mark.parametrize("folder", ["pyengine", "protocol", "records"])
def test_what_is_frozen_needs_only_the_standard_library(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        outside = {module.split(".")[0] for module in imported(path)} - PROJECT
        assert outside - sys.stdlib_module_names <= {"_cffi_backend"}, name(path)
