"""What a package says of itself: commit, signature, properties, licences."""

import os
import sys
from pathlib import Path

import pytest

import build_exe
import build_licences
import build_stamp
import pyengine
from arena.conformance.reading import read_about
from protocol import replies
from pyengine.stamp import Stamp, read_stamp
from tests.support.commands import run


def test_a_stamp_names_commit_and_signature(root: Path, tmp_path: Path) -> None:
    (tmp_path / "tests" / "data").mkdir(parents=True)
    signature = tmp_path / build_stamp.SIGNATURE_FILE
    signature.write_text("0x0123456789abcdef\n")
    assert build_stamp.find_commit(tmp_path) == build_stamp.UNKNOWN
    (tmp_path / build_stamp.COMMIT_FILE).write_text("0123456789ab+changes\n")
    stamp = read_stamp(build_stamp.write_stamp(tmp_path, tmp_path / "out"))
    assert stamp == Stamp("0123456789ab+changes", "0x0123456789abcdef")
    assert replies.about(stamp).endswith(
        ', commit="0123456789ab+changes", bench="0x0123456789abcdef"'
    )
    assert read_about(replies.about(stamp)) == ()
    expected = (
        f"Tengen {pyengine.__version__} (commit 0123456789ab+changes, bench 0x0123456789abcdef)"
    )
    assert replies.version(stamp) == expected


def test_the_commit_of_a_checkout_tells_of_changes(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=T", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"]
    (tmp_path / "file").write_text("1")
    for words in (["init", "-q"], ["add", "file"], ["commit", "-q", "-m", "First"]):
        done = run([*git, *words], tmp_path)
        assert done.returncode == 0, done.stderr
    head = run(["git", "rev-parse", "HEAD"], tmp_path).stdout[:12]
    (tmp_path / "untracked").touch()
    assert build_stamp.find_commit(tmp_path) == head
    (tmp_path / "file").write_text("2")
    assert build_stamp.find_commit(tmp_path) == f"{head}+changes"


def test_a_wrong_stamp_is_refused_with_its_file(tmp_path: Path) -> None:
    with pytest.raises(build_stamp.StampError, match=r"bench_signature\.txt cannot be read"):
        build_stamp.find_signature(tmp_path)
    (tmp_path / build_stamp.COMMIT_FILE).write_text("main")
    with pytest.raises(build_stamp.StampError, match=r"commit\.txt holds 'main'"):
        build_stamp.find_commit(tmp_path)
    damaged = tmp_path / "stamp.txt"
    damaged.write_text("commit 0123456789ab\n")
    with pytest.raises(ValueError, match=r"stamp\.txt is damaged"):
        read_stamp(damaged)
    assert read_stamp(tmp_path / "missing") is None


def test_the_properties_of_a_windows_file(root: Path, tmp_path: Path) -> None:
    """PyInstaller evaluates this text with classes of these names; so does the test."""

    def node(*values: object, **named: object) -> list[object]:
        return [*values, *named.values()]

    stamp = build_stamp.write_stamp(root, tmp_path, "0123456789ab")
    names = ("VSVersionInfo", "FixedFileInfo", "StringFileInfo", "StringTable", "StringStruct")
    known = dict.fromkeys((*names, "VarFileInfo", "VarStruct"), node)
    text = str(eval(build_stamp.file_properties(root, stamp, "pbrain-tengen"), known))
    assert f"['FileVersion', '{pyengine.__version__}']" in text
    assert f"(commit 0123456789ab, bench {build_stamp.find_signature(root)})" in text
    assert "['OriginalFilename', 'pbrain-tengen.exe']" in text


def test_a_package_is_the_same_twice(tmp_path: Path) -> None:
    program = tmp_path / "in" / "pbrain-tengen"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    made = []
    for number in (1, 2):
        archive = tmp_path / f"{number}.zip"
        build_exe.pack(program.parent, archive, 1_700_000_000)
        made.append(archive.read_bytes())
        os.utime(program, (number, number))
    assert made[0] == made[1]


def test_a_missing_licence_is_named(root: Path, tmp_path: Path) -> None:
    with pytest.raises(build_licences.LicenceError, match=r"LICENSE cannot be read"):
        build_licences.write_licences(tmp_path, tmp_path / "out")
    assert build_licences.write_licences(root, tmp_path / "out").stat().st_size > 20_000


def test_windows_brings_the_licences_of_its_runtime(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for system, expected in (("linux", False), ("win32", True)):
        monkeypatch.setattr(sys, "platform", system)
        text = build_licences.write_licences(root, tmp_path / system).read_text()
        for name in ("mingw-w64 project", "Lockless Inc.", "Lucent Technologies"):
            assert (name in text) == expected, (system, name)


def test_a_checkout_without_git_builds_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CHANGELOG.md").touch()
    os.utime(tmp_path / "CHANGELOG.md", (86_400, 86_400))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", "")
    assert build_stamp.find_commit(tmp_path) == build_stamp.UNKNOWN
    assert "git does not run" in capsys.readouterr().err
    assert build_stamp.find_date(tmp_path) == "1970-01-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(build_stamp.StampError, match="SOURCE_DATE_EPOCH is 'soon'"):
        build_stamp.find_epoch(tmp_path)
