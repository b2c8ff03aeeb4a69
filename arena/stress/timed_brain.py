"""An engine wrapper that records how long the process waited for a CPU before each late move."""

import os
from dataclasses import dataclass

import psutil

from ..engines.brain import Brain
from ..engines.player import MoveRequest, Reply, StartRequest
from ..engines.process import LATE_WAIT_S
from ..util.faults import BrainFault, Fault
from .cpu_wait import stolen_ms, waited_ms

__all__ = ["LateMove", "TimedBrain"]


@dataclass(frozen=True)
class LateMove:
    """Holds by how much a move missed its limit, and how long processes waited for a CPU.

    The wait is a sum of three parts: the waits of the engine's processes, the waits of the
    manager, and the time that the host took from the machine. The manager counts because its
    clock stops only after it reads the answer. `over_ms` starts at the limit that the engine was
    given, without the tolerance.
    """

    over_ms: float
    waited_ms: float
    after: str = ""
    """The disturbance sent before the request for the move."""

    @property
    def is_excused(self) -> bool:
        """Returns whether the wait for a CPU is at least as long as the delay."""
        return self.waited_ms >= self.over_ms


class TimedBrain(Brain):
    """Plays as Brain does and records each late move, even within the tolerance."""

    tolerance_ms = 0.0
    """The tolerance of the current game."""
    sent = ""
    """The last disturbance, for the notes."""
    _pids: tuple[int, ...] = ()
    _late: tuple[LateMove, ...] = ()

    @property
    def late(self) -> tuple[LateMove, ...]:
        """Returns the late moves so far."""
        return self._late

    def watch(self, tolerance_ms: float) -> None:
        """Clears the late moves and sets the tolerance of the next game."""
        self.tolerance_ms = tolerance_ms
        self._late = ()

    def open(self, request: StartRequest) -> float:
        """Opens the game and records an OK that comes too late."""
        before = self._lost_ms()
        try:
            return super().open(request)
        except BrainFault as fault:
            self._note_fault(fault, before, 0.0)
            raise

    def move(self, request: MoveRequest) -> Reply:
        """Returns the move; records a late one, even if it raises BrainFault.

        Some managers start the engine on the clock of its first move. A short turn limit cannot
        cover the start, so that move is late only if it also exceeds the tolerance.
        """
        starts, before = self._process is None, self._lost_ms()
        tolerance_ms = 0.0 if starts else self.tolerance_ms
        try:
            reply = super().move(request)
        except BrainFault as fault:
            self._note_fault(fault, before, tolerance_ms)
            raise
        # Time already lost on the game clock does not count again.
        self._note_late(reply.ms - max(0.0, request.limit_ms - tolerance_ms), before)
        return reply

    def tree_pids(self) -> tuple[int, ...]:
        """Returns the process ids of the engine; empty before the start."""
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
        """Returns the ms that engine and manager waited so far, plus the time the host took.

        An engine that has not started has no waits. An engine that has just started may still
        lack its second process, so the ids are read again until there are two.
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
