"""The time budget of a move: the limit of the turn, the rest of the match, and the reserve."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.clock import (
    AT_ONCE,
    Budget,
    Ledger,
    Reserve,
    budget,
    expected_moves,
    limits,
    longest_ms,
    what_is_left,
)
from protocol.settings import Settings
from tests.support.settings import with_info


def test_the_rest_of_a_budget() -> None:
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
    """Returns the milliseconds left after a game with timeout_match only.

    Each move takes its soft limit, or its hard limit with overtime.
    """
    settings, ledger = with_info(f"timeout_match {match_ms}"), Ledger()
    for made in range(moves):
        turn, left = limits(settings, ledger.used_ms)
        found = budget(
            turn_ms=turn, left_ms=left, moves_made=made, moves_possible=max(0, 242 - made)
        )
        spent = found.hard_ms if overtime else found.soft_ms
        assert spent is not None
        # Each move also costs 2 ms for the pipes.
        ledger.charge(spent + 2, 0)
    return match_ms - ledger.used_ms


@pytest.mark.parametrize("match_ms", [20_000, 100_000, 180_000, 1_000_000])
def test_a_game_leaves_little_of_its_time(match_ms: int) -> None:
    assert 0 < play_game(match_ms, 40, overtime=False) < match_ms / 5
    # A game of forty stones has twenty moves of the engine. On average, a search takes more than
    # its soft limit.
    assert 0 < play_game(match_ms, 20, overtime=False) < match_ms * 2 / 5


@pytest.mark.parametrize("match_ms", [20_000, 100_000, 180_000, 1_000_000])
def test_no_game_is_long_enough_to_forfeit(match_ms: int) -> None:
    assert play_game(match_ms, 242, overtime=False) > 0
    assert play_game(match_ms, 242, overtime=True) > 0


def test_time_is_reserved_for_instant_moves() -> None:
    assert budget(turn_ms=None, left_ms=448, moves_possible=112) == AT_ONCE
    assert budget(turn_ms=None, left_ms=450, moves_possible=10) != AT_ONCE


def test_late_moves_still_have_time() -> None:
    left = play_game(180_000, 80, overtime=False)
    found = budget(turn_ms=None, left_ms=int(left), moves_made=80)
    assert found.soft_ms is not None and found.soft_ms >= 30


def test_more_moves_are_expected_the_longer_a_long_game_lasts() -> None:
    assert expected_moves(0) == 26
    assert expected_moves(10) == expected_moves(40) == 16
    assert expected_moves(100) == 46


def test_an_increment_counts() -> None:
    without = budget(turn_ms=None, left_ms=60_000, moves_made=20)
    with_it = budget(turn_ms=None, left_ms=60_000, increment_ms=1000, moves_made=20)
    assert without.soft_ms is not None and with_it.soft_ms is not None
    assert with_it.soft_ms == without.soft_ms + 800
    low = budget(turn_ms=None, left_ms=500, increment_ms=10_000, moves_made=20)
    assert low.hard_ms == 470


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
    assert longest_ms(with_info("timeout_turn 60000", "timeout_match 32000")) == 8000
    assert budget(turn_ms=60_000, left_ms=32_000, moves_made=10).hard_ms == 8000
    assert longest_ms(with_info("timeout_match 32000", "time_increment 1000")) == 12000
    assert longest_ms(with_info("timeout_turn 0")) == 0
    assert longest_ms(with_info("timeout_match 0", "max_node 5000")) is None
