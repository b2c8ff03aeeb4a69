"""The oddities of a brain, and the verdict of each manager on them.

The rows with the topic ANSWERS were measured with a brain that misbehaves on purpose. The other
rows follow from the source of each manager.
"""

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .topics import Topic

__all__ = ["FOUR", "LIMITS_MS", "Found", "Manager", "Oddity", "Verdict", "late", "worst"]


class Verdict(enum.IntEnum):
    """The verdict of a manager on a brain; greater is worse."""

    NOT_ASKED = 0
    OK = 1
    NOTE = 2
    LOSS = 3

    @property
    def text(self) -> str:
        """Returns the word in the table."""
        return {0: "-", 1: "ok", 2: "note", 3: "LOSS"}[self.value]


class Manager(enum.Enum):
    """The judges. ANNOUNCED is not a manager: it judges extensions that a brain announces."""

    PISKVORK = "Piskvork"
    GOMOCUP = "GomocupJudge"
    CGC = "c-gomoku-cli"
    LISKVORK = "liskvork"
    ANNOUNCED = "announced"


FOUR = (Manager.PISKVORK, Manager.GOMOCUP, Manager.CGC, Manager.LISKVORK)
_WORDS = {"ok": Verdict.OK, "note": Verdict.NOTE, "LOSS": Verdict.LOSS}


def _row(words: str) -> dict[Manager, Verdict]:
    """Reads a row of the matrix: one word for each manager, in the order of FOUR."""
    return {who: _WORDS[word] for who, word in zip(FOUR, words.split(), strict=True)}


