"""The release: what it refuses, its notes, its checksums, and what a wheel has to hold."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import build_core
import pyengine
from tools.release import (
    checks,
    executables,
    formats,
    fresh,
    glibc,
    parts,
    results,
    targets,
    trial,
    wheels,
)
from tools.release.targets import ReleaseError

CHANGELOG = """# Changelog

## Unreleased

- new

## {version}

### Added

- first
"""


@pytest.fixture
def changelog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "CHANGELOG.md"
    monkeypatch.setattr(checks, "CHANGELOG", path)
    return path


def test_unreleased_entries_are_refused(changelog: Path) -> None:
    changelog.write_text(CHANGELOG.format(version=pyengine.__version__))
    with pytest.raises(ReleaseError, match="unreleased entries"):
        checks.check_changelog()
    assert checks.notes_of(dirty=True) == "# Tengen Unreleased\n\n- new\n"
    notes = f"# Tengen {pyengine.__version__}\n\n### Added\n\n- first\n"
    assert checks.notes_of(dirty=False) == notes


def test_a_version_without_a_section_is_refused(changelog: Path) -> None:
    changelog.write_text("# Changelog\n\n## Unreleased\n\n## 0.0.1\n\n- old\n")
    with pytest.raises(ReleaseError, match=f"no section of version {pyengine.__version__}"):
        checks.check_changelog()
    changelog.write_text(f"# Changelog\n\n## Unreleased\n\n## {pyengine.__version__}\n\n- new\n")
    checks.check_changelog()


def test_a_tree_with_changes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(ReleaseError, match="git status"):
        checks.check_tree()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    checks.check_tree()
    (tmp_path / "new.txt").write_text("x")
    with pytest.raises(ReleaseError, match=r"1 changes, .*new\.txt"):
        checks.check_tree()


def test_a_tag_of_another_version_is_refused() -> None:
    checks.check_tag(f"v{pyengine.__version__}")
    for tag in (pyengine.__version__, "v0.0.1", ""):
        with pytest.raises(ReleaseError, match=f"the tag is {tag}: expected v"):
            checks.check_tag(tag)


def test_a_release_that_its_sums_do_not_fit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"one")
    parts.write_sums(tmp_path)
    assert fresh.check_sums(tmp_path) == 1
    (tmp_path / "a.whl").write_bytes(b"two")
    with pytest.raises(ReleaseError, match=r"a\.whl is not the file that SHA256SUMS names"):
        fresh.check_sums(tmp_path)
    (tmp_path / "a.whl").write_bytes(b"one")
    (tmp_path / "b.whl").write_bytes(b"two")
    with pytest.raises(ReleaseError, match=r"SHA256SUMS does not name b\.whl"):
        fresh.check_sums(tmp_path)
    (tmp_path / "a.whl").unlink()
    with pytest.raises(ReleaseError, match=r"SHA256SUMS: .*No such file"):
        fresh.check_sums(tmp_path)


def test_a_release_has_one_version(tmp_path: Path) -> None:
    (tmp_path / "tengen_gomoku-0.2.0-py3-none-win_amd64.whl").touch()
    (tmp_path / "tengen_gomoku-0.2.0-py3-none-macosx_11_0_arm64.whl").touch()
    assert fresh.version_of(tmp_path) == "0.2.0"
    (tmp_path / "tengen_gomoku-0.1.0-py3-none-win_amd64.whl").touch()
    with pytest.raises(ReleaseError, match=r"wheels of \['0\.1\.0', '0\.2\.0'\]: expected one"):
        fresh.version_of(tmp_path)


def test_the_engine_and_arena_come_from_the_folder_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip may not take a file of the same version from PyPI."""
    (tmp_path / "tengen_gomoku-0.2.0-py3-none-win_amd64.whl").touch()
    parts.write_sums(tmp_path)
    commands: list[list[str]] = []

    def notes(name: str, programs: Path, command: Sequence[str | Path], folder: Path) -> str:
        commands.append([str(word) for word in command])
        return ""

    monkeypatch.setattr(fresh, "_step", notes)
    monkeypatch.setattr("venv.create", lambda *_, **__: None)
    with pytest.raises(ReleaseError, match="the bench has to have the signature"):
        fresh.try_release(tmp_path)
    first = commands[0]
    assert {"tengen-gomoku==0.2.0", "tengen-arena==0.2.0", "--no-index"} <= set(first)
    assert first[first.index("--find-links") + 1] == str(tmp_path)


