"""Checks the experiment log (docs/experiments/log.csv) and makes tables from it.

A page has a marker for each table. The text up to the end marker is replaced:

    <!-- table: change^="ablation: prune." size=15 sort=-elo columns=change,games,elo -->
    <!-- end -->

Conditions are COLUMN=TEXT (equal), COLUMN^=TEXT (begins with), COLUMN~=TEXT (contains) and
COLUMN!=TEXT (does not contain). `sort` names a column, with a minus for descending order. `columns`
names the columns of the table: columns of the log, `result` (wins-draws-losses), `elo` with its
error, and `score` in percent. `limit` is the largest number of rows.
"""

import argparse
import csv
import datetime
import math
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from pyengine.constants import MAX_SIZE, MIN_SIZE
from records.rules import RULE_NAMES

LOG: Final = Path(__file__).resolve().parent.parent / "docs" / "experiments" / "log.csv"
RULES: Final = ("", *RULE_NAMES.values(), "four")
VERDICTS: Final = {"", "H0", "H1", "kept", "not kept", "undecided", "measurement"}
_MARKER: Final = re.compile(r"<!-- table: (?P<query>.*?) -->\n.*?<!-- end -->", re.S)
_CONDITION: Final = re.compile(r"(?P<column>\w+)(?P<test>\^=|~=|!=|=)(?P<value>.*)", re.S)
_HEADINGS: Final = {"elo": "Elo", "llr": "LLR", "result": "W-D-L", "limit": "a move"}


class LogError(ValueError):
    """A row or a query cannot be read; the text says which, and why."""


@dataclass(frozen=True)
class Experiment:
    """One row of the log. Every field is text."""

    date: str
    commit: str
    change: str
    rule: str
    size: str
    limit: str
    games: str
    wins: str
    draws: str
    losses: str
    elo: str
    error: str
    llr: str
    verdict: str
    note: str

    def check(self) -> None:
        """Raises LogError for a field of the wrong form."""
        try:
            datetime.date.fromisoformat(self.date)
        except ValueError:
            raise LogError(f"date {self.date!r} is not YYYY-MM-DD") from None
        if not self.change:
            raise LogError("change is empty")
        if self.rule not in RULES:
            raise LogError(f"rule {self.rule!r} is not one of {', '.join(RULES[1:])}")
        if self.size and not (self.size.isdigit() and MIN_SIZE <= int(self.size) <= MAX_SIZE):
            raise LogError(f"size {self.size!r} is not {MIN_SIZE} to {MAX_SIZE}")
        unknown = {word.strip() for word in self.verdict.split(",")} - VERDICTS
        if unknown:
            raise LogError(f"verdict {self.verdict!r} is not made of {', '.join(sorted(VERDICTS))}")
        for column in ("games", "wins", "draws", "losses"):
            value = getattr(self, column)
            if value and not value.isdigit():
                raise LogError(f"{column} {value!r} is not a number of games")
        for column in ("elo", "error", "llr"):
            value = getattr(self, column)
            if value and not re.fullmatch(r"-?\d+(\.\d+)?", value):
                raise LogError(f"{column} {value!r} is not a number")
        parts = [getattr(self, column) for column in ("wins", "draws", "losses")]
        if any(parts) and sum(int(part or 0) for part in parts) != int(self.games or 0):
            raise LogError(f"{'-'.join(parts)} are not {self.games or 0} games")

    def cell(self, column: str) -> str:
        """Returns the text of a column in a table."""
        if column == "result":
            return f"{self.wins}-{self.draws}-{self.losses}" if self.wins else ""
        if column == "score":
            return self._score()
        if column == "elo" and self.elo:
            sign = "" if self.elo.startswith("-") or self.elo == "0" else "+"
            return f"{sign}{self.elo} ± {self.error}" if self.error else f"{sign}{self.elo}"
        if column == "size" and self.size:
            return f"{self.size}x{self.size}"
        return str(getattr(self, column))

    def _score(self) -> str:
        """Returns the points in percent, with half of Wilson's 95 % interval."""
        if not self.wins:
            return ""
        games = int(self.games)
        share = (int(self.wins) + int(self.draws) / 2) / games
        z = 1.96
        half = z * math.sqrt(share * (1 - share) / games + (z / 2 / games) ** 2)
        return f"{100 * share:.1f} ± {100 * half / (1 + z * z / games):.1f} %"


COLUMNS: Final = tuple(field.name for field in fields(Experiment))


