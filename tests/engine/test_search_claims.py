"""Every proven score of the search is true.

Each is played out before the referee. The winning side plays the engine's moves; the other side
tries every legal move.
"""

import dataclasses
import random

import pytest

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import (
    Color,
    Engine,
    Limits,
    Rule,
    SearchResult,
    Stage,
    Status,
)
from tests.support.scenes import (
    ALL_RULES,
    BLACK,
    DOUBLE_THREE,
    WHITE,
    Setup,
    row,
    scattered,
    setup_of,
    squares,
)


class FalseClaimError(AssertionError):
    """A proven score is false."""


PRUNING = (
    "move_count_pruning",
    "move_score_pruning",
    "move_count_pruning_all",
    "lmr",
    "futility",
    "rfp",
    "razoring",
    "iir",
)


class Oracle:
    """Plays out proven scores: one side by the engine's moves, the other by every legal move."""

    def __init__(self, e: Engine) -> None:
        """Takes an engine for advice, whose position it changes; the advice may be wrong."""
        self._e = e
        self._position = Position(size=e.size, rule=referee.Rule(e.rule))
        self._proven: set[object] = set()
        self._hints: list[Point] = []

    def check(self, r: SearchResult, setup: Setup) -> None:
        """Raises FalseClaimError if the mate of a search result does not happen."""
        assert r.mate is not None
        self._position.set_position(**{**setup, "to_move": referee.Color(setup["to_move"].value)})
        if r.mate > 0:
            self._after(r.move, self._position.to_move)
        else:
            self._replies(self._position.to_move.other)

    def _after(self, m: Point, winner: referee.Color) -> None:
        """Plays a move of the winner and examines every reply."""
        if not self._position.legal(m):
            self._fail(f"{m} is not legal")
        outcome = self._position.play(m)
        if outcome.winner is not winner:
            if self._position.is_over:
                self._fail("the game ends otherwise")
            self._replies(winner)
        self._position.undo()

    def _replies(self, winner: referee.Color) -> None:
        """Checks that every legal move loses."""
        for reply in self._position.legal_moves():
            outcome = self._position.play(reply)
            if self._position.is_over:
                if outcome.winner is not winner:
                    self._fail("the loser gets away")
            elif not self._wins_at_once(winner):
                self._advised(winner)
            self._position.undo()

    def _wins_at_once(self, winner: referee.Color) -> bool:
        """Says whether one of the recent winning squares wins now."""
        for m in reversed(self._hints):
            if self._position.legal(m):
                outcome = self._position.play(m)
                self._position.undo()
                if outcome.winner is winner:
                    return True
        return False

    def _advised(self, winner: referee.Color) -> None:
        """Asks the engine for the winner's move, and checks that it wins."""
        setup = setup_of(self._position)
        key = (frozenset(setup["black"]), frozenset(setup["white"]), setup["captures"])
        if key in self._proven:
            return
        r = self._advice(setup, Limits(depth=8, nodes=50_000))
        only_one = r.stage is Stage.BLOCK and r.depth == 1  # which is not searched further
        if (r.mate is None or r.mate < 0) and not only_one:
            for name in PRUNING:
                self._e.set_option(f"prune.{name}", 0)
            r = self._advice(setup, Limits(depth=12, nodes=500_000))
            for name in PRUNING:
                self._e.set_option(f"prune.{name}", 1)
        if (r.mate is None or r.mate < 0) and not only_one:
            self._fail("no win is seen")
        elif r.mate == 1:
            self._hints = [*[m for m in self._hints if m != r.move][-3:], r.move]
        self._after(r.move, winner)
        self._proven.add(key)

    def _advice(self, setup: Setup, limits: Limits) -> SearchResult:
        """Returns the engine's move."""
        self._e.set_position(**setup)
        return self._e.search(limits)

    def _fail(self, reason: str) -> None:
        """Raises FalseClaimError with the moves that led here."""
        raise FalseClaimError(f"after {self._position.moves}: {reason}")


