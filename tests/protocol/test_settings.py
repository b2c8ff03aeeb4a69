"""INFO to settings, and what follows from them: the time of a move, the size of the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.clock import (
    AT_ONCE,
    DEFAULT_TURN_MS,
    UNLIMITED_LEFT,
    Budget,
    Ledger,
    Reserve,
    budget,
    expected_moves,
    limits,
    longest_ms,
    what_is_left,
)
from protocol.commands import INT64_MAX
from protocol.memory import MIB, SMALLEST_TABLE, others_bytes, table_bytes, useful_bytes
from protocol.settings import Settings, changed, nearest_rule, note_on
from pyengine import Rule


def with_info(*lines: str) -> Settings:
    settings = Settings()
    for line in lines:
        key, _, value = line.partition(" ")
        settings = changed(settings, key, value)
    return settings


# Keys and values


@pytest.mark.parametrize(
    ("number", "rule", "known"),
    [
        (0, Rule.FREESTYLE, True),
        (1, Rule.STANDARD, True),
        (2, Rule.FREESTYLE, True),
        (3, Rule.STANDARD, True),
        (4, Rule.RENJU, True),
        (5, Rule.RENJU, True),
        (6, Rule.RENJU, True),
        (8, Rule.CARO, True),
        (9, Rule.CARO_STANDARD, True),
        (10, Rule.CARO, True),
        (11, Rule.CARO_STANDARD, True),
        (12, Rule.RENJU, True),
        (16, Rule.NINUKI, True),
        (18, Rule.NINUKI, True),
        (20, Rule.NINUKI, True),
        (31, Rule.NINUKI, True),
        (32, Rule.PENTE, True),
        (34, Rule.PENTE, True),
        (48, Rule.PENTE, True),
        (64, Rule.KERYO, True),
        (66, Rule.KERYO, True),
        (96, Rule.KERYO, True),
        (128, Rule.FREESTYLE, False),
        (129, Rule.STANDARD, False),
        (132, Rule.RENJU, False),
        (INT64_MAX, Rule.KERYO, False),
    ],
)
def test_rules_by_number(number: int, rule: Rule, known: bool) -> None:
    assert nearest_rule(number) == (rule, known)
    assert with_info(f"rule {number}").rule is rule
    assert (note_on("rule", str(number)) is None) == known


@pytest.mark.parametrize("value", ["-1", "-16", "", "x", "4.0", "renju", "0x4"])
def test_a_rule_that_is_no_number_changes_nothing(value: str) -> None:
    settings = with_info("rule 4")
    assert changed(settings, "rule", value) is settings
    assert note_on("rule", value) is None


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("timeout_turn 1000", "timeout_turn", 1000),
        ("timeout_turn -1", "timeout_turn", -1),
        ("timeout_match 180000", "timeout_match", 180000),
        ("time_left -20", "time_left", -20),
        ("time_increment 500", "time_increment", 500),
        ("time_increment -5", "time_increment", 0),
        ("max_memory 367001600", "max_memory", 367001600),
        ("max_memory 0", "max_memory", 0),
        ("hash_size 65536", "hash_size_kib", 65536),
        ("hash_size -1", "hash_size_kib", 0),
        ("delay 500", "delay_ms", (500, 500)),
        ("delay 500-1200", "delay_ms", (500, 1200)),
        ("delay 0-60000", "delay_ms", (0, 60_000)),
        ("thread_num 4", "threads", 4),
        ("thread_num 0", "threads", 1),
        ("thread_num 1000", "threads", 64),
        ("max_depth 12", "max_depth", 12),
        ("max_depth 0", "max_depth", None),
        ("max_depth -1", "max_depth", None),
        ("max_node 5000", "max_nodes", 5000),
        ("max_node -1", "max_nodes", None),
        ("max_node 18446744073709551615", "max_nodes", None),
        ("level 3", "level", 3),
        ("level 0", "level", 1),
        ("level 99", "level", 10),
        ("ponder 1", "ponder", True),
        ("ponder 2", "ponder", False),
        ("trace 1", "trace", True),
        ("trace 2", "trace", False),
        ("log a b.txt", "log_path", "a b.txt"),
        ("captures 3,1", "captures", (3, 1)),
        ("captures 3", "captures", (0, 0)),
        ("captures 3,-1", "captures", (0, 0)),
        ("prune.lmr 0", "options", {"prune.lmr": 0}),
        ("prune.lmr x", "options", {}),
        ("tune.lmr_scale 40", "options", {"tune.lmr_scale": 40}),
    ],
)
def test_keys(line: str, name: str, value: object) -> None:
    assert getattr(with_info(line), name) == value


@pytest.mark.parametrize(
    "line",
    [
        "folder C:\\x y",
        "game_type 1",
        "evaluate 3,4",
        "nonsense 5",
        "timeout_turn soon",
        "max_memory -1",
        "max_memory much",
        "ponder yes",
        "level high",
        "",
    ],
)
def test_what_changes_nothing(line: str) -> None:
    settings = Settings()
    key, _, value = line.partition(" ")
    assert changed(settings, key, value) is settings


def test_later_values_replace_earlier_ones() -> None:
    settings = with_info("max_depth 5", "max_depth 0", "ponder 1", "ponder 0", "rule 4", "rule 9")
    assert settings == Settings(rule=Rule.CARO_STANDARD)


@given(st.text(), st.text())
def test_no_key_and_no_value_raises(key: str, value: str) -> None:
    changed(Settings(), key, value)
    note_on(key, value)


# Time


@pytest.mark.parametrize(
    ("turn", "reserve"), [(0, 8), (10, 8), (24, 8), (30, 10), (60, 20), (90, 30), (5000, 30)]
)
def test_the_reserve_of_a_machine_that_nobody_knows(turn: int, reserve: int) -> None:
    assert Reserve().ms(turn) == reserve


def taught(*costs: float, hard_ms: int = 34, shrinks: bool = True) -> Reserve:
    """A reserve that has seen replies of these costs."""
    reserve = Reserve(shrinks=shrinks)
    for cost in costs:
        reserve.learn(Budget(hard_ms, hard_ms), hard_ms + cost)
    return reserve


def test_prompt_replies_make_the_reserve_smaller() -> None:
    """By and by, and never below what the brain cannot see of a reply."""
    kept = [taught(*[0.5] * replies).ms(50) for replies in range(100)]
    assert kept[0] == 16 and kept == sorted(kept, reverse=True)
    assert kept[8] > 13 and kept[32] == kept[99] == 6.5
    assert taught(*[0.0] * 100).ms(5000) == 6


def test_one_late_reply_makes_the_reserve_larger_at_once() -> None:
    prompt = [0.2] * 100
    assert taught(*prompt, 7).ms(50) == 13
    assert taught(*prompt, 14).ms(50) == 20, "more than on a machine that nobody knows"
    assert taught(*prompt, 14, *[0.2] * 200).ms(50) == 20, "it is not forgotten soon"
    assert taught(*prompt, 14, *[0.2] * 300).ms(50) < 7


def test_where_nobody_has_measured_the_reserve_only_grows() -> None:
    assert taught(*[0.2] * 100, shrinks=False).ms(50) == 16
    assert taught(*[0.2] * 100, 14, shrinks=False).ms(50) == 20


@pytest.mark.parametrize(("turn", "most"), [(10, 8), (30, 15), (50, 25), (90, 45), (5000, 60)])
def test_a_reserve_has_an_end(turn: int, most: int) -> None:
    assert taught(10_000).ms(turn) == most


def test_only_replies_that_used_their_time_are_counted() -> None:
    reserve = Reserve(shrinks=True)
    reserve.learn(Budget(1000, 1000), 400)  # a win was found
    reserve.learn(Budget(None, None), 400)
    reserve.learn(AT_ONCE, 9)
    assert reserve.ms(50) == 16
    reserve.learn(Budget(1000, 1000), 999.5)
    assert reserve.ms(50) < 16


def test_what_is_left_of_a_budget() -> None:
    assert what_is_left(Budget(70, 40), 10.9) == Budget(60, 30)
    assert what_is_left(Budget(70, 40), 50) == Budget(20, 0)
    assert what_is_left(Budget(70, 40), 500) == AT_ONCE
    assert what_is_left(Budget(), 500) == Budget()
    assert what_is_left(Budget(70, None), 10) == Budget(60, None)


def test_the_whole_turn_is_used_but_for_the_reserve() -> None:
    assert budget(turn_ms=1000, left_ms=None) == Budget(970, 970)
    assert budget(turn_ms=30, left_ms=None) == Budget(20, 20)
    assert budget(turn_ms=1000, left_ms=None, spent_ms=100.5) == Budget(869, 869)


@pytest.mark.parametrize(
    ("turn", "left", "spent"),
    [
        (0, None, 0),
        (8, None, 0),
        (1000, 0, 0),
        (1000, -5, 0),
        (None, -1, 0),
        (None, 8, 0),
        (1000, None, 5000),
        (1000, 100000, 970),
    ],
)
def test_no_time_means_at_once(turn: int | None, left: int | None, spent: float) -> None:
    assert budget(turn_ms=turn, left_ms=left, spent_ms=spent) == AT_ONCE


def test_no_limit_means_none() -> None:
    assert budget(turn_ms=None, left_ms=None, spent_ms=10**9) == Budget(None, None)


@given(
    st.none() | st.integers(-100, 10**7),
    st.none() | st.integers(-100, 10**7),
    st.integers(0, 10**5),
    st.integers(0, 300),
    st.integers(0, 300),
    st.floats(0, 10**5),
)
def test_a_budget_never_passes_what_there_is(
    turn: int | None, left: int | None, increment: int, made: int, possible: int, spent: float
) -> None:
    found = budget(
        turn_ms=turn,
        left_ms=left,
        increment_ms=increment,
        moves_made=made,
        moves_possible=possible,
        spent_ms=spent,
    )
    if turn is None and left is None:
        assert found == Budget(None, None)
        return
    assert found.hard_ms is not None and found.soft_ms is not None
    assert 0 <= found.soft_ms <= found.hard_ms
    least = min(ms for ms in (turn, left) if ms is not None)
    if found.hard_ms:
        assert found.hard_ms + spent + Reserve().ms(least) <= least


def play_game(match_ms: int, moves: int, *, overtime: bool) -> float:
    """What is left after a game at timeout_match alone; every move takes the soft (hard) limit."""
    settings, ledger = with_info(f"timeout_match {match_ms}"), Ledger()
    for made in range(moves):
        turn, left = limits(settings, ledger.used_ms)
        found = budget(
            turn_ms=turn, left_ms=left, moves_made=made, moves_possible=max(0, 242 - made)
        )
        spent = found.hard_ms if overtime else found.soft_ms
        assert spent is not None
        # The way there and back, also for a move that is made at once.
        ledger.charge(spent + 2, 0)
    return match_ms - ledger.used_ms


@pytest.mark.parametrize("match_ms", [20_000, 100_000, 180_000, 1_000_000])
def test_forty_moves_leave_less_than_a_third(match_ms: int) -> None:
    assert 0 < play_game(match_ms, 40, overtime=False) < match_ms / 3
    # A game of forty stones is one of twenty own moves.
    assert 0 < play_game(match_ms, 20, overtime=False) < match_ms / 3


@pytest.mark.parametrize("match_ms", [20_000, 100_000, 180_000, 1_000_000])
def test_no_game_is_long_enough_to_forfeit(match_ms: int) -> None:
    assert play_game(match_ms, 242, overtime=False) > 0
    assert play_game(match_ms, 242, overtime=True) > 0


def test_moves_that_cost_next_to_nothing_are_paid_for() -> None:
    assert budget(turn_ms=None, left_ms=448, moves_possible=112) == AT_ONCE
    assert budget(turn_ms=None, left_ms=450, moves_possible=10) != AT_ONCE


def test_late_moves_still_have_time() -> None:
    left = play_game(180_000, 80, overtime=False)
    found = budget(turn_ms=None, left_ms=int(left), moves_made=80)
    assert found.soft_ms is not None and found.soft_ms >= 30


def test_more_moves_are_expected_the_longer_a_long_game_lasts() -> None:
    assert expected_moves(0) == 26
    assert expected_moves(12) == expected_moves(40) == 14
    assert expected_moves(100) == 44


def test_an_increment_counts() -> None:
    without = budget(turn_ms=None, left_ms=60_000, moves_made=20)
    with_it = budget(turn_ms=None, left_ms=60_000, increment_ms=1000, moves_made=20)
    assert without.soft_ms is not None and with_it.soft_ms is not None
    assert with_it.soft_ms == without.soft_ms + 800
    low = budget(turn_ms=None, left_ms=500, increment_ms=10_000, moves_made=20)
    assert low.hard_ms == 470


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], (DEFAULT_TURN_MS, None)),
        (["timeout_match 0"], (DEFAULT_TURN_MS, None)),
        ([f"time_left {UNLIMITED_LEFT}"], (DEFAULT_TURN_MS, None)),
        (["max_node 100"], (DEFAULT_TURN_MS, None)),
        (["timeout_match 0", "max_node 100"], (None, None)),
        (["timeout_turn -1"], (None, None)),
        (["timeout_turn 0"], (0, None)),
        (["timeout_turn 500"], (500, None)),
        (["timeout_turn 500", "timeout_match 9000"], (500, 9000)),
        (["timeout_match 9000"], (None, 9000)),
        (["timeout_match 9000", "time_left 4000"], (None, 4000)),
        (["timeout_match 9000", f"time_left {UNLIMITED_LEFT}", "timeout_turn 7"], (7, None)),
        (["timeout_match 9000", "time_left -4"], (None, -4)),
        (["timeout_turn 500", "time_left 0"], (500, 0)),
    ],
)
def test_which_limits_hold(lines: list[str], expected: tuple[int | None, int | None]) -> None:
    assert limits(with_info(*lines), 0.0) == expected


def test_own_thinking_is_counted_down() -> None:
    ledger = Ledger()
    ledger.charge(1500.0, 0)
    ledger.charge(500.0, 300)
    assert limits(with_info("timeout_match 9000"), ledger.used_ms) == (None, 7300)
    assert limits(with_info("time_left 4000"), ledger.used_ms) == (None, 2300)
    ledger.told()
    assert limits(with_info("time_left 4000"), ledger.used_ms) == (None, 4000)


def test_the_longest_that_a_move_may_take() -> None:
    assert longest_ms(Settings()) == 5000
    assert longest_ms(with_info("timeout_turn 300")) == 300
    assert longest_ms(with_info("timeout_turn 300", "time_left 20")) == 300
    assert longest_ms(with_info("timeout_turn -1")) is None
    assert longest_ms(with_info("timeout_turn 60000", "timeout_match 28000")) == 6000
    assert budget(turn_ms=60_000, left_ms=28_000, moves_made=12).hard_ms == 6000
    assert longest_ms(with_info("timeout_match 28000", "time_increment 1000")) == 9000
    assert longest_ms(with_info("timeout_turn 0")) == 0
    assert longest_ms(with_info("timeout_match 0", "max_node 5000")) is None


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
