"""The argument parsers of `tengen` and `tengen-arena`, for man pages and completion."""

import argparse
from collections.abc import Iterator

import shtab

from arena.cli.main import load_commands, make_parser
from protocol.command_line import EXIT_CODES, OPTIONS, PURPOSE, TRIAL

__all__ = ["arena_parser", "commands_of", "engine_parser"]

# Arguments with one of these names take the path of a file.
_FILES = {"FILE", "FOLDER", "GAME", "PATH", "TOML"}


def engine_parser() -> argparse.ArgumentParser:
    """Returns the options of the engine as a parser; the engine itself reads them without one."""
    parser = argparse.ArgumentParser(
        prog="tengen",
        description=f"Tengen is {PURPOSE}.\n\n{TRIAL}",
        epilog=EXIT_CODES,
        add_help=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for option in OPTIONS:
        text = " ".join(option.lines).replace("%", "%%")
        if option.value:
            parser.add_argument(option.flag, metavar=option.value, help=text)
        else:
            parser.add_argument(option.flag, action="store_true", help=text)
    _complete_files(parser)
    return parser


def arena_parser() -> argparse.ArgumentParser:
    """Returns the parser of the arena, with its commands."""
    parser = make_parser(load_commands())
    for command in commands_of(parser).values():
        _complete_files(command)
    return parser


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Returns the commands of a parser by name, each once; aliases are left out."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in _actions(parser):
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                if command not in found.values():
                    found[name] = command
    return found


def _complete_files(parser: argparse.ArgumentParser) -> None:
    for action in _actions(parser):
        names = action.metavar if isinstance(action.metavar, tuple) else (action.metavar,)
        if _FILES.intersection(str(name or action.dest).upper() for name in names):
            # shtab's interface: an attribute of the action
            action.complete = shtab.FILE  # type: ignore[attr-defined]


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    yield from parser._actions
