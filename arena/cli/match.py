"""`tengen-arena match A B`: plays games between two engines, in colour-swapped pairs."""

import argparse

from ..engines.arguments import say_stopped, whole_number
from ..match.arguments import EPILOG, add_match_arguments
from ..match.options import plan_of
from ..match.run import open_games, play_match, run_command
from ..util.exits import Exit, exit_lines
from ..util.output import complain

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "play a match between two engines"
DESCRIPTION = f"""\
Plays a match between two engines that speak the Piskvork protocol. Every opening is played twice
with colours swapped. The referee checks every move, including the captures of ninuki.

An engine loses a game by a fault: it does not start, exits, hangs, gives an unknown answer, plays
an illegal or late move, or uses too much memory. The record names the fault; the match continues.

{EPILOG}
{exit_lines(Exit.DONE, Exit.FORFEITED, Exit.USAGE, Exit.STOPPED, done="played")}

examples
  tengen-arena match ./pbrain-new ./pbrain-old --games 100 --turn 100ms --concurrency 4
  tengen-arena match NEW=./pbrain OLD=./pbrain --info-b level=3 --nodes 5000 --rule renju
  tengen-arena match ./pbrain-mine ./pbrain-rival --like gomocup --turn 5s --game 2m --memory 350
  tengen-arena match A="python3 -m protocol" B=./pbrain --rule ninuki --resume
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument(
        "--games", type=whole_number(1), default=100, help="number of games (default: 100)"
    )
    add_match_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Plays the match and returns the exit code."""
    return run_command(lambda: _match(args))


def _match(args: argparse.Namespace) -> int:
    plan = plan_of(args, args.games)
    pairs = (args.games + 1) // 2
    if plan.opening_play is None and pairs > len(plan.openings):
        complain(f"note: {pairs} pairs, but only {len(plan.openings)} openings: some are repeated")
    with open_games(plan, args.out, resume=args.resume) as store:
        tally, interrupted = play_match(
            plan, store, concurrency=args.concurrency, scheduler=args.scheduler
        )
    if interrupted:
        say_stopped(store.folder)
        return Exit.STOPPED
    return Exit.FORFEITED if tally.has_forfeits else Exit.DONE
