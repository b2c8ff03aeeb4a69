"""Trials of the files of a release: what is tried where, their record and its table."""

import functools
import itertools
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import pyengine
from pyengine.__main__ import FNV_OFFSET, sign
from tools.release import executables, formats, results, targets, trial
from tools.release.targets import ReleaseError


def test_a_file_is_tried_by_its_name() -> None:
    names = {
        f"tengen_gomoku-1-py3-none-{target.tag}.whl": f"{target.name} wheel"
        for target in targets.TARGETS
    } | {
        "pbrain-tengen-0.2.0-linux-x86_64": "linux-x86_64 file",
        "pbrain-tengen-0.2.0-linux-x86_64.zip": "linux-x86_64 zip",
        "pbrain-tengen-0.2.0-windows-x86_64.exe": "windows-x86_64 file",
        "pbrain-tengen-0.2.0-windows-x86_64.zip": "windows-x86_64 zip",
    }
    assert {name: results.artefact_of(Path(name)) for name in names} == names
    assert {*names.values()} == {*results.NEEDS}
    with pytest.raises(ReleaseError, match="is for plan9: expected one of"):
        results.artefact_of(Path("tengen_gomoku-1-py3-none-plan9.whl"))
    with pytest.raises(ReleaseError, match="no file to try"):
        results.artefact_of(Path("pbrain-tengen-1-plan9-x86_64"))


def test_results_belong_to_one_file(tmp_path: Path) -> None:
    """A second place is added, a repetition replaces, and another file drops all of them."""
    record, wheel = tmp_path / "record.json", tmp_path / "pbrain-tengen-1-linux-x86_64"
    wheel.write_bytes(b"one")
    for where, start_s in (("Debian 11", 0.5), ("Debian 12", 0.25), ("Debian 11", 0.126)):
        results.note(wheel, results.Trial("0x1", where, start_s), record)
    rows = results.read(record)
    assert [(row.where, row.start_s) for row in rows] == [("Debian 11", 0.13), ("Debian 12", 0.25)]
    page = results.table(rows)
    cells = "| 0.0 MiB | glibc 2.17 | right | 0.13 s | Debian 11; Debian 12 |"
    assert f"| linux-x86_64, one file {cells}" in page
    library = tmp_path / "tengen_gomoku-1-py3-none-win_amd64.whl"
    library.write_bytes(b"")
    results.note(library, results.Trial("0x2", "wine"), record)
    with pytest.raises(ReleaseError, match="of several states"):
        results.table(results.read(record))
    results.note(library, results.Trial("0x1", "wine"), record)
    wheel.write_bytes(b"another")
    results.note(wheel, results.Trial("0x1", "Debian 13"), record)
    assert [row.where for row in results.read(record)] == ["Debian 13", "wine"]


