"""The parts of a release; each function makes its files in a folder and returns them."""

import functools
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import build_exe
import build_stamp
import pyengine

from ..environment import EnvironmentFailedError, python_with
from . import wheels as wheel_files
from .targets import BUILD, ROOT, TARGETS, ReleaseError

SBOM_REQUIREMENTS: Final = Path(__file__).with_name("sbom-requirements.txt")
RUNTIME: Final = "cffi"
VERSION: Final = pyengine.__version__


def packages(folder: Path) -> list[Path]:
    """The Linux executable as one file, and the tournament package; both for an old glibc."""
    _make("linux")
    one_file = folder / f"pbrain-tengen-{VERSION}-linux-x86_64"
    archive = folder / f"pbrain-tengen-{VERSION}-linux-x86_64.zip"
    shutil.copy2(ROOT / "dist" / "linux" / "pbrain-tengen", one_file)
    shutil.copy2(ROOT / "dist" / "linux" / "pbrain-tengen.zip", archive)
    return [one_file, archive]


def windows(folder: Path) -> list[Path]:
    """The Windows executable as one file, and the tournament package."""
    _make("windows")
    made = []
    for suffix in (".exe", ".zip"):
        target = folder / f"pbrain-tengen-{VERSION}-windows-x86_64{suffix}"
        shutil.copy2(ROOT / "dist" / "windows" / f"pbrain-tengen{suffix}", target)
        made.append(target)
    return made


def wheels(folder: Path) -> list[Path]:
    """The engine's wheels for every system."""
    return [wheel_files.build_wheel(target, folder) for target in TARGETS]


def sdists(folder: Path) -> list[Path]:
    """The engine's sdist, and the arena's sdist and wheel, which contain the board."""
    _make_board()
    return [wheel_files.build_sdist(folder), *wheel_files.build_arena(folder)]


def board(folder: Path) -> list[Path]:
    """The board in one file."""
    _make_board()
    target = folder / f"tengen-board-{VERSION}.html"
    shutil.copy2(ROOT / "dist" / "tengen-board.html", target)
    return [target]


def docs(folder: Path) -> list[Path]:
    """The documentation site as a ZIP."""
    _make("docs")
    target = folder / f"tengen-docs-{VERSION}.zip"
    build_exe.pack(ROOT / "dist" / "site", target, build_stamp.find_epoch(ROOT))
    return [target]


def manual(folder: Path) -> list[Path]:
    """The man pages and the shell completion, to be unpacked into ~/.local or /usr/local."""
    _make("manual")
    name = f"tengen-manual-{VERSION}"
    return [write_tar(ROOT / "dist" / "manual", folder / f"{name}.tar.gz")]


def write_tar(source: Path, target: Path) -> Path:
    """Packs the files of a folder, without owners and dates, so that two runs give equal bytes."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        entry.mode = 0o644
        return entry

    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for path in sorted(path for path in source.rglob("*") if path.is_file()):
            archive.add(path, path.relative_to(source).as_posix(), filter=plain)
    return target


PARTS: Final[Mapping[str, Callable[[Path], list[Path]]]] = {
    "packages": packages,
    "windows": windows,
    "wheels": wheels,
    "sdists": sdists,
    "board": board,
    "docs": docs,
    "manual": manual,
}


def write_sbom(folder: Path) -> Path:
    """Writes what the executables hold beside Python and the core, as CycloneDX JSON."""
    try:
        python = python_with(SBOM_REQUIREMENTS, BUILD / "sbom-venv")
    except EnvironmentFailedError as error:
        raise ReleaseError(f"no SBOM: {error}") from None
    pins = [
        line
        for line in (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
        if line.partition("==")[0] in (RUNTIME, "pycparser")
    ]
    if len(pins) != 2:
        raise ReleaseError(f"requirements-dev.txt pins {pins}: expected cffi and pycparser")
    listed = BUILD / "runtime.txt"
    listed.write_text("\n".join(pins) + "\n", encoding="utf-8")
    target = folder / "sbom.json"
    plain = ("--output-reproducible", "--output-format", "JSON")  # without time and serial number
    _run([python, "-m", "cyclonedx_py", "requirements", listed, *plain, "--output-file", target])
    return target


def write_sums(folder: Path) -> Path:
    """Writes SHA256SUMS over all files of the folder, as `sha256sum --check` reads it."""
    target = folder / "SHA256SUMS"
    files = sorted(path for path in folder.iterdir() if path.is_file() and path != target)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    target.write_text("".join(lines), encoding="ascii")
    return target


@functools.cache
def _make_board() -> None:
    _make("board")


def _make(*goals: str) -> None:
    _run(["make", *goals, f"PY={sys.executable}"])


def _run(command: list[str | Path]) -> None:
    """Runs a command and shows its output as it comes: some parts take many minutes."""
    last: deque[str] = deque(maxlen=20)
    # The site's map and its compressed copy name the time of the commit.
    settings = {**os.environ, "SOURCE_DATE_EPOCH": str(build_stamp.find_epoch(ROOT))}
    with subprocess.Popen(
        command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"    {line.rstrip()}", flush=True)
            last.append(line)
    if process.returncode != 0:
        raise ReleaseError(f"{' '.join(map(str, command))} failed:\n{''.join(last)[-2000:]}")
