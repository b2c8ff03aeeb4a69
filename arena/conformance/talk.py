"""One conversation with a brain, in a manager's commands; records every oddity."""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..engines.lines import Source
from ..rules.referee import Point
from .reading import Kind, Reading, read_line
from .verdicts import Found, Manager, Oddity, Verdict
from .wire import RawLine, Wire

__all__ = ["LF", "Over", "Stone", "Talk", "alternating"]

LF = "\n"
Stone = tuple[int, int, int]
"""A line of BOARD: x, y, and 1 for the brain, 2 for the opponent, 3 for a neutral stone."""

PAUSE_S = 0.02
"""The pause after a move. No manager sends a line earlier, because the opponent moves first."""
AFTER_ERROR_S = 0.5
"""The wait for a move after ERROR, which a brain may still send."""
KEPT_NOTES = 2000
"""The largest number of notes, for a brain that floods the manager."""
BUSY_LINES = 200
FLOOD_LINES = 5000


class Over(Exception):
    """A scenario cannot continue; its oddities say why."""


@dataclass
class Note:
    """Holds one line of the conversation: ms since the start, `>` `<` `!` or `#`, and the text."""

    at_ms: float
    mark: str
    text: str


class Talk:
    """Sends requests and reads answers. Unexpected lines are judged by the request before them."""

    def __init__(self, wire: Wire, *, line_end: str = LF, patience_s: float = 5.0) -> None:
        """Takes the started process; `patience_s` is the longest wait for an answer."""
        self.wire = wire
        self.patience_s = patience_s
        self.founds: dict[Oddity, Found] = {}
        self.remarks: list[str] = []
        self.notes: list[Note] = []
        self.size = 15
        self.taken: set[Point] = set()
        self.is_over = False  # The brain was told to exit, or no request follows.
        self._line_end = line_end
        self._spoken = False
        self._after_info = False
        self._info_before = False
        self._talked = 0
        self._owes_ok = False
        self._moved_at = 0.0

    # Recording

    def found(
        self, oddity: Oddity, detail: str = "", special: dict[Manager, Verdict] | None = None
    ) -> None:
        """Records an oddity, once for each kind."""
        self.founds.setdefault(oddity, Found(oddity, detail, special))

    def add(self, found: Found | None) -> None:
        """Records an oddity with special verdicts, unless it is None."""
        if found is not None:
            self.founds.setdefault(found.oddity, found)

    def give_up(self, oddity: Oddity, detail: str = "") -> "Over":
        """Records a fatal oddity; returns the exception to raise."""
        self.found(oddity, detail)
        return Over()

    def remark(self, text: str) -> None:
        """Records a remark that is not an oddity."""
        self.remarks.append(text)

    def mark(self, text: str) -> None:
        """Adds a note about an action to the conversation."""
        self._write_down("#", text, time.monotonic())

    # Sending

    def send(self, *lines: str) -> float:
        """Sends lines in one write, a pause after the last move; returns the time just before."""
        self.drain(max(0.0, self._moved_at + PAUSE_S - time.monotonic()))
        for line in lines:
            self._write_down(">", line, time.monotonic())
        self._info_before = self._after_info
        self._after_info = all(line.upper().startswith("INFO") for line in lines)
        return self._send_bytes("".join(line + self._line_end for line in lines).encode("latin-1"))

    def send_bytes(self, data: bytes) -> float:
        """Sends bytes without a change."""
        self._write_down(">", ascii(data.decode("latin-1"))[1:-1], time.monotonic())
        return self._send_bytes(data)

    def _send_bytes(self, data: bytes) -> float:
        self._spoken = True
        try:
            return self.wire.write(data)
        except (OSError, ValueError):
            raise self._gone() from None

    # Reading

    def drain(self, seconds: float) -> int:
        """Reads unexpected output for the given time; returns the number of lines."""
        until = time.monotonic() + seconds
        count = 0
        while (line := self.wire.next(until)) is not None:
            if line.source is Source.END:
                raise self._gone()
            count += 1
            self._judge_unasked(line, self._note(line))
        return count

    def answer(self, sent: float, limit_s: float) -> tuple[RawLine, Reading] | None:
        """Returns the next line other than messages and minor oddities; None at the limit."""
        self._talked = 0
        while True:
            line = self.wire.next(sent + limit_s)
            if line is None and (line := self.wire.take_rest()) is None:
                return None
            if line.source is Source.END:
                raise self._gone()
            reading = self._note(line)
            if reading.kind == Kind.TALK:
                self._judge_talk(line, reading)
            elif line.at < sent:
                self._judge_unasked(line, reading)
            else:
                return line, reading

    def ok(self, *lines: str, limit_s: float | None = None) -> str | None:
        """Sends a command that expects `OK`; returns the kind of the answer, None without one."""
        sent = self.send(*lines)
        limit = self.patience_s if limit_s is None else limit_s
        kind = None
        while (got := self.answer(sent, limit)) is not None:
            line, reading = got
            self._take(reading, line)
            is_refusal = reading.kind in (Kind.ERROR, Kind.UNKNOWN)
            if is_refusal and self._info_before:
                # A late answer to the INFO before, or to this command, after which no OK follows.
                self.found(Oddity.INFO_REFUSED, line.text)
                kind, limit = reading.kind, min(limit, line.at - sent + AFTER_ERROR_S)
            elif is_refusal or reading.kind == Kind.OK:
                return reading.kind
            else:
                self.found(Oddity.FREE_TEXT, line.text)
        return kind

    def start(self, size: int = 15, *, rule: int | None = 0, turn_ms: int | None = 300) -> None:
        """Starts a game as most managers do: START, its OK, rule and limits."""
        self.begin_game(f"START {size}", size)
        lines = [] if turn_ms is None else [f"INFO timeout_turn {turn_ms}", "INFO timeout_match 0"]
        if rule is not None:
            lines.append(f"INFO rule {rule}")
        if lines:
            self.send(*lines)

    def begin_game(self, command: str, size: int) -> float:
        """Sends START or the like and expects `OK`; returns the ms it took."""
        sent = time.monotonic()
        kind = self.ok(command)
        took = (time.monotonic() - sent) * 1000
        if kind is None:
            self.found(Oddity.NO_OK, f"to {command} within {self.patience_s:g} s")
        elif kind != Kind.OK:
            raise self.give_up(Oddity.START_REFUSED, self.notes[-1].text)
        self.size, self.taken = size, set()
        return took

    def move(self, *lines: str, limit_s: float | None = None) -> tuple[Point, float]:
        """Sends a request for a move; returns the move and its time in ms.

        A forbidden square counts as legal here.
        """
        sent = self.send(*lines)
        return self.await_move(sent, limit_s, after_info=any("INFO" in line for line in lines))

    def await_move(
        self, sent: float, limit_s: float | None = None, *, after_info: bool = False
    ) -> tuple[Point, float]:
        """Waits for the move requested at `sent`; raises Over if none comes."""
        limit = self.patience_s if limit_s is None else limit_s
        after_info = after_info or self._info_before
        refusal = stray = ""
        while (got := self.answer(sent, limit)) is not None:
            line, reading = got
            if reading.kind == Kind.MOVE and reading.move is not None:
                self._take(reading, line)
                if stray:
                    self.found(Oddity.FREE_TEXT, stray)
                self._judge_count()
                self._moved_at = line.at
                return self._legal(reading.move), (line.at - sent) * 1000
            if reading.kind in (Kind.ERROR, Kind.UNKNOWN):
                refusal = line.text
                limit = min(limit, line.at - sent + AFTER_ERROR_S)
            if reading.kind == Kind.OK and self._owes_ok:
                self._owes_ok = False
            elif after_info and reading.kind in (Kind.OK, Kind.ERROR, Kind.UNKNOWN):
                odd = Oddity.INFO_OK if reading.kind == Kind.OK else Oddity.INFO_REFUSED
                self.found(odd, line.text)
            else:
                stray = stray or line.text
        if refusal:
            raise self.give_up(Oddity.ERROR_FOR_MOVE, refusal)
        if stray:
            self.found(Oddity.FREE_TEXT, stray)
        self._judge_count()
        raise self.give_up(Oddity.NO_MOVE, f"within {limit:.1f} s")

    def owe_ok(self) -> None:
        """Allows one later `OK` that no call waits for."""
        self._owes_ok = True

    def reply(self, *lines: str, limit_s: float | None = None) -> str | None:
        """Sends a request and returns its raw answer; None without one."""
        sent = self.send(*lines)
        got = self.answer(sent, self.patience_s if limit_s is None else limit_s)
        return None if got is None else got[0].data.decode("latin-1").removesuffix("\r")

    def board(self, stones: Iterable[Stone]) -> list[str]:
        """Returns the lines of a BOARD; its stones are the new position."""
        listed = list(stones)
        self.taken = {(x, y) for x, y, _ in listed}
        return ["BOARD", *(f"{x},{y},{field}" for x, y, field in listed), "DONE"]

    def turn(self, point: Point | None = None) -> str:
        """Returns a TURN on a square, by default on the first free one from the corner."""
        if point is None:
            point = next(square for square in self.free() if square not in self.taken)
        self.taken.add(point)
        return f"TURN {point[0]},{point[1]}"

    def free(self) -> list[Point]:
        """Returns the squares without a stone, row by row."""
        side = range(self.size)
        return [(x, y) for y in side for x in side if (x, y) not in self.taken]

    # Judging

    def _legal(self, move: Point) -> Point:
        x, y = move
        if not (0 <= x < self.size and 0 <= y < self.size):
            raise self.give_up(Oddity.ILLEGAL, f"{x},{y} is off the board of size {self.size}")
        if move in self.taken:
            raise self.give_up(Oddity.ILLEGAL, f"{x},{y} is occupied")
        self.taken.add(move)
        return move

    def _take(self, reading: Reading, line: RawLine) -> None:
        for oddity in reading.oddities:
            self.found(oddity, line.text)

    def _judge_talk(self, line: RawLine, reading: Reading) -> None:
        self._talked += line.source is Source.OUT
        self._take(reading, line)

    def _judge_count(self) -> None:
        if self._talked >= FLOOD_LINES:
            self.found(Oddity.MANY_MESSAGES, f"{self._talked} before one move")
        elif self._talked >= BUSY_LINES:
            self.found(Oddity.CHATTY, f"{self._talked} before one move")

    def _judge_unasked(self, line: RawLine, reading: Reading) -> None:
        """Judges an unexpected line by the request before it."""
        self._take(reading, line)
        if line.source is Source.ERR:
            return
        if reading.kind == Kind.OK and self._owes_ok:
            self._owes_ok = False
        elif not self._spoken:
            talk = reading.kind == Kind.TALK and not reading.oddities
            self.found(Oddity.BANNER_MESSAGE if talk else Oddity.BANNER, line.text)
        elif reading.kind == Kind.MOVE or (reading.kind == Kind.OK and not self._after_info):
            self.found(Oddity.TWO_ANSWERS, line.text)
        elif reading.kind == Kind.OK:
            self.found(Oddity.INFO_OK, line.text)
        elif reading.kind in (Kind.ERROR, Kind.UNKNOWN) and self._after_info:
            self.found(Oddity.INFO_REFUSED, line.text)
        elif reading.kind != Kind.TALK:
            self.found(Oddity.FREE_TEXT, line.text)

    def _gone(self) -> Over:
        code = self.wire.wait_exit(time.monotonic() + 0.3)
        how = "its output is closed" if code is None else f"exit code {code}"
        words = [note.text for note in self.notes if note.mark == "!"]
        return self.give_up(Oddity.CRASH, f"{how}{': ' + words[-1] if words else ''}")

    def _note(self, line: RawLine) -> Reading:
        self._write_down("<" if line.source is Source.OUT else "!", line.text, line.at)
        return read_line(line)

    def _write_down(self, mark: str, text: str, at: float) -> None:
        if len(self.notes) < KEPT_NOTES or mark != "<":
            self.notes.append(Note(round((at - self.wire.started) * 1000, 1), mark, text))


_SQUARE = re.compile(r"([a-v])(\d{1,2})")


def alternating(squares: str | Sequence[Point]) -> list[Stone]:
    """Returns stones in playing order with the brain to move; `h8` is 7,7."""
    if isinstance(squares, str):
        pairs = _SQUARE.findall(squares)
        points: Sequence[Point] = [(ord(x) - ord("a"), int(y) - 1) for x, y in pairs]
    else:
        points = squares
    count = len(points)
    return [(x, y, 1 if (count - at) % 2 == 0 else 2) for at, (x, y) in enumerate(points)]
