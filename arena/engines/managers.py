"""Profiles of managers: how each one starts, asks, reads, measures and ends a brain.

The profiles follow each manager's source and measurements; docs/protocol.md describes them. The
arena's own profile, STRICT, is stricter than all others: a brain that passes it passes everywhere.
"""

import enum
import re
from dataclasses import dataclass, replace

from .lines import MESSAGE, MOVE, OK

__all__ = [
    "PROFILES",
    "STRICT",
    "STRICT_READING",
    "Clocked",
    "ManagerProfile",
    "Measured",
    "Opens",
    "Reading",
    "Stderr",
    "manager_profile",
]


class Clocked(enum.Enum):
    """The clock that runs from a brain's start until its OK."""

    NOTHING = "nothing"
    """No clock: the start has a limit of its own."""
    MATCH = "match"
    """The game clock, but not the clock of the first move."""
    FIRST_MOVE = "first move"
    """The first move's: the manager starts the brain for that move and sends all lines at once."""


class Opens(enum.Enum):
    """The commands that ask a brain for its moves."""

    TURN = "turn"
    """First BEGIN on an empty board, TURN after one stone, BOARD after more; then TURN."""
    BEGIN_OR_BOARD = "begin or board"
    """First BEGIN on an empty board, BOARD on any other; then TURN."""
    BOARD = "board"
    """First BOARD, with DONE directly after it on an empty board; then TURN."""
    ALWAYS_BOARD = "always board"
    """At each move BEGIN on an empty board, BOARD on any other."""


class Measured(enum.Enum):
    """The memory that counts against the limit."""

    TREE = "tree"
    """The private memory of the process and its children, measured after each move."""
    ROOT_PEAK = "root peak"
    """The peak working set of the process that the manager started, without children."""
    NOTHING = "nothing"
    """None: the brain is told the limit, and the manager does not enforce it."""


class Stderr(enum.Enum):
    """The way in which a manager treats text on stderr."""

    REFUSED = "refused"
    MERGED = "merged"
    """Lines on stderr count like lines on stdout."""
    IGNORED = "ignored"


@dataclass(frozen=True)
class Reading:
    """Patterns of the lines that are answers and of the lines that are skipped; others are faults.

    `move` may also match `SUGGEST x,y`. The manager answers it with PLAY, and the brain's next line
    must match `played`: a move and nothing else.
    """

    ok: re.Pattern[str] = OK
    move: re.Pattern[str] = MOVE
    played: re.Pattern[str] = MOVE
    skipped: re.Pattern[str] = MESSAGE
    rest_is_skipped: bool = False
    """Skip every line that is not an answer. Only silence is then a fault."""
    stderr: Stderr = Stderr.REFUSED
    old_lines_count: bool = False
    """Take a line that arrives before a request as the answer to that request."""
    long_lines: bool = False
    """Accept lines that are longer than some manager can read."""


STRICT_READING = Reading()


@dataclass(frozen=True)
class ManagerProfile:
    """Describes how a manager treats a brain; the defaults are the arena's own."""

    name: str = "strict"
    line_end: str = "\r\n"
    about: bool = False
    """Send ABOUT first and wait for its answer."""
    info_order: tuple[str, ...] = (
        "max_memory",
        "timeout_match",
        "timeout_turn",
        "game_type",
        "rule",
        "time_left",
        "extra",
    )
    """The INFO keys after START, in order.

    `extra` stands for the user's keys. `folder` also creates the folder.
    """
    game_type: int = 1
    no_match_limit: int = 0
    """The value of timeout_match in a game without a limit."""
    clocked: Clocked = Clocked.NOTHING
    start_within_tolerance: bool = False
    """Give START the tolerance as its limit, instead of a limit of its own."""
    opens: Opens = Opens.TURN
    reading: Reading = STRICT_READING
    measured: Measured = Measured.TREE
    suspend: bool = False
    """Suspend the whole process tree while the opponent thinks."""
    end_grace_s: float = 0.7
    """Seconds that a brain has to exit after END."""
    closes_input: bool = False
    """Close the brain's input directly after END."""
    tolerance_ms: int = 0
    """The tolerance beyond a limit, in ms, unless the user gives one."""
    tolerance_share: float = 1.0
    """The share of the tolerance that a move has in practice."""
    free_ms: float = 0.0
    """Ms of each move that are not charged to the game clock."""
    draw_empty: int = 0
    """The number of empty squares at which a game under `draw_rules` is drawn."""
    draw_rules: tuple[int, ...] = ()

    def draws_at(self, rule: int, empty: int) -> bool:
        """Says whether the manager declares a draw when `empty` squares are left."""
        return rule in self.draw_rules and empty <= self.draw_empty


STRICT = ManagerProfile()

_NUMBER = r"[+-]?\d{1,9}"

PISKVORK = ManagerProfile(
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
    draw_rules=(0, 1, 4, 8, 9, 16, 32, 64),
)

GOMOCUP = ManagerProfile(
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

C_GOMOKU_CLI = ManagerProfile(
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
    # The manager itself waits for ever; the arena needs a limit.
    end_grace_s=5.0,
    tolerance_ms=3000,
    tolerance_share=0.5,
)

PROFILES: dict[str, ManagerProfile] = {
    manager.name: manager for manager in (STRICT, PISKVORK, GOMOCUP, C_GOMOKU_CLI)
}


def manager_profile(
    name: str, *, suspend: bool | None = None, start_on_clock: bool | None = None
) -> ManagerProfile:
    """Returns the profile of the manager `name`; raises ValueError with the known names.

    `suspend` and `start_on_clock` replace the manager's own behaviour unless they are None.
    """
    if name not in PROFILES:
        raise ValueError(f"unknown manager: {name!r}; known: {', '.join(PROFILES)}")
    manager = PROFILES[name]
    if suspend is not None:
        manager = replace(manager, suspend=suspend)
    if start_on_clock is not None:
        clocked = Clocked.FIRST_MOVE if start_on_clock else Clocked.NOTHING
        manager = replace(manager, clocked=clocked)
    return manager
