"""Manners of managers: how a brain is started, asked, read, measured and ended.

What each manager does was read from its source and measured; see the protocol's description. The
arena's own manners are stricter than any: a brain that passes them passes everywhere.
"""

import enum
import re
from dataclasses import dataclass, replace

from .lines import MESSAGE, MOVE, OK

__all__ = [
    "LIKE",
    "STRICT",
    "STRICT_READING",
    "Clocked",
    "Manners",
    "Measured",
    "Opens",
    "Reading",
    "Stderr",
    "manners_like",
]


class Clocked(enum.Enum):
    """Says on which clock the time from a brain's start to its OK falls."""

    NOTHING = "nothing"
    """On none: it has a limit of its own."""
    MATCH = "match"
    """On the game clock, but not on the first move's."""
    FIRST_MOVE = "first move"
    """On the first move's: the brain is started for it, and all is written at once."""


class Opens(enum.Enum):
    """Says how a brain is asked for its moves."""

    TURN = "turn"
    """First BEGIN on an empty board, TURN with one stone on it, BOARD with more; then TURN."""
    BEGIN_OR_BOARD = "begin or board"
    """First BEGIN on an empty board, else BOARD; then TURN."""
    BOARD = "board"
    """First BOARD always, an empty one is directly followed by DONE; then TURN."""
    ALWAYS_BOARD = "always board"
    """BEGIN on an empty board, else BOARD, at each move."""


class Measured(enum.Enum):
    """Says whose memory counts."""

    TREE = "tree"
    """The private memory of the process and of all that it started, as it is after a move."""
    ROOT_PEAK = "root peak"
    """The peak of the working set of the one process that was started."""
    NOTHING = "nothing"
    """Nobody's: the limit is told and not enforced."""


class Stderr(enum.Enum):
    """Says what text on stderr is."""

    REFUSED = "refused"
    MERGED = "merged"
    """Lines like those of stdout."""
    IGNORED = "ignored"


@dataclass(frozen=True)
class Reading:
    """Says which of a brain's lines are answers and which are skipped; the rest is a fault.

    A move's form may also let `SUGGEST x,y` through, which is answered with PLAY; what follows is
    `played`, a move and nothing else.
    """

    ok: re.Pattern[str] = OK
    move: re.Pattern[str] = MOVE
    played: re.Pattern[str] = MOVE
    skipped: re.Pattern[str] = MESSAGE
    rest_is_skipped: bool = False
    """Nothing is a fault but silence: what is no answer is skipped."""
    stderr: Stderr = Stderr.REFUSED
    old_lines_count: bool = False
    """A line that nobody asked for is taken as the answer to the next request."""
    long_lines: bool = False
    """A line may be longer than what every manager reads."""


STRICT_READING = Reading()


@dataclass(frozen=True)
class Manners:
    """Holds how a manager treats a brain; the defaults are the arena's own."""

    name: str = "strict"
    line_end: str = "\r\n"
    about: bool = False
    """ABOUT comes first, and its answer is waited for."""
    info_order: tuple[str, ...] = (
        "max_memory",
        "timeout_match",
        "timeout_turn",
        "game_type",
        "rule",
        "time_left",
        "extra",
    )
    """The INFO keys after START; `extra` stands for what the user adds, `folder` makes a folder."""
    game_type: int = 1
    no_match_limit: int = 0
    """What timeout_match says where the game has no limit."""
    clocked: Clocked = Clocked.NOTHING
    start_within_tolerance: bool = False
    """START's OK has to come within the tolerance, and not within a limit of its own."""
    opens: Opens = Opens.TURN
    reading: Reading = STRICT_READING
    measured: Measured = Measured.TREE
    suspend: bool = False
    """The whole process tree is suspended while the opponent thinks."""
    end_grace_s: float = 0.7
    """How long a brain may take to exit after END."""
    closes_input: bool = False
    """The brain's input is closed right behind END."""
    tolerance_ms: int = 0
    """What is let pass beyond a limit where the user gives no tolerance."""
    tolerance_share: float = 1.0
    """How much of the tolerance a move really has."""
    free_ms: float = 0.0
    """What of each move is not charged to the game clock."""
    draw_empty: int = 0
    """The game is drawn when so few squares are empty, under the rules of `draw_rules`."""
    draw_rules: tuple[int, ...] = ()

    def draws_at(self, rule: int, empty: int) -> bool:
        """Says whether the manager calls the game drawn, so many squares being empty."""
        return rule in self.draw_rules and empty <= self.draw_empty


