"""`--weights PATH`: the brain plays with the file that it is given, or says why it cannot."""

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import build_weights
from pyengine import Engine, Limits, Rule
from tests.support.brains import ALL_PLAYERS
from tests.support.paths import ROOT
from tests.support.protocol_runner import MODULE, Brain

NODES = 3000
BLACK, WHITE = [(7, 7), (8, 8), (5, 9)], [(8, 7), (6, 9), (9, 6)]


def candidate(folder: Path, rule: Rule) -> Path:
    """Weights that move otherwise than the built-in ones."""
    weights = build_weights.read(build_weights.ASSETS / build_weights.file_name(rule))
    tables = [{**codes, "attack": codes["defence"]} for codes in weights.codes]
    return build_weights.write(folder, replace(weights, codes=tables, shapes=None, policy=None))


def searched(weights: Path | None, rule: Rule) -> tuple[str, int]:
    """The move and its score by the engine itself."""
    with Engine(rule=rule, weights=weights, memory_mib=16) as engine:
        for pair in zip(BLACK, WHITE, strict=True):
            for move in pair:
                engine.play(move)
        result = engine.search(Limits(nodes=NODES))
        return "{},{}".format(*result.move), result.score


def played(brain: Brain) -> str:
    """The brain's move in the same position."""
    own = [f"{x},{y},1" for x, y in BLACK]
    other = [f"{x},{y},2" for x, y in WHITE]
    pairs = [line for pair in zip(own, other, strict=True) for line in pair]
    return brain.ask(f"INFO max_node {NODES}", "INFO timeout_turn 60000", "BOARD", *pairs, "DONE")


@ALL_PLAYERS
def test_the_brain_plays_with_the_file(command: Sequence[str], tmp_path: Path) -> None:
    path = candidate(tmp_path, Rule.FREESTYLE)
    own, builtin = searched(path, Rule.FREESTYLE), searched(None, Rule.FREESTYLE)
    assert own != builtin
    for arguments, expected in ((["--weights", str(path)], own), ([], builtin)):
        with Brain((*command, *arguments)) as brain:
            assert brain.ask("START 15") == "OK"
            assert played(brain) == expected[0]
            assert any(f" ev {expected[1]} " in line for line in brain.transcript)


@ALL_PLAYERS
def test_a_file_names_the_rule_and_another_one_is_an_error(
    command: Sequence[str], tmp_path: Path
) -> None:
    """A manager sends INFO rule after START, so START alone takes the rule of the file."""
    path = candidate(tmp_path, Rule.RENJU)
    with Brain((*command, "--weights", str(path))) as brain:
        assert brain.ask("START 15") == "OK"
        assert played(brain) == searched(path, Rule.RENJU)[0]
        said = brain.ask("INFO rule 0", "START 15")
        assert said == f"ERROR {path}: weights for rule 4 (renju), not for rule 0 (freestyle)"
        assert brain.ask("INFO rule 4", "START 15") == "OK"
        assert played(brain) == searched(path, Rule.RENJU)[0]
        assert brain.ask("INFO rule 8", "START 15").startswith(f"ERROR {path}: weights for rule 4")
        assert brain.ask("INFO rule 4", "START 20") == "OK"


def test_a_folder_serves_all_rules(tmp_path: Path) -> None:
    for rule in (Rule.FREESTYLE, Rule.CARO):
        candidate(tmp_path, rule)
    with Brain((*MODULE, "--weights", str(tmp_path))) as brain:
        for rule in (Rule.CARO, Rule.FREESTYLE):
            assert brain.ask(f"INFO rule {rule.value}", "START 15") == "OK"
            assert played(brain) == searched(tmp_path, rule)[0]
        said = brain.ask("INFO rule 16", "START 15")
        assert said == f"ERROR {tmp_path / 'ninuki.tgw'}: cannot be read: No such file or directory"


def test_a_folder_with_one_file_begins_with_its_rule(tmp_path: Path) -> None:
    path = candidate(tmp_path, Rule.RENJU)
    (tmp_path / "notes.txt").write_text("of today")
    with Brain((*MODULE, "--weights", str(tmp_path))) as brain:
        assert brain.ask("START 15") == "OK"
        assert played(brain) == searched(path, Rule.RENJU)[0]
        said = brain.ask("INFO rule 0", "START 15")
        assert said.startswith(f"ERROR {tmp_path / 'freestyle.tgw'}: cannot be read")


@ALL_PLAYERS
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a weights file"),
        (b"#!/bin/sh\n" * 20, "not a weights file"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_file_that_is_none(
    command: Sequence[str], tmp_path: Path, data: bytes | None, said: str
) -> None:
    path = tmp_path / "a file.tgw"
    if data is not None:
        path.write_bytes(data)
    done = subprocess.run(
        [*command, "--weights", str(path)],
        cwd=ROOT,
        input="START 15\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, f"ERROR {path}: {said}\n")


def test_a_path_is_needed() -> None:
    done = subprocess.run(
        [*MODULE, "--weights"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--weights takes the path of a weights file or of a folder\n")


@pytest.mark.parametrize("command", ["TURN 0,0", "BEGIN", "START 15"])
def test_a_rule_without_weights_ends_the_game(tmp_path: Path, command: str) -> None:
    """The engine never plays with other weights than the named ones."""
    path = candidate(tmp_path, Rule.RENJU)
    with Brain((*MODULE, "--weights", str(path))) as brain:
        assert brain.ask("INFO rule 4", "START 15") == "OK"
        brain.ask("INFO timeout_turn 60000", f"INFO max_node {NODES}", "TURN 7,7")
        said = brain.ask("INFO rule 16", command)
        assert said == f"ERROR {path}: weights for rule 4 (renju), not for rule 16 (ninuki)"
        assert brain.ask("INFO rule 4", "START 15") == "OK"
        assert played(brain) == searched(path, Rule.RENJU)[0]
