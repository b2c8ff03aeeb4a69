"""Games give way to programs of other sessions, too."""

import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from training import chunk, niceness
from training.niceness import share_less

HIGHEST = 19
NICE = min(HIGHEST, max(1, os.getpriority(os.PRIO_PROCESS, 0) + 1))


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process with a session and a niceness of its own."""
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def group(
    tmp_path: Path, sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The file of the sleeper's group, in a folder that stands for /proc."""
    file = tmp_path / str(sleeper.pid) / "autogroup"
    file.parent.mkdir()
    file.write_text("0")
    monkeypatch.setattr(niceness, "PROC", tmp_path)
    return file


def test_a_group_gets_the_niceness_of_its_process(
    sleeper: subprocess.Popen[bytes], group: Path
) -> None:
    share_less(sleeper.pid)
    assert group.read_text() == str(NICE)


def test_the_system_takes_it(
    sleeper: subprocess.Popen[bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    """A system without such groups has nothing to change."""
    share_less(sleeper.pid)
    group = Path(f"/proc/{sleeper.pid}/autogroup")
    assert not group.exists() or group.read_text().endswith(f" nice {NICE}\n")
    assert capfd.readouterr().err == ""


def test_a_refusal_is_told_once(
    sleeper: subprocess.Popen[bytes],
    group: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def refuse(path: Path, text: str) -> int:
        raise PermissionError(1, "not permitted")

    monkeypatch.setattr(Path, "write_text", refuse)
    niceness._tell.cache_clear()
    share_less(sleeper.pid)
    share_less(sleeper.pid)
    said = capfd.readouterr().err
    assert said.count("\n") == 1 and "not permitted" in said and group.read_text() == "0"


def test_a_busy_system_is_asked_again(
    sleeper: subprocess.Popen[bytes], group: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, asked = Path.write_text, []

    def busy_once(path: Path, text: str) -> int:
        asked.append(text)
        if len(asked) == 1:
            raise BlockingIOError(11, "try again")
        return write(path, text)

    monkeypatch.setattr(Path, "write_text", busy_once)
    share_less(sleeper.pid)
    assert len(asked) == 2 and group.read_text() == str(NICE)


def test_a_process_that_has_ended_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It may end before or after the look at its group."""
    with subprocess.Popen(["true"], start_new_session=True) as ended:
        pass
    share_less(ended.pid)
    monkeypatch.setattr(Path, "exists", lambda path: True)
    share_less(ended.pid)
    assert capfd.readouterr().err == ""


def test_the_program_of_the_games_shares_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a session of its own, so that Ctrl-C does not reach it."""
    program, target = tmp_path / "player", tmp_path / "games.tg"
    program.write_text('#!/bin/sh\necho $$ > "$6"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    shared: list[int] = []
    monkeypatch.setattr(chunk, "share_less", shared.append)
    some = chunk.Chunk(0, 15, 100, 1, 1, "", (100, 0, 0))
    assert chunk.Player(program).play(some, target)
    assert shared == [int(target.read_text())]
