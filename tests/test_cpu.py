"""Two builds of the core, one choice: what the processor can run, or what TENGEN_CPU says."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import build_core
import pyengine
from tests.protocol.brains import ALL_PLAYERS

CPUS = build_core.cpu_paths(sys.platform, platform.machine())
needs_avx2 = pytest.mark.skipif(
    pyengine.cpu_path() != "avx2" and "TENGEN_CPU" not in os.environ,
    reason="this machine has no AVX2",
)


def run(command: Sequence[str], cpu: str | None, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Runs a program with TENGEN_CPU set so, or not set at all."""
    environment = {name: value for name, value in os.environ.items() if name != "TENGEN_CPU"}
    if cpu is not None:
        environment["TENGEN_CPU"] = cpu
    return subprocess.run(
        [*command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def bench(command: Sequence[str], cpu: str | None, cwd: Path) -> tuple[str, str]:
    """The path that was taken, and the signature."""
    done = run(command, cpu, cwd)
    assert done.returncode == 0, done.stderr
    path, _, signature, _ = done.stdout.splitlines()[-4:]
    return path, signature


@needs_avx2
def test_both_paths_search_the_same_tree(root: Path) -> None:
    command = (sys.executable, "-m", "pyengine")
    plain = bench(command, "baseline", root)
    wide = bench(command, "avx2", root)
    assert (plain[0], wide[0]) == ("cpu path baseline", "cpu path avx2")
    assert plain[1] == wide[1]
    assert bench(command, None, root) == wide, "the best one is the default"
    assert bench(command, "", root) == wide


@ALL_PLAYERS
def test_every_package_carries_both(root: Path, command: Sequence[str]) -> None:
    for cpu in ("baseline", pyengine.cpu_path()):
        done = run([*command, "--bench"], cpu, root)
        assert f"cpu path {cpu}" in done.stdout.splitlines(), done.stderr


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

    from pyengine import _native

    monkeypatch.setattr(_native, "_load", lambda ffi, cpu: Plain())
    monkeypatch.setenv("TENGEN_CPU", "avx2")
    with pytest.raises(pyengine.LibraryError, match="avx2, which this processor cannot run"):
        _native._core.__wrapped__()


@needs_avx2
def test_a_library_that_is_missing_or_another_is_told_of(root: Path, tmp_path: Path) -> None:
    package = tmp_path / "pyengine"
    built = shutil.ignore_patterns("__pycache__")
    shutil.copytree(build_core.PACKAGE, package, ignore=built)
    wide = package / build_core.library_name(sys.platform, "avx2")
    ask = (sys.executable, "-c", "import pyengine; pyengine.Engine().close()")
    wide.unlink()
    assert f"there is no {wide}" in run(ask, None, tmp_path).stderr
    assert run(ask, "baseline", tmp_path).returncode == 0
    shutil.copy(package / build_core.library_name(sys.platform), wide)
    assert "was built for baseline, not avx2" in run(ask, None, tmp_path).stderr


def test_a_target_without_a_path_of_its_own_has_the_plain_one() -> None:
    assert build_core.cpu_paths("linux", "aarch64") == ["baseline"]
    assert build_core.cpu_paths("darwin", "x86_64") == ["baseline"]
    assert build_core.cpu_paths("win32", "AMD64") == ["baseline", "avx2"]
    arm = build_core.Toolchain(("cc",), "linux", "aarch64", is_clang=False)
    with pytest.raises(build_core.BuildError, match="no avx2 path for linux on aarch64"):
        build_core.Builder("release", arm).for_cpu("avx2")
