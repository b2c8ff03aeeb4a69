"""A client for any Piskvork engine: scripts start it, let it search positions, and close it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from records.review import Judgement
from records.squares import shown_square
from records.winrate import Wdl, score_text, wdl, win_rate

from ..engines.clock import UNLIMITED_MS
from ..engines.player import MoveRequest
from ..engines.spec import EngineSpec, parse_engine, with_options
from ..rules.referee import Color, Point, Rule
from .engine import Analysis, Engine, Variation, default_engine

__all__ = ["Asked", "Brain", "BrainResult", "judgement_of", "numbers_of"]

LONGEST_MS = 10_000
"""The time of a search without one: a brain may not know limits of nodes and depth."""
_MATE = re.compile(r"([+-]?)M([+-]?)(\d{1,3})", re.IGNORECASE)
_SCORE = re.compile(r"[+-]?\d{1,9}")


class Asked(Protocol):
    """The properties of a position that a search needs; `pyengine.Position` has them."""

    @property
    def size(self) -> int:
        """Returns the side of the board."""

    @property
    def rule(self) -> int:
        """Returns the number of the rule."""

    @property
    def board(self) -> Mapping[Point, object]:
        """Returns the stones in playing order; the `value` of each is "black" or "white"."""

    @property
    def captures(self) -> tuple[int, int]:
        """Returns the captures of (Black, White), in the rule's count."""

    @property
    def turn(self) -> object:
        """Returns the side to move, with the `value` "black" or "white"."""


@dataclass(frozen=True)
class BrainResult:
    """Holds a move and the engine's report of it, from the view of the side to move.

    score:   None if the engine reports none, or a proven end.
    mate:    plies to a proven end, negative when losing; None = no proven end.
    pv:      the expected line, the move first.
    lines:   the lines of an analysis; the first one begins with the move.
    time_ms: the time from the request to the answer.
    raw:     the last messages, if they could not be read.
    placed:  stones on the board and captured ones; for the chance of a draw.
    """

    move: Point
    score: int | None
    mate: int | None
    depth: int | None
    pv: tuple[Point, ...]
    time_ms: float
    size: int
    rule: int
    lines: tuple[Variation, ...] = ()
    raw: tuple[str, ...] = ()
    placed: int = 0

    @property
    def name(self) -> str:
        """Returns the name of the move, as h8."""
        return shown_square(self.move, self.size)

    @property
    def names(self) -> list[str]:
        """Returns the names of the line's squares."""
        return [shown_square(point, self.size) for point in self.pv]

    @property
    def win_rate(self) -> float | None:
        """Returns the win rate by Tengen's curve; None without a score."""
        if self.score is None and not self.mate:
            return None
        return win_rate(self.rule, self.score or 0, self.mate)

    def wdl(self, line: Variation | None = None) -> Wdl | None:
        """Returns the chances by Tengen's curves, or those of a line; None without a score."""
        score, mate = (self.score, self.mate) if line is None else numbers_of(line)
        if score is None and not mate:
            return None
        return wdl(self.rule, score or 0, mate, size=self.size, placed=self.placed)

    def __str__(self) -> str:
        """Returns depth, score with win rate, and the line."""
        depth = "" if self.depth is None else f"depth {self.depth}  "
        told = "no score"
        if self.win_rate is not None:
            told = score_text(self.rule, self.score or 0, self.mate)
        return f"{depth}{told}  {' '.join(self.names)}"


