"""`match --resume`: what is gone on with, and what is not."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import pytest

from arena.cli import match
from arena.game.files import load_games
from arena.run.store import GameStore, read_store
from tests.support.matches import PATIENCE_S, QUICK, named, run

pytestmark = pytest.mark.usefixtures("in_tmp_path", "nothing_is_left")


def test_a_match_is_resumed_and_made_longer(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = (named("A"), named("B"))
    assert run(match, *engines, "--games", "3", *QUICK) == 0
    folder = tmp_path / "arena-games" / "A-B-001"
    store = folder / "games.jsonl"
    first = store.read_text()
    store.write_text(first[:-30])
    (folder / "psq" / "00000a.psq").unlink()
    capsys.readouterr()
    assert run(match, *engines, "--games", "5", "--resume", *QUICK) == 0
    assert store.read_text().startswith("\n".join(first.splitlines()[:2]))
    assert len(read_store(store)) == 5
    assert (folder / "psq" / "00000a.psq").exists()
    assert "5/5 games" in capsys.readouterr().out
    # All games exist: none is played, and the report is the same.
    before = store.read_bytes()
    assert run(match, *engines, "--games", "5", "--resume", "--out", str(folder), *QUICK) == 0
    assert store.read_bytes() == before
    # A new run, in its own folder.
    assert run(match, *engines, "--games", "1", *QUICK) == 0
    assert (tmp_path / "arena-games" / "A-B-002" / "games.jsonl").exists()


def test_other_games_are_not_gone_on_with(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engines, out = (named("A"), named("B")), ("--out", str(tmp_path / "out"))
    assert run(match, *engines, "--games", "1", *QUICK, *out) == 0
    capsys.readouterr()
    assert run(match, *engines, "--games", "2", *QUICK, *out) == 2
    assert "already has games; --resume continues them" in capsys.readouterr().err
    slower = ("--size", "6", "--turn", "6s", "--resume")
    assert run(match, *engines, "--games", "2", *slower, *out) == 2
    assert "turn_ms was 60000 and is now 6000" in capsys.readouterr().err
    assert run(match, named("A"), named("C"), "--resume") == 2
    assert "--resume: there are no games of A-C in arena-games/" in capsys.readouterr().err
    (tmp_path / "out" / "match.json").write_text("[1]")
    assert run(match, *engines, "--games", "2", "--resume", *QUICK, *out) == 2
    assert "match.json: expected the conditions of a match" in capsys.readouterr().err


def test_the_conditions_are_those_of_whoever_writes_there(
    tmp_path: Path, in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engines, out = (named("A"), named("B")), ("--out", str(tmp_path / "out"))
    assert run(match, *engines, "--games", "1", *QUICK, *out) == 0
    kept = (tmp_path / "out" / "match.json").read_text()
    (tmp_path / "out" / "games.jsonl").write_text("")  # as before its first game is over
    with GameStore(tmp_path / "out" / "games.jsonl"):
        assert run(match, *engines, "--games", "1", "--size", "9", *out) == 2
    assert "another run is writing" in capsys.readouterr().err
    assert (tmp_path / "out" / "match.json").read_text() == kept


def test_a_match_of_an_older_version_can_be_resumed(tmp_path: Path, in_here: None) -> None:
    """Older versions stored the manager's profile as `manners`."""
    engines, out = (named("A"), named("B")), ("--out", str(tmp_path / "out"))
    assert run(match, *engines, "--games", "1", *QUICK, *out) == 0
    file = tmp_path / "out" / "match.json"
    kept = json.loads(file.read_text())
    kept["manners"] = kept.pop("manager").replace("ManagerProfile(", "Manners(")
    assert kept["manners"].startswith("Manners(name='strict'")
    file.write_text(json.dumps(kept))
    assert run(match, *engines, "--games", "2", "--resume", *QUICK, *out) == 0
    assert len(read_store(tmp_path / "out" / "games.jsonl")) == 2
    kept["manners"] = kept["manners"].replace("strict", "gomocup")
    file.write_text(json.dumps(kept))
    assert run(match, *engines, "--games", "3", "--resume", *QUICK, *out) == 2


def test_a_run_that_played_nothing_hides_no_games(tmp_path: Path, in_here: None) -> None:
    engines = (named("A"), named("B"))
    assert run(match, *engines, "--games", "1", *QUICK) == 0
    later = tmp_path / "arena-games" / "A-B-002"
    later.mkdir()
    (later / "games.jsonl").touch()
    assert run(match, *engines, "--games", "2", "--resume", *QUICK) == 0
    assert len(read_store(tmp_path / "arena-games" / "A-B-001" / "games.jsonl")) == 2


def test_a_game_file_that_a_full_disk_cut_is_written_whole(
    tmp_path: Path, in_here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines, out = (named("A"), named("B")), ("--out", str(tmp_path / "out"))
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if ".sgf" in path.name:
            write(path, data[:10])
            raise OSError(ENOSPC, "No space left on device")
        return write(path, data)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        assert run(match, *engines, "--games", "1", *QUICK, *out) == 1
    assert run(match, *engines, "--games", "1", "--resume", *QUICK, *out) == 0
    assert [path.name for path in (tmp_path / "out" / "sgf").iterdir()] == ["00000a.sgf"]
    assert load_games(tmp_path / "out" / "sgf" / "00000a.sgf")[0].winner is not None


RUN = """
import argparse
from arena.cli import match
from arena.engines.arguments import run_main

def main():
    parser = argparse.ArgumentParser()
    match.add_arguments(parser)
    return match.run(parser.parse_args())

if __name__ == "__main__":
    run_main(main)
"""


def read_until(terminal: int, is_enough: Callable[[bytes], bool], text: bytes = b"") -> bytes:
    """Reads from a terminal until the output suffices or the program has exited.

    The program blocks on a full terminal, so every wait must read.
    """
    until = time.monotonic() + PATIENCE_S
    while not is_enough(text) and time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                text += os.read(terminal, 1 << 16)
            except OSError:
                break
    return text


def test_ctrl_c_in_a_terminal_leaves_the_table_and_no_brain(tmp_path: Path, root: Path) -> None:
    ours, theirs = pty.openpty()
    words = [named("A", "late", at=1, ms=80), named("B"), "--games", "1000", *QUICK]
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *words, "--concurrency", "2"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(root), "COLUMNS": "120", "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    store = tmp_path / "arena-games" / "A-B-001" / "games.jsonl"
    try:
        shown = read_until(ours, lambda _: store.exists() and store.read_bytes().count(b"\n") >= 3)
        shown = read_until(ours, lambda text: b"forfeits" in text, shown)
        os.killpg(process.pid, signal.SIGINT)
        shown = read_until(ours, lambda _: False, shown)
        assert process.wait(PATIENCE_S) == 130
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    os.close(ours)
    text = shown.decode("utf-8", "replace")
    assert "Traceback" not in text
    for words_ in ("engine", "score", "A - B: freestyle 6x6", "/1000", "LOS", "pairs LL LD"):
        assert words_ in text, words_
    assert re.search(r"score +A \S+ - \S+ B", text)
    assert "stopped; the same command continues with --resume --out arena-games/A-B-001" in text
    # The cursor, which the live table hides, is visible again.
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")
    games = [json.loads(line) for line in store.read_text().splitlines()]
    assert len({game["id"] for game in games}) == len(games) >= 3
