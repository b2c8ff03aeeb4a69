"""Commands whose output nobody reads, or nobody can: they end, and say nothing of it."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.output import EXIT_NOBODY_READS
from tests.fakes import no_brain_is_left
from tests.openings import scorer

ARENA = (sys.executable, "-m", "arena")
PATIENCE_S = 60.0
# Python holds output back or does not: the pipe breaks at the end, or at the first line.
BUFFERING = pytest.mark.parametrize("unbuffered", [False, True])


def environment(unbuffered: bool) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return env | ({"PYTHONUNBUFFERED": "1"} if unbuffered else {})


def unread(
    root: Path,
    *words: str,
    unbuffered: bool,
    both: bool = False,
    command: tuple[str, ...] = ARENA,
) -> tuple[int, str]:
    """Runs a command whose output (with `both`, its errors, too) goes into a pipe that nobody
    reads; returns its exit code and what it said into another one."""
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        done = subprocess.run(
            (*command, *words),
            cwd=root,
            stdout=theirs,
            stderr=theirs if both else subprocess.PIPE,
            env=environment(unbuffered),
            text=True,
            timeout=PATIENCE_S,
        )
    finally:
        os.close(theirs)
    return done.returncode, done.stderr or ""


@BUFFERING
@pytest.mark.parametrize("words", [("openings", "list"), ("conform", "--list")])
def test_who_reads_no_further_gets_no_traceback(
    root: Path, words: tuple[str, ...], unbuffered: bool
) -> None:
    assert unread(root, *words, unbuffered=unbuffered) == (EXIT_NOBODY_READS, "")


@BUFFERING
@pytest.mark.parametrize("words", [("--help",), ("match", "--help")])
def test_help_that_nobody_reads(root: Path, words: tuple[str, ...], unbuffered: bool) -> None:
    code, said = unread(root, *words, unbuffered=unbuffered)
    assert said == ""
    assert code == (0 if unbuffered else EXIT_NOBODY_READS)  # argparse passes over it by itself


@BUFFERING
def test_errors_that_nobody_reads(root: Path, unbuffered: bool) -> None:
    code, _ = unread(root, "openings", "check", "nofile", unbuffered=unbuffered, both=True)
    assert code in (2, EXIT_NOBODY_READS)


@BUFFERING
def test_a_file_is_not_blamed_for_a_broken_pipe(
    root: Path, tmp_path: Path, unbuffered: bool
) -> None:
    path = tmp_path / "made.txt"
    brain = shlex.join(scorer(tmp_path).command)
    words = ("openings", "make", brain, "--count", "3", "--out", str(path))
    assert unread(root, *words, unbuffered=unbuffered) == (EXIT_NOBODY_READS, "")
    assert path.exists() and no_brain_is_left()


RAISES = """
import sys
from arena.output import ending_quietly

def run():
    print("x")
    raise {error}

sys.exit(ending_quietly(run))
"""


@BUFFERING
@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        ("RuntimeError('bug')", 1, "RuntimeError: bug"),
        ("OSError(28, 'disk full')", 1, "disk full"),
        ("SystemExit(2)", 2, ""),
        ("SystemExit(143)", 143, ""),
    ],
)
def test_other_ends_are_not_hidden(
    root: Path, error: str, code: int, said: str, unbuffered: bool
) -> None:
    text = RAISES.format(error=error)
    if unbuffered:
        text = text.replace('print("x")', "pass")  # else the pipe breaks first
    got, errors = unread(root, unbuffered=unbuffered, command=(sys.executable, "-c", text))
    assert got == code
    assert said in errors and ("Traceback" in errors) == bool(said)


@pytest.mark.parametrize("words", [("openings", "list"), ("conform", "--list")])
def test_closed_output_is_none_to_write_to(root: Path, words: tuple[str, ...]) -> None:
    done = subprocess.run(
        ("sh", "-c", 'exec "$@" >&-', "sh", *ARENA, *words),
        cwd=root,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
