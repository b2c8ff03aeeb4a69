"""The layers of the Python code: which folder and which module may use which."""

import re
import sys
from pathlib import Path

import pytest

from tests.support.layers import C_FILES, find_cycle, imported, name
from tests.support.paths import ROOT

BUILDING = {
    "build_constants",
    "build_core",
    "build_exe",
    "build_licences",
    "build_lock",
    "build_stamp",
    "build_toolchain",
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
    "stamp",
    "constants",
    "types",
    "results",
    "errors",
    "_ffi",
    "_library",
    "_native",
    "_handle",
    "_latch",
    "_calls",
    "_guard",
    "weights",
    "_board",
    "_checks",
    "_limits",
    "_options",
    "analysis",
    "_searches",
    "diagram",
    "position",
    "_position_calls",
    "engine",
    "judging",
    "_main_line",
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
    ROOT / "pyengine" / "_library.py",
    ROOT / "build_constants.py",
    ROOT / "build_core.py",
    ROOT / "build_weights" / "headers.py",
}


PY_FILES = [
    path
    for folder in MAY_USE
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name not in ("_ffi.py", "hatch_build.py")  # made by the build, and part of the build
]


def test_there_is_something_to_look_at() -> None:
    assert len(C_FILES) > 5
    assert len(PY_FILES) > 5


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


def test_one_module_of_the_engine_imports_cffi() -> None:
    everywhere = [*PY_FILES, *ROOT.glob("*.py"), *(ROOT / "build_weights").glob("*.py")]
    users = {path for path in everywhere if CFFI & set(imported(path))}
    assert users <= CFFI_USERS
    assert ROOT / "pyengine" / "_library.py" in users


def test_untyped_objects_of_the_core_stay_in_three_modules() -> None:
    callers = {
        path.stem
        for path in (ROOT / "pyengine").glob("*.py")
        if re.search(r"\b(?:native_core|library)\(\)|\.lib\.tg_", path.read_text(encoding="utf-8"))
    }
    assert callers == {"_library", "_native", "_handle"}


@pytest.mark.parametrize("folder", ["pyengine", "protocol", "records"])
def test_what_is_frozen_needs_only_the_standard_library(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        outside = {module.split(".")[0] for module in imported(path)} - PROJECT
        assert outside - sys.stdlib_module_names <= {"_cffi_backend"}, name(path)
