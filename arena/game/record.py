"""The record of a game: a value that one line of JSON holds."""

import enum
import json
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, Literal

import msgspec

from ..engines.clock import Limits
from ..rules.referee import MAX_SIZE, MIN_SIZE, Color, Point, Position, Rule
from ..util.json_text import read_json

__all__ = ["EndReason", "GameRecord", "MoveRecord", "PlayerRecord", "Setup"]

FORMAT = 1

MOST = 1 << 62
"""The largest number that a record may hold."""

Count = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
Number = Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)]
Side = Literal["black", "white"]


class EndReason(enum.Enum):
    """Says why a game ended; the forfeits are those where a player broke down, not his position."""

    FIVE = "five"
    CAPTURES = "captures"
    FIVE_NOT_BROKEN = "five_not_broken"
    FORBIDDEN = "forbidden"
    BOARD_FULL = "board_full"
    NO_LEGAL_MOVE = "no_legal_move"
    ADJUDICATED = "adjudicated"
    """The manager ended the game early, by the scores of both engines or the number of moves."""
    TIME = "time"
    ILLEGAL = "illegal"
    CRASH = "crash"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    DRAW = "draw"
    """Of a game read from a file that tells a draw, but not why."""
    UNKNOWN = "unknown"
    """Of a game read from a file that does not tell."""

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


@dataclass(frozen=True)
class MoveRecord:
    """Holds one move that was played on the board, and how it came about.

    `limit_ms` is what the player was told it had; `captured` are the squares that were emptied.
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
        """Returns by how many ms the limit was missed; below 0, what was left of it."""
        return self.ms - self.limit_ms


@dataclass(frozen=True)
class PlayerRecord:
    """Holds facts about one player: the time of START, memory, and notes on its behaviour.

    `limits` are those that it had for itself, None where it had those of the game.
    """

    name: str
    start_ms: Number | None = None
    peak_bytes: Count = 0
    notes: tuple[str, ...] = ()
    limits: Limits | None = None


@dataclass(frozen=True)
class Setup:
    """Holds the stones that stand before the first move, and the color that moves first."""

    black: tuple[Point, ...] = ()
    white: tuple[Point, ...] = ()
    first: Side = "black"


EMPTY_BOARD = Setup()


@dataclass(frozen=True)
class GameRecord:
    """Holds one game from the opening to the result.

    The opening's squares are played in turn, by the color that moves first, Black but for a setup
    from a file. `winner` is "black", "white" or None. `over_ms` is by how many ms a late answer
    missed its limit, where the game ended so and the answer still came. `lines` are the last ones
    that the loser of a forfeit and the manager exchanged. `notes` say what a file holds that the
    record does not. `opening_rule` is the rule by which the players made the opening, and
    `opening_log` each choice in it.
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
        """Says whether nothing is known of how the game ended."""
        return self.reason is EndReason.UNKNOWN and self.winner is None

    @property
    def is_forfeit(self) -> bool:
        """Says whether the game ended by a fault of a player."""
        return self.reason.is_forfeit

    @property
    def worst_over_ms(self) -> float | None:
        """Returns by how many ms the latest answer missed its limit, below 0 where none did.

        None where there is no answer to tell of.
        """
        overs = [move.over_ms for move in self.moves]
        if self.over_ms is not None:
            overs.append(self.over_ms)
        return max(overs, default=None)

    def player(self, color: Color) -> PlayerRecord:
        """Returns what is told of one player."""
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
        """Reads what `to_json` wrote; raises ValueError for anything else."""
        try:
            return cls.from_values(read_json(text))
        except ValueError as error:
            raise ValueError(f"not a game record: {error}: {text[:80]!r}") from None

    @classmethod
    def from_values(cls, values: Any) -> "GameRecord":
        """Reads a record from decoded JSON; raises ValueError with the path of what is wrong."""
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
        """Raises ValueError where fields that are right alone do not fit together."""
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
