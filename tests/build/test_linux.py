"""The parts of `make linux` that compile nothing: sources, modules, packages."""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from build_toolchain import BuildError
from tests.support.paths import ROOT
from tools.linux import compiled, python, sources
from tools.release import targets


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> sources.Source:
    """A source whose archive lies where those of `make linux` do."""
    monkeypatch.setattr(sources, "FOLDER", tmp_path)
    (tmp_path / "file").write_text("text")
    with tarfile.open(tmp_path / "made.tar.gz", "w:gz") as made:
        made.add(tmp_path / "file", "top-1/file")
    return sources.Source("made", "made.tar.gz", "0" * 64, "top-1")


def test_an_archive_with_another_content_is_refused(archive: sources.Source) -> None:
    path = sources.FOLDER / archive.file
    with pytest.raises(BuildError, match=rf"made\.tar\.gz has the SHA-256 .*expected {'0' * 64}"):
        sources.check(archive, path)
    path.unlink()
    with pytest.raises(BuildError, match=r"made\.tar\.gz cannot be read"):
        sources.check(archive, path)


def test_an_archive_is_unpacked_into_a_new_folder(archive: sources.Source, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old").touch()
    folder = sources.unpack(archive, tmp_path / "out")
    assert [path.name for path in folder.iterdir()] == ["file"]
    assert not (tmp_path / "out" / "old").exists()


def test_a_machine_without_apt_is_told_what_to_bring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "FOLDER", tmp_path / "sources")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError) as caught:
        sources.bring()
    said = str(caught.value)
    assert said.startswith("this machine has no apt-get.")
    assert str(tmp_path / "sources") in said
    assert all(source.file in said for source in sources.SOURCES)


