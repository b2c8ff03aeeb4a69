"""Copies the numbers of csrc/include/tengen.h to Python and to the board's scripts.

The header is the only source of bounds, rule numbers, traits and scores of proven ends. This
program writes them to pyengine/constants.py and web/src/constants.js. Both files are committed, so
that the source tree can be read and type-checked without a build. `build_core.py` writes Python's
file.

    python build_constants.py    writes both files if they differ from the header
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent
HEADER: Final = ROOT / "csrc" / "include" / "tengen.h"
PYTHON: Final = ROOT / "pyengine" / "constants.py"
SCRIPT: Final = ROOT / "web" / "src" / "constants.js"
MARKS: Final = ("/* cffi: begin */", "/* cffi: end */")
PREFIXES: Final = ("TG_MIN_", "TG_MAX_", "TG_RULE_", "TG_WIN_", "TG_MATE_", "TG_PROVEN_")
HEAD: Final = "Numbers of csrc/include/tengen.h. build_constants.py writes this file."


class ConstantsError(Exception):
    """The header cannot be read; the text is for the user."""


def declarations(header: Path = HEADER) -> str:
    """Returns the part of the public header that Python reads. Raises ConstantsError."""
    text = header.read_text(encoding="utf-8")
    begin, end = (text.find(mark) for mark in MARKS)
    if not 0 <= begin < end:
        raise ConstantsError(f"{header} lacks the marks {' and '.join(MARKS)}")
    return text[begin + len(MARKS[0]) : end]


def constants(header: Path = HEADER) -> dict[str, int]:
    """Returns the numbers by name, without TG_, in alphabetical order. Raises ConstantsError."""
    library = _library(header)
    names = [name for name in sorted(dir(library)) if name.startswith(PREFIXES)]
    return {name.removeprefix("TG_"): int(getattr(library, name)) for name in names}


def rules_with_traits(header: Path = HEADER) -> dict[str, list[int]]:
    """Returns the rules that have a trait, as RULES_WITH_CAPTURES. Raises ConstantsError."""
    library = _library(header)
    names = dir(library)
    rules = {name.removeprefix("TG_RULE_") for name in names if name.startswith("TG_RULE_")}
    rows = {name.removeprefix("TG_TRAITS_") for name in names if name.startswith("TG_TRAITS_")}
    if rules != rows:
        raise ConstantsError(
            f"{header}: TG_RULE_ and TG_TRAITS_ differ in {', '.join(sorted(rules ^ rows))}"
        )
    return {
        name.replace("TG_TRAIT_", "RULES_WITH_"): sorted(
            int(getattr(library, f"TG_RULE_{rule}"))
            for rule in rules
            if getattr(library, f"TG_TRAITS_{rule}") & getattr(library, name)
        )
        for name in sorted(names)
        if name.startswith("TG_TRAIT_")
    }


def _library(header: Path) -> Any:
    """Returns cffi's view of the header's numbers. Raises ConstantsError."""
    from cffi import FFI  # here: a build with up-to-date files does not need it

    ffi = FFI()
    ffi.cdef(declarations(header))
    return ffi.dlopen(None)


def texts() -> dict[Path, str]:
    """Returns the expected text of each file."""
    numbers, rules = constants(), rules_with_traits()
    python = [f'"""{HEAD}"""', "", "from typing import Final", ""]
    python += [f"{name}: Final = {number}" for name, number in numbers.items()]
    python += [f"{name}: Final = frozenset({found})" for name, found in rules.items()]
    script = [f"// {HEAD}", ""]
    script += [f"export const {name} = {number};" for name, number in numbers.items()]
    script += [f"export const {name} = {found};" for name, found in rules.items()]
    return {PYTHON: "\n".join([*python, ""]), SCRIPT: "\n".join([*script, ""])}


def write(path: Path) -> bool:
    """Writes one of the files if it differs; says whether it did. Raises ConstantsError."""
    text = texts()[path]
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8", newline="\n")
    return True


def main() -> int:
    """Writes the files; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(prog="build_constants.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.parse_args()
    try:
        for path in (PYTHON, SCRIPT):
            if write(path):
                print(f"  wrote {path.relative_to(ROOT)}")
    except (ConstantsError, OSError) as error:
        print(f"build_constants: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
