"""Wins by continuous threats in a search: the stages VCT and ANSWER_VCF at the root."""

from pyengine import Color, Engine, Limits, Rule, Stage
from tests.support.win_tree import engine, load, missed, play_line


def test_the_search_plays_the_win() -> None:
    """With enough nodes the stage is its own, and the mate that it names is the line's or later."""
    played = 0
    for case in load("vct_wins.json"):
        with engine(case) as e:
            r = e.search(Limits(nodes=2_000_000))
            if r.stage is Stage.BLOCK:  # a five has to be stopped first
                continue
            assert r.stage is Stage.VCT and r.mate is not None and r.mate >= len(r.pv)
            play_line(case, r.pv)
            e.set_option("prune.vct", 0)
            e.set_option("prune.kept_proofs", 0)
            assert e.search(Limits(nodes=5000)).stage is not Stage.VCT
            played += 1
    assert played >= 5


def test_a_threat_of_fours_is_answered() -> None:
    """Against a threatened win by fours only defences are searched."""
    three = [(6, 7), (7, 7), (8, 7)]
    for rule in Rule:
        with Engine(size=15, rule=rule, memory_mib=1) as e:
            e.set_position(white=three, black=[(2, 2), (11, 3), (4, 12)], to_move=Color.BLACK)
            r = e.search(Limits(depth=3, nodes=20_000))
            assert r.stage is Stage.ANSWER_VCF
            assert r.move[1] == 7 or rule.has_captures
            e.play(r.move)
            assert e.vcf() is None
            e.undo()
            e.set_option("prune.vcf_defence", 0)
            assert e.search(Limits(depth=3, nodes=20_000)).stage is Stage.SEARCH


def test_the_search_goes_on_with_the_proof_between_iterations() -> None:
    """The VCT gets a share of the nodes: a win that takes more than it gets at first is found."""
    case = missed()[4]
    with engine(case) as e:
        result = e.search(Limits(nodes=2_000_000))
        assert result.stage is Stage.VCT
        assert result.move == tuple(case["winning_move"])
