"""The ablation study: its steps, its figures and its files."""

import argparse
import contextlib
import math
import re
import shlex
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from arena.ablation.report import markdown, plot
from arena.ablation.steps import SWITCHES, Deadline, Means, Step, StepResult, ablation_steps, reach
from arena.cli import ablation as command
from arena.engines.spec import EngineSpec
from arena.run.store import read_store
from arena.stats.sprt import Score, SprtResult
from pyengine import Engine
from tests.support.fakes import no_brain_is_left

SVG = "{http://www.w3.org/2000/svg}"

BRAIN = """
import sys
size, taken, info = 0, set(), {}

def move():
    # Plays the first free square, and reports depth and nodes by which the switches are seen.
    on = sum(v == "1" for k, v in info.items() if k.startswith("prune."))
    print(f"MESSAGE depth {info.get('max_depth', on + 10)} nodes {100 * on + 100}")
    x, y = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
    taken.add((x, y))
    print(f"{x},{y}", flush=True)

while words := sys.stdin.readline().split():
    if words[0] == "START":
        size = int(words[1])
        print("OK", flush=True)
    elif words[0] == "INFO":
        info[words[1]] = words[2] if len(words) > 2 else ""
    elif words[0] == "BEGIN":
        move()
    elif words[0] == "TURN":
        taken.add(tuple(map(int, words[1].split(","))))
        move()
    elif words[0] == "BOARD":
        while (line := sys.stdin.readline().strip()) != "DONE":
            taken.add(tuple(map(int, line.split(",")))[:2])
        move()
    elif words[0] == "END":
        break
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plays games in a thread of this process, in a temporary folder."""
    monkeypatch.chdir(tmp_path)

    @contextlib.contextmanager
    def threads(*_: object) -> Iterator[tuple[ThreadPoolExecutor, int]]:
        with ThreadPoolExecutor(1) as executor:
            yield executor, 1

    monkeypatch.setattr("arena.match.run.open_executor", threads)
    yield
    assert no_brain_is_left()


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """A fast engine as a command-line argument."""
    script = tmp_path / "switchable_fake_brain.py"
    script.write_text(BRAIN)
    return f"X={shlex.join([sys.executable, '-S', '-E', str(script)])}"


QUICK = ("--size", "6", "--turn", "60s")


def run(*words: str) -> int:
    """Runs the command; returns its exit code, also for argument errors."""
    parser = argparse.ArgumentParser(prog="tengen-arena")
    command.add_arguments(parser)
    try:
        return command.run(parser.parse_args(words))
    except SystemExit as exit_:
        assert isinstance(exit_.code, int)
        return exit_.code


def test_every_switch_of_the_engine_is_in_the_ablation_study() -> None:
    with Engine(memory_mib=1) as engine:
        names = engine.option_names()
    there = [name.removeprefix("prune.") for name in names if name.startswith("prune.")]
    assert len(there) >= 15
    assert sorted(SWITCHES) == sorted(there)


def test_each_step_has_all_of_the_one_before_and_something_more() -> None:
    steps = ablation_steps((2, 4))
    assert steps[0].on == frozenset() and steps[-1].on == set(SWITCHES)
    for before, step in pairwise(steps):
        assert step.added and step.on == before.on | set(step.added)
        assert not before.on & set(step.added)
    assert [step.depth for step in steps[:4]] == [2, 4, None, None]
    assert steps[2].added == ("deepening",)
    assert len({step.name for step in steps}) == len(steps)


def test_an_engine_is_told_every_switch() -> None:
    engine = EngineSpec("X", ("x",), info=(("thread_num", "1"),))
    plain, pruned = (step.engine(engine) for step in ablation_steps()[:2])
    assert dict(plain.extra_info) == {
        "max_depth": "2",
        "thread_num": "1",
        **{f"prune.{name}": "0" for name in SWITCHES},
    }
    assert dict(pruned.extra_info) == {
        **dict(plain.extra_info),
        "max_depth": "3",
        "prune.alphabeta": "1",
    }
    assert "max_depth" not in dict(ablation_steps()[-1].engine(engine).extra_info)


