"""Scenarios of optional extensions: swap2, the YX commands, rules with captures."""

import re
from collections.abc import Sequence

from ..rules.referee import Point
from .reading import Kind
from .scenario import Collection, Options
from .talk import Stone, Talk
from .topics import Topic
from .verdicts import Oddity

__all__ = ["EXTENSIONS", "SCENARIOS"]

_all = Collection()
SCENARIOS = _all.scenarios

EXTENSIONS = {
    "swap2": "SWAP2BOARD",
    "yx": "YXBOARD, YXNBEST, YXSHOWFORBID, YXBLOCK, YXHASHCLEAR and STOP",
    "ninuki": "INFO rule 16: Ninuki-renju",
    "pente": "INFO rule 32: Pente",
    "keryo": "INFO rule 64: Keryo-Pente",
}

_SQUARE = r"\d{1,2},\d{1,2}"
SWAP2_S = 10.0
THREE: tuple[Point, ...] = ((7, 7), (8, 8), (9, 10))
FIVE: tuple[Point, ...] = (*THREE, (3, 3), (2, 12))


def _swap2(talk: Talk, stones: tuple[Point, ...], form: str) -> None:
    talk.start(rule=1, turn_ms=500)
    lines = ["SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE"]
    answer = talk.reply("INFO time_left 60000", *lines, limit_s=SWAP2_S)
    if answer is None:
        talk.found(Oddity.EXTENSION, f"no answer to SWAP2BOARD with {len(stones)} stones")
        return
    if answer.upper().startswith("SWAP"):
        if re.fullmatch(form, "SWAP") is None or answer != "SWAP":
            talk.found(Oddity.EXTENSION, f"answer {answer}")
        return
    squares = answer.split(" ")
    if re.fullmatch(form, answer) is None:
        talk.found(Oddity.EXTENSION, f"answer {answer}")
        return
    points = [(int(x), int(y)) for x, y in (square.split(",") for square in squares)]
    if len({*points, *stones}) < len(points) + len(stones) or max(map(max, points)) > 14:
        talk.found(Oddity.EXTENSION, f"answer {answer}: no such free squares")


@_all.add("swap2-0", "proposes three stones", Topic.COMMANDS, "", extension="swap2")
def _swap2_0(talk: Talk, options: Options) -> None:
    _swap2(talk, (), rf"{_SQUARE} {_SQUARE} {_SQUARE}")


@_all.add("swap2-3", "swaps, stays, or adds two stones", Topic.COMMANDS, "", extension="swap2")
def _swap2_3(talk: Talk, options: Options) -> None:
    _swap2(talk, THREE, rf"SWAP|{_SQUARE}|{_SQUARE} {_SQUARE}")


@_all.add("swap2-5", "swaps or stays", Topic.COMMANDS, "", extension="swap2")
def _swap2_5(talk: Talk, options: Options) -> None:
    _swap2(talk, FIVE, rf"SWAP|{_SQUARE}")


@_all.add("yx-start", "`start 15 15` with a blank", Topic.COMMANDS, "", extension="yx")
def _yx_start(talk: Talk, options: Options) -> None:
    talk.begin_game("start 15 15", 15)
    talk.move("info timeout_turn 200", "begin")


@_all.add(
    "yx-board", "no answer to YXBOARD, a move to YXNBEST 3", Topic.COMMANDS, "", extension="yx"
)
def _yx_board(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=500)
    stones: list[Stone] = [(7, 7, 1), (8, 8, 2), (7, 8, 1), (8, 7, 2)]
    _silent(talk, "YX" + talk.board(stones)[0], *talk.board(stones)[1:])
    answer = talk.reply("YXNBEST 3")
    if answer is None or re.fullmatch(_SQUARE, answer) is None:
        talk.found(Oddity.EXTENSION, f"answer to YXNBEST 3: {answer}")
        return
    lines = [note.text for note in talk.notes if note.mark == "<" and note.text != answer]
    talk.remark(f"{len(lines)} lines on it")


