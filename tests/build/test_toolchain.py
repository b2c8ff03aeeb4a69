"""The choice of the C compiler."""

import os
import platform
import shlex
import sys
from pathlib import Path

import pytest

import build_toolchain
from tests.support.commands import WRITES_OUTPUT, run, write_program

# clang comes first on x86-64 only.
PREFERRED = "clang" if platform.machine() == "x86_64" else "cc"
ZIG_COMMAND = build_toolchain.zig_command
WORKS = '#!/bin/sh\nexec gcc "$@"\n'
FAULTS = {
    "it fails": "#!/bin/sh\nexit 1\n",
    "it makes nothing": "#!/bin/sh\nexit 0\n",
    "it cannot link": '#!/bin/sh\ncase "$*" in *-shared*) exit 1;; esac\nexec gcc "$@"\n',
    "it has another target": '#!/bin/sh\n[ "$1" = -dumpmachine ] && exec echo i386-linux-gnu\n'
    'exec gcc "$@"\n',
    "it has no headers": '#!/bin/sh\nexec gcc -nostdinc "$@"\n',
    "it cannot start": "no program",
}


# The start of a clang for Linux on x86-64 that fails if it gets the argument `fault`.
SAYS_CLANG = """#!/bin/sh
case "$*" in *--version*) echo clang version 14; exit;;
*-dumpmachine*) echo x86_64-linux-gnu; exit;; *{fault}*) exit 1;; esac
"""


@pytest.fixture
def fake_clang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a fake clang, in a folder that is first on the PATH. There is no zig."""
    folder = tmp_path / "compilers"
    folder.mkdir()
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(build_toolchain, "zig_command", tuple)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "clang"


def first_compiler(wanted: str | None = None) -> str:
    return build_toolchain.find_toolchain(wanted).command[0]


@pytest.mark.linux
def test_clang_comes_first(fake_clang: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(fake_clang, WORKS)
    assert first_compiler() == PREFERRED
    assert build_toolchain.find_toolchain(fast=False).command[0] == "cc"
    assert first_compiler("gcc") == "gcc"
    with monkeypatch.context() as context:
        context.setattr(sys, "platform", "darwin")
        assert first_compiler() == "cc"
    with monkeypatch.context() as context:
        context.setattr(platform, "machine", lambda: "aarch64")
        assert first_compiler() == "cc"
    monkeypatch.setenv("CC", "gcc")
    assert first_compiler() == "gcc"


@pytest.mark.linux
@pytest.mark.parametrize("fault", FAULTS)
def test_a_clang_that_makes_no_library_comes_last(
    fake_clang: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    write_program(fake_clang, FAULTS[fault])
    assert first_compiler() == "cc"
    if fault != "it cannot start":
        assert first_compiler("clang") == "clang"  # an explicit choice is not checked
        monkeypatch.setenv("PATH", str(fake_clang.parent))
        assert first_compiler() == "clang"  # there is no other


@pytest.fixture
def fake_zig(fake_clang: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the program of a fake `ziglang`. There is no clang that works."""
    write_program(fake_clang, FAULTS["it fails"])
    package = tmp_path / "packages" / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.setattr(build_toolchain, "zig_command", ZIG_COMMAND)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.delitem(sys.modules, "ziglang", raising=False)
    monkeypatch.syspath_prepend(package.parent)
    return package / "zig"


@pytest.mark.linux
def test_zig_comes_after_clang(fake_zig: Path, fake_clang: Path) -> None:
    write_program(fake_zig, SAYS_CLANG.format(fault="never") + WRITES_OUTPUT)
    found = build_toolchain.find_toolchain()
    assert found.command == (str(fake_zig), "cc", "-mcpu=x86_64", "-g0", "-s")
    assert found.is_zig
    assert found.lto_flags == ["-flto"]
    assert build_toolchain.find_toolchain(fast=False).command[0] == "cc"
    assert first_compiler("gcc") == "gcc"
    write_program(fake_clang, SAYS_CLANG.format(fault="never") + WRITES_OUTPUT)
    assert first_compiler() == "clang"


@pytest.mark.linux
@pytest.mark.parametrize("fault", ["it fails", "it makes nothing", "it cannot link"])
def test_a_zig_that_makes_no_library_is_not_used(
    fake_zig: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_program(fake_zig, FAULTS[fault])
    assert first_compiler() == "cc"
    assert "ziglang cannot compile the engine: " in capsys.readouterr().err


@pytest.mark.linux
def test_clang_links_as_one_if_its_linker_can(fake_clang: Path) -> None:
    write_program(fake_clang, SAYS_CLANG.format(fault="never") + WRITES_OUTPUT)
    assert build_toolchain.find_toolchain("clang").lto_flags == ["-flto"]
    assert build_toolchain.find_toolchain("clang -fno-lto").lto_flags == []
    assert build_toolchain.find_toolchain("gcc").lto_flags == []
    write_program(fake_clang, SAYS_CLANG.format(fault="-flto") + WRITES_OUTPUT)
    assert build_toolchain.find_toolchain("clang").lto_flags == []


@pytest.mark.parametrize(
    ("system", "machine", "expected"),
    [
        ("linux", "x86_64", True),
        ("win32", "x86_64", False),
        ("darwin", "x86_64", False),
        ("linux", "aarch64", False),
    ],
)
def test_zig_links_as_one_for_linux_on_x86_64(system: str, machine: str, expected: bool) -> None:
    zig = build_toolchain.Toolchain(("zig",), system, machine, is_clang=True, is_zig=True)
    assert build_toolchain.links_as_one(zig) is expected


@pytest.mark.linux
def test_only_a_release_prefers_clang(small: Path, fake_clang: Path) -> None:
    write_program(fake_clang, WORKS)
    for variant, compiler in {"release": PREFERRED, "debug": "cc"}.items():
        done = run([sys.executable, "build_core.py", "--variant", variant], small)
        assert done.returncode == 0, done.stderr
        assert (small / "build" / f"{variant}-{compiler}").is_dir()


@pytest.mark.parametrize("words", [("gcc",), ("/a folder/zig", "cc", "-mcpu=x86_64")], ids=" ".join)
def test_a_command_is_split_into_the_words_that_it_was_made_of(words: tuple[str, ...]) -> None:
    """`make install` hands the compiler to pip in CC."""
    if os.name != "posix" and any(" " in word for word in words):
        pytest.skip("CC cannot hold a path with a space here")
    text = build_toolchain.command_text(words)
    assert tuple(shlex.split(text, posix=os.name == "posix")) == words
