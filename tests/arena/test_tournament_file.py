"""TOML files of tournaments and their faults; anchors on the command line."""

import argparse
import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.rules.referee import Rule
from arena.tournament.arguments import anchor_argument
from arena.tournament.file import plan_from, read_draft
from arena.tournament.tournament import PlanError

GOOD = """\
name = "Home cup"
preset = "standard"
games = 4
turn = "50ms"
openings = "none"

[[engine]]
name = "A"
command = "./brain.sh --fast 'two words'"
nodes = 5000
cwd = "."

[[engine]] # with more
name = "B"
command = ["./brain.sh"]
elo = 1500

[engine.info]
level = 3
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    brain = tmp_path / "brain.sh"
    brain.write_text("#!/bin/sh\n")
    brain.chmod(0o755)
    path = tmp_path / "cup.toml"
    path.write_text(GOOD)
    return path


def test_a_file_is_read(cup: Path) -> None:
    made = plan_from(read_draft(cup))
    brain = str(cup.with_name("brain.sh"))
    one, other = made.engines
    assert one.command == (brain, "--fast", "two words")
    assert (one.nodes, one.cwd) == (5000, str(cup.parent))
    assert (other.command, other.info) == ((brain,), (("level", "3"),))
    assert made.anchors == (("B", 1500.0),)
    assert (made.name, made.games, made.total) == ("Home cup", 4, 4)
    assert (made.settings.rule, made.settings.turn_ms) == (Rule.STANDARD, 50)
    assert made.manager.name == "gomocup"


@pytest.mark.parametrize(
    "old,new,words",
    [
        ("games = 4", "games = 4x", r"cup.toml, line 3, .*: expected TOML"),
        ("games = 4", "games = 0", r"line 3: games: 0: expected a whole number from 1"),
        ("games = 4", 'games = "4"', r"line 3: games: '4': expected a whole number"),
        ("games = 4", "games = true", r"line 3: games: True: expected a whole number"),
        ("games = 4", "gams = 4", r"line 3: gams: unknown key; known: .*games"),
        ('"50ms"', '"soon"', r"line 4: turn: 'soon': expected a time with its unit"),
        ('"50ms"', "50", r"line 4: turn: 50: expected a time with its unit"),
        ('"standard"', '"chess"', r"line 2: preset: 'chess': expected one of .*renju"),
        ('"none"', '"no.txt"', r"line 5: openings: .*no.txt: no such file"),
        ('"none"', '"cup.toml"', r"cup.toml: openings: .*cup.toml:1: "),
        ("games = 4", "rule = 3", r"line 3: rule: 3: expected a rule: freestyle"),
        ("games = 4", "like = 'x'", r"line 3: like: 'x': expected one of strict, piskvork"),
        ("games = 4", "memory = 'x'", r"line 3: memory: 'x': expected MiB"),
        ("games = 4", "kind = 'swiss'", r"line 3: kind: .*expected one of round-robin"),
        ("games = 4", "challenger = 'A'", r"line 3: challenger: only a gauntlet has one"),
        ("games = 4", "size = 4", r"line 3: size: 4: expected a whole number from 5 to 22"),
        ("5000", "0", r"line 10: engine 1, nodes: 0: expected a whole number from 1"),
        ('cwd = "."', 'cwd = "x"', r"line 11: engine 1, cwd: 'x': no such folder"),
        ('name = "B"', 'nam = "B"', r"line 13: engine 2, name: is missing: expected a text"),
        ('name = "B"', 'name = " "', r"line 14: engine 2, name: is empty"),
        ('name = "B"', 'name = "A"', r"cup.toml: engine: 'A' and 'A': expected different names"),
        ('["./brain.sh"]', '"./no.sh"', r"line 15: engine 2, command: .*no such file"),
        ('["./brain.sh"]', "[]", r"line 15: engine 2, command: is missing: expected a"),
        ('["./brain.sh"]', "\"./brain.sh '\"", r"line 15: engine 2, command: No closing quot"),
        ("1500", "'high'", r"line 16: engine 2, elo: 'high': expected a number"),
        ("1500", "inf", r"line 16: engine 2, elo: inf: expected a number"),
        ("level = 3", "level = [3]", r"line 18: engine 2, info: level = \[3\]: expected a text"),
        ("level = 3", "'a b' = 3", r"line 18: engine 2, info: .*expected KEY=VALUE"),
        ("[[engine]]", "[[engin]]", r"engine: .*: expected tables that begin with"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_told(cup: Path, old: str, new: str, words: str) -> None:
    assert old in GOOD
    cup.write_text(GOOD.replace(old, new))
    with pytest.raises(PlanError, match=words) as caught:
        plan_from(read_draft(cup))
    assert str(caught.value).startswith(str(cup))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"nothing.toml: cannot be read: No such file"):
        read_draft(tmp_path / "nothing.toml")
    with pytest.raises(PlanError, match="cannot be read: Is a directory"):
        read_draft(tmp_path)
    (tmp_path / "odd.toml").write_bytes(b"name = 'a'\nkind = '\xff'\n")
    with pytest.raises(PlanError, match=r"odd.toml, line 2: expected UTF-8"):
        read_draft(tmp_path / "odd.toml")


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(GOOD) - 1), st.integers(0, 4), st.text("[]{}=\"'.,#-0\n é\0", max_size=3))
def test_a_damaged_file_is_read_or_refused(cup: Path, at: int, cut: int, added: str) -> None:
    cup.write_text(GOOD[:at] + added + GOOD[at + cut :], encoding="utf-8")
    with contextlib.suppress(PlanError):
        assert plan_from(read_draft(cup)).total > 0


def test_anchors_on_the_command_line() -> None:
    assert anchor_argument("rapfi=2100") == ("rapfi", 2100.0)
    assert anchor_argument("a=b = -12.5") == ("a=b", -12.5)
    for text in ("rapfi", "=5", "rapfi=", "rapfi=high", "rapfi=nan", "rapfi=1e9"):
        with pytest.raises(argparse.ArgumentTypeError, match="expected NAME=ELO"):
            anchor_argument(text)
