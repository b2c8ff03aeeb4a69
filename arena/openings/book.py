"""Openings: the files in which managers store them, and the shipped sets.

The module reads four formats. `offset` is that of Gomocup, of Piskvork's openings.txt and of
c-gomoku-cli: one opening a line, `0,0, 1,-1, 2,0`, relative to the square (size // 2, size // 2).
`pos` is that of c-gomoku-cli: one opening a line, `h8i9j7`, where a1 is the top left square. `psq`
and `sgf` files are games or positions: all moves of one are an opening. A folder of such files is
read, too.
"""

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from records.errors import FormatError
from records.openings import offset_text, pos_text, read_offsets, read_pos
from records.psq import is_psq, read_psq
from records.sgf import SgfNode, is_sgf, read_sgf
from records.squares import name_of
from records.text import plain, read_text

from ..game.record import EMPTY_BOARD
from ..game.sgf_games import from_sgf_node
from ..rules.referee import Point, Position, RefereeError, Rule
from ..rules.symmetry import key_of
from ..util.paths import is_dir

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
    "shipped_folder",
    "shipped_name",
    "shipped_sizes",
]

_SHIPPED_NAME = re.compile(r"([a-z_]+)_(\d+)\.txt")


class Kind(enum.StrEnum):
    """The formats of opening files."""

    OFFSET = "offset"
    POS = "pos"
    PSQ = "psq"
    SGF = "sgf"


class OpeningError(FormatError):
    """An opening file is wrong; the text names the file, the line, and the expectation."""


@dataclass(frozen=True)
class Opening:
    """Holds the moves of an opening, Black's first, and its source, `FILE:LINE`."""

    moves: tuple[Point, ...]
    place: str


@dataclass(frozen=True)
class Report:
    """Holds the result of a check: good openings, copies, and faults.

    Each of `copies` is a pair: an opening, and the earlier one of which it is a symmetric copy.
    """

    openings: list[Opening] = field(default_factory=list)
    copies: list[tuple[Opening, Opening]] = field(default_factory=list)
    problems: list[OpeningError] = field(default_factory=list)


@dataclass(frozen=True)
class _Written:
    """Holds an opening as written in a file: each move, its text, and its place."""

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
    """Returns the openings of a file without symmetric copies, each checked by the referee.

    Raises OpeningError for the first fault. Without a kind the first line decides the format.
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
    """Reads a file; returns all good openings and all faults.

    Raises OpeningError only if the file cannot be read at all.
    """
    path = Path(path)
    chosen = _kind(kind)
    found = [
        each for file in _files(path) for each in _read(_text_of(file), str(file), size, chosen)
    ]
    report = _judge_all(found, size, rule)
    if not (report.openings or report.problems):
        raise OpeningError("has no opening: expected one on each line", source=str(path))
    return report


def shipped(rule: Rule | int, size: int) -> list[tuple[Point, ...]]:
    """Returns the shipped openings of a rule for a board of this size.

    If there are none for the size, those of the nearest smaller board are placed in the centre.
    Raises OpeningError if there are none.
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
    text = (shipped_folder() / name).read_text(encoding="ascii")
    report = _judge_all(_read(text, name, size, Kind.OFFSET), size, rule)
    if report.problems and size == fitting[-1]:
        raise report.problems[0]
    # On a larger board other squares can be forbidden, because the edge is elsewhere.
    return [opening.moves for opening in report.openings]


def shipped_sizes(rule: Rule | int) -> list[int]:
    """Returns the board sizes with shipped openings of a rule, the smallest first."""
    names = [_SHIPPED_NAME.fullmatch(file.name) for file in shipped_folder().iterdir()]
    return sorted(int(name[2]) for name in names if name and name[1] == _word(Rule(rule)))


# Reading text


def _kind(kind: Kind | str | None) -> Kind | None:
    try:
        return None if kind is None else Kind(kind)
    except ValueError:
        known = ", ".join(Kind)
        raise OpeningError(f"unknown kind of opening file: {kind!r}; known: {known}") from None


def _files(path: Path) -> list[Path]:
    if not is_dir(path):
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in (".psq", ".sgf"))
    if not files:
        raise OpeningError("is a folder without .psq or .sgf files", source=str(path))
    return files


def _text_of(path: Path) -> str:
    try:
        return read_text(path)
    except FormatError as error:
        raise _named(error, str(path)) from None


def _named(error: FormatError, source: str, line: int | None = None) -> OpeningError:
    """Returns a reader's error as an OpeningError with file and line."""
    return OpeningError(error.problem, line=error.line or line, source=source)


