"""`tengen-arena play`: a game at the terminal, of people and engines."""

import argparse
import contextlib
import importlib
import io
import os
import random
import sys
from pathlib import Path

from records.errors import FormatError

from ..engines.arguments import (
    RULE_NAMES,
    add_game_number,
    file_path,
    one_rule,
    one_size,
    whole_number,
)
from ..engines.brain import CommandError
from ..engines.managers import STRICT
from ..engines.spec import EngineSpec, parse_engine
from ..game.game import GameSettings
from ..match.limits import duration_ms
from ..openings.negotiation import Adviser, OpeningFault, SearchAdviser, negotiate
from ..play.engine import GRACE_MS, Engine, default_engine, with_level
from ..play.notation import Squares
from ..play.opening import PersonAdviser
from ..play.screen import Screen
from ..play.session import Asked, Options, Reviewer, Session
from ..play.table import Table
from ..review.source import load_source
from ..rules.opening_rules import Opening, OpeningRule, OpeningRuleError, Seat, usual_opening
from ..rules.referee import Color, Point, Rule
from ..run.jobs import make_player
from ..run.opening_play import BrainJudge, default_think_ms
from ..util.exits import Exit, exit_lines
from ..util.output import complain
from ..util.paths import game_path
from .play_review import reviewer_of

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HUMAN = "human"
NO_OPENING_RULE = "none"
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
  tengen-arena play --load game.sgf            continue a game; undo and redo go through it

Type a square as h8 (a1 is the bottom left corner) or as 7,7. Type `help` for the other commands:
undo, redo, hint, analyse, take, save, review, resign, quit. An engine that fails loses the game;
undo restarts it.

rules: {RULE_NAMES}
{exit_lines(Exit.DONE, Exit.FORFEITED, Exit.USAGE, Exit.STOPPED, done="played, or quit")}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("--black", default=HUMAN, metavar="WHO", help="human (default), engine, or a command")
    add("--white", default=ENGINE, metavar="WHO", help="like --black (default: engine)")
    add("--engine", metavar="CMD", help="engine for `engine` and for hints (default: Tengen)")
    add("--rule", type=one_rule, help="rule, by number or name (default: 0, or the file's)")
    add("--size", type=one_size, help="side of the board (default: 15; with captures: 19)")
    add(
        "--load",
        type=file_path,
        metavar="FILE",
        help="continue a game: .psq, .sgf, .lib, games.jsonl, or moves as text",
    )
    add_game_number(parser)
    add(
        "--opening-rule",
        choices=[NO_OPENING_RULE, *(rule.value for rule in OpeningRule)],
        help="make the opening by this rule; --black puts the first stone (default: none; under "
        "pente and keryo: pro, the tournament opening of Pente)",
    )
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
        default=(0, 0),
        metavar="MS[-MS]",
        help="minimum time before each engine move, or a range such as 500-1200 (default: 0)",
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
    add(
        "--save",
        type=file_path,
        metavar="FILE",
        help="save the game to a .psq or .sgf file at the end",
    )
    add("--review", action="store_true", help="review the game when it ends")
    add(
        "--squares",
        choices=[kind.value for kind in Squares],
        default=Squares.A1.value,
        help="a1: squares as h8, a1 at the bottom left (default); xy: Piskvork's x,y",
    )
    add("--plain", action="store_true", help="print no colours")
    add("--ascii", action="store_true", help="print only ASCII; stones are X and O")


def run(args: argparse.Namespace) -> int:
    """Plays the game that the arguments describe; returns the exit code."""
    if args.load is not None and args.opening_rule not in (None, NO_OPENING_RULE):
        return _wrong("--opening-rule: a loaded game already has its opening")
    try:
        specs = _players(args)
        advisor = _advisor(args, specs)
        loaded = None if args.load is None else _loaded(args)
    except (CommandError, FormatError) as error:
        return _wrong(str(error))
    args.rule = args.rule or Rule.FREESTYLE
    size = args.size or args.rule.usual_size
    try:
        for path in () if args.save is None else (args.save, game_path(args.save)):
            if path.exists():
                return _wrong(f"--save: {path} already exists")
    except (OSError, RuntimeError, ValueError) as error:
        text = getattr(error, "strerror", None) or error
        return _wrong(f"--save: {args.save}: {text}")
    screen = _screen(args, {})
    asker = _asker()
    try:
        specs, stones = _opened(args, specs, size, screen, asker)
    except (OpeningRuleError, OpeningFault) as error:
        return _wrong(f"--opening-rule: {error}")
    except EOFError:
        return Exit.DONE
    except KeyboardInterrupt:
        screen.say("", "stopped")
        return Exit.STOPPED
    table = loaded or Table(size, args.rule, args.turn, stones)
    engines = {color: _engine(with_level(spec, args.level), table) for color, spec in specs.items()}
    names = {c: engines[c].name if c in engines else HUMAN for c in Color}
    session = Session(
        table,
        engines,
        None if advisor is None else _engine(advisor, table),
        _screen(args, names),
        asker,
        Options(delay_ms=args.delay, analyse=args.analyse, review=args.review),
        reviewer=_reviewer(args, specs),
    )
    if loaded is not None:
        session.screen.say(f"{args.load}: {len(table.moves)} moves; undo goes back through them")
    return _play(session, args.save)


