"""The installed names of folders of the tree, and copies of the folders under these names.

In the tree `arena/`, `protocol/` and `records/` are top-level packages. Installed packages have no
such general names: the engine's wheel has only `pyengine` (with `pyengine.protocol` and
`pyengine.records`), the arena's only `tengen_arena` (with `tengen_arena.records`). The build hooks
of both wheels copy the folders with this module, which rewrites their absolute imports.
"""

import ast
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ENGINE: Final[Mapping[str, str]] = {
    "pyengine": "pyengine",
    "protocol": "pyengine.protocol",
    "records": "pyengine.records",
}
"""Folders of the tree and their packages in the engine's wheel."""

ARENA: Final[Mapping[str, str]] = {"arena": "tengen_arena", "records": "tengen_arena.records"}
"""Folders of the tree and their packages in the arena's wheel."""

_LEFT_OUT: Final = {".pyc", ".so", ".dll", ".dylib"}
_OF_THE_BUILD: Final = {"hatch_build.py", "pyproject.toml", "_ffi.py"}


class NameNotRewrittenError(Exception):
    """An import cannot be rewritten; the text names file and line."""


def rewritten(text: str, names: Mapping[str, str], file: str) -> str:
    """Returns a module's text with the installed names in its imports and in `python -m NAME`.

    Raises NameNotRewrittenError for `import NAME` of a renamed folder, because the uses of NAME
    would change, too.
    """
    moved = {name: new for name, new in names.items() if name != new}
    if not moved:
        return text
    one = "|".join(map(re.escape, moved))
    text = re.sub(
        rf"^(\s*from\s+)({one})\b(?=[\w.]*\s+import\b)",
        lambda found: found[1] + moved[found[2]],
        text,
        flags=re.M,
    )
    text = re.sub(rf"(python -m )({one})\b", lambda found: found[1] + moved[found[2]], text)
    for line, name in _imported(text, file):
        if name.partition(".")[0] in moved:
            raise NameNotRewrittenError(f"{file}:{line}: the import of {name} is not rewritten")
    return text


def copy_packages(root: Path, names: Mapping[str, str], target: Path) -> list[Path]:
    """Copies folders of `root` into `target` under their installed names; returns the copies."""
    made = []
    for folder, package in names.items():
        source = root / folder
        if not source.is_dir():
            raise FileNotFoundError(f"{source} is missing; {package} is made from it")
        for path in sorted(source.rglob("*")):
            inside = path.relative_to(source)
            if path.is_dir() or path.suffix in _LEFT_OUT or "__pycache__" in inside.parts:
                continue
            if inside.as_posix() in _OF_THE_BUILD:
                continue
            copy = target.joinpath(*package.split("."), inside)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".py":
                text = rewritten(path.read_text(encoding="utf-8"), names, str(path))
                copy.write_text(text, encoding="utf-8")
            else:
                shutil.copyfile(path, copy)
            made.append(copy)
    return made


def _imported(text: str, file: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text, file)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module