@_all.add(
    "yx-forbid", "YXSHOWFORBID lists the forbidden squares", Topic.COMMANDS, "", extension="yx"
)
def _yx_forbid(talk: Talk, options: Options) -> None:
    talk.start(rule=4, turn_ms=500)
    own = [(6, 7, 1), (8, 7, 1), (7, 6, 1), (7, 8, 1)]
    others = [(0, 0, 2), (0, 14, 2), (14, 14, 2), (14, 0, 2)]
    lines = talk.board([*own, *others])
    _silent(talk, "YX" + lines[0], *lines[1:])
    answer = talk.reply("YXSHOWFORBID")
    if answer is None or answer.rstrip(".") != "FORBID 0707":
        talk.found(Oddity.EXTENSION, f"answer to YXSHOWFORBID: {answer}, not FORBID 0707.")


@_all.add(
    "yx-block",
    "YXBLOCK excludes a move, YXBLOCKRESET allows it again",
    Topic.COMMANDS,
    "",
    extension="yx",
)
def _yx_block(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=300)
    four: list[Stone] = [(x, 2, 1) for x in (4, 5, 6, 7)]
    lines = talk.board([*four, (3, 2, 2), (9, 9, 2), (11, 4, 2), (5, 12, 2)])
    _silent(talk, "YXBLOCK", "8,2", "DONE")
    excluded, _ = talk.move(*lines)
    if excluded == (8, 2):
        talk.found(Oddity.EXTENSION, "an excluded move is played")
    _silent(talk, "YXBLOCKRESET")
    talk.board([*four, (3, 2, 2), (9, 9, 2), (11, 4, 2), (5, 12, 2)])
    move, _ = talk.move(*lines)
    if move != (8, 2):
        talk.found(Oddity.EXTENSION, "a move stays excluded after YXBLOCKRESET")


