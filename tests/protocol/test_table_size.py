"""The size of the table: from the memory limit, the machine and the time of a move."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.memory import MIB, SMALLEST_TABLE, others_bytes, table_bytes, useful_bytes

# Memory


def test_everything_stays_under_three_quarters() -> None:
    others = 40 * MIB
    assert table_bytes(max_memory=400 * MIB, hash_size=0, others=others) == (260 * MIB, True)
    assert table_bytes(max_memory=0, hash_size=0, others=others) == (
        350 * MIB * 3 // 4 - others,
        True,
    )


def test_more_than_a_gibibyte_only_when_asked_for() -> None:
    size, _ = table_bytes(max_memory=2**40, hash_size=0, others=0)
    assert size == 1024 * MIB
    size, _ = table_bytes(max_memory=4096 * MIB, hash_size=2048 * MIB, others=0)
    assert size == 2048 * MIB
    size, _ = table_bytes(max_memory=2048 * MIB, hash_size=2048 * MIB, others=0)
    assert size == 1536 * MIB


def test_a_size_asked_for_is_kept_below_the_limit() -> None:
    assert table_bytes(max_memory=0, hash_size=16 * MIB, others=40 * MIB) == (16 * MIB, True)
    size, _ = table_bytes(max_memory=100 * MIB, hash_size=90 * MIB, others=40 * MIB)
    assert size == 35 * MIB


def test_no_more_than_the_time_of_a_move_can_fill() -> None:
    def size(ms: int | None, limit: int = 0, asked: int = 0) -> int:
        useful = useful_bytes(ms, max_memory=limit, hash_size=asked)
        return table_bytes(max_memory=limit, hash_size=asked, others=0, useful=useful)[0]

    assert size(0) == size(16) == MIB
    assert size(128) == 8 * MIB
    assert size(1024) == 64 * MIB
    assert size(60_000) == size(None) == 350 * MIB * 3 // 4
    assert size(None, limit=2**40) == 1024 * MIB
    assert size(100, asked=90 * MIB) == 90 * MIB, "who asks for a size gets it"
    assert size(100, limit=8 * MIB) == 6 * MIB


def test_too_little_is_said_and_played_with() -> None:
    assert table_bytes(max_memory=1, hash_size=0, others=30 * MIB) == (SMALLEST_TABLE, False)
    assert table_bytes(max_memory=40 * MIB, hash_size=0, others=30 * MIB) == (
        SMALLEST_TABLE,
        False,
    )


def test_half_the_machine_is_enough() -> None:
    size, _ = table_bytes(max_memory=2**62, hash_size=2**60, others=0, physical=2**33)
    assert size == 2**32


def test_what_else_is_held() -> None:
    alone = others_bytes(resident=30 * MIB, threads=1, one_file=False)
    assert 30 * MIB < alone < 55 * MIB
    assert others_bytes(resident=30 * MIB, threads=4, one_file=False) > alone
    assert others_bytes(resident=30 * MIB, threads=1, one_file=True) > alone


@given(st.integers(0, 2**62), st.integers(0, 2**62), st.integers(0, 2**34), st.integers(0, 2**40))
def test_a_table_never_passes_its_limit(limit: int, asked: int, others: int, physical: int) -> None:
    size, fits = table_bytes(max_memory=limit, hash_size=asked, others=others, physical=physical)
    assert size >= SMALLEST_TABLE
    if fits:
        assert size + others <= (limit or 350 * MIB) * 3 // 4
        assert not asked or size <= max(asked, SMALLEST_TABLE)
