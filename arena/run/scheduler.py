"""Executors for jobs: worker processes of this machine, or the workers of a Dask cluster.

Both are executors of `concurrent.futures`. No game is played in the manager's own process: threads
of one interpreter would delay each other's clocks, and a worker can be killed.
"""

import contextlib
import importlib
import logging
import multiprocessing
import os
import queue
import re
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any

__all__ = [
    "ClusterExecutor",
    "LocalExecutor",
    "SchedulerError",
    "SchedulerLostError",
    "WorkerLostError",
    "open_executor",
]

ABORT_GRACE_S = 6.0
CONNECT_S = 15.0
_ADDRESS = re.compile(r"(?:tcp|tls)://[\w.:\[\]-]{1,255}:\d{1,5}")


class SchedulerError(RuntimeError):
    """There is no cluster to play on; the text says why."""


class SchedulerLostError(SchedulerError):
    """The connection to the cluster was lost."""


class WorkerLostError(RuntimeError):
    """A worker died during a job, whose result is lost."""


@contextlib.contextmanager
def open_executor(concurrency: int | None, scheduler: str | None = None) -> Iterator[Any]:
    """Yields an executor and the number of games to play at once.

    Without the address of a Dask scheduler the executor uses processes of this machine, one by
    default. With an address it uses the cluster's workers, by default all their threads. Running
    games are dropped at the end. Raises SchedulerError.
    """
    if scheduler is None:
        count = concurrency or 1
        executor = LocalExecutor(count)
        try:
            yield executor, count
        finally:
            executor.abort()
        return
    with _quiet_logs():
        client = _connect(scheduler)
        try:
            count = concurrency or sum(client.nthreads().values())
            if count < 1:
                raise SchedulerError(f"{scheduler}: the cluster has no workers")
            yield ClusterExecutor(scheduler, client), count
        finally:
            with contextlib.suppress(Exception):
                client.close(timeout=2)


