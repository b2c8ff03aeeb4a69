"""Builds: what is built again, what fails, and that two builds do not meet."""

import os
import platform
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import build_core
import build_lock
import build_toolchain
import build_weights
from build_toolchain import BuildError
from tests.support.commands import WRITES_OUTPUT, run, write_program
from tools.windows import compiler as windows_compiler

SAYS_VERSION = """#!/bin/sh
case "$*" in *--version*) echo clang version {}; exit;; esac
exec gcc "$@"
"""


def build_small(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "build_core.py", *arguments], tree)


def test_only_what_changed_is_built_again(small: Path) -> None:
    first = build_small(small)
    assert first.returncode == 0, first.stderr
    toolchain = build_toolchain.find_toolchain()
    cpus = build_toolchain.cpu_paths(toolchain.system, toolchain.machine)
    sources = ("base/other.c", "engine.c")
    assert sorted(first.stdout.splitlines()) == sorted(
        [f"  cc csrc/{source}" for source in (*sources, "eval/embedded.c")]
        + [
            f"  cc csrc/{source}, {cpu}"
            for source in (*sources, "eval/embedded_none.c")
            for cpu in cpus[1:]
        ]
        + [f"  ld {build_toolchain.library_name(sys.platform, cpu)}" for cpu in cpus]
    )
    library = small / "pyengine" / build_toolchain.library_name(sys.platform)
    assert library.is_file() and (small / "pyengine" / "_ffi.py").is_file()
    assert build_small(small).stdout == ""

    (small / "csrc" / "engine.c").touch()
    assert "cc csrc/base/other.c" not in build_small(small).stdout
    (small / "csrc" / "base" / "number.h").write_text("#define NUMBER 8\n")
    again = build_small(small).stdout
    assert "cc csrc/base/other.c" in again and "cc csrc/engine.c" in again and "ld" in again
    assert build_small(small).stdout == ""

    weights = small / "csrc" / "assets" / "caro.tgw"
    weights.write_bytes(weights.read_bytes())
    again = build_small(small).stdout
    assert "cc csrc/eval/embedded.c" in again and "cc csrc/engine.c" not in again
    (small / "csrc" / "base" / "other.c").unlink()
    assert "ld" in build_small(small).stdout  # the list of sources is part of the command
    library.unlink()
    assert "ld" in build_small(small).stdout and library.is_file()


def test_another_compiler_makes_the_library_again(small: Path) -> None:
    library = f"  ld {build_toolchain.library_name(sys.platform)}"
    assert library in build_small(small, "--cc", "cc").stdout.splitlines()
    assert library in build_small(small, "--cc", "gcc").stdout.splitlines()
    assert library in build_small(small, "--cc", "cc").stdout.splitlines()
    assert build_small(small, "--cc", "cc").stdout == ""
    assert library in build_small(small, "--cc", "cc", "--variant", "debug").stdout.splitlines()
    assert library in build_small(small, "--cc", "cc").stdout.splitlines()


def compiler_for_windows() -> str | None:
    """The command of the compiler of `make windows`; None if this machine has none."""
    try:
        return shlex.join(windows_compiler.toolchain().command)
    except (BuildError, OSError):
        return None


@pytest.mark.linux
@pytest.mark.parametrize("variant", ["release", "separate", "debug"])
def test_only_release_builds_are_linked_as_one(tmp_path: Path, variant: str) -> None:
    """The weights are compiled apart, because the linker would not find them."""
    said, compiler = tmp_path / "said", tmp_path / "a-clang"
    write_program(compiler, f'#!/bin/sh\necho "$@" >> {said}\n{WRITES_OUTPUT}')
    toolchain = build_toolchain.Toolchain(
        (str(compiler),), "linux", "x86_64", is_clang=True, has_lto=True
    )
    build_core.Builder(variant, toolchain, tmp_path / "objects").libraries(tmp_path)
    lines = said.read_text().splitlines()
    assert len([line for line in lines if "eval/embedded.c" in line]) == 1
    for line in lines:
        assert ("-flto" in line) is (variant == "release"), line
        apart = variant == "release" and "eval/embedded.c" in line
        assert ("-fno-lto" in line) is apart, line


