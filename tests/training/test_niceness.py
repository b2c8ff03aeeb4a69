"""Games give way to programs of other sessions, too."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from training.chunk import Chunk
from training.niceness import share_less

GROUP = Path("/proc/self/autogroup")
pytestmark = pytest.mark.skipif(not GROUP.exists(), reason="the system has no autogroups")


def test_a_group_has_the_niceness_of_its_process() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as sleeper:
        group = Path(f"/proc/{sleeper.pid}/autogroup")
        assert group.read_text().endswith(" nice 0\n")
        os.setpriority(os.PRIO_PROCESS, sleeper.pid, 7)
        share_less(sleeper.pid)
        assert group.read_text().endswith(" nice 7\n")
        sleeper.kill()


def test_a_process_that_has_ended_is_no_fault(capfd: pytest.CaptureFixture[str]) -> None:
    with subprocess.Popen(["true"], start_new_session=True) as ended:
        pass
    share_less(ended.pid)
    assert capfd.readouterr().err == ""


def test_games_run_in_a_nice_group(root: Path, tmp_path: Path) -> None:
    """The program of the games has a session of its own, so that Ctrl-C does not reach it."""
    program = tmp_path / "player"
    # it waits until the driver has changed its group, at most ten seconds
    program.write_text(
        '#!/bin/sh\nfor i in $(seq 100); do grep -q " nice 11$" /proc/self/autogroup && break\n'
        'sleep 0.1; done; cat /proc/self/autogroup > "$6"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    target = tmp_path / "games.tg"
    chunk = Chunk(0, 15, 100, 1, 1, "", (100, 0, 0))
    script = (
        "import os, sys; from pathlib import Path; os.nice(11)\n"
        "from training.chunk import Chunk, Player\n"
        f"assert Player(Path({str(program)!r})).play({chunk!r}, Path({str(target)!r}))\n"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=root, check=False).returncode == 0
    assert target.read_text().endswith(" nice 11\n")
