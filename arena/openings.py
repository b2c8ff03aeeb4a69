"""Openings: the files in which managers keep them, and the sets that are shipped.

Three formats are read. `offset`, of Gomocup, Piskvork's openings.txt and c-gomoku-cli: a line for
each opening, `0,0, 1,-1, 2,0`, counted from the square (size // 2, size // 2). `pos`, of
c-gomoku-cli: a line for each, `h8i9j7`, where a1 is the top left square. `psq`, a position that
Piskvork saved: one opening, a line for each move, or a folder of such files.
"""

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from arena.board_view import name_of
from arena.referee import Point, Position, RefereeError, Rule
from arena.symmetry import key_of

__all__ = [
    "Kind",
    "Opening",
    "OpeningError",
    "Report",
    "examine",
    "offset_text",
    "pos_text",
    "read_openings",
    "shipped",
    "shipped_name",
    "shipped_sizes",
]

_NUMBER = re.compile(r"[+-]?[0-9]{1,3}")
_SQUARE = re.compile(r"([a-z])([0-9]{1,2})", re.IGNORECASE)
_PSQ_HEAD = re.compile(r"Piskvorky (\d{1,3})x(\d{1,3}), *-?\d+: *-?\d+, *[01]")
_PSQ_MOVE = re.compile(r"(-?\d{1,4}) *, *(-?\d{1,4}) *(?:, *-?\d+)?")
_SHIPPED_NAME = re.compile(r"([a-z_]+)_(\d+)\.txt")
_SHOWN = 40


class Kind(enum.StrEnum):
    """Names a format of opening files."""

    OFFSET = "offset"
    POS = "pos"
    PSQ = "psq"


class OpeningError(ValueError):
    """Says what is wrong with openings: the file, the line, and what was expected."""


@dataclass(frozen=True)
class Opening:
    """Holds the moves of an opening, Black's first, and where it was read: `FILE:LINE`."""

    moves: tuple[Point, ...]
    place: str


@dataclass(frozen=True)
class Report:
    """Tells what was found: the good openings, those that are copies, and what is wrong.

    `copies` are pairs: the opening, and the earlier one of which it is a symmetric copy.
    """

    openings: list[Opening] = field(default_factory=list)
    copies: list[tuple[Opening, Opening]] = field(default_factory=list)
    problems: list[OpeningError] = field(default_factory=list)


@dataclass(frozen=True)
class _Written:
    """Holds an opening as it stands in a file: each move, its text, and its place."""

    moves: tuple[Point, ...]
    texts: tuple[str, ...]
    places: tuple[str, ...]


def read_openings(
    path: Path | str,
    *,
    size: int,
    rule: Rule = Rule.FREESTYLE,
    kind: Kind | str | None = None,
) -> list[tuple[Point, ...]]:
    """Returns the openings of a file, each checked by the referee, without symmetric copies.

    Raises OpeningError for the first thing that is wrong. Without a kind the first line tells.
    """
    report = examine(path, size=size, rule=rule, kind=kind)
    if report.problems:
        raise report.problems[0]
    return [opening.moves for opening in report.openings]


def examine(
    path: Path | str,
    *,
    size: int,
    rule: Rule = Rule.FREESTYLE,
    kind: Kind | str | None = None,
) -> Report:
    """Reads a file and returns all that is good in it and all that is wrong.

    Raises OpeningError only where nothing can be read at all.
    """
    path = Path(path)
    chosen = _kind(kind)
    found = [
        each for file in _files(path) for each in _read(_text_of(file), str(file), size, chosen)
    ]
    report = _judge_all(found, size, rule)
    if not (report.openings or report.problems):
        raise OpeningError(f"{path}: holds no opening: expected a line for each")
    return report


def shipped(rule: Rule | int, size: int) -> list[tuple[Point, ...]]:
    """Returns the shipped openings of a rule for a board of this size.

    Where none were made for the size, those of the nearest smaller board stand on the middle of
    this one. Raises OpeningError where there is none to take.
    """
    rule = Rule(rule)
    sizes = shipped_sizes(rule)
    fitting = [made for made in sizes if made <= size]
    if not fitting:
        made_for = ", ".join(f"{made}x{made}" for made in sizes) or "no board"
        raise OpeningError(
            f"no openings are shipped for {_title(rule, size)}: "
            f"those of {_word(rule)} are for {made_for} and larger boards"
        )
    name = shipped_name(rule, fitting[-1])
    text = (_folder() / name).read_text(encoding="ascii")
    report = _judge_all(_read(text, name, size, Kind.OFFSET), size, rule)
    if report.problems and size == fitting[-1]:
        raise report.problems[0]
    # On a larger board a square can be barred that was not: the edge is elsewhere.
    return [opening.moves for opening in report.openings]


def shipped_sizes(rule: Rule | int) -> list[int]:
    """Returns the board sizes for which openings of a rule are shipped, the smallest first."""
    names = [_SHIPPED_NAME.fullmatch(file.name) for file in _folder().iterdir()]
    return sorted(int(name[2]) for name in names if name and name[1] == _word(Rule(rule)))


def offset_text(moves: Iterable[Point], size: int) -> str:
    """Returns the line of an opening in offsets from the centre."""
    half = size // 2
    return ", ".join(f"{x - half},{y - half}" for x, y in moves)


def pos_text(moves: Iterable[Point]) -> str:
    """Returns the line of an opening in names of squares."""
    return "".join(name_of(move) for move in moves)


# Reading text


def _kind(kind: Kind | str | None) -> Kind | None:
    try:
        return None if kind is None else Kind(kind)
    except ValueError:
        known = ", ".join(Kind)
        raise OpeningError(f"unknown kind of opening file: {kind!r}; known: {known}") from None


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix.lower() == ".psq")
    if not files:
        raise OpeningError(f"{path}: is a folder without .psq files")
    return files


