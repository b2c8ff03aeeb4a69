"""Openings made by search: random candidates, selection, and interrupted runs."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.engines.spec import EngineSpec
from arena.openings import maker as opening_maker
from arena.openings.book import OpeningError, read_openings
from arena.openings.maker import Judge, Recipe, Style, draw_opening, make_openings
from arena.rules.referee import Position, Rule
from arena.rules.symmetry import turned
from tests.support.fakes import no_brain_is_left
from tests.support.openings import TELLS, points, scorer, to_edge, written
from tests.support.paths import ROOT

LOW = 100


# Drawing


@pytest.mark.parametrize("rule", [Rule.RENJU, Rule.NINUKI])
@pytest.mark.parametrize("style", Style)
def test_draws_are_legal_short_and_in_their_place(rule: Rule, style: Style) -> None:
    recipe = Recipe(rule, 15)
    for number in range(6):
        for stones in (3, 7):
            position = draw_opening(recipe, number, style, stones)
            assert position is not None
            assert len(position.moves) == stones == len(position.stones)
            assert not position.is_over
            first = position.moves[0]
            if style is Style.CENTRE:
                assert to_edge(first, 15) == 7 if rule is Rule.RENJU else to_edge(first, 15) >= 6
            else:
                assert (to_edge(first, 15) <= 2) == (style is Style.EDGE)
            again = draw_opening(recipe, number, style, stones)
            assert again is not None and again.moves == position.moves


def test_draws_fit_the_smallest_board() -> None:
    for number in range(10):
        for style in Style:
            position = draw_opening(Recipe(Rule.FREESTYLE, 5), number, style, 7)
            assert position is None or not position.is_over


def recipe(**changes: object) -> Recipe:
    """Returns a recipe for the scorer."""
    values: dict[str, object] = {"rule": Rule.FREESTYLE, "size": 15, "nodes": 100}
    values |= {"confirm_nodes": 300, "max_score": LOW, **changes}
    return Recipe(**values)  # type: ignore[arg-type]


def journal_of(path: Path) -> list[dict[str, object]]:
    """Returns the candidates of a journal."""
    lines = path.with_name(path.name + ".journal").read_text(encoding="ascii").splitlines()
    return [json.loads(line) for line in lines[1:]]


def test_balanced_openings_are_kept_and_others_are_not(tmp_path: Path) -> None:
    path = tmp_path / "made.txt"
    made = make_openings(scorer(tmp_path), recipe(), path, count=22)
    assert (made.kept, made.gave_up) == (22, False)
    assert len(read_openings(path, size=15)) == 22
    candidates = journal_of(path)
    assert len(candidates) == made.tried > 22
    for candidate in candidates:
        scores = candidate["scores"]
        assert isinstance(scores, list)
        passed = [
            abs(score) <= limit for score, limit in zip(scores, (3 * LOW, LOW, LOW), strict=False)
        ]
        assert candidate["kept"] == (len(passed) == 3 and all(passed))
        assert all(passed[:-1])  # the first failure is the last one made
    assert {len(moves) for moves in read_openings(path, size=15)} == {3, 4, 5, 6, 7}
    assert no_brain_is_left()


def test_a_draw_that_is_there_already_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = points("7,7", "8,9", "6,5")
    copy = tuple(turned(point, 15, 5) for point in reversed(first))
    draws = [first, copy, points("7,7", "8,9")]

    def drawn(_: Recipe, number: int, *__: object) -> Position:
        position = Position(size=15, rule=Rule.FREESTYLE)
        for move in draws[number]:
            position.play(move)
        return position

    monkeypatch.setattr(opening_maker, "draw_opening", drawn)
    path = tmp_path / "made.txt"
    make_openings(scorer(tmp_path, "value = 0; " + TELLS), recipe(), path, count=2)
    assert read_openings(path, size=15) == [draws[0], draws[2]]
    assert [(e["scores"], e["kept"]) for e in journal_of(path)] == [
        ([0, 0, 0], True),
        ([], False),
        ([0, 0, 0], True),
    ]


def test_a_length_without_balance_is_left_after_some_tries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_maker, "TRIES", 4)
    path = tmp_path / "made.txt"
    behaviour = "value = 999 if len(stones) == 3 else 0; " + TELLS
    make_openings(scorer(tmp_path, behaviour), recipe(), path, count=9)
    lengths = [len(str(entry["moves"]).split("], [")) for entry in journal_of(path)]
    assert lengths == [3, 3, 3, 3, 4, 5, 6, 7] * 2 + [3, 3, 3, 3, 4]


def test_each_search_starts_from_scratch_with_its_nodes(tmp_path: Path) -> None:
    path = tmp_path / "heard.txt"
    note = f"open({str(path)!r}, 'a').write(f'{{asked}} {{nodes}} {{len(stones)}}\\n')"
    engine = scorer(tmp_path, f"{note}; {TELLS}")
    with Judge(engine, recipe(max_score=10_000)) as judge:
        position = Position(size=15, rule=Rule.FREESTYLE)
        position.play((7, 7))
        assert judge.is_balanced(position)[0]
    assert path.read_text() == "1 10 1\n2 100 1\n3 300 1\n"


def test_a_break_changes_nothing(tmp_path: Path) -> None:
    engine = scorer(tmp_path)
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    make_openings(engine, recipe(), whole, count=15)
    make_openings(engine, recipe(), parts, count=4)
    journal = parts.with_name("parts.txt.journal")
    # As after an interruption: half a line in one file, and missing lines.
    parts.write_bytes(parts.read_bytes()[:-30])
    make_openings(engine, recipe(), parts, count=9)
    journal.write_bytes(journal.read_bytes()[:-7])
    parts.write_bytes(b"".join(parts.read_bytes().splitlines(keepends=True)[:-1]))
    make_openings(engine, recipe(), parts, count=15)
    assert parts.read_bytes() == whole.read_bytes()
    assert journal.read_bytes() == whole.with_name("whole.txt.journal").read_bytes()
    # All openings exist: the engine is not asked.
    idle = EngineSpec("scorer", ("/there/is/no/such/program",))
    assert make_openings(idle, recipe(), parts, count=15).kept == 15
    assert parts.read_bytes() == whole.read_bytes()


def test_a_killed_maker_goes_on(tmp_path: Path) -> None:
    engine = scorer(tmp_path)
    whole, killed = tmp_path / "whole.txt", tmp_path / "killed.txt"
    make_openings(engine, recipe(), whole, count=10)
    program = f"""
