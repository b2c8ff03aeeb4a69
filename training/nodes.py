"""Makes the nodes of a generation: positions from inside searches, for the fit of a network.

    python training/nodes.py training/generations/freestyle-2.toml --workers 2

For each file of games in the generation's folder, the program training/nodes.c makes a file of the
same name in the folder `nodes` beside it. Existing files are checked and kept, so a stopped run
continues with the same command. SIGTERM and Ctrl-C drop the files in hand, which take seconds each;
the status is then 1. If the games of a file give no node, there is an empty file
with `.none` at the end of its name. refit.py learns the nodes together with the games.
"""

import argparse
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from training.arguments import at_least_one  # noqa: E402
from training.gamefiles import (  # noqa: E402
    GamesError,
    Header,
    build_programs,
    engine_text,
    read_file,
)
from training.generate import (  # noqa: E402
    games_folder,
    locked,
    run_program,
)
from training.manifest import read_manifest  # noqa: E402
from training.niceness import share_less  # noqa: E402
from training.signals import stopping  # noqa: E402

FOLDER = "nodes"
PER_SEARCH = 4  # of nodes.c


def nodes_of(games: Path) -> Path:
    """Returns the path of the nodes of a file of games."""
    return games.parent / FOLDER / games.name


def none_of(games: Path) -> Path:
    """Returns the path of the empty file that stands for no nodes."""
    return nodes_of(games).with_name(f"{games.name}.none")


def searches_of(games: Header, nodes: Header, path: Path) -> int:
    """Returns how many searches of each game made a file of nodes. `path` is for errors.

    Raises GamesError if the nodes are of other games.
    """
    searches, rest = divmod(nodes.asked, games.count * PER_SEARCH)
    same = (nodes.rule, nodes.size, nodes.seed) == (games.rule, games.size, games.seed)
    if not same or rest or not searches:
        raise GamesError(
            f"{path} is of other games; remove it, and training/nodes.py makes it anew"
        )
    return searches


class Maker:
    """Runs the program for one file after the other; several may run at once."""

    def __init__(self, program: Path, searches: int, engine: str) -> None:
        """Takes the number of searches for each game, and the name of the engine."""
        self._searches = searches
        self._command = [str(program)]
        self._options = ["--searches", str(searches), "--engine", engine]
        self._stopped = threading.Event()
        self._running: set[subprocess.Popen[str]] = set()
        self._begun = time.monotonic()
        self._positions = 0

    @property
    def is_stopped(self) -> bool:
        """Says whether the run was stopped."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Ends the running programs and starts no more."""
        self._stopped.set()
        for running in list(self._running):
            running.terminate()

    def make(self, games: Path) -> None:
        """Makes the nodes of a file. Raises GamesError."""
        target = nodes_of(games)
        if self._stopped.is_set() or none_of(games).exists():
            return
        if target.exists():
            self._check(games, target)
            return
        command = [*self._command, str(games), str(target), *self._options]
        running = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C reaches this script only
        )
        self._running.add(running)
        if self._stopped.is_set():
            running.terminate()
        share_less(running.pid)
        said = running.communicate()[1]
        self._running.discard(running)
        if self._stopped.is_set() and running.returncode:
            target.with_name(f"{target.name}.part").unlink(missing_ok=True)
            return
        if running.returncode:
            reason = said.strip().removeprefix("nodes: ")
            raise GamesError(reason or f"{games}: nodes ended with {running.returncode}")
        if not target.exists():
            none_of(games).touch()
            return
        self._report(target)

    def _check(self, games: Path, target: Path) -> None:
        """Raises GamesError for a file that is damaged, or of other games or searches."""
        searches = searches_of(read_file(games).header, read_file(target).header, target)
        if searches != self._searches:
            raise GamesError(f"{target} is of another number of searches; remove it to begin anew")

    def _report(self, target: Path) -> None:
        made = read_file(target).positions
        self._positions += made
        speed = self._positions / (time.monotonic() - self._begun)
        print(f"{target.name}: {made} positions, {speed:.0f} a second", flush=True)


def run(args: argparse.Namespace) -> None:
    """Makes nodes for the command line."""
    folder = games_folder() / read_manifest(args.manifest).name
    files = sorted(folder.glob("*.tg"))
    if not files:
        raise GamesError(f"{folder}: there are no games")
    (folder / FOLDER).mkdir(exist_ok=True)
    maker = Maker(build_programs("nodes")[0], args.searches, engine_text())
    os.nice(max(0, args.nice - os.nice(0)))
    pool = ThreadPoolExecutor(args.workers)
    with locked(folder / FOLDER), pool, stopping(maker.stop):
        try:
            for _ in pool.map(maker.make, files):
                pass
        except BaseException:
            maker.stop()
            raise
    if maker.is_stopped:
        raise GamesError("stopped; the same command continues")


def main() -> int:
    """Runs; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(description="Makes positions from inside searches.")
    add = parser.add_argument
    add("manifest", type=Path, help="manifest of the generation (TOML)")
    add(
        "--searches",
        type=at_least_one,
        default=1,
        metavar="N",
        help="searches for each game (default: 1)",
    )
    add("--workers", type=at_least_one, default=1, metavar="N", help="files at once (default: 1)")
    add("--nice", type=int, default=10, metavar="N", help="niceness (default: 10)")
    return run_program("nodes", run, parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
