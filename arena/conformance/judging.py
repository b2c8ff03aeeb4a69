"""Scenarios of the rules: positions of the ZIP tester, forbidden moves, exact fives, caro."""

from collections.abc import Sequence

from ..rules.referee import Color, Point, Position, Rule
from .scenario import Collection, Options
from .talk import Stone, Talk, alternating
from .topics import Topic
from .verdicts import Oddity

__all__ = ["SCENARIOS"]

_all = Collection()
SCENARIOS = _all.scenarios

ZIP_TURN_MS = 1000
TURN_MS = 500


def _points(names: str) -> set[Point]:
    return {(x, y) for x, y, _ in alternating(names)}


def _zip(talk: Talk, rule: int, squares: str, good: str = "", bad: str = "") -> None:
    """Asks as GomocupJudge does; expects one of the good moves, or none of the bad ones."""
    talk.start(rule=rule, turn_ms=ZIP_TURN_MS)
    (x, y), _ = talk.move("INFO time_left 180000", *talk.board(alternating(squares)))
    if (good and (x, y) not in _points(good)) or (x, y) in _points(bad):
        wanted = f"one of {good}" if good else f"anything but {bad}"
        talk.found(Oddity.ZIP_MOVE, f"{chr(ord('a') + x)}{y + 1} ({x},{y}), not {wanted}")


@_all.add("zip-freestyle", "completes an open four", Topic.ZIP_TEST, "PGCL")
def _zip_freestyle(talk: Talk, options: Options) -> None:
    _zip(talk, 0, "h8h9i8i9j8j9k8k9", good="g8l8")


@_all.add("zip-standard", "blocks an open three", Topic.ZIP_TEST, "PGC")
def _zip_standard(talk: Talk, options: Options) -> None:
    _zip(talk, 1, "h8h9i8h10g8h11j13h12g14h14i15", good="f8j8")


@_all.add("zip-renju", "does not play a forbidden square", Topic.ZIP_TEST, "PGC")
def _zip_renju(talk: Talk, options: Options) -> None:
    _zip(talk, 4, "h8h9i7i9h10i6i11i12", bad="g9")


@_all.add("zip-caro", "a five between two stones does not win", Topic.ZIP_TEST, "PG")
def _zip_caro(talk: Talk, options: Options) -> None:
    _zip(talk, 8, "h8f8g8f9i8f7j8l8", good="f5f6f10f11")


def _judged(
    talk: Talk, rule: Rule, own: Sequence[Point], others: Sequence[Point], wins: bool = False
) -> None:
    """Asks for a move in a position; the referee judges it.

    The brain is Black if both sides have equally many stones. With `wins` the position has a
    winning move, which is expected.
    """
    talk.start(rule=rule.value, turn_ms=TURN_MS)
    move, _ = talk.move(*talk.board(_interleaved(own, others)))
    color = Color.BLACK if len(own) == len(others) else Color.WHITE
    position = Position(size=talk.size, rule=rule)
    black, white = (own, others) if color is Color.BLACK else (others, own)
    position.set_position(black=black, white=white, to_move=color)
    reason = position.why_forbidden(move)
    if reason is not None:
        talk.found(Oddity.FORBIDDEN, f"{move[0]},{move[1]}: {reason.value}")
    elif wins and position.play(move).winner is not color:
        talk.found(Oddity.MISSED_WIN, f"{move[0]},{move[1]} does not win")


def _interleaved(own: Sequence[Point], others: Sequence[Point]) -> list[Stone]:
    stones: list[Stone] = []
    for at, (x, y) in enumerate(others):
        if len(own) == len(others):
            stones.append((*own[at], 1))
        stones.append((x, y, 2))
        if len(own) < len(others) and at < len(own):
            stones.append((*own[at], 1))
    return stones


CORNERS = ((0, 0), (0, 14), (14, 0), (14, 14))


@_all.add(
    "renju-double-three", "a double three in the middle of two open pairs", Topic.RULES, "PGC"
)
def _double_three(talk: Talk, options: Options) -> None:
    _judged(talk, Rule.RENJU, [(6, 7), (8, 7), (7, 6), (7, 8)], CORNERS)


@_all.add("renju-double-four", "a double four of two closed threes", Topic.RULES, "PGC")
def _double_four(talk: Talk, options: Options) -> None:
    own = [(4, 7), (5, 7), (6, 7), (7, 4), (7, 5), (7, 6)]
    _judged(talk, Rule.RENJU, own, [(3, 7), (7, 3), *CORNERS])


