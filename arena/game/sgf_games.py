"""Games as .sgf files (FF[4], GM[4]): writes them whole, and reads their main line."""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from records.errors import FormatError, quoted
from records.rules import RULE_NAMES, SGF_GAMES, rule_name, rule_named
from records.sgf import SgfNode, escape, point_list, read_sgf
from records.squares import sgf_letters, sgf_square

from ..rules.referee import Color, Point, Position, RefereeError, Rule
from .record import EMPTY_BOARD, EndReason, GameRecord, MoveRecord, Setup
from .replayed import Frame, Told, checked_size, record_of, replay, start

__all__ = ["from_sgf", "from_sgf_node", "to_sgf", "with_result"]

GOMOKU = "4"
_OTHER_GAMES = {"1": "Go", "2": "Othello", "3": "chess", "40": "Gess"}
_PASS_AS_SQUARE = 19
"""On boards up to this size [tt] is a pass, as in FF[3]."""
_MS = r"\d{1,12}(?:\.\d{1,6})?"
_NOTE = re.compile(
    rf"(?P<ms>{_MS}) ms(?: of (?P<limit>{_MS}))?(?:, depth (?P<depth>\d{{1,9}}))?"
    r"(?:, nodes (?P<nodes>\d{1,18}))?(?:, score (?P<score>\S+))?"
)
_OPENING = "opening"
_SIDES = {"B": Color.BLACK, "W": Color.WHITE}


def to_sgf(record: GameRecord, *, event: str = "", date: str = "") -> str:
    """Returns the game as an .sgf file with one line for each move (FF[4], GM[4]).

    Squares are two letters, from the top left corner. Under rules with captures a node that empties
    the squares follows each capture, for programs that do not know captures.
    """
    root = [
        ("FF", "4"),
        ("GM", GOMOKU),
        ("CA", "UTF-8"),
        ("AP", "tengen-arena"),
        ("SZ", str(record.size)),
        ("RU", rule_name(record.rule).replace(" ", "_")),
        ("ON", record.opening_rule),
        ("EV", event),
        ("DT", date),
        ("PB", record.black.name),
        ("PW", record.white.name),
        ("TM", "" if record.match_ms is None else f"{record.match_ms / 1000:g}"),
        ("OT", "" if record.turn_ms is None else f"{record.turn_ms} ms per move"),
        ("RE", _result(record)),
        ("GC", f"{record.reason.value}: {record.detail}"),
    ]
    head = "(;" + "".join(f"{key}[{escape(value)}]" for key, value in root if value)
    lines = [head + _setup_text(record.setup)]
    color = Color(record.setup.first)
    for point in record.opening:
        lines.append(f";{color.letter}[{sgf_letters(point)}]C[{_OPENING}]")
        color = color.other
    for move in record.moves:
        side = Color(move.color).letter
        lines.append(f";{side}[{sgf_letters(move.point)}]C[{escape(_note(move))}]")
        if move.captured:
            lines.append(";AE" + _points_text(move.captured))
    return "\n".join(lines) + ")\n"


def _result(record: GameRecord) -> str:
    """Returns the value of RE: T by time, F by forfeit, nothing after + on the board."""
    if record.is_unfinished:
        return "?"
    if record.winner is None:
        return "0"
    won = Color(record.winner).letter
    if record.reason is EndReason.TIME:
        return f"{won}+T"
    return f"{won}+F" if record.reason.is_forfeit else f"{won}+"


def _setup_text(setup: Setup) -> str:
    parts = [
        key + _points_text(points)
        for key, points in (("AB", setup.black), ("AW", setup.white))
        if points
    ]
    return "".join(parts) + ("" if setup == EMPTY_BOARD else f"PL[{Color(setup.first).letter}]")


def _points_text(points: Sequence[Point]) -> str:
    return "".join(f"[{sgf_letters(point)}]" for point in points)


def _note(move: MoveRecord) -> str:
    """Returns the comment of a move, which is read back."""
    parts = [f"{move.ms:.3f} ms of {move.limit_ms:.3f}"]
    told = (("depth", move.depth), ("nodes", move.nodes), ("score", move.score))
    parts += [f"{key} {value}" for key, value in told if value is not None]
    return ", ".join(parts)


def from_sgf(text: str, *, rule: Rule | None = None) -> GameRecord:
    """Reads the main line of the first game of an .sgf file; raises FormatError.

    Setup stones before the first move and a first move of White are kept. Contents that do not fit
    in a record are refused by name, such as a pass, or named in its notes, such as variations. The
    rule is that of the file, else `rule`, else freestyle.
    """
    roots = read_sgf(text)
    record = from_sgf_node(roots[0], rule=rule)
    if len(roots) == 1:
        return record
    note = f"the file has {len(roots)} games; this is the first"
    return replace(record, notes=(*record.notes, note))


