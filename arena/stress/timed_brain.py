"""A brain of which it is known, for each move that comes late, how long it waited for a core."""

import os
from dataclasses import dataclass

import psutil

from ..engines.brain import Brain
from ..engines.player import MoveRequest, Reply, StartRequest
from ..engines.process import LATE_WAIT_S
from ..util.faults import BrainFault, Fault
from .cpu_wait import stolen_ms, waited_ms

__all__ = ["LateMove", "Watched"]


@dataclass(frozen=True)
class LateMove:
    """Tells of a move that came after its limit: by how much, and how long a core was waited for.

    The waits are those of the brain's processes and of the manager's own, which has to read the
    answer before its clock stands, and what the host of the machine took from all. The tolerance
    does not count: it is the limit that the brain was told that was missed.
    """

    over_ms: float
    waited_ms: float
    after: str = ""
    """What had been sent before it was asked for."""

    @property
    def is_excused(self) -> bool:
        """Says whether it would have been in time on a machine with a core to spare."""
        return self.waited_ms >= self.over_ms


class Watched(Brain):
    """Plays as Brain does and notes each late move, tolerated or not."""

    tolerance_ms = 0.0
    """What is tolerated in the game that is played."""
    sent = ""
    """What was sent last, for the notes."""
    _pids: tuple[int, ...] = ()
    _late: tuple[LateMove, ...] = ()

    @property
    def late(self) -> tuple[LateMove, ...]:
        """Returns the late moves so far."""
        return self._late

    def watch(self, tolerance_ms: float) -> None:
        """Begins anew, for a game with such a tolerance."""
        self.tolerance_ms = tolerance_ms
        self._late = ()

    def open(self, request: StartRequest) -> float:
        """Opens the game; an OK that comes too late is noted."""
        before = self._lost_ms()
        try:
            return super().open(request)
        except BrainFault as fault:
            self._note_fault(fault, before, 0.0)
            raise

    def move(self, request: MoveRequest) -> Reply:
        """Returns the move; one that is late is noted, also where that is a fault.

        Where a manager starts the brain on its first move's clock, no short turn can hold that:
        there only the tolerance can be missed.
        """
        starts, before = self._process is None, self._lost_ms()
        tolerance_ms = 0.0 if starts else self.tolerance_ms
        try:
            reply = super().move(request)
        except BrainFault as fault:
            self._note_fault(fault, before, tolerance_ms)
            raise
        # What was missed before, on the clock of the game, is not missed again.
        self._note_late(reply.ms - max(0.0, request.limit_ms - tolerance_ms), before)
        return reply

    def tree_pids(self) -> tuple[int, ...]:
        """Returns the numbers of the brain's processes, none before it was started."""
        if self.pid is None:
            return ()
        try:
            root = psutil.Process(self.pid)
            return (root.pid, *(child.pid for child in root.children(recursive=True)))
        except psutil.NoSuchProcess:
            return ()

    def _start(self) -> None:
        starts = self._process is None
        super()._start()
        if starts:
            self._pids = ()

    def _lost_ms(self) -> float:
        """Returns what brain and manager have waited, and what was taken from all, up to now.

        A brain that has not started yet has lost nothing; one that has only just started may still
        be without its second process.
        """
        if len(self._pids) < 2:
            self._pids = self.tree_pids()
        return waited_ms([*self._pids, os.getpid()]) + stolen_ms()

    def _note_late(self, over_ms: float, before: float) -> None:
        if over_ms > 0:
            self._late += (LateMove(over_ms, self._lost_ms() - before, self.sent),)

    def _note_fault(self, fault: BrainFault, before: float, tolerance_ms: float) -> None:
        if fault.kind is Fault.TIME:
            over = LATE_WAIT_S * 1000 if fault.over_ms is None else fault.over_ms
            self._note_late(over + tolerance_ms, before)
