"""Makes sets of balanced openings: random short ones that an engine's search finds even.

Each candidate goes into a journal at once. An interrupted run can therefore continue, and gives the
same set as a run without a break.
"""

import enum
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..engines.clock import UNLIMITED_MS
from ..engines.lines import MOVE, OK
from ..engines.process import BrainProcess
from ..engines.reports import read_thought
from ..engines.spec import EngineSpec
from ..rules.referee import Point, Position, RefereeError, Rule, Status
from ..rules.symmetry import key_of
from ..util.output import is_broken_pipe
from .book import OpeningError
from .journal import Candidate, Journal

__all__ = ["Judge", "Made", "Recipe", "Style", "draw_opening", "make_openings"]

START_MS = 20_000
TURN_MS = 600_000
STONES = (3, 4, 5, 6, 7)
TRIES = 30
"""The number of failed candidates before the next style and length."""
GIVE_UP = 1500
"""The number of failed candidates in a row before the run gives up."""
SILENT = 12
"""The number of positions for which an engine may report no score, as for a single reply."""
PAUSE_S = 1.1
_PROVEN = re.compile(r"\b(?:mate|win|wins|loss|lose|loses)\b", re.IGNORECASE)


class Style(enum.Enum):
    """The part of the board in which an opening begins."""

    CENTRE = "centre"
    OFF_CENTRE = "off centre"
    EDGE = "edge"


_C, _O, _E = Style.CENTRE, Style.OFF_CENTRE, Style.EDGE
STYLES = (_C, _O, _C, _E, _C, _O, _C, _E, _C, _O, _C)
"""The numbers of styles and of lengths are coprime, so every pair occurs."""
STEP_WEIGHTS = {1: 4, 2: 3, 3: 1}
"""The weights of the distances from the next stone to the nearest one."""


