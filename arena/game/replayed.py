"""Replays a game from a file by the referee, and finds how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass

from records.errors import FormatError

from ..rules.referee import MAX_SIZE, MIN_SIZE, Color, Point, Position, RefereeError, Rule
from .record import EMPTY_BOARD, EndReason, GameRecord, MoveRecord, PlayerRecord, Setup, Side

__all__ = ["Frame", "Offence", "Replay", "Told", "checked_size", "record_of", "replay", "start"]


@dataclass(frozen=True)
class Told:
    """Holds a move of a file, with its line and text for messages."""

    point: Point
    ms: float = 0.0
    limit_ms: float = 0.0
    depth: int | None = None
    nodes: int | None = None
    score: str | None = None
    is_opening: bool = False
    line: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Frame:
    """Holds the contents of a file other than its moves.

    `has_result`: the file has a result. `winner` is then the winner's color, or None for a draw.
    `rule_is_assumed`: neither the file nor the caller named a rule.
    """

    size: int
    rule: Rule
    rule_is_assumed: bool = False
    black: str = "black"
    white: str = "white"
    has_result: bool = False
    winner: Side | None = None
    reason: EndReason | None = None
    detail: str = ""
    turn_ms: int | None = None
    match_ms: int | None = None
    setup: Setup = EMPTY_BOARD
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offence:
    """Holds the illegal move that ended a game. It is not on the board."""

    color: Color
    reason: EndReason
    detail: str


@dataclass(frozen=True)
class Replay:
    """Holds the moves, the position after them, and the end of the game."""

    position: Position
    moves: tuple[MoveRecord, ...]
    offence: Offence | None


def checked_size(width: int, height: int) -> int:
    """Returns a board size; raises FormatError if the arena does not support it."""
    if width != height:
        raise FormatError(f"size: {width}x{height}: expected a square board")
    if not MIN_SIZE <= width <= MAX_SIZE:
        raise FormatError(f"size: {width}: expected {MIN_SIZE} to {MAX_SIZE}")
    return width


def replay(told: Sequence[Told], frame: Frame) -> Replay:
    """Plays the moves; raises FormatError for an illegal one.

    The last move may be illegal if the file has a result: that move ended the game. A forbidden
    move of renju ends the game even without a result.
    """
    position = start(frame)
    moves: list[MoveRecord] = []
    for number, move in enumerate(told, 1):
        color = position.to_move
        text = move.text or f"move {number}"
        if position.is_over:
            raise FormatError(f"{text}: {_after_the_end(position, frame)}", line=move.line)
        try:
            captured = tuple(position.play(move.point).captured)
        except RefereeError as error:
            offence = _offence(position, move.point, error)
            is_last = number == len(told)
            if is_last and (frame.has_result or offence.reason is EndReason.FORBIDDEN):
                return Replay(position, tuple(moves), offence)
            why = str(error).removeprefix("move: ")
            raise FormatError(f"{text}: {why}", line=move.line) from None
        moves.append(_move_record(move, color, captured))
    return Replay(position, tuple(moves), None)


def start(frame: Frame) -> Position:
    """Returns the position before the first move; raises FormatError."""
    position = Position(size=frame.size, rule=frame.rule)
    setup = frame.setup
    if setup != EMPTY_BOARD:
        try:
            position.set_position(black=setup.black, white=setup.white, to_move=Color(setup.first))
        except RefereeError as error:
            raise FormatError(f"setup stones: {error}") from None
    return position


def _after_the_end(position: Position, frame: Frame) -> str:
    assert position.reason is not None
    rule = frame.rule.name.lower().replace("_", " ")
    why = position.reason.value.replace("_", " ")
    told = ", which is assumed: the file names no rule" if frame.rule_is_assumed else ""
    return f"the game is over ({why}) under {rule}{told}"


def _offence(position: Position, point: Point, error: RefereeError) -> Offence:
    """Returns the loss by an illegal move: a forbidden move of renju, or an illegal move."""
    color = position.to_move
    size = position.size
    on_board = all(0 <= value < size for value in point)
    if position.rule is Rule.RENJU and on_board and point not in position.stones:
        detail = f"{color.value} plays {point[0]},{point[1]}, which is forbidden"
        return Offence(color, EndReason.FORBIDDEN, detail)
    detail = f"{color.value} forfeits (illegal): {error}"
    return Offence(color, EndReason.ILLEGAL, detail)


def _move_record(move: Told, color: Color, captured: tuple[Point, ...]) -> MoveRecord:
    return MoveRecord(
        *move.point,
        color=color.value,
        ms=move.ms,
        limit_ms=move.limit_ms,
        depth=move.depth,
        nodes=move.nodes,
        score=move.score,
        captured=captured,
    )


def record_of(played: Replay, frame: Frame, opening: int) -> GameRecord:
    """Returns the record of a replayed game with an opening of the given length."""
    winner, reason, detail = _ending(played, frame)
    return GameRecord(
        black=PlayerRecord(frame.black),
        white=PlayerRecord(frame.white),
        size=frame.size,
        rule=int(frame.rule),
        turn_ms=frame.turn_ms,
        match_ms=frame.match_ms,
        memory_mib=0,
        tolerance_ms=0,
        opening=tuple(move.point for move in played.moves[:opening]),
        moves=played.moves[opening:],
        winner=winner,
        reason=reason,
        detail=detail,
        captures=played.position.captures,
        setup=frame.setup,
        notes=frame.notes,
    )


def _ending(played: Replay, frame: Frame) -> tuple[Side | None, EndReason, str]:
    """Returns winner, reason and detail. The board has priority over the file."""
    position, offence = played.position, played.offence
    if position.is_over and position.reason is not None:
        winner: Side | None = None if position.winner is None else position.winner.value
        reason = EndReason(position.reason.value)
        return winner, reason, frame.detail or reason.value.replace("_", " ")
    if offence is not None:
        told = frame.winner if frame.has_result else offence.color.other.value
        return told, offence.reason, frame.detail or offence.detail
    if not frame.has_result:
        untold = "the file does not tell how the game ended"
        return None, EndReason.UNKNOWN, frame.detail or untold
    default = EndReason.DRAW if frame.winner is None else EndReason.UNKNOWN
    reason = frame.reason or default
    return frame.winner, reason, frame.detail or "the file does not tell why"
