"""Finds the next one or two moves after which a position is most even.

Every candidate gets a short search, the more even half a longer one, and so on. A search for two
moves first looks for a move that leaves the opponent the better side. The second move then gives
away the surplus.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from protocol.clock import DEFAULT_TURN_MS, Budget, now
from protocol.commands import Square
from protocol.position import Position
from protocol.thinking import Job, Thinker
from pyengine import Line, Rule, SearchResult

# The number of first moves for which a second move is searched.
_FIRST_MOVES: Final = 3
# The share of the time for choosing these first moves.
_FIRST_SHARE: Final = 0.25
# Halving ends with this many candidates.
_LAST_ROUND: Final = 4
# Every so many candidates are searched first, then those beside them.
_STRIDE: Final = 7
# The least nodes of a search under a node limit.
_FEWEST_NODES: Final = 20


@dataclass(frozen=True)
class Even:
    """Moves with their score. score: after the moves, for the side to move before them."""

    moves: tuple[Square, ...]
    score: int
    result: SearchResult

    def distance(self, target: int) -> int:
        """Returns the distance of the score to the target; proven ends come last."""
        far = 0 if self.result.mate is None else 100_000
        return abs(self.score - target) + far


@dataclass(frozen=True)
class _Span:
    """A part of the time, between two shares of the whole."""

    begin: float
    end: float

    def parts(self, count: int) -> list["_Span"]:
        """Returns equal parts."""
        step = (self.end - self.begin) / count
        return [_Span(self.begin + i * step, self.begin + (i + 1) * step) for i in range(count)]


class Balancer:
    """Looks for even moves within the limits of one job; restores the position."""

    def __init__(
        self,
        thinker: Thinker,
        position: Position,
        rule: Rule,
        job: Job,
        stopped: Callable[[], bool],
    ) -> None:
        self._thinker = thinker
        self._position = position
        self._rule = rule
        self._job = job
        self._stopped = stopped
        soft = job.budget.soft_ms
        if soft is None and job.nodes is None:
            soft = DEFAULT_TURN_MS
        self._whole_ms = soft
        self._nodes = 0

    def report(self, even: Even) -> Line:
        """Returns the report of the moves, with time and nodes of all searches."""
        result, moves = even.result, even.moves
        return Line(
            seq=1,
            line=0,
            depth=result.depth + len(moves),
            seldepth=result.seldepth + len(moves),
            score=even.score,
            mate=None,
            time_ms=int((now() - self._job.began) * 1000),
            nodes=self._nodes,
            pv=[*moves, *result.pv],
            size=result.size,
            rule=result.rule,
        )

    def one(self, target: int) -> Even | None:
        """Returns one move; None if no move leaves the game open, or every search failed."""
        return _open(self._most_even((), self._candidates(), target, _Span(0.0, 1.0)))

    def two(self, target: int) -> Even | None:
        """Returns a move of each side; None as for `one`."""
        firsts = self._candidates()
        looks = self._look_at((), firsts, _Span(0.0, _FIRST_SHARE))
        best: Even | None = None
        # After the first move the opponent should stand no worse than in the end, and hardly
        # better: the second move gives away the rest.
        order = sorted(looks, key=lambda even: (even.score > target, abs(even.score - target)))
        spans = _Span(_FIRST_SHARE, 1.0).parts(_FIRST_MOVES)
        for first, span in zip(order, spans, strict=False):
            if best is not None and self._is_over():
                break
            self._play(first.moves)
            seconds = self._candidates()
            self._take_back(first.moves)
            found = self._most_even(first.moves, seconds, target, span)
            if found and (best is None or found.distance(target) < best.distance(target)):
                best = found
        return _open(best)

    def _candidates(self) -> list[Square]:
        """Returns the legal moves that leave the game open, near and far ones in turn.

        If the time ends before all have been searched, moves of every kind have.
        """
        game = self._position.game(self._rule)
        allowed = [square for square in game.now.empty() if square not in self._job.excluded]
        fitting = [square for square in allowed if self._thinker.goes_on_after(game, square)]
        return [square for start in range(_STRIDE) for square in fitting[start::_STRIDE]]

    def _most_even(
        self, before: tuple[Square, ...], candidates: Sequence[Square], target: int, span: _Span
    ) -> Even | None:
        """Returns the move after `before` with the score nearest to the target."""
        alive = list(candidates)
        known: dict[Square, Even] = {}
        rounds = 1 + max(0, (len(alive) // _LAST_ROUND).bit_length())
        for part in span.parts(rounds):
            looks = self._look_at(before, alive, part)
            known |= {even.moves[-1]: even for even in looks}
            alive = sorted(
                (square for square in alive if square in known),
                key=lambda square: known[square].distance(target),
            )
            if not alive or self._is_over(span.end):
                break
            alive = alive[: max(_LAST_ROUND, (len(alive) + 1) // 2)]
        return known[alive[0]] if alive else None

    def _look_at(
        self, before: tuple[Square, ...], squares: Sequence[Square], span: _Span
    ) -> list[Even]:
        """Returns the results of searches after these moves, at least one."""
        looks: list[Even] = []
        share = (span.end - span.begin) / max(1, len(squares))
        for square in squares:
            if looks and self._is_over(span.end):
                break
            moves = (*before, square)
            self._play(moves)
            result = self._thinker.look(self._position.game(self._rule), self._part(share))
            self._take_back(moves)
            if result is not None:
                self._nodes += result.nodes
                own = len(moves) % 2 == 0
                looks.append(Even(moves, result.score if own else -result.score, result))
        return looks

    def _part(self, share: float) -> Job:
        """Returns the limits of one search: this share of the time and of the nodes."""
        ms = None if self._whole_ms is None else max(1, int(self._whole_ms * share))
        left = self._job.time_left().hard_ms
        if ms is not None and left is not None:
            ms = min(ms, left)
        nodes = self._job.nodes
        if nodes is not None:
            nodes = max(_FEWEST_NODES, int(nodes * share))
        return replace(self._job, budget=Budget(ms, ms), began=now(), nodes=nodes, excluded=())

    def _is_over(self, share: float = 1.0) -> bool:
        """Returns whether this share of the time is over, or a stop has come."""
        spent = (now() - self._job.began) * 1000
        return self._stopped() or (self._whole_ms is not None and spent >= self._whole_ms * share)

    def _play(self, moves: Sequence[Square]) -> None:
        for square in moves:
            self._position.play(square, self._position.to_move, self._rule)

    def _take_back(self, moves: Sequence[Square]) -> None:
        for _ in moves:
            self._position.undo()


def _open(even: Even | None) -> Even | None:
    """Returns None instead of moves that decide the game."""
    return None if even is None or even.result.mate is not None else even
