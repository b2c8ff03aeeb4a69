"""The layers of the project: which folder may use which, in C and in Python."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
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
    "nn/accumulator_table",
    "nn/value_net",
    "nn/policy_net",
    "features",
    "weights",
    "evaluate",
]
# Within search: a module may include those before it.
SEARCH_ORDER = [
    # what a search takes and gives, and when it ends
    "score",
    "types",
    "budget",
    # tables
    "tt",
    "history",
    "wins",
    "kept_proofs",
    # static questions
    "threats",
    "zone",
    # proof searches
    "vcf",
    "vct",
    "proof",
    # one thread, one node
    "movepick",
    "worker",
    "node",
    "pruning",
    "alphabeta",
    # the root
    "root",
    "root_proofs",
    "multipv",
    "timeman",
    "iterative",
    "smp",
    "level",
    # the entry
    "search",
]
# A path of another folder in a file of the core, and a rule number in place of a trait.
OTHER_ROOMS = re.compile(r"\b(?:pyengine|protocol|records|arena|web|training|tools|tests)/\w+")
RULE_COMPARED = re.compile(r"\brule\s*[!=]=\s*RULE_(?!##)\w+|case RULE_(?!##)\w+")
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
# For each Python folder, the parts of the project that it may use.
MAY_USE: dict[str, set[str]] = {
    "pyengine": {"records"},
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
    "_checks",
    "analysis",
    "diagram",
    "position",
    "engine",
    "judging",
    "game",
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
    "board",
    "page",
    "review",
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
# Programs on top of the core, by folder; training/ has one below it.
C_PROGRAMS_IN = {
    ROOT / folder: sorted((ROOT / folder).rglob("*.[ch]"))
    for folder in ("tests/c", "tests/fuzz", "training", "web/core")
}
C_PROGRAMS = [path for paths in C_PROGRAMS_IN.values() for path in paths]
PY_FILES = [
    path
    for folder in MAY_USE
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name not in ("_ffi.py", "hatch_build.py")  # made by the build, and part of the build
]


def name(path: Path) -> str:
    """Returns a path as text."""
    return path.relative_to(ROOT).as_posix()


def room(path: Path) -> str:
    """Returns the folder of a C file; "" at the top of csrc/, where no file belongs."""
    parts = path.relative_to(CSRC).parts
    return parts[0] if len(parts) > 1 else ""


def included(path: Path) -> Iterator[Path]:
    """Returns the project's files that a C file includes."""
    for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
        if match["ours"]:
            places = [path.parent / match["ours"], CSRC / match["ours"]]
            found = [place.resolve() for place in places if place.is_file()]
            assert found, f"{name(path)} includes {match['ours']}, which is nowhere"
            yield found[0]


def imported(path: Path) -> Iterator[str]:
    """Returns the full names of all imports of a Python file, also inside functions."""
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
    """Says whether a dotted name is a module of the project, built ones included."""
    path = ROOT.joinpath(*dotted.split("."))
    return (
        dotted == "pyengine._ffi"
        or path.with_suffix(".py").is_file()
        or (path / "__init__.py").is_file()
    )


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Returns one cycle of a graph, or an empty list."""
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
    """Returns the C module of a file: a .c with its .h, named without suffix."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


def c_modules(files: Iterable[Path]) -> dict[str, set[str]]:
    """Returns the modules of C files, each with the modules that it includes."""
    graph: dict[str, set[str]] = {}
    for path in files:
        used = {module(other) for other in included(path)} - {module(path)}
        graph.setdefault(module(path), set()).update(used)
    return graph


def test_c_modules_have_no_cycle() -> None:
    assert find_cycle(c_modules([*C_FILES, *C_PROGRAMS])) == []


def place_in_search(name_of_module: str) -> int:
    """Returns the place of a search module in the order; -1 without one.

    A part of a larger module has the place of the whole: vct_table has that of vct.
    """
    stem = name_of_module.rpartition("/")[2]
    if stem in SEARCH_ORDER:
        return SEARCH_ORDER.index(stem)
    whole = stem.partition("_")[0]
    return SEARCH_ORDER.index(whole) if whole in SEARCH_ORDER else -1


def test_search_is_built_in_order() -> None:
    graph = c_modules(path for path in C_FILES if room(path) == "search")
    for one, used in graph.items():
        assert place_in_search(one) >= 0, f"{one} has no place in the order of search/"
        for other in used:
            if other.startswith("csrc/search/"):
                assert place_in_search(other) <= place_in_search(one), (
                    f"{one} may not include {other}"
                )


def test_a_node_is_a_state_without_functions() -> None:
    text = (CSRC / "search" / "node.h").read_text(encoding="utf-8")
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    assert "(" not in code
    assert not (CSRC / "search" / "node.c").exists()


def test_c_outside_the_core_uses_the_core_and_its_own_folder() -> None:
    for folder, paths in C_PROGRAMS_IN.items():
        for path in paths:
            for other in included(path):
                own = other.is_relative_to(folder)
                assert own or other.is_relative_to(CSRC), f"{name(path)} includes {name(other)}"


@pytest.mark.parametrize("path", C_FILES, ids=name)
def test_the_core_names_no_file_of_another_room(path: Path) -> None:
    """A number or a layout that two folders share is in a header that both read."""
    text = path.read_text(encoding="utf-8")
    if path.name.startswith("weights"):
        return  # written by the fit, which the first lines of the file name
    found = OTHER_ROOMS.search(text)
    assert not found, f"{name(path)} names {found and found[0]}"


@pytest.mark.parametrize("path", [*C_FILES, *C_PROGRAMS_IN[ROOT / "training"]], ids=name)
def test_code_asks_for_traits_not_for_rules(path: Path) -> None:
    """Code that depends on a trait asks for the trait, so that a new rule needs no change there."""
    found = RULE_COMPARED.search(path.read_text(encoding="utf-8"))
    assert not found, f"{name(path)} asks {found and found[0]}: a trait of rules/traits.h is meant"


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
        # Importing a module imports its package, which therefore does not count for the order.
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
