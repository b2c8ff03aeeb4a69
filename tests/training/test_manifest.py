"""Manifests of generations: each fault is named with its file, its table and its key."""

from pathlib import Path

import pytest

from tests.support.generations import MANIFEST
from tests.support.paths import ROOT
from training.gamefiles import Contents, Header
from training.manifest import ManifestError, read_manifest

MADE = """
[[made]]
seed = 1000000000
engine = "abc"
evaluation = "01234567"
seeds = [[1000000000, 1000000020]]
games = 20
positions = 500
"""
NUMBER = ['"x"', "true", "1.5", "nan", "-1", "[1]", "99999999999999999999"]


@pytest.mark.parametrize("engine", ["abc+", 'a"b', "a\\b", "a\nb", "a\x7f\x01", "\ufffd"])
def test_any_name_of_an_engine_is_read_back(engine: str, tmp_path: Path) -> None:
    """The header of a file of games may hold any bytes."""
    path = tmp_path / "small.toml"
    path.write_text(MANIFEST)
    manifest = read_manifest(path)
    header = Header(0, 9, 100, 1_000_000_000, 20, 20, 1, engine)
    manifest.add(manifest.sets[0], Contents(header, 500))
    manifest.write()
    (made,) = read_manifest(path).made
    assert made.engine == engine


def fault_of(folder: Path, old: str, new: str) -> str:
    """Returns the fault of the manifest with a change, without the path."""
    path = folder / "small.toml"
    text = MANIFEST + MADE
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ManifestError) as raised:
        read_manifest(path)
    assert str(raised.value).startswith(str(path))
    return str(raised.value).removeprefix(str(path))


def test_the_manifests_of_the_repository_are_good(tmp_path: Path) -> None:
    for path in (ROOT / "training" / "generations").glob("*.toml"):
        read_manifest(path)
    (tmp_path / "small.toml").write_text(MANIFEST + MADE)
    assert read_manifest(tmp_path / "small.toml").positions_of() == 500


@pytest.mark.parametrize("value", [*NUMBER, "0"])
@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("positions = 2500", ""),
        ("chunk = 20", ""),
        ("rule = 16", ": set 2"),
        ("size = 9", ": set 1"),
        ("nodes = 100", ": set 1"),
        ("share = 2", ": set 1"),
    ],
)
def test_a_number_is_checked(line: str, place: str, value: str, tmp_path: Path) -> None:
    key = line.split()[0]
    if (key, value) in {("rule", "0"), ("share", "1.5")}:
        return
    shown = {'"x"': "'x'", "true": "True"}.get(value, value)
    assert fault_of(tmp_path, line, f"{key} = {value}").startswith(f"{place}: {key} = {shown}: ")


@pytest.mark.parametrize("value", NUMBER)
@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("seed = 1_000_000_000", ": set 1"),
        ("seed = 1000000000", ": made 1"),
        ("games = 20", ": made 1"),
        ("positions = 500", ": made 1"),
    ],
)
def test_a_number_that_may_be_0_is_checked(
    line: str, place: str, value: str, tmp_path: Path
) -> None:
    key = line.split()[0]
    assert fault_of(tmp_path, line, f"{key} = {value}").startswith(f"{place}: {key} = ")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("chunk = 20", "play_out = 1", ": play_out = 1: expected true or false"),
        ("chunk = 20", "mix = 5", ": mix = 5: expected three percentages"),
        ("chunk = 20", "mix = [100, false, 0]", ": mix = [100, False, 0]: expected"),
        ("chunk = 20", "mix = [150, -50, 0]", ": mix = [150, -50, 0]: expected"),
        ("share = 2", "share = inf", ": set 1: share = inf: expected a number above 0"),
        ("size = 9\n", "", ": set 1: `size` is missing"),
        ("size = 9", "size = 9\nwidth = 9", ": set 1: there is no key `width`"),
        ('engine = "abc"', "engine = 5", ": made 1: engine = 5: expected a text"),
        ('evaluation = "01234567"', "evaluation = 1", ": made 1: evaluation = 1: expected"),
        ("games = 20\n", "", ": made 1: `games` is missing"),
        ("games = 20", "games = 20\nmore = 1", ": made 1: there is no key `more`"),
        ("seeds = [[1000000000, 1000000020]]", "seeds = 5", ": made 1: seeds = 5: expected pairs"),
        ("[[1000000000, 1000000020]]", "[5]", ": made 1: seeds = [5]: expected pairs"),
        ("[[1000000000, 1000000020]]", "[[1, 2, 3]]", ": made 1: seeds = [[1, 2, 3]]: expected"),
        ("[[1000000000, 1000000020]]", '[["a", 2]]', ": made 1: seeds = [['a', 2]]: expected"),
        ("[[1000000000, 1000000020]]", "[[2, 1]]", ": made 1: seeds = [[2, 1]]: expected pairs"),
        ("[[1000000000, 1000000020]]", "[[1, 2]]", ": made 1: seeds [1, 2] are not of the set"),
        ("seed = 1000000000", "seed = 7", ": made 1: seed = 7: there is no such set"),
    ],
)
def test_another_fault_is_named(old: str, new: str, fault: str, tmp_path: Path) -> None:
    assert fault_of(tmp_path, old, new).startswith(fault)


@pytest.mark.parametrize("name", ["set", "made"])
@pytest.mark.parametrize("text", ["{name} = 5", "{name} = [5]", "[{name}]\nseed = 5"])
def test_rows_are_tables(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(f"positions = 5\n{text.format(name=name)}\n")
    with pytest.raises(ManifestError, match=rf"`{name}` must be .* under \[\[{name}\]\]"):
        read_manifest(path)


def test_a_manifest_without_a_set_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text("positions = 5\n")
    with pytest.raises(ManifestError, match=r"there is no \[\[set\]\]"):
        read_manifest(path)