def test_sources_are_asked_of_the_repositories_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A false apt-get writes down what it is asked, and brings archives with a wrong content."""
    monkeypatch.setattr(sources, "FOLDER", tmp_path / "sources")
    monkeypatch.setattr(sources, "HOME", tmp_path)
    tool = tmp_path / "apt-get"
    tool.write_text(
        "#!/bin/sh\n"
        f'echo "$@" >>{tmp_path}/asked\n'
        'case "$*" in\n'
        "indextargets*) echo deb-src REPOSITORY SUITE main; echo deb-src REPOSITORY SUITE main;;\n"
        "*--tar-only*) : >libffi_3.4.4.orig.tar.gz;;\n"
        "esac\n"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(BuildError, match=r"python3\.11_3\.11\.2\.orig\.tar\.gz cannot be read"):
        sources.bring()
    listed = (tmp_path / "apt" / "sources.list").read_text()
    assert listed == "deb-src REPOSITORY SUITE main\n"
    indextargets, update, source = (tmp_path / "asked").read_text().splitlines()
    assert indextargets.startswith("indextargets")
    assert f"Dir::Etc::sourcelist={tmp_path}/apt/sources.list" in update and "update" in update
    assert source.endswith("source --download-only --tar-only python3.11 zlib libffi")


def test_the_modules_are_chosen_from_the_list_of_configure(tmp_path: Path) -> None:
    (tmp_path / "Modules").mkdir()
    (tmp_path / "Modules" / "Setup.stdlib").write_text(
        "# comment\n*shared*\n\nmath mathmodule.c\n_ssl _ssl.c\n#_bz2 _bz2module.c\n"
    )
    compiled._choose_modules(tmp_path)
    lines = (tmp_path / "Modules" / "Setup.local").read_text().splitlines()
    off = lines.index("*disabled*")
    assert lines[:off] == ["*shared*", "math mathmodule.c", compiled.CTYPES]
    assert lines[off + 1 :] == list(compiled.LEFT_OUT)
    # Python's makesetup takes a line with this sign for a definition.
    assert not any("=" in line for line in lines)


@pytest.fixture
def compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The contents of the Pythons that were compiled: a program and a link to it, no more."""
    made: list[str] = []

    def compile_one() -> Path:
        made.append(f"the {len(made) + 1}. Python")
        folder = tmp_path / f"installed-{len(made)}"
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python3.11").write_text(made[-1])
        (folder / "bin" / "python3.11").chmod(0o755)
        (folder / "bin" / "python3").symlink_to("python3.11")
        return folder

    monkeypatch.setattr(compiled, "PREFIX", tmp_path / "prefix")
    monkeypatch.setattr(compiled, "PROGRAM", tmp_path / "prefix" / "bin" / "python3.11")
    monkeypatch.setattr(compiled, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(compiled, "_compile", compile_one)
    return made


@pytest.mark.linux
def test_python_is_compiled_once_for_a_recipe(
    compiles: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time, and in another clone with the same folder, it is taken as it was."""
    for _ in range(2):
        compiled.restore()
        program = compiled.PREFIX / "bin" / "python3"
        assert program.read_text() == "the 1. Python" and program.stat().st_mode & 0o100
        assert program.is_symlink()
        assert not (compiled.PREFIX / "bin" / "added").exists()
        (compiled.PREFIX / "bin" / "added").touch()
        assert compiles == ["the 1. Python"]
    changed = tmp_path / "requirements.txt"
    changed.write_text("ziglang==0\n")
    monkeypatch.setattr(targets, "REQUIREMENTS", changed)
    compiled.restore()
    assert compiles == ["the 1. Python", "the 2. Python"]
    assert (compiled.PREFIX / "bin" / "python3").read_text() == "the 2. Python"
    assert len(list(compiled.KEPT.iterdir())) == 2


@pytest.mark.linux
@pytest.mark.parametrize("length", [0, 40, -1])
def test_a_damaged_kept_python_is_refused(compiles: list[str], length: int) -> None:
    """It is compiled again when the file is removed, as the message says."""
    compiled.restore()
    (kept,) = compiled.KEPT.iterdir()
    kept.write_bytes(kept.read_bytes()[:length])
    with pytest.raises(BuildError, match=rf"{kept.name} is damaged\. Remove it, "):
        compiled.restore()
    assert compiles == ["the 1. Python"]
    kept.unlink()
    compiled.restore()
    assert compiles == ["the 1. Python", "the 2. Python"]


@pytest.mark.linux
def test_two_clones_may_compile_for_one_folder(compiles: list[str]) -> None:
    """Both finish at the same time with different bytes; the next clone takes one of them."""
    name = f"python-{compiled.recipe()[:16]}"
    made = [compiled._keep(compiled._compile(), name) for _ in range(2)]
    assert sorted(compiled.KEPT.iterdir()) == sorted(made) and made[0] != made[1]
    compiled.restore()
    assert (compiled.PREFIX / "bin" / "python3").read_text() in compiles
    assert len(compiles) == 2


@pytest.mark.linux
def test_an_interrupted_restore_leaves_no_half_python(
    compiles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an archive nor a program is there until it is whole; what is left is passed over."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for step in ("add", "extractall"):
        with monkeypatch.context() as patched:
            patched.setattr(tarfile.TarFile, step, interrupted)
            with pytest.raises(KeyboardInterrupt):
                compiled.restore()
        assert not compiled.PREFIX.exists()
        if step == "add":
            assert list(compiled.KEPT.iterdir()) == []
            (compiled.KEPT / f"python-{compiled.recipe()[:16]}.1").touch()  # of one that was killed
    compiled.restore()
    assert compiles == ["the 1. Python", "the 2. Python"]
    assert (compiled.PREFIX / "bin" / "python3").read_text() == "the 2. Python"


@pytest.mark.linux
def test_make_finds_a_restored_python_out_of_date(compiles: list[str]) -> None:
    """Its packages come later: a build that is killed between the two is continued."""
    compiled.restore()
    assert compiled.PROGRAM.stat().st_mtime == 0


@pytest.mark.linux
def test_a_setting_of_the_machine_does_not_change_the_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recipe does not know it, so it is not passed on to a step."""
    for name in ("LDFLAGS", "CFLAGS", "LIBS", "CONFIG_SITE"):
        monkeypatch.setenv(name, f"machine's {name}")
    monkeypatch.setattr(compiled, "_zig", lambda: "zig")
    (tmp_path / "top").mkdir()
    compiled._step(sources.ZLIB, tmp_path / "top", ["env"], CFLAGS="-O2")
    said = (tmp_path / "log.txt").read_text()
    assert "machine's" not in said and "CFLAGS=-O2\n" in said


def test_the_recipe_names_each_thing_that_python_is_made_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new comment in what does not compile leaves the recipe as it is."""
    before = compiled.recipe()
    assert compiled.recipe() == before
    copy = tmp_path / "copy.py"
    for module in (compiled, sources):
        copy.write_bytes(Path(str(module.__file__)).read_bytes() + b"# changed\n")
        with monkeypatch.context() as patched:
            patched.setattr(module, "__file__", str(copy))
            assert compiled.recipe() != before
    with monkeypatch.context() as patched:
        patched.setattr(python, "__file__", str(copy))
        assert compiled.recipe() == before


def test_what_freezes_is_pinned() -> None:
    pins = re.findall(r"^([\w.-]+)==", python.REQUIREMENTS.read_text(), re.M)
    assert {*pins} >= python.FREEZES


def test_every_name_has_the_version_of_the_sources() -> None:
    assert sources.PYTHON.top.startswith(f"Python-{compiled.VERSION}.")
    assert f"build/linux/python/bin/python{compiled.VERSION}\n" in (ROOT / "Makefile").read_text()


@pytest.mark.linux
def test_a_step_without_its_python_names_it(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\nfrom tools.linux import __main__ as steps, python\n"
        "python.PROGRAM = pathlib.Path(sys.argv[1]) / 'python3.11'\n"
        "sys.argv[1:] = ['freeze']\nsys.exit(steps.main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "python3.11 is missing: make linux" in done.stderr, done.stderr
