"""The command `openings`: make, check, list."""

import argparse
import shlex
import sys
from pathlib import Path

import pytest

from arena.cli import openings as command
from arena.openings.book import read_openings, shipped_name
from arena.rules.referee import Rule
from arena.util.exits import Exit
from tests.support.fakes import fake, no_brain_is_left
from tests.support.openings import SHIPPED, scorer, written

# The command


def run(*words: str) -> int:
    """Runs `openings` as the command line does."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def test_make_with_the_real_engine(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    path = tmp_path / "ninuki_19.txt"
    words = (
        "make",
        shlex.join((sys.executable, "-m", "protocol")),
        "--rule",
        "ninuki",
        "--size",
        "19",
    )
    options = ("--count", "2", "--nodes", "300", "--max-score", "600", "--out", str(path))
    assert run(*words, *options) == 0
    assert "2/2" in capsys.readouterr().out
    assert len(read_openings(path, size=19, rule=Rule.NINUKI)) == 2
    assert no_brain_is_left()


def test_make_says_what_stopped_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    crash = shlex.join(fake("crash", at=1))
    assert run("make", crash, "--count", "2") == Exit.FORFEITED
    error = capsys.readouterr().err
    assert "crash" in error and "the same command continues freestyle_15.txt" in error
    assert run("make", crash, "--count", "2", "--out", str(tmp_path / "no" / "x.txt")) == 2
    assert "x.txt" in capsys.readouterr().err
    for words in (("make", "/no/such/engine"), ("make", crash, "--rule", "chess"), ()):
        with pytest.raises(SystemExit) as left:
            run(*words)
        assert left.value.code == 2


def test_a_stop_is_clean_and_the_work_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = scorer(tmp_path)
    words = ["make", shlex.join(engine.command), "--nodes", "100", "--max-score", "100"]
    words += ["--count", "6", "--out", str(tmp_path / "made.txt")]

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command, "offset_text", interrupted)
        assert run(*words) == 130
    assert "stopped; the same command continues" in capsys.readouterr().err
    assert no_brain_is_left()
    assert run(*words, "--quiet") == 0
    assert len(read_openings(tmp_path / "made.txt", size=15)) == 6
    assert "kept 6 of" in capsys.readouterr().out


def test_check_reports_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "h8i9\nh8h8\nh8g7\nh8i9j10\n")
    assert run("check", str(path)) == Exit.FOUND_WRONG
    out = capsys.readouterr().out
    assert "2 openings for freestyle 15x15" in out
    assert "stones: 1 of 2, 1 of 3" in out
    assert f"wrong:  {path}:2: move 2, `h8`" in out
    assert f"copy:   {path}:3: " in out and out.rstrip().endswith(f"{path}:1")
    assert run("check", str(written(tmp_path, "h8i9\n")), "--rule", "4", "--type", "pos") == 0
    assert run("check", str(tmp_path / "none.txt")) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_list_names_each_set_and_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    out = capsys.readouterr().out
    for rule, size in SHIPPED:
        line = next(row for row in out.splitlines() if row.endswith(shipped_name(rule, size)))
        _, name, side, count, path = line.split(maxsplit=4)
        assert (name, int(side)) == (rule.name.lower(), size)
        assert int(count) == len(Path(path).read_text().splitlines())


def test_check_finds_the_format_by_all_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for lines, name in (
        ("openings of a friend\n0,0, 1,1\n0,0, 2,1\n0,0, 3,1\n", "openings.txt"),
        ("0,0, 1,1\nh8i9j7\nh8i9k7\nh8i9l7\n", "squares.txt"),
    ):
        path = tmp_path / name
        path.write_text(lines)
        assert run("check", str(path)) == Exit.FOUND_WRONG
        out = capsys.readouterr().out
        assert f"{path}: 3 openings" in out and out.count("wrong:") == 1
        assert f"{path}:1" in out


def test_make_tells_no_engine_another_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("make", shlex.join(fake()), "--info", "rule=4") == Exit.USAGE
    assert "the games are played under rule 0 (freestyle)" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
