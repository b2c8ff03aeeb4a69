"""The search: the same game twice, its limits, its switches, engines side by side."""

import functools
import statistics
import threading
import time

import pytest

from arena.rules.referee import Point
from pyengine import (
    Engine,
    Limits,
    NoMoveError,
    Rule,
    Stage,
    Status,
)
from tests.support.scenes import (
    ALL_RULES,
    DOUBLE_THREE,
    essence,
    row,
    scattered,
    squares,
)
from tests.support.stopwatch import Stopwatch


def played(e: Engine, limits: Limits, moves: int) -> list[tuple[object, ...]]:
    """Plays some moves of a game against itself from a fixed opening."""
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
    """Moves, scores and nodes are equal after a reset, and in another engine."""
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
    """A repeated search is shorter with its table, and the same after clearing it."""
    with Engine(size=12, memory_mib=4) as e:
        e.set_position(**scattered(1, 12, 6))
        first = e.search(Limits(depth=5))
        again = e.search(Limits(depth=5))
        e.clear_table()
        cleared = e.search(Limits(depth=5))
        assert again.nodes < first.nodes == cleared.nodes
        assert essence(cleared) == essence(first)


@ALL_RULES
def test_time_is_kept(rule: Rule) -> None:
    """A search of 100 ms ends on time, and not long before."""
    with Engine(size=15, rule=rule, memory_mib=16) as e:
        e.set_position(**scattered(3, 15, 8))
        e.search(Limits(time_ms=1))  # allocates the table
        watch = Stopwatch()
        r = e.search(Limits(time_ms=100))
        took = watch.wall_s
        assert watch.own_s < 0.35
        assert r.time_ms <= took * 1000 + 1
        assert took > 0.09 or r.mate is not None
        assert e.legal(r.move)


@ALL_RULES
def test_no_time_at_all(rule: Rule) -> None:
    """With 0 ms a legal move comes at once, also on the largest board."""
    with Engine(size=22, rule=rule, memory_mib=4) as e:
        for stones in (0, 1, 40):
            e.set_position(**scattered(stones, 22, stones))
            watch = Stopwatch()
            r = e.search(Limits(time_ms=0))
            assert watch.own_s < 0.2
            assert e.legal(r.move) and r.pv == [r.move]


def test_the_soft_limit_begins_no_iteration() -> None:
    """A soft limit of 1 ms ends the search long before the hard limit."""
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 8))
        watch = Stopwatch()
        r = e.search(Limits(time_ms=20_000, soft_ms=1))
        assert watch.own_s < 5
        assert r.depth >= 1


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_depth_is_kept(depth: int) -> None:
    """The search reaches its depth limit and does not exceed it."""
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 4))
        r = e.search(Limits(depth=depth))
        assert r.depth == depth
        assert [line.depth for line in e.progress()] == list(range(1, depth + 1))
        assert r.stage is Stage.SEARCH


@pytest.mark.parametrize("nodes", [1, 10, 1000, 20_000])
@ALL_RULES
def test_nodes_are_kept(nodes: int, rule: Rule) -> None:
    """The search exceeds its node limit by a few nodes at most; one node gives a legal move."""
    with Engine(size=15, rule=rule, memory_mib=4) as e:
        e.set_position(**scattered(7, 15, 8))
        r = e.search(Limits(nodes=nodes))
        assert r.nodes <= nodes + 4
        assert r.nodes >= nodes // 2 or r.mate is not None
        assert e.legal(r.move)


def stop_delay(e: Engine, thinks: float) -> float:
    """Returns the CPU seconds from stop() to the end of an unlimited search."""
    ended: list[float] = []
    watches: list[Stopwatch] = []

    def think() -> None:
        r = e.search(Limits(), armed=True)
        ended.append(watches[0].own_s)
        assert e.legal(r.move)

    e.clear_table()
    e.arm()
    thread = threading.Thread(target=think, daemon=True)
    thread.start()
    time.sleep(thinks)
    assert not ended, "the search ends by itself"
    watches.append(Stopwatch())
    e.stop()
    thread.join(60)
    assert ended, "stop() does not end the search"
    return ended[0]


