"""`tengen-arena export FILE`: writes games as lists for rating programs, tables, or samples."""

import argparse
import enum
from collections.abc import Sequence
from errno import ENOSPC
from pathlib import Path

from records.errors import FormatError
from records.text import replace_bytes

from ..engines.arguments import file_path
from ..game.files import load_games
from ..game.lists import ListedGame, to_csv, to_pgn
from ..game.training_file import SamplesError, to_samples
from ..match.limits import UsageError
from ..match.run import GAMES, run_command
from ..run.store import read_store
from ..util.exits import Exit, exit_lines
from ..util.output import complain, say
from ..util.paths import is_dir

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]


class Form(enum.StrEnum):
    """The formats of the output."""

    PGN = "pgn"
    CSV = "csv"
    TRAINING = "training"


ENDINGS = {".pgn": Form.PGN, ".csv": Form.CSV, ".tg": Form.TRAINING}

HELP = "write games as PGN for Ordo and BayesElo, as CSV, or as training samples"
DESCRIPTION = f"""\
Writes the games of matches, tournaments and game files as one list.

  pgn       tags and results, as Ordo and BayesElo read them. [White] is the player of the white
            stones. Black moves first, so the advantage of White that these programs print is
            usually below 0.
  csv       one line for each game: players, result, reason, time, depth, nodes, moves.
  training  samples in the format of training/games.h. All games must have one rule and size.
            Forfeits, games without a result, and games with a move without a score are left out
            and counted.

FILE is the folder of a match or tournament, its games.jsonl, or any game file.

{exit_lines(Exit.DONE, Exit.USAGE, done="written")}

examples
  tengen-arena export arena-games/A-B-001 -o games.pgn && ordo -p games.pgn
  tengen-arena export cup.jsonl other.jsonl -o games.csv
  tengen-arena export arena-games/A-B-001 -o games.tg && games check games.tg
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add("files", type=file_path, nargs="+", metavar="FILE", help="folder of games, or game file")
    add("-o", "--output", type=file_path, required=True, metavar="FILE", help="the file to write")
    add(
        "--to",
        type=Form,
        choices=list(Form),
        help="form of the list (default: by the ending .pgn, .csv or .tg)",
    )


def run(args: argparse.Namespace) -> int:
    """Writes the list and returns the exit code."""
    return run_command(lambda: _export(args))


def _export(args: argparse.Namespace) -> int:
    form = args.to or ENDINGS.get(args.output.suffix.lower())
    if form is None:
        raise UsageError(f"-o: {args.output}: expected a name in .pgn, .csv or .tg, or --to")
    games = [game for path in args.files for game in _games_of(path)]
    if not games:
        raise UsageError(f"{args.files[0]}: there are no games")
    data, count = _written(form, games)
    try:
        replace_bytes(args.output, data)
    except OSError as error:
        if error.errno == ENOSPC:  # no wrong argument
            raise
        raise UsageError(f"-o: {args.output}: {error.strerror}") from None
    say(f"{count} game{'' if count == 1 else 's'} in {args.output}")
    return Exit.DONE


def _written(form: Form, games: Sequence[ListedGame]) -> tuple[bytes, int]:
    """Returns the output and the number of its games; raises UsageError."""
    if form is Form.PGN:
        return to_pgn(games).encode(), len(games)
    if form is Form.CSV:
        return to_csv(games).encode(), len(games)
    try:
        samples = to_samples(game.record for game in games)
    except SamplesError as error:
        raise UsageError(str(error)) from None
    for why, count in samples.left_out.most_common():
        complain(f"note: {count} game{'' if count == 1 else 's'} left out: {why}")
    return samples.data, samples.games


def _games_of(path: Path) -> list[ListedGame]:
    """Returns the games of a folder or file; raises UsageError."""
    file = path / GAMES if is_dir(path) else path
    if file.name == GAMES and file.is_file():
        # Games end in any order; the list has the order of the match.
        stored = sorted(read_store(file), key=lambda game: game.id)
        return [ListedGame(game.record, game.id, game.pair) for game in stored]
    try:
        return [ListedGame(record) for record in load_games(file)]
    except FormatError as error:
        raise UsageError(str(error)) from None
