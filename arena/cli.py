"""The command line of the arena: one module of arena/commands/ for each command."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

__all__ = ["main"]

COMMANDS = ("match", "sprt", "tournament", "gauntlet", "openings", "play", "conform", "ladder")
NOBODY_READS = 141


def _parser(commands: dict[str, ModuleType]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tengen-arena",
        description="Matches, tournaments and tests for Gomoku brains that speak the Piskvork "
        "protocol; and a board to play on.",
        epilog="`tengen-arena COMMAND --help` teaches each command.",
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in commands.items():
        sub = subparsers.add_parser(
            name,
            help=module.HELP,
            description=module.DESCRIPTION,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
    return parser


def _nobody_reads() -> bool:
    """Returns whether standard output is the pipe that broke, and not an engine's: only a write
    tells. If so, what Python still holds for it goes nowhere when it ends."""
    try:
        print(flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code: 0 done, 1 something was found wrong, 2 bad usage,
    141 (a shell's name for SIGPIPE) when nobody reads its output any more."""
    try:
        commands = {name: importlib.import_module(f"arena.commands.{name}") for name in COMMANDS}
    except ModuleNotFoundError as error:
        if (error.name or "arena").split(".")[0] == "arena":
            raise
        print(f"tengen-arena needs {error.name}: pip install tengen[arena]", file=sys.stderr)
        return 2
    args = _parser(commands).parse_args(arguments)
    try:
        code: int = commands[args.command].run(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        if not _nobody_reads():
            raise
        return NOBODY_READS


if __name__ == "__main__":
    sys.exit(main())
