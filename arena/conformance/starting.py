"""Scenarios of the start: each manager's order of commands, sizes, a second game."""

import time

from .reading import Kind, read_about
from .scenario import Collection, Options
from .talk import Talk
from .topics import Topic
from .verdicts import Oddity, late

__all__ = ["SCENARIOS"]

_all = Collection()
SCENARIOS = _all.scenarios

ABOUT_S = 5.0
CGC_TOLERANCE_S = 3.0
LISKVORK_START_S = 5.0
WELL_UNDER_MS = 1000.0
MEMORY = 367_001_600


@_all.add("start-banner", "a second of silence before the first command", Topic.ANSWERS, "PGCL")
def _banner(talk: Talk, options: Options) -> None:
    talk.drain(1.0)
    talk.start()


@_all.add("start-piskvork", "START, OK, the INFO lines, BEGIN", Topic.START, "P", line_end="\r\n")
def _piskvork(talk: Talk, options: Options) -> None:
    began = talk.wire.started
    talk.begin_game("START 15", 15)
    took = (time.monotonic() - began) * 1000
    talk.remark(f"OK {took:.0f} ms after the start of the process")
    if took > WELL_UNDER_MS:
        talk.found(Oddity.SLOW_START, f"{took:.0f} ms from the process to OK")
    talk.send(
        f"INFO max_memory {MEMORY}",
        "INFO timeout_match 180000",
        "INFO timeout_turn 500",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO time_left 180000",
        "INFO folder C:\\ProgramData",
    )
    talk.drain(0.2)
    talk.move("BEGIN")
    talk.move("INFO time_left 179500", talk.turn())


@_all.add(
    "start-gomocup",
    "all lines at once, suspended, BOARD; turn 1 s",
    Topic.START,
    "G",
    line_end="\r\n",
)
def _gomocup(talk: Talk, options: Options) -> None:
    talk.send(
        "START 20",
        "INFO timeout_turn 1000",
        "INFO timeout_match 180000",
        f"INFO max_memory {MEMORY}",
        "INFO game_type 3",
        "INFO rule 0",
        "INFO folder /a folder/match/folder/0123456789abcdef",
    )
    talk.wire.suspend()
    talk.mark("suspended")
    time.sleep(0.3)
    talk.size = 20
    talk.owe_ok()  # GomocupJudge does not read the answer.
    sent = talk.send("INFO time_left 180000", "BOARD", "DONE")
    talk.wire.resume()
    talk.mark("resumed; loading counts as thinking")
    _, took = talk.await_move(sent, after_info=True)
    talk.add(late(took - 1000, f"first move after {took:.0f} ms, limit 1000 ms"))
    talk.remark(f"first move {took:.0f} ms after the resume")


@_all.add("start-c-gomoku-cli", "ABOUT, START, INFO, BEGIN; START again, BOARD", Topic.START, "C")
def _c_gomoku_cli(talk: Talk, options: Options) -> None:
    _ask_about(talk, ABOUT_S)
    for size in (15, 20):
        took = talk.begin_game(f"START {size}", size)
        if took > CGC_TOLERANCE_S * 1000:
            talk.found(Oddity.START_LATE, f"{took:.0f} ms")
        infos = ["rule 1", "timeout_turn 300", "timeout_match 0", "max_depth 8", "max_node 200000"]
        infos += [f"max_memory {MEMORY}", "thread_num 1", "custom_key 1"]
        talk.send(*(f"INFO {info}" for info in infos))
        if size == 15:
            talk.move("INFO time_left 2147483647", "BEGIN")
            talk.move("INFO time_left 2147483647", talk.turn())
        else:
            lines = talk.board([(19, 0, 2), (10, 10, 1), (9, 19, 2)])
            talk.move("INFO time_left 60000", *lines)


