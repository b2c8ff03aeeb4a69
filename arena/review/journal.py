"""A file with a line for each judged move, so that an interrupted review can continue."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from records.review import Judgement

__all__ = ["Journal", "OtherReviewError"]


class OtherReviewError(ValueError):
    """Says that a journal is of another game, engine or limit."""


class Journal:
    """Keeps judgements by ply. The first line says of what they are.

    A last line that was cut short, as by a full disk, is dropped.
    """

    def __init__(self, path: Path, header: Mapping[str, object], *, again: bool = False) -> None:
        """Opens or begins a journal; raises OtherReviewError, and OSError.

        `again` begins anew, whatever is there.
        """
        self.judgements: list[Judgement] = []
        head = json.dumps(header, separators=(",", ":"))
        size = 0
        if path.exists() and not again:
            size = self._read(path, head)
        self._file: IO[str] = path.open("r+" if size else "w", encoding="utf-8", newline="\n")
        self._file.truncate(size)
        self._file.seek(size)
        if not size:
            self._write(head)

    def _read(self, path: Path, head: str) -> int:
        """Reads the whole lines; returns how many bytes they take."""
        first, *rest = path.read_bytes().split(b"\n")
        if not rest:
            return 0  # it was cut short in its first line
        if first != head.encode():
            raise OtherReviewError(f"{path} is a review of another game, engine or limit")
        size = len(first) + 1
        for line in rest[:-1]:
            try:
                self.judgements.append(_from_json(json.loads(line)))
            except (KeyError, TypeError, ValueError):
                raise OtherReviewError(f"{path}: {line[:60]!r}: expected a judgement") from None
            size += len(line) + 1
        return size

    def add(self, judgement: Judgement) -> None:
        """Writes the next judgement down, at once."""
        self._write(json.dumps(to_json(judgement), separators=(",", ":")))
        self.judgements.append(judgement)

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def to_json(judgement: Judgement) -> dict[str, Any]:
    """Returns a judgement as JSON holds it."""
    return {
        "best": judgement.best,
        "win_rate": judgement.win_rate,
        "score": judgement.score,
        "mate": judgement.mate,
        "stage": judgement.stage,
        "line": judgement.line,
    }


def _from_json(values: dict[str, Any]) -> Judgement:
    best, rate = values["best"], values["win_rate"]
    return Judgement(
        best=None if best is None else (int(best[0]), int(best[1])),
        win_rate=None if rate is None else float(rate),
        score=str(values["score"]),
        mate=None if values["mate"] is None else int(values["mate"]),
        stage=str(values["stage"]),
        line=tuple((int(x), int(y)) for x, y in values["line"]),
    )
