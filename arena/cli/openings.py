"""`tengen-arena openings`: makes, checks and lists sets of openings."""

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ..engines.arguments import RULE_NAMES, one_rule, one_size, whole_number
from ..engines.brain import CommandError
from ..engines.spec import EngineSpec, parse_engine, parse_info, with_options
from ..match.options import UsageError, refuse_other_rule
from ..openings.book import (
    Kind,
    OpeningError,
    examine,
    offset_text,
    shipped,
    shipped_folder,
    shipped_name,
    shipped_sizes,
)
from ..openings.journal import Candidate
from ..openings.maker import Recipe, make_openings
from ..rules.referee import Rule
from ..util.exits import Exit, exit_lines
from ..util.faults import BrainFault
from ..util.output import complain, say

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "make, check and list sets of balanced openings"
DESCRIPTION = f"""\
Sets of openings, one on each line, with which matches begin so that no two are the same game.

  openings make dist/pbrain-tengen --rule standard --size 15 --count 200 --seed 7
      draws short openings, lets the engine search each, and keeps the even ones
  openings check my_openings.txt --rule 4 --size 15
      lets the referee look at a file: illegal moves, games that are over, symmetric copies
  openings list
      the sets that come with the arena

Files are read in the formats of Gomocup, Piskvork and c-gomoku-cli, and so are games:
  offset   0,0, 1,-1, 2,0     from the centre, the square (size // 2, size // 2)
  pos      h8i7j8             from the top left square, a1
  psq      a game or a position saved by Piskvork; all its moves are the opening
  sgf      the main line of a game, likewise
A folder of .psq and .sgf files is read as well.

{exit_lines(Exit.DONE, Exit.FOUND_WRONG, Exit.FORFEITED, Exit.USAGE)}
"""
_MAKE = """\
Draws openings of 3 to 7 stones, in the centre, beside it and near the edge, and keeps those of
which the engine thinks, at each of three searches, that they are even. The engine has to tell its
score in the messages it writes while it thinks, as `MESSAGE DEPTH 8 SCORE -12`.

What was tried is kept in FILE.journal: the same command goes on where it was stopped."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the three actions and their options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, text: str, about: str) -> argparse.ArgumentParser:
        return actions.add_parser(
            name,
            help=text,
            description=about,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    _add_make(action("make", "make a set by search", _MAKE))
    about = "Lets the referee look at each opening of a file, and reports all that is wrong."
    _add_check(action("check", "look for what is wrong in a file", about))
    about = "Lists the sets that come with the arena, with the files that hold them."
    action("list", "list the sets that are shipped", about).set_defaults(act=_list)


def run(args: argparse.Namespace) -> int:
    """Runs one action and returns the exit code."""
    act: Callable[[argparse.Namespace], int] = args.act
    try:
        return act(args)
    except OpeningError as error:
        complain(f"tengen-arena openings {args.action}: error: {error}")
        return Exit.USAGE


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rule",
        type=one_rule,
        default=Rule.FREESTYLE,
        help=f"number or name (default: 0): {RULE_NAMES}",
    )
    parser.add_argument("--size", type=one_size, default=15, help="side of the board (default: 15)")


def _add_make(parser: argparse.ArgumentParser) -> None:
    add, number = parser.add_argument, whole_number
    add("engine", type=_engine, metavar="ENGINE", help="path, or quoted command")
    _add_game(parser)
    add("--count", type=number(1, 100_000), default=200, help="how many (default: 200)")
    add("--seed", type=int, default=1, help="of the random draws (default: 1)")
    add("--nodes", type=number(1), default=20_000, metavar="N", help="search of (default: 20000)")
    add("--confirm-nodes", type=number(1), metavar="N", help="of the last one (default: 3 x nodes)")
    add(
        "--max-score",
        type=number(0),
        default=200,
        metavar="S",
        help="in the engine's own units, for either side (default: 200)",
    )
    add(
        "--info",
        type=_info,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="sent to the engine as INFO; can be given again",
    )
    add("--out", type=Path, metavar="FILE", help="written to (default: as freestyle_15.txt)")
    add("--quiet", action="store_true", help="do not show each opening that is found")
    parser.set_defaults(act=_make)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="file, or folder of .psq and .sgf files"
    )
    _add_game(parser)
    kinds = [kind.value for kind in Kind]
    parser.add_argument("--type", choices=kinds, help="format (default: that of most lines)")
    parser.set_defaults(act=_check)


def _engine(text: str) -> EngineSpec:
    try:
        return parse_engine(text)
    except CommandError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _info(text: str) -> tuple[str, str]:
    try:
        return parse_info(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _make(args: argparse.Namespace) -> int:
    recipe = Recipe(
        rule=args.rule,
        size=args.size,
        seed=args.seed,
        nodes=args.nodes,
        confirm_nodes=args.confirm_nodes or 3 * args.nodes,
        max_score=args.max_score,
    )
    path: Path = args.out or Path(shipped_name(args.rule, args.size))
    engine = with_options(args.engine, info=args.info)
    try:
        refuse_other_rule((engine,), args.rule)
    except UsageError as error:
        raise OpeningError(str(error)) from None

    def show(number: int, candidate: Candidate) -> None:
        if not args.quiet:
            line = offset_text(candidate.moves, args.size)
            scores = " ".join(f"{score:+}" for score in candidate.scores if score is not None)
            say(f"{number:>5}/{args.count}  {line}  [{scores}]")

    try:
        made = make_openings(engine, recipe, path, count=args.count, on_kept=show)
    except KeyboardInterrupt:
        complain(f"stopped; the same command goes on with {path}")
        return Exit.STOPPED
    except BrainFault as fault:
        complain(f"{engine.name}: {fault}; the same command goes on with {path}")
        return Exit.FORFEITED
    say(f"{path}: {made.kept} openings, of {made.tried} tried")
    if made.gave_up:
        say(f"no more were found: a larger --max-score than {args.max_score} may help")
        return Exit.FOUND_WRONG
    return Exit.DONE


def _check(args: argparse.Namespace) -> int:
    report = examine(args.file, size=args.size, rule=args.rule, kind=args.type)
    name = args.rule.name.lower()
    lengths = Counter(len(opening.moves) for opening in report.openings)
    counts = ", ".join(f"{count} of {length}" for length, count in sorted(lengths.items()))
    say(f"{args.file}: {len(report.openings)} openings for {name} {args.size}x{args.size}")
    say(f"stones: {counts or 'none'}")
    for problem in report.problems:
        say(f"wrong:  {problem}")
    for copy, original in report.copies:
        say(f"copy:   {copy.place}: the same by a symmetry of the board as {original.place}")
    return Exit.FOUND_WRONG if report.problems or report.copies else Exit.DONE


def _list(args: argparse.Namespace) -> int:
    folder = shipped_folder()
    say(f"{'rule':<17} {'size':>5} {'openings':>9}  file")
    for rule in Rule:
        for size in shipped_sizes(rule):
            count = len(shipped(rule, size))
            title = f"{rule.value:>2} {rule.name.lower()}"
            say(f"{title:<17} {size:>5} {count:>9}  {folder / shipped_name(rule, size)}")
    return Exit.DONE
