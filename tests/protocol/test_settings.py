"""INFO keys: the known ones set a value of the settings, others change nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.clock import (
    DEFAULT_TURN_MS,
    UNLIMITED_LEFT,
    limits,
)
from protocol.commands import INT64_MAX
from protocol.settings import Settings, changed, nearest_rule, note_on
from pyengine import Rule
from tests.support.settings import with_info


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
def test_a_number_chooses_its_rule_or_the_nearest_with_a_note(
    number: int, rule: Rule, known: bool
) -> None:
    """`INFO rule N` chooses the rule of N; an unknown N also gives a note."""
    assert nearest_rule(number) == (rule, known)
    assert with_info(f"rule {number}").rule is rule
    assert (note_on("rule", str(number)) is None) == known


@pytest.mark.parametrize("value", ["-1", "-16", "", "x", "4.0", "renju", "0x4"])
def test_a_rule_that_is_no_number_changes_nothing(value: str) -> None:
    """A negative number or other text leaves the settings as they are, without a note."""
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
def test_a_key_sets_its_value_within_bounds(line: str, name: str, value: object) -> None:
    """A known key sets its field; numbers beyond a bound are cut to it or mean no limit."""
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
def test_unknown_keys_and_bad_values_change_nothing(line: str) -> None:
    """Unknown keys, and known keys with a bad value, leave the settings as they are."""
    settings = Settings()
    key, _, value = line.partition(" ")
    assert changed(settings, key, value) is settings


def test_later_values_replace_earlier_ones() -> None:
    """A key that comes again replaces its value, and can restore the default."""
    settings = with_info("max_depth 5", "max_depth 0", "ponder 1", "ponder 0", "rule 4", "rule 9")
    assert settings == Settings(rule=Rule.CARO_STANDARD)


@given(st.text(), st.text())
def test_no_key_and_no_value_raises(key: str, value: str) -> None:
    """Any text is accepted as key and as value."""
    changed(Settings(), key, value)
    note_on(key, value)


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
def test_the_keys_of_time_decide_which_limits_hold(
    lines: list[str], expected: tuple[int | None, int | None]
) -> None:
    """The limits of turn and match follow from all time keys together; None: no limit."""
    assert limits(with_info(*lines), 0.0) == expected