def claims_checked(rule: Rule, rng: random.Random, *, positions: int) -> dict[int, int]:
    """Checks every proven score on random positions of small boards; returns counts by length."""
    lengths: dict[int, int] = {}
    for _ in range(positions):
        size = rng.choice((6, 7))
        setup = scattered(rng.getrandbits(32), size, rng.randint(8, size * size // 2), rule=rule)
        depth = rng.randint(4, 6)
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            e.set_position(**setup)
            if e.outcome().status is not Status.ONGOING:
                continue
            r = e.search(Limits(depth=depth))
            if r.mate is None:
                continue
            assert (r.mate > 0) == (r.score > 0)
            with Engine(size=size, rule=rule, memory_mib=1) as adviser:
                try:
                    Oracle(adviser).check(r, setup)
                except FalseClaimError as error:
                    error.add_note(f"{rule!r}, size {size}, depth {depth}, {setup}: {r}")
                    raise
        lengths[r.mate] = lengths.get(r.mate, 0) + 1
    return lengths


@ALL_RULES
def test_proven_scores_are_true(rule: Rule) -> None:
    """In random tactical positions, by searches of 4 to 6 plies."""
    positions = 30 if rule.has_captures else 150
    lengths = claims_checked(rule, random.Random(1), positions=positions)
    assert sum(lengths.values()) >= 8
    assert any(mate < 0 for mate in lengths)
    assert any(abs(mate) > 3 for mate in lengths)


@pytest.mark.soak
@ALL_RULES
def test_many_proven_scores_are_true(rule: Rule) -> None:
    """The same with new positions, for longer."""
    seed = random.SystemRandom().getrandbits(32)
    lengths = claims_checked(rule, random.Random(seed), positions=1500)
    assert sum(lengths.values()) >= 200, seed


@pytest.mark.parametrize(
    ("stones", "mover", "mate"),
    [(row(3, range(2, 5)), BLACK, -4), (row(3, range(2, 4)), WHITE, 5), ([], BLACK, 7)],
)
def test_false_claims_are_found_out(stones: list[Point], mover: Color, mate: int) -> None:
    """The check rejects a false claim: White's row is blocked here."""
    empty = [*row(3, range(7)), (0, 0), (6, 6)]
    rest = [m for m in squares(7) if m not in empty]
    setup: Setup = {"neutral": rest, "white": stones, "captures": (0, 0), "to_move": mover}
    with Engine(size=7, memory_mib=1) as e:
        e.set_position(**setup)
        r = e.search(Limits(depth=4))
        assert r.mate is None
        with pytest.raises(FalseClaimError):
            Oracle(e).check(dataclasses.replace(r, mate=mate), setup)


def test_a_loss_in_four() -> None:
    """Two open threes far from each other: whatever White does, Black makes an open four."""
    setup: Setup = {
        "black": [*row(2, range(2, 5)), (8, 6), (8, 7), (8, 8)],
        "white": [(0, 0), (0, 4), (10, 0), (10, 2), (0, 10), (3, 10)],
        "captures": (0, 0),
        "to_move": WHITE,
    }
    with Engine(size=11, memory_mib=1) as e, Engine(size=11, memory_mib=1) as adviser:
        e.set_position(**setup)
        r = e.search(Limits(depth=7))
        assert r.mate == -4
        Oracle(adviser).check(r, setup)


def test_a_double_three_wins() -> None:
    """The win needs more than continuous fours, and the search sees it."""
    setup = DOUBLE_THREE
    with Engine(size=9, memory_mib=4) as e, Engine(size=9, memory_mib=4) as adviser:
        e.set_position(**setup)
        assert e.vcf(max_nodes=10_000) is None
        e.set_option("prune.vct", 0)  # otherwise it is proven before the search
        r = e.search(Limits(depth=8))
        assert r.stage is Stage.SEARCH
        assert r.mate is not None and r.mate >= 5
        Oracle(adviser).check(r, setup)
