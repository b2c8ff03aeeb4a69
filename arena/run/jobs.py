"""Games as jobs, which any process can play, and the pairs of jobs of a match."""

import contextlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from ..engines.brain import Brain, CommandError
from ..engines.managers import STRICT, ManagerProfile
from ..engines.player import MoveRequest, Player, Reply, StartRequest
from ..engines.spec import EngineSpec
from ..game.game import GameSettings, play_game
from ..game.record import GameRecord
from ..rules.opening_rules import Seat
from ..rules.referee import Color, Point, Position, Rule
from ..rules.symmetry import SYMMETRIES, turned
from ..util.faults import CannotStartError
from .game_log import GameLog
from .opening_play import OpeningPlay, open_game

__all__ = [
    "RANDOM_PLIES",
    "Job",
    "RandomOpenings",
    "TurnedOpenings",
    "make_player",
    "paired_jobs",
    "play_job",
]


RANDOM_PLIES = 5


@dataclass(frozen=True)
class Job:
    """Holds everything that one game needs. The two jobs of a pair share an opening.

    With `opening_play` the two engines make the opening, and `black` places the first stone. `id`
    identifies the game in its store, also after a restart.
    """

    id: str
    black: EngineSpec
    white: EngineSpec
    settings: GameSettings
    manager: ManagerProfile
    pair: int
    opening_play: OpeningPlay | None = None
    log: str | None = None
    """The log file of the game; None for no log."""

    def engine(self, color: Color) -> EngineSpec:
        """Returns the engine of a colour."""
        return self.black if color is Color.BLACK else self.white


def play_job(job: Job) -> GameRecord:
    """Plays a job in this process; returns its record. Faults of an engine raise nothing."""
    if job.log is None:
        return _play_logged(job, None)
    with contextlib.closing(GameLog(Path(job.log))) as log:
        return _play_logged(job, log)


def _play_logged(job: Job, log: GameLog | None) -> GameRecord:
    """Plays the opening, if the engines make it, and the game."""
    if job.opening_play is None:
        return _play(job, log)
    engines = {Seat.FIRST: job.black, Seat.SECOND: job.white}
    opened = open_game(
        job.opening_play,
        engines,
        job.settings,
        lambda engine, manager: make_player(engine, manager, log),
        manager=job.manager,
        pair=job.pair,
    )
    if isinstance(opened, GameRecord):
        return opened
    black, white = (engines[opened.opening.seat_of(color)] for color in Color)
    settings = replace(job.settings, opening=opened.opening.stones)
    record = _play(replace(job, black=black, white=white, settings=settings), log)
    return replace(record, opening_rule=str(job.opening_play.rule), opening_log=opened.log)


def _play(job: Job, log: GameLog | None) -> GameRecord:
    """Plays the game after its opening."""
    black = make_player(job.black, job.manager, log)
    white = make_player(job.white, job.manager, log)
    limits = {color: job.engine(color).limits for color in Color}
    return play_game(black, white, job.settings, manager=job.manager, limits=limits)


def make_player(
    engine: EngineSpec, manager: ManagerProfile = STRICT, log: GameLog | None = None
) -> Player:
    """Returns a player for one game. One that cannot be started forfeits at its start."""
    try:
        return Brain(
            engine.command,
            name=engine.name,
            cwd=None if engine.cwd is None else Path(engine.cwd),
            manager=manager,
            info=engine.extra_info,
            on_line=None if log is None else log.of(engine.name),
        )
    except CommandError as error:
        return _Absent(engine.name, str(error))


