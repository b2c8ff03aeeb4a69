"""The command line of the arena: one module of this package for each command."""

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ..util.exits import Exit, exit_table
from ..util.output import Parser, complain, run_program

__all__ = ["load_commands", "main", "make_parser"]

COMMANDS = (
    "match",
    "sprt",
    "tournament",
    "gauntlet",
    "openings",
    "play",
    "board",
    "review",
    "analyse",
    "export",
    "conform",
    "ablation",
)
ALIASES = {"ablation": ["ladder"]}
"""Command names of version 0.1."""


def _version() -> str:
    """Returns the version of the installed package, or of the source tree."""
    if not __package__.startswith("arena"):
        import importlib.metadata  # here: it loads slowly, and the source tree does not need it

        return importlib.metadata.version("tengen-arena")
    text = (Path(__file__).parents[2] / "pyengine" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None, "pyengine/__init__.py names the version"
    return found[1]


def load_commands(names: Sequence[str] = COMMANDS) -> dict[str, ModuleType]:
    """Returns the modules of commands. Raises ModuleNotFoundError for a missing package."""
    return {name: importlib.import_module(f"{__package__}.{name}") for name in names}


def _needed(arguments: Sequence[str]) -> Sequence[str]:
    """Returns the command that the arguments name; all commands if they name none.

    A command starts in half of the time if the others are not loaded.
    """
    first = arguments[0] if arguments else ""
    found = [name for name in COMMANDS if first in (name, *ALIASES.get(name, ()))]
    return found or COMMANDS


def make_parser(commands: dict[str, ModuleType]) -> argparse.ArgumentParser:
    """Returns the parser of the whole command line."""
    parser = Parser(
        prog="tengen-arena",
        description="Plays matches and tournaments between Gomoku engines that speak the Piskvork "
        "protocol, tests\nengines, and lets you play against them.",
        epilog=f"`tengen-arena COMMAND --help` explains each command.\n\n{exit_table()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tengen-arena {_version()}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in commands.items():
        sub = subparsers.add_parser(
            name,
            aliases=ALIASES.get(name, []),
            help=module.HELP,
            description=module.DESCRIPTION,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    try:
        commands = load_commands(_needed(sys.argv[1:] if arguments is None else arguments))
    except ModuleNotFoundError as error:
        if (error.name or "arena").split(".")[0] == "arena":
            raise
        complain(f"tengen-arena: the package {error.name} is missing: pip install {error.name}")
        return Exit.USAGE
    args = make_parser(commands).parse_args(arguments)
    names = {alias: name for name, aliases in ALIASES.items() for alias in aliases}
    code: int = commands[names.get(args.command, args.command)].run(args)
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code, one of `arena.util.exits`."""
    return run_program(lambda: _run(arguments))


if __name__ == "__main__":
    sys.exit(main())
