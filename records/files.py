"""Reads and writes game files of any format as trees, for scripts.

The content decides the format; if it cannot, the suffix does.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

from records.errors import FormatError
from records.moves import read_moves, write_moves
from records.openings import read_offsets, read_pos
from records.psq import PsqGame, PsqMove, is_psq, read_psq, winner_by_result, write_psq
from records.renlib import is_renlib, read_renlib, write_renlib
from records.rules import rule_name, rule_named
from records.sgf import is_sgf, read_sgf, write_sgf
from records.squares import PASS, Point, shown_square
from records.text import decode, read_bytes, replace_bytes
from records.tree import BLACK, WHITE, GameTree, Node, from_sgf, to_sgf

__all__ = ["WRITTEN", "load", "save", "trees_of"]

WRITTEN = (".sgf", ".psq", ".txt", ".lib")
"""The suffixes that `save` accepts."""

_RESULTS: dict[str | None, str] = {BLACK: "B+", WHITE: "W+"}
_OFFSETS = re.compile(r"\s*[+-]?\d{1,3}\s*,\s*[+-]?\d{1,3}\s*(?:,\s*[+-]?\d{1,3}\s*)*,?\s*")
_POS = re.compile(r"\s*(?:[a-z][0-9]{1,2}){2,}\s*")


def load(path: Path | str, *, size: int = 15) -> list[GameTree]:
    """Returns the games of a file; raises FormatError with file and line.

    `size` is the board size if the file names none: for moves as text, and lines of openings.
    """
    try:
        return trees_of(read_bytes(path), Path(path).name, size=size)
    except FormatError as error:
        raise error.within(str(path)) from None


def trees_of(data: bytes, name: str = "", *, size: int = 15) -> list[GameTree]:
    """Returns the games of a file's bytes; raises FormatError if there is none."""
    suffix = Path(name).suffix.lower()
    if is_renlib(data) or suffix == ".lib":
        return [read_renlib(data)]
    text = decode(data)
    if not text.strip():
        raise FormatError("is empty: expected a game: .sgf, .psq, .lib or h8 i9 j7")
    if is_psq(text) or suffix == ".psq":
        return [_from_psq(read_psq(text), name)]
    if text.lstrip().startswith("{"):
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        return [_from_json(line, number) for number, line in lines]
    if is_sgf(text) or suffix == ".sgf":
        return [from_sgf(root) for root in read_sgf(text)]
    return _from_lines(text, size)


def _line_of(moves: list[tuple[Point, int]], size: int) -> GameTree:
    """Returns a tree of one line of moves, each with its line in the file."""
    tree = GameTree(size=size)
    node = tree.root
    for move, line in moves:
        if not all(0 <= value < size for value in move):
            raise FormatError(
                f"{shown_square(move, size)}: off the board of size {size}", line=line
            )
        node = node.add(move)
        node.line = line
    return tree


def _from_psq(game: PsqGame, name: str) -> GameTree:
    """Returns the tree of a .psq file. Detecting a five on the board needs the rules."""
    tree = _line_of([(move.point, move.line) for move in game.moves], game.size)
    tree.rule = rule_named(game.league)
    tree.black, tree.white = game.players or ("", "")
    for node, move in zip(tree.root.main_line(), game.moves, strict=True):
        node.properties["MS"] = [str(move.ms)]
    winner, _ = winner_by_result(game, name)
    tree.result = "0" if game.result == 0 else _RESULTS.get(winner, "")
    return tree


def _from_json(line: str, number: int) -> GameTree:
    """Reads a game of the arena's games.jsonl."""
    try:
        values = json.loads(line)
        values = values.get("record", values)
        moves = [(int(x), int(y)) for x, y in values["opening"]]
        moves += [(int(move["x"]), int(move["y"])) for move in values["moves"]]
        tree = _line_of([(move, number) for move in moves], int(values["size"]))
        tree.rule = rule_named(str(values["rule"]))
        tree.black, tree.white = str(values["black"]["name"]), str(values["white"]["name"])
        if setup := values.get("setup"):
            tree.set_up_black = tuple((int(x), int(y)) for x, y in setup["black"])
            tree.set_up_white = tuple((int(x), int(y)) for x, y in setup["white"])
            tree.first = WHITE if setup["first"] == WHITE else BLACK
        won = _RESULTS.get(values.get("winner"))
        tree.result = won or ("?" if values.get("reason") == "unknown" else "0")
    except FormatError:
        raise
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        OverflowError,  # a number such as 1e999
        RecursionError,
    ) as error:
        raise FormatError(f"no game record of the arena: {error!r}", line=number) from None
    return tree


