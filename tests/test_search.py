"""The search: reproducible, within its limits, and right where it claims to know the end.

A proven score is checked by playing it out before the referee: the side that is said to win plays
the engine's moves, the other side tries every legal one.
"""

import dataclasses
import random
import statistics
import threading
import time
from typing import Any

import pytest

from arena import referee
from arena.referee import Point, Position
from pyengine import (
    Color,
    Engine,
    Limits,
    NoMoveError,
    Reason,
    Rule,
    SearchResult,
    Stage,
    Status,
)

BLACK, WHITE = Color.BLACK, Color.WHITE
ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)

Setup = dict[str, Any]
"""The arguments of `set_position` for the engine."""


DOUBLE_THREE: Setup = {
    "black": [(2, 4), (3, 4), (4, 5), (4, 6)],
    "white": [(0, 0), (2, 0), (8, 1), (0, 8)],
    "captures": (0, 0),
    "to_move": BLACK,
}


def row(y: int, xs: range) -> list[Point]:
    """Squares of one row."""
    return [(x, y) for x in xs]


def squares(size: int) -> list[Point]:
    """Every square of a board."""
    return [(x, y) for x in range(size) for y in range(size)]


def scattered(seed: int, size: int, stones: int, *, rule: Rule = Rule.FREESTYLE) -> Setup:
    """A random position without a five, its stones around the middle, or all over a small board."""
    rng = random.Random(seed)
    middle = [
        m for m in squares(size) if all(size < 10 or size // 4 <= i < 3 * size // 4 for i in m)
    ]
    while True:
        chosen = rng.sample(middle, stones)
        setup: Setup = {
            "black": chosen[::2],
            "white": chosen[1::2],
            "captures": (rng.randrange(5), rng.randrange(5)) if rule is Rule.NINUKI else (0, 0),
            "to_move": WHITE if stones % 2 else BLACK,
        }
        if not any(has_five(set(setup[name])) for name in ("black", "white")):
            return setup


def has_five(stones: set[Point]) -> bool:
    """Whether five of the stones stand in a row."""
    return any(
        all((x + i * dx, y + i * dy) in stones for i in range(5))
        for x, y in stones
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def essence(r: SearchResult) -> tuple[object, ...]:
    """What does not depend on the clock."""
    return r.move, r.score, r.mate, r.depth, r.seldepth, r.nodes, r.pv, r.stage, r.table_permille


# --- reproducible -------------------------------------------------------------------------------


def played(e: Engine, limits: Limits, moves: int) -> list[tuple[object, ...]]:
    """Plays some moves of a game against itself, from the same opening."""
    e.set_position(**scattered(5, e.size, 4))
    seen = []
    for _ in range(moves):
        r = e.search(limits)
        seen.append(essence(r))
        if e.play(r.move).status in (Status.WIN, Status.DRAW):
            break
    return seen


@ALL_RULES
@pytest.mark.parametrize("limits", [Limits(depth=5), Limits(nodes=5000)], ids=["depth", "nodes"])
def test_the_same_game_twice(rule: Rule, limits: Limits) -> None:
    """With a reset between, and on another engine, moves, scores and nodes are equal."""
    with (
        Engine(size=12, rule=rule, memory_mib=1) as e,
        Engine(size=12, rule=rule, memory_mib=1) as other,
    ):
        first = played(e, limits, 8)
        e.reset()
        assert played(e, limits, 8) == first
        assert played(other, limits, 8) == first
        assert len(first) > 2 and len({str(result) for result in first}) == len(first)


def test_a_cleared_table_forgets() -> None:
    """The same search again is shorter with its table, and the same without."""
    with Engine(size=12, memory_mib=4) as e:
        e.set_position(**scattered(1, 12, 6))
        first = e.search(Limits(depth=5))
        again = e.search(Limits(depth=5))
        e.clear_table()
        cleared = e.search(Limits(depth=5))
        assert again.nodes < first.nodes == cleared.nodes
        assert essence(cleared) == essence(first)


# --- limits -------------------------------------------------------------------------------------


@ALL_RULES
def test_time_is_kept(rule: Rule) -> None:
    """A search of 100 ms ends with them; it is not over long before, either."""
    with Engine(size=15, rule=rule, memory_mib=16) as e:
        e.set_position(**scattered(3, 15, 8))
        e.search(Limits(time_ms=1))  # allocates the table
        started = time.monotonic()
        r = e.search(Limits(time_ms=100))
        took = time.monotonic() - started
        assert took < 0.35
        assert r.time_ms <= took * 1000 + 1
        assert took > 0.09 or r.mate is not None
        assert e.legal(r.move)


@ALL_RULES
def test_no_time_at_all(rule: Rule) -> None:
    """With 0 ms a legal move comes at once, on the largest board too."""
    with Engine(size=22, rule=rule, memory_mib=4) as e:
        for stones in (0, 1, 40):
            e.set_position(**scattered(stones, 22, stones))
            started = time.monotonic()
            r = e.search(Limits(time_ms=0))
            assert time.monotonic() - started < 0.2
            assert e.legal(r.move) and r.pv == [r.move]


def test_the_soft_limit_begins_no_iteration() -> None:
    """With a soft limit of 1 ms the search ends long before the hard one."""
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 8))
        started = time.monotonic()
        r = e.search(Limits(time_ms=20_000, soft_ms=1))
        assert time.monotonic() - started < 5
        assert r.depth >= 1


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_depth_is_kept(depth: int) -> None:
    """The depth asked for is reached, and not passed."""
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 4))
        r = e.search(Limits(depth=depth))
        assert r.depth == depth
        assert [line.depth for line in e.progress()] == list(range(1, depth + 1))
        assert r.stage is Stage.SEARCH


