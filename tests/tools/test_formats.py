"""Checks of libraries that this machine cannot load."""

import json
import platform
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import build_core
import build_toolchain
from tests.support.paths import ROOT
from tools.release import formats, targets

FITTING: dict[str, dict[str, Any]] = {
    "linux-aarch64": {"format": "ELF", "machine": "AARCH64", "needs": ["libc.so.6"]},
    "musl-aarch64": {"format": "ELF", "machine": "AARCH64", "needs": ["libc.so"]},
    "windows-arm64": {
        "format": "PE",
        "machine": "ARM64",
        "needs": ["KERNEL32.dll", "api-ms-win-crt-heap-l1-1-0.dll"],
    },
    "macos-x86_64": {
        "format": "Mach-O",
        "machine": "X86_64",
        "needs": ["/usr/lib/libSystem.B.dylib"],
        "minimum": "11.0",
        "signed": False,
    },
    "macos-arm64": {
        "format": "Mach-O",
        "machine": "ARM64",
        "needs": ["/usr/lib/libSystem.B.dylib"],
        "minimum": "11.0",
        "signed": True,
    },
}


def found(name: str, **changes: Any) -> dict[str, Any]:
    """Returns what a right library of a target says about itself, with changes."""
    whole = {"is_library": True, "exports": sorted(formats.public_functions()), **FITTING[name]}
    return {**whole, **changes}


def test_the_functions_are_those_of_the_header() -> None:
    """The library of this tree has them all."""
    names = formats.public_functions()
    assert {"tg_new", "tg_free", "tg_search", "tg_abi_version", "tg_builtin_weights"} <= names
    library = (
        build_core.PACKAGE / build_toolchain.library_names(sys.platform, platform.machine())[0]
    )
    content = library.read_bytes()
    assert [name for name in sorted(names) if name.encode() not in content] == []


@pytest.mark.parametrize("name", FITTING)
def test_a_right_library_passes(name: str) -> None:
    assert formats.faults(found(name), targets.find_target(name)) == []


@pytest.mark.parametrize(
    ("name", "changes", "wrong"),
    [
        ("macos-arm64", {"format": "ELF"}, "it is ELF: expected Mach-O"),
        ("macos-arm64", {"format": None}, "it is None: expected Mach-O"),
        ("windows-arm64", {"machine": "AMD64"}, "it is for AMD64: expected aarch64"),
        ("linux-aarch64", {"is_library": False}, "it is no shared library"),
        ("windows-arm64", {"needs": ["libgcc_s.dll"]}, "needs libgcc_s.dll, which not every"),
        ("musl-aarch64", {"needs": ["libc.so.6"]}, "needs libc.so.6, which not every"),
        ("macos-x86_64", {"minimum": "13.0"}, "it needs macOS 13.0: expected 11.0"),
        ("macos-arm64", {"signed": False}, "it has no signature"),
    ],
)
def test_a_wrong_library_is_refused(name: str, changes: dict[str, Any], wrong: str) -> None:
    (said,) = formats.faults(found(name, **changes), targets.find_target(name))
    assert wrong in said


def test_a_missing_function_is_named() -> None:
    exports = sorted(formats.public_functions() - {"tg_new", "tg_free"})
    said = formats.faults(found("macos-arm64", exports=exports), targets.find_target("macos-arm64"))
    assert said == ["it does not export tg_free, tg_new"]


def test_a_library_that_cannot_be_read_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, json.dumps([]), "no such file")

    monkeypatch.setattr(formats, "python_with", lambda *_: ROOT)
    monkeypatch.setattr(subprocess, "run", fails)
    with pytest.raises(targets.ReleaseError, match=r"inspect_library\.py failed:\nno such file"):
        formats._inspect(["a.so"])


def test_a_wheel_without_a_library_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "tengen_gomoku-1-py3-none-win_arm64.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("pyengine/__init__.py", "")
    with pytest.raises(targets.ReleaseError, match=r"win_arm64\.whl has no library"):
        formats.check_wheel(wheel, targets.find_target("windows-arm64"))