@pytest.mark.linux
def test_another_version_of_the_compiler_makes_everything_again(
    small: Path, tmp_path: Path
) -> None:
    compiler = tmp_path / "versions" / "clang"
    compiler.parent.mkdir()
    for version in (14, 19):
        write_program(compiler, SAYS_VERSION.format(version))
        made = build_small(small, "--cc", str(compiler)).stdout
        assert "cc csrc/engine.c" in made and "ld libtengen.so" in made
        assert build_small(small, "--cc", str(compiler)).stdout == ""


@pytest.mark.parametrize("compiler", ["cc", "clang", "x86_64-w64-mingw32-gcc", "of make windows"])
def test_a_library_does_not_depend_on_its_folder(
    small: Path, tmp_path_factory: pytest.TempPathFactory, compiler: str
) -> None:
    """Two clones make the same library, byte for byte, also for Windows."""
    found = compiler_for_windows() if compiler == "of make windows" else shutil.which(compiler)
    if found is None:
        pytest.skip(f"this machine has no {compiler}")
    clone = tmp_path_factory.mktemp("another") / "folder"
    shutil.copytree(small, clone)
    libraries = []
    for tree in (small, clone):
        done = build_small(tree, "--cc", found)
        assert done.returncode == 0, done.stderr
        made = [*(tree / "pyengine").glob("*.so"), *(tree / "pyengine").glob("*.dll")]
        assert len(made) == 2
        libraries.append({path.name: path.read_bytes() for path in made})
    assert libraries[0] == libraries[1]


def test_two_builds_in_one_tree_do_not_meet(small: Path) -> None:
    command = [sys.executable, "build_core.py", "--variant", "debug", "package", "bench_main"]
    both = [
        subprocess.Popen(command, cwd=small, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    # The second build had nothing to do.
    assert sorted(b"ld " in out for out, _ in said) == [False, True]


def test_a_build_of_another_variant_waits_for_none_of_the_package(small: Path) -> None:
    command = [sys.executable, "build_core.py", "--variant", "debug", "bench_main"]
    with build_lock.one_build(small / "build" / "lock"):
        subprocess.run(command, cwd=small, check=True, stdout=subprocess.PIPE, timeout=300)


def test_each_variant_has_a_lock() -> None:
    own = build_core.BUILD / "debug.lock"
    assert build_core.locks_of("debug", package=False) == [own]
    assert build_core.locks_of("debug", package=True) == [build_lock.LOCK, own]
    assert build_core.locks_of("release", package=False) == [build_lock.LOCK]
    assert build_core.locks_of("release", package=True) == [build_lock.LOCK]


def test_a_build_waits_for_another_one_and_for_no_dead_one(tmp_path: Path, root: Path) -> None:
    lock = tmp_path / "build" / "lock"
    holder = (
        "import sys, time; from pathlib import Path; from build_lock import one_build\n"
        "with one_build(Path(sys.argv[1])): print('held', flush=True); time.sleep(600)\n"
    )
    waiter = holder.replace("time.sleep(600)", "pass")
    first = subprocess.Popen(
        [sys.executable, "-c", holder, lock], cwd=root, stdout=subprocess.PIPE, text=True
    )
    assert first.stdout and first.stdout.readline() == "held\n"
    command = [sys.executable, "-c", waiter, str(lock)]
    silent = subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    terminal, end = os.openpty()
    second = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=end, text=True)
    os.close(end)
    with os.fdopen(terminal) as shown:
        assert shown.readline() == f"{build_lock.WAITING}\n"
        assert second.poll() is None and silent.poll() is None
        first.kill()
        first.communicate()
        assert second.communicate()[0] == "held\n" and second.returncode == 0
    assert silent.communicate() == ("held\n", "") and silent.returncode == 0, "not a terminal"


def test_a_broken_source_leaves_no_new_library(small: Path) -> None:
    source = small / "csrc" / "engine.c"
    good = source.read_text()
    source.write_text(good + "int broken(\n")
    done = build_small(small)
    assert done.returncode == 1 and "cc csrc/engine.c failed" in done.stderr
    assert not (small / "pyengine").exists() or not list((small / "pyengine").glob("*tengen*"))
    source.write_text(good)
    assert build_small(small).returncode == 0


def test_programs_are_run_and_their_failure_counts(small: Path) -> None:
    (small / "tests" / "c").mkdir(parents=True)
    test = small / "tests" / "c" / "test_one.c"
    test.write_text("int main(void) { return 0; }\n")
    done = build_small(small, "--variant", "debug", "--run", "tests", "bench_main")
    assert done.returncode == 0, done.stderr
    assert "test_one" in done.stdout and "bench_main" in done.stdout
    test.write_text("int main(void) { return 3; }\n")
    done = build_small(small, "--variant", "debug", "--run", "tests")
    assert done.returncode == 1 and "test_one failed with 3" in done.stderr


def test_warnings_are_errors_where_asked(small: Path) -> None:
    (small / "csrc" / "base" / "other.c").write_text("int other(void) { return 1; }\n")
    assert build_small(small).returncode == 0
    assert build_small(small, "--variant", "werror", "package").returncode == 1


def test_a_missing_compiler_and_missing_marks_are_told_of(small: Path) -> None:
    done = build_small(small, "--cc", "no-such-compiler")
    assert done.returncode == 1 and "no-such-compiler is not found" in done.stderr
    # debug: release and separate would also find the ziglang of this Python
    done = run([sys.executable, "build_core.py", "--variant", "debug"], small, PATH="", CC="")
    assert done.returncode == 1 and "install gcc" in done.stderr
    header = small / "csrc" / "include" / "tengen.h"
    header.write_text(header.read_text().replace("/* cffi: end */", ""))
    done = build_small(small)
    assert done.returncode == 1 and "lacks the marks" in done.stderr


@pytest.mark.parametrize("rule", ["freestyle", "renju", "ninuki"])
def test_a_wrong_weights_file_fails_the_build_with_its_name(small: Path, rule: str) -> None:
    path = small / "csrc" / "assets" / f"{rule}.tgw"
    whole = path.read_bytes()
    foreign = (path.parent / "caro.tgw").read_bytes()
    for data, said in (
        (whole[:-1], f"cut short: {len(whole) - 1} bytes of {len(whole)}"),
        (whole[:100], "cut short: 100 bytes of a header of 128"),
        (whole + bytes(64), f"too long: {len(whole) + 64} bytes of {len(whole)}"),
        (whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:], "damaged: its checksum is"),
        (whole[:8] + b"\x07" + whole[9:], "format 7, not 9"),
        (whole[:12] + b"\1\2\3\4" + whole[16:], "architecture 0x04030201, not 0x"),
        (whole.replace(b"\r\n", b"\n", 1), "not a weights file"),
        (b"", "not a weights file"),
        (foreign, "it is of rule 8, not of rule"),
    ):
        path.write_bytes(data)
        done = build_small(small)
        assert done.returncode == 1, said
        assert f"{path}: {said}" in done.stderr and "Traceback" not in done.stderr
    path.unlink()
    done = build_small(small)
    assert done.returncode == 1 and f"{path} cannot be read" in done.stderr


