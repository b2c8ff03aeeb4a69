"""Makes the games of a generation chunk by chunk, and records them in its manifest.

    python training/generate.py training/generations/freestyle-1.toml
    python training/generate.py MANIFEST --until 06:30 --workers 2
    python training/generate.py MANIFEST --scheduler tcp://HOST:8786

The manifest (TOML) has a recipe above a mark and a record below it. The recipe is written by hand,
the record by this program after each chunk. The games are in $TENGEN_GAMES, or games/ of the tree,
in a folder with the manifest's name. A later run continues after the seeds of the manifest and of
the folder. No seed is used twice. A second machine needs a manifest with other seeds, or serves the
first one as a Dask worker. Workers have the program at the same path.

SIGTERM, Ctrl-C, --until and --hours end the running chunks, which keep their finished games. On a
cluster the running chunks are dropped. training/driver.py chooses the chunks. File format:
training/games.h, docs/training.md.
"""

import argparse
import contextlib
import datetime
import fcntl
import math
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_toolchain  # noqa: E402
from arena.run.scheduler import SchedulerError, open_executor  # noqa: E402
from training.arguments import at_least_one  # noqa: E402
from training.chunk import Chunk, ChunkError, Player, play_remotely  # noqa: E402
from training.driver import Driver, drive  # noqa: E402
from training.gamefiles import (  # noqa: E402
    Contents,
    GamesError,
    build_programs,
    engine_text,
    read_contents,
    read_file,
)
from training.manifest import ManifestError, read_manifest  # noqa: E402
from training.signals import stopping  # noqa: E402
from training.textfile import naming  # noqa: E402


def generate_here(driver: Driver, program: Path, workers: int) -> None:
    """Makes the chunks on this machine. Raises ChunkError, GamesError and OSError."""
    player = Player(program)

    def make(chunk: Chunk) -> Contents | None:
        target = driver.folder / chunk.name
        if not player.play(chunk, target, driver.until):
            return None
        return read_file(target)

    def submit(executor: Executor, chunk: Chunk) -> "Future[Contents | None]":
        return executor.submit(make, chunk)

    def stop() -> None:
        driver.stop()
        player.stop()

    with ThreadPoolExecutor(workers) as executor, stopping(stop):
        try:
            drive(driver, executor, workers, submit)
        except BaseException:
            stop()
            raise


def generate_on_cluster(driver: Driver, program: Path, scheduler: str, niceness: int) -> None:
    """Makes the chunks on the workers of a Dask cluster. Raises SchedulerError, ChunkError."""
    evaluation = int(build_about(program), 16)

    def keep(chunk: Chunk, data: bytes) -> Contents | None:
        if not data:
            return None
        contents = read_contents(data, f"{chunk.name} of a worker")
        if contents.header.evaluation != evaluation:
            raise GamesError(f"{chunk.name}: the worker has another evaluation: build it there")
        target = driver.folder / chunk.name
        part = target.with_name(f"{target.name}.part")
        try:
            with naming(part), part.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            part.unlink(missing_ok=True)
            raise
        part.replace(target)
        return contents

    def submit(executor: Executor, chunk: Chunk) -> "Future[Contents | None]":
        made = executor.submit(play_remotely, str(program), chunk, driver.until, niceness)
        kept: Future[Contents | None] = Future()

        def take(done: "Future[bytes]") -> None:
            try:
                kept.set_result(keep(chunk, done.result()))
            except BaseException as error:
                kept.set_exception(error)

        made.add_done_callback(take)
        return kept

    with open_executor(None, scheduler) as (executor, count), stopping(driver.stop):
        drive(driver, executor, count, submit)


def build_about(program: Path) -> str:
    """Returns the checksum of a program's evaluation."""
    done = subprocess.run([str(program), "--about"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks a folder of games for one run. Raises ManifestError if another run has it."""
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ManifestError(f"{folder}: another run is writing there") from None
        yield


def games_folder() -> Path:
    """Returns the folder of all games: $TENGEN_GAMES, or games/ of the tree."""
    return Path(os.environ.get("TENGEN_GAMES") or ROOT / "games")


HOURS_MOST = 24 * 365


def duration(text: str) -> float:
    """Reads hours, up to a year. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= HOURS_MOST:
        raise argparse.ArgumentTypeError(f"{text}: expected hours, 0 to {HOURS_MOST}")
    return value


def engine_name(text: str) -> str:
    """Reads the name of an engine, a part of the names of files. Raises ArgumentTypeError."""
    if not re.fullmatch(r"[0-9A-Za-z.+_]{0,16}", text):
        raise argparse.ArgumentTypeError(
            f"{text}: expected at most 16 letters, digits, dots, plus signs and underscores"
        )
    return text


def time_of_day(text: str) -> datetime.time:
    """Reads a time of day. Raises ArgumentTypeError."""
    try:
        return datetime.datetime.strptime(text, "%H:%M").time()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: expected HH:MM, as 06:30") from None


def end_time(clock: datetime.time | None, hours: float | None) -> float | None:
    """Returns the earlier of two end times, as of time.time()."""
    ends = []
    if clock is not None:
        now = datetime.datetime.now()
        end = datetime.datetime.combine(now.date(), clock)
        ends.append((end if end > now else end + datetime.timedelta(days=1)).timestamp())
    if hours is not None:
        ends.append(time.time() + hours * 3600)
    return min(ends, default=None)


def run(args: argparse.Namespace) -> None:
    """Makes games for the command line."""
    manifest = read_manifest(args.manifest)
    if args.positions:
        manifest.positions = args.positions
    folder = games_folder() / manifest.name
    folder.mkdir(parents=True, exist_ok=True)
    ignored = folder / ".gitignore"
    with naming(ignored):
        ignored.write_text("*\n")  # games do not belong to a repository around them
    program = args.player or build_programs("selfplay")[0]
    engine = args.engine if args.engine is not None else engine_text()
    os.nice(max(0, args.nice - os.nice(0)))
    with locked(folder):
        driver = Driver(manifest, folder, engine, end_time(args.until, args.hours))
        driver.adopt()
        if args.scheduler:
            generate_on_cluster(driver, program, args.scheduler, args.nice)
        else:
            generate_here(driver, program, args.workers)


def run_program(
    name: str, program: Callable[[argparse.Namespace], None], args: argparse.Namespace
) -> int:
    """Runs a program; returns 1 after its name and the reason of a failure, 0 without one."""
    try:
        program(args)
    except (
        ManifestError,
        GamesError,
        ChunkError,
        SchedulerError,
        build_toolchain.BuildError,
        OSError,
        ValueError,
    ) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    """Runs; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(description="Makes the games of a generation.")
    add = parser.add_argument
    add("manifest", type=Path, help="manifest of the generation (TOML)")
    add("--positions", type=at_least_one, metavar="N", help="end at N positions in all")
    add("--until", type=time_of_day, metavar="HH:MM", help="end at this time of day")
    add("--hours", type=duration, metavar="H", help="end after H hours")
    add(
        "--workers",
        type=at_least_one,
        default=1,
        metavar="N",
        help="chunks at once here (default: 1)",
    )
    add("--nice", type=int, default=10, metavar="N", help="niceness of the games (default: 10)")
    add("--scheduler", metavar="ADDRESS", help="use a Dask cluster, e.g. tcp://HOST:8786")
    add(
        "--engine",
        type=engine_name,
        metavar="TEXT",
        help="name of the engine (default: its commit)",
    )
    add("--player", type=Path, metavar="PATH", help="use this selfplay program; build none")
    return run_program("generate", run, parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
