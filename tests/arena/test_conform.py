"""Conformance: each fault of a brain is found, and gets each manager's verdict."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conformance import leaving, report
from arena.conformance.catalogue import SCENARIOS
from arena.conformance.positions import crowd
from arena.conformance.reading import Kind, read_about, read_line
from arena.conformance.scenario import Options, Result, find, run_scenario
from arena.conformance.topics import Topic
from arena.conformance.verdicts import FOUR, Found, Manager, Oddity, Verdict, late
from arena.conformance.wire import RawLine
from arena.engines.lines import Source
from arena.rules.grid import DIRECTIONS, Grid
from arena.rules.referee import Color, Position, Rule
from arena.util.exits import Exit
from tests.support.fakes import fake
from tests.support.paths import ROOT, SUPPORT
from tests.support.stopwatch import undisturbed

MODULE = (sys.executable, "-m", "protocol")
CONFIGURABLE = SUPPORT / "fakes" / "configurable_brain.py"
COMMAND = (sys.executable, "-m", "arena", "conform")


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def configurable(**keys: object) -> tuple[str, ...]:
    """Returns the command of a brain with these keys."""
    words = [f"{key}={value}" for key, value in keys.items()]
    return (sys.executable, "-S", "-E", str(CONFIGURABLE), *words)


def played(
    scenario: str, command: tuple[str, ...], *, patience_s: float = 5.0, announced: str = ""
) -> Result:
    """Returns the result of one scenario."""
    (found,) = [item for item in SCENARIOS if item.id == scenario]
    words = frozenset(announced.split())
    return run_scenario(found, Options(command, ROOT, patience_s, words))


def verdicts(result: Result) -> str:
    """Returns the verdicts of the four managers in the form of the matrix."""
    return " ".join(result.verdicts.get(who, Verdict.NOT_ASKED).text for who in FOUR)


# For each form of an answer: the verdicts of Piskvork, GomocupJudge, c-gomoku-cli and liskvork. A
# LOSS by time needs a wait, so those brains get little patience.
MATRIX: list[tuple[str, dict[str, object], str]] = [
    ("turn", {}, "ok ok ok ok"),
    ("turn", {"ok": r"OK\r\n"}, "ok ok ok ok"),
    ("turn", {"ok": r"ok\n"}, "ok ok LOSS LOSS"),
    ("turn", {"ok": r"OK \n"}, "LOSS ok LOSS ok"),
    ("turn", {"ok": r"OK - everything is good\n"}, "LOSS ok LOSS LOSS"),
    ("turn", {"ok": r"OK.\n"}, "LOSS ok LOSS LOSS"),
    ("start-banner", {"banner": r"Welcome\n"}, "LOSS ok ok LOSS"),
    ("start-banner", {"banner": r"MESSAGE welcome\n"}, "ok ok ok LOSS"),
    ("info-usual", {"info": r"OK\n"}, "LOSS ok ok LOSS"),
    ("info-usual", {"info": r"UNKNOWN key\n"}, "LOSS ok ok ok"),
    ("info-usual", {"info": r"ERROR key\n"}, "LOSS ok ok ok"),
    ("info-usual", {"info": r"MESSAGE thanks\n"}, "ok ok ok ok"),
    ("turn", {"info": r"UNKNOWN key\n"}, "LOSS ok ok ok"),
    ("memory-64", {"info": r"ERROR key\n"}, "LOSS ok - -"),
    ("turn", {"err": r"warning\n"}, "LOSS ok ok ok"),
    ("turn", {"err": r"DEBUG all is well\n"}, "ok ok ok ok"),
    ("turn", {"before": r"MESSAGE\n"}, "LOSS ok ok LOSS"),
    ("turn", {"before": r"DEBUG\n"}, "LOSS ok ok LOSS"),
    ("turn", {"before": r"MESSAGE \n"}, "ok ok ok LOSS"),
    ("turn", {"before": r"message hi\n"}, "ok ok ok LOSS"),
    ("turn", {"before": r"MESSAGE\thi\n"}, "LOSS ok ok ok"),
    ("turn", {"before": r"depth 3\n"}, "LOSS ok ok LOSS"),
    ("turn", {"before": r"INFO depth 3\n"}, "LOSS ok ok LOSS"),
    ("turn", {"before": r"\n"}, "ok ok ok LOSS"),
    ("turn", {"before": r"   \n"}, "LOSS ok ok LOSS"),
    ("turn", {"banner": r"\xef\xbb\xbf"}, "LOSS LOSS LOSS LOSS"),
    ("turn", {"form": r"{x}, {y}\n"}, "ok ok ok LOSS"),
    ("turn", {"form": r"{x} ,{y}\n"}, "LOSS ok LOSS LOSS"),
    ("turn", {"form": r"  {x},{y}\n"}, "ok ok ok LOSS"),
    ("turn", {"form": r"{x},{y}  \n"}, "ok ok LOSS LOSS"),
    ("turn", {"form": r"{x},{y} text\n"}, "ok LOSS LOSS LOSS"),
    ("turn", {"form": r"{x},{y};\n"}, "ok LOSS LOSS LOSS"),
    ("turn", {"form": r"{x},{y},1\n"}, "ok LOSS LOSS LOSS"),
    ("turn", {"form": r"+{x},0{y}\n"}, "ok ok ok ok"),
    ("turn", {"form": r"{x} {y}\n"}, "LOSS LOSS LOSS LOSS"),
    ("turn", {"form": r"h8\n"}, "LOSS LOSS LOSS LOSS"),
    ("turn", {"form": r"{x},{y}\r\n"}, "ok ok ok LOSS"),
    ("turn", {"form": r"{x},{y}\r"}, "ok LOSS LOSS LOSS"),
    ("turn", {"form": r"{x},{y}"}, "LOSS LOSS LOSS LOSS"),
    ("turn", {"form": r"{x},{y}\n{x},{y}\n"}, "LOSS LOSS LOSS LOSS"),
    ("turn", {"form": r"SUGGEST {x},{y}\n"}, "ok LOSS LOSS LOSS"),
    ("turn", {"form": r"MESSAGE 3,4\n{x},{y}\n"}, "ok ok ok ok"),
    ("turn", {"form": r"-1,{y}\n"}, "LOSS LOSS LOSS LOSS"),
    ("turn", {"form": r"ERROR no idea\n"}, "LOSS LOSS LOSS LOSS"),
    ("turn", {"lines": 6000}, "LOSS ok ok note"),
    ("turn", {"lines": 300}, "note ok ok ok"),
    ("start-gomocup", {"start": 3000}, "- LOSS - -"),
    ("start-piskvork", {"start": 1500}, "note - - -"),
    ("start-c-gomoku-cli", {"about": ""}, "- - LOSS -"),
    ("start-liskvork", {"about": ""}, "- - - LOSS"),
    ("start-liskvork", {"about": r"I am Configurable\n"}, "- - - LOSS"),
    ("start-liskvork", {"about": r"name=\"x\" and more\n"}, "- - - LOSS"),
    ("start-c-gomoku-cli", {"about": r"name=\"x, y\"\n"}, "- - note -"),
    ("time-30", {"think": 80}, "note note note LOSS"),
    ("idle", {}, "ok ok ok ok"),
    ("memory-64", {"hold": 80}, "LOSS LOSS - -"),
    ("takeback", {"ok": r"OK\n"}, "ok - - -"),
    ("end-idle", {"end": "never"}, "note note LOSS note"),
    ("end-idle", {"end": 600}, "note note note note"),
    ("end-idle", {"exit": 3}, "note note note note"),
    ("end-idle", {"orphan": 1}, "note note note note"),
]


MUTE = ({"form": r"{x},{y}\r"}, {"form": "{x},{y}"}, {"form": r"ERROR no idea\n"}, {"about": ""})


FAULTS: list[tuple[str, Oddity | None, str]] = [
    ("crash", Oddity.CRASH, "LOSS LOSS LOSS LOSS"),
    ("segfault", Oddity.CRASH, "LOSS LOSS LOSS LOSS"),
    ("traceback", Oddity.CRASH, "LOSS LOSS LOSS LOSS"),
    ("half-a-line", Oddity.UNENDED, "LOSS LOSS LOSS LOSS"),
    ("mute", Oddity.CRASH, "LOSS LOSS LOSS LOSS"),
    ("stall", Oddity.NO_MOVE, "LOSS LOSS LOSS LOSS"),
    ("unended", Oddity.UNENDED, "LOSS LOSS LOSS LOSS"),
    ("flood", Oddity.MANY_MESSAGES, "LOSS LOSS LOSS LOSS"),
    ("occupied", Oddity.ILLEGAL, "LOSS LOSS LOSS LOSS"),
    ("twice", Oddity.TWO_ANSWERS, "LOSS LOSS LOSS LOSS"),
    ("on-stderr", Oddity.STDERR, "LOSS ok ok ok"),
    ("start-crash", Oddity.CRASH, "LOSS LOSS LOSS LOSS"),
    ("start-stall", Oddity.NO_OK, "LOSS LOSS LOSS LOSS"),
    ("none", None, "ok ok ok ok"),
]


def play_row(row: tuple[str, dict[str, object], str]) -> Result:
    scenario, keys, _ = row
    return played(scenario, configurable(**keys), patience_s=0.8 if keys in MUTE else 8.0)


def play_fault(row: tuple[str, Oddity | None, str]) -> Result:
    return played("turn", tuple(fake(row[0], at=1, ms=50)), patience_s=1.5)


@pytest.fixture(scope="module")
def results() -> Iterator[dict[str, list[Result]]]:
    """The result of each row. The rows mostly wait, so they are played side by side."""
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(6) as pool:
        patch.setattr(leaving, "NEVER_S", 1.2)
        matrix, faults = pool.map(play_row, MATRIX), pool.map(play_fault, FAULTS)
        yield {"matrix": list(matrix), "faults": list(faults)}


@pytest.mark.parametrize("row", range(len(MATRIX)), ids=[f"{row[0]} {row[1]}" for row in MATRIX])
def test_the_matrix(row: int, results: dict[str, list[Result]]) -> None:
    def is_good(result: Result) -> bool:
        return verdicts(result) == MATRIX[row][2]

    result = results["matrix"][row]
    if not is_good(result):  # six others at the same time
        result = undisturbed(lambda: play_row(MATRIX[row]), is_good)
    assert verdicts(result) == MATRIX[row][2], result


def test_a_long_message_is_too_long_for_one_manager() -> None:
    before = "MESSAGE " + "x" * 2500 + r"\n"
    assert verdicts(played("turn", configurable(before=before))) == "ok ok ok LOSS"


@pytest.mark.parametrize("row", range(len(FAULTS)), ids=[row[0] for row in FAULTS])
def test_each_fault_of_a_broken_brain(row: int, results: dict[str, list[Result]]) -> None:
    _, oddity, expected = FAULTS[row]

    def is_good(result: Result) -> bool:
        return verdicts(result) == expected

    result = results["faults"][row]
    if not is_good(result):
        result = undisturbed(lambda: play_fault(FAULTS[row]), is_good)
    assert verdicts(result) == expected, result
    kinds = [found.oddity for found in result.founds]
    assert kinds == [] if oddity is None else oddity in kinds


def test_a_configurable_brain_has_no_fault_but_its_weakness() -> None:
    """The brain knows no win and no forbidden square; its protocol has no fault."""
    strength = ("zip-", "renju-", "caro-", "standard-", "win-")
    # These oddities follow from the brain itself: one thread, an interpreter, only waiting.
    other = ("start-elsewhere", "queue", "turn-at-once", "end-thinking", "memory-350", "messages")
    wanted = [
        scenario
        for scenario in SCENARIOS
        if not scenario.extension and not scenario.id.startswith((*strength, *other))
    ]
    assert len(wanted) > 50
    with ThreadPoolExecutor(6) as pool:
        results = pool.map(lambda item: run_scenario(item, Options(configurable(), ROOT)), wanted)
    for result in results:
        # Four at once on a busy machine may be late; other tests check lateness.
        kinds = {found.oddity for found in result.founds} - {Oddity.LATE}
        assert not kinds, result


def test_words_after_the_end_are_noted() -> None:
    result = played("end-idle", tuple(fake("talks-after-end")))
    assert [found.oddity for found in result.founds] == [Oddity.AFTER_END]
    assert verdicts(result) == "note note note note"


def test_weak_play_is_told_apart_from_a_fault() -> None:
    zip_tester = played("zip-freestyle", configurable())
    assert [found.oddity for found in zip_tester.founds] == [Oddity.ZIP_MOVE]
    assert verdicts(zip_tester) == "note LOSS note note"
    forbidden = played("renju-double-three", configurable())
    assert [found.oddity for found in forbidden.founds] == [Oddity.FORBIDDEN], forbidden
    assert verdicts(forbidden) == "LOSS LOSS LOSS -"
    missed = played("win-row", configurable())
    assert verdicts(missed) == "note note note note"


def test_an_extension_is_judged_only_when_it_is_announced() -> None:
    quiet = played("swap2-3", configurable())
    assert [found.oddity for found in quiet.founds] == [Oddity.EXTENSION]
    assert quiet.verdicts == {}
    judged = played("swap2-3", configurable(), announced="swap2")
    assert judged.verdicts == {Manager.ANNOUNCED: Verdict.LOSS}


def test_what_lies_between_is_late_for_some() -> None:
    for over, expected in ((0, ""), (5, "note note note LOSS"), (1200, "LOSS LOSS note LOSS")):
        found = late(over, "")
        words = "" if found is None else " ".join(found.verdict(who).text for who in FOUR)
        assert words == expected
    once = late(5, "", once=True)
    assert once is not None
    assert once.verdict(Manager.LISKVORK) is Verdict.NOTE


@pytest.mark.parametrize("count", [0, 60, 222, 224, 225])
def test_a_crowd_has_no_line_and_the_brain_to_move(count: int) -> None:
    stones = crowd(15, count)
    assert len({(x, y) for x, y, _ in stones}) == count
    own = sum(field == 1 for _, _, field in stones)
    assert count - own - own in (0, 1)
    assert [field for _, _, field in stones][-1:] in ([], [2])
    grid = Grid(size=15)
    for x, y, field in stones:
        grid.put((x, y), "B" if field == 1 else "W")
    lines = [
        grid.run((x, y), step, Color.BLACK if field == 1 else Color.WHITE).length
        for x, y, field in stones
        for step in DIRECTIONS
    ]
    assert max(lines, default=0) < 3


def test_the_forbidden_squares_of_the_scenarios_are_forbidden() -> None:
    """The referee also forbids the forbidden square of each scenario."""
    position = Position(size=15, rule=Rule.RENJU)
    position.set_position(black=[(6, 7), (8, 7), (7, 6), (7, 8)])
    assert position.forbidden() == [(7, 7)]
    position.set_position(
        black=[(6, 6), (8, 8), (6, 8), (8, 6), (2, 7)], white=[(x, 7) for x in (3, 4, 5, 6)]
    )
    assert position.forbidden() == [(7, 7)]


@given(data=st.binary(max_size=60), ended=st.booleans(), err=st.booleans())
def test_any_line_can_be_read(data: bytes, ended: bool, err: bool) -> None:
    source = Source.ERR if err else Source.OUT
    line = RawLine(source, data, 0.0, ended)
    reading = read_line(line)
    assert reading.kind in vars(Kind).values()
    assert line.text.isascii() and "\n" not in line.text
    clean = Found(Oddity.CRASH).text
    assert clean == Oddity.CRASH.text
    read_about(data.decode("latin-1"))


def test_every_scenario_can_be_found_and_every_oddity_has_a_row() -> None:
    ids = [scenario.id for scenario in SCENARIOS]
    assert len(set(ids)) == len(ids)
    assert [item.id for item in find(SCENARIOS, ["end-idle", "swap2-"])] == [
        "end-idle",
        "swap2-0",
        "swap2-3",
        "swap2-5",
    ]
    assert list(find(SCENARIOS, ())) == list(SCENARIOS)
    with pytest.raises(KeyError, match="nonsense"):
        find(SCENARIOS, ["end-", "nonsense"])
    assert all(set(oddity.verdicts) == set(FOUR) for oddity in Oddity)
    assert len(report.listing(SCENARIOS)) == len(SCENARIOS)


# The real brain, and the command


def conform(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs the command as a person does."""
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=600, cwd=ROOT
    )


