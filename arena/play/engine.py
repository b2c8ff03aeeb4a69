"""Runs an engine at the board: finds it, starts it, asks for moves and analyses, ends it."""

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from records.winrate import percent, win_rate

from ..engines.brain import CommandError, position_lines
from ..engines.clock import UNLIMITED_MS
from ..engines.lines import Answer
from ..engines.managers import STRICT, Opens, Reading, Stderr
from ..engines.player import MoveRequest, Reply
from ..engines.process import BrainProcess
from ..engines.reports import Report, points_of, read_report, read_thought
from ..engines.spec import EngineSpec
from ..rules.referee import Point
from ..util.faults import BrainFault, Fault

__all__ = [
    "Analysis",
    "Engine",
    "Variation",
    "default_engine",
    "variation_text",
    "with_level",
    "worth",
]

START_MS = 10_000
GRACE_MS = 5_000
"""At the board nobody loses by a moment; so late an answer is a hang."""
MEMORY = 350 << 20
RAW_LINES = 4

# At the board, only silence and unreadable answers end the game.
_READING = Reading(rest_is_skipped=True, stderr=Stderr.IGNORED, long_lines=True)
_BOARD = replace(STRICT, opens=Opens.BOARD)
_START = re.compile(r"(?:OK|ERROR|UNKNOWN)\b.*", re.IGNORECASE)
_MOVE = re.compile(r"\s*[+-]?\d{1,9}\s*,\s*[+-]?\d{1,9}\s*")
_MOVE_OR_NOT = re.compile(rf"{_MOVE.pattern}|(?:ERROR|UNKNOWN)\b.*")


@dataclass(frozen=True)
class Variation:
    """Holds one line of an analysis; the score is that of the side to move."""

    moves: tuple[Point, ...]
    depth: int | None = None
    score: str | None = None
    mate: int | None = None


@dataclass(frozen=True)
class Analysis:
    """Holds an engine's analysis of a position, the best line first.

    `raw` holds the last messages, if they could not be read.
    """

    variations: tuple[Variation, ...]
    ms: float
    raw: tuple[str, ...] = ()