STRICT = Manners()

_NUMBER = r"[+-]?\d{1,9}"

PISKVORK = Manners(
    name="piskvork",
    game_type=2,
    clocked=Clocked.MATCH,
    reading=Reading(
        ok=re.compile(r"OK\r?", re.IGNORECASE),
        move=re.compile(rf"\s*{_NUMBER},\s*{_NUMBER}.*|suggest {_NUMBER},.*", re.IGNORECASE),
        played=re.compile(rf"\s*{_NUMBER},\s*{_NUMBER}.*"),
        skipped=re.compile(r"(?:message|debug) .*|\r?", re.IGNORECASE),
        stderr=Stderr.MERGED,
        old_lines_count=True,
        long_lines=True,
    ),
    measured=Measured.ROOT_PEAK,
    suspend=True,
    closes_input=True,
    tolerance_ms=1000,
    draw_empty=25,
    draw_rules=(0, 1, 4, 8, 9, 16, 32),
)

GOMOCUP = Manners(
    name="gomocup",
    info_order=(
        "timeout_turn",
        "timeout_match",
        "max_memory",
        "game_type",
        "rule",
        "folder",
        "extra",
    ),
    game_type=3,
    no_match_limit=2_147_483_647,
    clocked=Clocked.FIRST_MOVE,
    opens=Opens.BOARD,
    reading=Reading(
        move=re.compile(rf"\s*{_NUMBER}\s*,\s*{_NUMBER}\s*"),
        rest_is_skipped=True,
        stderr=Stderr.IGNORED,
        old_lines_count=True,
        long_lines=True,
    ),
    suspend=True,
    end_grace_s=0.5,
    tolerance_ms=1000,
    free_ms=10.0,
    draw_empty=25,
    draw_rules=(4,),
)

C_GOMOKU_CLI = Manners(
    name="c-gomoku-cli",
    line_end="\n",
    about=True,
    info_order=("rule", "timeout_turn", "timeout_match", "max_memory", "extra"),
    start_within_tolerance=True,
    opens=Opens.BEGIN_OR_BOARD,
    reading=Reading(
        ok=re.compile(r"OK\r?"),
        move=re.compile(rf"\s*{_NUMBER},\s*{_NUMBER}\r?"),
        rest_is_skipped=True,
        stderr=Stderr.IGNORED,
        old_lines_count=True,
        long_lines=True,
    ),
    measured=Measured.NOTHING,
    # The manager itself waits for ever; nothing here may.
    end_grace_s=5.0,
    tolerance_ms=3000,
    tolerance_share=0.5,
)

LIKE: dict[str, Manners] = {
    manners.name: manners for manners in (STRICT, PISKVORK, GOMOCUP, C_GOMOKU_CLI)
}


def manners_like(
    name: str, *, suspend: bool | None = None, start_on_clock: bool | None = None
) -> Manners:
    """Returns the manners of a manager; raises ValueError with the names there are.

    The two options, where they are given, replace what that manager does.
    """
    if name not in LIKE:
        raise ValueError(f"unknown manager: {name!r}; known: {', '.join(LIKE)}")
    manners = LIKE[name]
    if suspend is not None:
        manners = replace(manners, suspend=suspend)
    if start_on_clock is not None:
        clocked = Clocked.FIRST_MOVE if start_on_clock else Clocked.NOTHING
        manners = replace(manners, clocked=clocked)
    return manners
