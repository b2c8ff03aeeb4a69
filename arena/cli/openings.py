"""`tengen-arena openings`: makes, checks and lists sets of openings."""

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ..engines.arguments import RULE_NAMES, file_path, one_rule, one_size, whole_number
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
Makes, checks and lists sets of openings. Matches start from openings so that games differ. A file
has one opening on each line.

  openings make dist/pbrain-tengen --rule standard --size 15 --count 200 --seed 7
      generates random openings, scores each by a search, and keeps the balanced ones
  openings check my_openings.txt --rule 4 --size 15
      checks a file for illegal moves, games that are over, and symmetric copies
  openings list
      lists the shipped sets

Formats of files:
  offset   0,0, 1,-1, 2,0     offsets from the centre, the square (size // 2, size // 2)
  pos      h8i7j8             squares; a1 is the top left square
  psq      a game or position saved by Piskvork; all its moves are the opening
  sgf      a game; all moves of its main line are the opening
You can also give a folder of .psq and .sgf files.

{exit_lines(Exit.DONE, Exit.FOUND_WRONG, Exit.FORFEITED, Exit.USAGE, forfeited="the engine failed")}
"""
_MAKE = """\
Generates random openings of 3 to 7 stones in the centre, beside it and near the edge. The engine
searches each opening three times; an opening is kept if all three scores are balanced. The engine
must report its score in a message during the search, e.g. `MESSAGE DEPTH 8 SCORE -12`.

FILE.journal records every opening that was tried. The same command continues an interrupted run."""


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

    _add_make(action("make", "generate openings and keep the balanced ones", _MAKE))
    about = "Checks each opening of a file with the referee and reports all errors."
    _add_check(action("check", "check a file of openings", about))
    about = "Lists the shipped sets and their files."
    action("list", "list the shipped sets", about).set_defaults(act=_list)


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
        help=f"rule, by number or name (default: 0): {RULE_NAMES}",
    )
    parser.add_argument("--size", type=one_size, default=15, help="side of the board (default: 15)")


def _add_make(parser: argparse.ArgumentParser) -> None:
    add, number = parser.add_argument, whole_number
    add("engine", type=_engine, metavar="ENGINE", help="path, or command line in quotes")
    _add_game(parser)
    add("--count", type=number(1, 100_000), default=200, help="openings to keep (default: 200)")
    add("--seed", type=int, default=1, help="seed of the random openings (default: 1)")
    add(
        "--nodes",
        type=number(1),
        default=20_000,
        metavar="N",
        help="node limit of the second search (default: 20000)",
    )
    add(
        "--confirm-nodes",
        type=number(1),
        metavar="N",
        help="node limit of the last search (default: 3 x nodes)",
    )
    add(
        "--max-score",
        type=number(0),
        default=200,
        metavar="S",
        help="largest balanced score of either side, in the engine's units (default: 200)",
    )
    add(
        "--info",
        type=_info,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="send INFO KEY VALUE to the engine; may be repeated",
    )
    add(
        "--out", type=file_path, metavar="FILE", help="output file (default: e.g. freestyle_15.txt)"
    )
    add("--quiet", action="store_true", help="do not print each opening that is kept")
    parser.set_defaults(act=_make)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=file_path, metavar="FILE", help="file, or folder of .psq and .sgf files"
    )
    _add_game(parser)
    kinds = [kind.value for kind in Kind]
    parser.add_argument("--type", choices=kinds, help="format (default: the format of most lines)")
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
        complain(f"stopped; the same command continues {path}")
        return Exit.STOPPED
    except BrainFault as fault:
        complain(f"{engine.name}: {fault}; the same command continues {path}")
        return Exit.FORFEITED
    say(f"{path}: kept {made.kept} of {made.tried} openings")
    if made.gave_up:
        say(f"no more openings found; try a --max-score above {args.max_score}")
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
        say(f"copy:   {copy.place}: symmetric copy of {original.place}")
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
