"""The yardstick: its positions, the program that makes them, and the judge of networks."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.rules.referee import Position, Rule
from training.gamefiles import build_programs, write_openings

SHARES = {0: 8, 1: 3, 4: 3, 8: 2, 9: 2, 16: 2}


@pytest.fixture(scope="session")
def yardstick(root: Path) -> Path:
    """The positions of tests/data."""
    return root / "tests" / "data" / "yardstick.txt"


@pytest.fixture(scope="session")
def judge(root: Path) -> Path:
    """The judge of the shipped networks."""
    return build_programs("judge")[0]


@pytest.fixture(scope="session")
def tool(root: Path) -> dict[str, Any]:
    """training/yardstick.py."""
    return runpy.run_path(str(root / "training" / "yardstick.py"), run_name="yardstick")


def squares(text: str) -> list[tuple[int, int]]:
    """Returns squares of two letters each."""
    return [
        (ord(x) - ord("a"), ord(y) - ord("a")) for x, y in zip(text[::2], text[1::2], strict=True)
    ]


def run(program: object, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a program."""
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_positions_come_once(yardstick: Path) -> None:
    lines = yardstick.read_text().splitlines()
    seen = set()
    for text in lines:
        rule, size, moves, score, _best = text.split()
        stones = [moves[at : at + 2] for at in range(0, len(moves), 2)]
        assert abs(int(score)) <= 30000
        seen.add((rule, size, frozenset(stones[::2]), frozenset(stones[1::2])))
    assert len(lines) >= 500 and len(seen) == len(lines)


def test_positions_follow_the_rules(yardstick: Path) -> None:
    """The referee, which shares no code with the engine, plays one line in nine.

    The judge reads all lines by the rules of the engine (the tests below). Nine has no common
    divisor with the twenty lines after which the rules come again, so every rule is played.
    """
    for text in yardstick.read_text().splitlines()[::9]:
        rule, size, moves, _score, best = text.split()
        game = Position(size=int(size), rule=Rule(int(rule)))
        for move in squares(moves):
            game.play(move)
        assert not game.is_over
        game.play(squares(best)[0])


def test_every_beginning_has_the_rules_in_the_same_shares(yardstick: Path) -> None:
    rules = [int(text.split()[0]) for text in yardstick.read_text().splitlines()]
    for first in range(0, len(rules) // 20 * 20, 20):
        assert {rule: rules[first : first + 20].count(rule) for rule in SHARES} == SHARES


def test_positions_are_made_and_go_on(root: Path, tmp_path: Path) -> None:
    program = build_programs("yardstick")[0]
    for rule, size in ((0, 15), (1, 15), (4, 15)):
        write_openings(rule, size, tmp_path / f"{rule}-{size}.txt")
    whole = tmp_path / "whole.txt"
    assert run(program, whole, 3, tmp_path).returncode == 0
    text = whole.read_text()
    assert [line.split()[0] for line in text.splitlines()] == ["0", "1", "4"]
    part = tmp_path / "part.txt"
    part.write_text(text[: text.index("\n") + 20])  # a line, and a part of the next one
    assert run(program, part, 3, tmp_path).returncode == 0
    assert part.read_text() == text
    part.write_text("my notes\n")
    done = run(program, part, 3, tmp_path)
    assert done.returncode == 1 and "part.txt" in done.stderr
    assert part.read_text() == "my notes\n"


def test_the_network_is_nearer_to_deep_scores_than_the_sum(
    judge: Path, yardstick: Path, tool: dict[str, Any], tmp_path: Path
) -> None:
    """Games show that the network is worth some 400 Elo."""
    for name, options in (("network", ()), ("sum", ("--sum",))):
        done = run(judge, yardstick, "--each", *options)
        (tmp_path / name).write_text(done.stdout)
    of_sum, of_network = (tool["read_lines"](tmp_path / name) for name in ("sum", "network"))
    for scaled in (False, True):
        by = tool["difference"](of_sum, of_network, scaled=scaled)
        assert by.mean > 3 * by.error


def test_the_judge_counts_as_its_lines_do(
    judge: Path, yardstick: Path, tool: dict[str, Any], tmp_path: Path
) -> None:
    rows = run(judge, yardstick, "--first", 100).stdout.splitlines()
    (tmp_path / "each").write_text(run(judge, yardstick, "--first", 100, "--each").stdout)
    lines = tool["read_lines"](tmp_path / "each")
    assert len(lines) == 100 and rows[-1].startswith("all         100  value")
    value = (sum(line.error() for line in lines) / 100) ** 0.5
    assert float(rows[-1].split()[3]) == pytest.approx(value, abs=1e-4)
    found = re.search(r"scaled (\S+) by (\S+)  order +(\d+) loss (\S+) first (\S+)", rows[-1])
    assert found
    factor = tool["best_factor"](lines)
    assert float(found[2]) == pytest.approx(factor, rel=0.03)
    assert 50 < int(found[3]) <= 100 and 0.5 < float(found[4]) < 4 and 0.1 < float(found[5]) < 0.9


@pytest.mark.parametrize(
    "line", ["", "0 15 hhg 5 aa", "0 15 hhii 5", "0 5 hhii 5 aa", "0 15 hh", "7 15 hhii 5 aa"]
)
def test_a_damaged_line_is_named(judge: Path, yardstick: Path, tmp_path: Path, line: str) -> None:
    text = yardstick.read_text().splitlines()[:2]
    path = tmp_path / "y.txt"
    path.write_text("\n".join([*text, line]) + "\n")
    done = run(judge, path)
    assert done.returncode == 1 and "y.txt:3: no position" in done.stderr


def test_a_file_without_positions_is_refused(judge: Path, tmp_path: Path) -> None:
    (tmp_path / "y.txt").write_text("")
    for path, why in (
        (tmp_path / "y.txt", "y.txt:1: no position"),
        (tmp_path, "Is a directory"),
        (tmp_path / "none", "none: No such file"),
    ):
        done = run(judge, path)
        assert done.returncode == 1 and why in done.stderr and not done.stdout


def test_comparing(root: Path, tmp_path: Path, tool: dict[str, Any]) -> None:
    lines = ["0 0 30000 -1", "0 220 30000 -1", "1 0 0 1.5", "1 -220 0 1.5"]
    (tmp_path / "a").write_text("\n".join(lines))
    (tmp_path / "b").write_text("\n".join(line.replace("0 0 3", "0 440 3") for line in lines))
    by = tool["difference"](*(tool["read_lines"](tmp_path / name) for name in "ab"))
    assert by.count == 4 and by.mean > 0 and by.needed == 16  # one of four differs
    command = [sys.executable, root / "training" / "yardstick.py", "compare"]
    done = run(*command, tmp_path / "a", tmp_path / "b")
    assert done.returncode == 0 and "freestyle" in done.stdout and "all" in done.stdout
    (tmp_path / "b").write_text("\n".join(lines[:3]))
    done = run(*command, tmp_path / "a", tmp_path / "b")
    assert done.returncode == 1 and "same positions" in done.stderr
    (tmp_path / "b").write_text("notes\n")
    done = run(*command, tmp_path / "a", tmp_path / "b")
    assert done.returncode == 1 and "b:1: no line" in done.stderr
