"""An engine at the board: found, started, asked for moves and for its opinion, ended."""

import re
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from records.winrate import percent, win_rate

from ..engines.brain import CommandError, position_lines, read_thought
from ..engines.clock import UNLIMITED_MS
from ..engines.lines import Answer
from ..engines.managers import STRICT, Opens, Reading, Stderr
from ..engines.player import MoveRequest, Reply
from ..engines.process import BrainProcess
from ..engines.spec import EngineSpec
from ..rules.board_view import name_of
from ..rules.referee import Point
from ..util.faults import BrainFault, Fault

__all__ = ["Analysis", "Engine", "Variation", "default_engine", "variation_text", "with_level"]

START_MS = 10_000
GRACE_MS = 5_000
"""At the board nobody loses by a moment; so late an answer is a hang."""
MEMORY = 350 << 20
RAW_LINES = 4

# A person forgives what some manager would not: only silence and nonsense end the game.
_READING = Reading(rest_is_skipped=True, stderr=Stderr.IGNORED, long_lines=True)
_BOARD = replace(STRICT, opens=Opens.BOARD)
_START = re.compile(r"(?:OK|ERROR|UNKNOWN)\b.*", re.IGNORECASE)
_MOVE = re.compile(r"\s*[+-]?\d{1,9}\s*,\s*[+-]?\d{1,9}\s*")
_MOVE_OR_NOT = re.compile(rf"{_MOVE.pattern}|(?:ERROR|UNKNOWN)\b.*")
_LINE = re.compile(
    r"MESSAGE (?:LINE (?P<line>\d+) )?DEPTH (?P<depth>\d+)\S* SCORE (?P<score>-?\d+)"
    r"(?: MATE (?P<mate>-?\d+))?.* PV (?P<pv>[\d, ]+)"
)


@dataclass(frozen=True)
class Variation:
    """Holds one line of an analysis; the score is that of the side to move."""

    moves: tuple[Point, ...]
    depth: int | None = None
    score: str | None = None
    mate: int | None = None


@dataclass(frozen=True)
class Analysis:
    """Holds what an engine thinks of a position, its best line first.

    `raw` is what it said where that could not be read.
    """

    variations: tuple[Variation, ...]
    ms: float
    raw: tuple[str, ...] = ()


def default_engine() -> EngineSpec:
    """Returns the engine that comes with this arena; raises CommandError where there is none.

    That is the engine of the source tree, or `tengen` beside this Python, or `tengen` on PATH.
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
    """Returns the engine that is to play at this level; None is its full strength."""
    if level is None:
        return spec
    return replace(spec, info=(*spec.info, ("level", str(level))))


class Engine:
    """Runs one engine for one table. Every fault of it is raised as BrainFault.

    After a fault or `stop` it is started anew when it is asked again.
    """

    def __init__(self, spec: EngineSpec, *, size: int, rule: int, turn_ms: int) -> None:
        """Takes what to start; nothing is started yet."""
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
        """Returns what the engine thinks of the position, in as many lines as it knows to give."""
        request = replace(request, last=None)
        if self._knows_lines:
            answer = self._ask_lines(request, lines)
            if answer is not None:
                return _analysis(answer, lines)
            self._knows_lines = False
        return self.choose(request)

    def choose(self, request: MoveRequest) -> Analysis:
        """Returns the move that the engine plays in the position, with what it told meanwhile."""
        request = replace(request, last=None)
        process = self._running(anew=True)
        answer = process.ask(*self._position(request), form=_MOVE, limit_ms=self.turn_ms + GRACE_MS)
        return _analysis(answer, 1)

    def _ask_lines(self, request: MoveRequest, lines: int) -> Answer | None:
        """Asks by YXBOARD and YXNBEST; returns None from an engine that does not know them."""
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
            self.stop()  # It may have more to say against the lines of the position.
            return None
        return answer

    def _position(self, request: MoveRequest) -> list[str]:
        # A TURN cannot say what was captured before it.
        manager = _BOARD if request.last is None and any(request.captures) else STRICT
        return [f"INFO time_left {UNLIMITED_MS}", *position_lines(request, manager)]

    def _running(self, *, anew: bool) -> BrainProcess:
        """Returns the process with a game begun; `anew`: begun again, where it has one already."""
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
        """Ends the process, where there is one."""
        process, self._process = self._process, None
        self.seen = -1
        if process is not None:
            process.close()


def _point(text: str) -> Point:
    x, y = text.split(",")
    return (int(x), int(y))


def _analysis(answer: Answer, lines: int) -> Analysis:
    """Reads the lines that were told; the best one is that of the answer in any case.

    Not every line of every depth need be told, so that the answer's may be an older one.
    """
    move = _point(answer.text)
    by_line: dict[int, Variation] = {}
    by_move: dict[Point, Variation] = {}
    for message in answer.messages:
        found = _LINE.fullmatch(message.upper().rstrip())
        if found and (variation := _variation(found)).moves:
            by_line[int(found["line"] or 1)] = variation
            by_move[variation.moves[0]] = variation
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


def _variation(found: "re.Match[str]") -> Variation:
    pairs = [pair for pair in found["pv"].split() if re.fullmatch(r"\d+,\d+", pair)]
    return Variation(
        tuple(_point(pair) for pair in pairs),
        int(found["depth"]),
        found["score"],
        None if found["mate"] is None else int(found["mate"]),
    )


def variation_text(number: int, variation: Variation, rule: int) -> str:
    """Returns one line of an analysis for people; the rule says what a score is worth."""
    parts = [f"{number:>2}  {name_of(variation.moves[0]):<4}"]
    if variation.mate:
        side = "win" if variation.mate > 0 else "loss"
        parts.append(f"{side} in {abs(variation.mate)}".ljust(22))
    elif variation.score is not None:
        parts.append(f"score {variation.score}{_worth(variation.score, rule)}".ljust(22))
    if variation.depth is not None:
        parts.append(f"depth {variation.depth}".ljust(9))
    parts.append(" ".join(name_of(point) for point in variation.moves))
    return "  ".join(parts)


def _worth(score: str, rule: int) -> str:
    """Returns the win rate of a score that is a number, in brackets."""
    if not re.fullmatch(r"[+-]?\d{1,9}", score):
        return ""
    return f" ({percent(win_rate(rule, int(score)))})"
