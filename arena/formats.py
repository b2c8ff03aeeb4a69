"""Games as files that others read: Piskvork's .psq, and .sgf.

Neither holds all of a record. What is read back is replayed by the referee, so captures and the
way a game ended on the board are always there; what a file does not tell is None, 0 or empty.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from arena.record import EndReason, GameRecord, MoveRecord, PlayerRecord
from arena.referee import MAX_SIZE, MIN_SIZE, Color, Point, Position, RefereeError, Rule
from arena.sgf import SgfError, escape, read_nodes

__all__ = ["FormatError", "from_psq", "from_sgf", "to_psq", "to_sgf"]

_HEADER = re.compile(r"Piskvorky\s+(\d{1,4})x(\d{1,4})\s*,.*")
_MOVE = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*(?:,\s*(-?\d{1,12})\s*)?")
_RESULT = re.compile(r"([012]),(.*)")
_WINNERS = {"0": None, "1": "black", "2": "white"}
_NOTE = re.compile(
    r"(?P<ms>[\d.]+) ms(?: of (?P<limit>[\d.]+))?(?:, depth (?P<depth>\d+))?"
    r"(?:, nodes (?P<nodes>\d+))?(?:, score (?P<score>\S+))?"
)
_OPENING = "opening"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class FormatError(ValueError):
    """Says what a file lacks, and in which line, where that can be told."""


@dataclass(frozen=True)
class _Told:
    """Holds a move as a file tells it."""

    point: Point
    ms: float = 0.0
    limit_ms: float = 0.0
    depth: int | None = None
    nodes: int | None = None
    score: str | None = None
    is_opening: bool = False


@dataclass(frozen=True)
class _Frame:
    """Holds what a file tells beside the moves."""

    size: int
    rule: Rule
    black: str = "black"
    white: str = "white"
    winner: str | None = None
    reason: EndReason | None = None
    detail: str = ""
    turn_ms: int | None = None
    match_ms: int | None = None
    has_result: bool = False


def to_psq(record: GameRecord) -> str:
    """Returns the game as a .psq file as Gomocup keeps them: moves from 1,1, names, -1, result.

    Piskvork reads the moves and skips what follows. A move of the opening took 0 ms, any other at
    least 1. The last line is 0 for a draw, 1 or 2 for the player who won, and the rule.
    """
    lines = [f"Piskvorky {record.size}x{record.size}, 11:11, 0"]
    lines += [f"{x + 1},{y + 1},0" for x, y in record.opening]
    lines += [f"{m.x + 1},{m.y + 1},{max(1, round(m.ms))}" for m in record.moves]
    lines += [_psq_name(record.black.name), _psq_name(record.white.name), "-1"]
    won = {"black": "1", "white": "2"}.get(record.winner or "", "0")
    lines.append(f"{won},{Rule(record.rule).name.lower().replace('_', ' ')}")
    return "\n".join(lines) + "\n"


def from_psq(text: str, *, rule: Rule | None = None) -> GameRecord:
    """Reads a .psq file of ours, of Piskvork or of Gomocup; raises FormatError.

    The rule is the one that the file names, else the one given, else freestyle. Moves that took
    0 ms before any other are the opening.
    """
    lines = text.replace("\r", "").split("\n")
    header = _HEADER.fullmatch(lines[0].strip())
    if header is None:
        raise FormatError(f"line 1: {lines[0][:40]!r}: expected Piskvorky 15x15, 11:11, 0")
    size = _checked_size(header[1], header[2])
    told: list[_Told] = []
    for number, line in enumerate(lines[1:], 2):
        found = _MOVE.fullmatch(line)
        if found is None:
            break
        x, y, ms = int(found[1]), int(found[2]), int(found[3] or 0)
        if not (1 <= x <= size and 1 <= y <= size):
            raise FormatError(f"line {number}: {x},{y}: expected squares from 1,1 to {size},{size}")
        opening = ms == 0 and all(move.is_opening for move in told)
        told.append(_Told((x - 1, y - 1), ms=float(ms), is_opening=opening))
    frame = _psq_frame(lines[1 + len(told) :], size, rule)
    return _replayed(told, frame, first_line=2)


def _psq_frame(rest: Sequence[str], size: int, rule: Rule | None) -> _Frame:
    rest = [line.strip() for line in rest if line.strip()]
    found = _RESULT.fullmatch(rest[-1]) if rest else None
    named = None if found is None else _rule_named(found[2])
    names = rest[:2] if len(rest) >= 3 else []
    return _Frame(
        size=size,
        rule=named or rule or Rule.FREESTYLE,
        black=names[0] if names else "black",
        white=names[1] if names else "white",
        winner=None if found is None else _WINNERS[found[1]],
        has_result=found is not None,
    )


def _psq_name(name: str) -> str:
    """Returns a name that no reader can take for a move or a result."""
    plain = re.sub(r"[,\s]+", " ", name).strip() or "?"
    return plain if plain[0].isalpha() else f"_{plain}"


def to_sgf(record: GameRecord, *, event: str = "", date: str = "") -> str:
    """Returns the game as an .sgf file of one line for each move (FF[4], GM[4]).

    Squares are two letters, from the top left corner. Under ninuki a move that captures is followed
    by a node that empties the squares, for programs that know no captures.
    """
    rule = Rule(record.rule)
    won = {"black": "B", "white": "W"}.get(record.winner or "")
    result = "0" if won is None else f"{won}+{_sgf_reason(record.reason)}"
    root = [
        ("FF", "4"),
        ("GM", "4"),
        ("CA", "UTF-8"),
        ("AP", "tengen-arena"),
        ("SZ", str(record.size)),
        ("RU", rule.name.lower()),
        ("EV", event),
        ("DT", date),
        ("PB", record.black.name),
        ("PW", record.white.name),
        ("TM", "" if record.match_ms is None else f"{record.match_ms / 1000:g}"),
        ("OT", "" if record.turn_ms is None else f"{record.turn_ms} ms per move"),
        ("RE", result),
        ("GC", f"{record.reason.value}: {record.detail}"),
    ]
    lines = ["(;" + "".join(f"{key}[{escape(value)}]" for key, value in root if value)]
    for number, point in enumerate(record.opening):
        lines.append(f";{'BW'[number % 2]}[{_letters(point)}]C[{_OPENING}]")
    for move in record.moves:
        side = "B" if move.color == "black" else "W"
        lines.append(f";{side}[{_letters(move.point)}]C[{escape(_note(move))}]")
        if move.captured:
            lines.append(";AE" + "".join(f"[{_letters(point)}]" for point in move.captured))
    return "\n".join(lines) + ")\n"


def from_sgf(text: str) -> GameRecord:
    """Reads the first game of an .sgf file, along the main line; raises FormatError.

    Moves need not be told by us: those without our notes took 0 ms.
    """
    try:
        nodes = read_nodes(text)
    except SgfError as error:
        raise FormatError(str(error)) from None
    root = {key: values[0] for key, values in nodes[0].items()}
    told: list[_Told] = []
    for node in nodes:
        for side in ("B", "W"):
            if side in node:
                expected = "BW"[len(told) % 2]
                if side != expected:
                    raise FormatError(f"move {len(told) + 1}: {side}: expected {expected}")
                told.append(_sgf_move(node[side][0], node.get("C", [""])[0], len(told) + 1))
    return _replayed(told, _sgf_frame(root))


def _sgf_frame(root: dict[str, str]) -> _Frame:
    width, _, height = root.get("SZ", "15").partition(":")
    rule = _rule_named(root.get("RU", "freestyle"))
    if rule is None:
        known = ", ".join(rule.name.lower() for rule in Rule)
        raise FormatError(f"RU: {root['RU']!r}: expected one of {known}")
    reason, _, detail = root.get("GC", "").partition(": ")
    reasons = {item.value: item for item in EndReason}
    result = root.get("RE", "?")
    turn = re.fullmatch(r"(\d{1,10}) ms per move", root.get("OT", ""))
    match = re.fullmatch(r"\d{1,9}(\.\d{1,3})?", root.get("TM", ""))
    return _Frame(
        size=_checked_size(width, height or width),
        rule=rule,
        black=root.get("PB", "black"),
        white=root.get("PW", "white"),
        winner={"B": "black", "W": "white"}.get(result[:1]),
        reason=reasons.get(reason),
        detail=detail if reason in reasons else "",
        turn_ms=None if turn is None else int(turn[1]),
        match_ms=None if match is None else round(float(match[0]) * 1000),
        has_result=result not in ("?", "Void", ""),
    )


def _sgf_move(letters: str, note: str, number: int) -> _Told:
    if len(letters) != 2 or any(letter not in _LETTERS for letter in letters):
        raise FormatError(f"move {number}: {letters!r}: expected two letters, as hh")
    point = (_LETTERS.index(letters[0]), _LETTERS.index(letters[1]))
    if note == _OPENING:
        return _Told(point, is_opening=True)
    found = _NOTE.fullmatch(note)
    if found is None:
        return _Told(point)
    return _Told(
        point,
        ms=float(found["ms"]),
        limit_ms=float(found["limit"] or 0),
        depth=None if found["depth"] is None else int(found["depth"]),
        nodes=None if found["nodes"] is None else int(found["nodes"]),
        score=found["score"],
    )


def _note(move: MoveRecord) -> str:
    """Returns what is told of a move, and read again."""
    parts = [f"{move.ms:.3f} ms of {move.limit_ms:.3f}"]
    told = (("depth", move.depth), ("nodes", move.nodes), ("score", move.score))
    parts += [f"{key} {value}" for key, value in told if value is not None]
    return ", ".join(parts)


def _sgf_reason(reason: EndReason) -> str:
    """Returns how RE tells a win: T by time, F by forfeit, nothing on the board."""
    if reason is EndReason.TIME:
        return "T"
    return "F" if reason.is_forfeit else ""


def _letters(point: Point) -> str:
    return _LETTERS[point[0]] + _LETTERS[point[1]]


def _rule_named(text: str) -> Rule | None:
    """Returns the rule that a file names, also with what Gomocup adds, as in Freestyle15_1."""
    name = text.strip().upper().replace("-", "_").replace(" ", "_")
    if name.isdigit() and int(name) in set(Rule):
        return Rule(int(name))
    longest_first = sorted(Rule.__members__, key=len, reverse=True)
    return next((Rule[known] for known in longest_first if name.startswith(known)), None)


def _checked_size(width: str, height: str) -> int:
    if not (width.isdigit() and height.isdigit()) or int(width) != int(height):
        raise FormatError(f"size: {width}x{height}: expected a square board")
    if not MIN_SIZE <= int(width) <= MAX_SIZE:
        raise FormatError(f"size: {width}: expected {MIN_SIZE} to {MAX_SIZE}")
    return int(width)


def _replayed(told: Sequence[_Told], frame: _Frame, first_line: int | None = None) -> GameRecord:
    """Returns the record of the moves, each judged by the referee."""
    position = Position(size=frame.size, rule=frame.rule)
    moves: list[MoveRecord] = []
    opening: list[Point] = []
    for number, move in enumerate(told):
        color = position.to_move
        try:
            captured = tuple(position.play(move.point).captured)
        except RefereeError as error:
            where = f"move {number + 1}" if first_line is None else f"line {first_line + number}"
            raise FormatError(f"{where}: {error}") from None
        if move.is_opening and not moves:
            opening.append(move.point)
            continue
        moves.append(_move_record(move, color, captured))
    winner, reason, detail = _ending(position, frame)
    return GameRecord(
        black=PlayerRecord(frame.black),
        white=PlayerRecord(frame.white),
        size=frame.size,
        rule=int(frame.rule),
        turn_ms=frame.turn_ms,
        match_ms=frame.match_ms,
        memory_mib=0,
        tolerance_ms=0,
        opening=tuple(opening),
        moves=tuple(moves),
        winner=winner,
        reason=reason,
        detail=detail,
        captures=position.captures,
    )


def _move_record(move: _Told, color: Color, captured: tuple[Point, ...]) -> MoveRecord:
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


def _ending(position: Position, frame: _Frame) -> tuple[str | None, EndReason, str]:
    """Returns winner, reason and detail: the board's word comes before the file's."""
    if position.is_over and position.reason is not None:
        winner = None if position.winner is None else position.winner.value
        reason = EndReason(position.reason.value)
        return winner, reason, frame.detail or reason.value.replace("_", " ")
    if not frame.has_result:
        return None, EndReason.UNKNOWN, "the file does not tell how the game ended"
    reason = frame.reason or EndReason.UNKNOWN
    return frame.winner, reason, frame.detail or "the file does not tell why"
