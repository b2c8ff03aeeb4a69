"""Chooses the chunks of a generation, keeps them running, and records them in its manifest."""

import datetime
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path

from training.chunk import Chunk
from training.gamefiles import Contents, GamesError, Header, read_file, write_openings
from training.manifest import SEEDS_APART, GameSet, Manifest, ManifestError

REPORT_S = 60.0
RATE_REPORTS = 5
BEAT_S = 0.5
TRIES = 5


class Driver:
    """Chooses the next chunk of a manifest and records finished ones; several may run at once."""

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

        Raises GamesError, and ManifestError for games of no set.
        """
        news = False
        for path in sorted(self.folder.glob("*.tg")):
            fields = path.stem.split("-")
            games = self._set_of(path, fields)
            if games is None or self.manifest.has(games, int(fields[4])):
                continue
            found = read_file(path)
            if not _is_named_right(found.header, fields):
                raise GamesError(f"{path}: its header is not what its name says; remove it")
            self.manifest.add(games, found)
            news = True
        if news:
            self.manifest.write()
        for path in sorted(self.folder.glob("*.tg.part")):
            fields = path.name.removesuffix(".tg.part").split("-")
            games = self._set_of(path, fields)
            if games is None or self.manifest.has(games, int(fields[4])):
                continue
            if self._chunk(games, int(fields[4])).name == path.name.removesuffix(".part"):
                self._unfinished.append((games, int(fields[4])))
            else:
                print(f"{path}: left alone, because it is of another engine", flush=True)

    def _set_of(self, path: Path, fields: list[str]) -> GameSet | None:
        """Returns the set that a file belongs to; None for a name that is not the generator's.

        Raises ManifestError if there is no such set.
        """
        if len(fields) != 5 or not fields[4].isdecimal():
            return None
        for games in self.manifest.sets:
            if _is_of(games, fields):
                return games
        raise ManifestError(
            f"{path} is of no set of {self.manifest.path}: another manifest of this name used "
            "the folder, or a set was changed; rename the manifest, or move the file"
        )

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
            self.manifest.play_out,
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
        """Records a finished chunk. A dropped chunk has the contents None."""
        self._under_way[games.seed].discard(chunk.seed)
        if contents is not None:
            self.manifest.add(games, contents)
            self.manifest.write()

    def report(self, *, last: bool = False) -> None:
        """Prints a line once a minute and at the end. Its rate is the mean of the last minutes."""
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
    """Says whether the five parts of a file's name, rule-size-nodes-engine-seed, are of a set."""
    kind = [str(games.rule), str(games.size), str(games.nodes)]
    return fields[:3] == kind and games.seed <= int(fields[4]) < games.seed + SEEDS_APART


def _is_named_right(header: Header, fields: list[str]) -> bool:
    """Says whether a file's header has the rule, size, nodes and seed of its name."""
    named = [int(fields[at]) for at in (0, 1, 2, 4)]
    return named == [header.rule, header.size, header.nodes, header.seed]


Job = tuple[GameSet, Chunk]


def drive(
    driver: Driver,
    executor: Executor,
    count: int,
    submit: Callable[[Executor, Chunk], "Future[Contents | None]"],
) -> None:
    """Keeps `count` chunks running while the driver allows it. Raises the errors of a chunk."""
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
