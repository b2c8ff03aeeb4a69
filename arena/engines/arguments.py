"""Readers and groups of arguments that several commands of the arena share."""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from ..rules.referee import MAX_SIZE, MIN_SIZE, Rule
from ..util.output import run_program, say
from .brain import CommandError, resolve_command

__all__ = [
    "RULE_NAMES",
    "add_game_number",
    "add_hypotheses",
    "add_workers",
    "brain_command",
    "file_path",
    "one_rule",
    "one_size",
    "rule_list",
    "run_main",
    "say_stopped",
    "size_list",
    "whole_number",
]

RULE_NAMES = ", ".join(f"{rule.value} {rule.name.lower()}" for rule in Rule)


def brain_command(text: str) -> tuple[str, ...]:
    """Reads a brain: the path of an executable, or a quoted command with arguments."""
    try:
        return resolve_command(text)
    except CommandError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def file_path(text: str) -> Path:
    """Reads a path. An empty one, often an unset variable of a shell, is not the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path; the current folder is .")
    return Path(text)


def one_rule(text: str) -> Rule:
    """Reads a rule by number or name."""
    name = text.strip().upper().replace("-", "_")
    if name in Rule.__members__:
        return Rule[name]
    try:
        return Rule(int(name))
    except ValueError:
        raise argparse.ArgumentTypeError(f"unknown rule: {text!r}; known: {RULE_NAMES}") from None


def one_size(text: str) -> int:
    """Reads a board size."""
    return whole_number(MIN_SIZE, MAX_SIZE)(text)


def rule_list(text: str) -> tuple[Rule, ...]:
    """Reads rules separated by commas; `all` means every rule."""
    if text.strip().lower() == "all":
        return tuple(Rule)
    return tuple(one_rule(part) for part in text.split(","))


def size_list(text: str) -> tuple[int, ...]:
    """Reads board sizes separated by commas."""
    return tuple(one_size(part) for part in text.split(","))


def add_game_number(parser: argparse.ArgumentParser) -> None:
    """Adds --game, the number of a game in a file of games."""
    parser.add_argument(
        "--game",
        type=whole_number(1),
        default=1,
        metavar="N",
        help="number of the game in the file (default: 1)",
    )


def whole_number(least: int, most: int = 2_000_000_000) -> Callable[[str], int]:
    """Returns a reader of whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is not from {least} to {most}")
        return value

    return read


def say_stopped(folder: Path) -> None:
    """Prints after Ctrl-C how to continue the games in a folder."""
    name = str(folder)
    quoted = subprocess.list2cmdline([name]) if os.name == "nt" else shlex.quote(name)
    say(f"stopped; the same command continues with --resume --out {quoted}")


def run_main(main: Callable[[], int], name: str = "tengen-arena") -> None:
    """Runs a program's `main` and exits with its code; `name` stands before its messages."""
    sys.exit(run_program(main, name))


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Adds --concurrency and --scheduler, which choose where games are played."""
    add = parser.add_argument
    add(
        "--concurrency",
        type=whole_number(1, 1024),
        metavar="N",
        help="number of games at once (default: 1)",
    )
    add("--scheduler", metavar="ADDRESS", help="play on a Dask cluster, e.g. tcp://HOST:8786")


def add_hypotheses(group: "argparse._ArgumentGroup", *, elo1: float) -> None:
    """Adds the hypotheses of an SPRT and their error probabilities."""
    add = group.add_argument
    add("--elo0", type=float, default=0.0, metavar="ELO", help="Elo of H0 (default: 0)")
    add(
        "--elo1",
        type=float,
        default=elo1,
        metavar="ELO",
        help=f"Elo of H1 (default: {elo1:g})",
    )
    add(
        "--alpha",
        type=float,
        default=0.05,
        metavar="P",
        help="probability of accepting H1 when H0 is true (default: .05)",
    )
    add(
        "--beta",
        type=float,
        default=0.05,
        metavar="P",
        help="probability of accepting H0 when H1 is true (default: .05)",
    )
