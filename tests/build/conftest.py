"""Fixtures for the tests of builds."""

import shutil
from pathlib import Path

import pytest

import build_core
import build_weights


@pytest.fixture
def small(root: Path, tmp_path: Path) -> Path:
    """A tree with a core of two files and the weights, to build and to break."""
    for file in ("build_constants.py", "build_core.py", "build_lock.py", "build_toolchain.py"):
        shutil.copy(root / file, tmp_path)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / "build_weights", tmp_path / "build_weights", ignore=ignored)
    (tmp_path / "csrc" / "base").mkdir(parents=True)
    csrc = tmp_path / "csrc"
    (csrc / "base" / "number.h").write_text("#define NUMBER 7\n")
    (csrc / "engine.c").write_text(
        '#include "base/number.h"\n#include "include/tengen.h"\n'
        "int tg_number(void) { return NUMBER; }\n"
    )
    (csrc / "base" / "other.c").write_text(
        '#include "base/number.h"\nint other(void);\nint other(void) { return 1; }\n'
    )
    shutil.copytree(build_weights.ASSETS, csrc / "assets")
    extra = [
        build_core.EMBEDDED,
        build_core.NOT_EMBEDDED,
        build_weights.SOURCES / "base/platform.h",
    ]
    for path in {*build_weights.HEADERS, *extra, build_core.EMBEDDED.with_suffix(".h")}:
        target = csrc / path.relative_to(build_weights.SOURCES)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    header = csrc / "include" / "tengen.h"
    begin = "/* cffi: begin */\n"
    header.write_text(header.read_text().replace(begin, f"{begin}int tg_number(void);\n"))
    (csrc / "bench").mkdir()
    (csrc / "bench" / "bench_main.c").write_text(
        '#include "include/tengen.h"\nint main(void) { return tg_number() - 7; }\n'
    )
    return tmp_path
