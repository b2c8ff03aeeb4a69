"""`tengen-arena ablation ENGINE`: measures the worth of each part of an engine's search."""

import argparse
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from ..ablation.report import markdown, plot
from ..ablation.steps import (
    Deadline,
    Means,
    Step,
    StepResult,
    ablation_steps,
    means_of,
    reach,
    result_of,
)
from ..engines.arguments import (
    RULE_NAMES,
    add_hypotheses,
    add_workers,
    file_path,
    one_rule,
    one_size,
    say_stopped,
    whole_number,
)
from ..engines.spec import EngineSpec
from ..match.arguments import engine_argument, info_argument, match_defaults
from ..match.limits import duration_ms, tolerance_ms
from ..match.options import MatchPlan, UsageError, plan_of
from ..match.run import GAMES, open_games, play_match, run_command, unwritable
from ..match.tally import Tally
from ..rules.referee import Color, Rule
from ..run.store import read_store
from ..stats.sprt import Sprt, SprtResult
from ..util.exits import Exit, exit_lines
from ..util.output import say, shown
from ..util.paths import replace_text

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HOME = Path("arena-games") / "ablation"
OLD_HOME = Path("arena-games") / "ladder"
"""The default folder of older versions, which --resume still finds."""
DEPTH_LIMIT = 100

HELP = "measure the Elo of each part of an engine's search"
DESCRIPTION = f"""\
Measures the Elo of each part of an engine's search. The engine must have run-time switches
(INFO prune.NAME 0 or 1). The first step is plain negamax. Each further step turns on one more part
(alpha-beta, iterative deepening, the transposition table for ordering, its cutoffs, PVS, then each
pruning) and plays against the step before. A step ends when an SPRT decides between --elo0 and
--elo1, after --games, or at the end of its share of --budget.

After each step the command writes a table in Markdown and a plot (SVG) of depth, nodes and Elo.

depths    The first two steps have no iterative deepening. Plain negamax searches the first depth
          of --depths, alpha-beta the second. Choose depths that finish within --turn.
late      A late move loses only after --tolerance, so that the match compares the searches.
rules     {RULE_NAMES}
games     --out has one folder for each step. --resume continues an interrupted run.

{exit_lines(Exit.DONE, Exit.USAGE, Exit.STOPPED)}

examples
  tengen-arena ablation dist/pbrain-tengen
  tengen-arena ablation dist/pbrain-tengen --turn 30ms --games 24 --budget 8m --write ablation.md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("engine", type=engine_argument, metavar="ENGINE", help="path, or command line in quotes")
    add(
        "--rule",
        type=one_rule,
        default=Rule.FREESTYLE,
        help="rule, by number or name (default: freestyle)",
    )
    add("--size", type=one_size, help="side of the board (default: 15; with captures: 19)")
    add(
        "--openings", type=file_path, metavar="FILE", help="opening file (default: the shipped set)"
    )
    add("--seed", type=int, default=1, help="seed that shuffles the openings (default: 1)")
    add_workers(parser)
    add(
        "--out",
        type=file_path,
        default=HOME,
        metavar="FOLDER",
        help=f"folder of the games (default: {HOME})",
    )
    add("--resume", action="store_true", help="continue in --out")
    add(
        "--write", type=file_path, metavar="FILE", help="table file (default: ablation.md in --out)"
    )
    add("--note", action="append", default=[], metavar="TEXT", help="add a line below the table")
    _add_limits(parser)
    test = parser.add_argument_group("test")
    add = test.add_argument
    add_hypotheses(test, elo1=20.0)
    add("--games", type=whole_number(2), default=400, help="most games of a step (default: 400)")
    add(
        "--budget",
        type=duration_ms,
        metavar="TIME",
        help="time for all steps together (default: no limit)",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("limits")
    add = limits.add_argument
    add(
        "--turn",
        type=duration_ms,
        default=50,
        metavar="TIME",
        help="time for each move (default: 50ms)",
    )
    add(
        "--tolerance",
        type=tolerance_ms,
        default=2000,
        metavar="TIME",
        help="how late a move may be (default: 2s)",
    )
    add(
        "--depths",
        type=_depths,
        default=(2, 3),
        metavar="N,N",
        help="depths of the first two steps (default: 2,3)",
    )
    add(
        "--info",
        type=info_argument,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="send INFO KEY VALUE to the engine; may be repeated",
    )


def _depths(text: str) -> tuple[int, int]:
    """Reads the depths of the two steps before iterative deepening."""
    try:
        plain, pruned = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected two depths, e.g. 2,3") from None
    if not (1 <= plain <= DEPTH_LIMIT and 1 <= pruned <= DEPTH_LIMIT):
        raise argparse.ArgumentTypeError(f"{text!r}: depths are from 1 to {DEPTH_LIMIT}")
    return plain, pruned


def run(args: argparse.Namespace) -> int:
    """Plays the ablation study, writes its table and plot, and returns the exit code."""
    return run_command(lambda: _ablation(args))


def _ablation(args: argparse.Namespace) -> int:
    try:
        test = Sprt(args.elo0, args.elo1, args.alpha, args.beta)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    steps = ablation_steps(args.depths)
    if args.resume and args.out == HOME and not HOME.exists() and OLD_HOME.exists():
        args.out = OLD_HOME
    path = args.write or args.out / "ablation.md"
    if not path.name or shown(str(path)) != str(path):
        raise UsageError(f"--write: {path}: expected a file name, e.g. ablation.md")
    if path.suffix == ".svg":
        raise UsageError(f"--write: {path}: the plot has this name; expected e.g. ablation.md")
    if not args.resume and any(read_store(args.out / step.name / GAMES) for step in steps):
        raise UsageError(f"--out: {args.out} already has games; --resume continues them")
    deadline = Deadline(args.budget and args.budget / 1000, len(steps) - 1)
    results: list[StepResult] = []
    for before, step in pairwise(steps):
        deadline.next_step()
        plan = _plan(args, before, step)
        found, interrupted = _play_step(args, plan, step, test, deadline)
        if not results:
            results.append(StepResult(before, _means(args.out / step.name, before.name)))
        results.append(found)
        _write(path, results, plan, test, args.note)
        if interrupted:
            say_stopped(args.out)
            return Exit.STOPPED
    say(f"ablation  {path}, {path.with_suffix('.svg')}")
    return Exit.DONE


def _plan(args: argparse.Namespace, before: Step, step: Step) -> MatchPlan:
    """Returns the match of a step against the step before it."""
    engine: EngineSpec = replace(args.engine, info=(*args.engine.info, *args.info))
    words = {
        **match_defaults(),
        **vars(args),
        "a": step.engine(engine),
        "b": before.engine(engine),
        "info": (),
    }
    return plan_of(argparse.Namespace(**words), args.games)


def _play_step(
    args: argparse.Namespace, plan: MatchPlan, step: Step, test: Sprt, deadline: Deadline
) -> tuple[StepResult, bool]:
    """Plays the games of a step; returns its result, and whether Ctrl-C ended it."""

    def should_stop(tally: Tally) -> bool:
        # Play whole pairs: the test ignores a half pair, and the score is biased by it.
        decided = test.state(tally.pairs).result is not SprtResult.GOES_ON
        is_over = deadline.is_over or tally.has_too_many_forfeits
        return decided or (is_over and not tally.has_half_pairs)

    with open_games(plan, args.out / step.name, resume=True) as store:
        tally, interrupted = play_match(
            plan,
            store,
            concurrency=args.concurrency,
            scheduler=args.scheduler,
            extra=lambda tally: str(test.state(tally.pairs)),
            verdict=lambda tally: test.state(tally.pairs).text(is_over=True),
            should_stop=should_stop,
        )
    return result_of(step, tally, _means(store.folder, step.name), test), interrupted


def _means(folder: Path, name: str) -> Means:
    """Returns an engine's averages over the games of a folder."""
    records = [game.record for game in read_store(folder / GAMES)]
    return means_of((r, Color.BLACK if r.black.name == name else Color.WHITE) for r in records)


