"""Several lines: as many as wanted, the best first, at any moment."""

import dataclasses
import itertools

import pytest

from pyengine import (
    Engine,
    Limits,
    Line,
    Rule,
)
from tests.support.scenes import (
    ALL_RULES,
    WHITE,
    Setup,
    row,
    scattered,
    squares,
)


@ALL_RULES
def test_three_lines_are_three_moves(rule: Rule) -> None:
    """Multi-PV gives different moves; the first one is played."""
    with Engine(size=15, rule=rule, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 8))
        r = e.search(Limits(depth=4, lines=3))
        last = {line.line: line for line in e.progress() if line.depth == r.depth}
        assert sorted(last) == [0, 1, 2]
        assert len({line.pv[0] for line in last.values()}) == 3
        assert last[0].pv[0] == r.move
        assert all(e.legal(line.pv[0]) for line in last.values())


def groups_of(lines: list[Line], wanted: int) -> list[list[Line]]:
    """Returns the reported lines in groups. The oldest lines may be gone."""
    lines = lines[[line.line for line in lines].index(0) :]
    assert len(lines) % wanted == 0
    groups = [lines[i : i + wanted] for i in range(0, len(lines), wanted)]
    assert all([line.line for line in group] == list(range(wanted)) for group in groups)
    return groups


def check_order(group: list[Line]) -> None:
    """Checks that the best line is first, and each move occurs once."""
    scores = [line.score for line in group]
    assert scores == sorted(scores, reverse=True)
    assert len({line.pv[0] for line in group}) == len(group)


def test_the_better_line_comes_first() -> None:
    """All lines are reported together and in order; every depth finishes with all of them."""
    changes = 0
    with Engine(size=15, memory_mib=1) as e:
        for seed in range(8):
            e.set_position(**scattered(seed, 15, 8))
            r = e.search(Limits(depth=6, lines=4))
            groups = groups_of(e.progress(), 4)
            for before, after in itertools.pairwise(groups):
                changes += before[0].pv[0] != after[0].pv[0]
            for group in groups:
                check_order(group)
            finished = [{line.depth for line in group} for group in groups]
            assert all({depth} in finished for depth in range(1, r.depth + 1))
            assert (r.move, r.score) == (groups[-1][0].pv[0], groups[-1][0].score)
    assert changes > 0


@ALL_RULES
@pytest.mark.parametrize("threads", [1, 3])
def test_every_view_has_all_its_lines(rule: Rule, threads: int) -> None:
    """As many as were asked for, or as there are legal moves: with limits of any kind, cut off
    anywhere, forced or not, lost or won."""
    limits = [Limits(nodes=n) for n in (0, 1, 30, 300, 5_000)]
    limits += [Limits(time_ms=0), Limits(time_ms=5), Limits(depth=3)]
    scenes: list[Setup] = [scattered(3, 9, 12, rule=rule), scattered(4, 9, 30, rule=rule)]
    scenes.append({"black": row(4, range(2, 6)), "white": [(6, 4), (0, 0), (8, 8)]})
    scenes.append({**scenes[2], "to_move": WHITE})
    scenes.append({"black": row(4, range(3, 6)), "white": [(0, 0), (8, 8), (0, 8)]})
    scenes.append({**scenes[4], "to_move": WHITE})
    with Engine(size=9, rule=rule, memory_mib=1, threads=threads) as e:
        for setup in scenes:
            e.set_position(**setup)
            legal = {m for m in squares(9) if e.legal(m)}
            for wanted in (2, 3, 7, 100):
                for limit in limits:
                    r = e.search(dataclasses.replace(limit, lines=wanted))
                    groups = groups_of(e.progress(), min(wanted, len(legal)))
                    assert groups
                    for group in groups:
                        check_order(group)
                        assert {line.pv[0] for line in group} <= legal
                    assert r.move == groups[-1][0].pv[0]
                    assert r.score == groups[-1][0].score


def test_more_lines_than_moves() -> None:
    """There are at most as many lines as legal moves."""
    with Engine(size=5, memory_mib=1) as e:
        empty = [(1, 1), (2, 2), (3, 3)]
        rest = [m for m in squares(5) if m not in empty and m != (2, 1)]
        e.set_position(neutral=rest, black=[(2, 1)], to_move=WHITE)
        e.search(Limits(depth=2, lines=10))
        assert {line.pv[0] for line in e.progress()} == set(empty)