def test_a_changed_layout_is_told_of(small: Path) -> None:
    """A changed layout is an error that names the new checksum."""
    network = small / "csrc" / "eval" / "nn" / "value_net.h"
    text = network.read_text()
    for old, new in (("NET_HIDDEN = 64", "NET_HIDDEN = 32"), ("NET_ONE = 128", "NET_ONE = 64")):
        network.write_text(text.replace(old, new))
        done = build_small(small)
        assert done.returncode == 1 and "it must be 0x" in done.stderr
        right = done.stderr.partition("it must be ")[2].partition(",")[0]
        header = small / "csrc" / "eval" / "weights.h"
        known = header.read_text()
        named = f"{build_weights.layout().constant('WEIGHTS_ARCHITECTURE'):#010x}"
        header.write_text(known.replace(named, right))
        done = build_small(small)
        assert done.returncode == 1 and f"architecture {named}, not {right}" in done.stderr
        header.write_text(known)
    network.write_text(text.replace("NET_INPUT_MAX", "NET_INPUT_MOST"))
    done = build_small(small)
    assert done.returncode == 1 and "WEIGHTS_ARCHITECTURE" in done.stderr


def test_one_library_carries_the_weights_of_a_package(root: Path) -> None:
    """The baseline library has the weights files bit for bit, the other library none."""
    machine = platform.machine()
    carried = {
        name: {path.name for path in build_core.assets() if path.read_bytes() in data}
        for name in build_toolchain.library_names(sys.platform, machine)
        for data in [(root / "pyengine" / name).read_bytes()]
    }
    plain, *others = carried.values()
    assert plain == {path.name for path in build_core.assets()} and len(plain) == 8
    assert not any(others)
