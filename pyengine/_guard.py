"""Guards the calls of the core: one call at a time, a stop from any thread, and one close."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from pyengine import _calls
from pyengine._handle import Handle
from pyengine.errors import BusyError, ClosedError

_Value = TypeVar("_Value")


class Guard:
    """The handle of one engine with its locks.

    A call holds `turn` while it uses the core. Calls from any thread, such as a stop, hold only
    `_life`, for the moments in which the handle must not be freed. Both locks are reentrant,
    because a signal handler may call the engine that it has interrupted.
    """

    def __init__(self, handle: Handle) -> None:
        self.turn = threading.RLock()
        self._life = threading.RLock()
        self._job: _calls.Job[Any] | None = None  # the long call of the thread that holds the turn
        self._closed = False
        self._reason = "the engine is closed"
        self._handle: Handle | None = handle
        _calls.prepare_for_forks(self, Guard._after_fork)

    @property
    def closed(self) -> bool:
        """Whether `close` was called, or a fork has ended a busy engine."""
        return self._closed

    @property
    def freed(self) -> bool:
        """Whether the handle is gone."""
        return self._handle is None

    def call(self, work: Callable[[Handle], _Value]) -> _Value:
        """Waits for the turn and runs a short call. Raises ClosedError, BusyError."""
        with self.turn:
            return work(self.mine())

    def call_at_once(self, work: Callable[[Handle], _Value]) -> _Value:
        """Runs a call that may come at any time, from any thread. Raises ClosedError."""
        with self._life:
            return work(self.open())

    def call_long(self, handle: Handle, work: Callable[[Handle], _Value]) -> _Value:
        """Runs a call that may take long, and that Ctrl-C ends; the caller holds the turn."""
        if not _calls.may_be_interrupted():
            return work(handle)
        try:
            self._job = job = _calls.Job(lambda: work(handle))
            return job.run(handle.stop)
        finally:
            self._job = None
            if self._closed:  # by a signal handler, or by a thread that waits for the turn
                self._free()

    def mine(self) -> Handle:
        """The handle, for the thread that holds the turn. Raises ClosedError, BusyError."""
        if self._is_busy():
            raise BusyError("the engine is searching: a signal handler may only stop or close it")
        return self.open()

    def open(self) -> Handle:
        """The handle. Raises ClosedError once `close` was called."""
        handle = self._handle
        if self._closed or handle is None:
            raise ClosedError(self._reason)
        return handle

    def close(self) -> None:
        """Stops a search, waits for it and frees the handle; harmless when done twice."""
        self._closed = True
        with self._life:
            if self._handle is not None:
                self._handle.stop()
        with self.turn:
            self._free()

    def _free(self) -> None:
        """Frees the handle, unless a search uses it; the caller holds the turn."""
        if self._is_busy():
            return
        with self._life:
            handle, self._handle = self._handle, None
            if handle is not None:
                handle.free()

    def _is_busy(self) -> bool:
        """Whether the thread that holds the turn waits for the core: the caller interrupts it."""
        return self._job is not None and self._job.running

    def _after_fork(self) -> None:
        """Called in a forked child: an idle engine stays usable there, a busy one is closed.

        The thread that made it busy is not there to end its call or to release its locks.
        """
        idle = not self._is_busy() and self.turn.acquire(blocking=False)
        if idle:
            self.turn.release()
            idle = self._life.acquire(blocking=False)
        if idle:
            self._life.release()
            return
        self._closed, self._reason = True, _calls.FORKED
        self.turn, self._life = threading.RLock(), threading.RLock()
        self._handle = None
