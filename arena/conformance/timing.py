"""Scenarios of time and memory: limits, stopping, suspension, messages while thinking."""

import time

from .scenario import Collection, Options
from .talk import BUSY_LINES, Talk, alternating
from .topics import Topic
from .verdicts import Found, Manager, Oddity, Verdict, late

__all__ = ["SCENARIOS"]

_all = Collection()
SCENARIOS = _all.scenarios

MOVES = 5
TRIES = 2
QUIET = alternating("h8i9j8g7h10i6")
STOP_S = 1.0
LONG_MS = 20_000
MIB = 1 << 20


def _timed_moves(talk: Talk, turn_ms: int, *infos: str, limit_ms: float | None = None) -> None:
    """Asks for a few moves and judges their time.

    A brain with a fault is late repeatedly. A single late answer may be the fault of the machine.
    If most answers were late, the moves are requested once more.
    """
    limit = turn_ms if limit_ms is None else limit_ms
    found: Found | None = None
    for _ in range(TRIES):
        overs = []
        for _ in range(MOVES):
            _, took = talk.move(*infos, talk.turn())
            overs.append(took - limit)
        talk.remark(f"limit {limit:.0f} ms, the slowest move {max(overs) + limit:.0f} ms")
        count = sum(over > 0 for over in overs)
        text = f"{count} of {MOVES} moves, by up to {max(overs):.1f} ms, limit {limit:.0f} ms"
        found = late(max(overs), text, once=2 * count < MOVES)
        if found is None or 2 * count < MOVES:
            break
    talk.add(found)


@_all.add("time-30", "30 ms a move", Topic.TIME, "PGCL")
def _time_30(talk: Talk, options: Options) -> None:
    talk.start(20, turn_ms=300)
    talk.move(talk.turn((10, 10)))  # The brain has loaded everything by now.
    talk.send("INFO timeout_turn 30")
    _timed_moves(talk, 30)


@_all.add("time-500", "500 ms a move", Topic.TIME, "PGCL")
def _time_500(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=500)
    talk.move("BEGIN")
    _timed_moves(talk, 500)


@_all.add("time-0", "timeout_turn 0: move as fast as possible", Topic.INFO, "P")
def _time_0(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=300)
    talk.move("BEGIN")
    talk.send("INFO timeout_turn 0")
    _timed_moves(talk, 0)
    # No brain answers in no time at all: only the tolerance counts.
    _forgive_within_tolerance(talk)


@_all.add("time-left", "300 ms left of the game, 5 s a move", Topic.INFO, "PGC")
def _time_left(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=300)
    talk.move("BEGIN")
    talk.send("INFO timeout_turn 5000", "INFO timeout_match 60000")
    _timed_moves(talk, 5000, "INFO time_left 300", limit_ms=300)


@_all.add(
    "time-left-negative", "time_left 0 and below: moves within the tolerance", Topic.INFO, "P"
)
def _time_left_negative(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=300)
    talk.move("BEGIN")
    talk.send("INFO timeout_turn 5000", "INFO timeout_match 60000")
    _timed_moves(talk, 5000, "INFO time_left 0", limit_ms=0)
    _forgive_within_tolerance(talk)
    _, took = talk.move("INFO time_left -500", talk.turn())
    # Piskvork's tolerance is 1000 ms, and half of it is used up.
    if took > 500:
        lost = {who: Verdict.NOTE for who in Manager} | {Manager.PISKVORK: Verdict.LOSS}
        talk.add(Found(Oddity.LATE, f"{took:.0f} ms with time_left -500", lost))


def _forgive_within_tolerance(talk: Talk) -> None:
    found = talk.founds.get(Oddity.LATE)
    if found is not None and found.verdict(Manager.PISKVORK) is not Verdict.LOSS:
        del talk.founds[Oddity.LATE]


def _think(talk: Talk) -> float:
    """Lets the brain think for a long time on a quiet position; returns the time of the request."""
    talk.start(turn_ms=LONG_MS)
    return talk.send(*talk.board(QUIET))


def _stopped(talk: Talk, command: str) -> None:
    """Stops a long search by a command; expects exactly one move, at once."""
    sent = _think(talk)
    if talk.answer(sent, 0.4) is not None:
        talk.remark("answered before it could be stopped")
        return
    stopped = talk.send(command)
    got = talk.answer(stopped, STOP_S)
    if got is None:
        talk.found(Oddity.SLOW_STOP, f"no move {STOP_S:g} s after {command}")
        talk.is_over = True
        return
    talk.remark(f"a move {(got[0].at - stopped) * 1000:.0f} ms after it")
    if got[1].move is not None:
        talk.taken.add(got[1].move)
    talk.send("INFO timeout_turn 200")
    talk.drain(0.2)
    talk.move(talk.turn())


@_all.add("stop-timeout-0", "`INFO timeout_turn 0` while thinking: move now", Topic.INFO, "P")
def _stop_timeout(talk: Talk, options: Options) -> None:
    _stopped(talk, "INFO timeout_turn 0")


