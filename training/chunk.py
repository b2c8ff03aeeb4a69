"""A chunk of games: the arguments of `selfplay`, here or on a worker of a cluster."""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from training.niceness import share_less
from training.textfile import naming

__all__ = ["Chunk", "ChunkError", "Player", "play_remotely"]


class ChunkError(Exception):
    """A chunk could not be made; the text is the output of the program."""


@dataclass(frozen=True)
class Chunk:
    """Some games of one kind, the first with the seed `seed`, and the text of the openings."""

    rule: int
    size: int
    nodes: int
    seed: int
    games: int
    engine: str
    mix: tuple[int, int, int]
    openings: str = ""
    play_out: bool = False  # no game is adjudicated

    @property
    def name(self) -> str:
        """Returns the name of its file."""
        engine = self.engine or "unknown"
        return f"{self.rule}-{self.size}-{self.nodes}-{engine}-{self.seed}.tg"

    def command(self, player: Path, target: Path, openings: Path, until: float | None) -> list[str]:
        """Returns the command that makes it; `until` is a time of time.time()."""
        numbers = (self.rule, self.size, self.nodes, self.games, self.seed)
        command = [str(player), *map(str, numbers), str(target), "--tied"]
        command += ["--mix", ",".join(map(str, self.mix))]
        if self.play_out:
            command += ["--play-out"]
        if self.engine:
            command += ["--engine", self.engine]
        if self.openings:
            command += ["--openings", str(openings)]
        if until is not None:
            command += ["--seconds", str(max(0, round(until - time.time())))]
        return command


class Player:
    """Runs `selfplay`; `stop` ends the running programs, which keep their finished games."""

    def __init__(self, player: Path) -> None:
        """Takes the path of the program."""
        self._player = player
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def play(self, chunk: Chunk, target: Path, until: float | None = None) -> bool:
        """Makes the file of a chunk; returns False if it was stopped before its first game.

        Raises ChunkError and OSError.
        """
        openings = target.with_name(f"{target.name}.openings")
        try:
            if chunk.openings:
                with naming(openings):
                    openings.write_text(chunk.openings)
            return self._run(chunk.command(self._player, target, openings, until), target)
        finally:
            openings.unlink(missing_ok=True)

    def _run(self, command: list[str], target: Path) -> bool:
        with self._lock:
            if self._stopped:
                return False
            # Ctrl-C reaches the whole group, but only `stop` may end the games.
            running = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            self._running.add(running)
        share_less(running.pid)
        try:
            assert running.stderr and running.stdin
            said = running.stderr.read()
            status = running.wait()
            running.stdin.close()
        finally:
            with self._lock:
                self._running.discard(running)
        if self._stopped and status == -signal.SIGTERM:
            return False  # it had not begun to handle the signal
        if status != 0:
            raise ChunkError(said.strip() or f"selfplay ended with {status}")
        return target.exists()

    def stop(self) -> None:
        """Ends the running programs; no other chunk starts."""
        with self._lock:
            self._stopped = True
            for running in self._running:
                with contextlib.suppress(OSError):
                    running.send_signal(signal.SIGTERM)


def play_remotely(player: str, chunk: Chunk, until: float | None, niceness: int) -> bytes:
    """Makes a chunk on the current machine; returns the file, b"" without games.

    The program must have the same path as on the driver's machine. Raises ChunkError.
    """
    if not Path(player).is_file():
        raise ChunkError(f"{player}: the worker has no such program; build it there")
    if hasattr(os, "getpriority") and os.getpriority(os.PRIO_PROCESS, 0) < niceness:
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
    with tempfile.TemporaryDirectory(prefix="tengen-games-") as folder:
        target = Path(folder) / chunk.name
        return target.read_bytes() if Player(Path(player)).play(chunk, target, until) else b""
