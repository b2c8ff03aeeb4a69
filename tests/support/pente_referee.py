"""A plain referee of Pente and Keryo-Pente, written from the text of the rules alone.

It shares no code with the core or the arena's referee, and nothing in it is fast or kept from move
to move. Squares are (x, y) from 0, colours are "black" and "white", captures are counted in stones.
"""

from dataclasses import dataclass

Point = tuple[int, int]

OTHER = {"black": "white", "white": "black"}
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))
RAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


class NotAllowedError(ValueError):
    """The move is off the board or on a stone, or the game is over."""


@dataclass(frozen=True)
class Variant:
    """The differences of the two games: the captured rows, and the stones that win."""

    rows: tuple[int, ...]
    stones_to_win: int


PENTE = Variant(rows=(2,), stones_to_win=10)
KERYO = Variant(rows=(2, 3), stones_to_win=15)


@dataclass(frozen=True)
class Played:
    """A move: what it captured, sorted, and what it won by: "five", "captures", both or nothing."""

    at: Point
    color: str
    captured: tuple[Point, ...]
    won_by: frozenset[str]


class Referee:
    """One game from the empty board, or from stones and captures that are given."""

    def __init__(
        self,
        variant: Variant,
        size: int,
        stones: dict[Point, str] | None = None,
        taken: dict[str, int] | None = None,
        to_move: str = "black",
    ) -> None:
        self.variant = variant
        self.size = size
        self.stones = dict(stones or {})
        self.taken = {"black": 0, "white": 0} | (taken or {})
        self.to_move = to_move
        self.history: list[Played] = []

    @property
    def winner(self) -> str | None:
        """The side whose last move won."""
        if self.history and self.history[-1].won_by:
            return self.history[-1].color
        return None

    @property
    def full(self) -> bool:
        """Whether no square is empty."""
        return len(self.stones) == self.size**2

    @property
    def over(self) -> bool:
        """Whether the game is won or drawn."""
        return self.winner is not None or self.full

    def allowed(self) -> list[Point]:
        """The squares that may be played: the empty ones. Nothing is forbidden."""
        if self.over:
            return []
        side = range(self.size)
        return [(x, y) for x in side for y in side if (x, y) not in self.stones]

    def captured_by(self, at: Point, color: str) -> list[Point]:
        """The stones that a stone of the colour captures on an empty square, in all directions."""
        captured = []
        for dx, dy in RAYS:
            row = []
            x, y = at[0] + dx, at[1] + dy
            while self.stones.get((x, y)) == OTHER[color]:
                row.append((x, y))
                x, y = x + dx, y + dy
            # beyond the edge there is no stone, so a row at the edge is safe
            if len(row) in self.variant.rows and self.stones.get((x, y)) == color:
                captured += row
        return sorted(captured)

    def longest_line(self, at: Point, color: str) -> int:
        """Returns the length of the longest line that a stone of the colour makes there."""
        longest = 0
        for dx, dy in LINES:
            length = 1
            for way in (1, -1):
                x, y = at[0] + way * dx, at[1] + way * dy
                while self.stones.get((x, y)) == color:
                    length += 1
                    x, y = x + way * dx, y + way * dy
            longest = max(longest, length)
        return longest

    def wins_by(self, at: Point, color: str) -> frozenset[str]:
        """Returns how a stone of the colour on an empty square wins: a five, captures, or both."""
        won_by = set()
        if self.longest_line(at, color) >= 5:
            won_by.add("five")
        if self.taken[color] + len(self.captured_by(at, color)) >= self.variant.stones_to_win:
            won_by.add("captures")
        return frozenset(won_by)

    def play(self, at: Point) -> Played:
        """Plays for the side to move. Raises NotAllowedError and changes nothing."""
        on_board = 0 <= at[0] < self.size and 0 <= at[1] < self.size
        if self.over or not on_board or at in self.stones:
            raise NotAllowedError(f"{at} cannot be played")
        color = self.to_move
        # captures take stones of the opponent alone: they never change a line of the mover
        won_by = self.wins_by(at, color)
        played = Played(at, color, tuple(self.captured_by(at, color)), won_by)
        self.stones[at] = color
        for stone in played.captured:
            del self.stones[stone]
        self.taken[color] += len(played.captured)
        self.to_move = OTHER[color]
        self.history.append(played)
        return played

    def undo(self) -> Played:
        """Takes the last move back and puts the stones back that it captured."""
        played = self.history.pop()
        del self.stones[played.at]
        for stone in played.captured:
            self.stones[stone] = OTHER[played.color]
        self.taken[played.color] -= len(played.captured)
        self.to_move = played.color
        return played

    def winning_squares(self, color: str) -> list[Point]:
        """The squares where a stone of the colour wins at once, whoever is to move."""
        side = range(self.size)
        empty = [(x, y) for x in side for y in side if (x, y) not in self.stones]
        return [at for at in empty if self.wins_by(at, color)]


def allowed_by_tournament_rule(size: int, earlier: list[Point]) -> set[Point]:
    """The squares for the next stone under the tournament rule, on a board with a centre."""
    centre = size // 2
    side = range(size)
    empty = {(x, y) for x in side for y in side} - set(earlier)
    if len(earlier) == 0:
        return {(centre, centre)}
    if len(earlier) == 2:  # three squares or more from the centre
        return {(x, y) for x, y in empty if max(abs(x - centre), abs(y - centre)) >= 3}
    return empty
