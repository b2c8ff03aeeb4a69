"""The static scores of another version of the engine."""

import subprocess
import sys
from pathlib import Path

import pytest

from training.gamefiles import build_programs


def scores(root: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    command = [sys.executable, str(root / "training" / "static_scores.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def few(root: Path, tmp_path: Path) -> Path:
    """The first 40 positions of the yardstick, of all its rules."""
    path = tmp_path / "few.txt"
    lines = (root / "tests" / "data" / "yardstick.txt").read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:40]))
    return path


def test_the_scores_are_those_of_the_judge(root: Path, few: Path) -> None:
    """They are also those of the library, whose scores are made by increments."""
    done = scores(root, root, "--yardstick", few)
    assert done.returncode == 0, done.stderr
    command = [str(build_programs("judge")[0]), str(few), "--each"]
    judged = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    each = [line.split()[:3] for line in judged.splitlines() if line[0].isdigit()]
    assert [line.split()[:3] for line in done.stdout.splitlines()] == each and len(each) == 40


def test_a_folder_without_an_engine_is_named(root: Path, tmp_path: Path) -> None:
    done = scores(root, tmp_path)
    assert done.returncode == 1 and done.stderr == f"static_scores: {tmp_path} has no engine\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0 15 hh\n", "not enough values"),
        ("7 15 hhii 5 aa\n", "7 is not a valid"),
        ("0 15 hhhh 5 aa\n", "(7, 7)"),
        ("0 50 hhii 5 aa\n", "50"),
    ],
)
def test_a_damaged_line_is_named(root: Path, few: Path, line: str, said: str) -> None:
    few.write_text(few.read_text() + line)
    done = scores(root, root, "--yardstick", few)
    assert done.returncode == 1 and f"{few}:41: " in done.stderr and said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_missing_yardstick_is_named(root: Path, tmp_path: Path) -> None:
    done = scores(root, root, "--yardstick", tmp_path / "none.txt")
    assert done.returncode == 1 and "none.txt" in done.stderr
