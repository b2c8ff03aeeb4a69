"""`tengen-arena play`: a game at the terminal, of people and engines."""

import argparse
import contextlib
import importlib
import io
import os
import sys
from pathlib import Path

from ..engines.arguments import RULE_NAMES, one_rule, one_size, whole_number
from ..engines.brain import CommandError
from ..engines.spec import EngineSpec, parse_engine
from ..match.limits import duration_ms
from ..play.engine import Engine, default_engine, with_level
from ..play.screen import Screen
from ..play.session import Asked, Options, Session
from ..play.table import Table
from ..rules.referee import Color, Rule
from ..util.exits import Exit, exit_lines
from ..util.output import complain
from ..util.paths import game_path

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HUMAN = "human"
ENGINE = "engine"

HELP = "play in the terminal: people, engines, or both"
DESCRIPTION = f"""\
Plays a game in the terminal. Each side is a person (`human`), Tengen (`engine`), or another engine
(its path, or a command line in quotes).

  tengen-arena play                            you are Black, the engine is White
  tengen-arena play --black engine --white human --rule renju --level 3
  tengen-arena play --white human              two people at one board
  tengen-arena play --black engine --white ./pbrain-other --turn 1s --delay 800ms
  tengen-arena play --rule ninuki --analyse 3  show three lines of analysis before each move

Type a square as h8 or 7,7. Type `help` for the other commands: undo, hint, analyse, take, save,
resign, quit. An engine that fails loses the game; undo restarts it.

rules: {RULE_NAMES}
{exit_lines(Exit.DONE, Exit.FORFEITED, Exit.USAGE, Exit.STOPPED, done="played, or quit")}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("--black", default=HUMAN, metavar="WHO", help="human, engine, or an engine's command")
    add("--white", default=ENGINE, metavar="WHO", help="like --black (default: engine)")
    add("--engine", metavar="CMD", help="engine for `engine` and for hints (default: Tengen)")
    add(
        "--rule",
        type=one_rule,
        default=Rule.FREESTYLE,
        help="rule, by number or name (default: 0)",
    )
    add("--size", type=one_size, help="side of the board (default: 15; with captures: 19)")
    add(
        "--turn",
        type=duration_ms,
        default=2000,
        metavar="TIME",
        help="time for each engine move (default: 2s)",
    )
    add("--level", type=whole_number(1, 10), metavar="1..10", help="level of the engines that play")
    add(
        "--delay",
        type=_delay,
        default=0,
        metavar="MS",
        help="least time before each engine move (default: 0)",
    )
    add(
        "--analyse",
        type=whole_number(1, 20),
        default=0,
        nargs="?",
        const=3,
        metavar="N",
        help="show N lines of analysis before each of your moves (default: 3)",
    )
    add("--save", type=Path, metavar="FILE", help="save the game to a .psq or .sgf file at the end")
    add("--plain", action="store_true", help="print no colours")
    add("--ascii", action="store_true", help="print only ASCII; stones are X and O")


def run(args: argparse.Namespace) -> int:
    """Plays the game that the arguments describe; returns the exit code."""
    size = args.size or args.rule.usual_size
    try:
        specs = _players(args)
        advisor = _advisor(args, specs)
    except CommandError as error:
        return _wrong(str(error))
    try:
        for path in () if args.save is None else (args.save, game_path(args.save)):
            if path.exists():
                return _wrong(f"--save: {path} already exists")
    except (OSError, RuntimeError, ValueError) as error:
        text = getattr(error, "strerror", None) or error
        return _wrong(f"--save: {args.save}: {text}")
    table = Table(size, args.rule, args.turn)
    engines = {color: _engine(with_level(spec, args.level), table) for color, spec in specs.items()}
    names = {c: engines[c].name if c in engines else HUMAN for c in Color}
    session = Session(
        table,
        engines,
        None if advisor is None else _engine(advisor, table),
        Screen(sys.stdout, names, plain=args.plain, ascii_only=args.ascii),
        _asker(),
        Options(delay_ms=args.delay, analyse=args.analyse),
    )
    return _play(session, args.save)


def _play(session: Session, save: Path | None) -> int:
    """Plays, and saves the game however it ends."""
    try:
        session.run()
    except KeyboardInterrupt:
        session.screen.say("", "stopped")
        return Exit.STOPPED
    finally:
        if save is not None:
            session.save(save)
    end = session.table.end
    return Exit.FORFEITED if end is not None and end.reason.is_forfeit else Exit.DONE


def _players(args: argparse.Namespace) -> dict[Color, EngineSpec]:
    """Returns the engines by colour; raises CommandError where one cannot be started."""
    specs: dict[Color, EngineSpec] = {}
    for color, who in ((Color.BLACK, args.black), (Color.WHITE, args.white)):
        if who == ENGINE:
            specs[color] = _own(args.engine)
        elif who != HUMAN:
            specs[color] = parse_engine(who)
    return specs


def _advisor(args: argparse.Namespace, specs: dict[Color, EngineSpec]) -> EngineSpec | None:
    """Returns who gives hints: our own engine, else one that plays."""
    if len(specs) == len(Color):
        return None
    try:
        return _own(args.engine)
    except CommandError:
        if args.engine is not None:
            raise
        return next(iter(specs.values()), None)


def _own(command: str | None) -> EngineSpec:
    return default_engine() if command is None else parse_engine(command)


def _engine(spec: EngineSpec, table: Table) -> Engine:
    settings = table.settings
    return Engine(
        spec, size=settings.size, rule=int(settings.rule), turn_ms=settings.turn_ms or 2000
    )


def _asker() -> Asked:
    """Returns what asks a person: with line editing, where the terminal and Python know it."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A byte that is no text is a typing mistake like any other.
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty() and os.environ.get("TERM") not in (None, "dumb"):
        with contextlib.suppress(ImportError):
            readline = importlib.import_module("readline")
            readline.parse_and_bind("set enable-bracketed-paste off")
    return input


def _delay(text: str) -> int:
    """Reads a time, in ms where there is no unit."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else duration_ms(text)


def _wrong(text: str) -> int:
    complain(f"tengen-arena play: error: {text}")
    return Exit.USAGE