def from_sgf_node(root: SgfNode, *, rule: Rule | None = None) -> GameRecord:
    """Reads the main line of one game; raises FormatError."""
    frame = _frame(root, rule)
    reader = _Reader(frame.size, frame.rule)
    for node in root.main_line():
        reader.take(node)
    reader.end(root)
    frame = replace(frame, setup=reader.setup, notes=tuple(reader.notes))
    opening = next(
        (i for i, move in enumerate(reader.told) if not move.is_opening), len(reader.told)
    )
    return record_of(replay(reader.told, frame), frame, opening)


def _frame(root: SgfNode, rule: Rule | None) -> Frame:
    game = root.get("GM", GOMOKU).strip()
    if game not in SGF_GAMES:
        known = f" ({_OTHER_GAMES[game]})" if game in _OTHER_GAMES else ""
        problem = f"GM[{game}]{known}: expected GM[4], Gomoku and Renju"
        raise FormatError(problem, line=root.line)
    size = re.fullmatch(r"\s*([0-9]{1,4})(?::([0-9]{1,4}))?\s*", root.get("SZ", "15"))
    if size is None:
        raise FormatError(
            f"SZ: {quoted(root.get('SZ'))}: expected a number, e.g. 15", line=root.line
        )
    told = SGF_GAMES[game]
    found = rule if told is None else rule or Rule(told)
    if root.get("RU").strip():
        number = rule_named(root.get("RU"))
        if number is None and rule is None:
            known = ", ".join(RULE_NAMES.values())
            raise FormatError(f"RU: {quoted(root.get('RU'))}: expected one of {known}")
        found = rule if number is None else Rule(number)
    reason, _, detail = root.get("GC").partition(": ")
    reasons = {item.value: item for item in EndReason}
    frame = Frame(
        size=checked_size(int(size[1]), int(size[2] or size[1])),
        rule=found or Rule.FREESTYLE,
        rule_is_assumed=found is None,
        black=root.get("PB") or "black",
        white=root.get("PW") or "white",
        turn_ms=_turn_ms(root.get("OT")),
        match_ms=_match_ms(root.get("TM")),
    )
    frame = with_result(frame, root.get("RE").strip())
    if reason not in reasons:
        return frame
    return replace(frame, reason=reasons[reason], detail=detail)


def _turn_ms(text: str) -> int | None:
    found = re.fullmatch(r"(\d{1,10}) ms per move", text)
    return None if found is None else int(found[1])


def _match_ms(text: str) -> int | None:
    found = re.fullmatch(r"\d{1,9}(\.\d{1,3})?", text)
    return None if found is None else round(float(found[0]) * 1000)


def with_result(frame: Frame, text: str) -> Frame:
    """Returns the frame with the result in RE: `B+5`, `W+T`, `B+Resign`, `0`, `Draw`, `Void`."""
    if text.lower() in ("0", "draw", "jigo", "1/2-1/2"):
        return replace(frame, has_result=True)
    found = re.match(r"(b|w|black|white)(?:\s*\+\s*(.*)|\s+wins\b.*|)$", text, re.IGNORECASE)
    if found is None:
        return frame
    winner = Color.BLACK if found[1][0].lower() == "b" else Color.WHITE
    how = (found[2] or "").lower()
    loser = winner.other.value
    reason, detail = None, ""
    if how in ("t", "time"):
        reason, detail = EndReason.TIME, f"{loser} forfeits (time): the file says no more"
    elif how in ("r", "resign"):
        detail = f"{loser} resigns"
    elif how in ("f", "forfeit"):
        detail = f"{loser} forfeits: the file says no more"
    return replace(frame, has_result=True, winner=winner.value, reason=reason, detail=detail)


