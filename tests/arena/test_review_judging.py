"""Reviews: the judgement of a position, the kind of a win, and the journal."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.play.client import Brain
from arena.review.journal import Journal, OtherReviewError
from arena.review.judge import Budget, Judge
from arena.review.proof import kind_of_win
from arena.rules.referee import Color, Position, Rule
from arena.util.faults import BrainFault
from records.review import Judgement
from tests.support.fakes import fake
from tests.support.reviews import BEGINNER, LOST, points

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def after(names: str, rule: Rule = Rule.FREESTYLE) -> Position:
    position = Position(size=15, rule=rule)
    for point in points(names):
        position.play(point)
    return position


# Wins


@pytest.mark.parametrize(
    ("moves", "line", "kind"),
    [
        ("h8 a1 h9 a3 h10 a5", "h11 h12 h7", "vcf"),
        ("h8 a1 h9 a3 h10 a5 h11 a7", "h12", "vcf"),
        ("h8 k2 g8 k3 i9 m2 i10 m5", "i8 i11 f8 e8 j8", "vct"),
        ("h8 a1 h9 a3", "h10 a5 h11 a7 h12", "vct"),
        ("h8 a1 i8 a3", "o15 a5 j8 a7 k8 a9 l8", ""),
        ("h8 a1 h9 a3 h10 a5", "h11 h12", ""),
        ("h8 a1 h9 a3 h10 a5", "h11 h11", ""),
        ("h8 a1 h9 a3 h10 a5 h11 h12", "o1 h7", ""),
    ],
)
def test_the_kind_of_a_win(moves: str, line: str, kind: str) -> None:
    position = after(moves)
    assert kind_of_win(position, points(line)) == kind
    assert position.moves == points(moves)


def test_white_wins_too_and_ninuki_is_left_open() -> None:
    assert kind_of_win(after("a1 h8 a3 h9 a5 h10 a7"), points("h11 h7 h12")) == "vcf"
    assert kind_of_win(after("h8 a1 h9 a3 h10 a5", Rule.NINUKI), points("h11 h12 h7")) == ""


def test_a_missed_win_is_shown_to_its_end() -> None:
    position = after("h8 k8 h9 k9 h10 k10")
    with Brain() as brain:
        found = Judge(brain, Budget(nodes=2000)).judge(position, points("a1")[0])
        assert found.mate is not None and found.mate > 0
        assert (found.stage, found.win_rate) == ("vcf", 1.0)
        assert len(position.moves) == 6
        for point in found.line:
            position.play(point)
        assert position.winner is Color.BLACK


@pytest.mark.parametrize(
    ("move", "said"), [("7,7", "h8"), ("99,99", "99,99"), ("-1,3", "-1,3"), ("3,15", "3,15")]
)
def test_an_illegal_answer_is_a_fault(move: str, said: str) -> None:
    position = after("h8 a1")
    with (
        Brain(shlex.join(fake("none", moves=move))) as brain,
        pytest.raises(BrainFault, match=f"illegal: plays {said}, which is illegal"),
    ):
        Judge(brain, Budget(time_ms=50)).judge(position, None)


def test_the_end_of_a_game_is_judged_without_an_engine() -> None:
    judge = Judge(Brain(BEGINNER), Budget(time_ms=50))
    assert judge.judge(after(LOST), None) == Judgement(None, 0.0)


# The journal

judgements = st.builds(
    Judgement,
    st.one_of(st.none(), st.tuples(st.integers(0, 21), st.integers(0, 21))),
    st.one_of(st.none(), st.floats(0, 1)),
    st.text(max_size=9),
    st.one_of(st.none(), st.integers(-99, 99)),
    st.sampled_from(("", "vcf", "vct")),
    st.lists(st.tuples(st.integers(0, 21), st.integers(0, 21)), max_size=3).map(tuple),
)


@given(st.lists(judgements, max_size=5), st.integers(0, 40))
def test_a_journal_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, written: list[Judgement], lost: int
) -> None:
    path = tmp_path_factory.mktemp("journal") / "review.jsonl"
    journal = Journal(path, {"game": 1})
    for judgement in written:
        journal.add(judgement)
    journal.close()
    path.write_bytes(path.read_bytes()[: -lost or None])
    read = Journal(path, {"game": 1})
    read.close()
    assert read.judgements == written[: len(read.judgements)]
    assert lost or read.judgements == written


def test_a_journal_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    Journal(path, {"game": 1}).close()
    with pytest.raises(OtherReviewError, match="a review of another game"):
        Journal(path, {"game": 2})
    assert path.read_text() == '{"game":1}\n'
    path.write_text('{"game":1}\n{"best":1}\n')
    with pytest.raises(OtherReviewError, match="expected a judgement"):
        Journal(path, {"game": 1})
    Journal(path, {"game": 2}, again=True).close()
    assert path.read_text() == '{"game":2}\n'