@pytest.mark.parametrize("nodes", [1, 10, 1000, 20_000])
@ALL_RULES
def test_nodes_are_kept(nodes: int, rule: Rule) -> None:
    """No more nodes are visited than allowed, but for a few, and one node gives a legal move."""
    with Engine(size=15, rule=rule, memory_mib=4) as e:
        e.set_position(**scattered(7, 15, 8))
        r = e.search(Limits(nodes=nodes))
        assert r.nodes <= nodes + 4
        assert r.nodes >= nodes // 2 or r.mate is not None
        assert e.legal(r.move)


def stop_delay(e: Engine, thinks: float) -> float:
    """Seconds from stop() to the end of an unlimited search that has run for a while."""
    ended: list[float] = []

    def think() -> None:
        r = e.search(Limits(), armed=True)
        ended.append(time.monotonic())
        assert e.legal(r.move)

    e.clear_table()
    e.arm()
    thread = threading.Thread(target=think, daemon=True)
    thread.start()
    time.sleep(thinks)
    stopped = time.monotonic()
    assert not ended, "the search ends by itself"
    e.stop()
    thread.join(10)
    assert ended, "stop() does not end the search"
    return ended[0] - stopped


def test_stop_from_another_thread_is_quick() -> None:
    """An unlimited search ends within 10 ms of stop(), and some more on a busy machine."""
    with Engine(size=20, rule=Rule.NINUKI, memory_mib=16) as e:
        e.set_position(black=[(9, 9), (4, 4)], white=[(10, 11), (14, 5)])
        delays = [stop_delay(e, thinks) for thinks in (0.0, 0.01, 0.03, 0.05, 0.1, 0.1, 0.1)]
        assert statistics.median(delays) < 0.05, delays


def test_an_early_stop_is_not_lost() -> None:
    """A stop between arming and searching ends the search as it starts."""
    with Engine(size=15, memory_mib=4) as e:
        e.arm()
        e.stop()
        started = time.monotonic()
        r = e.search(Limits(), armed=True)
        assert time.monotonic() - started < 2
        assert e.legal(r.move)


@ALL_RULES
def test_excluded_moves_are_never_played(rule: Rule) -> None:
    """Best moves, winning ones too, are excluded one after the other; none comes back."""
    with Engine(size=9, rule=rule, memory_mib=1) as e:
        for setup in (
            scattered(2, 9, 10),
            {"black": row(4, range(2, 6)), "white": [(0, 0), (8, 8)]},
        ):
            e.set_position(**setup)
            legal = [m for m in squares(9) if e.legal(m)]
            excluded: list[Point] = []
            while len(excluded) < 12:
                r = e.search(Limits(depth=3, nodes=3000, excluded=excluded))
                assert r.move in legal and r.move not in excluded
                excluded.append(r.move)
            only = legal[-1]
            rest = [m for m in legal if m != only]
            assert e.search(Limits(depth=3, excluded=rest)).move == only
            with pytest.raises(NoMoveError):
                e.search(Limits(depth=3, excluded=legal))


