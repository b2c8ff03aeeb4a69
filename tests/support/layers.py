"""The source files, and what each of them uses."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support.paths import ROOT

CSRC = ROOT / "csrc"


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"(?P<ours>[^"]+)"|<(?P<libc>[^>]+)>)', re.M)


C_FILES = sorted([*CSRC.rglob("*.c"), *CSRC.rglob("*.h")])


# Programs on top of the core, by folder; training/ has one below it.
C_PROGRAMS_IN = {
    ROOT / folder: sorted((ROOT / folder).rglob("*.[ch]"))
    for folder in ("tests/c", "tests/fuzz", "training", "web/core")
}


C_PROGRAMS = [path for paths in C_PROGRAMS_IN.values() for path in paths]


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
