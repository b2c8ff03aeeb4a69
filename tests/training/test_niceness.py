"""Games give way to programs of other sessions, too."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from training import niceness
from training.chunk import Chunk
from training.niceness import share_less

NOW = os.getpriority(os.PRIO_PROCESS, 0)
HIGHEST = 19
pytestmark = [
    pytest.mark.skipif(
        not Path("/proc/self/autogroup").exists(), reason="the system has no autogroups"
    ),
    pytest.mark.skipif(NOW == HIGHEST, reason="the tests have the highest niceness"),
]


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process with a session and a niceness of its own."""
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    os.setpriority(os.PRIO_PROCESS, process.pid, max(1, NOW + 1))
    yield process
    process.kill()
    process.wait()


def group_of(process: subprocess.Popen[bytes]) -> str:
    """Returns the niceness of the group."""
    return Path(f"/proc/{process.pid}/autogroup").read_text().split()[-1]


def test_a_group_has_the_niceness_of_its_process(sleeper: subprocess.Popen[bytes]) -> None:
    assert group_of(sleeper) == "0"
    share_less(sleeper.pid)
    assert group_of(sleeper) == str(max(1, NOW + 1))


def test_a_refusal_is_told_once(
    sleeper: subprocess.Popen[bytes],
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
    assert said.count("\n") == 1 and "not permitted" in said and group_of(sleeper) == "0"


def test_a_busy_system_is_asked_again(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    write, asked = Path.write_text, []

    def busy_once(path: Path, text: str) -> int:
        asked.append(text)
        if len(asked) == 1:
            raise BlockingIOError(11, "try again")
        return write(path, text)

    monkeypatch.setattr(Path, "write_text", busy_once)
    share_less(sleeper.pid)
    assert len(asked) == 2 and group_of(sleeper) == str(max(1, NOW + 1))


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


def test_games_run_in_a_nice_group(root: Path, tmp_path: Path) -> None:
    """The program of the games has a session of its own, so that Ctrl-C does not reach it."""
    program = tmp_path / "player"
    # it waits until the driver has changed its group, at most ten seconds
    program.write_text(
        "#!/bin/sh\nfor i in $(seq 100); do\n"
        'grep -q " nice 0$" /proc/self/autogroup || break\nsleep 0.1\ndone\n'
        'cat /proc/self/autogroup > "$6"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    target = tmp_path / "games.tg"
    chunk = Chunk(0, 15, 100, 1, 1, "", (100, 0, 0))
    script = (
        "import os; from pathlib import Path; from training.chunk import Chunk, Player\n"
        f"os.nice({max(1, NOW + 1) - NOW})\n"
        f"assert Player(Path({str(program)!r})).play({chunk!r}, Path({str(target)!r}))\n"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=root, check=False).returncode == 0
    assert target.read_text().endswith(f" nice {max(1, NOW + 1)}\n")
