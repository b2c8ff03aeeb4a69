"""Long calls of the core: Ctrl-C ends them, and a fork does not leave a child waiting for them.

Python runs signal handlers on the main thread, and not before a call of the core has returned. So
a long call from there runs on a thread of its own while the main thread waits, which a handler that
raises can end.
"""

import _thread
import os
import signal
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from pyengine._latch import Latch
from pyengine.errors import ClosedError, EngineError

_Value = TypeVar("_Value")

_POLL_SECONDS: Final = 0.1  # where a signal does not end a wait (Windows)
FORKED: Final = "the process was forked while the engine was busy"


def may_be_interrupted() -> bool:
    """Whether a handler could raise here: of Python, and on its main thread."""
    return threading.get_ident() == threading.main_thread().ident and callable(
        signal.getsignal(signal.SIGINT)
    )


def run(call: Callable[[], _Value]) -> _Value:
    """Runs a call that nothing can stop; an exception of a signal handler leaves it to itself."""
    return Job(call).run(None) if may_be_interrupted() else call()


class Job(Generic[_Value]):
    """A long call on a thread of its own, while its owner waits. For one run.

    An exception may come between any two steps of the owner's. So the thread waits for the word to
    go: an owner that has given it has a thread to wait for, and no other one has.
    """

    def __init__(self, call: Callable[[], _Value]) -> None:
        self._call = call
        self._go = Latch()
        self._done = Latch()
        self._abandoned = False
        self._values: list[_Value] = []
        self._error: BaseException | None = None
        self._process = os.getpid()

    @property
    def running(self) -> bool:
        """Whether the call has begun and not ended."""
        return self._go.is_set() and not self._done.is_set()

    def run(self, stop: Callable[[], None] | None) -> _Value:
        """Runs the call; an exception of a signal handler ends it, and is raised after it.

        stop: makes the call return soon; None = the call is left to itself.
        """
        try:
            if not self._start():
                return self._call()  # the system gives no thread
            self._wait()
        except BaseException:
            self._abandon(stop)
            raise
        return self._value()

    def _start(self) -> bool:
        """Starts the call; False without a thread."""
        try:
            _thread.start_new_thread(self._work, ())
        except RuntimeError:
            return False
        self._go.set()
        return True

    def _wait(self) -> None:
        """Waits for the end of the call. Raises ClosedError in a process forked during the call."""
        while not self._done.wait(_POLL_SECONDS):
            if self._process != os.getpid():
                raise ClosedError(FORKED)

    def _abandon(self, stop: Callable[[], None] | None) -> None:
        """Ends the call, even if an exception is raised. A call must not keep running."""
        while True:
            try:
                self._abandoned |= not self._go.is_set()
                self._go.set()  # which may have been cut short
                if self._abandoned:
                    return
                if stop is not None and self._process == os.getpid():
                    stop()
                    self._wait()
                return
            except EngineError:
                return  # nothing is left to be stopped
            except BaseException:  # another Ctrl-C: the first one is on its way
                continue

    def _value(self) -> _Value:
        """Returns the result of the call, or raises its exception."""
        error, self._error = self._error, None  # no circle through the trace keeps the engine
        if error is None:
            return self._values[0]
        try:
            raise error
        finally:
            del error

    def _work(self) -> None:
        self._go.wait()
        try:
            if not self._abandoned:
                self._values.append(self._call())
        except BaseException as error:  # for the owner to raise
            self._error = error
        finally:
            self._done.set()


_forkable: "weakref.WeakKeyDictionary[Any, Callable[[Any], None]]" = weakref.WeakKeyDictionary()


def prepare_for_forks(one: _Value, action: Callable[[_Value], None]) -> None:
    """Has an action done with an object in every child that is forked while the object lives.

    It has to renew the locks: a thread that holds one of them is not there to let go of it.
    """
    _forkable[one] = action


def _after_fork() -> None:
    for one, action in list(_forkable.items()):
        action(one)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
