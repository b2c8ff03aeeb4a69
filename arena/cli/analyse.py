"""`tengen-arena analyse GAME`: the best lines of one position of a game."""

import argparse

from records.errors import FormatError
from records.squares import renju_name_of, shown_square
from records.winrate import score_text

from ..engines.arguments import RULE_NAMES, whole_number
from ..engines.brain import CommandError
from ..play.client import Brain, BrainResult, numbers_of
from ..play.engine import Variation
from ..review.judge import asked
from ..review.source import Source, load_source
from ..rules.referee import Color, Position
from ..util.exits import Exit, exit_lines
from ..util.faults import BrainFault
from ..util.output import complain, say
from .review import add_source_arguments, budget_of, engine_of, limits_text

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "show the best lines of a position"
DESCRIPTION = f"""\
Shows the board after a move of a game, and an engine's best lines there with score and win rate.

  tengen-arena analyse game.sgf                  the last position
  tengen-arena analyse game.psq --ply 12 --lines 5 --turn 5s
  echo h8 i9 j7 > moves.txt; tengen-arena analyse moves.txt --rule renju

rules: {RULE_NAMES}
{
    exit_lines(
        Exit.DONE,
        Exit.FORFEITED,
        Exit.USAGE,
        Exit.STOPPED,
        done="analysed",
        forfeited="the engine failed",
    )
}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add_source_arguments(parser)
    add = parser.add_argument
    add("--ply", type=whole_number(0), metavar="N", help="number of moves played (default: all)")
    add(
        "--lines",
        type=whole_number(1, 20),
        default=3,
        metavar="N",
        help="number of lines (default: 3)",
    )


def run(args: argparse.Namespace) -> int:
    """Analyses the position and returns the exit code."""
    try:
        source = load_source(args.file, number=args.game, rule=args.rule, size=args.size)
        ply = len(source.moves) if args.ply is None else args.ply
        if ply > len(source.moves):
            return _wrong(f"--ply: {ply}: the game has {len(source.moves)} moves")
        spec = engine_of(args)
    except (CommandError, FormatError) as error:
        return _wrong(str(error))
    position = source.position_at(ply)
    say(*_board(position), _about(source, position, ply))
    if position.is_over:
        say(f"the game is over: {source.record.summary()}")
        return Exit.DONE
    budget = budget_of(args)
    try:
        with Brain.of(spec) as brain:
            found = brain.analyse(
                asked(position),
                lines=args.lines,
                time_ms=budget.time_ms,
                nodes=budget.nodes,
                depth=budget.depth,
            )
    except BrainFault as fault:
        complain(f"tengen-arena analyse: {spec.name} broke down: {fault}")
        return Exit.FORFEITED
    say("", f"{spec.name}, {limits_text(budget)}:")
    say(*(_line(number, line, found) for number, line in enumerate(found.lines, 1)))
    return Exit.DONE


def _board(position: Position) -> list[str]:
    """Returns the board as text, a1 at the bottom left, X for Black and O for White."""
    size, stones = position.size, position.stones
    letters = "    " + " ".join(chr(ord("a") + x) for x in range(size))
    signs = {Color.BLACK: "X", Color.WHITE: "O", None: "."}
    rows = [
        f"{size - y:>2}  {' '.join(signs[stones.get((x, y))] for x in range(size))}  {size - y}"
        for y in range(size)
    ]
    return [letters, *rows, letters]


def _about(source: Source, position: Position, ply: int) -> str:
    last = f", after {renju_name_of(source.moves[ply - 1], source.size)}" if ply else ""
    rule = source.rule.name.lower().replace("_", " ")
    return f"{rule}, {position.to_move.value} to move{last}"


def _line(number: int, line: Variation, found: BrainResult) -> str:
    score, mate = numbers_of(line)
    told = "no score"
    if score is not None or mate:
        told = score_text(found.rule, score or 0, mate)
    depth = "" if line.depth is None else f"depth {line.depth}"
    names = " ".join(shown_square(point, found.size) for point in line.moves)
    chances = str(found.wdl(line) or "")
    return f"{number:>2}  {told:<18}  {chances:<16}  {depth:<9}  {names}".rstrip()


def _wrong(text: str) -> int:
    complain(f"tengen-arena analyse: error: {text}")
    return Exit.USAGE
