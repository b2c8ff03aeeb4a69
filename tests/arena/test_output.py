"""Commands whose output cannot be written or read exit without a message about it."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.main import COMMANDS
from arena.util.exits import EXIT_TEXTS, Exit, exit_table
from arena.util.output import shown
from arena.util.paths import replace_text
from tests.support.fakes import fake, no_brain_is_left
from tests.support.openings import scorer

ARENA = (sys.executable, "-m", "arena")
PATIENCE_S = 60.0
# Python buffers the output or not: the pipe breaks at the end or at the first line.
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
    """Runs a command whose stdout is a pipe without a reader; `both`: stderr, too.

    Returns its exit code and its output into another pipe.
    """
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
    assert unread(root, *words, unbuffered=unbuffered) == (Exit.NOBODY_READS, "")


@BUFFERING
@pytest.mark.parametrize("words", [("--help",), ("match", "--help")])
def test_help_that_nobody_reads(root: Path, words: tuple[str, ...], unbuffered: bool) -> None:
    assert unread(root, *words, unbuffered=unbuffered) == (Exit.NOBODY_READS, "")


@BUFFERING
def test_errors_that_nobody_reads(root: Path, unbuffered: bool) -> None:
    code, _ = unread(root, "openings", "check", "nofile", unbuffered=unbuffered, both=True)
    assert code in (2, Exit.NOBODY_READS)


@BUFFERING
def test_a_file_is_not_blamed_for_a_broken_pipe(
    root: Path, tmp_path: Path, unbuffered: bool
) -> None:
    path = tmp_path / "made.txt"
    brain = shlex.join(scorer(tmp_path).command)
    words = ("openings", "make", brain, "--count", "3", "--out", str(path))
    assert unread(root, *words, unbuffered=unbuffered) == (Exit.NOBODY_READS, "")
    assert path.exists() and no_brain_is_left()


RAISES = """
import sys
from arena.util.output import run_program

def run():
    print("x")
    raise {error}

