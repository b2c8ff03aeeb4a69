"""The trace of the root: every look at a move, and every move that was left out with the reason."""

import pytest

from pyengine import Engine, Limits, Rule, Square, Stage, Traced, TraceRow, WrongTypeError
from tests.support.scenes import ALL_RULES, BLACK, WHITE, row

FAR = [(0, 0), (4, 1), (0, 9)]
LOOKS = {Traced.EXACT, Traced.AT_LEAST, Traced.AT_MOST, Traced.ABORTED}


def left_out(rows: list[TraceRow]) -> dict[Square, Traced]:
    return {row.move: row.outcome for row in rows if row.depth == 0}


def looks(rows: list[TraceRow]) -> list[TraceRow]:
    return [row for row in rows if row.depth]


def test_every_empty_square_is_searched_or_left_out() -> None:
    with Engine(size=15, memory_mib=1) as e:
        e.set_trace(True)
        e.set_position(black=[(7, 7)], white=[(8, 8)], to_move=BLACK)
        r = e.search(Limits(depth=8))
        rows = e.trace()
    seen = {row.move for row in looks(rows)}
    assert len(seen) + len(left_out(rows)) == 15 * 15 - 2 and not seen & set(left_out(rows))
    assert left_out(rows)[0, 0] is Traced.NO_CANDIDATE
    assert {row.outcome for row in looks(rows)} <= LOOKS
    assert r.move in seen


def test_a_look_tells_window_reduction_score_and_nodes() -> None:
    with Engine(size=15, memory_mib=1) as e:
        e.set_trace(True)
        e.set_position(black=[(7, 7), (6, 6)], white=[(8, 8)], to_move=WHITE)
        r = e.search(Limits(depth=8))
        rows = looks(e.trace())
    for look in rows:
        assert look.outcome is not Traced.ABORTED and look.alpha < look.beta
        assert (look.score <= look.alpha) == (look.outcome is Traced.AT_MOST)
        assert (look.score >= look.beta) == (look.outcome is Traced.AT_LEAST)
        assert look.reduction == 0 or look.place >= 3
    assert any(look.reduction >= 1 for look in rows)
    assert [look.depth for look in rows] == sorted(look.depth for look in rows)
    last = [look for look in rows if look.depth == 8 and look.move == r.move][-1]
    assert last.score == r.score and last.outcome is Traced.EXACT
    searched = next(note.nodes for note in r.passed if note.stage is Stage.SEARCH)
    assert 0 < sum(look.nodes for look in rows) <= searched


@pytest.mark.parametrize(
    ("black", "white", "square", "outcome"),
    [
        ([(9, 9), (3, 12), (9, 2)], row(7, range(4)), (9, 8), Traced.NO_ANSWER),
        ([(9, 9), (3, 12)], row(7, range(3, 6)), (9, 10), Traced.LOSES_TO_VCF),
        ([(7, 7)], [(8, 8)], (7, 8), Traced.EXCLUDED),
    ],
)
def test_the_reason_is_told(
    black: list[Square], white: list[Square], square: Square, outcome: Traced
) -> None:
    with Engine(size=15, memory_mib=1) as e:
        e.set_trace(True)
        e.set_position(black=black, white=white, to_move=BLACK)
        e.search(Limits(nodes=20_000, excluded=[(7, 8)]))
        assert left_out(e.trace())[square] is outcome


def test_forbidden_and_hidden_moves() -> None:
    with Engine(size=15, rule=Rule.RENJU, memory_mib=1) as e:
        e.set_trace(True)
        e.set_position(
            black=[(7, 6), (7, 8), (6, 7), (8, 7)],
            white=[(0, 0), (0, 14), (14, 0), (14, 14)],
            to_move=BLACK,
        )
        e.search(Limits(nodes=5_000))
        rows = e.trace()
        assert left_out(rows)[7, 7] is Traced.FORBIDDEN
        e.set_option("level", 1)
        e.set_position(black=[(7, 7)], white=[(8, 8)], to_move=BLACK)
        e.search(Limits())
        rows = e.trace()
        assert Traced.HIDDEN in left_out(rows).values()
        assert len({row.move for row in looks(rows)}) == 1, "level 1 has one candidate"


@ALL_RULES
def test_a_trace_changes_no_search(rule: Rule) -> None:
    results = []
    for on in (False, True):
        with Engine(size=15, rule=rule, memory_mib=1) as e:
            e.set_trace(on)
            e.set_position(black=[(7, 7), (6, 8)], white=[(8, 8), (7, 5)], to_move=BLACK)
            r = e.search(Limits(depth=7))
            results.append((r.move, r.score, r.nodes, r.pv))
            assert bool(e.trace()) is on
    assert results[0] == results[1]


def test_a_trace_is_off_at_first_and_can_be_ended() -> None:
    with Engine(size=15, memory_mib=1) as e:
        e.search(Limits(depth=2))
        assert e.trace() == []
        e.set_trace(True)
        e.set_trace(True)
        e.search(Limits(depth=2))
        first = e.trace()
        assert first == e.trace()
        e.reset(size=9)
        assert e.trace() == [], "of another board"
        e.reset(size=15)
        e.set_position(black=row(7, range(3, 7)), white=FAR, to_move=BLACK)
        e.search(Limits(depth=2))
        assert e.trace() == [], "a win at once needs no iteration"
        e.set_trace(False)
        assert e.trace() == []
        with pytest.raises(WrongTypeError, match="on must be True or False, not 1"):
            e.set_trace(1)  # type: ignore[arg-type]


def test_a_row_reads_as_text() -> None:
    look = TraceRow((7, 7), Traced.AT_MOST, 9, 3, -20, 40, 1.25, -20, 812)
    text = "depth 9 place 3 h8 score -20 (at most) window -20 to 40 reduction 1.25 nodes 812"
    assert str(look) == text
    out = TraceRow((0, 0), Traced.LOSES_TO_VCF, 0, 0, 0, 0, 0.0, 0, 0)
    assert str(out) == "left out a15: loses to vcf"