def test_an_empty_tag_reaches_the_check(root: Path) -> None:
    """`make release TAG=` names a tag, which is wrong; without TAG there is none to compare."""
    for words, expected in ((["TAG="], '--tag ""'), (["TAG=v1"], '--tag "v1"'), ([], "")):
        said = subprocess.run(
            ["make", "-n", "release", "PY=python", "ENV=", *words],
            cwd=root,
            env={name: value for name, value in os.environ.items() if name != "TAG"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        (line,) = [line for line in said.splitlines() if "-m tools.release" in line]
        assert line.partition("tools.release")[2].strip() == expected


def test_another_signature_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = "import sys; sys.stdout.write('signature 0x1\\n2 nodes/s\\n')"
    (tmp_path / "pyengine").mkdir()
    (tmp_path / "pyengine" / "__main__.py").write_text(bench)
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    monkeypatch.setattr(checks, "SIGNATURE", tmp_path / "signature.txt")
    (tmp_path / "signature.txt").write_text("0x1\n")
    checks.check_signature()
    (tmp_path / "signature.txt").write_text("0x2\n")
    with pytest.raises(ReleaseError, match="signature 0x2"):
        checks.check_signature()


def test_the_sums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "b.whl").write_bytes(b"two")
    (tmp_path / "a.zip").write_bytes(b"one")
    sums = parts.write_sums(tmp_path).read_text()
    digests = [hashlib.sha256(data).hexdigest() for data in (b"one", b"two")]
    assert sums == f"{digests[0]}  a.zip\n{digests[1]}  b.whl\n"
    assert parts.write_sums(tmp_path).read_text() == sums, "not a sum of itself"
    program = shutil.which("sha256sum")
    if program is not None:
        done = subprocess.run([program, "--check", "--strict", "SHA256SUMS"], cwd=tmp_path)
        assert done.returncode == 0


def test_targets_have_names_of_their_own() -> None:
    assert len({target.name for target in targets.TARGETS}) == len(targets.TARGETS)
    assert len({target.tag for target in targets.TARGETS}) == len(targets.TARGETS)
    assert targets.find_target("musl-x86_64").triple == "x86_64-linux-musl"
    with pytest.raises(ReleaseError, match="no target plan9: expected one of linux-x86_64"):
        targets.find_target("plan9")


@pytest.mark.parametrize(
    ("names", "begin", "wrong"),
    [
        (["libtengen.so", "libtengen-avx2.so"], b"\x7fELF", None),
        (["libtengen.so"], b"\x7fELF", "expected"),
        (["libtengen.so", "libtengen-avx2.so"], b"!<ar", "not a library of linux"),
    ],
)
def test_a_wheel_without_its_libraries_is_refused(
    tmp_path: Path, names: list[str], begin: bytes, wrong: str | None
) -> None:
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in names:
            archive.writestr(f"pyengine/{name}", begin + bytes(60))
    toolchain = build_core.Toolchain(("zig",), "linux", "x86_64", is_clang=True)
    if wrong is None:
        wheels.check_libraries(wheel, toolchain)
        return
    with pytest.raises(ReleaseError, match=wrong):
        wheels.check_libraries(wheel, toolchain)


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
    def smoke(signature: str) -> int:
        command = [sys.executable, str(trial.SMOKE), str(targets.ROOT), signature]
        return subprocess.run(command, capture_output=True, check=False).returncode

    assert smoke(checks.SIGNATURE.read_text().strip()) == 0
    assert smoke("0x0000000000000000") == 1


def test_an_arena_without_the_page_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "tengen-board.html"
    page.write_text("<html>")
    monkeypatch.setattr(wheels, "PAGE", page)
    wheel, sdist = tmp_path / "a.whl", tmp_path / "a.tar.gz"
    for text in ("<html>", "old", None):
        with zipfile.ZipFile(wheel, "w") as packed, tarfile.open(sdist, "w:gz") as archive:
            if text is not None:
                (tmp_path / "in.html").write_text(text)
                packed.write(tmp_path / "in.html", f"tengen_arena/board/{page.name}")
                archive.add(tmp_path / "in.html", f"top/dist/{page.name}")
        for file in (wheel, sdist):
            if text == page.read_text():
                wheels.check_page(file)
                continue
            with pytest.raises(ReleaseError, match=r"does not hold the page tengen-board\.html"):
                wheels.check_page(file)


def test_a_packed_folder_is_the_same_twice(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "page").write_text("text")
    first = parts.write_tar(tmp_path / "in", tmp_path / "1.tar.gz").read_bytes()
    (tmp_path / "in" / "page").touch()
    assert parts.write_tar(tmp_path / "in", tmp_path / "2.tar.gz").read_bytes() == first


def test_a_library_for_a_newer_glibc_is_found_out(tmp_path: Path) -> None:
    wheel = tmp_path / "tengen_gomoku-1-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    for newest, fits in ((17, True), (34, False)):
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("pyengine/libtengen.so", b"GLIBC_2.2.5\0GLIBC_2.%d\0" % newest)
        if fits:
            wheels.check_glibc(wheel)
            continue
        with pytest.raises(ReleaseError, match=r"libtengen\.so needs glibc 2\.34: expected 2\.17"):
            wheels.check_glibc(wheel)


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


def test_every_file_of_a_package_is_checked_for_its_glibc(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "text").write_bytes(b"GLIBC_2.40")
    with pytest.raises(ReleaseError, match="holds no program and no library"):
        glibc.check_folder(package, 17)
    (package / "program").write_bytes(b"\x7fELF GLIBC_2.2.5 GLIBC_2.17")
    assert glibc.check_folder(package, 17) == 1
    (package / "inner" / "lib.so").write_bytes(b"\x7fELF GLIBC_2.9 GLIBC_2.18")
    with pytest.raises(ReleaseError, match=r"inner/lib\.so needs glibc 2\.18: expected 2\.17"):
        glibc.check_folder(package, 17)


@pytest.mark.linux
def test_what_a_one_file_executable_unpacks_is_checked_too(executable: Path) -> None:
    """The executable of this tree holds the Python of the machine, with its glibc."""
    assert glibc.check_one_file(executable, 99) > 5
    with pytest.raises(ReleaseError, match=r"needs glibc 2\.\d+: expected 2\.17 at most"):
        glibc.check_one_file(executable, 17)
