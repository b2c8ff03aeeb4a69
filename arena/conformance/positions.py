"""Scenarios of positions: BEGIN, TURN, every form of BOARD, TAKEBACK, and bad lines."""

from ..rules.referee import Point
from .reading import Kind
from .scenario import Collection, Options
from .talk import LF, Stone, Talk, alternating
from .topics import Topic
from .verdicts import Oddity

__all__ = ["SCENARIOS", "crowd"]

_all = Collection()
SCENARIOS = _all.scenarios

OPENING = "h8i9j8g7h10i6"


@_all.add("begin", "BEGIN, and a move after it", Topic.COMMANDS, "PCL")
def _begin(talk: Talk, options: Options) -> None:
    talk.start()
    talk.move("BEGIN")
    talk.move(talk.turn())


@_all.add("begin-again", "BEGIN with stones on the board", Topic.COMMANDS, "")
def _begin_again(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move(talk.turn((7, 7)))
    talk.taken = set()
    talk.move("BEGIN")


@_all.add("turn-at-once", "TURN at the same time as the engine's move", Topic.PROCESS, "")
def _turn_at_once(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move(*talk.board(alternating(OPENING)))
    for _ in range(3):
        line = talk.turn()
        sent = talk.send_bytes((line + LF).encode())
        got = talk.answer(sent, 1.0)
        if got is None or got[1].move is None:
            said = "nothing" if got is None else got[0].text
            raise talk.give_up(Oddity.ODD_INPUT, f"{line} right behind a move: {said}")
        talk.taken.add(got[1].move)


@_all.add("turn", "TURN as the first command, and further moves", Topic.COMMANDS, "PGCL")
def _turn(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    for square in ((7, 7), (0, 0), (14, 0), (0, 14)):
        talk.move(talk.turn(square if square not in talk.taken else None))


@_all.add(
    "board-empty", "BOARD and DONE: GomocupJudge's BEGIN", Topic.COMMANDS, "G", line_end="\r\n"
)
def _board_empty(talk: Talk, options: Options) -> None:
    talk.start()
    talk.move("INFO time_left 60000", *talk.board([]))
    talk.move("INFO time_left 60000", talk.turn())


@_all.add("board-odd", "BOARD with one more stone of the opponent", Topic.COMMANDS, "PGC")
def _board_odd(talk: Talk, options: Options) -> None:
    talk.start()
    talk.move(*talk.board(alternating("h8i9j8")))
    talk.move(talk.turn())


@_all.add("board-even", "BOARD with equal numbers of stones", Topic.COMMANDS, "PGC")
def _board_even(talk: Talk, options: Options) -> None:
    talk.start()
    talk.move(*talk.board(alternating(OPENING)))
    talk.move(talk.turn())


@_all.add("board-edge", "an opening in a corner", Topic.RULES, "PGC")
def _board_edge(talk: Talk, options: Options) -> None:
    talk.start(20)
    talk.move(*talk.board(alternating([(0, 0), (19, 19), (19, 0), (0, 19), (18, 18)])))
    talk.move(talk.turn())


@_all.add("board-many", "BOARD with 60 stones", Topic.COMMANDS, "PGC")
def _board_many(talk: Talk, options: Options) -> None:
    talk.start()
    talk.move(*talk.board(crowd(15, 60)))
    talk.move(talk.turn())


@_all.add("board-again", "BOARD for every move, then an unrelated BOARD", Topic.COMMANDS, "C")
def _board_again(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    stones: list[Stone] = [(7, 7, 2)]
    for reply in ((0, 0), (14, 1)):
        (x, y), _ = talk.move("INFO time_left 60000", *talk.board(stones))
        square = reply if reply != (x, y) else (1, 13)
        stones += [(x, y, 1), (*square, 2)]
    talk.move(*talk.board([(8, 8, 2)]))
    # The squares of the old stones are free again.
    talk.move(talk.turn((7, 7) if (7, 7) not in talk.taken else None))


@_all.add("board-unordered", "stones out of order and in unequal numbers", Topic.COMMANDS, "")
def _board_unordered(talk: Talk, options: Options) -> None:
    talk.start()
    talk.move(*talk.board([(7, 7, 2), (9, 7, 2), (4, 3, 2), (2, 11, 1), (12, 2, 2), (3, 3, 1)]))


@_all.add("board-field-3", "neutral stones on the best squares", Topic.COMMANDS, "P")
def _board_field_3(talk: Talk, options: Options) -> None:
    talk.start(rule=2)
    four = [(x, 7, 1) for x in (4, 5, 6, 7)]
    others = [(4, 9, 2), (7, 10, 2), (10, 4, 2), (11, 11, 2)]
    # Neutral stones block both ends of the four. A brain that ignores them plays there.
    talk.move(*talk.board([*four, *others, (3, 7, 3), (8, 7, 3)]))


@_all.add("after-five", "continuous game: a move after a five", Topic.RULES, "P")
def _after_five(talk: Talk, options: Options) -> None:
    talk.start(rule=2)
    five = [(x, 2, 2) for x in range(5)]
    talk.move(*talk.board([*five, (7, 7, 1), (8, 9, 1), (3, 11, 1), (12, 4, 1)]))
    talk.move(talk.turn((14, 14)))


@_all.add("full-board", "the last squares of the board", Topic.RULES, "GCL")
def _full_board(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move(*talk.board(crowd(15, 222)))
    talk.move(talk.turn())


@_all.add("takeback", "TAKEBACK of four stones, the newest first", Topic.COMMANDS, "P")
def _takeback(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    first, _ = talk.move("BEGIN")
    others = [square for square in ((0, 0), (14, 14)) if square != first]
    second, _ = talk.move(talk.turn(others[0]))
    for x, y in (second, others[0], first):
        kind = talk.ok(f"TAKEBACK {x},{y}", limit_s=1.0)
        if kind != Kind.OK:
            said = "nothing" if kind is None else talk.notes[-1].text
            talk.found(Oddity.NOT_TAKEN_BACK, f"{said}; Piskvork sends RESTART and BOARD")
            return
        talk.taken.discard((x, y))
    talk.move(talk.turn(first))


@_all.add("turn-bad", "TURN on a stone, off the board, malformed", Topic.BAD_INPUT, "")
def _turn_bad(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    (x, y), _ = talk.move("BEGIN")
    for bad in (f"{x},{y}", "15,7", "7,-1", "7", "seven,eight", "7 8"):
        _expect_error(talk, f"TURN {bad}")
    talk.move(talk.turn())


@_all.add("board-bad", "a BOARD with a bad line", Topic.BAD_INPUT, "")
def _board_bad(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    for bad in ("99,99,1", "7,7", "x,y,z", "7,7,1"):
        sent = talk.send("BOARD", "7,7,1", "8,8,2", bad, "DONE")
        if talk.answer(sent, 1.0) is None:
            talk.found(Oddity.ODD_INPUT, f"no answer to a BOARD with the line {bad}")
        talk.drain(0.1)
        talk.founds.pop(Oddity.TWO_ANSWERS, None)
    talk.begin_game("START 15", 15)
    talk.move("BEGIN")


@_all.add("unknown", "an unknown command", Topic.COMMANDS, "")
def _unknown(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    _expect_error(talk, "NONSENSE 7,7")
    talk.move("BEGIN")


@_all.add("odd-lines", "lower case, trailing blanks, empty lines, split lines", Topic.COMMANDS, "")
def _odd_lines(talk: Talk, options: Options) -> None:
    sent = talk.send_bytes(b"\r\n\nstart 15  \r\n")
    got = talk.answer(sent, 2.0)
    if got is None or got[1].kind != Kind.OK:
        raise talk.give_up(Oddity.ODD_INPUT, "`start 15` with blanks and empty lines around it")
    talk.send("info timeout_turn 200", "info rule 0")
    talk.send_bytes(b"tur")
    talk.drain(0.1)
    sent = talk.send_bytes(b"n 7,7 \n")
    talk.taken = {(7, 7)}
    talk.await_move(sent)


def _expect_error(talk: Talk, line: str) -> None:
    """Sends bad input; expects some answer, and a brain that still plays."""
    sent = talk.send(line)
    got = talk.answer(sent, 1.0)
    if got is None:
        talk.found(Oddity.ODD_INPUT, f"no answer to {line}")
    elif got[1].kind not in (Kind.ERROR, Kind.UNKNOWN):
        talk.found(Oddity.ODD_INPUT, f"{got[0].text} to {line}")
        if got[1].kind == Kind.MOVE and got[1].move is not None:
            talk.taken.add(got[1].move)


def crowd(size: int, count: int) -> list[Stone]:
    """Returns the given number of stones in playing order, with the brain to move.

    No three stones of a colour are in a line.
    """
    kinds: tuple[list[Point], list[Point]] = ([], [])
    for y in range(size):
        for x in range(size):
            kinds[(x + 2 * y) % 4 // 2].append((x, y))
    fewer, more = sorted(kinds, key=len)
    own, others = _spread(fewer, count // 2), _spread(more, (count + 1) // 2)
    stones: list[Stone] = []
    for at in range(count):
        # The last stone is the opponent's, whoever began.
        is_own = (count - at) % 2 == 0
        x, y = (own if is_own else others).pop()
        stones.append((x, y, 1 if is_own else 2))
    return stones


def _spread(squares: list[Point], count: int) -> list[Point]:
    return [squares[at * len(squares) // count] for at in range(count)]