def test_a_deadline_is_shared_by_what_is_left() -> None:
    now = [0.0]
    deadline = Deadline(30, 3, lambda: now[0])
    deadline.next_step()
    now[0] = 9.9
    assert not deadline.is_over
    now[0] = 10
    assert deadline.is_over
    now[0] = 20  # the first took twice its share: the others have five seconds each
    deadline.next_step()
    assert not deadline.is_over
    now[0] = 25
    assert deadline.is_over
    assert not Deadline(None, 1).is_over


@pytest.mark.parametrize("score", [Score(9, 0, 0), Score(0, 0, 9), Score(5, 2, 3), Score(0, 4, 0)])
def test_what_is_drawn_is_finite_and_in_order(score: Score) -> None:
    value, low, high = reach(score)
    assert all(map(math.isfinite, (value, low, high)))
    assert low <= value <= high and low < high
    assert math.copysign(1, value) == math.copysign(1, score.wins - score.losses) or value == 0
    mirrored = reach(Score(score.losses, score.draws, score.wins))
    assert mirrored == pytest.approx((-value, -high, -low), abs=1e-6)


def test_wilsons_interval_is_the_published_one() -> None:
    # Newcombe 1998, table I: 81 of 263, Wilson's score interval 0.2553 to 0.3662.
    _, low, high = reach(Score(81, 0, 182))
    shares = [1 / (1 + 10 ** (-elo / 400)) for elo in (low, high)]
    assert shares == pytest.approx([0.2553, 0.3662], abs=5e-5)


def results() -> list[StepResult]:
    """Results of each kind."""
    steps = ablation_steps()
    return [
        StepResult(steps[0], Means(2.0, 4567.0)),
        StepResult(steps[1], Means(3.0, 5000.0), Score(24, 0, 0), 0.7, SprtResult.GOES_ON),
        StepResult(steps[2], Means(), Score(60, 20, 20), 3.0, SprtResult.H1),
        StepResult(steps[3], Means(5.25, 12.0), Score(10, 0, 30), -3.1, SprtResult.H0),
    ]


def test_the_table_says_what_came_of_each_step() -> None:
    text = markdown(results(), notes=["a note"], plot_name="l.svg")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1
    assert rows[2].startswith("| 0 plain negamax | `every prune.* = 0, max_depth=2` | 2.0 | 4,567 ")
    assert re.search(r"\+24 =0 -0 \| above \+\d+ \| \+0\.70 \| undecided, LOS 100.0% \|$", rows[3])
    assert re.search(r"\| - \| - \| \+60 =20 -20 \| \+147\.\d ± \d+\.\d \| .*H1\) \|$", rows[4])
    assert rows[5].endswith("not stronger (H0) |") and "-190.8" in rows[5]
    assert "(l.svg)" in text and text.endswith("- a note\n")


def test_the_plot_is_a_picture_of_every_step() -> None:
    root = ElementTree.fromstring(plot(results()))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert [t for t in texts if t and re.match(r"\d [a-z]", t)] == [
        f"{step.number} {step.title}" for step in ablation_steps()[:4]
    ]
    width = float(root.attrib["width"])
    assert len(list(root.iter(f"{SVG}circle"))) == 3
    bars = list(root.iter(f"{SVG}rect"))[1:]
    assert len(bars) == 6  # one step reported neither depth nor nodes
    for bar in bars:
        assert 0 <= float(bar.attrib["width"]) < width / 3
    for dot in root.iter(f"{SVG}circle"):
        assert 0 < float(dot.attrib["cx"]) < width
    assert ElementTree.fromstring(plot(results()[:1])) is not None


