"""`tengen-arena conform EXE`: what each manager would hold against a brain."""

import argparse
import os
import sys
from pathlib import Path

from ..conformance import report
from ..conformance.catalogue import SCENARIOS
from ..conformance.extensions import EXTENSIONS
from ..conformance.scenario import Options, Result, find, run_scenario
from ..conformance.verdicts import Verdict
from ..engines.arguments import brain_command, whole_number
from ..util.exits import Exit, exit_lines
from ..util.faults import CannotStartError
from ..util.output import complain, say
from ..util.paths import is_dir

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "see what each manager would hold against a brain"
DESCRIPTION = f"""\
Talks to a brain as four managers do - Piskvork, GomocupJudge, c-gomoku-cli, liskvork - in many
short scenarios, each with a process of its own, and says what each of them makes of the answers:

  ok     nothing to say against it
  note   odd, but nobody loses a game by it
  LOSS   the manager gives the game to the opponent, or will not have the brain at all
  -      the manager does no such thing to a brain

What is held against a brain is told with the section of the protocol's description, and with the
end of the conversation: `>` to the brain, `<` from it, `!` its stderr.

A brain need not know the extensions ({", ".join(EXTENSIONS)}): what is wrong there is
only noted, unless it is announced with --announced.

{exit_lines(Exit.DONE, Exit.FOUND_WRONG, Exit.USAGE, done="no manager scores a loss")}

examples
  tengen-arena conform dist/pbrain-tengen
  tengen-arena conform "python3 -m protocol" --only start-,end- --verbose
  tengen-arena conform ./pbrain-mine --announced swap2 --json > conform.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("brain", nargs="?", metavar="EXE", help="path, or a quoted command with arguments")
    add(
        "--only",
        type=_words,
        default=(),
        metavar="ID[,ID]",
        help="only these scenarios; `end-` is all whose ids begin so",
    )
    add("--list", action="store_true", help="list the scenarios and who judges them, run nothing")
    add("--json", action="store_true", help="print one JSON object, conversations included")
    add("--verbose", "-v", action="store_true", help="print each conversation from end to end")
    add(
        "--announced",
        type=_extensions,
        default=frozenset(),
        metavar="EXT[,EXT]",
        help=f"hold the brain to these extensions: {', '.join(EXTENSIONS)}, or all",
    )
    add("--cwd", type=_folder, metavar="DIR", help="folder to start the brain in (default: this)")
    add(
        "--patience-ms",
        type=whole_number(100, 600_000),
        default=5000,
        metavar="MS",
        help="wait for an answer that has no limit of its own (default: 5000)",
    )


def run(args: argparse.Namespace) -> int:
    """Runs the scenarios that the arguments ask for; returns the exit code."""
    try:
        wanted = find(SCENARIOS, args.only)
    except KeyError as error:
        return _wrong(f"--only: there is no scenario {error.args[0]!r}; --list shows them")
    if args.list:
        say(*report.listing(wanted))
        return Exit.DONE
    if args.brain is None:
        return _wrong("EXE: which brain? (--list needs none)")
    try:
        command = brain_command(args.brain)
    except argparse.ArgumentTypeError as error:
        return _wrong(str(error))
    options = Options(command, args.cwd, args.patience_ms / 1000, args.announced)
    show = _Show(options, as_json=args.json, verbose=args.verbose)
    try:
        for scenario in wanted:
            show.take(run_scenario(scenario, options))
    except CannotStartError as error:
        return _wrong(error.detail)
    except KeyboardInterrupt:
        show.end()
        complain("stopped")
        return Exit.STOPPED
    show.end()
    return Exit.FOUND_WRONG if show.worst is Verdict.LOSS else Exit.DONE


class _Show:
    """Prints results as they come, or all as JSON in the end."""

    def __init__(self, options: Options, *, as_json: bool, verbose: bool) -> None:
        self._options = options
        self._as_json = as_json
        self._verbose = verbose
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self._results: list[Result] = []
        if not as_json:
            self._print(report.header(options))

    @property
    def worst(self) -> Verdict:
        """Returns the worst verdict of all."""
        return max((result.verdict for result in self._results), default=Verdict.OK)

    def take(self, result: Result) -> None:
        """Takes one result."""
        self._results.append(result)
        if not self._as_json:
            lines = report.lines_of(result, self._options, talk=self._verbose, colour=self._colour)
            self._print(lines)

    def end(self) -> None:
        """Prints what comes last."""
        if self._as_json:
            self._print([report.to_json(self._results, self._options)])
        else:
            self._print(report.summary(self._results, self._options))

    def _print(self, lines: list[str]) -> None:
        print("\n".join(lines), flush=True)


def _words(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if not words:
        raise argparse.ArgumentTypeError("no scenario is named")
    return words


def _extensions(text: str) -> frozenset[str]:
    words = _words(text)
    if "all" in words:
        return frozenset(EXTENSIONS)
    for word in words:
        if word not in EXTENSIONS:
            known = ", ".join(EXTENSIONS)
            raise argparse.ArgumentTypeError(f"unknown extension {word!r}; known: {known}, all")
    return frozenset(words)


def _folder(text: str) -> Path:
    if not is_dir(text):
        raise argparse.ArgumentTypeError(f"{text}: is no folder")
    return Path(text)


def _wrong(text: str) -> int:
    complain(f"tengen-arena conform: error: {text}")
    return Exit.USAGE
