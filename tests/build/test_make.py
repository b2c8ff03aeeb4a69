"""make: its targets, and the environment that it makes."""

import os
import re
import shutil
import subprocess
import time
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.commands import run, write_program

TARGETS = [
    "run", "test", "exe", "zip", "windows", "test-windows", "bench", "soak", "check", "sanitize",
    "board", "test-web", "clean", "install", "fuzz",
]  # fmt: skip


TOOLS = [
    "cat",
    "dirname",
    "grep",
    "make",
    "mkdir",
    "mktemp",
    "python3",
    "rm",
    "sed",
    "sh",
    "tr",
    "uname",
]


def plain_name(name: str) -> str:
    """Returns the name of a package as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_what_is_tried_first_does_not_depend_on_load(root: Path) -> None:
    said = run(["make", "-n", "run", "EXE=README.md"], root).stdout
    words = next(line for line in said.splitlines() if "arena.play.demo" in line).split()
    assert int(words[words.index("--tolerance-ms") + 1]) >= 600_000


@pytest.mark.parametrize("target", ["tune", "tune-search"])
def test_programs_that_need_the_library_build_it(root: Path, target: str) -> None:
    assert "build_core.py" in run(["make", "-n", target], root).stdout


def test_every_package_of_the_environment_is_pinned(root: Path) -> None:
    """Also those that others need: without a pin, `pip install` takes the newest one."""
    pins = re.findall(r"^([\w.-]+)==", (root / "requirements-dev.txt").read_text(), re.M)
    wanted = {plain_name(name) for name in pins}
    needed = set()
    for name in wanted:
        try:
            requirements = metadata.requires(name) or []
        except metadata.PackageNotFoundError:  # an environment that is older than the list
            continue
        for requirement in map(Requirement, requirements):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                needed.add(plain_name(requirement.name))
    assert len(needed) > 20
    assert needed - wanted == set()


@pytest.mark.linux
def test_two_environments_in_one_tree_are_made_one_after_the_other(
    root: Path, tmp_path: Path
) -> None:
    """With stubs: the second build waits, then finds the work of the first."""
    (tmp_path / "tools").mkdir()
    shutil.copy(root / "Makefile", tmp_path)
    (tmp_path / "requirements-dev.txt").touch()
    (tmp_path / "tools" / "environment.sh").write_text(
        "mkdir .venv || exit 1\nmkdir -p .venv/bin; echo made >>told; sleep 1\n"
        "printf '#!/bin/sh\\n' >.venv/bin/python; chmod +x .venv/bin/python\n"
    )
    old = time.time() - 60
    for file in ("requirements-dev.txt", "tools/environment.sh"):
        os.utime(tmp_path / file, (old, old))
    both = [
        subprocess.Popen(["make", ".venv/.complete"], cwd=tmp_path, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in both:
        process.communicate()
    assert [process.returncode for process in both] == [0, 0]
    assert (tmp_path / "told").read_text() == "made\n"


def test_make_lists_its_targets(root: Path) -> None:
    said = run(["make", "--no-print-directory"], root).stdout
    for target in TARGETS:
        assert f"make {target} " in said
        assert run(["make", "-n", target], root).returncode == 0


# A pip that fails for ziglang, beside the checks of tools/environment.sh, which it passes.
STUB_PYTHON = """#!/bin/sh
echo "$@" >>"$(dirname "$0")/asked"
case "$*" in *tools/release/requirements.txt) exit 1;; esac
"""


@pytest.mark.linux
@pytest.mark.parametrize(
    ("system", "compiler", "has_clang", "installs"),
    [
        ("Linux x86_64", "", False, True),
        ("Linux x86_64", "gcc", False, False),
        ("Linux x86_64", "", True, False),
        ("Linux aarch64", "", False, False),
        ("Darwin x86_64", "", False, False),
    ],
)
def test_a_machine_without_clang_gets_ziglang(
    root: Path, tmp_path: Path, system: str, compiler: str, has_clang: bool, installs: bool
) -> None:
    """With stubs. If the download fails, the environment is made all the same."""
    tools, venv = tmp_path / "tools", tmp_path / "venv"
    for folder in (tools, venv / "bin"):
        folder.mkdir(parents=True)
    for tool in sorted({*TOOLS} - {"python3", "uname"}):
        found = shutil.which(tool)
        assert found is not None
        (tools / tool).symlink_to(found)
    write_program(tools / "uname", f"#!/bin/sh\necho {system}\n")
    for name in ("gcc", "clang") if has_clang else ("gcc",):
        write_program(tools / name, "#!/bin/sh\nexit 0\n")
    write_program(tools / "python3", STUB_PYTHON)
    write_program(venv / "bin" / "python", STUB_PYTHON)
    script = ["sh", str(root / "tools" / "environment.sh"), str(venv)]
    done = run(script, root, PATH=str(tools), CC=compiler, PYTHON="")
    assert done.returncode == 0, done.stdout
    asked = (venv / "bin" / "asked").read_text()
    assert ("-r tools/release/requirements.txt" in asked) is installs
    assert ("gcc compiles the engine: it is slower" in done.stdout) is installs


@pytest.mark.parametrize(
    ("compiler", "missing"),
    [
        ("echo 'stdio.h: no such file' >&2; exit 1", "apt-get install libc6-dev"),
        (None, "apt-get install gcc libc6-dev"),
    ],
)
def test_make_names_the_missing_package(
    root: Path, tmp_path: Path, compiler: str | None, missing: str
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (tools / tool).symlink_to(found)
    (tmp_path / "tools").mkdir()
    if compiler is not None:
        (tools / "gcc").write_text(f"#!/bin/sh\n{compiler}\n")
        (tools / "gcc").chmod(0o755)
    for file in ("Makefile", "requirements-dev.txt", "tools/environment.sh"):
        shutil.copy(root / file, tmp_path / file)
    done = run(["make", "bench"], tmp_path, PATH=str(tools), CC="")
    assert done.returncode != 0
    assert missing in done.stdout
    assert not (tmp_path / ".venv").exists()
