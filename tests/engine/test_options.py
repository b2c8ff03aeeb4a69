"""Options: every rule keeps its own values, and errors and the page name the bounds."""

import re
from collections.abc import Iterable

import pytest

from protocol.__main__ import _apply
from protocol.guard import Guard
from protocol.settings import Settings
from protocol.tuning import Host, Tuner
from pyengine import (
    ClosedError,
    Engine,
    Limits,
    Option,
    OptionError,
    OutOfRangeError,
    Rule,
    WrongTypeError,
    option_aliases,
    resident_bytes,
)
from tests.support.scenes import ALL_RULES, essence, scattered
from tools import options as page

NINUKI_OWN = "vcf_nodes"
"""An option with another default under ninuki."""


def by_name(e: Engine, rule: Rule | None = None) -> dict[str, Option]:
    """Returns the options of a rule."""
    return {option.name: option for option in e.options(rule)}


def values(e: Engine, name: str) -> dict[Rule, int]:
    """Returns the value of an option under every rule."""
    return {rule: by_name(e, rule)[name].value for rule in Rule}


@ALL_RULES
def test_a_new_engine_has_the_defaults(rule: Rule) -> None:
    with Engine(rule=rule, memory_mib=1) as e:
        assert e.options() == e.options(rule)
        assert [option.name for option in e.options()] == e.option_names()
        for option in e.options():
            assert option.minimum <= option.default <= option.maximum
            assert option.minimum < option.maximum
            assert option.value == option.default
            assert option.rule is (None if option.name in ("threads", "level") else rule)


def test_ninuki_has_defaults_of_its_own() -> None:
    with Engine(memory_mib=1) as e:
        ninuki, others = by_name(e, Rule.NINUKI), by_name(e, Rule.RENJU)
        assert ninuki[NINUKI_OWN].default != others[NINUKI_OWN].default
        assert ninuki["prune.vcf_lean"].default == 0 and others["prune.vcf_lean"].default == 1


@pytest.mark.parametrize("name", [NINUKI_OWN, "prune.lmr", "lmr_scale"])
def test_a_value_is_set_for_the_rule_that_is_played(name: str) -> None:
    """Setting a value once changed that of every rule."""
    with Engine(memory_mib=1) as e:
        before = values(e, name)
        e.set_option(name, 0)
        assert values(e, name) == {**before, Rule.FREESTYLE: 0}
        e.reset(rule=Rule.NINUKI)
        assert by_name(e)[name].value == before[Rule.NINUKI]
        e.set_option(name, 1)
        assert values(e, name) == {**before, Rule.FREESTYLE: 0, Rule.NINUKI: 1}
        e.set_option(name, before[Rule.NINUKI])
        e.reset(rule=Rule.FREESTYLE)
        assert values(e, name) == {**before, Rule.FREESTYLE: 0}


def test_a_value_is_set_for_the_rules_that_are_named() -> None:
    with Engine(memory_mib=1) as e:
        before = values(e, NINUKI_OWN)
        e.set_option(NINUKI_OWN, 7, rules=[Rule.CARO, Rule.NINUKI])
        assert values(e, NINUKI_OWN) == {**before, Rule.CARO: 7, Rule.NINUKI: 7}
        e.set_option(NINUKI_OWN, 8, rules=[])
        assert values(e, NINUKI_OWN) == {**before, Rule.CARO: 7, Rule.NINUKI: 7}
        e.set_option(NINUKI_OWN, 9, rules=Rule)
        assert set(values(e, NINUKI_OWN).values()) == {9}


def test_one_rule_alone_is_no_list_of_rules() -> None:
    with Engine() as e, pytest.raises(WrongTypeError, match="a list of rules, not 'renju'"):
        e.set_option("level", 3, rules="renju")


@pytest.mark.parametrize("name", ["threads", "level"])
@pytest.mark.parametrize("rules", [None, [Rule.RENJU], Rule])
def test_threads_and_level_hold_for_every_rule(name: str, rules: Iterable[Rule] | None) -> None:
    with Engine(threads=2, memory_mib=1) as e:
        e.set_option(name, 3, rules=rules)
        assert set(values(e, name).values()) == {3}


def test_the_search_follows_the_values_of_its_rule() -> None:
    """Another rule's value changes nothing; resetting the own value restores the search."""

    def searched(e: Engine) -> tuple[object, ...]:
        e.clear_table()
        e.set_position(**scattered(5, 15, 12, rule=Rule.NINUKI))
        return essence(e.search(Limits(depth=6)))

    with Engine(size=15, rule=Rule.NINUKI, memory_mib=1) as e:
        default = by_name(e)["lmr_scale"].default
        first = searched(e)
        e.set_option("lmr_scale", 0, rules=[rule for rule in Rule if rule is not Rule.NINUKI])
        assert searched(e) == first
        e.set_option("lmr_scale", 0)
        assert searched(e) != first
        e.set_option("lmr_scale", default)
        assert searched(e) == first


