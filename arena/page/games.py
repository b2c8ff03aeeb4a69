"""The games on the page: a card for each, with its board and all that a click-through needs."""

import json
from collections.abc import Mapping, Sequence

from records.squares import renju_name_of

from ..game.record import GameRecord
from ..rules.referee import Color, Rule
from .evaluations import evaluation_graph
from .replay import Step, pairs_taken, steps_of, winning_line
from .text import escape

__all__ = ["game_card"]


def game_card(
    number: int, record: GameRecord, numbers: Mapping[str, int], files: Sequence[str] = ()
) -> str:
    """Returns the card of a game; `numbers` are those of the players on this page.

    `files` are addresses of the game's files, relative to the page.

    The board's script draws the position; a browser without JavaScript shows the moves as text.
    """
    steps = steps_of(record)
    names = {color: record.player(color).name for color in Color}
    players = "".join(_player(record, color, names[color]) for color in Color)
    data = "".join(f' data-{color.value}="{numbers[names[color]]}"' for color in Color)
    forfeit = ' data-forfeit="1"' if record.is_forfeit else ""
    return (
        f'<details class="game" id="g{number}"{data}{forfeit}>'
        f'<summary><span class="no">{number}</span>{players}'
        f'<span class="how{" fault" if forfeit else ""}">{escape(_how(record))}</span>'
        f'<span class="count">{len(steps)} moves</span></summary>'
        f'<div class="body"><figure><noscript><p>{_plain(record, steps)}</p></noscript></figure>'
        f'<div class="side">{_pairs(record, steps)}'
        f'<p class="detail">{escape(record.summary())}</p>{_openings(record)}{_behaviour(record)}'
        f"{_links(files)}{evaluation_graph(record)}</div>"
        f'<script type="application/json">{_data(record, steps)}</script></div></details>'
    )


def _player(record: GameRecord, color: Color, name: str) -> str:
    points = "½" if record.winner is None else "1" if record.winner == color.value else "0"
    won = " winner" if points == "1" else ""
    return (
        f'<span class="player {color.value}{won}"><i class="disc {color.value}"></i>'
        f'<span class="name" title="{escape(name)}">{escape(name)}</span><b>{points}</b></span>'
    )


def _how(record: GameRecord) -> str:
    words = record.reason.value.replace("_", " ")
    return f"forfeit: {words}" if record.is_forfeit else words


def _pairs(record: GameRecord, steps: list[Step]) -> str:
    if not Rule(record.rule).has_captures:
        return ""
    taken = pairs_taken(steps)
    parts = [f'<b data-pairs="{color.value}">{taken[color]}</b> {color.value}' for color in Color]
    return f'<p class="pairs">captured pairs: {", ".join(parts)}</p>'


def _openings(record: GameRecord) -> str:
    """Returns the choices of the players in the opening, where they made it by a rule."""
    if not record.opening_rule:
        return ""
    choices = "; ".join(record.opening_log)
    return f'<p class="note">opening by {escape(record.opening_rule)}: {escape(choices)}</p>'


def _links(files: Sequence[str]) -> str:
    """Returns links to the files of the game, named by their endings."""
    links = [
        f'<a href="{escape(file)}" download>.{escape(file.rpartition(".")[2])}</a>'
        for file in files
    ]
    return f'<p class="files">files: {" ".join(links)}</p>' if links else ""


def _behaviour(record: GameRecord) -> str:
    """Returns the notes on the players and the last lines of one that forfeited."""
    parts = [
        f'<p class="note">{escape(player.name)}: {escape(note)}</p>'
        for player in (record.black, record.white)
        for note in player.notes
    ]
    if record.lines:
        lines = "\n".join(escape(line) for line in record.lines)
        parts.append(f'<p class="note">its last lines (&gt; to it, &lt; from it):</p><pre>{lines}')
        parts.append("</pre>")
    return "".join(parts)


def _plain(record: GameRecord, steps: list[Step]) -> str:
    """Returns the moves as text, rows counted from the bottom as the board counts them."""
    return " ".join(renju_name_of(step.point, record.size) for step in steps)


def _data(record: GameRecord, steps: list[Step]) -> str:
    """Returns the game as JSON for games.js, with nothing that could end the script element."""
    values = {
        "size": record.size,
        "moves": [_move(step) for step in steps],
        "five": winning_line(record, steps),
    }
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c")


def _move(step: Step) -> list[object]:
    values: list[object] = [*step.point, int(step.color is Color.WHITE), step.captured]
    if step.move is not None:
        move = step.move
        values += [round(move.ms), move.depth, move.score, move.nodes]
    return values
