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
_HEAD: Final = (
    "| option | default | with captures | least | greatest | meaning |",
    "|---|---|---|---|---|---|",
)
_TABLE: Final = re.compile(r"<!-- options -->\n(?P<table>.*?)<!-- end -->", re.S)
_ALIASES: Final = re.compile(r"<!-- aliases -->\n(?P<table>.*?)<!-- end -->", re.S)
_ALIASES_HEAD: Final = ("| old name | option |", "|---|---|")
_ROW: Final = re.compile(r"\| `(?P<name>[^`]+)` \|(?:[^|]*\|){4} (?P<meaning>.*) \|")


class PageError(ValueError):
    """A part of the page cannot be read; the text names it."""


def filled(page: str) -> str:
    """Returns the page with the engine's values; raises PageError if a meaning is missing."""
    found = _TABLE.search(page)
    if found is None:
        raise PageError("the page has no table between <!-- options --> and <!-- end -->")
    meanings = {row["name"]: row["meaning"].strip() for row in _ROW.finditer(found["table"])}
    with Engine(memory_mib=1) as engine:
        defaults = {rule: [o.default for o in engine.options(rule)] for rule in Rule}
        own_defaults = [defaults.pop(rule) for rule in Rule if rule.has_captures]
        groups = (own_defaults, list(defaults.values()))
        if any(others != group[0] for group in groups for others in group):
            raise PageError("rules of one column have different defaults: add a column")
        rows = [
            _row(option, own, meanings.get(option.name, ""))
            for option, own in zip(engine.options(), own_defaults[0], strict=True)
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


def _row(option: Option, with_captures: int, meaning: str) -> str:
    """Returns a row of the table; raises PageError without a meaning."""
    if not meaning:
        raise PageError(f"{option.name}: the page does not say what it is for")
    different = str(with_captures) if with_captures != option.default else ""
    numbers = f"{option.default} | {different} | {option.minimum} | {option.maximum}"
    return f"| `{option.name}` | {numbers} | {meaning} |"


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
