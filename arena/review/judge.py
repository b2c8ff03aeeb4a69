"""An engine as the judge of a game's positions: one search for each, and proofs shown whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from records.review import Judgement

from ..play.client import Asked, Brain, judgement_of
from ..rules.referee import Color, Point, Position, RefereeError
from ..util.faults import BrainFault, Fault
from .proof import kind_of_win

__all__ = ["Budget", "Judge", "asked"]

_LONGEST_PROOF = 60
"""Plies of a proof that are asked for."""


@dataclass(frozen=True)
class Budget:
    """Holds the limits of each search; None is none, and without all of them 10 s."""

    time_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None


@dataclass(frozen=True)
class _At:
    """Holds a position as a search is asked about it."""

    size: int
    rule: int
    board: Mapping[Point, Color]
    captures: tuple[int, int]
    turn: Color


class Judge:
    """Judges positions with a brain. Its faults are raised as BrainFault."""

    def __init__(self, brain: Brain, budget: Budget) -> None:
        """Takes a brain, which is closed by whoever made it."""
        self._brain = brain
        self._budget = budget

    def judge(self, position: Position, played: Point | None) -> Judgement:
        """Returns what a position is worth; the board's word where the game is over.

        Where a win was there and another move was played, the line goes on to the end of the win.
        """
        if position.is_over:
            won = position.winner is position.to_move
            return Judgement(None, 0.5 if position.winner is None else float(won))
        judgement = self._search(position)
        if judgement.mate is None or judgement.mate <= 0 or judgement.best == played:
            return judgement
        line = self._whole(position, judgement.line)
        return replace(judgement, line=line, stage=kind_of_win(position, line))

    def _search(self, position: Position) -> Judgement:
        budget = self._budget
        found = self._brain.search(
            asked(position),
            time_ms=budget.time_ms,
            nodes=budget.nodes,
            depth=budget.depth,
            analysis=True,
        )
        if not position.legal(found.move):
            text = f"plays {found.name}, which is illegal"
            raise BrainFault(Fault.ILLEGAL, text)
        # A line may be older than the answer, or of another game: only what can be played is kept.
        legal = _playable(position, found.pv)
        return judgement_of(found, line=legal or (found.move,))

    def _whole(self, position: Position, line: Sequence[Point]) -> tuple[Point, ...]:
        """Returns a win to its end: both sides' further moves are asked of the brain."""
        played = list(line)
        for move in played:
            position.play(move)
        try:
            while not position.is_over and len(played) < _LONGEST_PROOF:
                move = self._search(position).line[0]
                position.play(move)
                played.append(move)
        except RefereeError:
            pass  # what the brain answers cannot be played: the line ends here
        finally:
            for _ in played:
                position.undo()
        return tuple(played)


def asked(position: Position) -> Asked:
    """Returns a position of the referee as a search is asked about it."""
    return _At(
        position.size,
        int(position.rule),
        _in_order(position),
        position.captures,
        position.to_move,
    )


def _in_order(position: Position) -> dict[Point, Color]:
    """Returns the stones, those of the moves last and in their order."""
    stones = position.stones
    moves = [move for move in position.moves if move in stones]
    placed = [point for point in stones if point not in set(moves)]
    return {point: stones[point] for point in (*placed, *moves)}


def _playable(position: Position, line: Sequence[Point]) -> tuple[Point, ...]:
    """Returns the moves of a line up to the first one that the rules do not allow."""
    count = 0
    try:
        for move in line:
            position.play(move)
            count += 1
    except RefereeError:
        pass
    for _ in range(count):
        position.undo()
    return tuple(line[:count])
