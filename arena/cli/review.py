"""`tengen-arena review GAME`: where a game turned, and what was missed."""

import argparse
from dataclasses import asdict
from errno import ENOSPC
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
from ..engines.spec import EngineSpec, parse_engine
from ..match.limits import duration_ms
from ..play.client import Brain
from ..play.engine import default_engine
from ..review.journal import Journal, OtherReviewError
from ..review.judge import Budget, Judge
from ..review.progress import telling
from ..review.report import Finished, write_reports
from ..review.source import Source, load_source
from ..util.exits import Exit, exit_lines
from ..util.faults import BrainFault
from ..util.output import complain, say

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "find the turning points of a game"
TURN_MS = 1000
DESCRIPTION = f"""\
Judges each position of a game with an engine, and lists the moves that lost much. For each one it
shows the better move, the loss of win rate, and what the player missed: a VCF, a VCT, another win,
or the defence.

  tengen-arena review game.psq                      Tengen, 1 s a position
  tengen-arena review games.jsonl --game 7 --nodes 100k
  tengen-arena review game.sgf --engine ./pbrain-other --turn 3s --out review

The folder gets review.sgf (comments and better lines), review.json, and review.html (graph and
board). The same command continues a stopped review. The formats are .sgf, .psq, .lib, games.jsonl,
lines of openings, and moves as text. Scores of other engines are read as points of Tengen.

rules: {RULE_NAMES}
{
    exit_lines(
        Exit.DONE,
        Exit.FORFEITED,
        Exit.USAGE,
        Exit.STOPPED,
        done="reviewed",
        forfeited="the engine failed",
    )
}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add_source_arguments(parser)
    add = parser.add_argument
    add("--out", type=file_path, metavar="DIR", help="folder (default: NAME-review)")
    add("--again", action="store_true", help="replace a review in the folder")
    add(
        "--least",
        type=whole_number(1, 100),
        default=15,
        metavar="PERCENT",
        help="smallest loss of a turning point (default: 15)",
    )
    add("--plain", action="store_true", help="show no progress bar")


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the game, the engine, and the limits of a search."""
    add = parser.add_argument
    add("file", type=file_path, metavar="GAME", help="a file of a game")
    add_game_number(parser)
    add("--rule", type=one_rule, help="rule, if the file names none (default: freestyle)")
    add("--size", type=one_size, default=15, help="board for moves as text (default: 15)")
    add("--engine", metavar="CMD", help="engine that judges (default: Tengen)")
    add("--turn", type=duration_ms, metavar="TIME", help="time of each search (default: 1s)")
    add(
        "--nodes",
        type=_count,
        metavar="N",
        help="nodes of each search, such as 100k, instead of a time",
    )
    add(
        "--depth",
        type=whole_number(1, 999),
        metavar="N",
        help="depth of each search, instead of a time",
    )


def _count(text: str) -> int:
    """Reads a number of nodes; k and M are thousands and millions."""
    number, unit = text[:-1], text[-1:].lower()
    if unit in ("k", "m") and number.isascii() and number.isdigit() and len(number) < 7:
        return int(number) * {"k": 1000, "m": 1_000_000}[unit]
    return whole_number(1)(text)


def run(args: argparse.Namespace) -> int:
    """Reviews the game and returns the exit code."""
    try:
        source = load_source(args.file, number=args.game, rule=args.rule, size=args.size)
        spec = engine_of(args)
    except (CommandError, FormatError) as error:
        return _wrong(str(error))
    folder = args.out or args.file.with_name(f"{args.file.stem}-review")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        journal = Journal(
            folder / "review.jsonl", _header(source, spec, budget_of(args)), again=args.again
        )
    except OtherReviewError as error:
        return _wrong(f"--out: {error}; --again begins anew")
    except OSError as error:
        if error.errno == ENOSPC:  # no wrong argument
            raise
        return _wrong(f"--out: {folder}: {error.strerror}")
    try:
        return _review(args, source, spec, journal, folder)
    finally:
        journal.close()


def _review(
    args: argparse.Namespace, source: Source, spec: EngineSpec, journal: Journal, folder: Path
) -> int:
    code = _judge_all(source, spec, budget_of(args), journal, plain=args.plain)
    if code is not Exit.DONE:
        return code
    review = Finished(
        source=source,
        judgements=tuple(journal.judgements),
        engine=spec.name,
        limits=limits_text(budget_of(args)),
        least=args.least / 100,
    )
    say(*review.table.splitlines())
    for path in write_reports(folder, review):
        say(f"wrote {path}")
    return Exit.DONE


def _judge_all(
    source: Source, spec: EngineSpec, budget: Budget, journal: Journal, *, plain: bool
) -> Exit:
    """Judges the positions that are not judged yet."""
    moves = [*source.moves, None]
    done = len(journal.judgements)
    brain = Brain.of(spec)
    try:
        with telling(len(moves), plain=plain) as tell:
            judge = Judge(brain, budget)
            for ply, (position, move) in enumerate(zip(source.positions(), moves, strict=True)):
                if ply >= done:
                    journal.add(judge.judge(position, move))
                    tell(ply + 1)
    except BrainFault as fault:
        complain(f"tengen-arena review: {spec.name} broke down: {fault}")
        return Exit.FORFEITED
    except KeyboardInterrupt:
        judged = len(journal.judgements)
        complain(f"stopped: {judged} of {len(moves)} positions; the same command continues")
        return Exit.STOPPED
    finally:
        brain.close()
    return Exit.DONE


def engine_of(args: argparse.Namespace) -> EngineSpec:
    """Returns the engine that is named, else our own; raises CommandError."""
    return default_engine() if args.engine is None else parse_engine(args.engine)


def budget_of(args: argparse.Namespace) -> Budget:
    """Returns the limits of each search; a time of 1 s where there is none."""
    has_limit = args.nodes is not None or args.depth is not None
    turn = args.turn if args.turn is not None or has_limit else TURN_MS
    return Budget(time_ms=turn, nodes=args.nodes, depth=args.depth)


def limits_text(budget: Budget) -> str:
    """Returns the limits of a search for people."""
    told = [f"{budget.time_ms} ms"] if budget.time_ms is not None else []
    told += [f"{budget.nodes:,} nodes"] if budget.nodes is not None else []
    told += [f"depth {budget.depth}"] if budget.depth is not None else []
    return ", ".join(told)


def _header(source: Source, spec: EngineSpec, budget: Budget) -> dict[str, object]:
    """Returns of what the judgements are."""
    setup = source.record.setup
    return {
        "format": 1,
        "size": source.size,
        "rule": int(source.rule),
        "setup": [setup.black, setup.white, setup.first],
        "moves": source.moves,
        "engine": list(spec.command),
        "limits": asdict(budget),
    }


def _wrong(text: str) -> int:
    complain(f"tengen-arena review: error: {text}")
    return Exit.USAGE
