"""The arguments of `tournament` and `gauntlet`."""

import argparse
import re
from collections.abc import Sequence

from ..engines.arguments import RULE_NAMES, add_workers, file_path, one_rule, one_size, whole_number
from ..engines.managers import PROFILES
from ..engines.spec import EngineSpec, with_options
from ..match.arguments import MOST_PLIES, add_opening_rule, info_argument
from ..match.limits import add_adjudication, add_clock, duration_ms, memory_mib, tolerance_ms
from ..openings.order import Order, Policy
from .conditions import Conditions
from .presets import PRESETS, preset_table

__all__ = [
    "CONDITIONS_HELP",
    "PAGE",
    "add_arguments",
    "anchor_argument",
    "conditions_of",
    "engines_with",
]

PAGE = "index.html"

_PRESETS = "\n  ".join(preset_table())

CONDITIONS_HELP = f"""\
presets   Every preset sets 350 MiB, a tolerance of 1 s and --like gomocup (with captures: strict).
          Other options override the preset: --turn 100ms --game 10s makes it fast.
  {_PRESETS}

time      Examples: 100ms, 1s, 1.5s, 2m. --turn limits each move, --game all moves of a player.
rules     {RULE_NAMES}
openings  A file of Gomocup, Piskvork or c-gomoku-cli, or `shipped` (default), or `none`.
          Each pair of engines plays each opening twice, with colours swapped.
games     --out is the folder of games.jsonl, psq/, sgf/ and the page index.html, which is one
          self-contained file. The default is a new folder, arena-games/NAME-001. --resume
          continues in the folder; you may add games or engines.
forfeits  A game lost by a fault counts for the score but not for the ratings.
          --count-forfeits counts it for both.
ratings   Elo by the Bradley-Terry model with 95 % intervals. A draw is half a win. Anchors keep
          their ratings; without anchors the mean of all ratings is 0.
"""


def anchor_argument(text: str) -> tuple[str, float]:
    """Reads NAME=ELO."""
    name, _, elo = text.rpartition("=")
    if not name.strip() or not re.fullmatch(r"\s*[+-]?\d{1,5}(\.\d+)?\s*", elo):
        raise argparse.ArgumentTypeError(f"{text!r}: expected NAME=ELO, e.g. rapfi=2100")
    return name.strip(), float(elo)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that both commands have."""
    _add_conditions(parser)
    add_adjudication(parser)
    add = parser.add_argument
    add(
        "--anchor",
        type=anchor_argument,
        action="append",
        default=[],
        metavar="NAME=ELO",
        help="fix the rating of an engine; may be repeated",
    )
    add_workers(parser)
    add("--log", action="store_true", help="write each line to and from the engines, with its time")
    add("--out", type=file_path, metavar="FOLDER", help="folder of the games and the page")
    add("--resume", action="store_true", help="continue in --out, or in the last folder of NAME")
    add("--report", action="store_true", help="write table and page of the games so far; play none")
    add(
        "--page",
        type=file_path,
        metavar="FILE",
        help=f"file of the page (default: {PAGE} in --out)",
    )


def _add_conditions(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("conditions").add_argument
    add("--preset", choices=list(PRESETS), help="board, rule, clocks, memory and tolerance")
    add("--games", type=whole_number(1, 1_000_000), help="games of each pair (default: 2)")
    add("--rule", type=one_rule, help="rule, by number or name (default: freestyle)")
    add("--size", type=one_size, help="side of the board (default: 15; with captures: 19)")
    add("--turn", type=duration_ms, metavar="TIME", help="time for each move (default: 1s)")
    add("--game", type=duration_ms, metavar="TIME", help="time for all moves of a player")
    add_clock(add)
    add(
        "--tolerance",
        type=tolerance_ms,
        metavar="TIME",
        help="how late a move may be (default: 1s, or that of the preset or --like; 0: not at all)",
    )
    add("--memory", type=memory_mib, metavar="MIB", help="memory limit of an engine; 0: no limit")
    add("--nodes", type=whole_number(1), metavar="N", help="send INFO max_node N to all engines")
    add(
        "--depth",
        type=whole_number(1, 1000),
        metavar="N",
        help="send INFO max_depth N to all engines",
    )
    add(
        "--info",
        type=info_argument,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="send INFO KEY VALUE to all engines; may be repeated",
    )
    add("--like", choices=list(PROFILES), help="treat engines as this manager does")
    whether = argparse.BooleanOptionalAction
    add("--suspend", action=whether, help="suspend an engine's processes on its opponent's turn")
    add("--start-on-clock", action=whether, help="count start-up as part of the first move")
    add("--openings", metavar="FILE", help="opening file, `shipped` or `none` (default: shipped)")
    add("--count-forfeits", action=whether, help="count forfeited games for the ratings")
    add("--seed", type=int, help="seed that shuffles the openings (default: 1)")
    add("--order", type=Order, choices=list(Order), help="order of the openings (default: random)")
    add("--opening-start", type=whole_number(1), metavar="N", help="begin with opening N")
    add(
        "--opening-plies",
        type=whole_number(1, MOST_PLIES),
        metavar="N",
        help="play only N moves",
    )
    add_opening_rule(add)
    add(
        "--opening-policy",
        type=Policy,
        choices=list(Policy),
        help="round: all pairs share the openings; encounter: each pair has its own"
        " (default: round)",
    )


def conditions_of(args: argparse.Namespace) -> Conditions:
    """Returns the conditions on the command line."""
    return Conditions(
        preset=args.preset,
        games=args.games,
        size=args.size,
        rule=args.rule,
        turn_ms=args.turn,
        match_ms=args.game,
        increment_ms=args.increment,
        moves_to_go=args.moves_to_go,
        memory_mib=args.memory,
        tolerance_ms=args.tolerance,
        like=args.like,
        suspend=args.suspend,
        start_on_clock=args.start_on_clock,
        openings=args.openings,
        seed=args.seed,
        order=args.order,
        opening_start=args.opening_start,
        opening_plies=args.opening_plies,
        policy=args.opening_policy,
        opening_rule=args.opening_rule,
        opening_ms=args.opening_time,
        count_forfeits=args.count_forfeits,
        max_moves=args.max_moves,
        draw=args.draw,
        resign=args.resign,
        mates=args.mates,
    )


def engines_with(engines: Sequence[EngineSpec], args: argparse.Namespace) -> tuple[EngineSpec, ...]:
    """Returns the engines with the INFO values and limits of the command line."""
    return tuple(
        with_options(engine, info=args.info, nodes=args.nodes, depth=args.depth)
        for engine in engines
    )