QUICK = (
    "start-piskvork,start-gomocup,start-c-gomoku-cli,start-liskvork,info-rule-unknown,"
    "board-field-3,full-board,takeback,renju-double-four,stop-timeout-0,swap2-3,yx-forbid"
)


def test_our_own_brain_is_all_green() -> None:
    command = shlex.join(MODULE)
    done = undisturbed(
        lambda: conform(command, "--only", QUICK, "--announced", "all", "--json"),
        lambda done: done.returncode == 0,
    )
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["losses"] == {who.value: [] for who in Manager}, done.stdout
    assert done.returncode == 0
    assert len(found["scenarios"]) == QUICK.count(",") + 1
    assert all(scenario["talk"] for scenario in found["scenarios"])


def test_a_loss_is_told_and_counts() -> None:
    brain = shlex.join(configurable(form=r"{x},{y},1\n"))
    done = conform(brain, "--only", "turn,unknown")
    assert done.returncode == Exit.FOUND_WRONG
    assert "LOSS (GomocupJudge, c-gomoku-cli, liskvork)" in done.stdout
    assert "> TURN 7,7" in done.stdout
    assert "[topic: answers]" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no/such/brain"], "no such file"),
        ([], "EXE is missing"),
        (["ls", "--only", "no-such-scenario"], "no-such-scenario"),
        (["ls", "--announced", "chess"], "chess"),
        (["ls", "--cwd", "/no/such/folder"], "is not a folder"),
        (["ls", "--patience-ms", "soon"], "soon"),
    ],
)
def test_wrong_arguments_are_told(arguments: list[str], words: str) -> None:
    done = conform(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_program_that_is_no_brain_loses_everywhere() -> None:
    done = conform("true", "--only", "turn,start-piskvork")
    assert done.returncode == Exit.FOUND_WRONG
    assert "the process has ended" in done.stdout


def test_the_list_needs_no_brain() -> None:
    done = conform("--list", "--only", "end-")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        item.id for item in SCENARIOS if item.id.startswith("end-")
    ]


def test_the_help_explains_every_topic_in_use() -> None:
    """Each topic that a report or --list can print has a line in the help text, and is used."""
    used = {item.topic for item in SCENARIOS} | {oddity.topic for oddity in Oddity}
    assert used == set(Topic)
    lines = conform("--help").stdout.splitlines()
    for topic in Topic:
        assert any(line.split(topic.value)[0] == "  " and topic.text in line for line in lines)


@pytest.mark.soak
def test_the_whole_conformance_of_the_executable(executable: Path) -> None:
    done = conform(str(executable), "--announced", "all", "--json")
    found = json.loads(done.stdout)
    assert found["losses"] == {who.value: [] for who in Manager}, done.stdout
    assert done.returncode == 0