@_all.add(
    "start-liskvork",
    "ABOUT, START 20, no rule, no time_left, BEGIN",
    Topic.START,
    "L",
    line_end="\r\n",
)
def _liskvork(talk: Talk, options: Options) -> None:
    _ask_about(talk, ABOUT_S)
    if any(note.mark == "<" for note in talk.notes[1:-1]):
        talk.found(Oddity.BANNER_MESSAGE, "ABOUT must be the first line")
    took = talk.begin_game("START 20", 20)
    if took > LISKVORK_START_S * 1000:
        talk.found(Oddity.NO_OK, f"{took:.0f} ms, limit 5000 ms")
    talk.send("INFO timeout_turn 500")
    talk.move("BEGIN")
    talk.move(talk.turn())


def _ask_about(talk: Talk, limit_s: float) -> None:
    sent = talk.send("ABOUT")
    got = talk.answer(sent, talk.patience_s + 1)
    if got is None:
        raise talk.give_up(Oddity.NO_ABOUT)
    line, reading = got
    took = line.at - sent
    if took > limit_s:
        talk.found(Oddity.ABOUT_LATE, f"{took:.1f} s")
    if reading.kind in (Kind.ERROR, Kind.UNKNOWN):
        talk.found(Oddity.ABOUT_FORM, line.text)
        return
    for oddity in read_about(line.data.decode("latin-1")):
        talk.found(oddity, line.text)


@_all.add("about-later", "ABOUT during a game", Topic.COMMANDS, "L")
def _about_later(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move("BEGIN")
    _ask_about(talk, ABOUT_S)
    talk.move(talk.turn())


@_all.add("start-20", "a board of 20x20", Topic.COMMANDS, "PGCL")
def _start_20(talk: Talk, options: Options) -> None:
    talk.start(20, turn_ms=300)
    talk.move(talk.turn((19, 19)))
    talk.move(talk.turn((19, 18)))


@_all.add("start-no-size", "START 1000, then START 15", Topic.COMMANDS, "PCL")
def _start_no_size(talk: Talk, options: Options) -> None:
    sent = talk.send("START 1000")
    got = talk.answer(sent, talk.patience_s)
    if got is None:
        talk.found(Oddity.SIZE_SILENT, "START 1000")
    elif got[1].kind not in (Kind.ERROR, Kind.OK):
        talk.found(Oddity.NOT_ERROR, got[0].text)
    talk.start()
    talk.move("BEGIN")


@_all.add("rectstart", "RECTSTART 20,15: `OK` or `ERROR`", Topic.COMMANDS, "P")
def _rectstart(talk: Talk, options: Options) -> None:
    sent = talk.send("RECTSTART 20,15")
    got = talk.answer(sent, talk.patience_s)
    if got is None:
        talk.found(Oddity.SIZE_SILENT, "RECTSTART 20,15")
    elif got[1].kind not in (Kind.ERROR, Kind.OK, Kind.UNKNOWN):
        talk.found(Oddity.NOT_ERROR, got[0].text)
    talk.start()
    talk.move("BEGIN")


@_all.add(
    "start-again", "a second START empties the board and changes its size", Topic.COMMANDS, "C"
)
def _start_again(talk: Talk, options: Options) -> None:
    talk.start(20, turn_ms=200)
    first, _ = talk.move(talk.turn((10, 10)))
    talk.move(talk.turn((19, 19)))
    talk.start(15, turn_ms=200)
    # The old stones are removed: the same squares are free again.
    talk.move(talk.turn((10, 10)))
    if first not in talk.taken and max(first) < 15:
        talk.move(talk.turn(first))
    talk.move("INFO time_left 60000", *talk.board([]))


@_all.add("restart", "RESTART after a few moves", Topic.COMMANDS, "P")
def _restart(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move("BEGIN")
    talk.move(talk.turn())
    kind = talk.ok("RESTART")
    if kind != Kind.OK:
        talk.found(Oddity.NOT_RESTARTED, "Piskvork then restarts the process")
        return
    talk.taken = set()
    talk.send("INFO timeout_turn 200", "INFO rule 0")
    talk.move("BEGIN")
    talk.move(talk.turn())


@_all.add("start-elsewhere", "started in another folder", Topic.PROCESS, "P", elsewhere=True)
def _elsewhere(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move("BEGIN")
