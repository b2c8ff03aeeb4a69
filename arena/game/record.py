"""The record of a game, which is stored as one line of JSON."""

import enum
import json
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, Literal

import msgspec

from ..engines.clock import Limits
from ..rules.referee import MAX_SIZE, MIN_SIZE, Color, Point, Position, Rule
from ..util.json_text import read_json

__all__ = ["EndReason", "GameRecord", "MoveRecord", "PlayerRecord", "Setup", "end_words"]

FORMAT = 1

MOST = 1 << 62
"""The largest number in a record."""

Count = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
Number = Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)]
Side = Literal["black", "white"]


class EndReason(enum.Enum):
    """The reasons for the end of a game. A forfeit is a fault of a player, not of the position."""

    FIVE = "five"
    CAPTURES = "captures"
    FIVE_NOT_BROKEN = "five_not_broken"
    FORBIDDEN = "forbidden"
    BOARD_FULL = "board_full"
    NO_LEGAL_MOVE = "no_legal_move"
    ADJUDICATED = "adjudicated"
    """The manager ended the game early, by both engines' scores or by the number of moves."""
    TIME = "time"
    ILLEGAL = "illegal"
    CRASH = "crash"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    DRAW = "draw"
    """The game comes from a file that has a draw without a reason."""
    UNKNOWN = "unknown"
    """The game comes from a file without a result."""

    @classmethod
    def _missing_(cls, value: object) -> "EndReason | None":
        """Reads `foul`, the name of `forbidden` in games of older versions."""
        return cls.FORBIDDEN if value == "foul" else None

    @property
    def is_forfeit(self) -> bool:
        """Says whether a player lost by a fault. A forbidden move of renju is not a fault."""
        return self in _FORFEITS


_FORFEITS = (
    EndReason.TIME,
    EndReason.ILLEGAL,
    EndReason.CRASH,
    EndReason.PROTOCOL,
    EndReason.MEMORY,
)


_WORDS = {
    EndReason.FIVE: "five in a row",
    EndReason.FIVE_NOT_BROKEN: "the five was not broken",
    EndReason.BOARD_FULL: "the board is full",
    EndReason.NO_LEGAL_MOVE: "the side to move has no legal move",
}


def end_words(rule: Rule, reason: EndReason) -> str:
    """Returns in words how a position ends a game under a rule."""
    if reason is EndReason.CAPTURES:
        return f"{rule.winning_captures} are captured"
    return _WORDS[reason]


@dataclass(frozen=True)
class MoveRecord:
    """Holds one move and how the player found it.

    `limit_ms` is the limit that the player was told; `captured` are the squares that the move
    emptied.
    """

    x: int
    y: int
    color: Side
    ms: Number
    limit_ms: Number
    depth: Count | None = None
    nodes: Count | None = None
    score: str | None = None
    captured: tuple[Point, ...] = ()
    mate: Count | None = None

    @property
    def point(self) -> Point:
        """Returns the square."""
        return (self.x, self.y)

    @property
    def over_ms(self) -> float:
        """Returns the ms by which the move missed its limit; negative if it was in time."""
        return self.ms - self.limit_ms


@dataclass(frozen=True)
class PlayerRecord:
    """Holds facts about one player: the time of START, memory, and notes on its behaviour.

    `limits` are its own limits; None if it had those of the game.
    """

    name: str
    start_ms: Number | None = None
    peak_bytes: Count = 0
    notes: tuple[str, ...] = ()
    limits: Limits | None = None


@dataclass(frozen=True)
class Setup:
    """Holds the stones before the first move, and the color that moves first."""

    black: tuple[Point, ...] = ()
    white: tuple[Point, ...] = ()
    first: Side = "black"


EMPTY_BOARD = Setup()


