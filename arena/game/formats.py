"""Games in other formats: Piskvork's .psq, .sgf, and moves as text.

No format holds a whole record. The referee replays a game that is read, so captures and an end on
the board are always known. Values that a file lacks are None, 0 or empty. The record's notes name
contents of the file that the record does not hold.
"""

from dataclasses import replace

from records.errors import FormatError
from records.moves import read_moves
from records.psq import PsqGame, PsqMove, read_psq, winner_by_result, write_psq
from records.rules import rule_name, rule_named
from records.squares import shown_square

from ..rules.referee import Color, Rule
from .record import EMPTY_BOARD, EndReason, GameRecord
from .replayed import Frame, Replay, Told, checked_size, record_of, replay
from .sgf_games import from_sgf, to_sgf

__all__ = ["FormatError", "from_moves", "from_psq", "from_sgf", "to_psq", "to_sgf"]

_TIMEOUT_CODE, _ERROR_CODE = 15, -2
_DRAWN_EMPTY = 25
"""The number of empty squares at which Piskvork draws a game."""


def to_psq(record: GameRecord) -> str:
    """Returns the game as a .psq file in Gomocup's form: moves from 1,1, names, -1, result, rule.

    Piskvork reads the moves and skips the rest. A move of the opening takes 0 ms, any other at
    least 1 ms. The result is 0 for a draw, 1 if the player won who moved first after the opening, 2
    if the other player won, and ? without a result. Raises FormatError for a game that does not
    begin on the empty board with Black.
    """
    if record.setup != EMPTY_BOARD:
        raise FormatError(
            "a .psq file cannot hold setup stones or a game in which White moves first"
        )
    moves = [PsqMove(point) for point in record.opening]
    moves += [PsqMove(move.point, max(1, round(move.ms))) for move in record.moves]
    result = None
    if not record.is_unfinished:
        result = 0 if record.winner is None else 1 if record.winner == _first(record) else 2
    return write_psq(
        PsqGame(
            size=record.size,
            moves=tuple(moves),
            names=(record.black.name, record.white.name),
            result=result,
            league=rule_name(record.rule),
        )
    )


def _first(record: GameRecord) -> str:
    """Returns the color that moves first after the opening."""
    first = Color.WHITE if len(record.opening) % 2 else Color.BLACK
    return first.value


def from_psq(text: str, *, rule: Rule | None = None, name: str = "") -> GameRecord:
    """Reads a .psq file of the arena, of Piskvork or of Gomocup; raises FormatError.

    The rule is that of the file, else `rule`, else freestyle. `name` is the file name: Gomocup's
    referee writes the winner's color there (docs/decisions/0030).
    """
    game = read_psq(text)
    named = rule_named(game.league)
    found = rule if named is None else Rule(named)
    frame = Frame(
        size=checked_size(game.size, game.size),
        rule=found or Rule.FREESTYLE,
        rule_is_assumed=found is None,
        has_result=game.result is not None or game.code in (_TIMEOUT_CODE, _ERROR_CODE),
    )
    if game.players is not None:
        frame = replace(frame, black=game.players[0], white=game.players[1])
    told = [_told(move) for move in game.moves]
    played = replay(told, frame)
    if game.result is None:
        return record_of(played, _with_code(frame, game.code, played), _run(played))
    winner, note = _winner(game, played, name)
    opening = _opening(game.result, played, winner)
    notes = (note,) if note else ()
    frame = replace(frame, winner=None if winner is None else winner.value, notes=notes)
    return record_of(played, frame, opening)


def _told(move: PsqMove) -> Told:
    text = f"{move.point[0] + 1},{move.point[1] + 1}"
    return Told(move.point, ms=float(move.ms), line=move.line, text=text)


def _with_code(frame: Frame, code: int | None, played: Replay) -> Frame:
    """Returns the frame with the result of Piskvork's own code: a loss of the mover, or a draw."""
    if code in (_TIMEOUT_CODE, _ERROR_CODE):
        loser = played.position.to_move
        if code == _TIMEOUT_CODE:
            reason, why = EndReason.TIME, f"{loser.value} forfeits (time): the file says no more"
        else:
            reason, why = EndReason.UNKNOWN, f"an error of {loser.value}: the file says no more"
        return replace(frame, winner=loser.other.value, reason=reason, detail=why)
    empty = frame.size**2 - len(played.moves)
    if code == 0 and empty <= _DRAWN_EMPTY:
        why = f"{empty} squares are empty, which is a draw for Piskvork"
        return replace(frame, has_result=True, reason=EndReason.BOARD_FULL, detail=why)
    return frame


def _winner(game: PsqGame, played: Replay, name: str) -> tuple[Color | None, str]:
    """Returns the winner by Gomocup's digit, and a note if another reading is as good.

    The board and an illegal last move have priority over the digit.
    """
    if game.result == 0:
        return None, ""
    position = played.position
    if position.winner is not None:
        return position.winner, ""
    if played.offence is not None:
        return played.offence.color.other, ""
    told, note = winner_by_result(game, name)
    return None if told is None else Color(told), note


def _by_digit(result: int, opening: int) -> Color:
    first = Color.WHITE if opening % 2 else Color.BLACK
    return first if result == 1 else first.other


def _run(played: Replay) -> int:
    """Returns the number of moves with 0 ms at the start: the opening, or a little more."""
    return next((i for i, move in enumerate(played.moves) if move.ms > 0), len(played.moves))


def _opening(result: int, played: Replay, winner: Color | None) -> int:
    """Returns the length of the opening: the 0 ms moves, less an answer implied by the winner."""
    run = _run(played)
    if winner is None or result == 0 or _by_digit(result, run) is winner:
        return run
    return max(0, run - 1)


def from_moves(text: str, *, size: int = 15, rule: Rule | None = None) -> GameRecord:
    """Reads moves as text, `h8 i9 j7`, Black first, a1 at the bottom left; raises FormatError."""
    frame = Frame(
        size=checked_size(size, size), rule=rule or Rule.FREESTYLE, rule_is_assumed=rule is None
    )
    told = [
        Told(point, line=line, text=f"move {number}, {shown_square(point, size)}")
        for number, (point, line) in enumerate(read_moves(text, size), 1)
    ]
    return record_of(replay(told, frame), frame, 0)
