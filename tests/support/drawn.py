"""Positions of the referee, drawn as text."""

from arena.rules.referee import Color, Outcome, Point, Position, Reason, Rule, Status

BLACK, WHITE = Color.BLACK, Color.WHITE


def drawn(
    rule: Rule,
    rows: list[str],
    *,
    size: int = 15,
    at: Point = (0, 0),
    to_move: Color = BLACK,
    captures: tuple[int, int] = (0, 0),
) -> tuple[Position, Point]:
    """Returns a position drawn with B, W, N (neutral), and the square of the `*` in it."""
    squares: dict[str, list[Point]] = {letter: [] for letter in "BWN*."}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            squares[letter].append((at[0] + x, at[1] + y))
    position = Position(size=size, rule=rule)
    position.set_position(
        black=squares["B"],
        white=squares["W"],
        neutral=squares["N"],
        to_move=to_move,
        captures=captures,
    )
    return position, (squares["*"] or [(-1, -1)])[0]


def wins(rule: Rule, rows: list[str], *, at: Point = (3, 7), to_move: Color = BLACK) -> bool:
    """Says whether the drawn move wins by a line."""
    position, move = drawn(rule, rows, at=at, to_move=to_move)
    outcome = position.play(move)
    if outcome.status is Status.WIN:
        assert (outcome.winner, outcome.reason) == (to_move, Reason.FIVE)
        return True
    assert outcome == Outcome([], Status.ONGOING, None, None)
    return False