def _read(
    text: str, source: str, size: int, kind: Kind | None
) -> Iterator[_Written | OpeningError]:
    """Yields each opening of a text, or the fault in its place."""
    lines = [(n, line) for n, line in enumerate(plain(text).split("\n"), 1) if line.strip()]
    if not lines:
        return
    kind = kind or _kind_of(text, [line for _, line in lines], size)
    if kind is Kind.PSQ:
        yield _read_psq(text, source, size)
    elif kind is Kind.SGF:
        yield from _read_sgf(text, source, size)
    else:
        for number, line in lines:
            yield _read_line(line, number, source, size, kind)


def _kind_of(text: str, lines: list[str], size: int) -> Kind:
    """Returns the format of most lines; the first line decides a tie."""
    if is_psq(text):
        return Kind.PSQ
    if is_sgf(text):
        return Kind.SGF
    offsets = sum(_is_readable(line, Kind.OFFSET, size) for line in lines)
    names = sum(_is_readable(line, Kind.POS, size) for line in lines)
    if offsets != names:
        return Kind.OFFSET if offsets > names else Kind.POS
    return Kind.POS if lines[0].lstrip()[0].isalpha() else Kind.OFFSET


def _is_readable(line: str, kind: Kind, size: int) -> bool:
    return isinstance(_read_line(line, 0, "", size, kind), _Written)


def _read_line(
    line: str, number: int, source: str, size: int, kind: Kind
) -> _Written | OpeningError:
    """Reads an opening from one line."""
    try:
        marked = read_pos(line) if kind is Kind.POS else read_offsets(line, size)
    except FormatError as error:
        return _named(error, source, number)
    return _Written(
        moves=tuple(point for point, _ in marked),
        texts=tuple(text for _, text in marked),
        places=(f"{source}:{number}",) * len(marked),
    )


def _read_psq(text: str, source: str, size: int) -> _Written | OpeningError:
    """Reads a game or a position, all moves of which are the opening."""
    try:
        game = read_psq(text)
    except FormatError as error:
        return _named(error, source)
    if game.size != size:
        problem = f"a board of {game.size}x{game.size}: expected {size}x{size}"
        return OpeningError(problem, line=1, source=source)
    if not game.moves:
        return OpeningError("no move follows this line", line=1, source=source)
    return _Written(
        moves=tuple(move.point for move in game.moves),
        texts=tuple(f"{move.point[0] + 1},{move.point[1] + 1}" for move in game.moves),
        places=tuple(f"{source}:{move.line}" for move in game.moves),
    )


def _read_sgf(text: str, source: str, size: int) -> Iterator[_Written | OpeningError]:
    """Yields the main line of each game, all moves of which are the opening."""
    try:
        roots = read_sgf(text)
    except FormatError as error:
        yield _named(error, source)
        return
    for root in roots:
        try:
            yield _sgf_opening(root, source, size)
        except FormatError as error:
            yield _named(error, source, root.line)


def _sgf_opening(root: SgfNode, source: str, size: int) -> _Written:
    record = from_sgf_node(root)
    place = f"{source}:{root.line}"
    if record.size != size:
        problem = f"a board of {record.size}x{record.size}: expected {size}x{size}"
        raise FormatError(problem)
    if record.setup != EMPTY_BOARD:
        raise FormatError(
            "the game has setup stones: expected moves from the empty board, Black first"
        )
    moves = (*record.opening, *(move.point for move in record.moves))
    if not moves:
        raise FormatError("a game without a move: expected an opening")
    return _Written(moves, tuple(name_of(move) for move in moves), (place,) * len(moves))


# Checking by the referee


def _judge_all(found: Iterable[_Written | OpeningError], size: int, rule: Rule) -> Report:
    """Returns the report on the openings of a file."""
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
    """Returns the position after an opening; raises OpeningError if the referee refuses it."""
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
            f"game of {_title(rule, size)}: expected an opening that does not end the game"
        )
    return position


# The shipped sets


def shipped_folder() -> "resources.abc.Traversable":
    """Returns the folder of the shipped sets."""
    return resources.files(__package__) / "data"


def shipped_name(rule: Rule, size: int) -> str:
    """Returns the file name of a set."""
    return f"{_word(rule)}_{size}.txt"


def _word(rule: Rule) -> str:
    return rule.name.lower()


def _title(rule: Rule, size: int) -> str:
    return f"{_word(rule)} {size}x{size}"