sys.exit(run_program(run))
"""


@BUFFERING
@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        ("RuntimeError('bug')", Exit.BROKE_DOWN, "RuntimeError: bug"),
        ("OSError(28, 'disk full')", Exit.BROKE_DOWN, "disk full"),
        ("MemoryError", Exit.BROKE_DOWN, "out of memory"),
        ("KeyboardInterrupt", Exit.STOPPED, "stopped"),
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
    assert said in errors
    assert ("Traceback" in errors) == error.startswith("RuntimeError")  # only a bug has one


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


def run_arena(
    root: Path, *words: str, stdin: str = "", cwd: Path | None = None, **env: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        (*ARENA, *words),
        cwd=cwd or root,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        env={**os.environ, "PYTHONPATH": str(root), **env},
        timeout=PATIENCE_S * 3,
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "utf-8"])
def test_a_match_goes_on_where_a_letter_cannot_be_shown(
    root: Path, tmp_path: Path, encoding: str
) -> None:
    brains = (f"Ü={shlex.join(fake())}", f"B={shlex.join(fake())}")
    words = ("match", *brains, "--games", "2", "--size", "6", "--turn", "60s")
    done = run_arena(root, *words, cwd=tmp_path, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert {"ascii": "\\xdc - B", "utf-8": "Ü - B"}.get(encoding, "- B") in done.stdout
    assert "games     arena-games" in done.stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_goes_through_ascii(root: Path, command: str) -> None:
    done = run_arena(root, *filter(None, [command]), "--help", PYTHONIOENCODING="ascii:strict")
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: tengen-arena" in done.stdout and "exit code" in done.stdout


def test_a_person_plays_through_ascii(root: Path) -> None:
    words = ("play", "--white", "human", "--rule", "renju", "--size", "6")
    done = run_arena(root, *words, stdin="c3\nd4\nquit\n", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "X black human" in done.stdout


@pytest.mark.linux
@pytest.mark.parametrize("words", [("openings", "list"), ("--help",), ("conform", "--list")])
def test_a_full_disk_under_the_output_is_a_breakdown(root: Path, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            (*ARENA, *words), cwd=root, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == Exit.BROKE_DOWN
    assert "No space left on device" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.linux
def test_an_output_that_is_not_waited_for_holds_up_and_loses_nothing(root: Path) -> None:
    code = (
        "from arena.util.output import run_program, say\n"
        "run_program(lambda: [say('x' * 99) for _ in range(3000)] and 0)\n"
    )
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    process = subprocess.Popen((sys.executable, "-c", code), cwd=root, stdout=theirs)
    os.close(theirs)
    got = b""
    while chunk := os.read(ours, 1000):
        got += chunk
    os.close(ours)
    assert process.wait(PATIENCE_S) == 0
    assert got == (b"x" * 99 + b"\n") * 3000


def test_each_exit_code_means_one_thing() -> None:
    assert set(EXIT_TEXTS) == set(Exit)
    assert len({code.value for code in Exit}) == len(Exit)
    # Python exits with 1 for every other error: no result may use 1.
    assert EXIT_TEXTS[Exit.BROKE_DOWN].startswith("breakdown")
    assert all(f"{code.value:>3}  {text}" in exit_table() for code, text in EXIT_TEXTS.items())


def test_the_documented_exit_codes_are_those_that_there_are(root: Path) -> None:
    page = (root / "docs" / "arena.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", page, re.M)
    told = {int(code): text.replace("\\|", "|") for code, text in rows}
    assert told == {code.value: text for code, text in EXIT_TEXTS.items()}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain ± ½ Ü 碁", "plain ± ½ Ü 碁"),
        ("a\x1b[31mred\x07", "a\\x1b[31mred\\x07"),
        ("two\nlines\r\t", "two\\nlines\\r\\t"),
        ("\x85\u2028\u202e\ufeff\udcff", "\\x85\\u2028\\u202e\\ufeff\\udcff"),
        ("a\xa0b", "a\xa0b"),
    ],
)
def test_a_control_character_is_shown_escaped(text: str, line: str) -> None:
    assert shown(text) == line


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["match", "A", "B", "--rule", "9" * 5000], "unknown rule"),
        (["match", "A", "B", "--rule", "\x1b[31m"], "unknown rule: '\\x1b[31m'"),
        (["match", "\x1b[31m", "B"], "\\x1b[31m: no such file"),
        (["match", "A", "B", "--openings", "o" * 5000], "cannot be read"),
        (["match", "A", "B", "--out", "o" * 5000], "name too long"),
        (["match", "A", "B", "--scheduler", "s" * 5000], "expected the address of a scheduler"),
        (
            ["match", "A", "B", "--scheduler", "tcp://x:99999"],
            "expected the address of a scheduler",
        ),
        (
            ["match", "A", "B", "--resume", "--out", "deep"],
            "line 1: not a game: the brackets are nested",
        ),
        (["match", "A", "B", "--resume", "--out", "odd"], "line 1: not a game"),
        (["tournament", "deep.toml"], "nested too deeply"),
        (["tournament", "digits.toml"], "expected TOML"),
        (["tournament", "rule.toml"], "rule.toml, line 1: rule: '999"),
        (["tournament", "cwd.toml"], "no such folder"),
        (["tournament", "elo.toml"], "elo: 100000"),
        (["tournament", "good.toml", "--page", "/"], "--page: /: Is a directory"),
        (["openings", "check", "o" * 5000], "cannot be read"),
        (["openings", "make", "A", "--out", "o" * 5000], "name too long"),
        (["openings", "make", "A", "--out", "deep.txt"], "nested too deeply"),
        (["conform", "A", "--cwd", "o" * 5000], "is not a folder"),
        (["play", "--save", "o" * 5000], "name too long"),
        (["ladder", "A", "--write", "o" * 5000, "--games", "2", "--budget", "1s"], "name too long"),
    ],
    ids=lambda value: "-".join(value)[:40] if isinstance(value, list) else "",
)
def test_nothing_that_a_user_can_do_is_a_traceback(
    root: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    """A number of 5,000 digits, a path of 5,000 letters, 100,000 brackets, a strange value."""
    for folder, line in (("deep", DEEP), ("odd", '{"id":[],"pair":0,"record":{}}')):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "games.jsonl").write_text(line + "\n" + line + "\n")
    (tmp_path / "deep.txt").write_text("")
    (tmp_path / "deep.txt.journal").write_text(DEEP + "\n")
    brain = shlex.join(fake())
    engines = "".join(f'[[engine]]\nname="{name}"\ncommand="{brain}"\n' for name in "ab")
    for name, top, more in (
        ("good", "", ""),
        ("deep", "rule = " + DEEP, ""),
        ("digits", "rule = " + "9" * 5000, ""),
        ("rule", 'rule = "' + "9" * 5000 + '"', ""),
        ("cwd", "", 'cwd = "' + "c" * 5000 + '"'),
        ("elo", "", "elo = 1" + "0" * 400),
    ):
        (tmp_path / f"{name}.toml").write_text(f"{top}\n{engines}{more}\n")
    given = [f"{word}={brain}" if word in ("A", "B") else word for word in words]
    done = run_arena(root, *given, cwd=tmp_path)
    assert done.returncode == Exit.USAGE, done.stderr[-2000:]
    assert said in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr) < 4000 and "\x1b" not in done.stderr


def test_the_arena_writes_through_links_and_devices_and_replaces_none(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    replace_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_text() == "new"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    replace_text(tmp_path / "pipe", "through")
    assert os.read(reader, 99) == b"through" and (tmp_path / "pipe").is_fifo()
    os.close(reader)
