"""The standings of a tournament while it is played: below the lines on games, or between them."""

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

from ..stats.standings import Table, rating_lines
from ..util.output import complain, say, shown

__all__ = ["LiveStandings", "PlainStandings", "TerminalStandings", "open_standings"]

FIRST_S, LONGEST_S = 60.0, 900.0
"""Outside a terminal the standings come after a minute, then ever more seldom."""
REDRAW_S = 2.0

Standings = Callable[[], Table]


class LiveStandings(Protocol):
    """Shows lines on games, and the standings. All calls come from one thread."""

    def start(self) -> None:
        """Begins to show."""

    def say(self, line: str) -> None:
        """Shows a line on a game."""

    def beat(self, games: int, standings: Standings) -> None:
        """Shows the standings after so many games, if it is time; `standings` computes them."""

    def stop(self) -> None:
        """Leaves the output as it found it; may be called again."""


def open_standings() -> LiveStandings:
    """Returns a table that is redrawn in a terminal where rich is there, else plain lines."""
    if sys.stdout.isatty():
        try:
            return TerminalStandings()
        except ModuleNotFoundError:
            complain("live standings need rich: pip install tengen-arena")
    return PlainStandings()


class _Pace:
    """Says when the standings are due: not too often, and only after new games."""

    def __init__(self, wait_s: float, longest_s: float) -> None:
        self._wait, self._longest = wait_s, longest_s
        self._next = time.monotonic() + wait_s
        self._shown = 0

    def is_due(self, games: int) -> bool:
        """Says whether it is time; the wait to the next time begins."""
        if games == self._shown or time.monotonic() < self._next:
            return False
        self._shown = games
        self._wait = min(self._longest, max(1.0, 2 * self._wait))
        self._next = time.monotonic() + self._wait
        return True

    def slow_down(self, took_s: float) -> None:
        """Keeps nine tenths of the time for games, where the standings of many take long."""
        self._next = max(self._next, time.monotonic() + 9 * took_s)


class PlainStandings:
    """Prints the standings between the lines on games."""

    def __init__(self, first_s: float = FIRST_S) -> None:
        """Takes after how many seconds the first ones come."""
        self._first_s = first_s
        self._pace = _Pace(first_s, LONGEST_S)

    def start(self) -> None:
        """Begins to wait."""
        self._pace = _Pace(self._first_s, LONGEST_S)

    def say(self, line: str) -> None:
        """Prints a line."""
        say(line)

    def beat(self, games: int, standings: Standings) -> None:
        """Prints the standings when it is time."""
        if self._pace.is_due(games):
            for line in ("", f"after {games} games", *rating_lines(standings()), ""):
                say(line)

    def stop(self) -> None:
        """Does nothing: what was printed stays."""


class TerminalStandings:
    """Redraws the standings below the lines on games."""

    def __init__(self, console: Any = None) -> None:
        """Takes a console of rich, None for stdout's; raises ModuleNotFoundError without rich."""
        self._text = importlib.import_module("rich.text").Text
        live = importlib.import_module("rich.live")
        self._live = live.Live(console=console, refresh_per_second=4)
        self._pace = _Pace(0.0, REDRAW_S)

    def start(self) -> None:
        """Begins to draw."""
        self._live.start()

    def say(self, line: str) -> None:
        """Prints a line above the standings."""
        self._live.console.print(self._text(shown(line)))

    def beat(self, games: int, standings: Standings) -> None:
        """Draws the standings anew when it is time."""
        if self._pace.is_due(games):
            began = time.monotonic()
            lines = (f"after {games} games", *rating_lines(standings()))
            text = self._text("\n".join(shown(line) for line in lines), no_wrap=True)
            self._live.update(text, refresh=True)
            self._pace.slow_down(time.monotonic() - began)

    def stop(self) -> None:
        """Removes the standings: the tables of the end follow."""
        self._live.update(self._text(""))
        self._live.stop()
