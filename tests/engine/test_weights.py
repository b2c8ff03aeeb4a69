"""Weights files: the core reads what the build writes, and an engine uses the given weights."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import build_weights
from build_weights import ASSETS, STRUCTS, Numbers, Weights, layout, pack, unpack
from build_weights.__main__ import main
from pyengine import Color, Engine, EngineError, Limits, Rule, WeightsError, WrongTypeError, _native

RULES = list(Rule)
EACH_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
SEARCH = Limits(nodes=3000)


def path_of(rule: Rule) -> Path:
    return ASSETS / build_weights.file_name(rule)


def put(data: bytes, field: str, value: int) -> bytes:
    """Returns the file with another number in a field of its header."""
    at = layout().ffi.offsetof("WeightsHeader", field)
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


def checksum(data: bytes) -> int:
    """Returns the right checksum of a file."""
    return zlib.crc32(put(data, "checksum", 0))


def sealed(data: bytes) -> bytes:
    """Returns the file with the right size and checksum."""
    data = put(data, "bytes", len(data))
    return put(data, "checksum", checksum(data))


def without_threats(rule: Rule) -> bytes:
    """Returns weights that play differently."""
    weights = build_weights.read(path_of(rule))
    scores = {**weights.scores, "threat": [0] * len(weights.scores["threat"])}
    return pack(replace(weights, scores=scores, shapes=None, policy=None))


def thought(engine: Engine) -> tuple[Any, ...]:
    """Returns an engine's judgement of a position."""
    engine.set_position(black=[(7, 7), (8, 8)], white=[(8, 7), (6, 9)], to_move=Color.BLACK)
    result = engine.search(SEARCH)
    return engine.evaluate(), result.move, result.score, result.nodes, result.pv


# --- the format -------------------------------------------------------------------------------


@EACH_RULE
def test_the_library_carries_what_lies_in_the_tree(rule: Rule) -> None:
    data = path_of(rule).read_bytes()
    assert _native.builtin_weights(rule) == data
    assert _native.check_weights(data) is rule
    with Engine(rule=rule) as engine:
        assert engine.weights_checksum() == checksum(data)


@EACH_RULE
def test_a_file_is_what_its_numbers_make(rule: Rule) -> None:
    data = path_of(rule).read_bytes()
    weights = unpack(data)
    assert weights.rule == rule and pack(weights) == data
    assert len(data) % 64 == 0 and len(data) < 2**20
    assert set(Rule) == set(layout().rules)


