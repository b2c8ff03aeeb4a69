"""Games as jobs: a value that any process can play, and the pairs that make a match of them."""

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
    """Holds all that one game needs; two jobs of one `pair` share an opening, colours swapped.

    With `opening_play` the two make the opening themselves, and `black` puts the first stone.
    `id` tells the game apart from all others of its store, also after a restart.
    """

    id: str
    black: EngineSpec
    white: EngineSpec
    settings: GameSettings
    manager: ManagerProfile
    pair: int
    opening_play: OpeningPlay | None = None
    log: str | None = None
    """The file for all that is said in the game, None for none."""

    def engine(self, color: Color) -> EngineSpec:
        """Returns who plays a colour."""
        return self.black if color is Color.BLACK else self.white


def play_job(job: Job) -> GameRecord:
    """Plays a job in this process and returns its record; what an engine does wrong raises not."""
    if job.log is None:
        return _play_logged(job, None)
    with contextlib.closing(GameLog(Path(job.log))) as log:
        return _play_logged(job, log)


def _play_logged(job: Job, log: GameLog | None) -> GameRecord:
    """Plays the opening, where the engines make it, and the game."""
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
    """Plays the game from its opening on."""
    black = make_player(job.black, job.manager, log)
    white = make_player(job.white, job.manager, log)
    limits = {color: job.engine(color).limits for color in Color}
    return play_game(black, white, job.settings, manager=job.manager, limits=limits)


def make_player(
    engine: EngineSpec, manager: ManagerProfile = STRICT, log: GameLog | None = None
) -> Player:
    """Returns a player for one game; one that cannot be started forfeits when it has to start."""
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
    """Yields the games of a match, each opening twice: `a` is Black first, then `b`.

    The openings are taken in order and begin anew after the last. `games` None goes on for ever;
    an odd number leaves the last pair unfinished. `settings.opening` is replaced. Job ids are
    `prefix` + pair number + "a" or "b". Raises ValueError, for an opening that makes no game.
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
    """Makes short openings of random legal moves near the middle, each of its number and a seed.

    They end no game and take no stone. One is made when it is asked for, so there may be many.
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
        """Takes what the openings are for; a small board gets as many moves as fit."""
        self._rule = rule
        self._size = size
        self._seed = seed
        self._count = count
        reach = 2
        low, high = max(0, (size - 1) // 2 - reach), min(size - 1, size // 2 + reach)
        self._near = [(x, y) for x in range(low, high + 1) for y in range(low, high + 1)]
        self._moves = min(moves, size - 2)

    def __len__(self) -> int:
        """Returns how many there are."""
        return self._count

    def __getitem__(self, index: int) -> tuple[Point, ...]:  # type: ignore[override]
        """Returns one, the same for the same number."""
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
    """Holds openings, and after them all their seven turned and mirrored images.

    An engine that answers the same to the same position seldom does so to its image: it orders
    equal moves by square. So a set that is gone through again brings other games.
    """

    def __init__(self, openings: Sequence[tuple[Point, ...]], size: int) -> None:
        """Takes the openings, in their order, and the side of the board."""
        self._openings = openings
        self._size = size

    def __len__(self) -> int:
        """Returns how many there are, images included."""
        return len(self._openings) * len(SYMMETRIES)

    def __getitem__(self, index: int) -> tuple[Point, ...]:  # type: ignore[override]
        """Returns one."""
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        symmetry, number = divmod(index % len(self), len(self._openings))
        return tuple(turned(point, self._size, symmetry) for point in self._openings[number])


class _Absent:
    """Stands for an engine whose command names nothing: forfeits at its start."""

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
        """Does nothing: whose fault it is, is known when that player is opened."""

    def open(self, request: StartRequest) -> float:
        raise CannotStartError(self._why)

    def move(self, request: MoveRequest) -> Reply:
        raise CannotStartError(self._why)

    def memory_bytes(self) -> int:
        return 0

    def close(self) -> tuple[str, ...]:
        return ()
