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

from arena.stats.panels import Points, picture
from records.rules import RULE_NAMES

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
DATA: Final = DOCS / "experiments" / "networks.csv"
PICTURE: Final = DOCS / "networks.svg"
PAGE: Final = DOCS / "strength.md"
BEGIN, END = "<!-- networks -->", "<!-- end networks -->"
Z: Final = 1.96  # standard errors in half of a 95 % interval
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
        if text and not re.fullmatch(r"-?\d+(\.\d+)?", text):
            raise DataError(f"{name} {text!r} is not a number")
        return float(text) if text else None

    def pair(self, name: str, error_name: str) -> tuple[float, float] | None:
        """Returns a measurement and its error; None without one. Raises DataError."""
        value, error = self.number(name), self.number(error_name)
        if value is None and error is None:
            return None
        if value is None or error is None or error < 0:
            raise DataError(f"{name} and {error_name} are not a number and its error")
        return value, error

    def reach(self) -> tuple[float, float, float] | None:
        """Returns the Elo difference and the ends of its 95 % interval. Raises DataError."""
        return _ends(self.pair("elo", "error"))

    def yardstick_reach(self) -> tuple[float, float, float] | None:
        """Returns the value error and the ends of its 95 % interval. Raises DataError."""
        pair = self.pair("yardstick", "yardstick_error")
        return _ends(pair and (pair[0], Z * pair[1]))

    def check(self, before: Sequence["Network"]) -> None:
        """Checks the row. before: the rows above it. Raises DataError."""
        for field in fields(self):
            if re.search(r"[|\n]|<!--", str(getattr(self, field.name))):
                raise DataError(f"{field.name} has a sign of the page: a bar, a line end or a mark")
        if self.rule not in RULE_NAMES.values():
            raise DataError(f"rule {self.rule!r} is unknown")
        is_first = all(row.rule != self.rule for row in before)
        if not is_first and before[-1].rule != self.rule:
            raise DataError(f"the rows of {self.rule} are not together")
        if self.reach() is not None and is_first:
            raise DataError(f"the first row of {self.rule} has no row before to play against")
        self.pair("yardstick", "yardstick_error")
        self.number("speed")

    def line(self) -> str:
        """Returns the row of the table."""
        elo = f"{float(self.elo):+.1f} ± {self.error}" if self.elo else ""
        yardstick = f"{self.yardstick} ± {self.yardstick_error}" if self.yardstick else ""
        names = (self.rule, self.network, self.commit, self.date)
        cells = (*names, self.positions, self.loss, self.speed, yardstick, elo)
        return "| " + " | ".join(cells) + " |"


def _ends(pair: tuple[float, float] | None) -> tuple[float, float, float] | None:
    """Returns a value and the ends of its interval."""
    return None if pair is None else (pair[0], pair[0] - pair[1], pair[0] + pair[1])


def read(path: Path) -> list[Network]:
    """Returns the rows. Raises DataError, with the number of the line."""
    names = [field.name for field in fields(Network)]
    rows: list[Network] = []
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        try:
            if next(reader, []) != names:
                raise DataError(f"the columns are not {','.join(names)}")
            for cells in reader:
                if len(cells) != len(names):
                    raise DataError(f"{len(cells)} columns, not {len(names)}")
                row = Network(*cells)
                row.check(rows)
                rows.append(row)
        except (DataError, UnicodeDecodeError, csv.Error) as error:
            raise DataError(f"{path}, line {max(1, reader.line_num)}: {error}") from None
    if not rows:
        raise DataError(f"{path} has no rows")
    return rows


def draw(rows: Sequence[Network]) -> str:
    """Returns the picture. Raises DataError."""
    return picture(
        "Value error on the yardstick, and Elo against the network before, of each network",
        [f"{row.rule}: {row.network}" for row in rows],
        [
            Points(
                "value error on the yardstick, 95 %",
                tuple(row.yardstick_reach() for row in rows),
                form=".4f",
                has_zero=False,
            ),
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
    except (DataError, OSError, UnicodeDecodeError) as error:
        print(f"networks: {error}", file=sys.stderr)
        return 1
    for path in old:
        print(f"networks: {path} is not up to date", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