def numbers(ctype: Any, field: str, draw: st.DrawFn) -> Any:
    """Returns random numbers for a struct or an array, within the bounds of the headers."""
    if ctype.kind == "struct":
        return {name: numbers(m.type, f"{field}.{name}", draw) for name, m in ctype.fields}
    if ctype.kind != "array":
        return draw(st.integers(*layout().bounds(field)))
    if ctype.item.kind != "primitive":
        few = range(min(ctype.length, 8))  # drawn; a long array repeats them
        items = [numbers(ctype.item, f"{field}[{i}]", draw) for i in few]
        return (items * (ctype.length // len(items) + 1))[: ctype.length]
    least, most = layout().bounds(field)
    some = draw(st.lists(st.sampled_from([least, 0, most, 1]), min_size=1, max_size=4))
    return (some * ctype.length)[: ctype.length]


@st.composite
def drawn_weights(draw: st.DrawFn) -> Weights:
    """Draws weights of any rule, with or without networks, also at the bounds."""
    rule = draw(st.sampled_from(RULES))
    with_network = draw(st.booleans())
    with_policy = with_network and draw(st.booleans())
    with_lines = with_network and draw(st.booleans())
    with_recent = with_network and draw(st.booleans())
    absent = [] if build_weights.has_captures(rule) else ["captures"]
    absent += [] if with_network else ["squares", "network"]
    absent += [] if with_policy else ["shapes", "policy"]
    absent += [] if with_lines else ["lines"]
    absent += [] if with_recent else ["recent", "recent_layer"]
    parts: dict[str, Any] = {}
    for name, kind in STRUCTS.items():
        if name not in absent:
            one: Numbers = numbers(layout().ffi.typeof(kind), name, draw)
            parts[name] = [one] * build_weights.laws(rule) if name in build_weights.BY_LAW else one
    return Weights(rule.value, **parts)


@settings(max_examples=15)
@given(drawn_weights())
def test_what_is_written_is_read(weights: Weights) -> None:
    data = pack(weights)
    assert unpack(data) == weights
    assert _native.check_weights(data) == weights.rule, "the core has the same bounds"


def fields_of(weights: Weights) -> Iterator[str]:
    for part in fields(weights):
        value = getattr(weights, part.name)
        if isinstance(value, dict):
            yield from (f"{part.name}.{name}" for name in value)


def deepest(table: list[Any]) -> list[Any]:
    return deepest(table[-1]) if isinstance(table[-1], list) else table


def test_numbers_beyond_their_bounds_are_not_written() -> None:
    """The writer refuses numbers out of bounds, as the core does, from the same source."""
    whole = build_weights.read(path_of(Rule.NINUKI))
    for name in fields_of(whole):
        part, field = name.split(".")
        least, most = layout().bounds(name)
        weights = build_weights.read(path_of(Rule.NINUKI))
        table = getattr(weights, part)
        for value in (least - 1, most + 1):
            if isinstance(table[field], list):
                deepest(table[field])[-1] = value
            else:
                table[field] = value
            with pytest.raises(build_weights.WeightsError, match=rf"{part}\.{field}.* is {value}"):
                pack(weights)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rule": 3}, "rule 3 is not one of"),
        ({"rule": 4}, "codes has 1 laws, rule 4 has 2"),
        ({"rule": 16}, "captures"),
        ({"squares": None}, "squares and network belong together"),
        ({"policy": None}, "shapes and policy belong together"),
        ({"squares": None, "network": None}, "a policy without a network"),
        ({"scores": {}}, "scores must have the fields threat, count, near"),
        ({"codes": []}, "codes has 0 laws"),
    ],
)
def test_parts_that_make_no_file_are_not_written(change: dict[str, Any], said: str) -> None:
    weights = replace(build_weights.read(path_of(Rule.FREESTYLE)), **change)
    with pytest.raises(build_weights.WeightsError, match=said):
        pack(weights)


def test_tables_of_another_shape_are_not_written() -> None:
    weights = build_weights.read(path_of(Rule.FREESTYLE))
    weights.scores["near"].pop()
    with pytest.raises(build_weights.WeightsError, match=r"scores\.near has 11 entries, not 12"):
        pack(weights)
    weights.scores["near"].append(1.5)
    with pytest.raises(build_weights.WeightsError, match=r"number 11 is 1\.5, not an integer"):
        pack(weights)


@settings(max_examples=300)
@given(st.data())
def test_no_bytes_do_harm(data: st.DataObject) -> None:
    """A damaged file gives weights within bounds or an error, whatever its checksum."""
    rule = data.draw(st.sampled_from(RULES))
    bytes_ = bytearray(_native.builtin_weights(rule))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(8, 200) | st.integers(0, len(bytes_) - 1))
        bytes_[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.none() | st.integers(0, len(bytes_)))
    changed = bytes(bytes_[:cut])
    if len(changed) >= 128 and data.draw(st.booleans()):
        changed = sealed(changed)
    try:
        found = _native.check_weights(changed)
    except WeightsError as error:
        assert str(error)
        return
    assert found in Rule


def test_both_readers_refuse_the_same_files() -> None:
    whole = path_of(Rule.CARO).read_bytes()
    for at in range(128):
        damaged = whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :]
        with pytest.raises(WeightsError) as by_core:
            _native.check_weights(damaged)
        with pytest.raises(build_weights.WeightsError) as by_build:
            unpack(damaged)
        first = str(by_build.value).split()[0]
        assert str(by_core.value).split()[0] == first, f"byte {at}"


def test_the_command_line_tells_what_a_file_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.tgw"
    bad.write_bytes(b"nothing")
    monkeypatch.setattr("sys.argv", ["build_weights", str(path_of(Rule.RENJU)), str(bad)])
    assert main() == 1
    out, err = capsys.readouterr()
    assert f"renju, {(build_weights.ASSETS / 'renju.tgw').stat().st_size} bytes" in out
    assert ["captures", "-"] in map(str.split, out.splitlines())
    assert err == f"build_weights: {bad}: not a weights file\n"


