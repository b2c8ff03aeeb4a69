"""The layers of the core: which folder and which module may use which."""

import re
from pathlib import Path

import pytest

import build_core
from tests.support.layers import (
    C_FILES,
    C_PROGRAMS,
    C_PROGRAMS_IN,
    CSRC,
    INCLUDE,
    c_modules,
    find_cycle,
    included,
    name,
    room,
)
from tests.support.paths import ROOT

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
    "nn/lines",
    "nn/accumulator",
    "nn/accumulator_table",
    "nn/recent",
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
    "leaf",
    "node_table",
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
    "cpuid.h",
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


PLATFORM = {CSRC / "base" / "platform.c", CSRC / "base" / "platform.h"}


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
