"""Finds wins by fours, and by fours and threes, slowly: from windows of five and the rules.

It shares no code with the engine: stones, lines and forbidden squares come from the arena. It
tries squares for threes that the engine skips, and every reply to a three. Therefore a win that
it does not find within its bound does not exist. It does not play ninuki.
"""

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from arena.rules import renju
from arena.rules.grid import DIRECTIONS, EMPTY, RAYS, Color, Grid, Point, shifted
from arena.rules.referee import Rule

REACH = 5


class Board:
    """A board with an attacker, who is to move at each question."""

    def __init__(
        self,
        *,
        rule: Rule,
        size: int,
        black: Iterable[Point],
        white: Iterable[Point],
        attacker: Color,
    ) -> None:
        """Takes a position."""
        self.rule, self.attacker, self.grid = rule, attacker, Grid(size=size)
        ends = range(size)
        squares: list[Point] = [(x, y) for x in ends for y in ends]
        self._windows = [
            window
            for start in squares
            for step in DIRECTIONS
            if (window := [shifted(start, step, i) for i in range(5)])[-1][0] in ends
            and window[-1][1] in ends
        ]
        self._through: dict[Point, list[int]] = {p: [] for p in squares}
        for number, window in enumerate(self._windows):
            for point in window:
                self._through[point].append(number)
        self._stones = {color: [0] * len(self._windows) for color in Color}
        self._begun: dict[Color, set[int]] = {color: set() for color in Color}
        numbers = random.Random(size)
        self._numbers = {
            (point, color): numbers.getrandbits(64) for point in self._through for color in Color
        }
        self._key = 0
        self._known: dict[tuple[int, int], bool] = {}
        for color, points in ((Color.BLACK, black), (Color.WHITE, white)):
            for point in points:
                self.put(point, color)

    def put(self, point: Point, color: Color) -> None:
        """Puts a stone on an empty square."""
        self.grid.put(point, color.letter)
        self._count(point, color, 1)

    @contextmanager
    def stone(self, point: Point, color: Color) -> Iterator[None]:
        """Holds a stone on an empty square while the `with` block runs."""
        self.put(point, color)
        try:
            yield
        finally:
            self.grid.put(point, EMPTY)
            self._count(point, color, -1)

    def _count(self, point: Point, color: Color, by: int) -> None:
        self._key ^= self._numbers[point, color]
        stones, begun = self._stones[color], self._begun[color]
        for number in self._through[point]:
            stones[number] += by
            if stones[number] >= 2:
                begun.add(number)
            else:
                begun.discard(number)

    def legal(self, point: Point, color: Color) -> bool:
        """Says whether an empty square is not forbidden."""
        restricted = self.rule is Rule.RENJU and color is Color.BLACK
        return not restricted or renju.why_forbidden(self.grid, point) is None

    def empty(self) -> list[Point]:
        """Returns the empty squares."""
        return self.grid.squares(EMPTY)

    def gaps(self, color: Color, own: int) -> list[Point]:
        """Returns the empty squares of windows with `own` stones or more, from 2, and no others."""
        mine, others = self._stones[color], self._stones[color.other]
        return sorted(
            {
                point
                for number in self._begun[color]
                if mine[number] >= own and not others[number]
                for point in self._windows[number]
                if self.grid.at(point) == EMPTY
            }
        )

    def fives(self, color: Color) -> list[Point]:
        """Returns the squares on which a stone of the colour wins."""
        return [point for point in self.gaps(color, 4) if self._wins(point, color)]

    def _wins(self, point: Point, color: Color) -> bool:
        with self.grid.trying(point, color):
            for run in (self.grid.run(point, step, color) for step in DIRECTIONS):
                exact = self.rule in (Rule.STANDARD, Rule.CARO_STANDARD) or (
                    self.rule is Rule.RENJU and color is Color.BLACK
                )
                caro = self.rule in (Rule.CARO, Rule.CARO_STANDARD)
                closed = caro and run.before == run.after == color.other.letter
                if (run.length == 5 and not closed) or (run.length > 5 and not exact):
                    return True
        return False

    def around(self, points: Iterable[Point]) -> list[Point]:
        """Returns the empty squares on the lines of the squares, within the reach of a five."""
        near = {shifted(p, ray, i) for p in points for ray in RAYS for i in range(REACH + 1)}
        return sorted(p for p in near if self.grid.at(p) == EMPTY)

    # --- by fours ---------------------------------------------------------------------------

    def wins_by_fours(self) -> bool:
        """Says whether the attacker has a win by continuous fours."""
        key = (self._key, 0)
        if key not in self._known:
            self._known[key] = bool(self.fives(self.attacker)) or any(
                self._four_wins(point) for point in self._fours()
            )
        return self._known[key]

    def _fours(self) -> list[Point]:
        return [p for p in self.gaps(self.attacker, 3) if self.legal(p, self.attacker)]

    def _four_wins(self, point: Point) -> bool:
        """Says whether the attacker's stone threatens a five, and every reply loses."""
        defender = self.attacker.other
        with self.stone(point, self.attacker):
            fives = self.fives(self.attacker)
            if not fives or self.fives(defender):
                return False
            for reply in self.around(fives[:1]):
                if self.legal(reply, defender):
                    with self.stone(reply, defender):
                        if not self.wins_by_fours():
                            return False
            return True

    # --- by fours and threes ----------------------------------------------------------------

    def wins_by_threats(self, moves: int) -> bool:
        """Says whether at most `moves` fours and threes lead to a win by continuous fours."""
        if self.wins_by_fours():
            return True
        key = (self._key, moves)
        if moves and key not in self._known:
            squares = set(self.gaps(self.attacker, 2))
            squares |= set(self.around(self.fives(self.attacker.other)))
            self._known[key] = any(
                self.legal(point, self.attacker) and self._threat_wins(point, moves)
                for point in sorted(squares)
            )
        return moves > 0 and self._known[key]

    def _threat_wins(self, point: Point, moves: int) -> bool:
        """Says whether the stone threatens to win by fours, and every reply loses."""
        defender = self.attacker.other
        with self.stone(point, self.attacker):
            if self.fives(defender) or not self.wins_by_fours():
                return False
            fives = self.fives(self.attacker)
            replies = self.around(fives[:1]) if fives else self._likely_first(point)
            for reply in replies:
                if self.legal(reply, defender):
                    with self.stone(reply, defender):
                        if not self.wins_by_threats(moves - 1):
                            return False
            return True

    def _likely_first(self, point: Point) -> list[Point]:
        """Returns every empty square, the nearest to the last move first."""
        x, y = point
        return sorted(self.empty(), key=lambda p: (max(abs(p[0] - x), abs(p[1] - y)), p))
