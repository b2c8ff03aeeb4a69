"""Lists of games for rating programs and spreadsheets: PGN and CSV."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from records.rules import rule_name
from records.squares import renju_name_of

from ..rules.referee import Color
from .record import GameRecord

__all__ = ["CSV_FIELDS", "ListedGame", "to_csv", "to_pgn"]

CSV_FIELDS = (
    "game",
    "pair",
    "black",
    "white",
    "winner",
    "reason",
    "rule",
    "size",
    "opening_stones",
    "stones",
    "black_ms",
    "white_ms",
    "black_depth",
    "white_depth",
    "black_nodes",
    "white_nodes",
    "opening_rule",
    "moves",
    "detail",
)
_RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}


@dataclass(frozen=True)
class ListedGame:
    """Holds a game with its id and the number of its pair; empty and None if it has none."""

    record: GameRecord
    id: str = ""
    pair: int | None = None


def to_pgn(games: Iterable[ListedGame]) -> str:
    """Returns games in the form that Ordo and BayesElo read: tags, and the moves as a comment.

    White is the player of the white stones, as in chess, although Black moves first.
    """
    return "".join(_pgn_of(game) for game in games)


def _pgn_of(game: ListedGame) -> str:
    record = game.record
    result = "*" if record.is_unfinished else _RESULTS[record.winner]
    tags = {
        "Event": f"{rule_name(record.rule)} {record.size}x{record.size}",
        "Site": "?",
        "Date": "????.??.??",
        "Round": game.id or "?",
        "White": record.white.name,
        "Black": record.black.name,
        "Result": result,
        "Termination": record.reason.value,
    }
    lines = [f"[{tag} {_quoted(value)}]" for tag, value in tags.items()]
    moves = _moves_text(record).replace("}", ")")
    return "\n".join([*lines, "", f"{{{moves}}}", result, "", ""])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _moves_text(record: GameRecord) -> str:
    """Returns the moves, a1 at the bottom left, without the stones of a setup."""
    points = (*record.opening, *(move.point for move in record.moves))
    return " ".join(renju_name_of(point, record.size) for point in points)


def to_csv(games: Iterable[ListedGame]) -> str:
    """Returns a table with the field names in its first line and one line for each game."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_FIELDS)
    for game in games:
        writer.writerow(_csv_row(game))
    return out.getvalue()


def _csv_row(game: ListedGame) -> list[object]:
    record = game.record
    winner = record.winner or ("unknown" if record.is_unfinished else "draw")
    sums = {color: _sums(record, color) for color in Color}
    black, white = sums[Color.BLACK], sums[Color.WHITE]
    return [
        game.id,
        "" if game.pair is None else game.pair,
        record.black.name,
        record.white.name,
        winner,
        record.reason.value,
        rule_name(record.rule),
        record.size,
        len(record.opening),
        len(record.opening) + len(record.moves),
        *(value for pair in zip(black, white, strict=True) for value in pair),
        record.opening_rule,
        _moves_text(record),
        record.detail,
    ]


def _sums(record: GameRecord, color: Color) -> tuple[object, object, object]:
    """Returns a player's time in ms, average depth and nodes; empty if unknown."""
    own = [move for move in record.moves if move.color == color.value]
    depths = [move.depth for move in own if move.depth is not None]
    nodes = [move.nodes for move in own if move.nodes is not None]
    return (
        round(sum(move.ms for move in own)),
        f"{sum(depths) / len(depths):.2f}" if depths else "",
        sum(nodes) if nodes else "",
    )
