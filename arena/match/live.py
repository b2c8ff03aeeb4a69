"""Shows a match while it is played: a table in a terminal, plain lines elsewhere."""

import importlib
import sys
import time
from collections.abc import Callable
from typing import IO, Any, Protocol

from ..rules.referee import Color
from ..run.runner import Played
from ..stats.sprt import Pentanomial, Score
from ..util.output import complain, shown
from .tally import EngineTally, Tally, counts_text, speed_text

__all__ = ["Display", "PlainDisplay", "TableDisplay", "open_display", "progress_line", "report"]

PLAIN_EVERY_S = 10.0
NAME_WIDTH = 20
SLOW_START = 1.0
"""The seconds before the first plain line. Later intervals grow."""


class Display(Protocol):
    """Shows the progress of a match. All calls come from one thread."""

    def start(self) -> None:
        """Starts the display."""

    def update(self, played: Played) -> None:
        """Shows a game that was just counted."""

    def beat(self) -> None:
        """Updates the display during a wait for games. It is called repeatedly."""

    def stop(self) -> None:
        """Shows the final state and releases the output; a second call is allowed."""


Extra = Callable[[], str]
"""Returns a line below the tally, such as the state of a test; empty for no line."""


def open_display(title: str, tally: Tally, total: int | None, extra: Extra) -> Display:
    """Returns a live table if stdout is a terminal and rich is installed, else plain lines."""
    if sys.stdout.isatty():
        try:
            return TableDisplay(title, tally, total, extra)
        except ModuleNotFoundError:
            complain("a live table needs rich: pip install tengen-arena")
    return PlainDisplay(title, tally, total, extra, sys.stdout)


def progress_line(tally: Tally, total: int | None, extra: str = "") -> str:
    """Returns the state of a match as one line."""
    count = f"{tally.games}" if total is None else f"{tally.games}/{total}"
    parts = [
        f"{count} games",
        f"{tally.first.name} {tally.score}",
        f"Elo {_best(tally).elo()}",
        *([f"LOS {_best(tally).los() * 100:.1f} %"] if _best(tally).elo().is_known else []),
        f"pairs {tally.pairs}",
        *([extra] if extra else []),
        f"forfeits {_forfeits(tally)}",
    ]
    return "  ".join(parts)


def report(tally: Tally, extra: str = "") -> list[str]:
    """Returns the lines of the final report."""
    if not tally.games:
        return ["no game was completed"]
    score, pairs, best = tally.score, tally.pairs, _best(tally)
    lines = [
        *forfeit_lines(tally),
        f"score     {tally.first.name} {score.points:g} - {score.games - score.points:g} "
        f"{tally.second.name}  ({score}, {score.score * 100:.1f} %)",
        f"colours   as Black {tally.as_color(Color.BLACK)}, as White {tally.as_color(Color.WHITE)}",
        f"Elo       {_elo_text(best)}",
        f"pairs     LL LD WL/DD WD WW  {pairs}",
        f"ends      {counts_text(tally.ends)}",
    ]
    if extra:
        lines.append(f"SPRT      {extra}")
    return [*lines, *_engine_lines(tally)]


def _engine_lines(tally: Tally) -> list[str]:
    """Returns the table of the engines, 80 columns wide if there are few kinds of forfeits."""
    width = max(6, min(NAME_WIDTH, max(len(engine.name) for engine in tally.engines)))
    lines = [
        f"{'engine':<{width}} {'depth':>5} {'nps':>5} {'ms/move':>8} {'latest':>9} {'MiB':>6}  "
        "forfeits"
    ]
    for engine in tally.engines:
        name = engine.name if len(engine.name) <= width else engine.name[: width - 1] + "…"
        lines.append(f"{name:<{width}} {_engine_text(engine)}")
        for note, count in engine.notes.most_common(3):
            lines.append(f"{'':<{width}} note: {note} ({count} times)")
    return lines


def _elo_text(counts: Score | Pentanomial) -> str:
    elo = counts.elo()
    if not elo.is_known:
        return str(elo)
    los = f"LOS {counts.los() * 100:.1f} %"
    return f"{elo} (95 %), normalized {counts.normalized_elo()}, {los}"


def forfeit_lines(tally: Tally) -> list[str]:
    """Returns the lines about forfeits, which precede all others."""
    if not tally.has_forfeits:
        return []
    counted = (
        "includes them" if tally.counts_forfeits else f"uses the other {tally.rated.games} games"
    )
    games = f"{tally.forfeits} of {tally.games} games"
    return [f"forfeits  {games} ({_forfeits(tally)}): do not trust the Elo, which {counted}"]


def _best(tally: Tally) -> Score | Pentanomial:
    """Returns the counts with the best error: pairs, unless there are very few.

    A few pairs with equal results have an error of 0, which is too small.
    """
    pairs = tally.pairs
    tell = pairs.games > tally.rated.games / 2 and sum(map(bool, pairs.counts)) > 1
    return pairs if tell else tally.rated


def _forfeits(tally: Tally) -> str:
    told = [
        f"{engine.name}: {counts_text(engine.forfeits)}"
        for engine in tally.engines
        if engine.forfeits
    ]
    return "; ".join(told) or "none"