def paired_jobs(
    a: EngineSpec,
    b: EngineSpec,
    settings: GameSettings,
    openings: Sequence[tuple[Point, ...]],
    games: int | None,
    *,
    manager: ManagerProfile = STRICT,
    first_pair: int = 0,
    prefix: str = "",
    opening_play: OpeningPlay | None = None,
) -> Iterator[Job]:
    """Yields the games of a match, each opening twice: first `a` is Black, then `b`.

    The openings repeat after the last. `games` None means no end; an odd number leaves the last
    pair incomplete. `settings.opening` is replaced. A job id is `prefix`, the pair number, and "a"
    or "b". Raises ValueError for an illegal opening.
    """
    if not openings:
        raise ValueError("openings: expected at least one")
    numbers = count() if games is None else range(games)
    for number in numbers:
        pair = first_pair + number // 2
        game = replace(settings, opening=openings[pair % len(openings)])
        is_first = number % 2 == 0
        yield Job(
            id=f"{prefix}{pair:05}{'a' if is_first else 'b'}",
            black=a if is_first else b,
            white=b if is_first else a,
            settings=game,
            manager=manager,
            pair=pair,
            opening_play=opening_play,
        )


class RandomOpenings(Sequence[tuple[Point, ...]]):
    """Makes short openings of random legal moves near the centre, from a number and a seed.

    The moves end no game and capture nothing. Each opening is made on demand, so there may be many.
    """

    def __init__(
        self,
        rule: Rule,
        size: int,
        *,
        seed: int = 1,
        moves: int = RANDOM_PLIES,
        count: int = 1_000_000,
    ) -> None:
        """Takes rule, size and seed. A small board gets fewer moves."""
        self._rule = rule
        self._size = size
        self._seed = seed
        self._count = count
        reach = 2
        low, high = max(0, (size - 1) // 2 - reach), min(size - 1, size // 2 + reach)
        self._near = [(x, y) for x in range(low, high + 1) for y in range(low, high + 1)]
        self._moves = min(moves, size - 2)

    def __len__(self) -> int:
        """Returns the number of openings."""
        return self._count

    def __getitem__(self, index: int) -> tuple[Point, ...]:  # type: ignore[override]
        """Returns an opening; equal numbers give equal openings."""
        if not -self._count <= index < self._count:
            raise IndexError(index)
        draw = random.Random(f"{self._seed} {index % self._count} {int(self._rule)} {self._size}")
        position = Position(size=self._size, rule=self._rule)
        while len(position.moves) < self._moves:
            outcome = position.play(draw.choice([m for m in self._near if position.legal(m)]))
            if position.is_over or outcome.captured:
                position.undo()
        return tuple(position.moves)


class TurnedOpenings(Sequence[tuple[Point, ...]]):
    """Holds openings, followed by their seven turned and mirrored images.

    An engine seldom plays the same moves in an image of a position, because it orders equal moves
    by square. A repeated set therefore gives new games.
    """

    def __init__(self, openings: Sequence[tuple[Point, ...]], size: int) -> None:
        """Takes the openings in order, and the board size."""
        self._openings = openings
        self._size = size

    def __len__(self) -> int:
        """Returns the number of openings, including images."""
        return len(self._openings) * len(SYMMETRIES)

    def __getitem__(self, index: int) -> tuple[Point, ...]:  # type: ignore[override]
        """Returns an opening."""
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        symmetry, number = divmod(index % len(self), len(self._openings))
        return tuple(turned(point, self._size, symmetry) for point in self._openings[number])


class _Absent:
    """Replaces an engine whose program does not exist: it forfeits at its start."""

    peak_bytes = 0

    def __init__(self, name: str, why: str) -> None:
        self._name = name
        self._why = why

    @property
    def name(self) -> str:
        return self._name

    @property
    def last_lines(self) -> list[str]:
        return []

    def launch(self) -> None:
        """Does nothing. `open` raises the fault for the right player."""

    def open(self, request: StartRequest) -> float:
        raise CannotStartError(self._why)

    def move(self, request: MoveRequest) -> Reply:
        raise CannotStartError(self._why)

    def memory_bytes(self) -> int:
        return 0

    def close(self) -> tuple[str, ...]:
        return ()