import os, signal
from pathlib import Path
from arena.engines.spec import EngineSpec
from arena.openings.maker import Recipe, make_openings
from arena.rules.referee import Rule
die = lambda number, _: number == 5 and os.kill(os.getpid(), signal.SIGKILL)
make_openings({engine!r}, {recipe()!r}, Path({str(killed)!r}), count=10, on_kept=die)
""".replace("<Rule.FREESTYLE: 0>", "Rule.FREESTYLE")
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == -signal.SIGKILL
    assert 0 < len(killed.read_text().splitlines()) < 10
    make_openings(engine, recipe(), killed, count=10)
    assert killed.read_bytes() == whole.read_bytes()


def test_another_recipe_and_strange_files_are_refused(tmp_path: Path) -> None:
    engine = scorer(tmp_path)
    path = tmp_path / "made.txt"
    make_openings(engine, recipe(), path, count=2)
    before = path.read_bytes()
    with pytest.raises(OpeningError, match=r"journal:1: this set was begun with seed 1, max_score"):
        make_openings(engine, recipe(seed=2, max_score=50), path, count=3)
    with path.open("a") as file:
        file.write("0,0, 1,1\n")
    with pytest.raises(OpeningError, match=r"made\.txt:3: this line is not in"):
        make_openings(engine, recipe(), path, count=3)
    assert path.read_bytes() == before + b"0,0, 1,1\n"
    torn = tmp_path / "torn.txt"
    torn.write_text("mine")  # a line of its own, if not a whole one
    with pytest.raises(OpeningError, match=r"torn\.txt:1: this line is not in"):
        make_openings(engine, recipe(), torn, count=1)
    assert torn.read_text() == "mine"
    own = written(tmp_path, "0,0, 1,1\n")
    with pytest.raises(OpeningError, match=r"openings\.txt:1: this line is not in"):
        make_openings(engine, recipe(), own, count=3)
    assert own.read_text() == "0,0, 1,1\n"
    assert not own.with_name("openings.txt.journal").exists()


@pytest.mark.parametrize(
    "line", ['{"kept": true}', "nonsense", '{"kept": 1, "moves": [[7]], "scores": []}', "[]"]
)
def test_a_broken_journal_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    engine, path = scorer(tmp_path), tmp_path / "made.txt"
    make_openings(engine, recipe(), path, count=1)
    journal = path.with_name("made.txt.journal")
    number = len(journal.read_text().splitlines()) + 1
    with journal.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(
        OpeningError, match=rf"journal:{number}: .*expected a line of an opening journal"
    ):
        make_openings(engine, recipe(), path, count=2)


def test_a_journal_with_moves_that_cannot_be(tmp_path: Path) -> None:
    engine, path = scorer(tmp_path), tmp_path / "made.txt"
    make_openings(engine, recipe(), path, count=1)
    with path.with_name("made.txt.journal").open("a") as file:
        file.write('{"kept": true, "moves": [[7, 7], [7, 7]], "scores": []}\n')
    with pytest.raises(OpeningError, match=r"made\.txt: .*\(7, 7\) is occupied"):
        make_openings(engine, recipe(), path, count=3)


@pytest.mark.parametrize(
    "message",
    [
        "MESSAGE DEPTH 5 SCORE 10 MATE 7 PV 7,7",
        "MESSAGE DEPTH 5 SCORE 10 MATE -7 PV 7,7",
        "MESSAGE Depth 5 | Eval +M7 | Node 300",
        "MESSAGE DEPTH 5 SCORE 101",
        "MESSAGE DEPTH 5 SCORE -101",
    ],
)
def test_wins_and_large_scores_are_not_balanced(tmp_path: Path, message: str) -> None:
    behaviour = f'print("MESSAGE SCORE 1"); print({message!r} if nodes > 200 else "MESSAGE hm")'
    position = Position(size=15, rule=Rule.FREESTYLE)
    position.play((7, 7))
    with Judge(scorer(tmp_path, behaviour), recipe()) as judge:
        balanced, scores = judge.is_balanced(position)
    assert not balanced
    assert scores[:2] == [1, 1]
    assert len(scores) == 3


def test_an_engine_without_scores_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(OpeningError, match="scorer: reports no score during the search: expected"):
        make_openings(scorer(tmp_path, "pass"), recipe(), tmp_path / "made.txt", count=3)
    assert no_brain_is_left()


def test_scores_held_back_are_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_maker, "PAUSE_S", 0.3)
    free, paced = tmp_path / "free.txt", tmp_path / "paced.txt"
    make_openings(scorer(tmp_path), recipe(), free, count=4)
    # Many brains limit their lines per second in this way.
    behaviour = "said = [t for t in globals().get('said', []) if t > time.monotonic() - 0.2]; "
    behaviour += f"len(said) < 9 and (said.append(time.monotonic()), {TELLS})"
    make_openings(scorer(tmp_path, behaviour), recipe(), paced, count=4)
    assert paced.read_bytes() == free.read_bytes()
    assert journal_of(paced) == journal_of(free)


def test_there_may_be_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_maker, "GIVE_UP", 40)
    engine = scorer(tmp_path, "value = 999; " + TELLS)
    made = make_openings(engine, recipe(), tmp_path / "made.txt", count=3)
    assert (made.kept, made.tried, made.gave_up) == (0, 40, True)
