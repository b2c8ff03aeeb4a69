"""The results of trials of a release's files, and their table in docs/release.md.

    python -m tools.release.results docs/release.md            writes the table between its marks
    python -m tools.release.results docs/release.md --check    says whether it is up to date

`python -m tools.release.trial FILE --record` writes the results into docs/artefacts.json. A result
belongs to one file, by its SHA-256: another file of the same kind has results of its own.
"""

import argparse
import hashlib
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from .targets import ROOT, TARGETS, ReleaseError, find_target

RECORD: Final = ROOT / "docs" / "artefacts.json"
NOT_RUN: Final = "not run; checked: format, processor, exports, imports, tag"
_MARKED: Final = re.compile(r"(<!-- artefacts -->\n).*?(<!-- end -->)", re.S)
_FORMS: Final = {"file": "one file", "zip": "ZIP"}
# The executables of a release, by the system that they are for.
EXECUTABLES: Final = {
    f"{system} {form}": find_target(system).needs
    for system in ("linux-x86_64", "windows-x86_64")
    for form in _FORMS
}
NEEDS: Final = EXECUTABLES | {f"{target.name} wheel": target.needs for target in TARGETS}


class CannotRunError(Exception):
    """No program of this file's system runs on this machine; the text says what is missing."""


@dataclass(frozen=True)
class Trial:
    """The result of a trial.

    signature: None = the file could only be read. start_s: seconds from the start of the engine to
    its OK; None = not measured.
    """

    signature: str | None
    where: str
    start_s: float | None = None


@dataclass(frozen=True)
class Result:
    """One row of the record.

    artefact: one of NEEDS. signature: None = could not be run.
    """

    artefact: str
    sha256: str
    size: int
    where: str
    signature: str | None
    start_s: float | None
    date: str


def artefact_of(file: Path) -> str:
    """Returns the artefact that a file's name stands for. Raises ReleaseError."""
    if file.suffix == ".whl":
        tag = file.name.removesuffix(".whl").rpartition("-")[2]
        for target in TARGETS:
            if tag == target.tag:
                return f"{target.name} wheel"
        tags = [target.tag for target in TARGETS]
        raise ReleaseError(f"{file.name} is for {tag}: expected one of {tags}")
    found = re.fullmatch(r"pbrain-tengen-[^-]+-(\w+-\w+?)(\.exe|\.zip)?", file.name)
    name = f"{found[1]} {'zip' if found[2] == '.zip' else 'file'}" if found else ""
    if name not in EXECUTABLES:
        raise ReleaseError(
            f"{file.name} is no file to try: expected a wheel, or pbrain-tengen-VERSION-SYSTEM "
            f"for one of {', '.join(EXECUTABLES)}"
        )
    return name


def read(record: Path = RECORD) -> list[Result]:
    """Returns the results. Raises ReleaseError where the record is damaged."""
    try:
        rows = [Result(**row) for row in json.loads(record.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (TypeError, ValueError) as error:
        raise ReleaseError(f"{record} is damaged: {error}") from None
    unknown = {row.artefact for row in rows} - NEEDS.keys()
    if unknown:
        raise ReleaseError(f"{record} names unknown artefacts: {sorted(unknown)}")
    return rows


def note(file: Path, trial: Trial, record: Path = RECORD) -> None:
    """Adds a trial to the record, and drops the results of other files of the same kind."""
    content = file.read_bytes()
    row = Result(
        artefact_of(file),
        hashlib.sha256(content).hexdigest(),
        len(content),
        trial.where,
        trial.signature,
        round(trial.start_s, 2) if trial.start_s is not None else None,
        time.strftime("%Y-%m-%d", time.gmtime()),
    )
    kept = [
        other
        for other in read(record)
        if other.artefact != row.artefact
        or (other.sha256 == row.sha256 and other.where != row.where)
    ]
    order = list(NEEDS)
    rows = sorted([*kept, row], key=lambda one: (order.index(one.artefact), one.where))
    text = json.dumps([asdict(one) for one in rows], indent=1)
    record.write_text(text + "\n", encoding="utf-8")


def table(rows: Sequence[Result]) -> str:
    """Returns the table: one line an artefact. Raises ReleaseError for different signatures."""
    lines = [
        "| file for | size | needs | signature | ready after | tested on |",
        "|---|---|---|---|---|---|",
    ]
    signatures = {row.signature for row in rows if row.signature is not None}
    if len(signatures) > 1:
        raise ReleaseError(f"the results are of several states: {sorted(signatures)}; try again")
    for artefact, needs in NEEDS.items():
        mine = [row for row in rows if row.artefact == artefact]
        if not mine:
            continue
        starts = [row.start_s for row in mine if row.start_s is not None]
        system, _, form = artefact.rpartition(" ")
        cells = (
            f"{system}, {_FORMS.get(form, form)}",
            f"{mine[0].size / 2**20:.1f} MiB",
            needs,
            "right" if any(row.signature for row in mine) else "-",
            f"{min(starts):.2f} s" if starts else "-",
            "; ".join(row.where for row in mine),
        )
        lines.append("| " + " | ".join(cells) + " |")
    dates = sorted({row.date for row in rows})
    days = " to ".join(dates if len(dates) < 3 else (dates[0], dates[-1]))
    return "\n".join([*lines, "", f"Signature: {', '.join(signatures)}. Date: {days}."])


def put(page: str, made: str) -> str:
    """Returns a page with the table between its marks. Raises ReleaseError without marks."""
    if not _MARKED.search(page):
        raise ReleaseError("the page has no <!-- artefacts --> and <!-- end -->")
    return _MARKED.sub(lambda marks: f"{marks[1]}{made}\n{marks[2]}", page)


def main() -> int:
    """Writes or checks the table of a page."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.results",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("page", type=Path, metavar="PAGE")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if out of date")
    args = parser.parse_args()
    try:
        text = args.page.read_text(encoding="utf-8")
        fresh = put(text, table(read()))
    except (OSError, ReleaseError) as error:
        print(f"{args.page}: {error}", file=sys.stderr)
        return 1
    if args.check and fresh != text:
        print(f"{args.page}: the table is not that of {RECORD.name}", file=sys.stderr)
        return 1
    if not args.check:
        args.page.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
