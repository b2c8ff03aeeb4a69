"""Every program of the tree answers --help and refuses unknown arguments."""

import ast
import runpy
import sys
import warnings

import pytest

from tests.support.paths import ROOT

FOLDERS = ("pyengine", "protocol", "records", "arena", "build_weights", "tools", "training", "web")
NOT_COMMANDS = {
    "arena/engines/reaper.py",  # a child of the arena, which reads a pipe
}


def is_main(node: ast.stmt) -> bool:
    """Returns whether a statement is `if __name__ == "__main__":`."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


def programs() -> list[str]:
    """Returns the paths of all files that run as programs, engines of the tests excepted."""
    files = [*ROOT.glob("*.py"), *(ROOT / "tests" / "support").glob("*.py")]
    files += [ROOT / "tests" / "web" / "figures.py"]
    for folder in FOLDERS:
        files += (ROOT / folder).rglob("*.py")
    found = []
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        if name in NOT_COMMANDS or name == "tests/support/fake_main.py":
            continue
        if any(map(is_main, ast.parse(path.read_text(encoding="utf-8")).body)):
            found.append(name)
    return sorted(found)


PROGRAMS = programs()


def run(name: str, argument: str, monkeypatch: pytest.MonkeyPatch) -> object:
    """Runs a program in this process, as a script or module; returns its exit code."""
    path = ROOT / name
    monkeypatch.setattr(sys, "argv", [str(path), argument])
    monkeypatch.setattr(sys, "path", [str(path.parent), *sys.path])
    module = name.removesuffix(".py").removesuffix("/__main__").replace("/", ".")
    with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
        warnings.simplefilter("ignore", RuntimeWarning)  # runpy: the module is already loaded
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    return ended.value.code


def test_the_programs_are_found() -> None:
    """The search finds programs of every kind: modules, packages and scripts."""
    some = {
        "pyengine/__main__.py",
        "tools/proof_times.py",
        "tools/release/__main__.py",
        "training/fit.py",
        "build_core.py",
    }
    assert some <= set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_is_printed(
    name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """`--help` prints the usage to stdout, and the program does nothing else."""
    assert run(name, "--help", monkeypatch) in (0, None)
    told = capfd.readouterr()
    assert "usage" in told.out.lower()
    assert told.err == ""


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_unknown_argument_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """An unknown argument is an error on stderr with exit code 2."""
    assert run(name, "--no-such-argument", monkeypatch) == 2
    told = capfd.readouterr()
    assert "usage" in told.err or "--no-such-argument" in told.err
