"""Makes the table and the picture of the value networks from docs/experiments/networks.csv.

    python -m tools.networks            write docs/networks.svg and the table of docs/strength.md
    python -m tools.networks --check    report whether both are up to date; write nothing

A row is a built-in network. `yardstick` is its value error on the positions of its rule, as `judge`
prints it. `elo` is the match against the row before, which is of the same rule.
"""

import argparse
import csv
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from arena.page.panels import Bars, Points, picture

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
DATA: Final = DOCS / "experiments" / "networks.csv"
PICTURE: Final = DOCS / "networks.svg"
PAGE: Final = DOCS / "strength.md"
BEGIN, END = "<!-- networks -->", "<!-- end networks -->"
NAMES: Final = 290  # width of the names in the picture
HEAD: Final = (
    "| rule | network | commit | date | positions | loss | speed | yardstick | Elo |",
    "|---|---|---|---|---|---|---|---|---|",
)


class DataError(ValueError):
    """A row cannot be read; the text says which, and why."""


@dataclass(frozen=True)
class Network:
    """A row of the file. Every field is text; empty: not measured."""

    rule: str
    commit: str
    date: str
    network: str
    positions: str
    loss: str
    speed: str
    elo: str
    error: str
    yardstick: str
    yardstick_error: str

    def number(self, name: str) -> float | None:
        """Returns a field as a number; None if it is empty. Raises DataError."""
        text = str(getattr(self, name))
        try:
            return float(text) if text else None
        except ValueError:
            raise DataError(
                f"{self.rule}, {self.commit}: {name} {text!r} is not a number"
            ) from None

    def reach(self) -> tuple[float, float, float] | None:
        """Returns the Elo difference and the ends of its interval. Raises DataError."""
        elo, error = self.number("elo"), self.number("error")
        if elo is None or error is None:
            return None
        return elo, elo - error, elo + error

    def line(self) -> str:
        """Returns the row of the table."""
        elo = f"{float(self.elo):+.1f} ± {self.error}" if self.elo else ""
        yardstick = f"{self.yardstick} ± {self.yardstick_error}" if self.yardstick else ""
        names = (self.rule, self.network, self.commit, self.date)
        cells = (*names, self.positions, self.loss, self.speed, yardstick, elo)
        return "| " + " | ".join(cells) + " |"


def read(path: Path) -> list[Network]:
    """Returns the rows. Raises DataError for a wrong column, row or number."""
    names = [field.name for field in fields(Network)]
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        if next(reader, []) != names:
            raise DataError(f"{path}, line 1: the columns are not {','.join(names)}")
        rows = []
        for cells in reader:
            if len(cells) != len(names):
                raise DataError(f"{path}, line {reader.line_num}: {len(cells)} columns")
            rows.append(Network(*cells))
    for row in rows:
        row.reach()
        row.number("yardstick")
    return rows


def draw(rows: Sequence[Network]) -> str:
    """Returns the picture. Raises DataError."""
    return picture(
        "Value error on the yardstick, and Elo against the network before, of each network",
        [f"{row.rule}: {row.network}" for row in rows],
        [
            Bars("value error on the yardstick", tuple(r.number("yardstick") for r in rows), ".4f"),
            Points("Elo against the network before, 95 %", tuple(row.reach() for row in rows)),
        ],
        width=NAMES,
    )


def filled(page: str, rows: Sequence[Network]) -> str:
    """Returns the page with the table. Raises DataError without its marks."""
    table = "\n".join([BEGIN, *HEAD, *(row.line() for row in rows), END])
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    made, count = re.subn(pattern, lambda _: table, page, flags=re.S)
    if count != 1:
        raise DataError(f"{PAGE}: {count} times {BEGIN} ... {END}, not once")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns 1 if the data are wrong or a file is not up to date."""
    parser = argparse.ArgumentParser(prog="python -m tools.networks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", action="store_true", help="write nothing")
    asked = parser.parse_args(arguments)
    try:
        rows = read(DATA)
        made = {PICTURE: draw(rows), PAGE: filled(PAGE.read_text(encoding="utf-8"), rows)}
        old = [path for path in made if not path.exists() or path.read_text("utf-8") != made[path]]
        if not asked.check:
            for path in old:
                path.write_text(made[path], encoding="utf-8")
            return 0
    except (DataError, OSError) as error:
        print(f"networks: {error}", file=sys.stderr)
        return 1
    for path in old:
        print(f"networks: {path} is not up to date", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
