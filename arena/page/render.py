"""Puts the page together: the templates of this folder, filled with a tournament."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from ..game.record import GameRecord
from ..stats.standings import Table
from ..util.paths import replace_text
from .charts import cross_table, rating_bars, standings_table
from .games import game_card
from .modules import board_style, import_map
from .text import escape

__all__ = ["Report", "render_page", "write_page"]


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
    return _template("page.html").substitute(
        title=escape(report.title),
        style=board_style() + _text("style.css"),
        modules=import_map(),
        facts=_facts((*report.facts, *_counted(records))),
        scale=escape(_scale(report.table)),
        bars=rating_bars(report.table),
        standings=standings_table(report.table),
        cross=cross_table(report.table, numbers),
        options="".join(
            f'<option value="{number}">{escape(name)}</option>' for name, number in numbers.items()
        ),
        games="".join(
            game_card(i, record, numbers, links)
            for i, (record, links) in enumerate(zip(records, files, strict=True), 1)
        ),
    )


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


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    return "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts)


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


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _template(name: str) -> Template:
    return Template(_text(name))