@ALL_RULES
def test_three_lines_are_three_moves(rule: Rule) -> None:
    """Multi-PV gives different moves, of which the first one is played."""
    with Engine(size=15, rule=rule, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 8))
        r = e.search(Limits(depth=4, lines=3))
        last = [line for line in e.progress() if line.depth == r.depth]
        assert [line.line for line in last] == [0, 1, 2]
        assert len({line.pv[0] for line in last}) == 3
        assert last[0].pv[0] == r.move
        assert all(e.legal(line.pv[0]) for line in last)


def test_more_lines_than_moves() -> None:
    """As many lines as there are moves."""
    with Engine(size=5, memory_mib=1) as e:
        empty = [(1, 1), (2, 2), (3, 3)]
        rest = [m for m in squares(5) if m not in empty and m != (2, 1)]
        e.set_position(neutral=rest, black=[(2, 1)], to_move=WHITE)
        e.search(Limits(depth=2, lines=10))
        assert {line.pv[0] for line in e.progress()} == set(empty)


# --- options ------------------------------------------------------------------------------------


def switches() -> list[str]:
    """The names of the options that are on or off."""
    with Engine(memory_mib=1) as e:
        return [name for name in e.option_names() if name.startswith("prune.")]


@pytest.mark.parametrize("name", switches())
def test_each_switch_does_something_and_nothing_wrong(name: str) -> None:
    """Off or on the moves are legal; on at least one position the search is another one."""
    different = 0
    for rule in (Rule.FREESTYLE, Rule.NINUKI, Rule.RENJU):
        with Engine(size=15, rule=rule, memory_mib=1) as e:
            for seed in range(6):
                results = []
                for value in (1, 0):
                    e.reset()
                    e.set_option("prune.vct", seed % 2)  # else it takes wins from the search
                    e.set_option(name, value)
                    setup = scattered(seed, 15, 6 + seed) if seed else DOUBLE_THREE
                    e.set_position(**setup)
                    r = e.search(Limits(depth=10, nodes=20_000))
                    assert e.legal(r.move)
                    results.append(essence(r))
                different += results[0] != results[1]
                e.set_option(name, 1)
    assert different > 0


OFF = {"prune.nmp", "prune.singular", "prune.conthist"}
"""What is off unless asked for (docs/strength.md)."""


def test_a_switch_goes_back() -> None:
    """Turned over and back again, the search is the old one."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(**scattered(1, 15, 8))
        first = essence(e.search(Limits(depth=5)))
        for turned in (True, False):
            for name in switches():
                e.set_option(name, int((name in OFF) == turned))
        e.clear_table()
        assert essence(e.search(Limits(depth=5))) == first


# --- threads ------------------------------------------------------------------------------------


def test_engines_in_two_threads_do_not_disturb_each_other() -> None:
    """Two engines that think at once, by two rules, find what each finds alone."""

    def think(e: Engine, results: list[tuple[object, ...]]) -> None:
        for seed in range(6):
            e.reset()
            e.set_position(**scattered(seed, e.size, 8))
            results.append(essence(e.search(Limits(depth=4, nodes=20_000))))
            results.append((e.vcf(max_nodes=500), e.evaluate(), e.forbidden()))

    with (
        Engine(size=15, rule=Rule.RENJU, memory_mib=4) as a,
        Engine(size=19, rule=Rule.NINUKI, memory_mib=4) as b,
    ):
        alone: list[list[tuple[object, ...]]] = [[], []]
        together: list[list[tuple[object, ...]]] = [[], []]
        for e, results in zip((a, b), alone, strict=True):
            think(e, results)
        threads = [
            threading.Thread(target=think, args=pair) for pair in zip((a, b), together, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert together == alone


def test_a_search_does_not_touch_another_engine() -> None:
    """An engine's position, options and table stay as they are while another one works."""
    with Engine(size=15, memory_mib=4) as a, Engine(size=15, memory_mib=4) as b:
        a.set_position(**scattered(1, 15, 8))
        expected = essence(a.search(Limits(depth=4)))
        a.reset()
        a.set_position(**scattered(1, 15, 8))
        for name in switches():
            b.set_option(name, 0)
        b.set_position(**scattered(2, 15, 8))
        b.search(Limits(nodes=20_000))
        b.stop()
        assert essence(a.search(Limits(depth=4))) == expected


