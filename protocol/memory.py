"""Computes the size of the table in bytes, and keeps the rest of the process from growing.

All processes of the engine together stay under three quarters of the manager's limit. The table
gets the part of it that nothing else needs.
"""

import gc
from typing import Final

from pyengine import fill_cache, one_heap, proof_bytes, trim_heap

MIB: Final = 2**20
# The limit if the manager sends none, and the most that a default uses.
DEFAULT_LIMIT: Final = 350 * MIB
MOST_WITHOUT_ASKING: Final = 1024 * MIB
SMALLEST_TABLE: Final = MIB // 8
# The useful size for one millisecond of a thread: some 1,000 nodes, four slots of 16 bytes each. A
# larger table is slower: the first touch of each page cost two fifths of the speed of the first
# moves at 0.1 s a move, and more of it misses the cache.
PER_MS: Final = 64 * 1024
SMALLEST_OF_OURS: Final = MIB
# The growth of the process after it was measured: pattern tables of a second rule, lists of moves,
# the stacks of reader and poller.
GROWTH: Final = 8 * MIB
# One more search thread: its position, history, lists of moves and stack. A long game touches all
# of it.
PER_THREAD: Final = 5 * MIB // 2
# A one-file executable has a parent process that unpacked it and waits.
ONE_FILE_PARENT: Final = 6 * MIB


def begin() -> None:
    """Prepares a process that will play many games; before other threads start.

    The objects that exist now are exempt from garbage collection. The blocks that libc keeps after
    a free are allocated now; otherwise they would grow the heap little by little.
    """
    one_heap()
    fill_cache()
    gc.freeze()


def begin_reader() -> None:
    """Prepares the reader's thread, which has its own cache of freed blocks."""
    fill_cache()


def give_back() -> None:
    """Frees memory after a game; takes less than a millisecond after `begin`.

    Python keeps free tuples, lists and frames for later use, more of them after longer games, and
    releases them only in a collection. The heap of the C library grows in the same way.
    """
    gc.collect()
    trim_heap()


def _most(max_memory: int, hash_size: int) -> int:
    limit = (max_memory or DEFAULT_LIMIT) * 3 // 4
    return limit if hash_size else min(limit, MOST_WITHOUT_ASKING)


def largest_table(max_memory: int, physical: int) -> int:
    """Returns the most that `hash_size` can set, in bytes. Arguments: see `table_bytes`."""
    most = _most(max_memory, hash_size=1)
    return min(most, physical // 2) if physical else most


def useful_bytes(thinking_ms: int | None, *, max_memory: int, hash_size: int) -> int:
    """Returns the size from which a larger table is useless; 0 if the manager sets the size.

    thinking_ms: thinking time of all threads together for a move; None = no limit. Other arguments:
    see `table_bytes`.
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
    """Returns the size of the table, and whether the limit has room for the program at all.

    max_memory: the manager's limit, 0 = none. hash_size: the manager's size of the table, 0 = none.
    others: all other memory of the engine's processes. physical: memory of the machine,
    0 = unknown. useful: the most that the table gets without a `hash_size`.
    """
    limit = _most(max_memory, hash_size)
    if physical:
        limit = min(limit, physical // 2)
    room = limit - others
    fits = room >= SMALLEST_TABLE
    wanted = min(room, hash_size or useful)
    return max(SMALLEST_TABLE, wanted), fits


def others_bytes(*, resident: int, threads: int, one_file: bool) -> int:
    """Returns the memory of the engine's processes without the table.

    resident: this process, measured without a table and before the first search.
    """
    parent = ONE_FILE_PARENT if one_file else 0
    return resident + GROWTH + proof_bytes() + PER_THREAD * max(0, threads - 1) + parent
