"""Updates the tables of docs/options.md with values and old names from the engine.

`python -m tools.options` updates the page; `--check` only says whether it is up to date. The
meanings on the page stay.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pyengine import Engine, Option, Rule, option_aliases

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "options.md"
# The columns of defaults. Each rule is in one of them; those of a column have the same defaults.
_COLUMNS: Final = {
    "freestyle, standard": [Rule.FREESTYLE, Rule.STANDARD],
    "renju, caro": [Rule.RENJU, Rule.CARO, Rule.CARO_STANDARD],
    "with captures": [rule for rule in Rule if rule.has_captures],
}
_HEAD: Final = (
    f"| option | {' | '.join(_COLUMNS)} | least | greatest | meaning |",
    f"|---{'|---' * len(_COLUMNS)}|---|---|---|",
)
_TABLE: Final = re.compile(r"<!-- options -->\n(?P<table>.*?)<!-- end -->", re.S)
_ALIASES: Final = re.compile(r"<!-- aliases -->\n(?P<table>.*?)<!-- end -->", re.S)
_ALIASES_HEAD: Final = ("| old name | option |", "|---|---|")
_ROW: Final = re.compile(r"\| `(?P<name>[^`]+)` \|(?:[^|]*\|){5} (?P<meaning>.*) \|")


class PageError(ValueError):
    """A part of the page cannot be read; the text names it."""


def filled(page: str) -> str:
    """Returns the page with the engine's values; raises PageError if a meaning is missing."""
    found = _TABLE.search(page)
    if found is None:
        raise PageError("the page has no table between <!-- options --> and <!-- end -->")
    meanings = {row["name"]: row["meaning"].strip() for row in _ROW.finditer(found["table"])}
    if sorted(rule for rules in _COLUMNS.values() for rule in rules) != sorted(Rule):
        raise PageError("not every rule is in one column")
    with Engine(memory_mib=1) as engine:
        defaults = {rule: [o.default for o in engine.options(rule)] for rule in Rule}
        for name, rules in _COLUMNS.items():
            if any(defaults[rule] != defaults[rules[0]] for rule in rules):
                raise PageError(f"rules of column {name!r} have different defaults: add a column")
        columns = [defaults[rules[0]] for rules in _COLUMNS.values()]
        rows = [
            _row(option, values, meanings.get(option.name, ""))
            for option, *values in zip(engine.options(), *columns, strict=True)
        ]
    table = "\n".join((*_HEAD, *rows))
    return _with_aliases(_replaced(page, found, table))


def _replaced(page: str, found: re.Match[str], table: str) -> str:
    """Returns the page with a new table."""
    return page[: found.start("table")] + table + "\n" + page[found.end("table") :]


def _with_aliases(page: str) -> str:
    """Returns the page with the old names; raises PageError without a place for them."""
    found = _ALIASES.search(page)
    if found is None:
        raise PageError("the page has no table between <!-- aliases --> and <!-- end -->")
    rows = [f"| `{old}` | `{name}` |" for old, name in option_aliases().items()]
    return _replaced(page, found, "\n".join((*_ALIASES_HEAD, *rows)))


def _row(option: Option, values: list[int], meaning: str) -> str:
    """Returns a row of the table; raises PageError without a meaning.

    values: the default of each column. Only the first one and those that differ from it are shown.
    """
    if not meaning:
        raise PageError(f"{option.name}: the page does not say what it is for")
    shown = [str(values[0]), *(str(value) if value != values[0] else "" for value in values[1:])]
    bounds = f"{option.minimum} | {option.maximum}"
    return f"| `{option.name}` | {' | '.join(shown)} | {bounds} | {meaning} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns 1 if the page is out of date or wrong, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.options", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", action="store_true", help="report whether it is up to date")
    asked = parser.parse_args(arguments)
    try:
        before = PAGE.read_text(encoding="utf-8")
        after = filled(before)
        if asked.check and after != before:
            raise PageError("the numbers of the table are not those of the engine")
        if after != before:
            PAGE.write_text(after, encoding="utf-8")
    except (PageError, OSError) as error:
        print(f"options: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