def _write(
    path: Path, results: list[StepResult], plan: MatchPlan, test: Sprt, more: list[str]
) -> None:
    """Writes the table and the plot of the steps so far."""
    settings = plan.settings
    rule = Rule(settings.rule).name.lower()
    forfeits = sum(result.forfeits for result in results)
    above = sum(reach(result.score)[1] > 0 for result in results)
    below = sum(reach(result.score)[2] < 0 for result in results)
    notes = (
        f"{rule} {settings.size}x{settings.size}, {settings.turn_ms} ms a move, openings: "
        f"{plan.source}, each twice with colours swapped.",
        f"SPRT for Elo [{test.elo0:g}, {test.elo1:g}], alpha {test.alpha:g}, beta {test.beta:g}, "
        f"bounds {test.bounds[0]:+.3f} and {test.bounds[1]:+.3f}, over pairs of games; "
        f"at most {plan.games} games a step. LOS: the likelihood that the step is stronger.",
        f"{sum(result.score.games for result in results)} games count; {forfeits} forfeited games "
        "do not. "
        f"Wilson's 95 % interval, shown in the plot, lies above 0 for {above} of "
        f"{len(results) - 1} steps and below 0 for {below}.",
        "Depths of two steps are not comparable: the averages are over the moves of different "
        "games. The engine reports depth 1 for a move found without a search (a five, or a VCF at "
        "the root). Near the end of a long drawn game few squares are empty, and the search gets "
        "deep.",
        *more,
    )
    picture = path.with_suffix(".svg")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, markdown(results, notes=notes, plot_name=picture.name))
        replace_text(picture, plot(results))
    except OSError as error:
        raise unwritable(f"--write: {path}", error) from None