@_all.add("yx-clear", "no answer to YXHASHCLEAR", Topic.COMMANDS, "", extension="yx")
def _yx_clear(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    _silent(talk, "YXHASHCLEAR")
    talk.move("BEGIN")


def _silent(talk: Talk, *lines: str) -> None:
    """Sends a command without an answer; only messages are allowed."""
    talk.send(*lines)
    before = set(talk.founds)
    talk.drain(0.2)
    for oddity in set(talk.founds) - before:
        found = talk.founds.pop(oddity)
        talk.found(Oddity.EXTENSION, f"{lines[0]} is answered: {found.detail}")


@_all.add("ninuki-silent", "`INFO rule 16` gets no answer", Topic.COMMANDS, "", extension="ninuki")
def _ninuki_silent(talk: Talk, options: Options) -> None:
    _rule_silent(talk, 16)


@_all.add("pente-silent", "`INFO rule 32` gets no answer", Topic.COMMANDS, "", extension="pente")
def _pente_silent(talk: Talk, options: Options) -> None:
    _rule_silent(talk, 32)


@_all.add("keryo-silent", "`INFO rule 64` gets no answer", Topic.COMMANDS, "", extension="keryo")
def _keryo_silent(talk: Talk, options: Options) -> None:
    _rule_silent(talk, 64)


def _rule_silent(talk: Talk, rule: int) -> None:
    """Sends a rule, then expects a move."""
    talk.start(19, turn_ms=300)
    talk.send(f"INFO rule {rule}")
    talk.drain(0.3)
    talk.move("BEGIN")


@_all.add("ninuki-fifth-pair", "a fifth pair wins", Topic.RULES, "", extension="ninuki")
def _ninuki_fifth_pair(talk: Talk, options: Options) -> None:
    _fifth_pair(talk, 16)


@_all.add("pente-fifth-pair", "a fifth pair wins", Topic.RULES, "", extension="pente")
def _pente_fifth_pair(talk: Talk, options: Options) -> None:
    _fifth_pair(talk, 32)


def _fifth_pair(talk: Talk, rule: int) -> None:
    """Sets up a position in which a fifth pair can be captured."""
    talk.start(19, rule=rule, turn_ms=500)
    stones: list[Stone] = [(5, 5, 1), (6, 5, 2), (7, 5, 2), (12, 12, 2)]
    move, _ = talk.move("INFO captures 4,0", *talk.board(stones))
    if move != (8, 5):
        talk.found(Oddity.EXTENSION, f"{move[0]},{move[1]} takes no fifth pair; 8,5 does")


@_all.add("keryo-fifteen", "the fifteenth stone wins", Topic.RULES, "", extension="keryo")
def _keryo_fifteen(talk: Talk, options: Options) -> None:
    """Sets up a position in which a triple can be captured. Captures are counted in stones."""
    talk.start(19, rule=64, turn_ms=500)
    stones: list[Stone] = [(5, 5, 1), (6, 5, 2), (7, 5, 2), (8, 5, 2), (12, 12, 2)]
    move, _ = talk.move("INFO captures 12,0", *talk.board(stones))
    if move != (9, 5):
        text = f"{move[0]},{move[1]} does not capture the fifteenth stone; 9,5 does"
        talk.found(Oddity.EXTENSION, text)


@_all.add("keryo-stones", "captures count stones, not pairs", Topic.RULES, "", extension="keryo")
def _keryo_stones(talk: Talk, options: Options) -> None:
    """A brain that counted pairs would capture, and lose to the four."""
    talk.start(19, rule=64, turn_ms=500)
    four: list[Stone] = [(x, 9, 2) for x in (5, 6, 7, 8)]
    stones: list[Stone] = [*four, (9, 9, 1), (2, 2, 1), (3, 2, 2), (4, 2, 2), (12, 15, 1)]
    move, _ = talk.move("INFO captures 4,0", *talk.board(stones))
    if move != (4, 9):
        text = f"{move[0]},{move[1]} does not block the four; 4,9 does"
        talk.found(Oddity.EXTENSION, text)


@_all.add("pente-breakable", "a five wins that could be broken", Topic.RULES, "", extension="pente")
def _pente_breakable(talk: Talk, options: Options) -> None:
    talk.start(19, rule=32, turn_ms=500)
    four: list[Stone] = [(x, 9, 1) for x in (5, 6, 7, 8)]
    stones: list[Stone] = [*four, (6, 10, 1), (6, 11, 2), (4, 9, 2), (12, 3, 2), (15, 3, 2)]
    move, _ = talk.move(*talk.board(stones))
    if move != (9, 9):
        talk.found(Oddity.EXTENSION, f"{move[0]},{move[1]} is not a five; 9,9 is")


@_all.add("ninuki-captures", "captured squares are free again", Topic.RULES, "", extension="ninuki")
def _ninuki_captures(talk: Talk, options: Options) -> None:
    _captures(talk, 16)


@_all.add("keryo-triple", "captured squares are free again", Topic.RULES, "", extension="keryo")
def _keryo_triple(talk: Talk, options: Options) -> None:
    _captures(talk, 64, [(6, 5), (7, 5), (8, 5)])


@_all.add("keryo-captures", "captured squares are free again", Topic.RULES, "", extension="keryo")
def _keryo_captures(talk: Talk, options: Options) -> None:
    _captures(talk, 64)


@_all.add("pente-captures", "captured squares are free again", Topic.RULES, "", extension="pente")
def _pente_captures(talk: Talk, options: Options) -> None:
    _captures(talk, 32)


def _captures(talk: Talk, rule: int, row: Sequence[Point] = ((6, 5), (7, 5))) -> None:
    """Captures a row, or accepts that the brain prevents it, then plays on an emptied square."""
    talk.start(19, rule=rule, turn_ms=300)
    own: list[Stone] = [(x, y, 1) for x, y in row]
    talk.move(*talk.board([(5, 5, 2), *own, (15, 15, 2)]))
    bracket = (row[-1][0] + 1, 5)
    if bracket in talk.taken:
        talk.remark("the capture was prevented")
        return
    sent = talk.send(talk.turn(bracket))
    talk.taken -= set(row)
    talk.await_move(sent)
    square = next(point for point in row if point not in talk.taken)
    sent = talk.send(talk.turn(square))
    got = talk.answer(sent, talk.patience_s)
    if got is None or got[1].kind != Kind.MOVE:
        text = "nothing" if got is None else got[0].text
        talk.found(Oddity.EXTENSION, f"{text} to a TURN on a square that was captured")
