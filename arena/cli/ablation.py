"""`tengen-arena ablation ENGINE`: what each part of its search is worth."""

import argparse
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..ablation.report import markdown, plot
from ..ablation.steps import Deadline, Means, Step, StepResult, ladder, means_of, reach, result_of
from ..engines.arguments import RULE_NAMES, one_rule, one_size, say_stopped, whole_number
from ..engines.spec import EngineSpec
from ..match.options import (
    MatchPlan,
    UsageError,
    duration_ms,
    engine_argument,
    info_argument,
    plan_of,
    tolerance_ms,
)
from ..match.run import GAMES, open_games, play_match, run_command
from ..match.tally import Tally
from ..rules.referee import Color, Rule
from ..run.store import read_store
from ..stats.sprt import Sprt, SprtResult
from ..util.exits import Exit, exit_lines
from ..util.output import say, shown

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HOME = Path("arena-games") / "ladder"
DEPTH_LIMIT = 100

HELP = "play an engine against itself with parts of its search taken away, step by step"
DESCRIPTION = f"""\
Takes an engine's search apart by its run-time switches (INFO prune.NAME 0 or 1) and plays each
step against the one before: plain negamax, alpha-beta, iterative deepening, the table for
ordering, table cutoffs, PVS, and so on to every pruning. A step ends when a sequential test has
decided between --elo0 and --elo1, or with --games, or when its share of --budget is used up.

Writes a table in Markdown, and next to it a plot (SVG) of depth, nodes and Elo, after each step.

depths    the first two steps do not deepen: they search --depths at once, plain negamax the
          first and alpha-beta the second; take what they finish in --turn
late      a late move loses only beyond --tolerance: it is the search that is compared
rules     {RULE_NAMES}
games     kept in --out, a folder for each step; --resume goes on there

{exit_lines(Exit.DONE, Exit.USAGE, Exit.STOPPED)}

examples
  tengen-arena ablation dist/pbrain-tengen
  tengen-arena ablation dist/pbrain-tengen --turn 30ms --games 24 --budget 8m --write ladder.md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("engine", type=engine_argument, metavar="ENGINE", help="a path or a quoted command line")
    add("--rule", type=one_rule, default=Rule.FREESTYLE, help="number or name (default: freestyle)")
    add("--size", type=one_size, help="side of the board (default: 15; ninuki 19)")
    add("--openings", type=Path, metavar="FILE", help="(default: the shipped set)")
    add("--seed", type=int, default=1, help="of the openings' order (default: 1)")
    add("--concurrency", type=whole_number(1, 1024), metavar="N", help="games at once (default: 1)")
    add("--scheduler", metavar="ADDRESS", help="play on a Dask cluster, as tcp://HOST:8786")
    add("--out", type=Path, default=HOME, metavar="FOLDER", help=f"for games (default: {HOME})")
    add("--resume", action="store_true", help="go on in --out")
    add("--write", type=Path, metavar="FILE", help="the table (default: ladder.md in --out)")
    add("--note", action="append", default=[], metavar="TEXT", help="a line below the table")
    limits = parser.add_argument_group("limits")
    add = limits.add_argument
    time: dict[str, Any] = {"type": duration_ms, "metavar": "TIME"}
    add("--turn", default=50, help="for each move (default: 50ms)", **time)
    add("--tolerance", type=tolerance_ms, default=2000, metavar="TIME", help="(default: 2s)")
    add("--depths", type=_depths, default=(2, 3), metavar="N,N", help="see above (default: 2,3)")
    add("--info", type=info_argument, action="append", default=[], metavar="KEY=VALUE")
    test = parser.add_argument_group("test")
    add = test.add_argument
    add("--elo0", type=float, default=0.0, metavar="ELO", help="of H0 (default: 0)")
    add("--elo1", type=float, default=20.0, metavar="ELO", help="of H1 (default: 20)")
    add("--alpha", type=float, default=0.05, metavar="P", help="false H1 (default: .05)")
    add("--beta", type=float, default=0.05, metavar="P", help="false H0 (default: .05)")
    add("--games", type=whole_number(2), default=400, help="at most, a step (default: 400)")
    add("--budget", help="for all steps together (default: no end)", **time)


def _depths(text: str) -> tuple[int, int]:
    """Reads the depths of the two steps before iterative deepening."""
    try:
        plain, pruned = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected two depths, as 2,3") from None
    if not (1 <= plain <= DEPTH_LIMIT and 1 <= pruned <= DEPTH_LIMIT):
        raise argparse.ArgumentTypeError(f"{text!r}: depths are from 1 to {DEPTH_LIMIT}")
    return plain, pruned


def run(args: argparse.Namespace) -> int:
    """Plays the ladder, writes it down, and returns the exit code."""
    return run_command(lambda: _ladder(args))


def _ladder(args: argparse.Namespace) -> int:
    try:
        test = Sprt(args.elo0, args.elo1, args.alpha, args.beta)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    steps = ladder(args.depths)
    path = args.write or args.out / "ladder.md"
    if not path.name or shown(str(path)) != str(path):
        raise UsageError(f"--write: {path}: expected the name of a file, as ladder.md")
    if path.suffix == ".svg":
        raise UsageError(f"--write: {path}: the plot has that name: expected a name as ladder.md")
    if not args.resume and any(read_store(args.out / step.name / GAMES) for step in steps):
        raise UsageError(f"--out: {args.out} has games already: --resume goes on there")
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
    say(f"ladder    {path}, {path.with_suffix('.svg')}")
    return Exit.DONE


def _plan(args: argparse.Namespace, before: Step, step: Step) -> MatchPlan:
    """Returns the match of a step against the step before it."""
    engine: EngineSpec = replace(args.engine, info=(*args.engine.info, *args.info))
    words = {
        **vars(args),
        "a": step.engine(engine),
        "b": before.engine(engine),
        **dict.fromkeys(("info", "info_a", "info_b"), ()),
        "count_forfeits": False,
        **dict.fromkeys(("like", "suspend", "start_on_clock", "game", "nodes", "depth")),
        "memory": 0,
        "in_order": False,
    }
    return plan_of(argparse.Namespace(**words), args.games)


def _play_step(
    args: argparse.Namespace, plan: MatchPlan, step: Step, test: Sprt, deadline: Deadline
) -> tuple[StepResult, bool]:
    """Plays a step's games; returns what came of them and whether Ctrl-C ended them."""

    def should_stop(tally: Tally) -> bool:
        # Whole pairs: a half one tells nothing to the test and a wrong thing to the score.
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
        f"at most {plan.games} games a step. LOS: how likely the step is the stronger one.",
        f"{sum(result.score.games for result in results)} games, and {forfeits} that were "
        "forfeited and do not count; "
        f"Wilson's 95 % interval, the one drawn, lies above 0 for {above} of {len(results) - 1} "
        f"steps, below it for {below}.",
        "A move found without searching (a five, or a VCF at the root) counts with the depth that "
        "the engine reports for it, 1, and long drawn games end with deep looks at few squares: an "
        "average depth tells of the games played, and two steps' averages are not of the same "
        "positions.",
        *more,
    )
    picture = path.with_suffix(".svg")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(markdown(results, notes=notes, plot_name=picture.name), encoding="utf-8")
        picture.write_text(plot(results), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--write: {path}: {error.strerror}") from None
