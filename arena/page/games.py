"""The games on the page: a card for each, with its board and all that a click-through needs."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from records.squares import renju_name_of

from ..game.record import GameRecord
from ..rules.referee import Color, Rule
from .evaluations import evaluation_graph
from .replay import Step, captures_of, steps_of, winning_line
from .templates import render

__all__ = ["game_card", "move_data"]


def game_card(
    number: int, record: GameRecord, numbers: Mapping[str, int], files: Sequence[str] = ()
) -> Markup:
    """Returns the card of a game; `numbers` are those of the players on this page.

    `files` are addresses of the game's files, relative to the page.

    The board's script draws the position; a browser without JavaScript shows the moves as text.
    """
    steps = steps_of(record)
    rule = Rule(record.rule)
    taken = captures_of(rule, steps)
    return render(
        __package__,
        "card.html",
        number=number,
        record=record,
        sides=[_side(record, color, numbers) for color in Color],
        moves=[renju_name_of(step.point, record.size) for step in steps],
        captures=[(color.value, taken[color]) for color in Color] if rule.has_captures else [],
        rule=rule,
        files=files,
        graph=evaluation_graph(record),
        data=_data(record, steps),
    )


def _side(record: GameRecord, color: Color, numbers: Mapping[str, int]) -> dict[str, object]:
    name = record.player(color).name
    points = "½" if record.winner is None else "1" if record.winner == color.value else "0"
    return {"color": color.value, "name": name, "number": numbers[name], "points": points}


def _data(record: GameRecord, steps: list[Step]) -> dict[str, object]:
    """Returns what games.js draws the game from."""
    return {
        "size": record.size,
        "moves": [_move(step) for step in steps],
        "five": winning_line(record, steps),
        "captureSize": Rule(record.rule).captured_stones(1),
    }


def move_data(step: Step) -> list[object]:
    """Returns square, colour and captured stones of a step, as the board's viewer takes them."""
    return [*step.point, int(step.color is Color.WHITE), step.captured]


def _move(step: Step) -> list[object]:
    values = move_data(step)
    if step.move is not None:
        move = step.move
        values += [round(move.ms), move.depth, move.score, move.nodes]
    return values
