"""The release: what it refuses, its notes, its checksums, and what a wheel has to hold."""

import hashlib
import os
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import build_toolchain
import pyengine
from tools.release import (
    checks,
    fresh,
    glibc,
    parts,
    rehearse,
    targets,
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


def test_a_rehearsal_names_the_version(tmp_path: Path) -> None:
    (tmp_path / "pyengine").mkdir()
    changelog, package = tmp_path / "CHANGELOG.md", tmp_path / "pyengine" / "__init__.py"
    changelog.write_text("# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0 - 2026-11-20\n")
    package.write_text('"""Tengen."""\n\n__version__ = "0.1.0"\n')
    rehearse.name_version(tmp_path, "0.2.0", "2026-11-26")
    assert checks.sections(changelog.read_text()) == {"0.2.0": "- new", "0.1.0": ""}
    assert package.read_text() == '"""Tengen."""\n\n__version__ = "0.2.0"\n'
    with pytest.raises(ReleaseError, match=r"CHANGELOG\.md has 0 lines like .*Unreleased"):
        rehearse.name_version(tmp_path, "0.3.0", "2026-11-26")


@pytest.mark.parametrize("version", ["", "v0.2.0", "0.2"])
def test_a_rehearsal_of_no_version_is_refused(version: str) -> None:
    with pytest.raises(ReleaseError, match=f"the version is {version}: expected three numbers"):
        rehearse.rehearse(version)


def test_a_rehearsal_leaves_the_tree_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is made in a clone; only the results come back."""
    root = tmp_path / "tree"
    (root / "pyengine").mkdir(parents=True)
    (root / "docs").mkdir()
    files = {
        ".gitignore": "/build/\n",
        "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- new\n",
        "pyengine/__init__.py": '__version__ = "0.1.0"\n',
        "docs/artefacts.json": "[]\n",
        "docs/release.md": "<!-- artefacts -->\nold\n<!-- end -->\n",
        "Makefile": 'release try-release:\n\ttest -z "$(PY)"\n'
        "trials:\n\tgrep -q 0.2.0 pyengine/__init__.py\n"
        '\tprintf \'%s\' \'[{"artefact": "linux-x86_64 zip", "sha256": "0", '
        '"size": 1048576, "where": "here", "signature": "0x1", '
        '"start_s": null, "date": "2026-11-26"}]\' > docs/artefacts.json\n',
    }
    for name, text in files.items():
        (root / name).write_text(text)
    for part in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{part}_NAME", "A")
        monkeypatch.setenv(f"GIT_{part}_EMAIL", "a@example.org")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    for module, constant, value in (
        (checks, "ROOT", root),
        (rehearse, "ROOT", root),
        (rehearse, "HOME", root / "build" / "rehearsal"),
        (rehearse, "RECORD", root / "docs" / "artefacts.json"),
        (rehearse, "PAGE", root / "docs" / "release.md"),
    ):
        monkeypatch.setattr(module, constant, value)
    monkeypatch.setenv("MAKEFLAGS", " -- PY=python")  # of `make rehearsal PY=python`
    rehearse.rehearse("0.2.0")
    changed = subprocess.run(
        ["git", "status", "--short"], cwd=root, capture_output=True, text=True, check=True
    )
    assert changed.stdout.split() == ["M", "docs/artefacts.json", "M", "docs/release.md"]
    assert "| linux-x86_64, ZIP | 1.0 MiB |" in (root / "docs" / "release.md").read_text()


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
    toolchain = build_toolchain.Toolchain(("zig",), "linux", "x86_64", is_clang=True)
    if wrong is None:
        wheels.check_libraries(wheel, toolchain)
        return
    with pytest.raises(ReleaseError, match=wrong):
        wheels.check_libraries(wheel, toolchain)


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