@contextlib.contextmanager
def _quiet_logs() -> Iterator[None]:
    """Keeps tracebacks of libraries off the terminal. The arena reports the errors itself."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _connect(address: str) -> Any:
    """Returns a client of the Dask scheduler at the address."""
    if _ADDRESS.fullmatch(address) is None or int(address.rpartition(":")[2]) > 65535:
        raise SchedulerError(
            f"{address}: expected the address of a scheduler, e.g. tcp://HOST:8786"
        )
    try:
        distributed = importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise SchedulerError(
            "a cluster needs dask.distributed: pip install 'tengen-arena[dask]'"
        ) from None
    try:
        return distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise SchedulerError(f"{address}: no Dask scheduler answers there ({error})") from None


class ClusterExecutor(Executor):
    """Submits jobs to a cluster by Dask's executor, and notices a lost cluster."""

    def __init__(self, address: str, client: Any) -> None:
        """Takes the scheduler's address and a client of it."""
        self._address = address
        self._client = client
        # A game is not a pure function of its job: the same job may give another game.
        self._executor = client.get_executor(pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Submits a job to the cluster; raises SchedulerLostError."""
        self.check()
        future: Future[Any] = self._executor.submit(fn, *args, **kwargs)
        return future

    def check(self) -> None:
        """Raises SchedulerLostError if the connection to the scheduler was lost.

        Dask reconnects, but older futures may never finish.
        """
        if self._client.status != "running":
            raise SchedulerLostError(f"{self._address}: lost the connection to the scheduler")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Drops running jobs. The owner of the client closes it."""
        self._executor.shutdown(wait=wait)


class LocalExecutor(Executor):
    """Plays in worker processes of this machine. A worker that dies loses only its own job.

    The future of that job raises WorkerLostError. The workers end with this process in any case.
    """

    def __init__(self, workers: int) -> None:
        """Takes the number of workers. Each starts when it is first needed."""
        # One thread for each worker waits for it. The thread blocks SIGINT, so that the worker
        # inherits the block: Ctrl-C reaches the whole group, and only the manager handles it.
        self._threads = ThreadPoolExecutor(workers, "worker", _block_interrupts)
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._workers = [_Worker() for _ in range(workers)]
        for worker in self._workers:
            self._idle.put(worker)
        self._aborted = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Submits a job to the next free worker."""
        return self._threads.submit(self._run, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the workers after all jobs."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        for worker in self._workers:
            worker.close(wait=wait)

    def abort(self) -> None:
        """Ends the workers now. They first end the brains of their games."""
        self._aborted = True
        for worker in self._workers:
            worker.terminate()
        self._threads.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + ABORT_GRACE_S
        for worker in self._workers:
            worker.wait_for_end(until)

    def _run(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if self._aborted:
            raise CancelledError
        worker = self._idle.get()
        try:
            return worker.run(fn, *args, **kwargs)
        finally:
            self._idle.put(worker)


class _Worker:
    """Holds one worker process, and replaces it when it dies. One thread at a time may use it.

    The two processes share a pipe. The pools of the standard library hold semaphores. A killed
    manager would leave these behind, with a warning on the terminal.
    """

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._process: SpawnProcess | None = None
        self._ended = False
        self._lock = threading.Lock()

    def run(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Does one job; raises WorkerLostError if the process dies."""
        connection = self._started()
        job = ForkingPickler.dumps((fn, args, kwargs))
        try:
            connection.send_bytes(job)
            is_done, result = connection.recv()
        except (EOFError, OSError):
            with self._lock:
                self._connection = self._process = None
            connection.close()
            raise WorkerLostError("a worker process died") from None
        if is_done:
            return result
        raise result

    def close(self, *, wait: bool) -> None:
        """Ends the idle process."""
        with self._lock:
            self._ended = True
            if self._connection is not None:
                self._connection.close()
            process = self._process
        if wait and process is not None:
            process.join()

    def terminate(self) -> None:
        """Asks the process to drop its job and exit."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.terminate()

    def wait_for_end(self, until: float) -> None:
        """Waits for the process to exit, and kills it after the wait.

        No brain survives the kill: the process's own reaper ends them.
        """
        process = self._process
        if process is None:
            return
        process.join(max(0.1, until - time.monotonic()))
        if process.exitcode is None:
            process.kill()

    def _started(self) -> Connection:
        with self._lock:
            if self._ended:
                raise CancelledError
            if self._connection is None:
                context = multiprocessing.get_context("spawn")
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs,), daemon=True)
                process.start()
                theirs.close()
                self._connection, self._process = ours, process
            return self._connection


def _serve(connection: Connection) -> None:
    """Does the jobs of the manager one after the other, until the pipe closes."""
    _begin_worker()
    with contextlib.suppress(EOFError, OSError):
        while True:
            fn, args, kwargs = connection.recv()
            try:
                answer = (True, fn(*args, **kwargs))
            except Exception as error:
                error.add_note("in a worker process:\n" + traceback.format_exc())
                answer = (False, error)
            try:
                data = ForkingPickler.dumps(answer)
            except Exception as error:  # report a result that cannot be sent
                data = ForkingPickler.dumps((False, RuntimeError(f"{answer[1]!r}: {error}")))
            connection.send_bytes(data)


def _block_interrupts() -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _begin_worker() -> None:
    """Makes a worker ignore Ctrl-C and end with the manager."""
    # A handler instead of SIG_IGN, which the brains would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _give_up)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _give_up(*_: object) -> None:
    """Unwinds the running game, which ends its brains. A second signal does nothing."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(128 + signal.SIGTERM)


def _end_with_parent() -> None:
    """Waits for the manager to die, then ends this worker and its brains."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    wait([parent.sentinel])
    from ..engines.process import end_all_brains

    with contextlib.suppress(Exception):
        end_all_brains()
    os._exit(1)
