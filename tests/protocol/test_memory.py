"""A brain that plays game after game: what one has left is not kept for the next."""

import gc
import itertools
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from tests.support.brains import ALL_PLAYERS
from tests.support.protocol_runner import Brain
from tests.support.table import Table

LIBC_HEAP = 64 * 2**20
"""Address space that glibc reserves for each heap except the first, aligned to its size."""


@pytest.mark.parametrize("line", ["START 15", "START 20", "RESTART", "YXHASHCLEAR"])
def test_what_a_game_has_left_is_given_back(table: Table, line: str) -> None:
    table.send(line)
    before = sys.getallocatedblocks()
    squares = [tuple(range(n % 19 + 1)) for n in range(20_000)]
    del squares
    kept = sys.getallocatedblocks() - before
    assert kept > 5_000, "Python keeps free tuples"
    table.send(line)
    assert sys.getallocatedblocks() - before < kept / 10


def test_many_games_hold_no_more_than_a_few() -> None:
    """Not a block more in Python's heap, whatever is sent and whatever the size of the board."""
    table = Table()

    def play(games: int) -> int:
        for game in range(games):
            table.send(f"START {5 + game % 18}", "BEGIN", "TURN 0,0", "TAKEBACK 0,0", "PLAY 0,0")
            table.send("BOARD", "1,1,1", "2,2,2", "DONE", "YXNBEST 2", "NONSENSE", "TURN x")
            table.send("INFO timeout_turn 50", "RESTART", "YXHASHCLEAR")
            for kept in (table.said, table.engine.limits, table.engine.setups, table.engine.calls):
                kept.clear()
        gc.collect()
        return sys.getallocatedblocks()

    play(18)
    before = play(18)
    assert play(54) - before < 18


def mapped(pid: int) -> Iterator[tuple[int, int, str]]:
    """Begin, end and rights of all that a process has mapped."""
    for line in Path(f"/proc/{pid}/maps").read_text(encoding="ascii").splitlines():
        if found := re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ 0$", line.rstrip()):
            yield int(found[1], 16), int(found[2], 16), found[3]


def further_heaps(pid: int) -> list[int]:
    """The addresses of the C library's further heaps: a used part, then one without access."""
    pieces = list(mapped(pid))
    return [
        begin
        for (begin, used, rights), (end_used, end, none) in itertools.pairwise(pieces)
        if begin % LIBC_HEAP == 0 and used == end_used and end - begin == LIBC_HEAP
        if (rights, none) == ("rw-p", "---p")
    ]


@pytest.mark.linux
@ALL_PLAYERS
def test_all_threads_share_one_heap(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("START 20")
        brain.send("INFO timeout_turn 300", "INFO thread_num 2")
        brain.ask("BOARD", *(f"{n},{n},{1 + n % 2}" for n in range(4)), "DONE")
        processes = [psutil.Process(brain.process.pid)]
        processes += processes[0].children()
        assert [further_heaps(process.pid) for process in processes] == [[] for _ in processes]