# --- engines ----------------------------------------------------------------------------------


@EACH_RULE
def test_an_engine_with_a_file_plays_as_with_the_same_numbers_built_in(rule: Rule) -> None:
    with Engine(rule=rule) as builtin, Engine(weights=path_of(rule)) as own:
        assert own.rule is rule
        assert own.weights_checksum() == builtin.weights_checksum()
        assert thought(own) == thought(builtin)


@EACH_RULE
def test_two_engines_with_different_weights(rule: Rule, tmp_path: Path) -> None:
    other = tmp_path / "candidate.tgw"
    other.write_bytes(without_threats(rule))
    with Engine(rule=rule) as builtin, Engine(weights=other, threads=2) as own:
        first = thought(builtin)
        changed = thought(own)
        assert changed[0] != first[0]
        own.reset(size=15)
        builtin.reset(size=15)
        assert thought(builtin) == first and thought(own)[0] == changed[0]
        assert own.weights_checksum() != builtin.weights_checksum()
    with Engine(rule=rule) as again:
        assert thought(again) == first


def test_a_file_may_change_or_go_while_an_engine_has_it(tmp_path: Path) -> None:
    other = tmp_path / "candidate.tgw"
    other.write_bytes(path_of(Rule.FREESTYLE).read_bytes())
    with Engine() as builtin, Engine(weights=other) as own:
        other.write_bytes(b"")
        own.reset()
        assert thought(own) == thought(builtin)


def test_a_folder_has_a_file_for_each_rule(tmp_path: Path) -> None:
    for rule in (Rule.FREESTYLE, Rule.RENJU):
        (tmp_path / f"{rule.name.lower()}.tgw").write_bytes(without_threats(rule))
    with Engine(weights=tmp_path) as own, Engine() as builtin:
        assert own.rule is Rule.FREESTYLE
        before = thought(own)
        own.reset(rule=Rule.RENJU, size=13)
        assert (own.rule, own.size) == (Rule.RENJU, 13)
        builtin.reset(rule=Rule.RENJU)
        assert own.weights_checksum() != builtin.weights_checksum()
        with pytest.raises(WeightsError, match=r"caro\.tgw: cannot be read: No such file"):
            own.reset(rule=Rule.CARO, size=9)
        assert (own.rule, own.size) == (Rule.RENJU, 13), "nothing has changed"
        own.reset(rule=Rule.FREESTYLE, size=15)
        assert thought(own) == before
    with pytest.raises(WeightsError, match=r"ninuki\.tgw: cannot be read"):
        Engine(weights=tmp_path, rule=Rule.NINUKI)


def test_a_file_is_for_its_rule_only() -> None:
    path = path_of(Rule.RENJU)
    with pytest.raises(WeightsError, match=r"renju\.tgw: .* rule 4 \(renju\), not for rule 8"):
        Engine(weights=path, rule=Rule.CARO)
    with Engine(weights=str(path)) as engine:
        engine.set_position(black=[(7, 7)], to_move=Color.WHITE)
        with pytest.raises(WeightsError, match=r"not for rule 0 \(freestyle\)"):
            engine.reset(rule=Rule.FREESTYLE)
        assert engine.rule is Rule.RENJU and not engine.legal((7, 7)), "nothing has changed"
        engine.reset(rule=Rule.RENJU)


def test_a_path_that_leads_to_no_weights(root: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.tgw"
    whole = path_of(Rule.CARO).read_bytes()
    cut.write_bytes(whole[:1000])
    for path, said in (
        (tmp_path / "none.tgw", r"none\.tgw: cannot be read: No such file"),
        (root / "README.md", r"README\.md: not a weights file"),
        (cut, rf"cut\.tgw: cut short: 1000 bytes of {len(whole)}"),
        (root, r"freestyle\.tgw: cannot be read"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(WeightsError, match=said) as error:
            Engine(weights=path)
        assert isinstance(error.value, EngineError | ValueError)
    with pytest.raises(WrongTypeError, match="weights must be a path, not int"):
        Engine(weights=7)  # type: ignore[arg-type]


@pytest.mark.linux
def test_an_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(WeightsError, match="more than 64 MiB"):
        Engine(weights="/dev/zero")
