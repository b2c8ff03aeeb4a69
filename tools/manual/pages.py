"""Man pages from argument parsers, by argparse-manpage: one for a program and one a command."""

import argparse
from typing import Any, Final

from argparse_manpage.manpage import Manpage, _ManpageFormatter

from .parsers import commands_of

__all__ = ["page", "pages_of"]

MANUAL: Final = "Tengen's manual"


class _Formatter(_ManpageFormatter):  # type: ignore[misc]  # has no types
    """Keeps the line breaks of a text that has several lines; the tool would fill them."""

    @staticmethod
    def format_text(text: str) -> str:
        lines = _ManpageFormatter.format_text(text).split("\n")
        # A point or an apostrophe at the begin of a line is a command of troff.
        safe = [rf"\&{line}" if line.startswith((".", "'")) else line for line in lines]
        return safe[0] if len(safe) == 1 else "\n".join([".nf", *safe, ".fi"])

    def _format_subparsers(
        self, action_group: object, action: Any, subcommand: str | None = None
    ) -> list[str]:
        """Lists the commands; each has a page of its own."""
        lines = [".SH COMMANDS"]
        for choice in action._choices_actions:
            name = self.format_text(f"{self._prog}-{choice.dest}")
            lines += [".TP", rf"\fB{name}\fR(1)", self.format_text(choice.help)]
        return lines


def page(parser: argparse.ArgumentParser, purpose: str, version: str, date: str) -> str:
    """Returns the man page of a program or of one of its commands.

    purpose: for the line NAME. date: YYYY-MM-DD.
    """
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    made = Manpage(
        parser,
        {
            "project_name": "Tengen",
            "version": version,
            "manual_title": MANUAL,
            "description": purpose,
            "authors": ["Tengen developers"],
            "date": date,
        },
    )
    made.mf = _Formatter(parser.prog, made.formatter, format="pretty")
    # `tengen-arena match` has the page tengen-arena-match(1), and the synopsis keeps the blank.
    words = parser.prog.split(" ")
    made.prog = "-".join(words)
    usage = " ".join(made.synopsis).removeprefix(parser.prog)
    made.synopsis = [parser.prog, *usage.split()]
    return str(made).replace(".SH COMMENTS", ".SH NOTES")


def pages_of(
    parser: argparse.ArgumentParser, purpose: str, version: str, date: str
) -> dict[str, str]:
    """Returns the pages of a program and of its commands by file name."""
    made = {f"{parser.prog}.1": page(parser, purpose, version, date)}
    helps = {
        choice.dest: str(choice.help)
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for choice in action._choices_actions
    }
    for name, command in commands_of(parser).items():
        made[f"{parser.prog}-{name}.1"] = page(command, helps[name], version, date)
    return made
