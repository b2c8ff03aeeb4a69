"""The board's scripts and style in a page: the files of the board, put in as they are.

A module that a page holds cannot import a file, so each one becomes a `data:` address. An import
map names the addresses, and `from "./board.js"` is written as `from "tengen/board.js"`. No other
tool is needed. In the source tree the files lie in `web/src/`; an installed arena has copies beside
this module.
"""

import base64
import json
import re
from pathlib import Path

__all__ = ["FILES", "board_style", "import_map"]

SCRIPTS = (
    "dom.js",
    "icons.js",
    "constants.js",
    "squares.js",
    "board.js",
    "viewer.js",
    "games.js",
    "reviewed.js",
)
FILES = (*SCRIPTS, "board.css")
"""The modules of the board that a page needs. The wheel of the arena has copies."""

_PLACES = (Path(__file__).with_name("board"), Path(__file__).resolve().parents[2] / "web" / "src")
_IMPORT = re.compile(r'^((?:import|export) .*|\} )from "\./([\w.]+)";$', re.M)
_UNKNOWN = re.compile(r"""^(?:import|export)\b.*["']\./.*$""", re.M)


def board_style() -> str:
    """Returns the style of the board; raises FileNotFoundError where an installation is damaged."""
    return _read("board.css")


def import_map(entry: str) -> str:
    """Returns the JSON of an import map that names a module and all that it needs `tengen/FILE`.

    Raises ValueError where an import cannot be named.
    """
    addresses: dict[str, str] = {}
    missing = [entry]
    while missing:
        name = missing.pop()
        addresses[f"tengen/{name}"], needs = _address(name)
        missing += [other for other in needs if f"tengen/{other}" not in addresses]
    return json.dumps({"imports": dict(sorted(addresses.items()))})


def _address(name: str) -> tuple[str, list[str]]:
    """Returns a module as a `data:` address, and the modules that it imports."""
    needs: list[str] = []

    def named(found: re.Match[str]) -> str:
        if found[2] not in SCRIPTS:
            raise ValueError(f"{name} imports {found[2]}, which is not among {', '.join(SCRIPTS)}")
        needs.append(found[2])
        return f'{found[1]}from "tengen/{found[2]}";'

    text = _IMPORT.sub(named, _read(name))
    if unknown := _UNKNOWN.search(text):
        raise ValueError(f"{name}: the import is not understood: {unknown[0]}")
    code = base64.b64encode(text.encode()).decode()
    return f"data:text/javascript;charset=utf-8;base64,{code}", needs


def _read(name: str) -> str:
    for place in _PLACES:
        if (place / name).is_file():
            return (place / name).read_text(encoding="utf-8")
    raise FileNotFoundError(f"{name} of the board is missing in {' and '.join(map(str, _PLACES))}")
