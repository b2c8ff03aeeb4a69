"""The program's arguments, the bench, the log, and what is printed for a person."""

import itertools
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pyengine.__main__
from protocol import __main__ as program
from pyengine import LibraryError, __version__, bench
from tests.support.paths import DATA, ROOT
from tests.support.protocol_runner import (
    MODULE,
    PATIENCE_S,
    Brain,
)

# As a program


def run(*arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*MODULE, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE_S,
    )


def test_help_and_version_are_for_a_person() -> None:
    assert run("--version").stdout == f"Tengen {__version__}\n"
    assert run("--level", "3", "--help").stdout == run("--help").stdout
    shown = run("--help")
    assert shown.returncode == 0 and "BEGIN" in shown.stdout and shown.stderr == ""
    wrong = run("--nonsense")
    assert wrong.returncode == 2 and wrong.stdout == "" and "--nonsense" in wrong.stderr


def test_switches_and_numbers_of_the_search_on_the_command_line(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def nodes(*arguments: str) -> str:
        with Brain([*MODULE, *arguments]) as brain:
            brain.ask("START 15")
            brain.send(f"INFO log {log}", "INFO max_depth 9", "INFO timeout_turn 60000")
            brain.ask("BOARD", "7,7,1", "8,8,2", "6,9,1", "5,3,2", "DONE")
        (found,) = re.findall(r"nodes (\d+)", log.read_text())
        log.unlink()
        return str(found)

    usual = nodes()
    assert nodes("--set", "prune.lmr=0") != usual != nodes("--set", "tune.lmr_scale=90")
    for wrong, named in (
        ("prune.nonsense=1", "prune.nonsense"),
        ("prune.lmr=2", "prune.lmr"),
        ("prune.lmr", "NAME=VALUE"),
        ("threads=2", "thread_num"),
    ):
        refused = run("--set", wrong)
        assert refused.returncode == 2 and refused.stdout == "" and named in refused.stderr


def test_the_bench_is_that_of_the_library(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first two positions. The next test compares the signature of the whole bench."""
    rows = list(itertools.islice(bench(), 2))
    monkeypatch.setattr(pyengine.__main__, "bench", lambda: iter(rows))
    monkeypatch.setattr("sys.argv", ["protocol", "--bench"])
    assert program.main() == 0
    said = capsys.readouterr().out
    assert pyengine.__main__.run() == 0
    assert capsys.readouterr().out == said
    assert len(said.splitlines()) > len(rows)


def test_the_bench_of_the_executable_is_that_of_the_library(
    executable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best path has the signature of the file, which only a change of the search changes.

    The commit that changes it says what the change is worth.
    """
    monkeypatch.delenv("TENGEN_CPU", raising=False)
    ask = [sys.executable, "-c", "import pyengine; print(pyengine.cpu_path())"]
    best = subprocess.run(ask, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip()
    committed = (DATA / "bench_signature.txt").read_text().strip()
    said = subprocess.run(
        [executable, "--bench"], capture_output=True, text=True, cwd=ROOT, timeout=5 * PATIENCE_S
    )
    lines = said.stdout.splitlines()
    assert said.returncode == 0 and said.stderr == ""
    assert lines[0] == f"cpu path {best}"
    assert re.fullmatch(r"\d+ nodes/s", lines[-1])
    assert re.fullmatch(r"nodes \d+", lines[-3])
    assert lines[-2] == f"signature {committed}"


def test_without_a_core_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise LibraryError("the core is not built")

    monkeypatch.setattr(program, "Engine", fail)
    monkeypatch.setattr("sys.argv", ["protocol"])
    assert program.main() == 1
    assert capsys.readouterr() == ("ERROR the core is not built\n", "")


def test_without_a_word_nothing_is_said() -> None:
    assert (run().stdout, run().stderr) == ("", "")


def test_in_a_terminal_it_says_what_it_waits_for() -> None:
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(MODULE, stdin=slave, stdout=subprocess.PIPE, cwd=ROOT) as process:
            assert process.stdout
            first = process.stdout.readline().decode()
            assert re.fullmatch(r"MESSAGE [^a-z]*END[^a-z]*\n", first)
            os.write(master, b"END\n")
            assert process.wait(PATIENCE_S) == 0
    finally:
        os.close(master)
        os.close(slave)


def test_errors_go_to_the_log_and_nowhere_else(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with Brain() as brain:
        assert brain.ask("START 15", f"INFO log {log}", "INFO timeout_turn 50") == "OK"
        brain.ask("BEGIN")
        brain.ask("TURN 0,0")
        brain.send("END")
        assert brain.gone() == []
    blocks = log.read_text().split("\n\n")
    assert [block.split("\n")[0].split()[:3] for block in blocks[:-1]] == [
        ["move", "1", "black"],
        ["move", "3", "black"],
    ]
    assert blocks[-1] == ""


def test_a_log_is_never_written_among_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "out"
    lines = [f"INFO log {path}", "START 15", "INFO timeout_turn 0", "BEGIN", "END"]
    with path.open("wb") as out:
        subprocess.run(
            MODULE,
            input="\n".join(lines).encode(),
            stdout=out,
            cwd=ROOT,
            timeout=PATIENCE_S,
            check=True,
        )
    said = path.read_text().splitlines()
    assert said[:2] == ["OK", "MESSAGE THE LOG CANNOT BE WRITTEN"]
    assert len(said) == 3


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--level", "11"], "--level takes a number from 1 to 10, not '11'"),
        (["--level", "high"], "--level takes a number from 1 to 10, not 'high'"),
        (["--level"], "--level takes a number from 1 to 10, not ''"),
        (
            ["--delay", "-1"],
            "--delay takes a number from 0 to 60000, or a range such as 500-1200, not '-1'",
        ),
        (
            ["--delay", "900-500"],
            "--delay takes a number from 0 to 60000, or a range such as 500-1200, not '900-500'",
        ),
        (["--level", "3", "--nonsense"], "unknown argument '--nonsense'"),
        (["--set", "level=3"], "--set level: use --level"),
        (
            ["--bench", "--set", "x=1"],
            "--bench takes no other arguments: it measures the default settings",
        ),
    ],
)
def test_arguments_that_are_none(arguments: list[str], what: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == what
    assert "--delay MS" in done.stderr


@pytest.mark.linux
@pytest.mark.parametrize("words", [["protocol", "--help"], ["protocol", "--bench"], ["pyengine"]])
def test_what_is_printed_ends_well_whatever_takes_it(words: list[str]) -> None:
    """The reader is gone, the disk is full, there is no output at all."""
    command = [sys.executable, "-m", *words]

    def code(shell: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", shell, "sh", *command],
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            timeout=5 * PATIENCE_S,
        )
        return done.returncode, done.stderr

    ours, theirs = os.pipe()
    os.close(ours)
    gone = subprocess.run(
        command, stdout=theirs, stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=5 * PATIENCE_S
    )
    os.close(theirs)
    assert (gone.returncode, gone.stderr) == (141, "")
    full, said = code('exec "$@" >/dev/full')
    assert full == 1 and "No space left on device" in said and "Traceback" not in said
    if "--help" in words:
        assert code('exec "$@" >&-') == (0, "")
        assert code('exec "$@" >&- 2>&-')[0] == 0


def test_wrong_arguments_keep_their_exit_code_where_nothing_can_be_said() -> None:
    command = ["bash", "-c", 'exec "$@" 2>&-', "sh", *MODULE, "--nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (2, "")
