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
cluster the running chunks are dropped. File format: training/games.h, docs/training.md.
"""

import argparse
import contextlib
import datetime
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_core  # noqa: E402
from arena.run.scheduler import SchedulerError, open_executor  # noqa: E402
from training.chunk import Chunk, ChunkError, Player, play_remotely  # noqa: E402
from training.gamefiles import (  # noqa: E402
    Contents,
    GamesError,
    build_programs,
    engine_text,
    read_contents,
    read_file,
    write_openings,
)
from training.manifest import (  # noqa: E402
    SEEDS_APART,
    GameSet,
    Manifest,
    ManifestError,
    read_manifest,
)

REPORT_S = 60.0
RATE_REPORTS = 5
BEAT_S = 0.5
TRIES = 5


class Driver:
    """Makes the chunks of a manifest, one or several at once."""

    def __init__(self, manifest: Manifest, folder: Path, engine: str, until: float | None) -> None:
        """Takes the folder of the games and the time.time() at which to end."""
        self.manifest = manifest
        self.folder = folder
        self._engine = engine
        self._until = until
        self._openings: dict[tuple[int, int], str] = {}
        self._under_way: dict[int, set[int]] = {games.seed: set() for games in manifest.sets}
        self._unfinished: list[tuple[GameSet, int]] = []
        self._stopped = threading.Event()
        self._reported = time.monotonic()
        self._counts = deque([(self._reported, manifest.positions_of())])

    def stop(self) -> None:
        """Prevents further chunks."""
        self._stopped.set()

    @property
    def is_over(self) -> bool:
        """Says whether no further chunk may start."""
        late = self._until is not None and time.time() >= self._until
        return (
            late
            or self._stopped.is_set()
            or self.manifest.positions_of() >= self.manifest.positions
        )

    @property
    def until(self) -> float | None:
        """Returns the time at which to end."""
        return self._until

    def adopt(self) -> None:
        """Records files that the manifest lacks, and unfinished chunks of earlier runs.

        Raises GamesError.
        """
        news = False
        for path in sorted(self.folder.glob("*.tg")):
            fields = path.stem.split("-")
            games = next((g for g in self.manifest.sets if _is_of(g, fields)), None)
            if games is None or self.manifest.has(games, int(fields[4])):
                continue
            self.manifest.add(games, read_file(path))
            news = True
        if news:
            self.manifest.write()
        for path in sorted(self.folder.glob("*.tg.part")):
            fields = path.name.removesuffix(".tg.part").split("-")
            games = next((g for g in self.manifest.sets if _is_of(g, fields)), None)
            if games is None or self.manifest.has(games, int(fields[4])):
                continue
            if self._chunk(games, int(fields[4])).name == path.name.removesuffix(".part"):
                self._unfinished.append((games, int(fields[4])))

    def next_chunk(self) -> tuple[GameSet, Chunk]:
        """Returns an unfinished chunk, or the next one of the set farthest behind its share.

        Raises ManifestError if the seeds are used up.
        """
        manifest = self.manifest
        if self._unfinished:
            games, seed = self._unfinished.pop(0)
            self._under_way[games.seed].add(seed)
            return games, self._chunk(games, seed)
        games = min(
            manifest.sets,
            key=lambda g: (
                manifest.positions_of(g) / g.share,
                len(self._under_way[g.seed]) / g.share,
            ),
        )
        seed = max(
            manifest.next_seed(games),
            max(self._under_way[games.seed], default=-1) + manifest.chunk,
        )
        if seed + manifest.chunk > games.seed + SEEDS_APART:
            raise ManifestError(f"{manifest.path}: the seeds of the set {games.seed} are used up")
        self._under_way[games.seed].add(seed)
        return games, self._chunk(games, seed)

    def _chunk(self, games: GameSet, seed: int) -> Chunk:
        openings = self._openings_of(games)
        mix = self.manifest.mix
        if not openings:  # no openings are shipped for small boards
            mix = mix[0] + mix[1], 0, mix[2]
        return Chunk(
            games.rule,
            games.size,
            games.nodes,
            seed,
            self.manifest.chunk,
            self._engine,
            mix,
            openings,
        )

    def _openings_of(self, games: GameSet) -> str:
        key = games.rule, games.size
        if key not in self._openings:
            target = self.folder / f"openings-{games.rule}-{games.size}.txt"
            written = write_openings(games.rule, games.size, target)
            self._openings[key] = written.read_text() if written else ""
            target.unlink(missing_ok=True)
        return self._openings[key]

    def done(self, games: GameSet, chunk: Chunk, contents: Contents | None) -> None:
        """Records a finished chunk; None is a dropped one."""
        self._under_way[games.seed].discard(chunk.seed)
        if contents is not None:
            self.manifest.add(games, contents)
            self.manifest.write()

    def report(self, *, last: bool = False) -> None:
        """Prints a line once a minute and at the end; its rate is that of the last minutes."""
        now, have = time.monotonic(), self.manifest.positions_of()
        if not last and now - self._reported < REPORT_S:
            return
        self._reported = now
        since, before = self._counts[0]
        self._counts.append((now, have))
        if len(self._counts) > RATE_REPORTS:
            self._counts.popleft()
        print(
            f"{datetime.datetime.now():%H:%M} {self.manifest.name}: {have:,} of "
            f"{self.manifest.positions:,} positions, "
            f"{(have - before) / max(1e-3, now - since):,.0f} positions/s",
            flush=True,
        )


def _is_of(games: GameSet, fields: list[str]) -> bool:
    """Says whether a file belongs to a set by its name: rule-size-nodes-engine-seed."""
    if len(fields) != 5 or not fields[4].isdigit():
        return False
    kind = [str(games.rule), str(games.size), str(games.nodes)]
    return fields[:3] == kind and games.seed <= int(fields[4]) < games.seed + SEEDS_APART


Job = tuple[GameSet, Chunk]


def drive(
    driver: Driver,
    executor: Executor,
    count: int,
    submit: Callable[[Executor, Chunk], "Future[Contents | None]"],
) -> None:
    """Keeps `count` chunks running until the driver is over. Raises the errors of a chunk."""
    under_way: dict[Future[Contents | None], Job] = {}
    deaths: Counter[int] = Counter()
    check: Callable[[], None] = getattr(executor, "check", lambda: None)
    while True:
        while len(under_way) < count and not driver.is_over:
            job = driver.next_chunk()
            under_way[submit(executor, job[1])] = job
        if not under_way:
            break
        ready, _ = wait(under_way, BEAT_S, FIRST_COMPLETED)
        check()
        for future in ready:
            games, chunk = under_way.pop(future)
            try:
                driver.done(games, chunk, future.result())
            except Exception as error:
                # Dask reports a dead worker by its own exceptions.
                deaths[chunk.seed] += 1
                if "Worker" not in type(error).__name__ or deaths[chunk.seed] >= TRIES:
                    raise
                under_way[submit(executor, chunk)] = games, chunk
        driver.report()
    driver.report(last=True)


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
            with part.open("wb") as file:
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
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """Calls `stop` on SIGTERM and SIGINT."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, lambda *_: stop()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


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


