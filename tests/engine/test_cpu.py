"""The choice between two builds of the core: by the processor, or by TENGEN_CPU."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import build_core
import build_toolchain
import pyengine
from tests.support.brains import ALL_PLAYERS

CPUS = build_toolchain.cpu_paths(sys.platform, platform.machine())


def run(command: Sequence[str], cpu: str | None, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Runs a program with or without TENGEN_CPU."""
    environment = {name: value for name, value in os.environ.items() if name != "TENGEN_CPU"}
    if cpu is not None:
        environment["TENGEN_CPU"] = cpu
    return subprocess.run(
        [*command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def cpu_path_of(command: Sequence[str], cpu: str | None, cwd: Path) -> str:
    """Returns the path in the first line of the bench, without running the bench."""
    environment = {name: value for name, value in os.environ.items() if name != "TENGEN_CPU"}
    if cpu is not None:
        environment["TENGEN_CPU"] = cpu
    with subprocess.Popen(
        [*command, "--bench"], cwd=cwd, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline().rstrip("\n")
        process.stdout.close()  # and the bench ends with its next line
    return line


def offered() -> list[str]:
    """Returns the processors whose library this machine can run, the best one last."""
    ask = (sys.executable, "-c", "import pyengine; print(pyengine.cpu_path())")
    best = run(ask, None, build_core.ROOT)
    assert best.returncode == 0, best.stderr
    return CPUS[: CPUS.index(best.stdout.strip()) + 1]


OFFERED = offered()
EACH_CPU = pytest.mark.parametrize("cpu", OFFERED)


SOME_ROWS = """
import itertools, pyengine
from pyengine._native import bench_row
print(pyengine.cpu_path())
for row in itertools.takewhile(bool, map(bench_row, itertools.count(0, 3))):
    print(row.index, row.rule.name, row.nodes, row.move, row.score)
"""


def test_each_path_searches_the_same_tree(root: Path) -> None:
    """Every third position of the bench has the same nodes, move and score on each path.

    `make signatures` compares the whole bench. The executable has the signature of the file
    (tests/protocol/test_command_line.py).
    """
    rows = []
    for cpu in OFFERED:
        done = run((sys.executable, "-c", SOME_ROWS), cpu, root)
        assert done.returncode == 0, done.stderr
        path, *found = done.stdout.splitlines()
        assert path == cpu and len(found) >= 2
        rows.append(found)
    assert all(found == rows[0] for found in rows)


@ALL_PLAYERS
def test_every_package_carries_them_all(root: Path, command: Sequence[str]) -> None:
    for cpu in (*OFFERED[:-1], ""):
        assert cpu_path_of(command, cpu, root) == f"cpu path {cpu or OFFERED[-1]}"


@pytest.mark.parametrize("value", ["sse2", "AVX2", "avx2 ", "0"])
def test_another_value_is_told_of(root: Path, value: str) -> None:
    done = run((sys.executable, "-m", "protocol"), value, root)
    assert done.returncode == 1
    assert done.stdout == f"ERROR TENGEN_CPU must be baseline or avx2, not '{value}'\n"


def test_a_processor_is_not_asked_for_what_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain:
        """The plain library on an old machine."""

        def tg_cpu_best(self) -> int:
            return 0

    from pyengine import _library

    monkeypatch.setattr(_library, "_load", lambda ffi, cpu: Plain())
    monkeypatch.setenv("TENGEN_CPU", "avx2")
    with pytest.raises(pyengine.LibraryError, match="avx2, which this processor cannot run"):
        _library._load_best.__wrapped__()


@EACH_CPU
def test_a_library_that_is_missing_or_another_is_told_of(
    root: Path, tmp_path: Path, cpu: str
) -> None:
    package = tmp_path / "pyengine"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(build_core.PACKAGE, package, ignore=ignored)
    shutil.copytree(root / "records", tmp_path / "records", ignore=ignored)
    library = package / build_toolchain.library_name(sys.platform, cpu)
    ask = (sys.executable, "-c", "import pyengine; pyengine.Engine().close()")
    library.unlink()
    for wanted in {cpu, None if cpu == OFFERED[-1] else cpu}:
        said = run(ask, wanted, tmp_path).stderr
        assert f"there is no {library}" in said
        assert ("TENGEN_CPU=baseline does without it" in said) == (cpu != "baseline")
    for lesser in OFFERED[: OFFERED.index(cpu)]:
        assert run(ask, lesser, tmp_path).returncode == 0
    for other in CPUS:
        shutil.copy(build_core.PACKAGE / build_toolchain.library_name(sys.platform, other), library)
        done = run(ask, cpu, tmp_path)
        assert (f"was built for {other}, not {cpu}" in done.stderr) == (other != cpu)
        assert (done.returncode == 0) == (other == cpu)


@pytest.mark.linux
@EACH_CPU
def test_a_package_without_one_of_its_libraries_says_which(
    one_folder: Path, tmp_path: Path, cpu: str
) -> None:
    brain = shutil.copytree(one_folder.parent, tmp_path / "package") / one_folder.name
    name = build_toolchain.library_name(sys.platform, cpu)
    (library,) = brain.parent.rglob(name)
    library.unlink()
    done = run([str(brain)], cpu, tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("ERROR ") and f"there is no {library}: " in done.stdout
    for lesser in OFFERED[: OFFERED.index(cpu)]:
        assert cpu_path_of([str(brain)], lesser, tmp_path) == f"cpu path {lesser}"


def test_a_target_without_a_path_of_its_own_has_the_plain_one() -> None:
    assert build_toolchain.cpu_paths("linux", "aarch64") == ["baseline"]
    assert build_toolchain.cpu_paths("darwin", "x86_64") == ["baseline"]
    assert build_toolchain.cpu_paths("win32", "AMD64") == ["baseline", "avx2"]
    arm = build_toolchain.Toolchain(("cc",), "linux", "aarch64", is_clang=False)
    with pytest.raises(build_toolchain.BuildError, match="no avx2 path for linux on aarch64"):
        build_core.Builder("release", arm).for_cpu("avx2")