@_all.add("renju-overline", "a six that would be a five elsewhere", Topic.RULES, "PGC")
def _overline(talk: Talk, options: Options) -> None:
    own = [(3, 7), (4, 7), (5, 7), (7, 7), (8, 7)]
    _judged(talk, Rule.RENJU, own, [(9, 9), *CORNERS])


@_all.add("renju-forced", "White's four whose only defence is forbidden", Topic.RULES, "PGC")
def _forced(talk: Talk, options: Options) -> None:
    """The game is lost, but the brain must still play a legal square, not a forbidden one."""
    own = [(6, 6), (8, 8), (6, 8), (8, 6), (2, 7)]
    _judged(talk, Rule.RENJU, own, [(3, 7), (4, 7), (5, 7), (6, 7), (0, 14)])


@_all.add("renju-five", "a five that is also a double four", Topic.RULES, "PGC")
def _five(talk: Talk, options: Options) -> None:
    row = [(3, 7), (4, 7), (5, 7), (6, 7)]
    own = [*row, (7, 4), (7, 5), (7, 6), (8, 8), (9, 9), (10, 10)]
    others = [(2, 7), (7, 3), (11, 11), (1, 1), (1, 13), (13, 1), *CORNERS]
    _judged(talk, Rule.RENJU, own, others, wins=True)


@_all.add("renju-white", "White wins with six", Topic.RULES, "PGC")
def _white(talk: Talk, options: Options) -> None:
    own = [(3, 7), (4, 7), (5, 7), (7, 7), (8, 7)]
    others = [(2, 7), (9, 7), *CORNERS]
    _judged(talk, Rule.RENJU, own, others, wins=True)


@_all.add("win-row", "a five in row 2: x is the column", Topic.RULES, "PGCL")
def _win_row(talk: Talk, options: Options) -> None:
    own = [(9, 2), (10, 2), (11, 2), (12, 2)]
    _judged(talk, Rule.FREESTYLE, own, [(8, 2), (3, 10), (5, 12), (9, 9)], wins=True)


@_all.add("standard-exact", "six do not win, five win", Topic.RULES, "PGC")
def _exact(talk: Talk, options: Options) -> None:
    own = [(3, 3), (4, 3), (5, 3), (7, 3), (8, 3), (11, 6), (11, 7), (11, 8), (11, 9)]
    others = [(2, 3), (9, 3), (11, 5), (4, 10), (6, 11), (2, 13), (13, 13), (8, 8), (1, 6)]
    _judged(talk, Rule.STANDARD, own, others, wins=True)


@_all.add("caro-closed", "rule 9: a five between two stones does not win", Topic.RULES, "PG")
def _closed(talk: Talk, options: Options) -> None:
    own = [(4, 7), (5, 7), (6, 7), (7, 7), (11, 2), (11, 3), (11, 4), (11, 5)]
    others = [(3, 7), (9, 7), (11, 1), (2, 2), (4, 12), (6, 10), (13, 12), (1, 9)]
    _judged(talk, Rule.CARO_STANDARD, own, others, wins=True)


@_all.add("caro-edge", "rule 9: the edge does not close a five", Topic.RULES, "PG")
def _edge(talk: Talk, options: Options) -> None:
    own = [(0, 7), (1, 7), (2, 7), (3, 7)]
    _judged(talk, Rule.CARO_STANDARD, own, [(5, 7), (8, 3), (10, 10), (7, 12)], wins=True)


@_all.add("caro-six", "rule 9: six do not win, five win", Topic.RULES, "PG")
def _six(talk: Talk, options: Options) -> None:
    own = [(3, 3), (4, 3), (5, 3), (7, 3), (8, 3), (11, 6), (11, 7), (11, 8), (11, 9)]
    others = [(2, 13), (13, 13), (11, 5), (4, 10), (6, 11), (9, 12), (8, 8), (1, 6), (0, 3)]
    _judged(talk, Rule.CARO_STANDARD, own, others, wins=True)


@_all.add("caro-8-six", "rule 8: six win, closed or not", Topic.RULES, "PG")
def _eight(talk: Talk, options: Options) -> None:
    own = [(3, 3), (4, 3), (5, 3), (7, 3), (8, 3)]
    others = [(2, 3), (9, 3), (8, 10), (4, 11), (12, 12)]
    _judged(talk, Rule.CARO, own, others, wins=True)
