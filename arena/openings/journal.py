"""The journal of a set of openings in progress: the candidates and their results.

The file of the set has no room for remarks, so the journal is a separate file of JSON lines: the
recipe, then one line for each candidate. The set's file can be written again from the journal.
"""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import msgspec

from ..rules.referee import Point
from ..util.json_text import read_json
from .book import OpeningError, offset_text

__all__ = ["Candidate", "Journal"]


@dataclass(frozen=True)
class Candidate:
    """Holds a candidate, the scores of its searches, and whether it was kept.

    A score is None for a win, or if the engine reported none. No moves: the random draw failed.
    """

    moves: tuple[Point, ...]
    scores: tuple[int | None, ...]
    kept: bool


class Journal:
    """Writes a set's file and its journal; a context manager that closes both."""

    def __init__(self, path: Path, *, size: int, recipe: dict[str, object]) -> None:
        """Reads an earlier journal without an incomplete last line, and writes the file from it.

        Raises OpeningError without a change if the journal has another recipe or is damaged, or if
        the file has lines that the journal lacks.
        """
        self.candidates: list[Candidate] = []
        self._size = size
        self._files = contextlib.ExitStack()
        journal = path.with_name(path.name + ".journal")
        whole = self._read(journal, recipe) if journal.exists() else b""
        kept = [self._line(candidate) for candidate in self.candidates if candidate.kept]
        if path.exists():
            _refuse_strangers(path, journal, kept)
        path.write_text("".join(kept), encoding="ascii", newline="\n")
        journal.write_bytes(whole)
        self._out = self._append_to(path)
        self._log = self._append_to(journal)
        if not whole:
            self._write(recipe)

    def __enter__(self) -> "Journal":
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes both files."""
        self._files.close()

    def add(self, candidate: Candidate) -> None:
        """Writes a candidate to the journal, and to the set's file if it was kept."""
        self._write({"kept": candidate.kept, "moves": candidate.moves, "scores": candidate.scores})
        if candidate.kept:
            self._out.write(self._line(candidate))
            self._out.flush()
        self.candidates.append(candidate)

    def _append_to(self, path: Path) -> TextIO:
        return self._files.enter_context(path.open("a", encoding="ascii", newline="\n"))

    def _write(self, entry: dict[str, object]) -> None:
        self._log.write(json.dumps(entry) + "\n")
        self._log.flush()

    def _line(self, candidate: Candidate) -> str:
        return offset_text(candidate.moves, self._size) + "\n"

    def _read(self, journal: Path, recipe: dict[str, object]) -> bytes:
        """Reads the candidates; returns the bytes of all complete lines."""
        *lines, _torn = journal.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                entry = read_json(line.decode("utf-8"))
                if number == 1:
                    other = {key for key in recipe if entry[key] != recipe[key]}
                else:
                    other = set()
                    self.candidates.append(msgspec.convert(entry, Candidate))
            except (ValueError, KeyError, TypeError) as error:
                raise OpeningError(
                    f"{journal}:{number}: {error!r}: expected a line of an opening journal"
                ) from None
            if other:
                begun = ", ".join(f"{key} {entry[key]}" for key in recipe if key in other)
                raise OpeningError(
                    f"{journal}:1: this set was begun with {begun}: use the same options, or "
                    "another output file"
                )
        return b"".join(line + b"\n" for line in lines)


def _refuse_strangers(path: Path, journal: Path, kept: Sequence[str]) -> None:
    """Raises OpeningError if the file has a complete line that the journal lacks.

    Without a journal any line counts.
    """
    known = set(kept)
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if (line.endswith("\n") or not journal.exists()) and line not in known:
                raise OpeningError(
                    f"{path}:{number}: this line is not in {journal.name}: "
                    "use a new file, or a file that the same command has begun"
                )
