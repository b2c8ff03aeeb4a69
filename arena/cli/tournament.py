"""`tengen-arena tournament FILE`: plays a round robin or a gauntlet from a TOML file."""

import argparse
from dataclasses import replace

from ..engines.arguments import file_path
from ..match.run import run_command
from ..tournament.arguments import CONDITIONS_HELP, conditions_of, engines_with
from ..tournament.arguments import add_arguments as add_shared_arguments
from ..tournament.file import plan_from, read_draft
from ..tournament.run import run_plan
from ..util.exits import Exit, exit_lines

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "play the tournament that a TOML file describes: ratings, cross table, HTML page"
DESCRIPTION = f"""\
Plays a round robin or a gauntlet between the engines of a TOML file. Writes a table of ratings with
their errors, a cross table, and an HTML page with a board for each game.

  name = "Home cup"
  preset = "freestyle15"         # or size, rule, turn, game, memory, tolerance, like
  turn = "1s"                    # overrides the preset
  games = 10                     # for each pair of engines
  kind = "round-robin"           # or "gauntlet", with challenger = "NAME"

  [[engine]]
  name = "Tengen"
  command = "dist/pbrain-tengen" # or a list; paths are relative to the folder of this file
  info = {{ thread_num = 1 }}      # INFO lines; other keys: nodes, depth, cwd

  [[engine]]
  name = "Rival"
  command = ["/opt/rival/pbrain-rival", "--quiet"]
  elo = 1850                     # known rating: an anchor of the scale

{CONDITIONS_HELP}
{exit_lines(Exit.DONE, Exit.FORFEITED, Exit.USAGE, Exit.STOPPED, done="played")}

examples
  tengen-arena tournament cup.toml --concurrency 4
  tengen-arena tournament cup.toml --resume --games 40
  tengen-arena tournament cup.toml --preset renju --turn 500ms --game 1m
  tengen-arena tournament cup.toml --report --page cup.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("file", type=file_path, metavar="FILE", help="the TOML file")
    add_shared_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Plays the tournament and returns the exit code."""
    return run_command(lambda: _tournament(args))


def _tournament(args: argparse.Namespace) -> int:
    draft = read_draft(args.file)
    plan = plan_from(
        replace(
            draft,
            engines=engines_with(draft.engines, args),
            anchors=tuple({**dict(draft.anchors), **dict(args.anchor)}.items()),
            conditions=conditions_of(args).over(draft.conditions),
        )
    )
    return run_plan(plan, args)