@ALL_RULES
def test_an_error_names_the_bounds_and_nothing_is_set(rule: Rule) -> None:
    with Engine(rule=rule, memory_mib=1) as e:
        before = e.options()
        for option in before:
            for value in (option.minimum - 1, option.maximum + 1):
                told = (
                    f"{option.name} must be from {option.minimum} to {option.maximum}, not {value}"
                )
                with pytest.raises(OptionError, match=told):
                    e.set_option(option.name, value, rules=Rule)
        assert e.options() == before
        for option in before:
            for value in (option.minimum, option.maximum):
                e.set_option(option.name, value)
                assert by_name(e)[option.name].value == value


def test_a_name_that_is_unknown_is_told_with_the_nearest_one() -> None:
    with Engine(memory_mib=1) as e:
        with pytest.raises(OptionError, match="'lmr_scal': no such option, did you mean lmr_scale"):
            e.set_option("lmr_scal", 1)
        with pytest.raises(OptionError, match=r"'qqq': no such option$"):
            e.set_option("qqq", 1)


def test_an_old_name_sets_the_option_that_has_its_place() -> None:
    with Engine(memory_mib=1) as e:
        options = by_name(e)
        assert option_aliases()["prune.lmp"] == "prune.move_count_pruning"
        for old, name in option_aliases().items():
            assert old not in options
            option = options[name]
            other = option.minimum if option.value != option.minimum else option.maximum
            e.set_option(old, other, rules=Rule)
            assert set(values(e, name).values()) == {other}
            with pytest.raises(OptionError, match=f"{re.escape(old)} must be from"):
                e.set_option(old, option.maximum + 1)


def test_old_names_still_work_over_the_protocol() -> None:
    with Engine(memory_mib=1) as e:
        tuner = Tuner(e, Guard(), Host(resident=resident_bytes))
        now = Settings(options={"prune.lmp": 0, "tune.lmr_worse": 11})
        assert tuner.option(now, "prune.lmp") is None
        assert tuner.option(now, "tune.lmr_worse") is None
        assert set(values(e, "prune.move_count_pruning").values()) == {0}
        assert set(values(e, "lmr_not_improving").values()) == {11}
        _apply(e, {"rfp_guard": 2})
        assert set(values(e, "rfp_threat_classes").values()) == {2}


def test_rules_that_are_none_are_refused() -> None:
    with Engine(memory_mib=1) as e:
        before = values(e, NINUKI_OWN)
        with pytest.raises(OutOfRangeError, match="rule must be one of"):
            e.set_option(NINUKI_OWN, 1, rules=[Rule.NINUKI, 3])
        with pytest.raises(WrongTypeError, match="rules must be a list of rules"):
            e.set_option(NINUKI_OWN, 1, rules=16)  # type: ignore[arg-type]
        with pytest.raises(OutOfRangeError, match="rule must be one of"):
            e.options(2)
        assert values(e, NINUKI_OWN) == before
    with pytest.raises(ClosedError):
        e.options(Rule.RENJU)


def test_the_page_has_every_option() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.filled(text) == text
    assert page.main(["--check"]) == 0


def test_a_page_that_is_stale_is_told() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `lmr_scale` |"))
    assert page.filled(text.replace(row, row.replace("| 1000 |", "| 999 |"))) == text
    with pytest.raises(page.PageError, match="lmr_scale"):
        page.filled(text.replace(row + "\n", ""))
    with pytest.raises(page.PageError, match="no table"):
        page.filled("")
    assert page.filled(text.replace("| `prune.lmp` |", "| `prune.nothing` |")) == text
    with pytest.raises(page.PageError, match="aliases"):
        page.filled(text.replace("<!-- aliases -->", ""))


def test_each_rule_has_one_column_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    columns: dict[str, list[Rule]] = page._COLUMNS
    name = next(iter(columns))
    monkeypatch.setitem(columns, name, columns[name][1:])
    with pytest.raises(page.PageError, match="not every rule is in one column"):
        page.filled(text)
    monkeypatch.setitem(columns, name, list(Rule))
    monkeypatch.setattr(page, "_COLUMNS", {name: list(Rule)})
    with pytest.raises(page.PageError, match=f"column '{name}' have different defaults"):
        page.filled(text)


# --- the protocol's keys -------------------------------------------------------------------------


def test_a_key_of_the_protocol_holds_for_every_rule() -> None:
    """The key may come before the rule; a refused value is reported with its bounds."""
    with Engine(memory_mib=1) as e:
        tuner = Tuner(e, Guard(), Host(resident=resident_bytes))
        good = Settings(options={"tune.vcf_nodes": 77, "prune.lmr": 0})
        assert [tuner.option(good, key) for key in good.options] == [None, None]
        assert set(values(e, "vcf_nodes").values()) == {77}
        assert set(values(e, "prune.lmr").values()) == {0}
        bad = Settings(options={"tune.lmr_scale": 5000})
        told = "tune.lmr_scale 5000 is rejected: lmr_scale must be from 0 to 1000, not 5000"
        assert tuner.option(bad, "tune.lmr_scale") == told


def test_an_option_of_the_command_line_holds_for_every_rule() -> None:
    with Engine(memory_mib=1) as e:
        _apply(e, {"lmr_scale": 90})
        assert set(values(e, "lmr_scale").values()) == {90}
        with pytest.raises(ValueError, match=r"--set lmr_scale=5000: .* from 0 to 1000, not 5000"):
            _apply(e, {"lmr_scale": 5000})