def _from_lines(text: str, size: int) -> list[GameTree]:
    """Reads moves as text, or opening files: one game, or one a line."""
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    openings = _OFFSETS if _is_offsets(lines) else _POS
    if not all(openings.fullmatch(line) for _, line in lines):
        return [_line_of(read_moves(text, size), size)]
    trees = []
    for number, line in lines:
        try:
            read = read_offsets(line, size) if openings is _OFFSETS else read_pos(line)
        except FormatError as error:
            raise FormatError(error.problem, line=number) from None
        trees.append(_line_of([(point, number) for point, _ in read], size))
    return trees


def _is_offsets(lines: list[tuple[int, str]]) -> bool:
    """Says whether lines are offsets from the centre; moves are never negative, two a line."""
    return all(_OFFSETS.fullmatch(line) for _, line in lines) and any(
        "-" in line or line.count(",") > 1 for _, line in lines
    )


def save(tree: GameTree, path: Path | str) -> None:
    """Writes a game in the format of the suffix. Raises FormatError and OSError.

    After an error the old file is unchanged.

    .sgf holds a whole tree, .lib all but names and result. .psq and .txt hold one line of moves. A
    tree with variations or comments is refused there, because they would be lost.
    """
    suffix = Path(path).suffix.lower()
    try:
        if suffix == ".sgf":
            data = write_sgf([to_sgf(tree)]).encode()
        elif suffix == ".lib":
            data = write_renlib(tree)
        elif suffix == ".psq":
            data = _psq_text(tree).encode()
        elif suffix == ".txt":
            _refuse_tree(tree, ".txt")
            data = write_moves(tree.moves, tree.size).encode()
        else:
            raise FormatError(f"expected a name in {', '.join(WRITTEN)}")
    except FormatError as error:
        raise error.within(str(path)) from None
    replace_bytes(Path(path), data)


def _psq_text(tree: GameTree) -> str:
    _refuse_tree(tree, ".psq")
    told = [
        (node.move, _milliseconds(node)) for node in tree.root.main_line() if node.move is not None
    ]
    opening = next((ply for ply, (_, ms) in enumerate(told) if ms > 0), len(told))
    # A later move of 0 ms would make the result ambiguous.
    moves = tuple(
        PsqMove(point, ms if ply < opening else max(1, ms)) for ply, (point, ms) in enumerate(told)
    )
    names = (tree.black, tree.white) if tree.black or tree.white else None
    league = "" if tree.rule is None else rule_name(tree.rule)
    game = PsqGame(tree.size, moves, names, league=league)
    result = tree.result.strip().upper()
    if result in ("0", "DRAW"):
        game = replace(game, result=0)
    elif result[:2] in ("B+", "W+"):
        winner = BLACK if result[0] == "B" else WHITE
        digits = (replace(game, result=digit) for digit in (1, 2))
        game = next(told for told in digits if winner_by_result(told)[0] == winner)
    return write_psq(game)


def _milliseconds(node: Node) -> int:
    """Returns a move's time; 1 if unknown, because 0 marks a move of the opening."""
    told = node.properties.get("MS", ["1"])[0]
    return int(told) if told.isascii() and told.isdigit() and len(told) <= 12 else 1


def _refuse_tree(tree: GameTree, kind: str) -> None:
    nodes = [node for _, node in tree.walk()]
    if tree.has_setup:
        raise FormatError(f"a {kind} file cannot hold set-up stones: save it as .sgf")
    if not tree.is_one_line or any(node.comment for node in nodes):
        raise FormatError(f"a {kind} file cannot hold variations or comments: save it as .sgf")
    if any(node.move == PASS for node in nodes):
        raise FormatError(f"a {kind} file cannot hold a pass: save it as .sgf")
