"""The referee: the rules of every game of the arena, in plain Python.

It follows only the definitions of the rules. It is slow and meant to be obviously right. Faster
implementations are compared with it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import ninuki, pente, renju
from .grid import DIRECTIONS, EMPTY, NEUTRAL, OFF_BOARD, Color, Grid, Point, Run
from .outcome import MAX_SIZE, MIN_SIZE, Outcome, Reason, RefereeError, Rule, Status
from .renju import Forbidden

__all__ = [
    "MAX_SIZE",
    "MIN_SIZE",
    "Color",
    "Forbidden",
    "Outcome",
    "Point",
    "Position",
    "Reason",
    "RefereeError",
    "Rule",
    "Status",
]


class _Verdict(NamedTuple):
    status: Status = Status.ONGOING
    winner: Color | None = None
    reason: Reason | None = None


class _Played(NamedTuple):
    """Holds a move of the history, and the values that it changed."""

    move: Point
    captured: list[Point]
    captures: tuple[int, int]
    verdict: _Verdict


class Position:
    """Plays one game under one rule and decides who has won.

    Squares are (x, y) from 0: x is the column from the left, y the row from the top. Only one
    thread at a time may use it.
    """

    def __init__(self, *, size: int, rule: Rule) -> None:
        """Creates an empty board with Black to move; raises RefereeError for a bad size or rule."""
        if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
            raise RefereeError(f"size: {size!r} is not from {MIN_SIZE} to {MAX_SIZE}")
        try:
            self._rule = Rule(rule)
        except ValueError:
            raise RefereeError(f"rule: {rule!r} is not a rule") from None
        self._size = size
        self._grid = Grid(size=size)
        self._captures = (0, 0)
        self._to_move = Color.BLACK
        self._verdict = _Verdict()
        self._history: list[_Played] = []

    def set_position(
        self,
        *,
        black: Iterable[Point] = (),
        white: Iterable[Point] = (),
        captures: Sequence[int] = (0, 0),
        to_move: Color = Color.BLACK,
        neutral: Iterable[Point] = (),
    ) -> None:
        """Replaces the position and clears the moves; raises RefereeError without a change.

        Any stones are accepted, balanced or not. `captures` are those of (Black, White), in
        stones under keryo and in pairs under the other rules. Neutral stones block; neither side
        can capture or count them. Under ninuki a five of the side not to move is pending, and a
        five of the side to move counts at its next move. Under the other rules a five on the board
        has no effect.
        """
        if not isinstance(to_move, Color):
            raise RefereeError(f"to_move: {to_move!r} is not a Color")
        taken = self._checked_captures(captures)
        grid = self._checked_grid(black=black, white=white, neutral=neutral)
        self._grid = grid
        self._captures = taken
        self._to_move = to_move
        self._history = []
        self._verdict = self._or_draw(self._judge_set_up())

    @property
    def size(self) -> int:
        """Returns the board size."""
        return self._size

    @property
    def rule(self) -> Rule:
        """Returns the rule."""
        return self._rule

    @property
    def to_move(self) -> Color:
        """Returns the side to move; after the end, the side that would be next."""
        return self._to_move

    @property
    def captures(self) -> tuple[int, int]:
        """Returns the captures of (Black, White): stones under keryo, pairs under other rules."""
        return self._captures

    @property
    def status(self) -> Status:
        """Returns the state of the game."""
        return self._verdict.status

    @property
    def winner(self) -> Color | None:
        """Returns the winner; None without one."""
        return self._verdict.winner

    @property
    def reason(self) -> Reason | None:
        """Returns the reason for the end; None while the game continues."""
        return self._verdict.reason

    @property
    def is_over(self) -> bool:
        """Says whether the game is won or drawn."""
        return self.status in (Status.WIN, Status.DRAW)

    @property
    def stones(self) -> dict[Point, Color]:
        """Returns the players' stones by square, in a new dictionary."""
        return {point: color for color in Color for point in self._grid.squares(color.letter)}

    @property
    def neutral(self) -> list[Point]:
        """Returns the squares of the neutral stones, sorted by (x, y)."""
        return self._grid.squares(NEUTRAL)

    @property
    def moves(self) -> list[Point]:
        """Returns the moves since the position was set up, in order."""
        return [played.move for played in self._history]

    def why_forbidden(self, move: Point) -> Forbidden | None:
        """Returns why an empty square is forbidden for the side to move; None if it is allowed.

        Returns None for an occupied square. Does not check whether the game is over.
        """
        if self._grid.at(move) != EMPTY:
            return None
        if self._rule is Rule.RENJU and self._to_move is Color.BLACK:
            return renju.why_forbidden(self._grid, move)
        if self._rule is Rule.NINUKI and ninuki.is_forbidden(self._grid, move, self._to_move):
            return Forbidden.DOUBLE_THREE
        return None

    def is_forbidden(self, move: Point) -> bool:
        """Says whether a square is empty and forbidden for the side to move."""
        return self.why_forbidden(move) is not None

    def legal(self, move: Point) -> bool:
        """Says whether a square is on the board, empty and not forbidden for the side to move.

        Does not check whether the game is over; `play` does.
        """
        return self._grid.at(move) == EMPTY and not self.is_forbidden(move)

    def forbidden(self) -> list[Point]:
        """Returns the empty squares that are forbidden for the side to move, sorted by (x, y)."""
        return [point for point in self._grid.squares(EMPTY) if self.is_forbidden(point)]

    def legal_moves(self) -> list[Point]:
        """Returns the squares for which `legal` holds, sorted by (x, y)."""
        return [point for point in self._grid.squares(EMPTY) if self.legal(point)]

    def play(self, move: Point) -> Outcome:
        """Plays a move of the side to move; returns its outcome.

        Raises RefereeError without a change for an illegal square or after the end.
        """
        move = _two_ints("move", move)
        self._refuse_illegal(move)
        mover = self._to_move
        captured = self._captured_by(move, mover)
        self._history.append(_Played(move, captured, self._captures, self._verdict))
        self._grid.put(move, mover.letter)
        for stone in captured:
            self._grid.put(stone, EMPTY)
        self._captures = _with_more(self._captures, mover, self._rule.count_captured(len(captured)))
        self._to_move = mover.other
        self._verdict = self._or_draw(self._judge_move(move, mover))
        return Outcome(list(captured), self.status, self.winner, self.reason)

    def _captured_by(self, move: Point, mover: Color) -> list[Point]:
        """Returns the stones that a move captures, sorted by (x, y)."""
        match self._rule:
            case Rule.NINUKI:
                return ninuki.captured_by(self._grid, move, mover)
            case Rule.PENTE:
                return pente.captured_by(self._grid, move, mover)
            case Rule.KERYO:
                return pente.captured_by(self._grid, move, mover, pente.PAIRS_AND_TRIPLES)
            case _:
                return []

    def undo(self) -> None:
        """Takes back the last move; raises RefereeError if there is none."""
        if not self._history:
            raise RefereeError("undo: no move since the position was set up")
        played = self._history.pop()
        mover = self._to_move.other
        self._grid.put(played.move, EMPTY)
        for stone in played.captured:
            self._grid.put(stone, mover.other.letter)
        self._captures = played.captures
        self._verdict = played.verdict
        self._to_move = mover

    def _refuse_illegal(self, move: Point) -> None:
        """Raises RefereeError with the reason if a move is illegal."""
        if self.is_over:
            raise RefereeError(f"move: {move} comes after the end of the game ({self.reason})")
        cell = self._grid.at(move)
        if cell == OFF_BOARD:
            raise RefereeError(f"move: {move} is off the board of size {self._size}")
        if cell != EMPTY:
            raise RefereeError(f"move: {move} is occupied")
        reason = self.why_forbidden(move)
        if reason is not None:
            raise RefereeError(f"move: {move} is forbidden ({reason.value})")

    def _judge_move(self, move: Point, mover: Color) -> _Verdict:
        """Returns the verdict after a move, without draws."""
        if self._rule is Rule.NINUKI:
            was_pending = self._verdict.status is Status.PENDING
            return self._judge_ninuki(mover, was_reply=was_pending)
        if self._rule.has_captures and self._captures_of(mover) >= self._rule.captures_to_win:
            return _Verdict(Status.WIN, mover, Reason.CAPTURES)
        runs = [self._grid.run(move, step, mover) for step in DIRECTIONS]
        if any(_wins(self._rule, mover, run) for run in runs):
            return _Verdict(Status.WIN, mover, Reason.FIVE)
        return _Verdict()

    def _judge_ninuki(self, mover: Color, *, was_reply: bool) -> _Verdict:
        """Returns the verdict after a move of ninuki, which may have answered a pending five."""
        if self._captures_of(mover) >= self._rule.captures_to_win:
            return _Verdict(Status.WIN, mover, Reason.CAPTURES)
        if was_reply and ninuki.has_five(self._grid, mover.other):
            return _Verdict(Status.WIN, mover.other, Reason.FIVE_NOT_BROKEN)
        # Any five of the mover, not only through the new stone: a set-up five counts at its owner's
        # next move.
        if not ninuki.has_five(self._grid, mover):
            return _Verdict()
        if ninuki.can_break(self._grid, mover.other):
            return _Verdict(Status.PENDING)
        return _Verdict(Status.WIN, mover, Reason.FIVE)

    def _judge_set_up(self) -> _Verdict:
        """Returns the verdict on a set-up position, without draws."""
        if not self._rule.has_captures:
            return _Verdict()
        for color in Color:
            if self._captures_of(color) >= self._rule.captures_to_win:
                return _Verdict(Status.WIN, color, Reason.CAPTURES)
        if self._rule is Rule.NINUKI and ninuki.has_five(self._grid, self._to_move.other):
            return _Verdict(Status.PENDING)
        return _Verdict()

    def _or_draw(self, verdict: _Verdict) -> _Verdict:
        """Returns the verdict, or a draw if nobody has won and the side to move has no move."""
        if verdict.status is Status.WIN:
            return verdict
        empty = self._grid.squares(EMPTY)
        if not empty:
            return _Verdict(Status.DRAW, None, Reason.BOARD_FULL)
        if not any(self.legal(point) for point in empty):
            return _Verdict(Status.DRAW, None, Reason.NO_LEGAL_MOVE)
        return verdict

    def _captures_of(self, color: Color) -> int:
        """Returns the captures of a side."""
        return self._captures[0 if color is Color.BLACK else 1]

    def _checked_captures(self, captures: Sequence[int]) -> tuple[int, int]:
        """Returns the captures as a tuple; raises RefereeError for bad values."""
        taken = _two_ints("captures", captures)
        if min(taken) < 0:
            raise RefereeError(f"captures: {captures!r} is less than 0")
        if not self._rule.has_captures:
            if any(taken):
                raise RefereeError(f"captures: {captures!r}, but this rule has no captures")
            return taken
        if min(taken) >= self._rule.captures_to_win:
            raise RefereeError(f"captures: {captures!r}: both sides have won")
        return taken

    def _checked_grid(
        self, *, black: Iterable[Point], white: Iterable[Point], neutral: Iterable[Point]
    ) -> Grid:
        """Returns a board with these stones; raises RefereeError for a bad or occupied square."""
        grid = Grid(size=self._size)
        groups = (
            ("black", Color.BLACK.letter, black),
            ("white", Color.WHITE.letter, white),
            ("neutral", NEUTRAL, neutral),
        )
        for name, letter, points in groups:
            for given in points:
                point = _two_ints(name, given)
                cell = grid.at(point)
                if cell == OFF_BOARD:
                    raise RefereeError(f"{name}: {point} is off the board of size {self._size}")
                if cell != EMPTY:
                    raise RefereeError(f"{name}: {point} already has a stone")
                grid.put(point, letter)
        return grid