def end_time(until: str | None, hours: float | None) -> float | None:
    """Returns the earlier of two end times, as of time.time(). Raises ValueError."""
    ends = []
    if until is not None:
        clock = datetime.datetime.strptime(until, "%H:%M").time()
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
    (folder / ".gitignore").write_text("*\n")  # games do not belong to a repository around them
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


def main() -> int:
    """Runs; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(description="Makes the games of a generation.")
    add = parser.add_argument
    add("manifest", type=Path, help="manifest of the generation (TOML)")
    add("--positions", type=int, metavar="N", help="end at N positions in all")
    add("--until", metavar="HH:MM", help="end at this time of day")
    add("--hours", type=float, metavar="H", help="end after H hours")
    add("--workers", type=int, default=1, metavar="N", help="chunks at once here (default: 1)")
    add("--nice", type=int, default=10, metavar="N", help="niceness of the games (default: 10)")
    add("--scheduler", metavar="ADDRESS", help="use a Dask cluster, e.g. tcp://HOST:8786")
    add("--engine", metavar="TEXT", help="name of the engine (default: its commit)")
    add("--player", type=Path, metavar="PATH", help="use this selfplay program; build none")
    args = parser.parse_args()
    failures = (
        ManifestError,
        GamesError,
        ChunkError,
        SchedulerError,
        build_core.BuildError,
        OSError,
        ValueError,
    )
    try:
        run(args)
    except failures as error:
        print(f"generate: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
