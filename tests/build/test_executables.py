"""The executable and the tournament package, and the trial that each must pass."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

import build_exe
import build_licences
import build_stamp
import build_toolchain
import pyengine
from tests.support.commands import run
from tests.support.paths import ROOT


def test_the_executable_stands_alone(executable: Path, tmp_path: Path) -> None:
    moved = tmp_path / "a folder" / executable.name
    moved.parent.mkdir()
    shutil.copy(executable, moved)
    assert build_exe.try_out(moved) < build_exe.LIMIT_S
    done = run([moved, "--version"], tmp_path)
    assert done.returncode == 0
    said = r"Tengen (\S+) \(commit ([0-9a-f]{12}(?:\+changes)?|unknown), bench (0x[0-9a-f]{16})\)\n"
    found = re.fullmatch(said, done.stdout)
    assert found and found[1] == pyengine.__version__, done.stdout
    assert found[3] == build_stamp.find_signature(ROOT)


def test_the_tournament_package(root: Path, tmp_path: Path) -> None:
    """The package that `make zip` has made."""
    package = root / "dist" / "pbrain-tengen.zip"
    program = f"pbrain-tengen{build_exe.SUFFIX}"
    with zipfile.ZipFile(package) as archive:
        names = archive.namelist()
        top = {name.partition("/")[0] for name in names}
        assert top == {program, build_exe.CONTENTS}
        assert [name for name in names if name.lower().endswith(".exe")] in ([], [program])
        assert archive.getinfo(program).external_attr >> 16 & 0o111 == 0o111
        assert all(name.isascii() and " " not in name for name in names)
        licences = archive.read(f"{build_exe.CONTENTS}/{build_licences.NAME}").decode()
        for named in ("PYTHON SOFTWARE FOUNDATION LICENSE", "MIT No Attribution", "libffi", "zlib"):
            assert named in licences, named
        archive.extractall(tmp_path / "unpacked")
    inner = tmp_path / "unpacked" / build_exe.CONTENTS / build_exe.MODULES
    with zipfile.ZipFile(inner) as modules:
        assert modules.namelist() == sorted(modules.namelist())
    brain = tmp_path / "unpacked" / program
    brain.chmod(0o755)  # extractall drops it
    build_exe.try_out(brain)


def test_modules_are_packed_by_name(tmp_path: Path) -> None:
    """The order in which PyInstaller finds the modules does not show in the package."""
    packed = []
    for number, names in enumerate((["re.pyc", "locale.pyc"], ["locale.pyc", "re.pyc"])):
        archive = tmp_path / f"{number}.zip"
        with zipfile.ZipFile(archive, "w") as modules:
            for name in names:
                modules.writestr(zipfile.ZipInfo(name), name.upper())
        build_exe.sort_modules([(build_exe.MODULES, str(archive), "DATA"), ("x", "x", "DATA")])
        packed.append(archive.read_bytes())
        with zipfile.ZipFile(archive) as modules:
            assert modules.read("re.pyc") == b"RE.PYC"
    assert packed[0] == packed[1]


def test_an_analysis_without_the_modules_is_refused() -> None:
    with pytest.raises(build_toolchain.BuildError, match=r"0 files base_library\.zip: expected 1"):
        build_exe.sort_modules([("stamp.txt", "stamp.txt", "DATA")])


def test_a_second_program_in_the_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for file in ("pbrain-tengen.exe", "other.exe"):
        (tmp_path / "in" / file).touch()
    with pytest.raises(build_toolchain.BuildError, match=r"other\.exe"):
        build_exe.pack(tmp_path / "in", tmp_path / "out.zip", 0)
    assert not (tmp_path / "out.zip").exists()


@pytest.mark.parametrize(
    "script",
    [
        "",  # ends at once
        "read line; echo no",
        "read line; echo OK; read line; echo 7,7 text; cat >/dev/null",
        "read line; echo OK; cat >/dev/null",
        "echo trouble >&2; read line; echo OK; echo 7,7; cat >/dev/null",
        "read line; echo OK; echo 7,7; cat >/dev/null; exit 3",
    ],
)
def test_a_brain_that_does_not_play_is_found_out(script: str, tmp_path: Path) -> None:
    brain = tmp_path / "brain"
    brain.write_text(f"#!/bin/sh\n{script}\n")
    brain.chmod(0o755)
    with pytest.raises(build_toolchain.BuildError):
        build_exe.try_out(brain)


def test_a_brain_whose_child_holds_its_output_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_exe, "LIMIT_S", 1.0)
    brain = tmp_path / "brain"
    brain.write_text("#!/bin/sh\nread start\nsleep 20 &\n")
    brain.chmod(0o755)
    with pytest.raises(build_toolchain.BuildError, match="nothing within 1 s"):
        build_exe.try_out(brain)
