"""The board of a game after each move: stones, captures and the winning line."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..game.record import EndReason, GameRecord, MoveRecord
from ..rules.grid import DIRECTIONS, shifted
from ..rules.referee import Color, Point, Rule

__all__ = ["Step", "captures_of", "final_stones", "steps_of", "winning_line"]


@dataclass(frozen=True)
class Step:
    """Holds one stone put down, by the opening or by a player, and the stones that it took."""

    point: Point
    color: Color
    captured: tuple[Point, ...] = ()
    move: MoveRecord | None = None
    """The report of the move; None in the opening."""


def steps_of(record: GameRecord) -> list[Step]:
    """Returns the whole game in order; the captures of played moves are those of the record.

    Stones that a file sets up come first, as if they were played.
    """
    position = record.start()
    steps = [Step(point, color) for point, color in sorted(position.stones.items())]
    for point in record.opening:
        color = position.to_move
        # The record lists no captures of the opening, so the referee plays it again.
        taken = position.play(point).captured
        steps.append(Step(point, color, tuple(taken)))
    for move in record.moves:
        steps.append(Step(move.point, Color(move.color), move.captured, move))
    return steps


def final_stones(steps: Iterable[Step]) -> dict[Point, Color]:
    """Returns the stones that stand after the last step."""
    stones: dict[Point, Color] = {}
    for step in steps:
        stones[step.point] = step.color
        for point in step.captured:
            stones.pop(point, None)
    return stones


def captures_of(rule: Rule, steps: Iterable[Step]) -> dict[Color, int]:
    """Returns the captures of each side in the rule's count."""
    stones = dict.fromkeys(Color, 0)
    for step in steps:
        stones[step.color] += len(step.captured)
    return {color: rule.count_captured(count) for color, count in stones.items()}


def winning_line(record: GameRecord, steps: list[Step]) -> list[Point]:
    """Returns the stones of the five (or more) that won, sorted; none where no five did."""
    if record.winner is None or not steps:
        return []
    winner = Color(record.winner)
    stones = final_stones(steps)
    if record.reason is EndReason.FIVE:
        starts = [steps[-1].point]
    elif record.reason is EndReason.FIVE_NOT_BROKEN:
        starts = [point for point, color in stones.items() if color is winner]
    else:
        return []
    line: set[Point] = set()
    for start in starts:
        for direction in DIRECTIONS:
            run = _run(stones, start, direction, winner)
            if len(run) >= 5:
                line.update(run)
    return sorted(line)


def _run(
    stones: dict[Point, Color], start: Point, direction: tuple[int, int], color: Color
) -> list[Point]:
    """Returns the unbroken stones of a colour through a square along one direction."""
    if stones.get(start) is not color:
        return []
    run = [start]
    for sign in (1, -1):
        distance = sign
        while stones.get(point := shifted(start, direction, distance)) is color:
            run.append(point)
            distance += sign
    return run
