"""An engine wrapper that sends disturbing commands between moves.

A manager or a person may send such commands. One process may play many games. The engine must
play on correctly after each command.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import psutil

from ..engines.brain import Command
from ..engines.lines import Answer
from ..engines.managers import ManagerProfile
from ..engines.player import MoveRequest, Reply, StartRequest
from .timed_brain import TimedBrain

__all__ = ["DisturbedBrain"]

ASIDE_MS = 5000
"""The limit for the answer to a command that asks for no move."""
CALM_SHARE = 0.5
"""The share of moves without a disturbance before them."""
_OK = re.compile("OK")
_ERROR = re.compile(r"ERROR .+")
_ABOUT = re.compile(r'name=".+')
_FORBID = re.compile(r"FORBID (\d{4})*\.")
_NOISE = (
    "INFO evaluate 3,4",
    "INFO game_type 1",
    "INFO folder /there is/no such folder",
    "INFO folder C:\\Program Files\\none",
    "INFO nonsense of any kind",
    "INFO max_node -1",
    "INFO time_increment 0",
    "INFO pondering 0",
    "INFO",
    "",
    "YXHASHCLEAR",
    "YXBLOCKRESET",
)
_WRONG = ("TURN 99,99", "TURN x", "PLAY -1,0", "TAKEBACK 99,0", "START 99", "START", "YXNBEST x")


class DisturbedBrain(TimedBrain):
    """Plays as Brain does, sends disturbing commands between moves, and records late moves.

    With `keep`, one process plays all games. Then `close` leaves it running and `end` ends it.
    """

    def __init__(self, command: Command, *, manager: ManagerProfile, keep: bool) -> None:
        """Takes the command to start; raises CommandError if it cannot be started."""
        super().__init__(command, manager=manager)
        self._keep = keep
        self._chance = random.Random()
        self._settings: list[str] = []
        self._size = 0
        self._own: tuple[int, int] | None = None
        self._behind: tuple[str, ...] = ()
        self.disturbances = 0

    def prepare(
        self, chance: random.Random, info: Sequence[tuple[str, str]], tolerance_ms: float
    ) -> None:
        """Prepares the next game: sets the random generator and the INFO lines."""
        self.watch(tolerance_ms)
        self._chance, self._info = chance, tuple(info)
        self._own = None
        self.disturbances = 0

    def open(self, request: StartRequest) -> float:
        """Opens the game as a manager does; may send RESTART first to a process that has played."""
        again = (
            self._process is not None and self._size == request.size and self._chance.random() < 0.5
        )
        self._size = request.size
        self._settings = [
            line for line in self._info_lines(request) if not line.startswith("INFO folder")
        ]
        if again:
            self._aside("RESTART", _OK)
        return super().open(request)

    def move(self, request: MoveRequest) -> Reply:
        """Returns the move; may disturb the engine before it asks for the move."""
        self.sent = "nothing"
        if self._process is not None and self._chance.random() >= CALM_SHARE:
            self.disturbances += 1
            way = self._chance.choice(self._ways())
            self.sent, request = way.__name__.strip("_"), way(request)
        reply = super().move(request)
        self._own, self._behind = reply.move, ()
        return reply

    def close(self) -> tuple[str, ...]:
        """Ends the process unless it is kept; returns notes on faults at the end."""
        return () if self._keep else self.end()

    def end(self) -> tuple[str, ...]:
        """Ends the process; returns notes on faults at the end."""
        return super().close()

    def resident_bytes(self) -> int:
        """Returns the resident bytes of the processes after the hash table is cleared."""
        self._running.send("YXHASHCLEAR")
        self._aside("ABOUT", _ABOUT)
        return sum(int(psutil.Process(pid).memory_info().rss) for pid in self.tree_pids())

    def _ask(
        self, lines: Sequence[str], request: MoveRequest, since: float | None = None
    ) -> Answer:
        return super()._ask([*lines, *self._behind], request, since)

    def _aside(self, line: str, form: re.Pattern[str]) -> None:
        self._running.ask(line, form=form, limit_ms=ASIDE_MS)

    # The disturbances

    def _ways(self) -> list[Callable[[MoveRequest], MoveRequest]]:
        """Returns the disturbances; each returns the request to send after it."""
        return [
            self._noise, self._stop, self._stop_behind, self._question, self._mistake,
            self._restart, self._restart, self._take_back, self._take_back,
        ]  # fmt: skip

    def _noise(self, request: MoveRequest) -> MoveRequest:
        self._running.send(*self._chance.sample(_NOISE, 3))
        return request

    def _stop(self, request: MoveRequest) -> MoveRequest:
        self._running.send(self._chance.choice(("STOP", "YXSTOP")))
        return request

    def _stop_behind(self, request: MoveRequest) -> MoveRequest:
        """Sends STOP directly after the request for the move."""
        self._behind = ("STOP",)
        return request

    def _question(self, request: MoveRequest) -> MoveRequest:
        self._aside(*self._chance.choice((("ABOUT", _ABOUT), ("YXSHOWFORBID", _FORBID))))
        return request

    def _mistake(self, request: MoveRequest) -> MoveRequest:
        self._aside(self._chance.choice(_WRONG), _ERROR)
        return request

    def _restart(self, request: MoveRequest) -> MoveRequest:
        """Restarts the game, sometimes after a START on another size; a BOARD restores it."""
        lines = [["RESTART"], [f"START {self._size}"], ["START 9", f"START {self._size}"]]
        for line in self._chance.choice(lines):
            self._aside(line, _OK)
        self._running.send(*self._settings)
        return replace(request, last=None)

    def _take_back(self, request: MoveRequest) -> MoveRequest:
        """Takes back the engine's last move; a BOARD restores it.

        Does nothing with fewer than two stones on the board. With one stone a manager would send
        TURN on a square that the engine still holds as occupied.
        """
        if self._own is None or request.last is None or len(request.stones) < 2:
            return request
        self._aside(f"TAKEBACK {self._own[0]},{self._own[1]}", _OK)
        return replace(request, last=None)
