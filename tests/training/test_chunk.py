"""Chunks of games: the programs that play them, and how they are stopped."""

import threading
from pathlib import Path

import pytest

from tests.support.commands import write_program
from training.chunk import Chunk, ChunkError, Player

CHUNK = Chunk(0, 9, 60, 1, 10, "", (100, 0, 0))


def test_a_program_is_stopped_before_it_handles_signals(tmp_path: Path) -> None:
    """It loads the networks first."""
    write_program(tmp_path / "player", f"#!/bin/sh\n: >{tmp_path}/begun\nexec sleep 60\n")
    player = Player(tmp_path / "player")

    def stop() -> None:
        while not (tmp_path / "begun").exists():
            continue
        player.stop()

    stopper = threading.Thread(target=stop)
    stopper.start()
    assert player.play(CHUNK, tmp_path / "1.tg") is False
    stopper.join()


def test_a_program_that_a_signal_ends_is_a_failure(tmp_path: Path) -> None:
    write_program(tmp_path / "player", "#!/bin/sh\nkill $$\n")
    with pytest.raises(ChunkError, match="selfplay ended with -15"):
        Player(tmp_path / "player").play(CHUNK, tmp_path / "1.tg")
