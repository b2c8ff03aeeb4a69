"""Shows the standings of a tournament while it is played, below or between the lines on games."""

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

from ..stats.standings import Table, rating_lines
from ..util.output import complain, say, shown

__all__ = ["LiveStandings", "PlainStandings", "TerminalStandings", "open_standings"]

FIRST_S, LONGEST_S = 60.0, 900.0
"""Outside a terminal: seconds until the first standings, and the longest interval."""
REDRAW_S = 2.0

Standings = Callable[[], Table]


class LiveStandings(Protocol):
    """Shows lines on games, and the standings. All calls come from one thread."""

    def start(self) -> None:
        """Starts the display."""

    def say(self, line: str) -> None:
        """Shows a line on a game."""

    def beat(self, games: int, standings: Standings) -> None:
        """Shows the standings if they are due; `standings` computes them."""

    def stop(self) -> None:
        """Releases the output; a second call is allowed."""


def open_standings() -> LiveStandings:
    """Returns a redrawn table if stdout is a terminal and rich is installed, else plain lines."""
    if sys.stdout.isatty():
        try:
            return TerminalStandings()
        except ModuleNotFoundError:
            complain("live standings need rich: pip install tengen-arena")
    return PlainStandings()


class _Pace:
    """Decides when the standings are due: not too often, and only after new games."""

    def __init__(self, wait_s: float, longest_s: float) -> None:
        self._wait, self._longest = wait_s, longest_s
        self._next = time.monotonic() + wait_s
        self._shown = 0

    def is_due(self, games: int) -> bool:
        """Says whether the standings are due; starts the next interval if they are."""
        if games == self._shown or time.monotonic() < self._next:
            return False
        self._shown = games
        self._wait = min(self._longest, max(1.0, 2 * self._wait))
        self._next = time.monotonic() + self._wait
        return True

    def slow_down(self, took_s: float) -> None:
        """Lengthens the interval after slow standings, to keep 90 % of the time for games."""
        self._next = max(self._next, time.monotonic() + 9 * took_s)


class PlainStandings:
    """Prints the standings between the lines on games."""

    def __init__(self, first_s: float = FIRST_S) -> None:
        """Takes the seconds until the first standings."""
        self._first_s = first_s
        self._pace = _Pace(first_s, LONGEST_S)

    def start(self) -> None:
        """Starts the first interval."""
        self._pace = _Pace(self._first_s, LONGEST_S)

    def say(self, line: str) -> None:
        """Prints a line."""
        say(line)

    def beat(self, games: int, standings: Standings) -> None:
        """Prints the standings when they are due."""
        if self._pace.is_due(games):
            for line in ("", f"after {games} games", *rating_lines(standings()), ""):
                say(line)

    def stop(self) -> None:
        """Does nothing: the printed lines stay."""


class TerminalStandings:
    """Redraws the standings below the lines on games."""

    def __init__(self, console: Any = None) -> None:
        """Takes a console of rich; None is stdout. Raises ModuleNotFoundError without rich."""
        self._text = importlib.import_module("rich.text").Text
        live = importlib.import_module("rich.live")
        self._live = live.Live(console=console, refresh_per_second=4)
        self._pace = _Pace(0.0, REDRAW_S)

    def start(self) -> None:
        """Starts to draw."""
        self._live.start()

    def say(self, line: str) -> None:
        """Prints a line above the standings."""
        self._live.console.print(self._text(shown(line)))

    def beat(self, games: int, standings: Standings) -> None:
        """Redraws the standings when they are due."""
        if self._pace.is_due(games):
            began = time.monotonic()
            lines = (f"after {games} games", *rating_lines(standings()))
            text = self._text("\n".join(shown(line) for line in lines), no_wrap=True)
            self._live.update(text, refresh=True)
            self._pace.slow_down(time.monotonic() - began)

    def stop(self) -> None:
        """Removes the standings. The final tables follow."""
        self._live.update(self._text(""))
        self._live.stop()
