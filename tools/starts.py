"""Starts a brain and ends it, many times, in every possible way:

    python -m tools.starts EXE [--times 1000]

It counts processes and files that stay behind. Every start has its own temporary folder.
"""

import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

GONE_S = 60.0
"""The time to exit on a busy machine; the brain's own limit is 0.3 s."""


class StayedError(AssertionError):
    """A process or a file stayed behind, or the brain exited in a wrong way."""


@dataclass(frozen=True)
class Start:
    """Holds the seconds until OK, and from the request to end until the process was gone."""

    ready: float
    leaving: float


def _end(process: "subprocess.Popen[bytes]") -> None:
    _say(process, b"END\n")


def _close(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    process.stdin.close()


def _end_thinking(process: "subprocess.Popen[bytes]") -> None:
    _say(process, b"INFO timeout_turn 60000\nBEGIN\nEND\n")


def _close_thinking(process: "subprocess.Popen[bytes]") -> None:
    _say(process, b"INFO timeout_turn 60000\nBEGIN\n")
    _close(process)


def _close_in_a_block(process: "subprocess.Popen[bytes]") -> None:
    _say(process, b"BOARD\n7,7,1\n8,")
    _close(process)


def _terminate(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()


def _interrupt(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGINT)


# The action, and whether the brain exits by itself with status 0.
WAYS: dict[str, tuple[Callable[["subprocess.Popen[bytes]"], None], bool]] = {
    "END": (_end, True),
    "END while it thinks": (_end_thinking, True),
    "the end of its input": (_close, True),
    "the end of its input while it thinks": (_close_thinking, True),
    "the end of its input in a BOARD": (_close_in_a_block, True),
    "SIGTERM": (_terminate, False),
    "SIGINT": (_interrupt, False),
}


def start_and_end(command: Sequence[str], way: str) -> Start:
    """Starts a brain, waits for OK, and ends it. Raises StayedError."""
    leave, in_order = WAYS[way]
    with tempfile.TemporaryDirectory(prefix="start-") as folder:
        began = time.monotonic()
        with _brain(command, folder) as process:
            _say(process, b"START 15\n")
            assert process.stdout is not None
            if process.stdout.readline() != b"OK\n":
                raise StayedError("START was not answered with OK")
            ready = time.monotonic() - began
            began = time.monotonic()
            leave(process)
            try:
                status = process.wait(GONE_S)
            except subprocess.TimeoutExpired:
                raise StayedError(f"{way}: still there after {GONE_S:.0f} s") from None
            leaving = time.monotonic() - began
        if in_order != (status == 0):
            raise StayedError(f"{way}: ended with status {status}")
        if left := sorted(path.name for path in Path(folder).iterdir()):
            raise StayedError(f"{way}: left {', '.join(left)}")
        if orphans := _orphans(folder):
            raise StayedError(f"{way}: left the processes {orphans}")
    return Start(ready, leaving)


@contextlib.contextmanager
def _brain(command: Sequence[str], folder: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": folder},
        bufsize=0,
    )
    try:
        yield process
    finally:
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GONE_S)
        process.kill()
        process.wait()


def _say(process: "subprocess.Popen[bytes]", text: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(text)


def _orphans(folder: str) -> list[int]:
    """Returns the living processes with this temporary folder."""
    mark, found = f"TMPDIR={folder}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def main() -> int:
    """Repeats all ways; returns 1 if something stays behind."""
    parser = argparse.ArgumentParser(description="Starts and ends an engine many times.")
    parser.add_argument("brain", metavar="EXE", help="the engine's executable")
    parser.add_argument("--times", type=int, default=1000, help="number of starts (default: 1000)")
    args = parser.parse_args()
    starts: list[Start] = []
    ways = list(WAYS)
    for number in range(args.times):
        try:
            starts.append(start_and_end([args.brain], ways[number % len(ways)]))
        except StayedError as error:
            print(f"start {number + 1}: {error}")
            return 1
    ready = [start.ready * 1000 for start in starts]
    leaving = [start.leaving * 1000 for start in starts]
    print(
        f"{len(starts)} starts and ends: no process and no file left; "
        f"ready after {statistics.median(ready):.0f} ms ({min(ready):.0f} to {max(ready):.0f}), "
        f"gone after {statistics.median(leaving):.0f} ms ({max(leaving):.0f} at most)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