def test_python_runs_while_the_engine_thinks() -> None:
    """A thread that counts gets its share of a search of 300 ms."""
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 4))
        searching = threading.Thread(target=e.search, args=(Limits(time_ms=300),))
        searching.start()
        count = 0
        while searching.is_alive():
            count += 1
        searching.join()
        assert count > 1000


# --- ends ---------------------------------------------------------------------------------------


def test_a_win_at_once() -> None:
    """Four in a row: the fifth stone, one ply from the end."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 7)), white=row(0, range(0, 8, 2)), to_move=BLACK)
        r = e.search(Limits(depth=4))
        assert (r.stage, r.mate) == (Stage.WIN, 1)
        assert e.play(r.move).winner is BLACK


def test_a_win_in_three() -> None:
    """An open three: four, some answer, five."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 6)), white=[(0, 0), (4, 1), (0, 9)], to_move=BLACK)
        r = e.search(Limits(depth=4))
        assert (r.stage, r.mate, len(r.pv)) == (Stage.VCF, 3, 3)


def test_the_only_answer() -> None:
    """A four that one stone can stop is stopped."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(4)), white=[(9, 9), (3, 12), (9, 2)], to_move=WHITE)
        r = e.search(Limits(depth=4))
        assert (r.stage, r.move, r.mate) == (Stage.BLOCK, (4, 7), None)


def test_a_loss_in_two() -> None:
    """Against an open four every move loses, two plies from the end."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 7)), white=[(0, 0), (4, 1), (0, 9)], to_move=WHITE)
        r = e.search(Limits(depth=6))
        assert r.mate == -2
        assert r.score < 0
        assert r.move in [(2, 7), (7, 7)]


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
    """No continuous fours win it, but the search sees the win, and it is one."""
    setup = DOUBLE_THREE
    with Engine(size=9, memory_mib=4) as e, Engine(size=9, memory_mib=4) as adviser:
        e.set_position(**setup)
        assert e.vcf(max_nodes=10_000) is None
        e.set_option("prune.vct", 0)  # else it is proven before the search
        r = e.search(Limits(depth=8))
        assert r.stage is Stage.SEARCH
        assert r.mate is not None and r.mate >= 5
        Oracle(adviser).check(r, setup)


# --- ends of the game, and positions at the edge ------------------------------------------------


@ALL_RULES
def test_a_search_after_the_end_still_gives_a_legal_move(rule: Rule) -> None:
    """Managers may play on; so the end of the game is no reason to stay silent."""
    with Engine(size=9, rule=rule, memory_mib=1) as e:
        e.set_position(black=row(4, range(2, 6)), white=row(0, range(0, 8, 2)), to_move=BLACK)
        assert e.play((6, 4)).winner is BLACK
        assert e.legal(e.search(Limits(depth=3)).move)
        e.set_position(black=row(4, range(2, 7)), white=row(0, range(0, 8, 2)), to_move=BLACK)
        assert e.legal(e.search(Limits(depth=3)).move)
        if rule is Rule.NINUKI:
            e.set_position(black=[(4, 4)], captures=(5, 0), to_move=WHITE)
            assert e.outcome().reason is Reason.CAPTURES
            assert e.legal(e.search(Limits(depth=3)).move)


def test_a_pending_five_is_broken() -> None:
    """The one capture that breaks the five is played, at any depth and without time."""
    five = row(7, range(3, 8))
    setup: Setup = {"black": [*five, (5, 8)], "white": [(5, 6), (12, 12)], "to_move": WHITE}
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        for limits in (Limits(time_ms=0), Limits(nodes=1), Limits(depth=1), Limits(depth=5)):
            e.set_position(**setup)
            assert e.outcome().status is Status.PENDING
            r = e.search(limits)
            assert r.move == (5, 9)
            assert r.stage in (Stage.ANSWER_FIVE, Stage.STATIC)
            assert e.play(r.move).status is Status.ONGOING


def test_a_fifth_pair_answers_a_pending_five() -> None:
    """A capture elsewhere breaks nothing, but it is the fifth pair and wins."""
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        black = [*row(7, range(3, 8)), (10, 11), (11, 11)]
        e.set_position(black=black, white=[(9, 11), (1, 1)], captures=(0, 4), to_move=WHITE)
        r = e.search(Limits(depth=3))
        assert (r.move, r.mate) == ((12, 11), 1)
        assert e.play(r.move).winner is WHITE


