"""The stages that a search passes: which are asked, what they find, and their nodes."""

import random

import pytest

from pyengine import Engine, Limits, Rule, SearchResult, Square, Stage
from tests.support.scenes import ALL_RULES, BLACK, WHITE, row

BEFORE_PROOFS = [Stage.ANSWER_FIVE, Stage.WIN, Stage.BLOCK]
FAR = [(0, 0), (4, 1), (0, 9)]


def asked(result: SearchResult) -> list[Stage]:
    return [note.stage for note in result.passed]


def found(result: SearchResult) -> set[Stage]:
    return {note.stage for note in result.passed if note.found}


@pytest.mark.parametrize(
    ("black", "white", "stage", "last"),
    [
        (row(7, range(3, 7)), FAR, Stage.WIN, Stage.WIN),
        (row(7, range(3, 6)), FAR, Stage.VCF, Stage.VCF),
        ([(9, 9), (3, 12), (9, 2)], row(7, range(4)), Stage.BLOCK, Stage.SEARCH),
        ([(9, 9), (3, 12)], row(7, range(3, 6)), Stage.ANSWER_VCF, Stage.SEARCH),
        ([(7, 7)], [(8, 8)], Stage.SEARCH, Stage.SEARCH),
    ],
)
def test_a_search_tells_what_it_passed(
    black: list[Square], white: list[Square], stage: Stage, last: Stage
) -> None:
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=black, white=white, to_move=BLACK)
        r = e.search(Limits(nodes=20_000))
    order = list(Stage)
    assert r.stage is stage and stage in found(r)
    assert found(r) <= {stage, Stage.SEARCH}
    assert asked(r) == sorted(asked(r), key=order.index) and asked(r)[-1] is last
    assert sum(note.nodes for note in r.passed) == r.nodes


def test_a_level_without_proofs_does_not_ask_for_them() -> None:
    with Engine(size=15, memory_mib=1) as e:
        e.set_option("level", 1)
        e.set_position(black=row(7, range(3, 6)), white=FAR, to_move=WHITE)
        r = e.search(Limits())
        assert asked(r) == [*BEFORE_PROOFS, Stage.SEARCH]
        e.set_option("level", 10)
        e.set_option("prune.vct", 0)
        r = e.search(Limits(nodes=5_000))
        assert Stage.VCT not in asked(r) and Stage.VCF in asked(r)


def test_a_win_among_several_lines_is_found() -> None:
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 6)), white=FAR, to_move=BLACK)
        r = e.search(Limits(nodes=20_000, lines=2))
    assert Stage.VCF in found(r) and Stage.SEARCH in found(r)


@ALL_RULES
def test_the_nodes_of_the_stages_are_those_of_the_search(rule: Rule) -> None:
    chance = random.Random(int(rule))
    with Engine(size=15, rule=rule, memory_mib=1) as e:
        for _ in range(12):
            e.reset()
            for _ in range(chance.randint(2, 16)):
                square = (chance.randint(4, 10), chance.randint(4, 10))
                if e.legal(square) and e.place(square).winner is not None:
                    break
            r = e.search(Limits(nodes=3_000))
            assert sum(note.nodes for note in r.passed) == r.nodes, r
            assert all(note.nodes >= 0 for note in r.passed)
            assert Stage.STATIC not in asked(r)
            if r.stage is not Stage.STATIC and r.stage not in found(r):
                assert r.stage is Stage.VCT, "a win that was known before"
