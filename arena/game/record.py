"""The record of a game: a value that one line of JSON holds."""

import enum
import json
from dataclasses import asdict, dataclass
from typing import Any

from ..rules.referee import Color, Point, Position, Rule

__all__ = ["EndReason", "GameRecord", "MoveRecord", "PlayerRecord", "Setup"]

FORMAT = 1


class EndReason(enum.Enum):
    """Says why a game ended; the forfeits are those where a player broke down, not his position."""

    FIVE = "five"
    CAPTURES = "captures"
    FIVE_NOT_BROKEN = "five_not_broken"
    FOUL = "foul"
    BOARD_FULL = "board_full"
    NO_LEGAL_MOVE = "no_legal_move"
    TIME = "time"
    ILLEGAL = "illegal"
    CRASH = "crash"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    DRAW = "draw"
    """Of a game read from a file that tells a draw, but not why."""
    UNKNOWN = "unknown"
    """Of a game read from a file that does not tell."""

    @property
    def is_forfeit(self) -> bool:
        """Says whether a player lost by a fault and not on the board; a renju foul is no fault."""
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
    color: str
    ms: float
    limit_ms: float
    depth: int | None = None
    nodes: int | None = None
    score: str | None = None
    captured: tuple[Point, ...] = ()

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
    """Holds what is to be told of one player: START's time, memory, and notes on its manners."""

    name: str
    start_ms: float | None = None
    peak_bytes: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setup:
    """Holds the stones that stand before the first move, and the color that moves first."""

    black: tuple[Point, ...] = ()
    white: tuple[Point, ...] = ()
    first: str = Color.BLACK.value


EMPTY_BOARD = Setup()


@dataclass(frozen=True)
class GameRecord:
    """Holds one game from the opening to the result.

    The opening's squares are played in turn, by the color that moves first, Black but for a setup
    from a file. `winner` is "black", "white" or None. `over_ms` is by how many ms a late answer
    missed its limit, where the game ended so and the answer still came. `lines` are the last ones
    that the loser of a forfeit and the manager exchanged. `notes` say what a file holds that the
    record does not.
    """

    black: PlayerRecord
    white: PlayerRecord
    size: int
    rule: int
    turn_ms: int | None
    match_ms: int | None
    memory_mib: int
    tolerance_ms: int
    opening: tuple[Point, ...]
    moves: tuple[MoveRecord, ...]
    winner: str | None
    reason: EndReason
    detail: str
    captures: tuple[int, int] = (0, 0)
    over_ms: float | None = None
    lines: tuple[str, ...] = ()
    setup: Setup = EMPTY_BOARD
    notes: tuple[str, ...] = ()

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
        if not self.notes:
            del values["notes"]
        values["reason"] = self.reason.value
        values["rule_name"] = Rule(self.rule).name.lower()
        return json.dumps({"format": FORMAT, **values}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """Reads what `to_json` wrote; raises ValueError for anything else."""
        try:
            values: dict[str, Any] = json.loads(text)
            if values.pop("format") != FORMAT:
                raise ValueError("not of this format")
            del values["rule_name"]
            values["reason"] = EndReason(values["reason"])
            for side in ("black", "white"):
                values[side]["notes"] = tuple(values[side]["notes"])
                values[side] = PlayerRecord(**values[side])
            values["moves"] = tuple(_move_from(move) for move in values["moves"])
            values["opening"] = tuple((x, y) for x, y in values["opening"])
            values["captures"] = tuple(values["captures"])
            values["lines"] = tuple(values["lines"])
            values["notes"] = tuple(values.get("notes", ()))
            values["setup"] = _setup_from(values.get("setup"))
            return cls(**values)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no game record: {error!r}: {text[:80]!r}") from None


def _move_from(values: dict[str, Any]) -> MoveRecord:
    captured = tuple((x, y) for x, y in values.pop("captured"))
    return MoveRecord(**values, captured=captured)


def _setup_from(values: dict[str, Any] | None) -> Setup:
    if values is None:
        return EMPTY_BOARD
    black, white = (tuple((x, y) for x, y in values[side]) for side in ("black", "white"))
    return Setup(black, white, Color(values["first"]).value)
