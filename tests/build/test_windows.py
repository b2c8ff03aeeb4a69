"""The parts of the Windows build that need neither clang, lld, mingw nor wine."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from arena.game.record import MoveRecord
from build_toolchain import BuildError
from tests.support.commands import WRITES_OUTPUT, write_program
from tests.support.windows_trial import difference
from tools.windows import compiler, python, wine

GCC = "x86_64-w64-mingw32-gcc"
PIN = re.compile(r"^([\w.-]+)==(\S+)", re.M)


def pins(path: Path) -> dict[str, str]:
    """Returns the versions in a requirements file, by lower-case name."""
    return {name.lower(): version for name, version in PIN.findall(path.read_text())}


def test_every_file_is_pinned_by_its_content() -> None:
    text = python.REQUIREMENTS.read_text()
    wanted = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    assert len(wanted) == len(pins(python.REQUIREMENTS)) > 5
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}$", text, re.M)) == len(wanted)


def test_both_systems_freeze_with_the_same_versions(root: Path) -> None:
    ours, theirs = pins(root / "requirements-dev.txt"), pins(python.REQUIREMENTS)
    both = ours.keys() & theirs.keys()
    assert {"cffi", "pyinstaller", "pyinstaller-hooks-contrib"} <= both
    assert {name: ours[name] for name in both} == {name: theirs[name] for name in both}


@pytest.mark.parametrize(
    ("there", "missing", "packages"),
    [
        ([], f"wine, {GCC}, clang, ld.lld.", "wine wine64 gcc-mingw-w64-x86-64-posix clang lld"),
        (["wine", "clang", "ld.lld"], f"lacks {GCC}.", "gcc-mingw-w64-x86-64-posix"),
        ([GCC, "clang", "ld.lld"], "lacks wine.", "wine wine64"),
        (["wine", GCC, "ld.lld"], "lacks clang.", "clang"),
        (["wine", GCC, "clang"], "lacks ld.lld.", "lld"),
    ],
)
def test_a_missing_tool_is_named_with_its_package(
    root: Path, tmp_path: Path, there: list[str], missing: str, packages: str
) -> None:
    for tool in there:
        write_program(tmp_path / tool, EMPTY)
    done = subprocess.run(
        [sys.executable, "-m", "tools.windows", "core"],
        cwd=root,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and missing in done.stderr
    assert done.stderr.endswith(f"apt-get install {packages}\n")


EMPTY = "#!/bin/sh\n"
# A gcc that names its libraries, in the folder {0}.
NAMES = """#!/bin/sh
case "$1" in -print-libgcc-file-name) echo {0}/libgcc.a;; -print-*) echo {0}/lib.a;; esac"""
# The start of a clang that writes what it is to link.
CLANG = """#!/bin/sh
case "$*" in *-dumpmachine*) echo x86_64-w64-windows-gnu; exit;;
*-Wl,--version*) echo LLD 14; exit;; *--version*) echo clang version 14; exit;; esac
"""


def test_clang_compiles_with_the_libraries_of_mingw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries = tmp_path / "mingw" / "lib"
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    write_program(tmp_path / GCC, "#!/bin/sh\necho libgcc.a\n")  # the answer of gcc without one
    with pytest.raises(BuildError, match=r"print-libgcc-file-name names no file: libgcc\.a"):
        compiler.toolchain()
    libraries.mkdir(parents=True)
    for name in ("libgcc.a", "lib.a"):
        (libraries / name).touch()
    write_program(tmp_path / GCC, NAMES.format(libraries))
    write_program(tmp_path / "clang", CLANG + "false\n")
    with pytest.raises(BuildError, match="clang and lld make no library for Windows: clang --t"):
        compiler.toolchain()
    write_program(tmp_path / "clang", CLANG + WRITES_OUTPUT)
    found = compiler.toolchain()
    wanted = {f"-L{libraries}", "-fuse-ld=lld", f"--sysroot={libraries.parent}"}
    assert found.command[0] == "clang" and wanted <= set(found.command)
    assert found.lto_flags == ["-flto"]
    # Neither the time nor, by GNU ld, the path of the build gets into the file.
    assert "-Wl,--no-insert-timestamp" in found.link_flags
    write_program(tmp_path / "clang", CLANG.replace("LLD 14", "GNU ld 2.40") + WRITES_OUTPUT)
    assert "-Wl,--disable-auto-image-base" in compiler.toolchain().shared_flags


def test_without_a_python_of_that_version_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "VERSION", (3, 1))
    with pytest.raises(BuildError, match=r"apt-get install python3\.11"):
        python.find_library()


def test_the_runtime_is_put_where_python_looks(tmp_path: Path) -> None:
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in ("select.pyd", "libffi-8.dll", "tk86t.dll", "api-ms-win-crt-heap-l1-1-0.dll"):
            archive.writestr(f"deploy_libs/{file}", file)
        archive.writestr("other/python311.dll", "")
    target = tmp_path / "python"
    target.mkdir()
    with pytest.raises(BuildError, match=r"python311\.dll and VCRUNTIME140\.dll"):
        python.unpack_runtime(wheel, target)
    made = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert made == {"DLLs/select.pyd", "DLLs/libffi-8.dll"}


def test_a_path_as_wine_sees_it(tmp_path: Path) -> None:
    assert wine.windows_path(tmp_path / "a b") == "Z:" + str(tmp_path).replace("/", "\\") + r"\a b"


def test_games_that_part_are_found_out() -> None:
    def move(x: int, nodes: int | None = None) -> MoveRecord:
        return MoveRecord(x, 0, "black", 1.0, 100.0, nodes=nodes, score="7")

    game = [move(1, 50), move(2), move(3, 60)]
    assert difference(game, [move(1, 50), move(2, 70), move(3)]) == ""
    assert difference(game, [move(1, 51), move(2), move(3)]).startswith("move 1: ")
    assert difference(game, [move(1), move(2), move(4)]).startswith("move 3: ")
    assert difference(game, game[:2]) == "3 and 2 moves"