@dataclass(frozen=True)
class GameRecord:
    """Holds one game from the opening to the result.

    The opening's squares are played in turn. Black begins, except in a setup from a file. `winner`
    is "black", "white" or None. `over_ms` is the delay of a late answer that ended the game, if the
    answer still came. `lines` are the last lines between the manager and the loser of a forfeit.
    `notes` name contents of a file that the record does not hold. `opening_rule` is the rule by
    which the players made the opening, `opening_log` each choice in it.
    """

    black: PlayerRecord
    white: PlayerRecord
    size: Annotated[int, msgspec.Meta(ge=MIN_SIZE, le=MAX_SIZE)]
    rule: int
    turn_ms: Count | None
    match_ms: Count | None
    memory_mib: Count
    tolerance_ms: Count
    opening: tuple[Point, ...]
    moves: tuple[MoveRecord, ...]
    winner: Side | None
    reason: EndReason
    detail: str
    captures: tuple[Count, Count] = (0, 0)
    over_ms: Number | None = None
    lines: tuple[str, ...] = ()
    setup: Setup = EMPTY_BOARD
    notes: tuple[str, ...] = ()
    increment_ms: Count = 0
    moves_to_go: Count = 0
    opening_rule: str = ""
    opening_log: tuple[str, ...] = ()

    @property
    def is_unfinished(self) -> bool:
        """Says whether the game has no result."""
        return self.reason is EndReason.UNKNOWN and self.winner is None

    @property
    def is_forfeit(self) -> bool:
        """Says whether a fault of a player ended the game."""
        return self.reason.is_forfeit

    @property
    def worst_over_ms(self) -> float | None:
        """Returns the largest delay of an answer in ms; negative if none was late.

        Returns None without answers.
        """
        overs = [move.over_ms for move in self.moves]
        if self.over_ms is not None:
            overs.append(self.over_ms)
        return max(overs, default=None)

    def player(self, color: Color) -> PlayerRecord:
        """Returns the facts about one player."""
        return self.black if color is Color.BLACK else self.white

    def start(self) -> Position:
        """Returns the position before the opening's first move."""
        position = Position(size=self.size, rule=Rule(self.rule))
        if self.setup != EMPTY_BOARD:
            position.set_position(
                black=self.setup.black, white=self.setup.white, to_move=Color(self.setup.first)
            )
        return position

    def summary(self) -> str:
        """Returns the result in one sentence."""
        count = len(self.opening) + len(self.moves)
        result = "draw" if self.winner is None else f"{self.winner} wins"
        if self.is_unfinished:
            result = "no result"
        return f"{result} after {count} move{'' if count == 1 else 's'}: {self.detail}"

    def to_json(self) -> str:
        """Returns the record as one line of JSON, without a line end."""
        values = asdict(self)
        if self.setup == EMPTY_BOARD:
            del values["setup"]
        for name in ("notes", "increment_ms", "moves_to_go", "opening_rule", "opening_log"):
            if not values[name]:
                del values[name]
        for player in (values["black"], values["white"]):
            if player["limits"] is None:
                del player["limits"]
        for move in values["moves"]:
            if move["mate"] is None:
                del move["mate"]
        values["reason"] = self.reason.value
        values["rule_name"] = Rule(self.rule).name.lower()
        return json.dumps({"format": FORMAT, **values}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """Reads the output of `to_json`; raises ValueError for anything else."""
        try:
            return cls.from_values(read_json(text))
        except ValueError as error:
            raise ValueError(f"not a game record: {error}: {text[:80]!r}") from None

    @classmethod
    def from_values(cls, values: Any) -> "GameRecord":
        """Reads a record from decoded JSON; raises ValueError with the path of a wrong value."""
        if not isinstance(values, dict):
            raise ValueError("expected an object")
        known = {field.name for field in fields(cls)} | {"format", "rule_name"}
        if values.get("format") != FORMAT:
            raise ValueError("not of this format")
        if unknown := sorted(set(values) - known):
            raise ValueError(f"unknown field {unknown[0]!r}")
        record = msgspec.convert(values, cls)
        record._check()
        return record

    def _check(self) -> None:
        """Raises ValueError if fields contradict each other."""
        if self.rule not in set(Rule):
            raise ValueError(f"unknown rule {self.rule} - at `$.rule`")
        squares = [
            *self.setup.black,
            *self.setup.white,
            *self.opening,
            *(move.point for move in self.moves),
            *(square for move in self.moves for square in move.captured),
        ]
        for square in squares:
            if not all(0 <= n < self.size for n in square):
                raise ValueError(f"the square {square} is off the board of size {self.size}")
        position = self.start()
        for square in self.opening:
            position.play(square)