class Oddity(enum.Enum):
    """One kind of oddity: a description, the verdicts of the four managers, the topic."""

    # Piskvork, GomocupJudge, c-gomoku-cli, liskvork
    OK_LOWER = ("`ok` in lower case", "ok ok LOSS LOSS", Topic.ANSWERS)
    OK_BLANK = ("`OK` with a trailing blank", "LOSS ok LOSS ok", Topic.ANSWERS)
    OK_MORE = ("`OK` with text after it", "LOSS ok LOSS LOSS", Topic.ANSWERS)
    NO_OK = ("no `OK`", "LOSS ok LOSS LOSS", Topic.TIME)
    START_REFUSED = ("an ordinary START is refused", "LOSS LOSS LOSS LOSS", Topic.COMMANDS)
    SIZE_SILENT = ("no answer to a size", "LOSS ok LOSS LOSS", Topic.COMMANDS)
    NOT_ERROR = ("neither `OK` nor `ERROR` for a size", "LOSS ok LOSS LOSS", Topic.COMMANDS)
    BANNER = ("a line before any command", "LOSS ok ok LOSS", Topic.ANSWERS)
    BANNER_MESSAGE = ("a MESSAGE before any command", "ok ok ok LOSS", Topic.ANSWERS)
    NO_ABOUT = ("ABOUT is not answered", "ok ok LOSS LOSS", Topic.COMMANDS)
    ABOUT_LATE = ("ABOUT is answered late", "ok ok note LOSS", Topic.TIME)
    ABOUT_FORM = ('the answer to ABOUT is not key="value"', "ok ok note LOSS", Topic.COMMANDS)
    ABOUT_PLAIN = ("a comma or `=` inside a value of ABOUT", "ok ok note ok", Topic.COMMANDS)
    START_LATE = ("START is answered late", "ok note LOSS note", Topic.TIME)
    SLOW_START = ("slow to start", "note note note note", Topic.TIME)
    INFO_OK = ("`OK` to an INFO", "LOSS ok ok LOSS", Topic.ANSWERS)
    INFO_REFUSED = ("`ERROR` or `UNKNOWN` to an INFO", "LOSS ok ok ok", Topic.ANSWERS)
    STDERR = ("text on stderr", "LOSS ok ok ok", Topic.ANSWERS)
    BARE_MESSAGE = ("`MESSAGE` or `DEBUG` alone on the line", "LOSS ok ok LOSS", Topic.ANSWERS)
    EMPTY_MESSAGE = ("`MESSAGE ` with an empty text", "ok ok ok LOSS", Topic.ANSWERS)
    LOWER_MESSAGE = ("`message` in lower case", "ok ok ok LOSS", Topic.ANSWERS)
    TAB_MESSAGE = ("a tab after `MESSAGE`", "LOSS ok ok ok", Topic.ANSWERS)
    LONG_MESSAGE = ("a MESSAGE of more than 2000 bytes", "ok ok ok LOSS", Topic.ANSWERS)
    MANY_MESSAGES = ("thousands of MESSAGE lines a move", "LOSS ok ok note", Topic.ANSWERS)
    CHATTY = ("hundreds of MESSAGE lines a move", "note ok ok ok", Topic.ANSWERS)
    NOT_ASCII = ("a byte outside ASCII", "note note note note", Topic.ANSWERS)
    FREE_TEXT = ("a line that is not an answer", "LOSS ok ok LOSS", Topic.ANSWERS)
    EMPTY_LINE = ("an empty line", "ok ok ok LOSS", Topic.ANSWERS)
    BLANK_LINE = ("a line of blanks", "LOSS ok ok LOSS", Topic.ANSWERS)
    BOM = ("a byte order mark", "LOSS LOSS LOSS LOSS", Topic.ANSWERS)
    BLANK_AFTER_COMMA = ("`7, 7`: a blank after the comma", "ok ok ok LOSS", Topic.ANSWERS)
    BLANK_BEFORE_COMMA = ("`7 ,7`: a blank before the comma", "LOSS ok LOSS LOSS", Topic.ANSWERS)
    LEADING_BLANKS = ("`  7,7`: leading blanks", "ok ok ok LOSS", Topic.ANSWERS)
    TRAILING_BLANKS = ("`7,7  `: trailing blanks", "ok ok LOSS LOSS", Topic.ANSWERS)
    TEXT_AFTER_MOVE = ("`7,7 text`: text after a move", "ok LOSS LOSS LOSS", Topic.ANSWERS)
    NOT_A_MOVE = ("a move that is not written x,y", "LOSS LOSS LOSS LOSS", Topic.ANSWERS)
    SUGGEST = ("`SUGGEST x,y`", "ok LOSS LOSS LOSS", Topic.ANSWERS)
    MOVE_CR_LF = ("a move ended by CR LF", "ok ok ok LOSS", Topic.ANSWERS)
    MOVE_CR = ("a move ended by CR alone", "ok LOSS LOSS LOSS", Topic.ANSWERS)
    UNENDED = ("an answer without a line end", "LOSS LOSS LOSS LOSS", Topic.ANSWERS)
    TWO_ANSWERS = ("two answers to one command", "LOSS LOSS LOSS LOSS", Topic.ANSWERS)
    NO_MOVE = ("no move", "LOSS LOSS LOSS LOSS", Topic.TIME)
    ERROR_FOR_MOVE = (
        "`ERROR` or `UNKNOWN` in place of a move",
        "LOSS LOSS LOSS LOSS",
        Topic.ANSWERS,
    )
    ILLEGAL = (
        "a move on an occupied square or off the board",
        "LOSS LOSS LOSS LOSS",
        Topic.ANSWERS,
    )
    FORBIDDEN = ("a forbidden square", "LOSS LOSS LOSS LOSS", Topic.RULES)
    CRASH = ("the process has ended", "LOSS LOSS LOSS LOSS", Topic.ANSWERS)
    LATE = ("a late move", "note note note note", Topic.TIME)
    ZIP_MOVE = ("Gomocup's test of a ZIP entry fails", "note LOSS note note", Topic.ZIP_TEST)
    MISSED_WIN = ("a win in one is missed", "note note note note", Topic.RULES)
    FIRST_START = ("a second START does not start a new game", "ok ok LOSS ok", Topic.COMMANDS)
    NOT_RESTARTED = ("RESTART is not answered by `OK`", "note ok ok ok", Topic.COMMANDS)
    NOT_TAKEN_BACK = ("TAKEBACK is not answered by `OK`", "note ok ok ok", Topic.COMMANDS)
    MEMORY_TREE = ("private memory of all processes over the limit", "ok LOSS ok ok", Topic.MEMORY)
    MEMORY_PEAK = ("peak memory of the process over the limit", "LOSS ok ok ok", Topic.MEMORY)
    MUCH_MEMORY = ("more than 1 GiB", "note note note note", Topic.MEMORY)
    BUSY = ("uses the processor on the opponent's turn", "note note note note", Topic.TIME)
    SLOW_STOP = ("continues to think after a stop", "note note note note", Topic.PROCESS)
    IGNORES_END = ("does not exit after END", "note note LOSS note", Topic.ANSWERS)
    SLOW_END = ("exits late", "note note note note", Topic.PROCESS)
    STAYS = ("does not exit when its input ends", "note note note note", Topic.PROCESS)
    AFTER_END = ("output after END", "note note note note", Topic.PROCESS)
    EXIT_CODE = ("an exit code other than 0", "note note note note", Topic.PROCESS)
    ORPHANS = ("processes left behind", "note note note note", Topic.PROCESS)
    ODD_INPUT = ("does not accept unusual input", "note note note note", Topic.BAD_INPUT)
    EXTENSION = ("an extension does not work", "note note note note", Topic.COMMANDS)

    def __init__(self, text: str, verdicts: str, topic: Topic) -> None:
        """Takes the values of the row."""
        self.text = text
        self.topic = topic
        self.verdicts: Mapping[Manager, Verdict] = _row(verdicts)


