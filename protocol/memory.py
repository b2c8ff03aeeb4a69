"""How large the table may be, in bytes, and how the rest is kept from growing.

All processes of ours together stay under three quarters of what the manager allows: the table is
what is left of that when everything else has been taken off.
"""

import gc
from typing import Final

from pyengine import fill_cache, one_heap, proof_bytes, trim_heap

MIB: Final = 2**20
# What "no limit" means, and what no default ever passes.
DEFAULT_LIMIT: Final = 350 * MIB
MOST_WITHOUT_ASKING: Final = 1024 * MIB
SMALLEST_TABLE: Final = MIB // 8
# What one millisecond of a thread's thinking has use for: some 1,000 nodes, four slots of 16 bytes
# each. A larger table only costs: its pages come one by one as they are first touched, which took
# two fifths of the speed of the first moves of games at 0.1 s a move, and what is not in the cache
# has to be waited for.
PER_MS: Final = 64 * 1024
SMALLEST_OF_OURS: Final = MIB
# What the process still grows by after it was measured: pattern tables of a second rule, lists of
# moves, the stacks of reader and poller.
GROWTH: Final = 8 * MIB
# One more search thread: its position, history, lists of moves and stack. A part of it is touched
# in the first minutes, all of it at the end of a long game.
PER_THREAD: Final = 5 * MIB // 2
# A one-file executable has a parent process that unpacked it and waits.
ONE_FILE_PARENT: Final = 6 * MIB


def begin() -> None:
    """Prepares a process that will play many games; before other threads start.

    What is loaded by now stays: no search for garbage has to look at it again. What libc will keep
    of freed blocks is there from now on: it would else settle in the heap by and by.
    """
    one_heap()
    fill_cache()
    gc.freeze()


def begin_reader() -> None:
    """Prepares the thread that reads, which has a cache of its own."""
    fill_cache()


def give_back() -> None:
    """Gives back what a game has left; under a millisecond after `begin`.

    There is no garbage, but Python keeps tuples, lists and frames that are free, ever more of them
    after ever longer games, and lets go of them only here. The C library's heap grows likewise.
    """
    gc.collect()
    trim_heap()


def _most(max_memory: int, hash_size: int) -> int:
    limit = (max_memory or DEFAULT_LIMIT) * 3 // 4
    return limit if hash_size else min(limit, MOST_WITHOUT_ASKING)


def largest_table(max_memory: int, physical: int) -> int:
    """The bytes of the largest table that can be asked for. The arguments as in `table_bytes`."""
    most = _most(max_memory, hash_size=1)
    return min(most, physical // 2) if physical else most


def useful_bytes(thinking_ms: int | None, *, max_memory: int, hash_size: int) -> int:
    """The largest table of ours that is of use where a size of its own is not asked for; else 0.

    thinking_ms: what all threads together think about a move, None = without end. The others as in
    `table_bytes`.
    """
    if hash_size:
        return 0
    most = _most(max_memory, hash_size)
    return most if thinking_ms is None else min(most, max(SMALLEST_OF_OURS, PER_MS * thinking_ms))


def table_bytes(
    *,
    max_memory: int,
    hash_size: int,
    others: int,
    physical: int = 0,
    useful: int = MOST_WITHOUT_ASKING,
) -> tuple[int, bool]:
    """The size of the table, and whether the limit has room for the program at all.

    max_memory: the manager's limit, 0 = none. hash_size: the size asked for, 0 = ours to choose.
    others: everything else that our processes hold. physical: memory of the machine, 0 = unknown.
    useful: no more than that, unless a size is asked for.
    """
    limit = _most(max_memory, hash_size)
    if physical:
        limit = min(limit, physical // 2)
    room = limit - others
    fits = room >= SMALLEST_TABLE
    wanted = min(room, hash_size or useful)
    return max(SMALLEST_TABLE, wanted), fits


def others_bytes(*, resident: int, threads: int, one_file: bool) -> int:
    """What is held besides the table.

    resident: this process, measured without a table and before the first search.
    """
    parent = ONE_FILE_PARENT if one_file else 0
    return resident + GROWTH + proof_bytes() + PER_THREAD * max(0, threads - 1) + parent