class Brain:
    """Runs an engine as a process that searches positions.

    The process starts with the first search and ends with `close()` or the `with` block. A fault is
    raised as BrainFault; the next search starts the process again.

    command: a path, or a command line as in a shell; None = the installed engine.
    info:    keys and values of INFO lines, such as {"level": "3"}.
    """

    def __init__(
        self,
        command: str | None = None,
        *,
        name: str | None = None,
        info: Mapping[str, object] | None = None,
    ) -> None:
        """Takes the command of the engine; raises CommandError if it cannot be started."""
        spec = default_engine() if command is None else parse_engine(command)
        pairs = tuple((key, str(value)) for key, value in (info or {}).items())
        self._spec = with_options(spec, info=pairs)
        self.name = name or spec.name
        self._engine: Engine | None = None
        self._key: tuple[object, ...] = ()

    @classmethod
    def of(cls, spec: EngineSpec) -> Self:
        """Returns a client of a known engine."""
        brain = object.__new__(cls)
        brain._spec, brain.name = spec, spec.name
        brain._engine, brain._key = None, ()
        return brain

    def __enter__(self) -> Self:
        """Returns itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends the process."""
        self.close()

    def __repr__(self) -> str:
        """Returns name and state."""
        state = "not started" if self._engine is None else "running"
        return f"<Brain {self.name}, {state}>"

    def close(self) -> None:
        """Ends the process, if it runs; a later search starts another."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.stop()

    def search(
        self,
        position: Asked,
        *,
        time_ms: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        analysis: bool = False,
    ) -> BrainResult:
        """Returns the move that the engine chooses; raises BrainFault.

        time_ms:  the time of the search; None = 10 s.
        depth, nodes: sent as INFO max_depth and max_node, which some engines do not know.
        analysis: asks by YXNBEST if the engine knows it, so that every move has a score.
        """
        engine = self._running(position, time_ms, depth, nodes)
        request = _request(position)
        ask = (lambda: engine.analyse(request, 1)) if analysis else (lambda: engine.choose(request))
        return _result(self._asked(ask), position)

    def analyse(
        self,
        position: Asked,
        *,
        lines: int = 1,
        time_ms: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> BrainResult:
        """Returns the best lines of the engine; without YXNBEST, an engine tells one line."""
        if lines < 1:
            raise ValueError(f"lines must be at least 1, not {lines}")
        engine = self._running(position, time_ms, depth, nodes)
        request = _request(position)
        return _result(self._asked(lambda: engine.analyse(request, lines)), position)

    def _asked(self, ask: Callable[[], Analysis]) -> Analysis:
        """Returns an answer; ends the process after a fault."""
        try:
            return ask()
        except BaseException:
            self.close()
            raise

    def _running(
        self, position: Asked, time_ms: int | None, depth: int | None, nodes: int | None
    ) -> Engine:
        """Returns the engine for this game and these limits; starts it again if they changed."""
        if not hasattr(position, "board"):
            raise TypeError(f"position must be a Position, not {position!r}")
        if time_ms is not None and time_ms < 0:
            raise ValueError(f"time_ms must be 0 or more, not {time_ms}")
        key = (position.size, int(position.rule), depth, nodes)
        turn_ms = LONGEST_MS if time_ms is None else time_ms
        if self._engine is None or key != self._key:
            self.close()
            self._engine = Engine(
                with_options(self._spec, depth=depth, nodes=nodes),
                size=position.size,
                rule=int(position.rule),
                turn_ms=turn_ms,
            )
            self._key = key
        self._engine.turn_ms = turn_ms
        return self._engine


def _request(position: Asked) -> MoveRequest:
    stones = tuple((point, _color(stone)) for point, stone in position.board.items())
    return MoveRequest(
        color=_color(position.turn),
        stones=stones,
        captures=position.captures,
        last=None,
        limit_ms=0.0,
        time_left=UNLIMITED_MS,
    )


def _color(side: object) -> Color:
    return Color(getattr(side, "value", side))


def _result(found: Analysis, position: Asked) -> BrainResult:
    best = found.variations[0]
    score, mate = numbers_of(best)
    return BrainResult(
        move=best.moves[0],
        score=score,
        mate=mate,
        depth=best.depth,
        pv=best.moves,
        time_ms=found.ms,
        size=position.size,
        rule=int(position.rule),
        lines=found.variations,
        raw=found.raw,
        placed=len(position.board)
        + Rule(int(position.rule)).captured_stones(sum(position.captures)),
    )


def numbers_of(variation: Variation) -> tuple[int | None, int | None]:
    """Returns score and mate as numbers: `+M7` is a win in 7 plies."""
    text = variation.score or ""
    if (found := _MATE.fullmatch(text)) is not None:
        plies = int(found[3])
        return None, -plies if "-" in (found[1], found[2]) else plies
    return (int(text) if _SCORE.fullmatch(text) else None), variation.mate


def judgement_of(result: BrainResult, stage: str = "", line: Sequence[Point] = ()) -> Judgement:
    """Returns the judgement of a position for a review."""
    rate = result.win_rate
    return Judgement(
        best=result.move,
        win_rate=rate,
        score="" if rate is None else score_text(result.rule, result.score or 0, result.mate),
        mate=result.mate,
        stage=stage,
        line=tuple(line) or result.pv,
    )