def test_a_five_that_cannot_be_broken_is_a_loss() -> None:
    """A position from outside in which any move loses at once."""
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 8)), white=[(1, 1)], to_move=WHITE)
        r = e.search(Limits(depth=3))
        assert e.legal(r.move)
        assert r.mate == -1
        assert e.play(r.move).reason is Reason.FIVE_NOT_BROKEN


def test_an_older_five_counts_with_any_move() -> None:
    """Ninuki: the side to move has a five from outside, which its next move brings to count."""
    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(black=row(7, range(3, 8)), white=[(1, 1)], to_move=BLACK)
        r = e.search(Limits(depth=3))
        assert r.mate == 1
        assert e.play(r.move).winner is BLACK


@ALL_RULES
def test_one_empty_square(rule: Rule) -> None:
    """The last square is played, whatever it brings."""
    with Engine(size=5, rule=rule, memory_mib=1) as e:
        e.set_position(neutral=[m for m in squares(5) if m != (2, 3)], to_move=WHITE)
        for limits in (Limits(depth=5), Limits(time_ms=0), Limits(depth=0), Limits(nodes=0)):
            assert e.search(limits).move == (2, 3)
        assert e.vcf() is None
        assert e.play((2, 3)).status is Status.DRAW


@ALL_RULES
def test_a_full_board(rule: Rule) -> None:
    """There is no move, and no win."""
    with Engine(size=5, rule=rule, memory_mib=1) as e:
        e.set_position(neutral=squares(5))
        with pytest.raises(NoMoveError):
            e.search(Limits(depth=3))
        assert e.vcf() is None


def test_only_barred_squares() -> None:
    """Black's last square is an overline; White may play it."""
    black = [(x, 6) for x in range(7) if x != 3]
    setup: Setup = {"black": black, "neutral": [m for m in squares(7) if m[1] < 6]}
    with Engine(size=7, rule=Rule.RENJU, memory_mib=1) as e:
        e.set_position(**setup, to_move=BLACK)
        assert e.forbidden() == [(3, 6)]
        with pytest.raises(NoMoveError):
            e.search(Limits(depth=3))
        assert e.vcf() is None
        e.set_position(**setup, to_move=WHITE)
        assert e.search(Limits(depth=3)).move == (3, 6)


@ALL_RULES
def test_a_draw_is_nothing(rule: Rule) -> None:
    """With two empty squares and no line left the score is that of a draw."""
    with Engine(size=5, rule=rule, memory_mib=1) as e:
        e.set_position(neutral=[m for m in squares(5) if m not in ((0, 0), (4, 4))])
        r = e.search(Limits(depth=6))
        assert (r.score, r.mate) == (0, None)


@ALL_RULES
def test_every_size_and_crowd_gets_a_legal_move(rule: Rule) -> None:
    """From the empty board to the full one."""
    for size in range(5, 23):
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            for share in (0.0, 0.3, 0.9):
                stones = min(int(size * size * share), 60)
                e.set_position(**scattered(size, size, stones) if size < 10 or stones < 20 else {})
                r = e.search(Limits(depth=2, nodes=500))
                assert e.legal(r.move)


# --- proven scores, played out ------------------------------------------------------------------


class FalseClaimError(AssertionError):
    """A score that was said to be proven, and is not."""


PRUNING = ("lmp", "lmr", "futility", "rfp", "razoring", "iir")


class Oracle:
    """Plays out proven scores: one side by the engine's moves, the other by every move there is."""

    def __init__(self, e: Engine) -> None:
        """Takes an engine for advice, whose position it changes; it need not be right."""
        self._e = e
        self._position = Position(size=e.size, rule=referee.Rule(e.rule))
        self._proven: set[object] = set()
        self._hints: list[Point] = []

    def check(self, r: SearchResult, setup: Setup) -> None:
        """Raises FalseClaimError where the mate of a search result does not come."""
        assert r.mate is not None
        self._position.set_position(**{**setup, "to_move": referee.Color(setup["to_move"].value)})
        if r.mate > 0:
            self._after(r.move, self._position.to_move)
        else:
            self._replies(self._position.to_move.other)

    def _after(self, m: Point, winner: referee.Color) -> None:
        """Plays a move of the winner's, and looks at every reply."""
        if not self._position.legal(m):
            self._fail(f"{m} is not legal")
        outcome = self._position.play(m)
        if outcome.winner is not winner:
            if self._position.is_over:
                self._fail("the game ends otherwise")
            self._replies(winner)
        self._position.undo()

    def _replies(self, winner: referee.Color) -> None:
        """Every legal move loses."""
        for reply in self._position.legal_moves():
            outcome = self._position.play(reply)
            if self._position.is_over:
                if outcome.winner is not winner:
                    self._fail("the loser gets away")
            elif not self._wins_at_once(winner):
                self._advised(winner)
            self._position.undo()

    def _wins_at_once(self, winner: referee.Color) -> bool:
        """Whether one of the squares that won lately wins now."""
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
        """The engine's move."""
        self._e.set_position(**setup)
        return self._e.search(limits)

    def _fail(self, reason: str) -> None:
        """Raises FalseClaimError with the moves that led here."""
        raise FalseClaimError(f"after {self._position.moves}: {reason}")


