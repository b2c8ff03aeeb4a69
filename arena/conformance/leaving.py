"""Scenarios of the end: END and the end of the input, idle and while thinking."""

import time

from ..engines.lines import Source
from .scenario import Collection, Options
from .talk import LF, Over, Talk
from .timing import LONG_MS, QUIET
from .topics import Topic
from .verdicts import Oddity

__all__ = ["SCENARIOS"]

_all = Collection()
SCENARIOS = _all.scenarios

SOON_S = 0.5
"""GomocupJudge checks after 0.5 s; Piskvork waits 0.7 s, liskvork 1 s."""
NEVER_S = 3.0
ON_THE_WAY_S = 0.02
"""Output within this time after END was written before END was read."""


def _leaves(talk: Talk, began: float, *, at_end: bool, thinking: bool = False) -> None:
    """Waits for the process to exit and judges how; `at_end`: END was sent."""
    talk.is_over = True
    code = talk.wire.wait_exit(began + NEVER_S)
    took = time.monotonic() - began
    if code is None:
        talk.found(
            Oddity.IGNORES_END if at_end else Oddity.STAYS, f"still there after {took:.1f} s"
        )
        return
    talk.remark(f"ended after {took * 1000:.0f} ms")
    if took > SOON_S:
        talk.found(Oddity.SLOW_END, f"after {took * 1000:.0f} ms")
    if code != 0:
        talk.found(Oddity.EXIT_CODE, str(code))
    _last_words(talk, began, thinking=thinking)
    time.sleep(0.1)
    if left := talk.wire.orphans():
        talk.found(Oddity.ORPHANS, str(left))


def _last_words(talk: Talk, began: float, *, thinking: bool) -> None:
    """Judges output after END. A move that was still due is no fault."""
    until = time.monotonic() + 0.3
    owed = thinking
    on_the_way = ON_THE_WAY_S if thinking else 0.0
    while (line := talk.wire.next(until)) is not None and line.source is not Source.END:
        text = line.text
        if owed and text[:1].isdigit():
            owed = False
        elif line.source is Source.ERR or (line.at > began + on_the_way and not owed):
            talk.found(Oddity.STDERR if line.source is Source.ERR else Oddity.AFTER_END, text)


@_all.add("end-idle", "END after a move", Topic.PROCESS, "PGCL")
def _end_idle(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move("BEGIN")
    talk.drain(0.05)
    _leaves(talk, talk.send("END"), at_end=True)


@_all.add("end-thinking", "END while thinking", Topic.PROCESS, "PGCL")
def _end_thinking(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=LONG_MS)
    sent = talk.send(*talk.board(QUIET))
    thinking = talk.answer(sent, 0.4) is None
    _leaves(talk, talk.send("END"), at_end=True, thinking=thinking)


@_all.add("end-at-once", "END before anything else", Topic.PROCESS, "PGCL")
def _end_at_once(talk: Talk, options: Options) -> None:
    sent = talk.send("ABOUT")
    talk.answer(sent, talk.patience_s)  # The brain has loaded by now.
    _leaves(talk, talk.send("END"), at_end=True)


@_all.add("end-in-board", "END inside a BOARD", Topic.PROCESS, "")
def _end_in_board(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    _leaves(talk, talk.send("BOARD", "7,7,1", "END"), at_end=True)


@_all.add("eof-idle", "the input ends without END", Topic.PROCESS, "P")
def _eof_idle(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=200)
    talk.move("BEGIN")
    talk.drain(0.05)
    began = time.monotonic()
    talk.wire.shut_input()
    talk.mark("input closed")
    _leaves(talk, began, at_end=False)


@_all.add("eof-thinking", "the input ends while thinking", Topic.PROCESS, "P")
def _eof_thinking(talk: Talk, options: Options) -> None:
    talk.start(turn_ms=LONG_MS)
    sent = talk.send(*talk.board(QUIET))
    thinking = talk.answer(sent, 0.4) is None
    began = time.monotonic()
    talk.wire.shut_input()
    talk.mark("input closed")
    _leaves(talk, began, at_end=False, thinking=thinking)


@_all.add(
    "broken-pipe", "the manager stops reading the answers", Topic.PROCESS, "PGCL", listen=False
)
def _broken_pipe(talk: Talk, options: Options) -> None:
    """The manager closes the pipe. A brain must not fail when it writes."""
    talk.wire.shut_output()
    talk.mark("output closed")
    began = time.monotonic()
    try:
        for line in ("START 15", "INFO timeout_turn 200", "BEGIN", "END"):
            began = talk.wire.write((line + LF).encode())
            time.sleep(0.1)
    except OSError:
        pass
    talk.wire.shut_input()
    talk.is_over = True
    if talk.wire.wait_exit(began + NEVER_S) is None:
        talk.found(Oddity.STAYS, f"still there after {NEVER_S:g} s")
        raise Over
