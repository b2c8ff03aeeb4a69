"""`sprt`: when it stops, what it says, and what decides nothing."""

import re
from pathlib import Path

import pytest

from arena.cli import sprt
from arena.util.exits import Exit
from tests.support.matches import QUICK, named, run

SPRT = ("--elo0", "0", "--elo1", "300", "--count-forfeits", *QUICK)

pytestmark = pytest.mark.usefixtures("in_tmp_path", "nothing_is_left")


@pytest.mark.parametrize("model", [(), ("--trinomial",), ("--normalized", "--trinomial")])
def test_a_test_stops_by_itself_and_says_why(
    model: tuple[str, ...], in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = named("GOOD"), named("BAD", "crash", at=1)
    assert run(sprt, good, bad, *SPRT, *model) == 0
    out = capsys.readouterr().out
    name = "trinomial" if model else "pentanomial"
    found = re.search(rf"SPRT +{name} LLR \+(\S+) \[-2\.944, \+2\.944\] H1 accepted", out)
    assert found and float(found[1]) >= 2.944
    assert ("nElo [0, 300]" in out) is ("--normalized" in model)
    assert run(sprt, bad, good, *SPRT, *model) == Exit.H0_ACCEPTED
    assert "H0 accepted" in capsys.readouterr().out


def test_a_test_may_end_undecided_and_is_resumed(
    in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = named("GOOD"), named("BAD", "crash", at=1)
    assert run(sprt, good, bad, *SPRT, "--games", "4") == Exit.UNDECIDED
    out = capsys.readouterr().out
    assert re.search(r"^SPRT .* undecided ", out, re.M)
    assert "do not trust the Elo, which includes them" in out
    assert run(sprt, good, bad, *SPRT, "--resume") == 0
    capsys.readouterr()
    # The test is decided: --resume plays no further games.
    store = Path("arena-games/GOOD-BAD-001/games.jsonl")
    before = store.read_bytes()
    assert run(sprt, good, bad, *SPRT, "--resume") == 0
    assert store.read_bytes() == before


def test_forfeits_decide_no_test_and_end_it(
    in_here: None, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = named("GOOD"), named("BAD", "crash", at=1)
    words = ("--elo0", "0", "--elo1", "300", *QUICK)
    assert run(sprt, good, bad, *words) == Exit.FORFEITED
    out = capsys.readouterr().out
    found = re.search(r"^forfeits +(\d+) of \1 games \(BAD: crash \1\)", out, re.M)
    assert found and 10 <= int(found[1]) <= 12
    assert "LLR +0.000 [-2.944, +2.944] undecided" in out
    assert f"stopped: {found[1]} of {found[1]} games were forfeited" in out


def test_a_test_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(sprt, named("A"), named("B"), "--elo0", "5", "--elo1", "0") == 2
    assert "--elo0, elo1: 5 is not less than 0" in capsys.readouterr().err