def _wins(rule: Rule, mover: Color, run: Run) -> bool:
    """Says whether a run through the new stone wins. Ninuki is judged by the whole board."""
    five, more = run.length == 5, run.length > 5
    closed = run.before == run.after == mover.other.letter
    match rule:
        case Rule.FREESTYLE | Rule.PENTE | Rule.KERYO:
            return five or more
        case Rule.STANDARD:
            return five
        case Rule.RENJU:
            return five or (more and mover is Color.WHITE)
        case Rule.CARO:
            return more or (five and not closed)
        case Rule.CARO_STANDARD:
            return five and not closed
        case Rule.NINUKI:
            raise AssertionError("ninuki is judged by the whole board")


def _with_more(captures: tuple[int, int], mover: Color, more: int) -> tuple[int, int]:
    """Returns the captures of (Black, White) after a capture of the mover."""
    black, white = captures
    return (black + more, white) if mover is Color.BLACK else (black, white + more)


def _two_ints(name: str, given: Sequence[int]) -> tuple[int, int]:
    """Returns two integers as a tuple; raises RefereeError for anything else."""
    try:
        first, second = given
    except (TypeError, ValueError):
        raise RefereeError(f"{name}: {given!r} is not two whole numbers") from None
    if not isinstance(first, int) or not isinstance(second, int):
        raise RefereeError(f"{name}: {given!r} is not two whole numbers")
    return (first, second)