def _text_of(path: Path) -> str:
    try:
        # Names of brains in a .psq are in any 8-bit code; moves are ASCII, and are checked.
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise OpeningError(f"{path}: cannot be read: {error.strerror}") from None


def _read(
    text: str, source: str, size: int, kind: Kind | None
) -> Iterator[_Written | OpeningError]:
    """Yields each opening of a text, or what is wrong where it should be."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        return
    first = lines[0][1]
    if kind is Kind.PSQ or (kind is None and first.startswith("Piskvorky")):
        yield _read_psq(lines, source, size)
        return
    if kind is None:
        kind = Kind.POS if first[0].isalpha() else Kind.OFFSET
    reader = _read_pos if kind is Kind.POS else _read_offsets
    for number, line in lines:
        yield reader(line, f"{source}:{number}", size)


def _read_offsets(line: str, place: str, size: int) -> _Written | OpeningError:
    numbers = [part.strip() for part in line.removesuffix(",").split(",")]
    bad = next((part for part in numbers if not _NUMBER.fullmatch(part)), None)
    if bad is not None:
        return OpeningError(
            f"{place}: {_quoted(bad)} is no number: expected offsets from the centre with commas "
            "between them, as `0,0, 1,-1, 2,0`"
        )
    if len(numbers) % 2:
        return OpeningError(f"{place}: {len(numbers)} numbers: expected two for each move, x and y")
    half = size // 2
    pairs = list(zip(map(int, numbers[::2]), map(int, numbers[1::2]), strict=True))
    return _Written(
        moves=tuple((x + half, y + half) for x, y in pairs),
        texts=tuple(f"{x},{y}" for x, y in pairs),
        places=(place,) * len(pairs),
    )


def _read_pos(line: str, place: str, size: int) -> _Written | OpeningError:
    squares = list(_SQUARE.finditer(line))
    if "".join(square[0] for square in squares) != line:
        return OpeningError(
            f"{place}: {_quoted(line)}: expected squares without anything between them, as `h8i9j7`"
        )
    return _Written(
        moves=tuple((ord(s[1].lower()) - ord("a"), int(s[2]) - 1) for s in squares),
        texts=tuple(square[0] for square in squares),
        places=(place,) * len(squares),
    )


def _read_psq(lines: list[tuple[int, str]], source: str, size: int) -> _Written | OpeningError:
    """Reads a saved position: a head, a line for each move from 1, then names and a code."""
    number, first = lines[0]
    head = _PSQ_HEAD.fullmatch(first)
    if head is None:
        return OpeningError(
            f"{source}:{number}: {_quoted(first)}: expected the head of a .psq file, as "
            "`Piskvorky 15x15, 0:0, 0`"
        )
    if (head[1], head[2]) != (str(size), str(size)):
        return OpeningError(
            f"{source}:{number}: a board of {head[1]}x{head[2]}: expected {size}x{size}"
        )
    found = [(n, line, _PSQ_MOVE.fullmatch(line)) for n, line in lines[1:]]
    count = next((i for i, (_, _, move) in enumerate(found) if move is None), len(found))
    if any(move for _, _, move in found[count:]):
        n, line, _ = found[count]
        return OpeningError(
            f"{source}:{n}: {_quoted(line)}: expected a move, as `8,8,0`: column and row from 1, "
            "and its time"
        )
    moves = [(n, line, move) for n, line, move in found[:count] if move is not None]
    if not moves:
        return OpeningError(f"{source}:{number}: no move follows this line")
    return _Written(
        moves=tuple((int(move[1]) - 1, int(move[2]) - 1) for _, _, move in moves),
        texts=tuple(f"{move[1]},{move[2]}" for _, _, move in moves),
        places=tuple(f"{source}:{n}" for n, _, _ in moves),
    )


# Checking by the referee


def _judge_all(found: Iterable[_Written | OpeningError], size: int, rule: Rule) -> Report:
    """Returns the report on what was read."""
    report = Report()
    seen: dict[object, Opening] = {}
    for written in found:
        try:
            if isinstance(written, OpeningError):
                raise written
            key = key_of(_position(written, size, rule))
        except OpeningError as problem:
            report.problems.append(problem)
            continue
        opening = Opening(written.moves, written.places[0])
        if key in seen:
            report.copies.append((opening, seen[key]))
        else:
            seen[key] = opening
            report.openings.append(opening)
    return report


def _position(written: _Written, size: int, rule: Rule) -> Position:
    """Returns the position after an opening; raises OpeningError on what the referee refuses."""
    position = Position(size=size, rule=rule)
    marked = zip(written.moves, written.texts, written.places, strict=True)
    for number, (move, text, place) in enumerate(marked, 1):
        try:
            position.play(move)
        except RefereeError as error:
            why = str(error).removeprefix("move: ")
            raise OpeningError(
                f"{place}: move {number}, `{text}`: {why}: expected a legal move of "
                f"{_title(rule, size)}"
            ) from None
    if position.is_over:
        raise OpeningError(
            f"{written.places[-1]}: move {len(written.moves)}, `{written.texts[-1]}`, ends the "
            f"game of {_title(rule, size)}: expected an opening after which it goes on"
        )
    return position


# The shipped sets


def _folder() -> "resources.abc.Traversable":
    return resources.files("arena") / "data" / "openings"


def shipped_name(rule: Rule, size: int) -> str:
    """Returns the name of the file that holds a set."""
    return f"{_word(rule)}_{size}.txt"


def _word(rule: Rule) -> str:
    return rule.name.lower()


def _title(rule: Rule, size: int) -> str:
    return f"{_word(rule)} {size}x{size}"


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
