"""`tengen-arena gauntlet ENGINE OPPONENT...`: rates an engine on an existing scale."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..engines.brain import CommandError
from ..engines.spec import EngineSpec, distinct, parse_engine
from ..match.arguments import engine_argument
from ..match.options import UsageError
from ..match.run import run_command
from ..tournament.arguments import CONDITIONS_HELP, conditions_of, engines_with
from ..tournament.arguments import add_arguments as add_shared_arguments
from ..tournament.conditions import Conditions
from ..tournament.file import Draft, plan_from, read_draft
from ..tournament.run import run_plan
from ..tournament.tournament import Kind
from ..util.exits import Exit, exit_lines

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "place an engine on an existing scale of ratings"
DESCRIPTION = f"""\
Plays one engine against each opponent and rates it. The opponents do not play each other. An
opponent with --anchor keeps its rating. Without anchors the mean of all ratings is 0.

engines   A path, or a command line in quotes. You can put a name before it: NEW="./brain --fast"
opponents Engines, or one TOML file of a tournament. The file's conditions and ratings are used.
          `tengen-arena tournament --help` shows an example.

{CONDITIONS_HELP}
{exit_lines(Exit.DONE, Exit.FORFEITED, Exit.USAGE, Exit.STOPPED, done="played")}

examples
  tengen-arena gauntlet NEW=./pbrain-new A=./pbrain-a B=./pbrain-b \\
      --anchor A=1500 --anchor B=1720 --games 100 --preset freestyle15 --turn 500ms
  tengen-arena gauntlet NEW=./pbrain-new cup.toml --games 50 --concurrency 4
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("engine", type=engine_argument, metavar="ENGINE", help="the engine to rate")
    add("opponents", nargs="+", metavar="OPPONENT", help="engines, or one TOML file")
    add_shared_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Plays the gauntlet and returns the exit code."""
    return run_command(lambda: _gauntlet(args))


def _gauntlet(args: argparse.Namespace) -> int:
    draft = _draft(args.engine, args.opponents)
    anchors = {**dict(draft.anchors), **dict(args.anchor)}
    if args.engine.name in anchors:
        raise UsageError(
            f"--anchor: {args.engine.name} is the engine to rate and cannot be an anchor"
        )
    plan = plan_from(
        replace(
            draft,
            engines=engines_with(draft.engines, args),
            anchors=tuple(anchors.items()),
            conditions=conditions_of(args).over(draft.conditions),
        )
    )
    return run_plan(plan, args)


def _draft(engine: EngineSpec, opponents: Sequence[str]) -> Draft:
    """Returns the gauntlet of an engine, without the conditions of the command line."""
    if len(opponents) == 1 and opponents[0].lower().endswith(".toml"):
        draft = read_draft(Path(opponents[0]))
        # If the engine is named in the file, the other engines of the file are its opponents.
        others = tuple(other for other in draft.engines if other.name != engine.name)
        anchors = tuple(pair for pair in draft.anchors if pair[0] != engine.name)
        return replace(
            draft,
            name=f"{engine.name} in {draft.name}",
            kind=Kind.GAUNTLET,
            challengers=(engine.name,),
            engines=(engine, *others),
            anchors=anchors,
        )
    try:
        others = tuple(parse_engine(text) for text in opponents)
    except CommandError as error:
        raise UsageError(f"OPPONENT: {error}") from None
    engines = tuple(distinct([engine, *others]))
    return Draft(
        path=None,
        name=f"{engine.name} gauntlet",
        kind=Kind.GAUNTLET,
        challengers=(engine.name,),
        engines=engines,
        anchors=(),
        conditions=Conditions(),
    )
