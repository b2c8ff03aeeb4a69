"""The wheels and the sdist: contents, names, and installed programs that work."""

import platform
import shlex
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import build_core
import build_stamp
import build_toolchain
import installed_names
import pyengine
from tests.support.commands import run
from tests.support.paths import ROOT


def pip_wheel(project: Path, target: Path, **environment: str) -> Path:
    """The wheel of a project, as `pip install` makes it, but with this environment's hatchling."""
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps"]
    done = run([*pip, "--disable-pip-version-check", "-w", target, project], target, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = target.glob("*.whl")
    return made


def sdist(project: Path, target: Path) -> Path:
    """The unpacked sdist of a project."""
    done = run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", target], project)
    assert done.returncode == 0, done.stderr
    (archive,) = target.glob("*.tar.gz")
    shutil.unpack_archive(archive, target)
    (top,) = (path for path in target.iterdir() if path.is_dir())
    return top


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine's wheel, made from the objects of `make core`."""
    objects = build_core.Builder("release", build_toolchain.find_toolchain()).folder
    return pip_wheel(root, tmp_path_factory.mktemp("wheel"), TENGEN_OBJECTS=str(objects))


@pytest.fixture(scope="module")
def arena_wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The arena's wheel, made from its sdist, so that both are right."""
    unpacked = sdist(root / "arena", tmp_path_factory.mktemp("arena-sdist"))
    assert (unpacked / "LICENSE").is_file()
    return pip_wheel(unpacked, tmp_path_factory.mktemp("arena-wheel"))


def unpack(wheel: Path, site: Path) -> tuple[set[str], str]:
    """Unpacks a wheel; returns the names in it and its entry points."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        names = set(archive.namelist())
        (entry_points,) = (name for name in names if name.endswith("entry_points.txt"))
        return names, archive.read(entry_points).decode()


def packages(names: set[str]) -> set[str]:
    """The top-level names that a wheel installs."""
    return {top for name in names if not (top := name.partition("/")[0]).endswith(".dist-info")}


def test_the_wheel(wheel: Path, tmp_path: Path) -> None:
    tag = build_core.platform_tag()
    assert wheel.name == f"tengen_gomoku-{pyengine.__version__}-py3-none-{tag}.whl"
    names, entry_points = unpack(wheel, tmp_path / "site")
    assert "tengen = pyengine.protocol.__main__:main" in entry_points
    machine = platform.machine()
    libraries = {f"pyengine/{n}" for n in build_toolchain.library_names(sys.platform, machine)}
    needed = {"pyengine/_ffi.py", "pyengine/py.typed", "pyengine/protocol/__main__.py"}
    needed.add("pyengine/stamp.txt")
    assert libraries | needed <= names
    assert packages(names) == {"pyengine"}
    assert {name for name in names if name.endswith((".so", ".dll", ".dylib"))} == libraries
    code = (
        "import pyengine, sys\n"
        "assert pyengine.__file__.startswith(sys.argv[1]), pyengine.__file__\n"
        "with pyengine.Engine(size=9) as e: print(e.search(pyengine.Limits(time_ms=10)).move)"
    )
    site = str(tmp_path / "site")
    done = run([sys.executable, "-c", code, site], tmp_path, PYTHONPATH=site)
    assert done.returncode == 0, done.stderr
    done = run([sys.executable, "-m", "pyengine.protocol", "--version"], tmp_path, PYTHONPATH=site)
    commit = build_stamp.find_commit(ROOT)
    assert f"(commit {commit}, bench {build_stamp.find_signature(ROOT)})" in done.stdout


def test_the_wheels_play_a_match_without_the_tree(
    wheel: Path, arena_wheel: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    unpack(wheel, site)
    names, entry_points = unpack(arena_wheel, site)
    assert arena_wheel.name == f"tengen_arena-{pyengine.__version__}-py3-none-any.whl"
    assert packages(names) == {"tengen_arena"}
    assert "tengen-arena = tengen_arena.cli.main:main" in entry_points
    assert "tengen_arena/openings/data/freestyle_15.txt" in names
    assert "tengen_arena/page/board/board.js" in names
    brain = shlex.join([sys.executable, "-m", "pyengine.protocol"])
    words = [f"A={brain}", f"B={brain}", "--size", "9", "--games", "2", "--turn", "50ms"]
    done = run(
        [sys.executable, "-m", "tengen_arena", "match", *words, "--tolerance", "60s"],
        tmp_path,
        PYTHONPATH=str(site),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2/2 games" in done.stdout


@pytest.mark.parametrize("is_built", [False, True])
def test_the_arena_holds_the_board_or_says_how_to_get_it(
    is_built: bool, root: Path, tmp_path: Path
) -> None:
    page = root / "dist" / "tengen-board.html"
    aside = page.with_suffix(".aside")
    page.parent.mkdir(exist_ok=True)
    if page.is_file():
        page.rename(aside)
    try:
        if is_built:
            page.write_text("the board")
        unpacked = sdist(root / "arena", tmp_path / "sdist")
    finally:
        page.unlink(missing_ok=True)
        if aside.is_file():
            aside.rename(page)
    (tmp_path / "wheel").mkdir()
    site = tmp_path / "site"
    unpack(pip_wheel(unpacked, tmp_path / "wheel"), site)
    held = site / "tengen_arena" / "board" / page.name
    if is_built:
        assert held.read_text() == "the board"
        return
    assert not held.exists()
    command = [sys.executable, "-m", "tengen_arena", "board", "--no-browser"]
    done = run(command, tmp_path, PYTHONPATH=str(site))
    assert done.returncode == 2
    assert "this installation has no page; name one with --page: tengen-board-" in done.stderr


def test_every_module_of_the_wheels_can_be_imported(
    wheel: Path, arena_wheel: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    names = unpack(wheel, site)[0] | unpack(arena_wheel, site)[0]
    modules = sorted(
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in names
        if name.endswith(".py")
    )
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = run([sys.executable, "-c", code, *modules], tmp_path, PYTHONPATH=str(site))
    assert done.returncode == 0, done.stderr


def test_an_import_that_cannot_be_renamed_is_refused() -> None:
    names = {"arena": "tengen_arena"}
    text = "from arena.cli import main\nfrom arena import cli\nx = 'from arena'\n"
    assert installed_names.rewritten(text, names, "a.py") == (
        "from tengen_arena.cli import main\nfrom tengen_arena import cli\nx = 'from arena'\n"
    )
    with pytest.raises(installed_names.NameNotRewrittenError, match=r"a\.py:2: .* arena\.cli"):
        installed_names.rewritten("\nimport arena.cli\n", names, "a.py")


@pytest.mark.soak
def test_a_wheel_from_nothing_has_the_same_libraries(
    wheel: Path, root: Path, tmp_path: Path
) -> None:
    """As a user builds it, without objects of this tree."""
    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(pip_wheel(root, tmp_path)) as afresh:
        for name in build_toolchain.library_names(sys.platform, platform.machine()):
            assert afresh.read(f"pyengine/{name}") == ours.read(f"pyengine/{name}")


def test_objects_of_another_tree_are_refused(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = run(command, root, TENGEN_OBJECTS=str(tmp_path))
    assert done.returncode != 0
    assert f"TENGEN_OBJECTS is {tmp_path}, not under" in done.stdout + done.stderr


def test_a_wheel_for_windows_has_the_licence_of_the_runtime(
    root: Path, wheel: Path, tmp_path: Path
) -> None:
    objects = build_core.Builder("release", build_toolchain.find_toolchain()).folder
    hatchling: list[str | Path] = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    settings = {"TENGEN_OBJECTS": str(objects), "TENGEN_PLATFORM_TAG": "win_amd64"}
    done = run([*hatchling, "-d", tmp_path], root, **settings)
    assert done.returncode == 0, done.stderr
    (made,) = tmp_path.glob("*-win_amd64.whl")
    with zipfile.ZipFile(made) as archive:
        (record,) = (name for name in archive.namelist() if name.endswith("/RECORD"))
        (licence,) = (name for name in archive.namelist() if "mingw" in name)
        assert licence == f"{Path(record).parent}/licenses/mingw-w64.txt"
        text = archive.read(licence).decode()
    assert text == (root / "packaging/licences/mingw-w64.txt").read_text()
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if "mingw" in name]


def test_an_editable_installation_is_refused(root: Path, tmp_path: Path) -> None:
    pip: list[str | Path] = [sys.executable, "-m", "pip", "install"]
    pip += ["--no-build-isolation", "--no-deps"]
    pip += ["--disable-pip-version-check", "--target", tmp_path / "site", "-e", root]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = run(pip, tmp_path, TMPDIR=str(temporary))
    assert done.returncode != 0
    assert "an editable installation is not supported" in done.stdout + done.stderr
    assert list(temporary.iterdir()) == [], "a build that fails leaves no folder"


def test_the_sdist_holds_what_the_wheel_is_built_from(root: Path, tmp_path: Path) -> None:
    top = sdist(root, tmp_path)
    for needed in (
        "csrc/include/tengen.h",
        "build_core.py",
        "build_toolchain.py",
        "hatch_build.py",
        "installed_names.py",
        "records/__init__.py",
        "LICENSE",
    ):
        assert (top / needed).is_file(), needed
    commit = (top / build_stamp.COMMIT_FILE).read_text().strip()
    assert commit == build_stamp.find_commit(root)
    made = [path for path in top.rglob("*") if path.suffix in (".so", ".o", ".pyc", ".whl")]
    assert not made and not (top / ".venv").exists() and not (top / "pyengine/_ffi.py").exists()