def _engine_text(engine: EngineTally) -> str:
    depth = "-" if engine.depth is None else f"{engine.depth:.1f}"
    late = "-" if engine.worst_over_ms is None else f"{engine.worst_over_ms:+.1f}"
    return (
        f"{depth:>5} {speed_text(engine.nps):>5} {_ms_text(engine):>8} {late:>9} "
        f"{engine.peak_bytes / (1 << 20):>6.1f}  {counts_text(engine.forfeits)}"
    )


def _ms_text(engine: EngineTally) -> str:
    return "-" if engine.ms_a_move is None else f"{engine.ms_a_move:.0f}"


class PlainDisplay:
    """Prints a line from time to time."""

    def __init__(
        self, title: str, tally: Tally, total: int | None, extra: Extra, out: IO[str]
    ) -> None:
        """Takes the contents of the display and the output."""
        self._title = title
        self._tally = tally
        self._total = total
        self._extra = extra
        self._out = out
        self._next = 0.0
        self._wait = SLOW_START
        self._shown = 0

    def start(self) -> None:
        """Prints the title of the match."""
        self._print(self._title)
        self._next = time.monotonic() + self._wait

    def update(self, played: Played) -> None:
        """Prints a forfeit at once; prints the progress when it is due."""
        record = played.record
        if record.is_forfeit and not played.resumed:
            names = f"{record.black.name} - {record.white.name}"
            self._print(f"game {played.job.id} ({names}): {record.detail}")
        self.beat()

    def beat(self) -> None:
        """Prints the progress when it is due."""
        if time.monotonic() >= self._next:
            self._wait = min(PLAIN_EVERY_S, self._wait * 2)
            self._next = time.monotonic() + self._wait
            self._progress()

    def stop(self) -> None:
        """Prints the report."""
        self._progress()

    def _progress(self) -> None:
        if self._tally.games != self._shown:
            self._shown = self._tally.games
            self._print(progress_line(self._tally, self._total, self._extra()))

    def _print(self, line: str) -> None:
        print(shown(line), file=self._out, flush=True)


class TableDisplay:
    """Draws a table in the terminal and redraws it in place."""

    def __init__(self, title: str, tally: Tally, total: int | None, extra: Extra) -> None:
        """Takes the contents of the display; raises ModuleNotFoundError without rich."""
        self._table = importlib.import_module("rich.table")
        self._group = importlib.import_module("rich.console").Group
        self._text = importlib.import_module("rich.text").Text
        self._title = title
        self._tally = tally
        self._total = total
        self._extra = extra
        self._began = time.monotonic()
        live = importlib.import_module("rich.live")
        self._live = live.Live(refresh_per_second=4)

    def start(self) -> None:
        """Starts to draw; a thread of rich redraws the table."""
        self._began = time.monotonic()
        self._live.start()
        self.beat()

    def update(self, played: Played) -> None:
        """Prints a forfeit above the table."""
        record = played.record
        if record.is_forfeit and not played.resumed:
            told = self._text(shown(f"game {played.job.id}: {record.detail}"))
            self._live.console.print(told)
        if not played.resumed:
            self.beat()

    def beat(self) -> None:
        """Updates the table."""
        # Pass text, not the tally: the drawing thread must not read a changing object.
        self._live.update(self._draw())

    def stop(self) -> None:
        """Draws the table for the last time and leaves it on the screen."""
        self.beat()
        self._live.stop()

    def _draw(self) -> Any:
        tally = self._tally
        title = self._text(shown(self._title), style="italic")
        table = self._table.Table(title=title, title_justify="left")
        columns = ("engine", "score", "+", "=", "-", "depth", "nps", "ms", "MiB", "forfeits")
        for column in columns:
            left = column in ("engine", "forfeits")
            table.add_column(column, justify="left" if left else "right")
        score = tally.score
        for engine, (wins, losses) in zip(
            tally.engines, ((score.wins, score.losses), (score.losses, score.wins)), strict=True
        ):
            share = (wins + score.draws / 2) / score.games * 100 if score.games else 50.0
            table.add_row(
                self._text(shown(engine.name)),
                f"{share:.1f} %",
                str(wins),
                str(score.draws),
                str(losses),
                "-" if engine.depth is None else f"{engine.depth:.1f}",
                speed_text(engine.nps),
                _ms_text(engine),
                f"{engine.peak_bytes / (1 << 20):.0f}",
                counts_text(engine.forfeits),
            )
        return self._group(table, *(self._text(line) for line in self._lines()))

    def _lines(self) -> list[str]:
        tally = self._tally
        total = "" if self._total is None else f"/{self._total}"
        elapsed = time.monotonic() - self._began
        lines = [
            *forfeit_lines(tally),
            f"games {tally.games}{total}  {_duration(elapsed)}{self._rest(elapsed)}",
            f"Elo {_best(tally).elo()}  LOS {_best(tally).los() * 100:.1f} %  "
            f"pairs LL LD WL/DD WD WW {tally.pairs}",
        ]
        extra = self._extra()
        return [*lines, extra] if extra else lines

    def _rest(self, elapsed: float) -> str:
        played = self._tally.played
        if self._total is None or not played:
            return ""
        left = (self._total - self._tally.games) * elapsed / played
        return f", about {_duration(left)} to go"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
