"""Python's side of training/ names the file that it cannot write, and keeps the old one."""

from pathlib import Path

import pytest

import build_weights
from tests.support.disk import LIMIT, small_files
from tests.support.generations import MANIFEST
from training.gamefiles import write_openings
from training.journal import Journal, JournalError, read_journal
from training.manifest import read_manifest
from training.textfile import replace_text


def refusal(path: Path) -> str:
    """Returns the message."""
    return f"[Errno 27] File too large: '{path}'"


def test_a_manifest_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    text = f"# {'x' * LIMIT}\n{MANIFEST}"
    path.write_text(text)
    manifest = read_manifest(path)
    with pytest.raises(OSError) as raised, small_files():
        manifest.write()
    assert str(raised.value) == refusal(path)
    assert list(tmp_path.iterdir()) == [path] and path.read_text() == text


def test_a_text_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "text"
    replace_text(path, "old")
    with pytest.raises(OSError) as raised, small_files():
        replace_text(path, "x" * (LIMIT + 1))
    assert str(raised.value) == refusal(path)
    assert list(tmp_path.iterdir()) == [path] and path.read_text() == "old"
    replace_text(path, "new")
    assert path.read_text() == "new"
    with pytest.raises(FileNotFoundError, match=r"none/text.part"):
        replace_text(tmp_path / "none" / "text", "")


def test_weights_stay_whole(tmp_path: Path) -> None:
    path = build_weights.ASSETS / "freestyle.tgw"
    target = tmp_path / path.name
    target.write_text("old")
    weights = build_weights.read(path)
    with pytest.raises(OSError) as raised, small_files():
        build_weights.write(tmp_path, weights)
    assert str(raised.value) == refusal(target)
    assert list(tmp_path.iterdir()) == [target] and target.read_text() == "old"


def test_openings_are_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"File too large: '.*openings\..*part'"), small_files():
        write_openings(0, 15, tmp_path / "openings")


def test_a_journal_keeps_its_complete_lines(tmp_path: Path) -> None:
    """A line that was cut short is replaced by the next one."""
    path = tmp_path / "run.jsonl"
    journal = Journal(path, {}, first="pair")
    journal.add({"pair": 1})
    whole = path.read_bytes()
    for _ in range(2):
        with pytest.raises(JournalError) as raised, small_files():
            journal.add({"pair": 2, "more": "x" * LIMIT})
        assert str(raised.value) == f"{path}: File too large"
        assert path.read_bytes().startswith(whole) and path.stat().st_size == LIMIT
    journal.add({"pair": 2})
    assert [line["pair"] for line in read_journal(path, {}, first="pair")] == [1, 2]
