"""The tally of a match between two engines: the contents of its table."""

from collections import Counter
from dataclasses import astuple, dataclass, field

from ..game.record import GameRecord
from ..rules.referee import Color
from ..run.runner import Played
from ..stats.sprt import Pentanomial, Score

__all__ = ["EngineTally", "Tally", "counts_text", "speed_text"]


MANY_FORFEITS = 10


@dataclass
class EngineTally:
    """Counts facts about one engine; depth and speed only if it reports them."""

    name: str
    forfeits: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    move_ms: float = 0.0
    depths: int = 0
    depth_sum: int = 0
    node_sum: int = 0
    node_ms: float = 0.0
    peak_bytes: int = 0
    worst_over_ms: float | None = None

    @property
    def depth(self) -> float | None:
        """Returns the average depth of its moves."""
        return self.depth_sum / self.depths if self.depths else None

    @property
    def ms_a_move(self) -> float | None:
        """Returns the average time of its moves."""
        return self.move_ms / self.moves if self.moves else None

    @property
    def nps(self) -> float | None:
        """Returns its speed in nodes per second."""
        return self.node_sum / self.node_ms * 1000 if self.node_ms > 0 else None

    def add(self, record: GameRecord, color: Color) -> None:
        """Counts a game that it played with a colour."""
        player = record.player(color)
        self.peak_bytes = max(self.peak_bytes, player.peak_bytes)
        self.notes.update(player.notes)
        if record.is_forfeit and record.winner == color.other.value:
            self.forfeits[record.reason.value] += 1
            self._note_late(record.over_ms)
        for move in record.moves:
            if move.color != color.value:
                continue
            self.moves += 1
            self.move_ms += move.ms
            self._note_late(move.over_ms)
            if move.depth is not None:
                self.depths += 1
                self.depth_sum += move.depth
            if move.nodes is not None:
                self.node_sum += move.nodes
                self.node_ms += move.ms

    def _note_late(self, over_ms: float | None) -> None:
        if over_ms is not None:
            worst = self.worst_over_ms
            self.worst_over_ms = over_ms if worst is None else max(worst, over_ms)


class Tally:
    """Counts the games of a match from the view of the first engine."""

    def __init__(self, first: str, second: str, *, count_forfeits: bool = False) -> None:
        """Takes the two names, which differ.

        `count_forfeits`: forfeits also count for the strength.
        """
        assert first != second
        self.counts_forfeits = count_forfeits
        self.forfeits = 0
        self.first = EngineTally(first)
        self.second = EngineTally(second)
        self.played = 0
        self.resumed = 0
        self.ends: Counter[str] = Counter()
        self._half_pairs: dict[int, float | None] = {}
        """The points of a pair's first game; None for a forfeit that does not count."""
        self._pair_sums: Counter[float] = Counter()
        self._points: dict[Color, Counter[float]] = {color: Counter() for color in Color}
        self._sound: Counter[float] = Counter()

    @property
    def engines(self) -> tuple[EngineTally, EngineTally]:
        """Returns the tallies of both engines."""
        return self.first, self.second

    @property
    def games(self) -> int:
        """Returns the number of games."""
        return self.played + self.resumed

    @property
    def score(self) -> Score:
        """Returns the results of all games, as a manager counts them."""
        black, white = (self.as_color(color) for color in Color)
        return Score(*(a + b for a, b in zip(astuple(black), astuple(white), strict=True)))

    @property
    def rated(self) -> Score:
        """Returns the results of the games that count for the strength."""
        return Score(self._sound[1.0], self._sound[0.5], self._sound[0.0])

    @property
    def pairs(self) -> Pentanomial:
        """Returns the results of the pairs whose games both count for the strength."""
        return Pentanomial(*(self._pair_sums[sum_ / 2] for sum_ in range(5)))

    @property
    def has_half_pairs(self) -> bool:
        """Says whether a pair lacks its second game."""
        return bool(self._half_pairs)

    @property
    def has_forfeits(self) -> bool:
        """Says whether any game was lost by a fault."""
        return self.forfeits > 0

    @property
    def has_too_many_forfeits(self) -> bool:
        """Says whether there are too many forfeits to continue.

        Games that do not count for the Elo never decide a test.
        """
        many = self.forfeits >= MANY_FORFEITS and self.forfeits * 10 > self.games
        return many and not self.counts_forfeits

    def as_color(self, color: Color) -> Score:
        """Returns the first engine's results with one colour."""
        points = self._points[color]
        return Score(points[1.0], points[0.5], points[0.0])

    def add(self, played: Played) -> None:
        """Counts a game."""
        job, record = played.job, played.record
        if played.resumed:
            self.resumed += 1
        else:
            self.played += 1
        # Under an opening rule the players may swap: only the record has their colours.
        color = Color.BLACK if record.black.name == self.first.name else Color.WHITE
        self.first.add(record, color)
        self.second.add(record, color.other)
        self.ends[record.reason.value] += 1
        points = 0.5 if record.winner is None else float(record.winner == color.value)
        self._points[color][points] += 1
        self.forfeits += record.is_forfeit
        is_sound = self.counts_forfeits or not record.is_forfeit
        if is_sound:
            self._sound[points] += 1
        if job.pair not in self._half_pairs:
            self._half_pairs[job.pair] = points if is_sound else None
            return
        other = self._half_pairs.pop(job.pair)
        if is_sound and other is not None:
            self._pair_sums[other + points] += 1


def counts_text(counts: "Counter[str]") -> str:
    """Returns the counts as `time 2, crash 1`, the most frequent first."""
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"


def speed_text(nps: float | None) -> str:
    """Returns nodes per second as 1.2M or 345k; - if unknown."""
    if nps is None:
        return "-"
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if nps >= limit:
            value = nps / limit
            return f"{value:.1f}{unit}" if value < 100 else f"{value:.0f}{unit}"
    return f"{nps:.0f}"
