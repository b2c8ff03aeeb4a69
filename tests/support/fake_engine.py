"""A scripted engine: plays given moves, thinks for a given time, and records its calls."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from pyengine import (
    Color,
    Limits,
    Line,
    NoMoveError,
    NoUndoError,
    OccupiedError,
    OffBoardError,
    OptionError,
    Outcome,
    OutOfRangeError,
    Rule,
    SearchResult,
    Square,
    Stage,
    Status,
    TraceRow,
)

_RAYS = [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)]
OPTIONS = ("prune.lmr", "prune.nmp", "lmr_scale")


@dataclass
class FakeEngine:
    """Replaces pyengine.Engine.

    moves:   the answers of the next searches, a square or an exception to raise; then the first
             free square from the centre on.
    scores:  the scores of the next searches; then 0.
    expects: the expected reply to each of its moves; None: not reported.
    mate:    plies to the end, as each search reports it.
    think_s: the time of a search without a shorter limit; a stop ends it.
    depths:  the number of reported iterations, evenly spread over that time.
    threads_refused, table_refused_kib: resources that the system refuses to the next searches.
    setups:  the position of each search, with the last move.
    played:  moves since the position was set up, without those taken back.
    """

    moves: list[Square | Exception] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    expects: Square | None = None
    mate: int | None = None
    think_s: float = 0.0
    depths: int = 3
    threads_refused: int = 0
    table_refused_kib: int = 0
    forbidden_squares: set[Square] = field(default_factory=set)
    size: int = 15
    rule: Rule = Rule.FREESTYLE
    calls: list[str] = field(default_factory=list)
    limits: list[Limits] = field(default_factory=list)
    setups: list[dict[str, object]] = field(default_factory=list)
    played: list[Square] = field(default_factory=list)
    tables: list[float] = field(default_factory=list)
    stones: dict[Square, str] = field(default_factory=dict)
    to_move: Color = Color.BLACK

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._lines: list[Line] = []
        self._pairs = {"black": 0, "white": 0}
        self._taken: list[list[Square]] = []
        self.searching = threading.Event()

    def reset(self, *, size: int | None = None, rule: Rule | None = None) -> None:
        self.size = self.size if size is None else size
        self.rule = self.rule if rule is None else rule
        self.set_position()
        self.calls[-1:] = [f"reset {self.size} {self.rule.value}"]

    def resize_table(self, memory_mib: float) -> None:
        self.tables.append(memory_mib)

    def clear_table(self) -> None:
        self.calls.append("clear")

    def set_option(self, name: str, value: int, *, rules: Iterable[Rule] | None = None) -> None:
        known = name in (*OPTIONS, "threads", "level")
        if not known or (name.startswith("prune.") and value not in (0, 1)):
            raise OptionError(name)
        everywhere = rules is not None and set(rules) == set(Rule)
        assert everywhere or name in ("threads", "level"), "INFO comes before or after the rule"
        self.calls.append(f"{name} {value}")

    def set_position(
        self,
        *,
        black: Iterable[Square] = (),
        white: Iterable[Square] = (),
        captures: tuple[int, int] = (0, 0),
        to_move: Color = Color.BLACK,
        neutral: Iterable[Square] = (),
    ) -> None:
        sides = {"black": list(black), "white": list(white), "neutral": list(neutral)}
        stones = {square: side for side, squares in sides.items() for square in squares}
        if any(not (0 <= x < self.size and 0 <= y < self.size) for x, y in stones):
            raise OffBoardError("off the board")
        if len(stones) != sum(map(len, sides.values())):
            raise OutOfRangeError("named twice")
        self.stones, self.to_move = stones, to_move
        self._pairs = dict(zip(("black", "white"), captures, strict=True))
        self.played, self._taken = [], []
        self.calls.append(f"set_position {len(stones)}")

    def legal(self, m: Square) -> bool:
        return m not in self.stones and m not in self.forbidden_squares

    def forbidden(self) -> list[Square]:
        return sorted(self.forbidden_squares - set(self.stones))

    def place(self, m: Square) -> Outcome:
        own, other = self.to_move.value, self.to_move.other.value
        if m in self.stones:
            raise OccupiedError(f"{m}")
        self.stones[m] = own
        captured: list[Square] = []
        if self.rule.has_captures:
            for dx, dy in _RAYS:
                ray = [(m[0] + k * dx, m[1] + k * dy) for k in (1, 2, 3)]
                if [self.stones.get(square) for square in ray] == [other, other, own]:
                    captured += ray[:2]
        for square in captured:
            del self.stones[square]
        self._pairs[own] += len(captured) // 2
        self.played.append(m)
        self._taken.append(captured)
        self.calls.append(f"place {m[0]},{m[1]}")
        self.to_move = self.to_move.other
        return Outcome(sorted(captured), Status.ONGOING, None, None)

    def undo(self) -> None:
        if not self.played:
            raise NoUndoError("nothing to take back")
        self.calls.append("undo")
        del self.stones[self.played.pop()]
        captured = self._taken.pop()
        self._pairs[self.to_move.other.value] -= len(captured) // 2
        self.stones |= dict.fromkeys(captured, self.to_move.value)
        self.to_move = self.to_move.other

    def arm(self) -> None:
        self._stop.clear()

    def stop(self) -> None:
        self._stop.set()

    def search(self, limits: Limits, *, armed: bool = False) -> SearchResult:
        assert armed, "a stop that comes before the search must not be lost"
        self.limits.append(limits)
        self.setups.append(self.position())
        self._lines = []
        choice = self.moves.pop(0) if self.moves else self._first_free(limits)
        score = self.scores.pop(0) if self.scores else 0
        seconds = self.think_s
        if limits.time_ms is not None:
            seconds = min(seconds, limits.time_ms / 1000)
        if isinstance(choice, Exception):
            raise choice
        self._think(seconds, choice, score, limits.lines)
        return SearchResult(
            move=choice,
            score=score,
            depth=self.depths,
            seldepth=self.depths + 1,
            nodes=1000,
            time_ms=int(seconds * 1000),
            pv=[choice] if self.expects is None else [choice, self.expects],
            stage=Stage.STATIC if limits.time_ms == 0 else Stage.SEARCH,
            mate=self.mate,
            table_permille=12,
            threads_refused=self.threads_refused,
            table_refused_kib=self.table_refused_kib,
        )

    def position(self) -> dict[str, object]:
        """Returns the position: stones by owner, pairs by (black, white), the last move."""
        owners: dict[str, list[Square]] = {"black": [], "white": [], "neutral": []}
        for square, owner in sorted(self.stones.items()):
            owners[owner].append(square)
        captures = self._pairs["black"], self._pairs["white"]
        last = self.played[-1] if self.played else None
        return {**owners, "captures": captures, "to_move": self.to_move, "last": last}

    def set_trace(self, on: bool) -> None:
        self.calls.append(f"trace {int(on)}")

    def trace(self) -> list[TraceRow]:
        return []

    def progress(self, after: int = 0) -> list[Line]:
        return [line for line in self._lines if line.seq > after]

    def _think(self, seconds: float, move: Square, score: int, lines: int) -> None:
        self.searching.set()
        began = time.monotonic()
        for depth in range(1, self.depths + 1):
            self._stop.wait(max(0.0, began + seconds * depth / self.depths - time.monotonic()))
            seq = len(self._lines) + 1
            self._lines += [
                Line(n, n - seq, depth, depth + 1, score - n + seq, None, 5, 100 * n, [move])
                for n in range(seq, seq + lines)
            ]
            if self._stop.is_set():
                break
        self.searching.clear()

    def _first_free(self, limits: Limits) -> Square | Exception:
        middle = self.size // 2
        side = range(self.size)
        taken = {*self.stones, *self.forbidden_squares, *limits.excluded}
        free = [(x, y) for x in side for y in side if (x, y) not in taken]
        if not free:
            return NoMoveError("no legal square")
        return min(free, key=lambda m: (max(abs(m[0] - middle), abs(m[1] - middle)), m))
