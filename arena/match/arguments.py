"""The arguments of `match` and `sprt`."""

import argparse
from collections.abc import Callable
from typing import Any

from ..engines.arguments import RULE_NAMES, add_workers, file_path, one_rule, one_size, whole_number
from ..engines.brain import CommandError
from ..engines.managers import PROFILES
from ..engines.spec import EngineSpec, parse_engine, parse_info
from ..openings.order import Order
from ..rules.opening_rules import OpeningRule
from ..rules.referee import Rule
from .limits import (
    add_adjudication,
    add_clock,
    add_own_limits,
    duration_ms,
    memory_mib,
    tolerance_ms,
)

__all__ = [
    "EPILOG",
    "add_match_arguments",
    "add_opening_rule",
    "engine_argument",
    "info_argument",
    "match_defaults",
]

MOST_PLIES = 100

EPILOG = f"""\
engines   A path, or a command line in quotes. You can put a name before it: NEW="./brain --fast"
time      Examples: 100ms, 1s, 1.5s, 2m. --turn limits each move, --game all moves of a player.
          --increment and --moves-to-go change the game clock. Engines see them in the values of
          INFO time_left. --turn-a, --game-b and so on give one engine other limits (time odds).
rules     {RULE_NAMES}
openings  Each opening is played twice with colours swapped. The default is the shipped set for the
          rule and size, shuffled by --seed, or random openings if no set is shipped. After the
          last opening, the set is repeated with rotated and mirrored boards. --order,
          --opening-start and --opening-plies choose from the set. With --opening-rule the engines
          make the openings.
managers  --like imitates one manager: how it starts, suspends and ends an engine, how it reads
          answers and measures time, and how late a move may be. Without --like the arena is
          stricter than all of them, except for its tolerance of 1 s.
forfeits  A game lost by a fault counts for the score but not for the Elo. --count-forfeits
          counts it for both.
games     --out is the folder of the games: games.jsonl (one line for each game), psq/ and sgf/.
          --resume continues an interrupted match. --log adds log/GAME.log for each game.
cluster   --scheduler tcp://HOST:8786 plays on a Dask cluster. Each worker needs the engines at
          the same paths, and one thread: dask worker --nthreads 1 tcp://HOST:8786
"""


def engine_argument(text: str) -> EngineSpec:
    """Reads an engine."""
    try:
        return parse_engine(text)
    except CommandError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def info_argument(text: str) -> tuple[str, str]:
    """Reads KEY=VALUE for an INFO line."""
    try:
        return parse_info(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that both commands have."""
    add = parser.add_argument
    add("a", type=engine_argument, metavar="A", help="the first engine")
    add("b", type=engine_argument, metavar="B", help="the second engine")
    add(
        "--rule",
        type=one_rule,
        default=Rule.FREESTYLE,
        help="rule, by number or name (default: freestyle)",
    )
    add("--size", type=one_size, help="side of the board (default: 15; with captures: 19)")
    _add_limits(parser)
    add_own_limits(parser)
    add_adjudication(parser)
    _add_manager(parser)
    add(
        "--openings",
        type=file_path,
        metavar="FILE",
        help="opening file in the format of Piskvork, c-gomoku-cli or Gomocup",
    )
    add_opening_rule(add)
    add("--seed", type=int, default=1, help="seed that shuffles the openings (default: 1)")
    _add_order(parser)
    add(
        "--count-forfeits",
        action="store_true",
        help="count forfeited games for the Elo (default: leave them out)",
    )
    add_workers(parser)
    add("--log", action="store_true", help="write each line to and from the engines, with its time")
    add(
        "--out",
        type=file_path,
        metavar="FOLDER",
        help="folder of the games (default: a new folder)",
    )
    add("--resume", action="store_true", help="continue in --out, or in the last folder of A and B")


def add_opening_rule(add: Callable[..., object]) -> None:
    """Adds the options for openings that the engines make themselves."""
    add(
        "--opening-rule",
        choices=[rule.value for rule in OpeningRule],
        help="the engines make each opening themselves, by this rule",
    )
    add(
        "--opening-time",
        type=duration_ms,
        metavar="TIME",
        help="time to judge a position of --opening-rule (default: half of --turn, 100ms to 1s)",
    )


def match_defaults() -> dict[str, Any]:
    """Returns the default values of the options of a match."""
    parser = argparse.ArgumentParser(add_help=False)
    add_match_arguments(parser)
    return {action.dest: action.default for action in parser._actions if action.option_strings}


def _add_order(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--order",
        choices=[order.value for order in Order],
        default=Order.RANDOM.value,
        help="order of the openings: shuffled by --seed, or as in the file (default: random)",
    )
    add("--in-order", action="store_true", help="the same as --order sequential")
    add(
        "--opening-start",
        type=whole_number(1),
        default=1,
        metavar="N",
        help="begin with opening N of this order (default: 1)",
    )
    add(
        "--opening-plies",
        type=whole_number(1, MOST_PLIES),
        metavar="N",
        help="play only the first N moves of each opening",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    add = group.add_argument
    add("--turn", type=duration_ms, metavar="TIME", help="time for each move (default: 1s)")
    add("--game", type=duration_ms, metavar="TIME", help="time for all moves of a player")
    add_clock(add)
    add(
        "--tolerance",
        type=tolerance_ms,
        metavar="TIME",
        help="how late a move may be (default: 1s, or the tolerance of --like; 0: not at all)",
    )
    add(
        "--memory",
        type=memory_mib,
        default=0,
        metavar="MIB",
        help="memory limit of an engine (default: 0, no limit)",
    )
    add("--nodes", type=whole_number(1), metavar="N", help="send INFO max_node N to both engines")
    add(
        "--depth",
        type=whole_number(1, 1000),
        metavar="N",
        help="send INFO max_depth N to both engines",
    )
    info: dict[str, Any] = {
        "type": info_argument,
        "action": "append",
        "default": [],
        "metavar": "KEY=VALUE",
    }
    add("--info", help="send INFO KEY VALUE to both engines; may be repeated", **info)
    add("--info-a", help="send INFO KEY VALUE to A only", **info)
    add("--info-b", help="send INFO KEY VALUE to B only", **info)


def _add_manager(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("manager")
    add = group.add_argument
    names = [name for name in PROFILES if name != "strict"]
    add("--like", choices=names, help="treat engines as this manager does")
    add(
        "--suspend",
        action=argparse.BooleanOptionalAction,
        help="suspend all processes of an engine while its opponent thinks",
    )
    add(
        "--start-on-clock",
        action=argparse.BooleanOptionalAction,
        help="count the start-up of an engine as part of its first move",
    )
