"""Judges positions by an engine, with the proof of each missed win."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypedDict

from pyengine._checks import checked_square
from pyengine.engine import Engine
from pyengine.errors import IllegalMoveError
from pyengine.position import Position
from pyengine.results import SearchResult
from pyengine.types import Square
from records.review import Judgement
from records.winrate import score_text, win_rate

__all__ = ["Budget", "Found", "Searcher", "judge_all"]

_PROOF_NODES: Final = 100_000


class Budget(TypedDict, total=False):
    """The limits of each search of a review or a game."""

    time_ms: int
    depth: int
    nodes: int


class Found(Protocol):
    """The result of a search, as far as a review needs it."""

    @property
    def move(self) -> Square:
        """The best move."""

    @property
    def score(self) -> int | None:
        """The score for the side to move; None if the engine tells none."""

    @property
    def mate(self) -> int | None:
        """Plies to the end, negative when losing; None = no end seen."""

    @property
    def pv(self) -> Sequence[Square]:
        """The expected line, the move first."""


class Searcher(Protocol):
    """An engine that searches positions: `Engine`, and `Brain` of the arena."""

    def search(
        self,
        position: Position,
        /,
        *,
        time_ms: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        analysis: bool = False,
    ) -> Found:
        """Returns the best move; with `analysis`, a forced move has a score too."""


def judge_all(
    engine: Searcher,
    positions: Iterable[Position],
    moves: Sequence[Square],
    limits: Budget,
    progress: Callable[[int, int], None] | None = None,
) -> list[Judgement]:
    """Returns the judgement of the position before each move, and of the last position.

    If the engine is an Engine, a missed win is shown by its proof. progress: called with the number
    of judged positions and of all positions.
    """
    judged: list[Judgement] = []
    for position, move in zip(positions, [*moves, None], strict=True):
        judgement = _judge(engine, position, limits)
        if judgement.mate is not None and judgement.mate > 0 and judgement.best != move:
            judgement = _proven(engine, position, judgement)
        judged.append(judgement)
        if progress is not None:
            progress(len(judged), len(moves) + 1)
    return judged


def _judge(engine: Searcher, position: Position, limits: Budget) -> Judgement:
    """Returns the judgement of a position; a finished game is judged by its result."""
    if position.is_over:
        share = 0.5 if position.winner is None else float(position.winner is position.turn)
        return Judgement(None, share)
    found = engine.search(position, analysis=True, **limits)
    stage = found.stage.value if isinstance(found, SearchResult) else ""
    rule, score = int(position.rule), found.score
    is_told = score is not None or bool(found.mate)
    rate = win_rate(rule, score or 0, found.mate) if is_told else None
    line = _legal_part(position, found.pv)
    return Judgement(
        best=found.move,
        win_rate=rate,
        score="" if rate is None else score_text(rule, score or 0, found.mate),
        mate=found.mate,
        stage=stage,
        line=line or (found.move,),
    )


def _proven(engine: Searcher, position: Position, judgement: Judgement) -> Judgement:
    """Returns the judgement of a won position with the simplest proof: a VCF, or else a VCT."""
    if not isinstance(engine, Engine):
        return judgement
    proofs = (("vcf", engine.vcf), ("vct", engine.vct))
    for stage, prove in proofs:
        if line := prove(position, max_nodes=_PROOF_NODES):
            return replace(judgement, best=line[0], stage=stage, line=tuple(line))
    return judgement


def _legal_part(position: Position, line: Sequence[Square]) -> tuple[Square, ...]:
    """Returns the moves of a line up to the first illegal one."""
    trial = position.copy()
    try:
        for move in line:
            trial.play(checked_square(move, position.size))
    except IllegalMoveError:
        pass
    return tuple(trial.squares[len(position.squares) :])
