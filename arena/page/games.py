"""The games on the page: a card for each, with its board and all that a click-through needs."""

import json
from collections.abc import Mapping

from ..game.record import GameRecord
from ..rules.board_view import name_of, star_points
from ..rules.referee import Color, Point, Rule
from .replay import Step, final_stones, pairs_taken, steps_of, winning_line
from .text import escape

__all__ = ["game_card", "grid_definition"]

# The viewer in viewer.js draws with the same measures.
CELL = 24
EDGE = 32
RADIUS = 11


def grid_definition(size: int) -> str:
    """Returns the empty board of a size, which all boards of that size share."""
    low, high = EDGE, EDGE + CELL * (size - 1)
    lines = "".join(
        f"M{low} {EDGE + CELL * i}H{high}M{EDGE + CELL * i} {low}V{high}" for i in range(size)
    )
    stars = "".join(
        f'<circle class="star" cx="{_at(x)}" cy="{_at(y)}" r="3"/>'
        for x, y in sorted(star_points(size))
    )
    far = high + EDGE - 10
    labels = ""
    for i in range(size):
        column, row, at = name_of((i, 0))[0], i + 1, _at(i)
        labels += _label(at, 13, column) + _label(at, far + 4, column)
        labels += _label(10, at + 4, row) + _label(far, at + 4, row)
    return (
        f'<g id="grid-{size}"><rect class="wood" width="{_side(size)}" height="{_side(size)}" '
        f'rx="8"/><path class="lines" d="{lines}"/>{stars}{labels}</g>'
    )


def _label(x: int, y: int, text: object) -> str:
    return f'<text class="coordinate" x="{x}" y="{y}">{text}</text>'


def _at(index: int) -> int:
    return EDGE + CELL * index


def _side(size: int) -> int:
    return 2 * EDGE + CELL * (size - 1)


def game_card(number: int, record: GameRecord, numbers: Mapping[str, int]) -> str:
    """Returns the card of a game; `numbers` are those of the players on this page.

    The board shows the final position, so that it says something without JavaScript too.
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
        f'<div class="body"><figure>{_board(record, steps)}</figure>'
        f'<div class="side">{_pairs(record, steps)}'
        f'<p class="detail">{escape(record.summary())}</p>{_manners(record)}</div>'
        f'<script type="application/json">{_data(record, steps)}</script></div></details>'
    )


def _player(record: GameRecord, color: Color, name: str) -> str:
    points = "½" if record.winner is None else "1" if record.winner == color.value else "0"
    won = " winner" if points == "1" else ""
    return (
        f'<span class="player {color.value}{won}"><i class="dot {color.value}"></i>'
        f'<span class="name" title="{escape(name)}">{escape(name)}</span><b>{points}</b></span>'
    )


def _how(record: GameRecord) -> str:
    words = record.reason.value.replace("_", " ")
    return f"forfeit: {words}" if record.is_forfeit else words


def _pairs(record: GameRecord, steps: list[Step]) -> str:
    if record.rule != Rule.NINUKI:
        return ""
    taken = pairs_taken(steps)
    parts = [f'<b data-pairs="{color.value}">{taken[color]}</b> {color.value}' for color in Color]
    return f'<p class="pairs">captured pairs: {", ".join(parts)}</p>'


def _manners(record: GameRecord) -> str:
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


def _board(record: GameRecord, steps: list[Step]) -> str:
    side = _side(record.size)
    stones = "".join(_stone(point, color) for point, color in final_stones(steps).items())
    marks = ""
    if steps:
        x, y = steps[-1].point
        marks = f'<circle class="last {steps[-1].color.value}" cx="{_at(x)}" cy="{_at(y)}" r="4"/>'
    marks += "".join(
        f'<circle class="five" cx="{_at(x)}" cy="{_at(y)}" r="{RADIUS}"/>'
        for x, y in winning_line(record, steps)
    )
    return (
        f'<svg class="board" viewBox="0 0 {side} {side}" role="img" '
        f'aria-label="The board after move {len(steps)}"><use href="#grid-{record.size}"/>'
        f'<g class="stones">{stones}</g><g class="marks">{marks}</g></svg>'
    )


def _stone(point: Point, color: Color) -> str:
    x, y = point
    return f'<circle class="{color.value}" cx="{_at(x)}" cy="{_at(y)}" r="{RADIUS}"/>'


def _data(record: GameRecord, steps: list[Step]) -> str:
    """Returns the game as JSON for the viewer, with nothing that could end the script element."""
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