@dataclass
class _Reader:
    """Collects the nodes of a main line in order: setup first, then moves."""

    size: int
    rule: Rule
    told: list[Told] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stones: dict[Point, Color] = field(default_factory=dict)
    first: Color | None = None
    passes: list[tuple[Color, int]] = field(default_factory=list)
    variations: int = 0
    position: Position | None = None
    shown: int = 0

    @property
    def to_move(self) -> Color | None:
        """Returns the side to move; None while it is unknown."""
        if self.first is None:
            return None
        return self.first.other if len(self.told) % 2 else self.first

    @property
    def setup(self) -> Setup:
        """Returns the stones before the first move, and the side that moves first."""
        by_color = {
            color: tuple(sorted(p for p, c in self.stones.items() if c is color)) for color in Color
        }
        first = self.first or self._by_count()
        return Setup(by_color[Color.BLACK], by_color[Color.WHITE], first.value)

    def _by_count(self) -> Color:
        """Returns the side to move without a move, PL or HA: White after one extra black stone."""
        colors = list(self.stones.values())
        more = colors.count(Color.BLACK) > colors.count(Color.WHITE)
        return Color.WHITE if more else Color.BLACK

    def take(self, node: SgfNode) -> None:
        """Adds a node: its setup before its moves, as FF[4] requires."""
        self.variations += max(0, len(node.children) - 1)
        for key in ("AB", "AW", "AE"):
            if key in node.properties:
                self._set_up(key, node)
        if "PL" in node.properties:
            self._turn(node)
        for key, values in node.properties.items():
            if key in _SIDES:
                if len(values) != 1:
                    problem = f"{key}{values}: expected one square"
                    raise FormatError(problem, line=node.line)
                self._move(_SIDES[key], values[0], node)

    def end(self, root: SgfNode) -> None:
        """Adds notes on omitted contents, and checks the handicap."""
        stones = root.get("HA", "0").strip()
        if stones not in ("", "0") and stones != str(self._count(Color.BLACK)):
            problem = f"HA[{stones}]: expected as many black stones to be set up with AB"
            raise FormatError(problem, line=root.line)
        if stones not in ("", "0") and self.first is None:
            self.first = Color.WHITE
        if self.passes:
            self.notes.append(f"{_some(len(self.passes), 'pass', 'es')} after the last move")
        if self.variations:
            what = _some(self.variations, "variation")
            self.notes.append(f"{what} left out: this is the main line")

    def _count(self, color: Color) -> int:
        return sum(stone is color for stone in self.stones.values())

    def _set_up(self, key: str, node: SgfNode) -> None:
        points = self._points(key, node)
        color = {"AB": Color.BLACK, "AW": Color.WHITE}.get(key)
        if self.told or self.passes:
            self._check_later(key, points, color, node)
            return
        for point in points:
            if color is None:
                self.stones.pop(point, None)
            else:
                self.stones[point] = color

    def _points(self, key: str, node: SgfNode) -> list[Point]:
        try:
            points = point_list(node.properties[key])
        except FormatError as error:
            raise FormatError(f"{key}: {error.problem}", line=node.line) from None
        off = next((p for p in points if max(p) >= self.size), None)
        if off is not None:
            problem = f"{key}: {sgf_letters(off)} is off the board of size {self.size}"
            raise FormatError(problem, line=node.line)
        return points

    def _check_later(
        self, key: str, points: Sequence[Point], color: Color | None, node: SgfNode
    ) -> None:
        """Accepts a setup during the game only if it changes nothing.

        Files show captures in this way to programs that do not know them.
        """
        board = self._board().stones
        other = next((p for p in points if board.get(p) is not color), None)
        if other is not None:
            raise FormatError(
                f"{key}[{sgf_letters(other)}] after move {len(self.told)}: expected stones to be "
                "set up before the first move only",
                line=node.line,
            )

    def _board(self) -> Position:
        """Returns the position after the moves so far. Illegal moves are left to the replay."""
        if self.position is None:
            self.position = start(Frame(size=self.size, rule=self.rule, setup=self.setup))
        for move in self.told[self.shown :]:
            with contextlib.suppress(RefereeError):
                self.position.play(move.point)
        self.shown = len(self.told)
        return self.position

    def _turn(self, node: SgfNode) -> None:
        letter = node.get("PL").strip().upper()[:1]
        if letter not in _SIDES:
            problem = f"PL: {quoted(node.get('PL'))}: expected B or W"
            raise FormatError(problem, line=node.line)
        color = _SIDES[letter]
        if not self.told:
            self.first = color
        elif color is not self.to_move:
            problem = f"PL[{letter}] after move {len(self.told)}: it is the other side's turn"
            raise FormatError(problem, line=node.line)

    def _move(self, color: Color, value: str, node: SgfNode) -> None:
        number = len(self.told) + len(self.passes) + 1
        letters = value.strip()
        expected = self.to_move
        if self.passes:
            passed, line = self.passes[0]
            problem = (
                f"move {len(self.told) + 1}: {passed.letter} passes: expected a square, e.g. hh"
            )
            if letters and not self._is_pass(letters):
                raise FormatError(problem, line=line)
        if not letters or self._is_pass(letters):
            self.passes.append((color, node.line))
            return
        if expected is None:
            self.first = expected = color
        if color is not expected:
            problem = f"move {number}: {color.letter}: expected {expected.letter}"
            raise FormatError(problem, line=node.line)
        self.told.append(self._told(letters, node, number))

    def _is_pass(self, letters: str) -> bool:
        return letters == "tt" and self.size <= _PASS_AS_SQUARE

    def _told(self, letters: str, node: SgfNode, number: int) -> Told:
        try:
            point = sgf_square(letters)
        except FormatError as error:
            raise FormatError(f"move {number}: {error.problem}", line=node.line) from None
        note = node.get("C")
        if note == _OPENING:
            return Told(point, is_opening=True, line=node.line)
        found = _NOTE.fullmatch(note)
        if found is None:
            return Told(point, line=node.line)
        return Told(
            point,
            ms=float(found["ms"]),
            limit_ms=float(found["limit"] or 0),
            depth=None if found["depth"] is None else int(found["depth"]),
            nodes=None if found["nodes"] is None else int(found["nodes"]),
            score=found["score"],
            line=node.line,
        )


def _some(count: int, word: str, plural: str = "s") -> str:
    return f"{count} {word}{'' if count == 1 else plural}"