def test_stop_from_another_thread_is_quick() -> None:
    """An unlimited search ends within 10 ms of stop(), a little later on a busy machine."""
    with Engine(size=20, rule=Rule.NINUKI, memory_mib=16) as e:
        e.set_position(black=[(9, 9), (4, 4)], white=[(10, 11), (14, 5)])
        delays = [stop_delay(e, thinks) for thinks in (0.0, 0.01, 0.03, 0.05, 0.1, 0.1, 0.1)]
        assert statistics.median(delays) < 0.05, delays


def test_an_early_stop_is_not_lost() -> None:
    """A stop between arming and searching ends the search as it starts."""
    with Engine(size=15, memory_mib=4) as e:
        e.arm()
        e.stop()
        watch = Stopwatch()
        r = e.search(Limits(), armed=True)
        assert watch.own_s < 2
        assert e.legal(r.move)


@ALL_RULES
def test_excluded_moves_are_never_played(rule: Rule) -> None:
    """Best moves are excluded one after the other; none of them is played again."""
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


def switches() -> list[str]:
    """Returns the names of the on/off options."""
    with Engine(memory_mib=1) as e:
        return [name for name in e.option_names() if name.startswith("prune.")]


def defaults(engine: Engine, rule: Rule) -> dict[str, int]:
    """Returns the options under a rule."""
    return {option.name: option.default for option in engine.options(rule)}


@functools.cache
def switched(name: str | None, rule: Rule) -> list[tuple[object, ...]]:
    """Searches some positions with a switch turned to its other value, or as they are."""
    found = []
    with Engine(size=15, rule=rule, memory_mib=1) as e:
        shipped = defaults(e, rule)
        for seed in range(6):
            e.reset()
            e.set_option("prune.vct", seed % 2)  # otherwise it takes wins from the search
            if name == "prune.vct":
                e.set_option(name, 1 - seed % 2)
            elif name:
                e.set_option(name, 1 - shipped[name])
            e.set_position(**(scattered(seed, 15, 6 + seed) if seed else DOUBLE_THREE))
            r = e.search(Limits(depth=10, nodes=20_000))
            assert e.legal(r.move)
            found.append(essence(r))
    return found


@pytest.mark.parametrize("name", switches())
def test_each_switch_does_something_and_nothing_wrong(name: str) -> None:
    """On or off, moves are legal; on some position the search differs."""
    rules = (Rule.FREESTYLE, Rule.NINUKI, Rule.RENJU)
    assert any(switched(name, rule) != switched(None, rule) for rule in rules)


def test_a_switch_goes_back() -> None:
    """Changed and changed back, an option gives the old search."""
    with Engine(size=15, memory_mib=1) as e:
        e.set_position(**scattered(1, 15, 8))
        first = essence(e.search(Limits(depth=5)))
        shipped = defaults(e, Rule.FREESTYLE)
        for turned in (True, False):
            for name in switches():
                e.set_option(name, 1 - shipped[name] if turned else shipped[name])
        e.clear_table()
        assert essence(e.search(Limits(depth=5))) == first


def test_a_second_look_goes_deeper_by_what_it_is_told() -> None:
    """An extension of 0 equals the option switched off."""
    with Engine(size=15, memory_mib=4) as e:

        def search(name: str, value: int, back: int) -> tuple[object, ...]:
            e.clear_table()
            e.set_option(name, value)
            found = essence(e.search(Limits(depth=12)))
            e.set_option(name, back)
            return found

        e.set_position(**scattered(1, 15, 8))
        off = search("prune.lmr_research", 0, 1)
        assert search("lmr_research_extension", 0, 67) == off
        assert search("prune.lmr_research", 1, 1) != off


def test_engines_in_two_threads_do_not_disturb_each_other() -> None:
    """Two engines that search at once, by two rules, find the same as alone."""

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
    """Position, options and table of an engine do not change during another's search."""
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
    """A counting thread gets its share of time during a search of 300 ms."""
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(**scattered(3, 15, 4))
        searching = threading.Thread(target=e.search, args=(Limits(time_ms=300),))
        searching.start()
        count = 0
        while searching.is_alive():
            count += 1
        searching.join()
        assert count > 1000