def test_a_file_that_cannot_run_is_shown_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its libraries are read instead, and a fault in them is no result."""
    read: list[str] = []
    monkeypatch.setattr(formats, "check_wheel", lambda file, target: read.append(target.name))
    record = tmp_path / "record.json"
    wheel = tmp_path / "tengen_gomoku-1-py3-none-win_arm64.whl"
    wheel.write_bytes(b"")
    results.note(wheel, trial.try_file(wheel, None), record)
    assert read == ["windows-arm64"]
    made = results.table(results.read(record))
    assert f"| Windows 10 | - | - | {results.NOT_RUN} |" in made


def test_a_file_is_tried_in_the_roots_of_its_processor(tmp_path: Path) -> None:
    old, arm = tmp_path / "old", tmp_path / "arm"
    for root, machine in ((old, "x86_64"), (arm, "aarch64")):
        loader = root / trial.LOADERS[machine]
        loader.parent.mkdir(parents=True)
        loader.symlink_to("/nowhere/ld.so")
    roots = [old, arm]
    for artefact in results.NEEDS:
        here = not artefact.partition(" ")[0].endswith("aarch64")
        expected = [None] if here else [arm]
        assert trial.places(artefact, roots) == expected + (
            [old] if artefact.startswith("linux-x86_64") else []
        )
    with pytest.raises(ReleaseError, match="is no Linux: it has none of lib64/ld-linux"):
        trial.places("linux-x86_64 file", [tmp_path])


def one_of_each(folder: Path) -> list[str]:
    """Puts an empty file of each kind that can be tried into a folder, and returns the names."""
    names = [f"tengen_gomoku-1-py3-none-{target.tag}.whl" for target in targets.TARGETS]
    for artefact in results.EXECUTABLES:
        system, _, form = artefact.partition(" ")
        names.append(f"pbrain-tengen-1-{system}{'.zip' if form == 'zip' else ''}")
    for name in names:
        (folder / name).touch()
    return names


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    """One that lacks a kind of file is refused: its row would be that of another release."""
    names = one_of_each(tmp_path)
    for name in ("SHA256SUMS", "tengen_arena-1-py3-none-any.whl"):
        (tmp_path / name).touch()
    assert {file.name for file in trial.artefacts_in([tmp_path])} == set(names)
    with pytest.raises(ReleaseError, match="no file to try"):
        trial.artefacts_in([tmp_path / "SHA256SUMS"])
    (tmp_path / "tengen_gomoku-1-py3-none-win_arm64.whl").unlink()
    with pytest.raises(ReleaseError, match=r"has no file to try for windows-arm64 wheel$"):
        trial.artefacts_in([tmp_path])


def test_a_damaged_record_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    for text in ("{", "[1]", '[{"artefact": 1}]'):
        record.write_text(text)
        with pytest.raises(ReleaseError, match=r"record\.json is damaged"):
            results.read(record)


def test_the_table_stands_between_its_marks() -> None:
    page = "before\n<!-- artefacts -->\nold\n<!-- end -->\nafter\n"
    assert results.put(page, "new") == page.replace("old", "new")
    with pytest.raises(ReleaseError, match="has no <!-- artefacts -->"):
        results.put("no marks", "new")


def test_the_table_of_the_page_is_that_of_the_record() -> None:
    text = (targets.ROOT / "docs" / "release.md").read_text(encoding="utf-8")
    rows = results.read()
    assert rows
    assert results.put(text, results.table(rows)) == text


def test_a_linux_is_named_with_its_glibc(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text('NAME="Debian GNU/Linux"\nVERSION_ID="11"\n')
    library = tmp_path / "lib" / "x86_64-linux-gnu" / "libc.so.6"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"\0GNU C Library (Debian GLIBC 2.31-13) stable release version 2.31.\0")
    assert executables.system_name(tmp_path) == "Debian 11 (glibc 2.31)"
    with pytest.raises(results.CannotRunError, match="is no Linux"):
        executables.system_name(tmp_path / "nowhere")


def test_the_smoke_test_passes_in_the_tree_and_fails_by_another_signature() -> None:
    """Of a bench of one position; test_command_line.py compares the signature of the whole one."""
    rows = list(itertools.islice(pyengine.bench(), 1))
    signature = functools.reduce(sign, rows, FNV_OFFSET)
    code = (
        "import itertools, runpy, sys, pyengine\n"
        "whole = pyengine.bench\n"
        "pyengine.bench = lambda: itertools.islice(whole(), 1)\n"
        "sys.argv = sys.argv[1:]\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )

    def smoke(signature: str) -> int:
        command = [sys.executable, "-c", code, str(trial.SMOKE), str(targets.ROOT), signature]
        return subprocess.run(command, cwd=targets.ROOT, check=False).returncode

    assert smoke(f"0x{signature:016x}") == 0
    assert smoke("0x0000000000000000") == 1


@pytest.mark.linux
@pytest.mark.parametrize(
    ("bench", "version", "said"),
    [
        ("signature 0x0123456789abcdef", pyengine.__version__, None),
        ("100 nodes/s", pyengine.__version__, "--bench printed no signature: '100 nodes/s"),
        ("signature 0x0123456789abcdef", "0.0.1", "--version printed 'Tengen 0.0.1"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_an_executable_is_tried(
    tmp_path: Path, zipped: bool, bench: str, version: str, said: str | None
) -> None:
    """Bench, version and a move are asked for; a ZIP is unpacked, and its program made runnable."""
    program, folder = tmp_path / "pbrain-tengen", tmp_path / "folder"
    folder.mkdir()
    program.write_text(
        f"""#!/bin/sh
case "$1" in
--bench) echo "{bench}";;
--version) echo "Tengen {version} (commit 0123456789ab, bench 0x0123456789abcdef)";;
*) read line; echo OK; read line; echo 7,7; cat >/dev/null;;
esac
"""
    )
    file = program
    if zipped:
        file = tmp_path / "pbrain-tengen.zip"
        with zipfile.ZipFile(file, "w") as package:
            package.write(program, program.name)
    if said is None:
        found = executables.try_executable(file, "linux-x86_64 file", folder, None)
        assert found.signature == "0x0123456789abcdef"
        assert "glibc 2." in found.where and found.start_s is not None
        return
    with pytest.raises(ReleaseError) as caught:
        executables.try_executable(file, "linux-x86_64 file", folder, None)
    assert said in str(caught.value)
