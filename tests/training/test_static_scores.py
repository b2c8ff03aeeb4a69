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


STUB = """
from enum import IntEnum

class Rule(IntEnum):
    FREESTYLE, STANDARD, RENJU, CARO, CARO_STANDARD, NINUKI = 0, 1, 4, 8, 9, 16

class Engine:
    def __init__(self, *, memory_mib):
        self.rule = Rule.FREESTYLE

    def reset(self, *, size, rule):
        self.rule, self.moves = rule, []

    def play(self, square):
        self.moves.append(square)

    def evaluate(self):
        return 1000 * self.rule + len(self.moves)
"""


def test_the_engine_is_that_of_the_tree(root: Path, few: Path, tmp_path: Path) -> None:
    (tmp_path / "pyengine").mkdir()
    (tmp_path / "pyengine" / "__init__.py").write_text(STUB)
    done = scores(root, tmp_path, "--yardstick", few)
    assert done.returncode == 0, done.stderr
    wanted = [
        f"{rule} {1000 * int(rule) + len(moves) // 2} {deep} 0"
        for rule, _, moves, deep, _ in map(str.split, few.read_text().splitlines())
    ]
    assert done.stdout.splitlines() == wanted


def test_a_tree_whose_engine_does_not_start_is_named(root: Path, few: Path, tmp_path: Path) -> None:
    (tmp_path / "pyengine").mkdir()
    (tmp_path / "pyengine" / "__init__.py").write_text("raise RuntimeError('no library')")
    done = scores(root, tmp_path, "--yardstick", few)
    assert done.returncode == 1 and done.stderr == f"static_scores: {tmp_path}: no library\n"


def test_a_folder_without_an_engine_is_named(root: Path, tmp_path: Path) -> None:
    done = scores(root, tmp_path)
    assert done.returncode == 1 and done.stderr == f"static_scores: {tmp_path} has no engine\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0 15 hh", "not enough values"),
        ("7 15 hhii 5 aa", "7 is not a valid"),
        ("0 15 hhhh 5 aa", "(7, 7)"),
        ("0 50 hhii 5 aa", "50"),
        ("0 15 hhi 5 aa", "'hhi' is not made of pairs"),
        ("0 15 hhii x aa", "'x'"),
    ],
)
def test_a_damaged_line_is_named(root: Path, few: Path, line: str, said: str) -> None:
    few.write_text(few.read_text() + line + "\n")
    done = scores(root, root, "--yardstick", few)
    assert done.returncode == 1 and f"{few}:41: " in done.stderr and said in done.stderr
    assert done.stderr.count("\n") == 1 and not done.stdout


@pytest.mark.parametrize("content", [None, b"", b"0 15 \xff"])
def test_a_yardstick_that_cannot_be_read_is_named(
    root: Path, tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "none.txt"
    if content is not None:
        path.write_bytes(content)
    done = scores(root, root, "--yardstick", path)
    assert done.returncode == 1 and done.stderr.startswith(f"static_scores: {path}")
    assert done.stderr.count("\n") == 1


@pytest.mark.linux
def test_a_full_disk_is_named(root: Path, few: Path) -> None:
    command = [sys.executable, str(root / "training" / "static_scores.py"), str(root)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*command, "--yardstick", str(few)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1 and "No space left" in done.stderr
    assert done.stderr.count("\n") == 1
