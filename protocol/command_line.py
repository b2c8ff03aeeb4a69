"""The options of the program, and its help. Plain data: argparse would cost time at every start.

`python -m tools.manual` makes the man page and the shell completion from it.
"""

from dataclasses import dataclass
from typing import Final

from pyengine import __version__
from pyengine.constants import MAX_LEVEL, MIN_LEVEL

__all__ = ["EXIT_CODES", "OPTIONS", "PURPOSE", "TRIAL", "Option", "help_text"]


@dataclass(frozen=True)
class Option:
    """An option of the command line.

    value: the name of its value, "" for a switch. lines: the help, broken as the terminal shows it.
    """

    flag: str
    value: str
    lines: tuple[str, ...]


PURPOSE: Final = "a Gomoku and renju engine that speaks the Piskvork protocol"
TRIAL: Final = """\
Add this program to a manager as a brain. It reads commands from standard input and writes answers
to standard output. To try it by hand, type:

  START 15          a board of 15x15            -> OK
  INFO rule 0       0 freestyle, 1 standard, 4 renju, 8 and 9 caro, 16 ninuki, 32 pente, 64 keryo
  INFO timeout_turn 1000
  BEGIN             the engine moves first      -> 7,7
  TURN 8,8          your move: column,row       -> the engine's move
  END
"""
OPTIONS: Final = (
    Option(
        "--level",
        f"{MIN_LEVEL}..{MAX_LEVEL}",
        (
            f"strength: {MIN_LEVEL} is a beginner, {MAX_LEVEL} (the default) is full strength;",
            "INFO level changes it. A copy of the program named pbrain-tengen-level3 or",
            "tengen3 plays level 3 without this option",
        ),
    ),
    Option(
        "--delay",
        "MS",
        (
            "wait at least MS milliseconds before each move, if the clock allows; with a range",
            "such as 500-1200, for a random time in the range (like INFO delay)",
        ),
    ),
    Option(
        "--set",
        "NAME=VALUE",
        (
            "set a switch or parameter of the search, e.g. --set prune.lmr=0; may be",
            "repeated (like INFO prune.NAME and INFO tune.NAME)",
        ),
    ),
    Option(
        "--weights",
        "PATH",
        (
            "play with the weights file PATH (RULE.tgw) instead of the built-in weights, or with",
            "a folder of such files; START under a rule that has no file gives ERROR",
        ),
    ),
    Option(
        "--bench",
        "",
        ("search fixed positions; print the speed and the signature of the search",),
    ),
    Option("--help", "", ("print this help",)),
    Option(
        "--version",
        "",
        ("print the version; a package adds its commit and its bench signature",),
    ),
)
EXIT_CODES: Final = """\
Exit codes: 0 after END or the end of the input; 1 if the core or the weights cannot be loaded or
the output cannot be written; 2 for wrong arguments; 130 after Ctrl-C; 141 if the output of --help
or --bench is closed.
"""
_COLUMN: Final = 20


def help_text() -> str:
    """The text that --help prints."""
    shown = []
    for option in OPTIONS:
        first = f"  {option.flag} {option.value}".rstrip().ljust(_COLUMN)
        shown.append(first + ("\n" + " " * _COLUMN).join(option.lines) + "\n")
    options = "".join(shown)
    head = f"Tengen {__version__}, {PURPOSE}.\n\nUsage: pbrain-tengen [OPTION]..."
    return f"{head}\n\n{TRIAL}\nOptions:\n{options}\n{EXIT_CODES}"
