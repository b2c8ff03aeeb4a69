"""Searches with several threads, and games on the clock: moves are legal and in time."""

import random
import subprocess
import sys
import textwrap
import threading
from collections import Counter

import pytest

from arena.rules import referee
from arena.rules.referee import Position
from protocol.clock import Ledger, budget
from protocol.memory import MIB, PER_THREAD
from pyengine import Color, Engine, Limits, Rule, SearchResult, Stage, resident_bytes
from tests.support.paths import ROOT
from tests.support.stopwatch import Stopwatch

BLACK, WHITE = Color.BLACK, Color.WHITE
ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
# Below some thousands of nodes only one thread searches.
NODES = 6000


def opened(e: Engine, seed: int) -> None:
    """Sets up some random stones around the centre."""
    rng = random.Random(seed)
    middle = range(e.size // 3, e.size - e.size // 3)
    stones = rng.sample([(x, y) for x in middle for y in middle], 4)
    e.set_position(black=stones[::2], white=stones[1::2], to_move=BLACK)


# Searches


@ALL_RULES
def test_two_threads_play_legally_and_count_their_nodes(rule: Rule) -> None:
    with Engine(size=15, rule=rule, threads=2, memory_mib=4) as e:
        for seed in range(3):
            opened(e, seed)
            r = e.search(Limits(nodes=NODES))
            assert e.legal(r.move)
            assert (r.threads, r.threads_refused) == (2, 0)
            assert r.mate is not None or NODES <= r.nodes <= NODES + 500
            told = e.progress()
            assert [line.nodes for line in told] == sorted(line.nodes for line in told)
            assert told[-1].nodes <= r.nodes
            assert told[-1].pv[0] == r.move, "the last that is told is what is played"


def test_one_thread_after_two_is_as_it_was() -> None:
    """Clearing the table removes the helpers' results: one thread searches as before."""

    def game(e: Engine) -> list[tuple[object, ...]]:
        e.reset()
        opened(e, 4)
        played: list[tuple[object, ...]] = []
        for _ in range(6):
            r = e.search(Limits(nodes=NODES))
            played.append((r.move, r.score, r.nodes, r.depth, r.pv, r.threads))
            e.play(r.move)
        return played

    with Engine(size=15, memory_mib=2) as e:
        first = game(e)
        e.set_option("threads", 3)
        assert 3 in {entry[-1] for entry in game(e)}
        e.set_option("threads", 1)
        assert game(e) == first


STAGES = {
    Stage.ANSWER_FIVE: (
        Rule.NINUKI,
        [(3, 7), (4, 7), (5, 7), (6, 7), (7, 7), (5, 8)],
        [(5, 6), (12, 12)],
        WHITE,
    ),
    Stage.WIN: (Rule.STANDARD, [(3, 7), (4, 7), (5, 7), (6, 7)], [(3, 8), (4, 9), (9, 9)], BLACK),
    Stage.BLOCK: (Rule.CARO, [(3, 7), (4, 7), (5, 7), (6, 7)], [(3, 8), (4, 9), (9, 9)], WHITE),
    Stage.VCF: (
        Rule.FREESTYLE,
        [(5, 7), (6, 7), (7, 7), (8, 4), (8, 5), (8, 6)],
        [(4, 7), (8, 3), (1, 1), (13, 1), (1, 13), (12, 12)],
        BLACK,
    ),
    Stage.VCT: (
        Rule.FREESTYLE,
        [(4, 8), (5, 7), (6, 8), (6, 9), (7, 6), (8, 6), (9, 5)],
        [(4, 6), (4, 7), (5, 8), (6, 6), (7, 7), (8, 5)],
        WHITE,
    ),
    Stage.ANSWER_VCF: (Rule.STANDARD, [(5, 7), (6, 7), (7, 7)], [(1, 1), (13, 2)], WHITE),
    Stage.SEARCH: (Rule.RENJU, [(7, 7), (8, 6)], [(8, 8), (6, 5)], BLACK),
}


@pytest.mark.parametrize("stage", STAGES, ids=str)
def test_a_stop_in_any_stage_gives_a_legal_move(stage: Stage) -> None:
    rule, black, white, to_move = STAGES[stage]
    with Engine(size=15, rule=rule, threads=2, memory_mib=4) as e:
        e.set_position(black=black, white=white, to_move=to_move)
        assert e.search(Limits(nodes=50_000)).stage is stage
        for delay_s in (None, 0.0, 0.0002, 0.001, 0.005, 0.03):
            e.clear_table()
            e.arm()
            timer = threading.Timer(delay_s or 0.0, e.stop)
            if delay_s is None:
                e.stop()
            else:
                timer.start()
            watch = Stopwatch()
            r = e.search(Limits(), armed=True)
            own_s = watch.own_s
            timer.cancel()
            assert e.legal(r.move)
            assert own_s < (delay_s or 0.0) + 0.5


def test_several_lines_with_several_threads() -> None:
    with Engine(size=15, threads=3, memory_mib=4) as e:
        opened(e, 1)
        r = e.search(Limits(depth=5, lines=3))
        last = e.progress()[-3:]
        assert [line.line for line in last] == [0, 1, 2]
        assert {line.depth for line in last} == {5}
        assert last[0].score >= last[1].score >= last[2].score
        assert len({line.pv[0] for line in last}) == 3
        assert last[0].pv[0] == r.move


def test_a_thread_costs_no_more_memory_than_is_planned() -> None:
    with Engine(size=20, memory_mib=1) as e:
        opened(e, 2)
        e.search(Limits(nodes=200_000))
        before = resident_bytes()
        e.set_option("threads", 9)
        e.search(Limits(nodes=1_000_000))
        assert resident_bytes() - before < 8 * PER_THREAD
        e.set_option("threads", 1)
        assert resident_bytes() - before < 2 * MIB, "and it comes back"


# Faults. A limit of address space makes the system refuse memory. The search runs in a thread,
# because the stack of the main one could not grow.

SHORT_OF_MEMORY = """
    import resource, threading
    from pathlib import Path
    from pyengine import Engine, Limits, OutOfMemoryError

    def search(e, spare_kib):
        used = next(row for row in Path("/proc/self/status").read_text().splitlines()
                    if row.startswith("VmSize"))
        limit = int(used.split()[1]) + spare_kib
        resource.setrlimit(resource.RLIMIT_AS, (limit * 1024, -1))
        try:
            r = e.search(Limits(nodes=8000))
            return r.threads, r.threads_refused, r.table_refused_kib, e.legal(r.move)
        except OutOfMemoryError:
            return None
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (-1, -1))

    def main():
        with Engine(size=15, memory_mib=TABLE) as e:
            e.set_position(black=[(7, 7)], white=[(8, 8)])
            STEPS

    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
"""


def short_of_memory(table_mib: int, steps: str) -> list[tuple[int, int, int, bool] | None]:
    """Runs searches with little memory; returns one tuple each, None without a result."""
    program = textwrap.dedent(SHORT_OF_MEMORY).replace("TABLE", str(table_mib))
    program = program.replace("STEPS", textwrap.indent(steps, " " * 8).strip())
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [eval(line) for line in done.stdout.splitlines()]


@pytest.mark.linux
def test_threads_that_cannot_be_had_are_done_without() -> None:
    """A search does without threads that the system refuses, and uses all when it can."""
    steps = textwrap.dedent("""
        e.search(Limits(nodes=8000))
        e.set_option("threads", 4)
        for spare_kib in (*range(0, 12_000, 400), 1_000_000):
            print(search(e, spare_kib))
            e.set_option("threads", 1)
            e.set_option("threads", 4)
    """)
    found = short_of_memory(1, steps)
    numbers = []
    for entry in found:
        assert entry is not None
        threads, refused, _, legal = entry
        assert legal and threads + refused == 4
        numbers.append(threads)
    assert numbers[0] == 1 and numbers[-1] == 4
    assert {2, 3} & set(numbers)


@pytest.mark.linux
def test_a_table_that_cannot_be_had_is_halved() -> None:
    steps = textwrap.dedent("""
        for spare_kib in (400_000, 50_000, 20_000, 1_500, 500):
            e.clear_table()
            print(search(e, spare_kib))
    """)
    found = short_of_memory(64, steps)
    short = [None if entry is None else entry[2] // 1024 for entry in found]
    proofs = 11  # MiB: with less than that to spare the search does without them
    assert short == [0, 32, 48 + proofs, 63 + proofs, None]
    assert all(entry is None or entry[3] for entry in found)


# Games


def play_refereed(e: Engine, rng: random.Random) -> Position:
    """Plays one game of an engine against itself; fails on an illegal move."""
    e.reset()
    position = Position(size=e.size, rule=referee.Rule(e.rule))
    while not position.is_over:
        if len(position.moves) < 4:
            near = range(e.size // 2 - 2, e.size // 2 + 3)
            m = rng.choice([(x, y) for x in near for y in near if position.legal((x, y))])
        else:
            r = e.search(Limits(nodes=rng.choice((4096, 5000, 8000))))
            m = r.move
        assert position.legal(m), (e.rule, position.moves, m)
        outcome = position.play(m)
        assert e.play(m).status.value == outcome.status.value
    return position


def play_games(games: int, seed: int) -> None:
    """Plays over all rules in turn, on small and large boards."""
    rng = random.Random(seed)
    ends: Counter[str] = Counter()
    for number in range(games):
        rule = list(Rule)[number % len(Rule)]
        with Engine(size=rng.choice((9, 12, 15, 20)), rule=rule, threads=2, memory_mib=2) as engine:
            ends[str(play_refereed(engine, rng).reason)] += 1
    assert len(ends) > 1 or games < 20, ends


def test_some_games_with_two_threads() -> None:
    play_games(6, seed=1)


@pytest.mark.soak
def test_500_games_with_two_threads() -> None:
    play_games(500, seed=random.SystemRandom().getrandbits(32))


# Time


MATCH_MS = 4000
MOVES = 40


def think_on_the_clock(
    e: Engine, ledger: Ledger, moves: int, free: int
) -> tuple[SearchResult, float]:
    """Makes one move as the brain does: plans its time from the clock, and charges the clock.

    Also returns the ms of waits for a core.
    """
    watch = Stopwatch()
    given = budget(
        turn_ms=None,
        left_ms=max(0, int(MATCH_MS - ledger.used_ms)),
        moves_made=moves,
        moves_possible=(free + 1) // 2,
    )
    r = e.search(Limits(time_ms=given.hard_ms, soft_ms=given.soft_ms))
    took_s, own_s = watch.wall_s, watch.own_s
    ledger.charge(took_s * 1000, 0)
    return r, (took_s - own_s) * 1000


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_of_40_moves_uses_its_time_and_keeps_it(seed: int) -> None:
    """Self-play on one clock, 40 moves without a decided position.

    If a game is decided, another one continues on the same clock.
    """
    ledger, moves, games, lost_ms = Ledger(), 0, 0, 0.0
    with Engine(size=15, memory_mib=16) as e:
        opened(e, seed)
        while moves < MOVES:
            r, waited_ms = think_on_the_clock(e, ledger, moves, e.size**2 - 2 * moves)
            lost_ms += waited_ms
            assert ledger.used_ms - lost_ms < MATCH_MS, f"time is over after {moves + 1} moves"
            if r.mate is None:
                moves += 1
                e.play(r.move)
                r = e.search(Limits(nodes=2000))
            if r.mate is None:
                e.play(r.move)
            else:
                games += 1
                opened(e, 100 * seed + games)
    assert ledger.used_ms > MATCH_MS * 2 / 3, "a third of the time is left"


def test_a_clear_case_takes_less_time_than_an_unclear_one() -> None:
    """A single legal move takes almost no time; an unclear position takes all of it."""
    with Engine(size=15, memory_mib=4) as e:
        e.set_position()
        watch = Stopwatch()
        e.search(Limits(time_ms=3000, soft_ms=1000))
        assert watch.own_s < 0.3, "the middle"
        opened(e, 3)
        r = e.search(Limits(time_ms=250, soft_ms=250))
        assert r.time_ms > 200 or r.mate is not None
        r = e.search(Limits(time_ms=20_000, soft_ms=100))
        assert r.time_ms < 5000