def read(path: Path) -> list[Experiment]:
    """Returns all rows of a log.

    Raises LogError with the number of the line for a wrong row.
    """
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        head = next(reader, [])
        if tuple(head) != COLUMNS:
            raise LogError(f"{path}, line 1: the columns are not {','.join(COLUMNS)}")
        rows = []
        for cells in reader:
            if len(cells) != len(COLUMNS):
                raise LogError(
                    f"{path}, line {reader.line_num}: {len(cells)} columns, not {len(COLUMNS)}"
                )
            row = Experiment(*cells)
            try:
                row.check()
            except LogError as error:
                raise LogError(f"{path}, line {reader.line_num}: {error}") from None
            rows.append(row)
    return rows


def _condition(text: str) -> Callable[[Experiment], bool]:
    match = _CONDITION.fullmatch(text)
    if match is None or match["column"] not in COLUMNS:
        raise LogError(f"{text!r} is not a condition; columns are {', '.join(COLUMNS)}")
    column, test, value = match["column"], match["test"], match["value"]

    def holds(row: Experiment) -> bool:
        found = str(getattr(row, column))
        if test == "^=":
            return found.startswith(value)
        if test == "~=":
            return value in found
        if test == "!=":
            return value not in found
        return found == value

    return holds


def table(rows: Iterable[Experiment], query: str) -> str:
    """Returns the Markdown table of a query.

    Raises LogError for a query that cannot be read or has no rows.
    """
    shown = ["date", "change", "rule", "size", "limit", "result", "elo", "verdict"]
    order, most = "", 0
    chosen = list(rows)
    for word in shlex.split(query):
        key, _, value = word.partition("=")
        if key == "columns":
            shown = value.split(",")
        elif key == "sort":
            order = value
        elif key == "limit" and value.isdigit():
            most = int(value)
        else:
            holds = _condition(word)
            chosen = [row for row in chosen if holds(row)]
    if not chosen:
        raise LogError(f"no row of the log answers {query!r}")
    if order:
        chosen = _sorted(chosen, order)
    unknown = set(shown) - {*COLUMNS, "result", "score"}
    if unknown:
        raise LogError(f"no such columns: {', '.join(sorted(unknown))}")
    lines = [_line([_HEADINGS.get(column, column) for column in shown])]
    lines.append("|" + "---|" * len(shown))
    lines += [_line([row.cell(column) for column in shown]) for row in chosen[: most or None]]
    return "\n".join(lines)


def _sorted(rows: list[Experiment], order: str) -> list[Experiment]:
    """Returns the rows by a column: numbers by value, all else by text; empty ones last."""
    column = order.removeprefix("-")
    if column not in COLUMNS:
        raise LogError(f"cannot sort by {column!r}")

    def key(row: Experiment) -> tuple[float, str]:
        value = str(getattr(row, column))
        try:
            return float(value), ""
        except ValueError:
            return 0.0, value

    filled = sorted((row for row in rows if getattr(row, column)), key=key)
    if order.startswith("-"):
        filled.reverse()
    return filled + [row for row in rows if not getattr(row, column)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def filled(page: str, rows: Sequence[Experiment]) -> str:
    """Returns the page with all tables updated."""

    def make(match: re.Match[str]) -> str:
        query = match["query"]
        return f"<!-- table: {query} -->\n{table(rows, query)}\n<!-- end -->"

    return _MARKER.sub(make, page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns 1 if the log or a page is wrong, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.experiments", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="check every row of the log")
    pages = commands.add_parser("tables", help="update the tables of a page")
    pages.add_argument("page", type=Path, nargs="+")
    pages.add_argument(
        "--check", action="store_true", help="report whether a page is up to date; write nothing"
    )
    show = commands.add_parser("show", help="print the table of a query")
    show.add_argument("query")
    asked = parser.parse_args(arguments)
    try:
        rows = read(LOG)
        if asked.command == "show":
            print(table(rows, asked.query))
        elif asked.command == "tables":
            return _write_tables(asked.page, rows, only_check=asked.check)
        else:
            print(f"{len(rows)} experiments")
    except (LogError, OSError) as error:
        print(f"experiments: {error}", file=sys.stderr)
        return 1
    return 0


def _write_tables(pages: Iterable[Path], rows: Sequence[Experiment], *, only_check: bool) -> int:
    stale = 0
    for page in pages:
        before = page.read_text(encoding="utf-8")
        after = filled(before, rows)
        if after == before:
            continue
        if only_check:
            print(f"{page}: the tables are not those of the log", file=sys.stderr)
            stale = 1
        else:
            page.write_text(after, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main())
