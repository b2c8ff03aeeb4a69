"""`tengen-arena conform EXE`: checks an engine's protocol as four managers would."""

import argparse
import os
import sys
from pathlib import Path

from ..conformance import report
from ..conformance.catalogue import SCENARIOS
from ..conformance.extensions import EXTENSIONS
from ..conformance.scenario import Options, Result, find, run_scenario
from ..conformance.topics import Topic
from ..conformance.verdicts import Verdict
from ..engines.arguments import brain_command, whole_number
from ..util.exits import Exit, exit_lines
from ..util.faults import CannotStartError
from ..util.output import complain, say
from ..util.paths import is_dir

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

_TOPICS = "\n".join(f"  {topic.value:<9}  {topic.text}" for topic in Topic)

HELP = "check an engine's protocol as four managers would"
DESCRIPTION = f"""\
Checks how an engine speaks the protocol. Many short scenarios imitate four managers: Piskvork,
GomocupJudge, c-gomoku-cli and liskvork. Each scenario starts a new process. The table shows the
verdict of each manager:

  ok     the answer is correct
  note   the answer is unusual, but the engine does not lose by it
  LOSS   the engine loses the game, or the manager refuses the engine
  -      the manager never sends this

For each fault the report names a topic and prints the end of the conversation: `>` to the engine,
`<` from the engine, `!` its stderr. The topics are:

{_TOPICS}

The extensions ({", ".join(EXTENSIONS)}) are optional. A fault in an extension is only a note,
unless you name the extension with --announced.

{exit_lines(Exit.DONE, Exit.FOUND_WRONG, Exit.USAGE, done="no LOSS")}

examples
  tengen-arena conform dist/pbrain-tengen
  tengen-arena conform "python3 -m protocol" --only start-,end- --verbose
  tengen-arena conform ./pbrain-mine --announced swap2 --json > conform.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("brain", nargs="?", metavar="EXE", help="path, or command line in quotes")
    add(
        "--only",
        type=_words,
        default=(),
        metavar="ID[,ID]",
        help="run only these scenarios; `end-` means every ID that begins with `end-`",
    )
    add("--list", action="store_true", help="list the scenarios and their managers; run none")
    add("--json", action="store_true", help="print one JSON object with all conversations")
    add("--verbose", "-v", action="store_true", help="print each conversation in full")
    add(
        "--announced",
        type=_extensions,
        default=frozenset(),
        metavar="EXT[,EXT]",
        help=f"require these extensions: {', '.join(EXTENSIONS)}, or all",
    )
    add(
        "--cwd",
        type=_folder,
        metavar="DIR",
        help="working folder of the engine (default: the current one)",
    )
    add(
        "--patience-ms",
        type=whole_number(100, 600_000),
        default=5000,
        metavar="MS",
        help="longest wait for an answer without a time limit (default: 5000)",
    )


def run(args: argparse.Namespace) -> int:
    """Runs the chosen scenarios; returns the exit code."""
    try:
        wanted = find(SCENARIOS, args.only)
    except KeyError as error:
        return _wrong(f"--only: unknown scenario {error.args[0]!r}; --list shows all")
    if args.list:
        say(*report.listing(wanted))
        return Exit.DONE
    if args.brain is None:
        return _wrong("EXE is missing: name the engine to check, or use --list")
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
    """Prints each result at once, or all results as JSON at the end."""

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
        """Returns the worst verdict."""
        return max((result.verdict for result in self._results), default=Verdict.OK)

    def take(self, result: Result) -> None:
        """Prints or stores one result."""
        self._results.append(result)
        if not self._as_json:
            lines = report.lines_of(result, self._options, talk=self._verbose, colour=self._colour)
            self._print(lines)

    def end(self) -> None:
        """Prints the summary."""
        if self._as_json:
            self._print([report.to_json(self._results, self._options)])
        else:
            self._print(report.summary(self._results, self._options))

    def _print(self, lines: list[str]) -> None:
        print("\n".join(lines), flush=True)


def _words(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if not words:
        raise argparse.ArgumentTypeError("expected at least one name")
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
        raise argparse.ArgumentTypeError(f"{text} is not a folder")
    return Path(text)


def _wrong(text: str) -> int:
    complain(f"tengen-arena conform: error: {text}")
    return Exit.USAGE