@dataclass(frozen=True)
class Recipe:
    """Holds the parameters of a set. Equal recipes and engines give equal sets.

    A candidate is searched with a tenth of `nodes`, then with `nodes`, and finally with
    `confirm_nodes`. It passes the first search below three times `max_score`.
    """

    rule: Rule
    size: int
    seed: int = 1
    nodes: int = 20_000
    confirm_nodes: int = 60_000
    max_score: int = 200

    @property
    def stages(self) -> tuple[tuple[int, int], ...]:
        """Returns the searches in order: nodes, and the largest score that passes."""
        return (
            (max(1, self.nodes // 10), 3 * self.max_score),
            (self.nodes, self.max_score),
            (self.confirm_nodes, self.max_score),
        )

    def described(self, engine: EngineSpec) -> dict[str, object]:
        """Returns the values that must be equal to continue a set."""
        return {
            "engine": engine.name,
            "info": [list(pair) for pair in engine.info],
            "rule": int(self.rule),
            "size": self.size,
            "seed": self.seed,
            "nodes": self.nodes,
            "confirm_nodes": self.confirm_nodes,
            "max_score": self.max_score,
        }


@dataclass(frozen=True)
class Made:
    """Holds the result of a call: openings in the file, candidates tried, whether it gave up."""

    kept: int
    tried: int
    gave_up: bool = False


OnKept = Callable[[int, Candidate], None]
"""Called with the number of a kept opening, from 1, and the opening."""


def make_openings(
    engine: EngineSpec,
    recipe: Recipe,
    path: Path,
    *,
    count: int,
    on_kept: OnKept | None = None,
) -> Made:
    """Adds balanced openings to a file until it holds `count`; returns the result.

    Raises OpeningError if the file or its journal has another recipe or cannot be written, or if
    the engine reports no scores. Raises BrainFault for a fault of the engine.
    """
    try:
        with (
            Journal(path, size=recipe.size, recipe=recipe.described(engine)) as journal,
            Judge(engine, recipe) as judge,
        ):
            work = _Work(recipe)
            for candidate in journal.candidates:
                work.count(candidate)
            while work.kept < count and work.failed_in_row < GIVE_UP:
                candidate = work.next(judge)
                journal.add(candidate)
                work.count(candidate)
                if candidate.kept and on_kept is not None:
                    on_kept(work.kept, candidate)
            return Made(work.kept, work.tried, gave_up=work.kept < count)
    except OSError as error:
        if is_broken_pipe(error):  # an error of on_kept is not a fault of the file
            raise
        raise OpeningError(f"{error.filename or path}: {error.strerror}") from None
    except RefereeError as error:
        raise OpeningError(f"{path}: its journal has an illegal move: {error}") from None


@dataclass
class _Work:
    """Draws candidates. The next one depends only on the results of those before."""

    recipe: Recipe
    kept: int = 0
    tried: int = 0
    failed_in_row: int = 0
    slot: int = 0
    failed_in_slot: int = 0
    keys: set[object] = field(default_factory=set)

    def next(self, judge: "Judge") -> Candidate:
        """Draws and judges the next candidate."""
        style, stones = STYLES[self.slot % len(STYLES)], STONES[self.slot % len(STONES)]
        position = draw_opening(self.recipe, self.tried, style, stones)
        if position is None:
            return Candidate((), (), kept=False)
        moves = tuple(position.moves)
        if key_of(position) in self.keys:
            return Candidate(moves, (), kept=False)
        balanced, scores = judge.is_balanced(position)
        return Candidate(moves, tuple(scores), kept=balanced)

    def count(self, candidate: Candidate) -> None:
        """Records the result of a candidate."""
        self.tried += 1
        if candidate.kept:
            self.kept += 1
            self.keys.add(key_of(self._position(candidate.moves)))
            self.failed_in_row = 0
        else:
            self.failed_in_row += 1
            self.failed_in_slot += 1
        if candidate.kept or self.failed_in_slot >= TRIES:
            self.slot += 1
            self.failed_in_slot = 0

    def _position(self, moves: tuple[Point, ...]) -> Position:
        position = Position(size=self.recipe.size, rule=self.recipe.rule)
        for move in moves:
            position.play(move)
        return position


# Drawing


def draw_opening(recipe: Recipe, number: int, style: Style, stones: int) -> Position | None:
    """Returns the position after a random opening; equal arguments give equal openings.

    Returns None if the draw fails. The opening has no captures and no five that can be broken.
    """
    draw = random.Random(f"{recipe.seed} {int(recipe.rule)} {recipe.size} {number}")
    position = Position(size=recipe.size, rule=recipe.rule)
    position.play(draw.choice(_first_squares(recipe, style)))
    for _ in range(20 * stones):
        if len(position.moves) == stones:
            return position
        move = _next_square(position, draw)
        if position.legal(move):
            outcome = position.play(move)
            if outcome.captured or outcome.status is not Status.ONGOING:
                position.undo()
    return None


def _first_squares(recipe: Recipe, style: Style) -> list[Point]:
    """Returns the squares for the first stone; under renju only the centre."""
    size, half = recipe.size, recipe.size // 2
    reach = 0 if recipe.rule is Rule.RENJU else 1

    def fits(point: Point) -> bool:
        to_edge = min(*point, size - 1 - point[0], size - 1 - point[1])
        to_centre = max(abs(point[0] - half), abs(point[1] - half))
        match style:
            case Style.CENTRE:
                return to_centre <= reach
            case Style.OFF_CENTRE:
                return to_centre >= 3 and to_edge >= 3
            case Style.EDGE:
                return to_edge <= 2

    squares = [point for point in _squares(size) if fits(point)]
    return squares or [(half, half)]


def _next_square(position: Position, draw: random.Random) -> Point:
    """Returns a random empty square near the stones."""
    stones = position.stones
    near: dict[Point, int] = {}
    for point in _squares(position.size):
        if point not in stones:
            step = min(max(abs(point[0] - x), abs(point[1] - y)) for x, y in stones)
            if weight := STEP_WEIGHTS.get(step, 0):
                near[point] = weight
    return draw.choices(list(near), list(near.values()))[0]


def _squares(size: int) -> Iterator[Point]:
    return ((x, y) for x in range(size) for y in range(size))


# Judging


class Judge:
    """Searches positions with an engine; a context manager that ends the engine."""

    def __init__(self, engine: EngineSpec, recipe: Recipe) -> None:
        """Takes the engine and the conditions. The process starts with the first position."""
        self._engine = engine
        self._recipe = recipe
        self._process: BrainProcess | None = None
        self._silent = 0
        self._heard = False

    def __enter__(self) -> "Judge":
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the engine."""
        if self._process is not None:
            self._process.close()

    def is_balanced(self, position: Position) -> tuple[bool, list[int | None]]:
        """Says whether each search finds a small score; returns the scores."""
        scores: list[int | None] = []
        for nodes, most in self._recipe.stages:
            score = self.score(position, nodes)
            scores.append(score)
            if score is None or abs(score) > most:
                return False, scores
        return True, scores

    def score(self, position: Position, nodes: int) -> int | None:
        """Returns the final score of a search from an empty table; None for a win.

        Also returns None if the engine reports no score, as for a single reply. Raises OpeningError
        if it never reports one, and BrainFault as BrainProcess does.
        """
        told = self._ask(position, nodes)
        if told is None and self._heard:
            # Engines drop messages that come too fast. After a pause they send some.
            time.sleep(PAUSE_S)
            told = self._ask(position, nodes)
        if told is not None:
            self._heard = True
            return _plain_score(told)
        self._silent += 1
        if self._silent >= SILENT and not self._heard:
            raise OpeningError(
                f"{self._engine.name}: reports no score during the search: expected messages such "
                "as `MESSAGE DEPTH 8 SCORE -12`"
            )
        return None

    def _ask(self, position: Position, nodes: int) -> str | None:
        """Searches the position; returns the last message with a score."""
        self._start()
        assert self._process is not None
        self._process.send(f"INFO max_node {nodes}")
        answer = self._process.ask(*_board(position), form=MOVE, limit_ms=2 * TURN_MS)
        told = [text for text in answer.messages if read_thought([text]).score is not None]
        return told[-1] if told else None

    def _start(self) -> None:
        """Starts a new game, to clear the engine's memory of the last position."""
        engine, recipe = self._engine, self._recipe
        if self._process is None:
            cwd = None if engine.cwd is None else Path(engine.cwd)
            self._process = BrainProcess(engine.command, cwd=cwd)
        self._process.ask(f"START {recipe.size}", form=OK, limit_ms=START_MS)
        self._process.send(
            "INFO timeout_match 0",
            f"INFO timeout_turn {TURN_MS}",
            "INFO game_type 1",
            f"INFO rule {int(recipe.rule)}",
            *(f"INFO {key} {value}" for key, value in engine.info),
            f"INFO time_left {UNLIMITED_MS}",
        )


def _board(position: Position) -> list[str]:
    """Returns the lines of a BOARD with the stones in playing order."""
    stones, mover = position.stones, position.to_move
    rows = [f"{x},{y},{1 if stones[x, y] is mover else 2}" for x, y in position.moves]
    return ["BOARD", *rows, "DONE"]


def _plain_score(message: str) -> int | None:
    """Returns the score of a message; None for a proven win or loss."""
    text = read_thought([message]).score
    if text is None or _PROVEN.search(message):
        return None
    try:
        return int(text)
    except ValueError:
        return None  # `+M12` is a proven win