@dataclass(frozen=True)
class Found:
    """Holds one observed oddity with its detail; `special` replaces the verdicts of its row.

    ANNOUNCED is strict about each oddity that loses with some manager, and about EXTENSION.
    """

    oddity: Oddity
    detail: str = ""
    special: Mapping[Manager, Verdict] | None = None

    def verdict(self, who: Manager) -> Verdict:
        """Returns a manager's verdict on this oddity alone."""
        row = self.oddity.verdicts if self.special is None else self.special
        if who is Manager.ANNOUNCED:
            strict = self.oddity is Oddity.EXTENSION or max(row.values()) is Verdict.LOSS
            return Verdict.LOSS if strict else Verdict.NOTE
        return row[who]

    @property
    def text(self) -> str:
        """Returns the oddity with its detail."""
        return f"{self.oddity.text}: {self.detail}" if self.detail else self.oddity.text


def worst(founds: Iterable[Found], who: Manager) -> Verdict:
    """Returns the manager's worst verdict on the oddities; OK without any."""
    return max((found.verdict(who) for found in founds), default=Verdict.OK)


LIMITS_MS: Mapping[Manager, float] = {
    Manager.PISKVORK: 1000.0,
    Manager.GOMOCUP: 1000.0,
    Manager.CGC: 1500.0,
    Manager.LISKVORK: 0.0,
}
"""Greatest delay of a move, in ms: the usual tolerance of each manager."""


def late(over_ms: float, detail: str, *, once: bool = False) -> Found | None:
    """Returns the oddity of a move `over_ms` beyond its limit; None if it was in time.

    `once`: it is a single late move among several, which the machine may have caused. A manager
    without a tolerance then only notes it.
    """
    if over_ms <= 0:
        return None
    special: dict[Manager, Verdict] = {}
    for who, tolerance in LIMITS_MS.items():
        lost = over_ms > tolerance and not (once and tolerance == 0)
        special[who] = Verdict.LOSS if lost else Verdict.NOTE
    return Found(Oddity.LATE, detail, special)
