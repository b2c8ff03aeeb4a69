"""Scenarios of INFO, which has no answer for any key at any time."""

from .scenario import Collection, Options
from .talk import Talk
from .topics import Topic
from .verdicts import Oddity

__all__ = ["SCENARIOS"]

_all = Collection()
SCENARIOS = _all.scenarios

REACTION_S = 0.25
NO_LIMIT_S = 35.0
"""Without a limit one known brain thinks 30 s a move."""


def _tell(talk: Talk, *infos: str) -> None:
    """Sends the lines, checks for output, then checks that the brain still plays."""
    talk.start(turn_ms=200)
    talk.drain(REACTION_S)
    talk.send(*(f"INFO {info}" for info in infos))
    talk.drain(REACTION_S)
    talk.move("INFO rule 0", "INFO timeout_turn 200", "BEGIN")


@_all.add("info-usual", "the keys that every manager sends", Topic.INFO, "PGCL")
def _usual(talk: Talk, options: Options) -> None:
    _tell(talk, "timeout_turn 200", "timeout_match 60000", "max_memory 367001600")


@_all.add("info-rest", "game_type, folder with blanks, time_left unlimited", Topic.INFO, "PG")
def _rest(talk: Talk, options: Options) -> None:
    _tell(talk, "game_type 2", "folder C:\\a folder\\with blanks", "time_left 2147483647")


@_all.add("info-memory", "max_memory 0 and 2147483647, then 350 MiB", Topic.INFO, "PGC")
def _memory(talk: Talk, options: Options) -> None:
    _tell(talk, "max_memory 0", "max_memory 2147483647", "max_memory 367001600")


@_all.add("info-unknown-key", "unknown keys, and the mouse position", Topic.INFO, "PC")
def _unknown_key(talk: Talk, options: Options) -> None:
    _tell(talk, "evaluate 3,4", "some_new_key 5", "thread_num 1", "max_node 100000", "max_depth 20")


@_all.add("info-rule", "rules 0, 1 and 4 after START", Topic.INFO, "PGC")
def _rule(talk: Talk, options: Options) -> None:
    _tell(talk, "rule 0", "rule 1", "rule 4")


@_all.add("info-rule-caro", "rules 8 and 9", Topic.INFO, "PG")
def _rule_caro(talk: Talk, options: Options) -> None:
    _tell(talk, "rule 8", "rule 9")


@_all.add("info-rule-continuous", "bit 2: the game continues after a win", Topic.INFO, "P")
def _rule_continuous(talk: Talk, options: Options) -> None:
    _tell(talk, "rule 2", "rule 3", "rule 6")


@_all.add("info-rule-unknown", "unknown rules", Topic.INFO, "P")
def _rule_unknown(talk: Talk, options: Options) -> None:
    _tell(talk, "rule 64", "rule 1023")


@_all.add("info-garbage", "missing values, text, and huge numbers", Topic.INFO, "")
def _garbage(talk: Talk, options: Options) -> None:
    _tell(talk, "rule", "rule x", "timeout_match soon", "max_memory 99999999999999999999999")


@_all.add("info-before-start", "INFO before START", Topic.INFO, "")
def _before_start(talk: Talk, options: Options) -> None:
    talk.send("INFO timeout_turn 300", "INFO timeout_match 60000", "INFO rule 0")
    talk.drain(REACTION_S)
    talk.start(rule=None, turn_ms=None)
    _, took = talk.move("BEGIN", limit_s=NO_LIMIT_S)
    if took > 2000:
        talk.found(Oddity.ODD_INPUT, f"limit forgotten: {took:.0f} ms where 300 were allowed")


@_all.add("info-none", "no INFO at all; a move with four in a row", Topic.INFO, "L")
def _none(talk: Talk, options: Options) -> None:
    talk.begin_game("START 15", 15)
    stones = [(3, 4, 1), (4, 4, 1), (5, 4, 1), (6, 4, 1)]
    others = [(3, 9, 2), (5, 11, 2), (9, 9, 2), (11, 5, 2)]
    _, took = talk.move(*talk.board([*stones, *others]), limit_s=NO_LIMIT_S)
    talk.remark(f"a move after {took:.0f} ms")
