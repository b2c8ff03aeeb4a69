"""The kind of a winning line: fours only, or fours and threes. Only the referee decides it."""

from collections.abc import Iterator, Mapping, Sequence

from ..rules.referee import Color, Point, Position, RefereeError, Rule

__all__ = ["kind_of_win"]

_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
_REACH = 5


def kind_of_win(position: Position, line: Sequence[Point]) -> str:
    """Returns "vcf", "vct", or "" for a line that wins otherwise, or that is no whole win.

    The line begins with the side to move. In a VCF each of its moves threatens to win at once; in
    a VCT each one does that, or threatens to make a four that wins on two squares. Under rules
    with captures, which defend, the answer is "".
    """
    if position.rule.has_captures:
        return ""
    attacker = position.to_move
    trial = _copy(position.size, position.rule, position.stones, attacker)
    threes = False
    for index, move in enumerate(line):
        try:
            trial.play(move)
        except RefereeError:
            return ""
        if trial.is_over:
            won = trial.winner is attacker
            return ("vct" if threes else "vcf") if won else ""
        if index % 2 == 1 or _wins(trial, attacker, move):
            continue
        if not _makes_three(trial, attacker, move):
            return ""
        threes = True
    return ""


def _copy(size: int, rule: Rule, stones: Mapping[Point, Color], to_move: Color) -> Position:
    position = Position(size=size, rule=rule)
    sides = {color: [p for p, stone in stones.items() if stone is color] for color in Color}
    position.set_position(
        black=sides[Color.BLACK], white=sides[Color.WHITE], captures=(0, 0), to_move=to_move
    )
    return position


def _near(position: Position, point: Point) -> Iterator[Point]:
    """Yields the empty squares that a line of five with a square can hold."""
    stones = position.stones
    for dx, dy in _STEPS:
        for distance in (*range(-_REACH, 0), *range(1, _REACH + 1)):
            x, y = point[0] + dx * distance, point[1] + dy * distance
            if 0 <= x < position.size and 0 <= y < position.size and (x, y) not in stones:
                yield (x, y)


def _wins(position: Position, color: Color, around: Point) -> set[Point]:
    """Returns the squares in line with a stone on which a side would win at once."""
    trial = _copy(position.size, position.rule, position.stones, color)
    found = set()
    for point in _near(position, around):
        try:
            trial.play(point)
        except RefereeError:
            continue
        if trial.winner is color:
            found.add(point)
        trial.undo()
    return found


def _makes_three(position: Position, color: Color, around: Point) -> bool:
    """Says whether a side threatens a four that wins on two squares."""
    stones = position.stones
    for point in set(_near(position, around)):
        trial = _copy(position.size, position.rule, stones, color)
        try:
            trial.play(point)
        except RefereeError:
            continue
        if not trial.is_over and len(_wins(trial, color, point)) > 1:
            return True
    return False
