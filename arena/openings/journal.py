"""The journal of a set of openings that is being made: what was tried, and what became of it.

It lies beside the set's file, whose format has no room for remarks. Lines of JSON: the recipe,
then one for each candidate. The journal is the truth; the file can be written anew from it.
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
    """Holds an opening that was tried, the scores of its searches, and whether it was kept.

    A score is None where a win was seen, or none was told. No moves: the draw led nowhere.
    """

    moves: tuple[Point, ...]
    scores: tuple[int | None, ...]
    kept: bool


class Journal:
    """Keeps a set's file and its journal; a context manager that closes both."""

    def __init__(self, path: Path, *, size: int, recipe: dict[str, object]) -> None:
        """Reads what an earlier call left, torn last lines excepted, and writes the file from it.

        Raises OpeningError, changing nothing, where that is of another recipe or no journal, and
        where the file has lines that the journal does not know.
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
        """Writes a candidate down; one that was kept goes into the set's file too."""
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
        """Takes in what was tried, and returns the bytes of all whole lines."""
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
    """Raises OpeningError where the file has a whole line that is not known; without a journal,
    any line."""
    known = set(kept)
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if (line.endswith("\n") or not journal.exists()) and line not in known:
                raise OpeningError(
                    f"{path}:{number}: this line is not in {journal.name}: "
                    "use a new file, or a file that the same command has begun"
                )