def test_an_ablation_study_is_played_written_and_resumed(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ablation_steps()[:4]
    monkeypatch.setattr(command, "ablation_steps", lambda depths: few)
    words = (engine, "--games", "2", "--out", "L", "--write", "doc/l.md", "--note", "Loud.", *QUICK)
    assert run(*words) == 0
    text = (tmp_path / "doc" / "l.md").read_text()
    rows = [line for line in text.splitlines() if re.match(r"\| \d ", line)]
    # The brain reports its depth limit, or 10 plus its number of switches, and 100 nodes for each.
    assert [row.split(" | ")[2:4] for row in rows] == [
        ["2.0", "100"],
        ["3.0", "200"],
        ["12.0", "300"],
        ["13.0", "400"],
    ]
    assert text.endswith("- Loud.\n") and "\n- 6 games count; 0 forfeited games do not" in text
    ElementTree.fromstring((tmp_path / "doc" / "l.svg").read_text())
    games = {step.name: read_store(Path("L") / step.name / "games.jsonl") for step in few}
    assert [len(games[step.name]) for step in few] == [0, 2, 2, 2]

    assert run(*words) == 2
    assert "L already has games" in capsys.readouterr().err
    before = (Path("L") / few[1].name / "games.jsonl").read_bytes()
    assert run(*words, "--resume", "--games", "4") == 0
    after = (Path("L") / few[1].name / "games.jsonl").read_bytes()
    assert after.startswith(before) and after.count(b"\n") == 4
    assert run(*words, "--resume", "--turn", "4s") == 2
    assert "turn_ms was 60000 and is now 4000" in capsys.readouterr().err


def test_when_its_time_is_up_the_study_writes_the_finished_steps(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few: tuple[Step, ...] = ablation_steps()[:3]
    monkeypatch.setattr(command, "ablation_steps", lambda depths: few)
    assert run(engine, "--games", "1000", "--budget", "1ms", "--out", "L", *QUICK) == 0
    rows = re.findall(r"^\| \d .*$", Path("L/ablation.md").read_text(), re.MULTILINE)
    assert len(rows) == 3 and all(row.endswith("| - | - | - | - |") for row in rows)


def test_a_step_ends_when_the_test_has_decided(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ablation_steps()[:2]
    monkeypatch.setattr(command, "ablation_steps", lambda depths: few)
    # Both sides play alike, so pairs end 1:1, far from 400 Elo.
    test = ("--elo1", "400", "--alpha", ".4", "--beta", ".4", "--games", "1000")
    assert run(engine, *test, "--out", "L", *QUICK) == 0
    assert "not stronger (H0)" in Path("L/ablation.md").read_text()
    assert 2 <= len(read_store(Path("L") / few[1].name / "games.jsonl")) < 20


def test_resume_finds_the_default_folder_of_older_versions(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ablation_steps()[:2]
    monkeypatch.setattr(command, "ablation_steps", lambda depths: few)
    old, new = Path("arena-games/ladder"), Path("arena-games/ablation")
    assert run(engine, "--games", "2", *QUICK) == 0
    new.rename(old)
    assert run(engine, "--games", "4", "--resume", *QUICK) == 0
    assert len(read_store(old / few[1].name / "games.jsonl")) == 4 and not new.exists()


def test_ctrl_c_leaves_the_steps_so_far(
    engine: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.run.runner.Runner.interrupted", property(lambda self: True))
    assert run(engine, "--games", "2", "--out", "L", *QUICK) == 130
    assert "the same command continues with --resume --out L" in capsys.readouterr().out
    rows = re.findall(r"^\| \d .*$", Path("L/ablation.md").read_text(), re.MULTILINE)
    assert len(rows) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--depths", "2"), "'2': expected two depths, e.g. 2,3"),
        (("--depths", "0,3"), "'0,3': depths are from 1 to 100"),
        (("--elo0", "5", "--elo1", "5"), "--elo0, elo1: 5 is not less than 5"),
        (("--write", "x.svg"), "the plot has this name"),
        (("--openings", "none.txt"), "--openings: none.txt: cannot be read"),
        (("--turn", "50"), "'50': expected a time with its unit"),
    ],
)
def test_what_cannot_be_is_said(
    engine: str, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(engine, *words) == 2
    assert said in capsys.readouterr().err
