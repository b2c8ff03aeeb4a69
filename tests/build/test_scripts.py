"""The programs of docs/scripts.md: each runs, works as described, and is short."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pyengine import Game, Position
from tests.support.paths import ROOT, SUPPORT

BRAIN = shlex.join((sys.executable, "-S", "-E", str(SUPPORT / "fakes" / "beginner.py")))
PROGRAMS = {
    found[1]: found[2]
    for found in re.finditer(
        r"^## (.+?)\n.*?```python\n(.*?)```",
        (ROOT / "docs" / "scripts.md").read_text(),
        re.M | re.S,
    )
}
DIAGRAM = """
. . . . . . . . .
. . . . . . . . .
. . . . O . . . .
. . . X X X . . .
. . . . . . . . .
. . . O . O . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
LOST = "h8 i9 g8 i7 f8 a1 e8 a2 d8"


def ran(title: str, folder: Path, *changes: tuple[str, str]) -> str:
    """Runs a program in a folder, with shorter limits and the tree's names; returns its output."""
    program = PROGRAMS[title].replace("tengen_arena", "arena")
    for old, new in changes:
        assert old in program
        program = program.replace(old, new)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_each_is_short() -> None:
    assert len(PROGRAMS) == 5
    for title, program in PROGRAMS.items():
        assert len([line for line in program.splitlines() if line.strip()]) <= 6, title


def test_review(tmp_path: Path) -> None:
    moves = [f"{ord(m[0]) - 96},{16 - int(m[1:])},10" for m in LOST.split()]
    text = "\n".join(["Piskvorky 15x15, 11:11, 0", *moves, "-1"])
    (tmp_path / "game.psq").write_text(text + "\n")
    told = ran("Review a game", tmp_path, ("time_ms=500", "nodes=2000"))
    assert told.splitlines()[0].split()[:3] == ["move", "by", "played"]
    assert "defence" in told
    game = Game.load(tmp_path / "reviewed.sgf")
    assert game.moves == LOST.split()
    assert game.result == "B+"
    assert len(game.lines()) > 1
    assert all("Review: " in node.comment for node in game.root.main_line())


def test_two_engines(tmp_path: Path) -> None:
    told = ran(
        "Play two engines against each other",
        tmp_path,
        ("pbrain-other", BRAIN.replace("\\", "/")),
        ("time_ms=500", "nodes=300"),
    ).split()
    game = Game(rule="renju")
    game.play(*told[1:])
    assert game.is_over
    assert game.result == told[0]


def test_forbidden_points(tmp_path: Path) -> None:
    told = ran("Show the forbidden points", tmp_path)
    assert told.splitlines()[-1] == "h10 double_three"
    assert Position.from_text("\n".join(told.splitlines()[:18])).rule.name == "RENJU"


def test_vcf_from_a_diagram(tmp_path: Path) -> None:
    (tmp_path / "diagram.txt").write_text(DIAGRAM)
    names = ran("Solve a VCF from a diagram", tmp_path).split()
    position = Position.from_text(DIAGRAM, turn="black")
    position.play(*names)
    assert position.winner is not None and position.winner.value == "black"


@pytest.mark.parametrize("limit", ["depth=4"])
def test_live_lines(tmp_path: Path, limit: str) -> None:
    told = ran("Watch the best lines", tmp_path, ("time_ms=2000", limit))
    last = told.strip().split("\n\n")[-1].splitlines()
    assert len(last) == 3
    assert all(re.match(r"depth 4  [+-]\d+ \(\d+\.\d %\)  [a-o]\d+", line) for line in last)
