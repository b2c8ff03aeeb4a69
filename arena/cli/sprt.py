"""`tengen-arena sprt A B`: plays games until a test decides whether A is stronger."""

import argparse

from ..engines.arguments import add_hypotheses, say_stopped, whole_number
from ..match.arguments import EPILOG, add_match_arguments
from ..match.options import UsageError, plan_of
from ..match.run import open_games, play_match, run_command
from ..match.tally import Tally
from ..stats.sprt import EloModel, Sprt, SprtResult
from ..util.exits import Exit, exit_lines
from ..util.output import say

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

EXIT_CODES = {
    SprtResult.H1: Exit.DONE,
    SprtResult.H0: Exit.H0_ACCEPTED,
    SprtResult.GOES_ON: Exit.UNDECIDED,
}

HELP = "test whether one engine is stronger than another; stop when the test is decided"
_EXITS = exit_lines(
    Exit.DONE,
    Exit.H0_ACCEPTED,
    Exit.UNDECIDED,
    Exit.FORFEITED,
    Exit.USAGE,
    Exit.STOPPED,
    done="H1 accepted",
)
DESCRIPTION = f"""\
Plays A against B until a sequential probability ratio test (SPRT) decides between two hypotheses:

  H0  A is stronger by --elo0   (accepted at the lower bound)
  H1  A is stronger by --elo1   (accepted at the upper bound)

With --alpha .05 --beta .05 the bounds of the log-likelihood ratio are -2.944 and +2.944. The test
counts pairs of games (pentanomial model), because the two games of an opening depend on each
other. --trinomial counts single games instead. Both ratios are shown.

{EPILOG}
{_EXITS}

examples
  tengen-arena sprt NEW=./pbrain-new OLD=./pbrain-old --elo0 0 --elo1 5 --turn 100ms
  tengen-arena sprt ./pbrain ./pbrain --info-b prune.nmp=1 --nodes 5000 --elo0 0 --elo1 20
  tengen-arena sprt ./pbrain-new ./pbrain-old --elo0 -5 --elo1 0 --scheduler tcp://HOST:8786
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    group = parser.add_argument_group("test")
    add = group.add_argument
    add_hypotheses(group, elo1=5.0)
    add("--normalized", action="store_true", help="--elo0 and --elo1 are in normalized Elo")
    add("--trinomial", action="store_true", help="count single games instead of pairs")
    add("--games", type=whole_number(1), help="stop after this many games (default: no limit)")
    add_match_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Plays until the test decides; returns the exit code."""
    return run_command(lambda: _sprt(args))


def _sprt(args: argparse.Namespace) -> int:
    model = EloModel.NORMALIZED if args.normalized else EloModel.LOGISTIC
    try:
        test = Sprt(args.elo0, args.elo1, args.alpha, args.beta, model)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    plan = plan_of(args, args.games)

    def decided(tally: Tally) -> SprtResult:
        return test.state(tally.rated if args.trinomial else tally.pairs).result

    with open_games(plan, args.out, resume=args.resume) as store:
        tally, interrupted = play_match(
            plan,
            store,
            concurrency=args.concurrency,
            scheduler=args.scheduler,
            extra=lambda tally: sprt_text(test, tally, trinomial=args.trinomial),
            verdict=lambda tally: sprt_text(test, tally, trinomial=args.trinomial, is_over=True),
            should_stop=lambda tally: (
                decided(tally) is not SprtResult.GOES_ON or tally.has_too_many_forfeits
            ),
        )
    result = decided(tally)
    if result is SprtResult.GOES_ON and tally.has_too_many_forfeits:
        say(f"stopped: {tally.forfeits} of {tally.games} games were forfeited")
        return Exit.FORFEITED
    if interrupted and result is SprtResult.GOES_ON:
        say_stopped(store.folder)
        return Exit.STOPPED
    return EXIT_CODES[result]


def sprt_text(test: Sprt, tally: Tally, *, trinomial: bool, is_over: bool = False) -> str:
    """Returns the state of the test: the decisive ratio, then the other one.

    A finished test without a result is undecided.
    """
    counts = (tally.rated, tally.pairs) if trinomial else (tally.pairs, tally.rated)
    names = ("trinomial", "pentanomial") if trinomial else ("pentanomial", "trinomial")
    elo = "nElo" if test.model is EloModel.NORMALIZED else "Elo"
    state = test.state(counts[0]).text(is_over=is_over)
    return (
        f"{names[0]} {state} ({names[1]} {test.llr(counts[1]):+.3f}) "
        f"for {elo} [{test.elo0:g}, {test.elo1:g}]"
    )