@_all.add("stop-yxstop", "YXSTOP while thinking", Topic.COMMANDS, "C")
def _stop_yx(talk: Talk, options: Options) -> None:
    _stopped(talk, "YXSTOP")


@_all.add("stop-stop", "STOP while thinking", Topic.COMMANDS, "", extension="yx")
def _stop_stop(talk: Talk, options: Options) -> None:
    _stopped(talk, "STOP")


@_all.add("stop-idle", "YXSTOP without a search", Topic.COMMANDS, "")
def _stop_idle(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move("BEGIN")
    talk.send("YXSTOP")
    if talk.drain(0.3):
        talk.founds.clear()
        talk.found(Oddity.ODD_INPUT, f"an answer to an idle YXSTOP: {talk.notes[-1].text}")
    talk.move(talk.turn())


@_all.add("queue", "a command during a search is answered after the move", Topic.PROCESS, "")
def _queue(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=400)
    sent = talk.send(*talk.board(QUIET), "ABOUT")
    talk.await_move(sent)
    if talk.answer(sent, 1.0) is None:
        talk.found(Oddity.ODD_INPUT, "ABOUT was lost")


@_all.add("messages", "lines during a search of one second", Topic.ANSWERS, "PGCL")
def _messages(talk: Talk, options: Options) -> None:
    talk.start(20, turn_ms=1000)
    talk.move(*talk.board(QUIET))
    count = sum(note.mark == "<" and note.text.upper()[:1] in "MD" for note in talk.notes)
    talk.remark(f"{count} lines in a second (more than {BUSY_LINES} are many)")


@_all.add("suspend", "suspended on the opponent's turn", Topic.TIME, "PG")
def _suspend(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=500)
    left, busy = 60_000.0, 0.0
    request = talk.board([])
    for _ in range(3):
        sent = talk.send(f"INFO time_left {left:.0f}", *request)
        talk.wire.resume()
        _, took = talk.await_move(sent)
        talk.add(late(took - 500, f"{took:.0f} ms after a suspension, limit 500 ms"))
        left -= took
        talk.wire.suspend()
        talk.mark("suspended")
        before = talk.wire.cpu_seconds()
        time.sleep(0.6)
        busy = max(busy, talk.wire.cpu_seconds() - before)
        request = [talk.turn()]
    talk.wire.resume()
    if busy > 0.1:
        talk.found(Oddity.BUSY, f"{busy:.2f} s of 0.6 s by processes that are not suspended")


@_all.add("idle", "uses no processor time on the opponent's turn", Topic.TIME, "PGCL")
def _idle(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=300)
    talk.move("BEGIN")
    time.sleep(0.3)
    before = talk.wire.cpu_seconds()
    time.sleep(0.7)
    busy = talk.wire.cpu_seconds() - before
    if busy > 0.15:
        talk.found(Oddity.BUSY, f"{busy:.2f} s of processor time in 0.7 s")


def _within(talk: Talk, limit_mib: int) -> None:
    """Plays two moves under a memory limit and measures as the managers do."""
    talk.send(f"INFO max_memory {limit_mib * MIB}")
    talk.start(20, turn_ms=1000)
    talk.send(f"INFO max_memory {limit_mib * MIB}")
    private = 0
    for _ in range(2):
        talk.move(talk.turn((10, 10) if (10, 10) not in talk.taken else None))
        private = max(private, talk.wire.tree.private_bytes())
    peak = talk.wire.tree.root_peak_bytes()
    talk.remark(f"private {private / MIB:.0f} MiB, peak {peak / MIB:.0f} MiB of {limit_mib} MiB")
    if private > limit_mib * MIB:
        talk.found(Oddity.MEMORY_TREE, f"{private / MIB:.1f} of {limit_mib} MiB")
    if peak > limit_mib * MIB:
        talk.found(Oddity.MEMORY_PEAK, f"{peak / MIB:.1f} of {limit_mib} MiB")


@_all.add("memory-350", "350 MiB, as in tournaments", Topic.MEMORY, "PG")
def _memory_350(talk: Talk, options: Options) -> None:
    _within(talk, 350)


@_all.add("memory-64", "64 MiB", Topic.MEMORY, "PG")
def _memory_64(talk: Talk, options: Options) -> None:
    _within(talk, 64)


@_all.add("memory-0", "no memory limit", Topic.INFO, "PG")
def _memory_0(talk: Talk, options: Options) -> None:
    talk.start(20, turn_ms=500)
    talk.send("INFO max_memory 0")
    talk.move(talk.turn((10, 10)))
    private = talk.wire.tree.private_bytes()
    talk.remark(f"private {private / MIB:.0f} MiB")
    if private > 1024 * MIB:
        talk.found(Oddity.MUCH_MEMORY, f"{private / MIB:.0f} MiB")
