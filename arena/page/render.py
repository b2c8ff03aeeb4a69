"""Puts the page together: the templates of this folder, filled with a tournament."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from ..game.record import GameRecord
from ..stats.standings import Table
from ..util.paths import replace_text
from .charts import cross_table, rating_bars, standings_table
from .games import game_card
from .modules import board_style, import_map
from .templates import render, text_of

__all__ = ["Report", "framed", "page_style", "render_page", "write_page"]


@dataclass(frozen=True)
class Report:
    """Holds what a page tells: `facts` are pairs of a label and a value, shown at the top.

    `files` are the addresses of each game's files, relative to the page, in the records' order;
    none at all is a page without links.
    """

    title: str
    table: Table
    records: tuple[GameRecord, ...]
    facts: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, ...], ...] = ()


def write_page(path: Path, report: Report) -> None:
    """Writes the page; an older file is replaced at once, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, render_page(report))


def render_page(report: Report) -> str:
    """Returns the page as HTML that loads nothing from outside itself."""
    numbers = _numbers(report)
    records = report.records
    files = report.files or ((),) * len(records)
    return render(
        __package__,
        "page.html",
        **framed("games.js", page_style()),
        title=report.title,
        facts=(*report.facts, *_counted(records)),
        scale=_scale(report.table),
        bars=rating_bars(report.table),
        standings=standings_table(report.table),
        cross=cross_table(report.table, numbers),
        players=numbers,
        games=(
            game_card(i, record, numbers, links)
            for i, (record, links) in enumerate(zip(records, files, strict=True), 1)
        ),
    )


def framed(entry: str, style: str) -> dict[str, object]:
    """Returns what base.html needs besides title and facts: a script of the board, and a style."""
    return {"entry": entry, "style": Markup(style), "modules": Markup(import_map(entry))}


def page_style() -> str:
    """Returns the style of the board and of all pages."""
    return board_style() + text_of(__package__, "style.css")


def _numbers(report: Report) -> dict[str, int]:
    """Returns a number for each player: those of the table in its order, then any others."""
    names = [row.name for row in report.table.rows]
    names += [player.name for r in report.records for player in (r.black, r.white)]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _scale(table: Table) -> str:
    """Returns the sentence that says what the ratings are counted from."""
    anchors = [f"{row.name} = {row.rating.elo:g}" for row in table.rows if row.rating.anchored]
    zero = f"on the scale of {', '.join(anchors)}" if anchors else "0 is the mean of all"
    return f"Elo with 95\u00a0% intervals; {zero}"


def _counted(records: Sequence[GameRecord]) -> list[tuple[str, str]]:
    """Returns what is to be counted over all games."""
    if not records:
        return [("games", "0")]
    winners = Counter(record.winner for record in records)
    black = (winners["black"] + winners[None] / 2) / len(records)
    length = sum(len(record.opening) + len(record.moves) for record in records) / len(records)
    ends = Counter(record.reason.value.replace("_", " ") for record in records)
    return [
        ("games", str(len(records))),
        ("Black scored", f"{black:.1%}"),
        ("drawn", str(winners[None])),
        ("forfeits", str(sum(record.is_forfeit for record in records))),
        ("moves a game", f"{length:.1f}"),
        ("ended by", ", ".join(f"{reason} {count}" for reason, count in ends.most_common())),
    ]
