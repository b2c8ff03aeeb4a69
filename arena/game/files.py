"""Reads games from files of any format, for every command that takes a game."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from records.errors import FormatError
from records.psq import is_psq
from records.renlib import is_renlib, read_renlib
from records.sgf import SgfNode, is_sgf, read_sgf
from records.text import decode, read_bytes

from ..rules.referee import Rule
from .formats import from_moves, from_psq
from .record import GameRecord
from .sgf_games import from_sgf_node
from .tree_games import from_tree

__all__ = ["FORMATS", "game_at", "games_of", "load_games"]

FORMATS = ".psq, .sgf, .lib, games.jsonl of a match, or moves as text (h8 i9 j7)"

GameReader = Callable[[], GameRecord]


def load_games(path: Path | str, *, rule: Rule | None = None, size: int = 15) -> list[GameRecord]:
    """Returns the games of a file; raises FormatError with the file and the line.

    The content decides the format; if it cannot, the file name does. `rule` applies if the file
    names no rule, `size` to moves as text.
    """
    try:
        return [read() for read in _readers(path, rule, size)]
    except FormatError as error:
        raise error.within(str(path)) from None


def game_at(
    path: Path | str, number: int = 1, *, rule: Rule | None = None, size: int = 15
) -> GameRecord:
    """Returns one game of a file, counted from 1; raises FormatError.

    If the file has more games, a note in the record says so.
    """
    try:
        readers = _readers(path, rule, size)
        if not 1 <= number <= len(readers):
            count = f"{len(readers)} game{'' if len(readers) == 1 else 's'}"
            raise FormatError(f"has {count}: there is no game {number}")
        record = readers[number - 1]()
    except FormatError as error:
        raise error.within(str(path)) from None
    if len(readers) == 1:
        return record
    note = f"the file has {len(readers)} games; this is game {number}"
    return replace(record, notes=(*record.notes, note))


def _readers(path: Path | str, rule: Rule | None, size: int) -> list[GameReader]:
    data, name = read_bytes(path), Path(path).name
    if is_renlib(data) or name.lower().endswith(".lib"):
        tree = read_renlib(data)
        return [lambda: from_tree(tree, rule)]
    return games_of(decode(data), name, rule, size)


def games_of(text: str, name: str, rule: Rule | None, size: int) -> list[GameReader]:
    """Returns a reader for each game of a text; raises FormatError if there is none."""
    if not text.strip():
        raise FormatError(f"is empty: expected a game, as {FORMATS}")
    suffix = Path(name).suffix.lower()
    if is_psq(text) or suffix == ".psq":
        return [lambda: from_psq(text, rule=rule, name=name)]
    if text.lstrip().startswith("{"):
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        return [_json_reader(line, number) for number, line in lines]
    if is_sgf(text) or suffix == ".sgf":
        return [_sgf_reader(root, rule) for root in read_sgf(text)]
    return [lambda: from_moves(text, size=size, rule=rule)]


def _sgf_reader(root: SgfNode, rule: Rule | None) -> GameReader:
    return lambda: from_sgf_node(root, rule=rule)


def _json_reader(line: str, number: int) -> GameReader:
    return lambda: _from_json(line, number)


def _from_json(line: str, number: int) -> GameRecord:
    """Reads a record, or a line of a match's store that contains a record."""
    try:
        values = json.loads(line)
        if isinstance(values, dict) and "record" in values:
            values = values["record"]
        return GameRecord.from_json(json.dumps(values))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not a game record: {error}", line=number) from None