def default_engine() -> EngineSpec:
    """Returns Tengen; raises CommandError if it is not installed.

    Looks in the source tree, then for `tengen` beside this Python, then for `tengen` on PATH.
    """
    root = Path(__file__).resolve().parent.parent.parent
    if (root / "protocol" / "__main__.py").is_file():
        return EngineSpec("tengen", (sys.executable, "-m", "protocol"), cwd=str(root))
    beside = shutil.which("tengen", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("tengen")
    if found is None:
        raise CommandError("Tengen is not installed; name an engine with --engine")
    return EngineSpec("tengen", (found,))


def with_level(spec: EngineSpec, level: int | None) -> EngineSpec:
    """Returns the engine at this level; None is full strength."""
    if level is None:
        return spec
    return replace(spec, info=(*spec.info, ("level", str(level))))


class Engine:
    """Runs one engine for one table. Raises every fault of it as BrainFault.

    After a fault or `stop`, the next question starts it again.
    """

    def __init__(self, spec: EngineSpec, *, size: int, rule: int, turn_ms: int) -> None:
        """Takes the engine and the game; starts nothing yet."""
        self.name = spec.name
        self._spec = spec
        self._size = size
        self._rule = rule
        self.turn_ms = turn_ms
        self._process: BrainProcess | None = None
        self._knows_lines = True
        self.seen = -1
        """After how many moves of the game the engine's own board stands; -1: it must be told."""

    def move(self, request: MoveRequest) -> Reply:
        """Returns a move for the side to move; it may be illegal."""
        process = self._running(anew=request.last is None)
        answer = process.ask(*self._position(request), form=_MOVE, limit_ms=self.turn_ms + GRACE_MS)
        return Reply(_point(answer.text), answer.ms, read_thought(answer.messages))

    def analyse(self, request: MoveRequest, lines: int) -> Analysis:
        """Returns the engine's analysis of the position; one line if it lacks YXNBEST."""
        request = replace(request, last=None)
        if self._knows_lines:
            answer = self._ask_lines(request, lines)
            if answer is not None:
                return _analysis(answer, lines, self._size)
            self._knows_lines = False
        return self.choose(request)

    def choose(self, request: MoveRequest) -> Analysis:
        """Returns the engine's move in the position, with its report."""
        request = replace(request, last=None)
        process = self._running(anew=True)
        answer = process.ask(*self._position(request), form=_MOVE, limit_ms=self.turn_ms + GRACE_MS)
        return _analysis(answer, 1, self._size)

    def _ask_lines(self, request: MoveRequest, lines: int) -> Answer | None:
        """Asks by YXBOARD and YXNBEST; returns None if the engine does not know them."""
        process = self._running(anew=True)
        asked = ["YXBOARD" if line == "BOARD" else line for line in position_lines(request, _BOARD)]
        try:
            answer = process.ask(
                *asked,
                f"YXNBEST {lines}",
                form=_MOVE_OR_NOT,
                limit_ms=self.turn_ms + GRACE_MS / 2,
            )
        except BrainFault as fault:
            self.stop()
            if fault.kind is Fault.TIME:
                return None
            raise
        if _MOVE.fullmatch(answer.text) is None:
            self.stop()  # More errors may follow, one for each line of the position.
            return None
        return answer

    def _position(self, request: MoveRequest) -> list[str]:
        # A TURN does not tell the captures before it.
        manager = _BOARD if request.last is None and any(request.captures) else STRICT
        return [f"INFO time_left {UNLIMITED_MS}", *position_lines(request, manager)]

    def _running(self, *, anew: bool) -> BrainProcess:
        """Returns the process with a game; `anew` begins another game."""
        if self._process is not None and not anew:
            return self._process
        if self._process is None:
            cwd = None if self._spec.cwd is None else Path(self._spec.cwd)
            self._process = BrainProcess(self._spec.command, cwd=cwd, reading=_READING)
        process = self._process
        answer = process.ask(f"START {self._size}", form=_START, limit_ms=START_MS)
        if not answer.text.upper().startswith("OK"):
            text = f"START {self._size} is answered by {answer.text[:100]!a}"
            raise BrainFault(Fault.PROTOCOL, text)
        process.send(
            f"INFO max_memory {MEMORY}",
            "INFO timeout_match 0",
            f"INFO timeout_turn {self.turn_ms}",
            "INFO game_type 0",
            f"INFO rule {self._rule}",
            f"INFO time_left {UNLIMITED_MS}",
            *(f"INFO {key} {value}" for key, value in self._spec.extra_info),
        )
        return process

    @property
    def last_lines(self) -> list[str]:
        """Returns the end of the conversation: `>` to the engine, `<` from it, `!` its stderr."""
        if self._process is None:
            return []
        return [f"{mark} {text}" for mark, text in list(self._process.transcript)[-6:]]

    def stop(self) -> None:
        """Ends the process, if it runs."""
        process, self._process = self._process, None
        self.seen = -1
        if process is not None:
            process.close()


def _point(text: str) -> Point:
    x, y = text.split(",")
    return (int(x), int(y))


def _analysis(answer: Answer, lines: int, size: int) -> Analysis:
    """Reads the reported lines; the first one begins with the answer.

    An engine need not report every line of every depth, so that the first one may be older.
    """
    move = _point(answer.text)
    reports = [report for text in answer.messages if (report := read_report(text)) is not None]
    from_top = _counts_from_top(reports, move, size)
    by_line: dict[int, Variation] = {}
    by_move: dict[Point, Variation] = {}
    for report in reports:
        moves = points_of(report, size, from_top=from_top)
        if moves:
            variation = Variation(moves, report.depth, report.score, report.mate)
            by_line[report.line] = variation
            by_move[moves[0]] = variation
    if by_line:
        first = {move: by_move.get(move, Variation((move,)))}
        for number in sorted(by_line):
            first.setdefault(by_line[number].moves[0], by_line[number])
        for variation in reversed(by_move.values()):  # two lines of different depths may agree
            first.setdefault(variation.moves[0], variation)
        return Analysis(tuple(first.values())[:lines], answer.ms)
    thought = read_thought(answer.messages)
    raw = tuple(text[:200] for text in answer.messages[-RAW_LINES:])
    return Analysis((Variation((move,), thought.depth, thought.score),), answer.ms, raw)


def _counts_from_top(reports: Sequence[Report], move: Point, size: int) -> bool:
    """Says whether an engine's letters have a1 at the top left, by its best line's first move."""
    best = [report for report in reports if report.line == 1]
    if not best:
        return False
    from_bottom, from_top = (points_of(best[-1], size, from_top=top)[:1] for top in (False, True))
    return from_top == (move,) and from_bottom != (move,)


def variation_text(
    number: int, variation: Variation, rule: int, name: Callable[[Point], str]
) -> str:
    """Returns one line of an analysis for people.

    The rule gives the win rate of a score. `name` writes a square.
    """
    parts = [f"{number:>2}  {name(variation.moves[0]):<5}"]
    if variation.mate:
        side = "win" if variation.mate > 0 else "loss"
        parts.append(f"{side} in {abs(variation.mate)}".ljust(22))
    elif variation.score is not None:
        parts.append(f"score {variation.score}{worth(variation.score, rule)}".ljust(22))
    if variation.depth is not None:
        parts.append(f"depth {variation.depth}".ljust(9))
    parts.append(" ".join(name(point) for point in variation.moves))
    return "  ".join(parts)


def worth(score: str, rule: int) -> str:
    """Returns the win rate of a score that is a number, in brackets; else nothing."""
    if not re.fullmatch(r"[+-]?\d{1,9}", score):
        return ""
    return f" ({percent(win_rate(rule, int(score)))})"