def setup_of(position: Position) -> Setup:
    """The referee's position for the engine."""
    stones = position.stones
    return {
        "black": [m for m, color in stones.items() if color is referee.Color.BLACK],
        "white": [m for m, color in stones.items() if color is referee.Color.WHITE],
        "neutral": position.neutral,
        "captures": position.captures,
        "to_move": Color(position.to_move.value),
    }


def claims_checked(rule: Rule, rng: random.Random, *, positions: int) -> dict[int, int]:
    """Checks every proven score on random positions of small boards; how many of each length."""
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
    """Of random tactical positions, each with a search of 4 to 6 plies."""
    positions = 150 if rule is not Rule.NINUKI else 60
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
    """The check of proven scores does not believe what is not so: here White's row is stopped."""
    empty = [*row(3, range(7)), (0, 0), (6, 6)]
    rest = [m for m in squares(7) if m not in empty]
    setup: Setup = {"neutral": rest, "white": stones, "captures": (0, 0), "to_move": mover}
    with Engine(size=7, memory_mib=1) as e:
        e.set_position(**setup)
        r = e.search(Limits(depth=4))
        assert r.mate is None
        with pytest.raises(FalseClaimError):
            Oracle(e).check(dataclasses.replace(r, mate=mate), setup)


def test_a_five_is_seen_whatever_else_is_asked() -> None:
    """With several lines, or with one of two fives not to be played, the other one still wins."""
    black, white = row(7, range(3, 7)), [(2, 7), *row(10, range(3, 7))]
    with Engine(size=15, rule=Rule.FREESTYLE, memory_mib=1) as e:
        e.set_position(black=black, white=[*white, (12, 12)][1:], to_move=BLACK)
        for lines in (1, 2, 3):
            found = e.search(Limits(depth=4, lines=lines))
            assert found.move in ((2, 7), (7, 7)) and found.mate == 1
        for barred, left in (((2, 7), (7, 7)), ((7, 7), (2, 7))):
            found = e.search(Limits(depth=4, excluded=[barred]))
            assert found.move == left and found.mate == 1
        e.set_position(black=black, white=white, to_move=BLACK)
        found = e.search(Limits(depth=4, lines=2))
        assert found.move == (7, 7) and found.mate == 1


def test_a_bait_answers_a_five_under_ninuki() -> None:
    """White puts a stone where the five's stone takes it, and breaks the five from its square."""
    with Engine(size=19, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(
            black=[(5, 9), (6, 9), (7, 9), (7, 8), (6, 6), (8, 9)],
            white=[(4, 9), (7, 10), (7, 7), (9, 11), (9, 12), (10, 8), (11, 7), (1, 17)],
            neutral=[(6, 7), (8, 7)],
            captures=(0, 4),
            to_move=WHITE,
        )
        found = e.search(Limits(depth=4))
        assert found.move == (8, 8) and found.mate is None
        e.play((8, 8))
        assert e.play((9, 9)).status is Status.PENDING
        won = e.play((7, 7))
        assert won.status is Status.WIN and won.winner is WHITE


def test_a_standing_five_is_broken_even_without_time() -> None:
    """Of the captures at hand only one breaks the five."""
    with Engine(size=19, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(
            black=[(7, 7), (6, 13), (17, 17)],
            white=[*row(9, range(5, 10)), (7, 8), (7, 13), (8, 13)],
            to_move=BLACK,
        )
        assert e.search(Limits(time_ms=0)).move == (7, 10)