def _loaded(args: argparse.Namespace) -> Table:
    """Returns the game of a file; raises FormatError, which names file and line."""
    record = load_source(args.load, number=args.game, rule=args.rule, size=args.size or 15).record
    for name, given, told in (
        ("rule", args.rule, Rule(record.rule)),
        ("size", args.size, record.size),
    ):
        if given is not None and given != told:
            shown = told.name.lower() if isinstance(told, Rule) else told
            raise FormatError(
                f"{args.load}: the {name} is {shown}: expected the same --{name}, or none"
            )
    return Table.of(record, args.turn)


def _screen(args: argparse.Namespace, names: dict[Color, str]) -> Screen:
    squares = Squares(args.squares)
    return Screen(sys.stdout, names, plain=args.plain, ascii_only=args.ascii, squares=squares)


def _reviewer(args: argparse.Namespace, specs: dict[Color, EngineSpec]) -> Reviewer | None:
    """Returns what reviews the game: our own engine, else one that plays."""
    try:
        spec: EngineSpec | None = _own(args.engine)
    except CommandError:
        spec = next(iter(specs.values()), None)
    return None if spec is None else reviewer_of(spec, args.turn, plain=args.plain)


def _opening_rule(args: argparse.Namespace, size: int) -> OpeningRule | None:
    """Returns the rule of the opening, which some games have by default."""
    if args.load is not None or args.opening_rule == NO_OPENING_RULE:
        return None
    if args.opening_rule is not None:
        return OpeningRule(args.opening_rule)
    return usual_opening(args.rule, size)


def _opened(
    args: argparse.Namespace,
    specs: dict[Color, EngineSpec],
    size: int,
    screen: Screen,
    asker: Asked,
) -> tuple[dict[Color, EngineSpec], tuple[Point, ...]]:
    """Has the players make the opening; returns the engines by their colors in the game.

    Raises OpeningRuleError, OpeningFault, and EOFError where a person leaves.
    """
    rule = _opening_rule(args, size)
    if rule is None:
        return specs, ()
    opening = Opening.begin(rule, args.rule, size)
    settings = GameSettings(size=size, rule=args.rule, turn_ms=args.turn, tolerance_ms=GRACE_MS)
    seats = {Seat.FIRST: Color.BLACK, Seat.SECOND: Color.WHITE}
    think_ms = default_think_ms(settings)
    judges = {
        seat: BrainJudge(
            with_level(specs[color], args.level), settings, think_ms, STRICT, make_player
        )
        for seat, color in seats.items()
        if color in specs
    }
    advisers: dict[Seat, Adviser] = {
        seat: SearchAdviser(judges[seat], seed=random.randrange(1 << 30))
        if seat in judges
        else PersonAdviser(f"{HUMAN} ({seat.value})", asker, screen)
        for seat in seats
    }
    try:
        done = negotiate(opening, advisers, on_choice=screen.say)
    finally:
        for judge in judges.values():
            judge.close()
    swapped = done.opening.black is Seat.SECOND
    sides = {color: color.other if swapped else color for color in Color}
    by_color = {color: specs[side] for color, side in sides.items() if side in specs}
    return by_color, done.opening.stones


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


def _delay(text: str) -> tuple[int, int]:
    """Reads a time or a range of times, in ms where there is no unit."""
    first, dash, last = text.partition("-")
    least = _ms(first)
    most = _ms(last) if dash else least
    if most < least:
        raise argparse.ArgumentTypeError(f"{text!r}: the range ends before it begins")
    return least, most


def _ms(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else duration_ms(text)


def _wrong(text: str) -> int:
    complain(f"tengen-arena play: error: {text}")
    return Exit.USAGE
