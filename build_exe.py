"""Freezes the brain with PyInstaller, and runs what it froze.

    python build_exe.py          dist/pbrain-tengen: one file
    python build_exe.py --zip    dist/pbrain-tengen.zip: the tournament package, one folder with
                                 the executable at the top level

The core is compiled on the way. On Windows the names end in .exe; on Linux `make windows` runs
this file under wine, with a core that it has made already.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import build_core
import build_licences
import build_stamp
import build_toolchain
from build_core import BUILD, PACKAGE, ROOT
from build_lock import one_build
from build_toolchain import BuildError

NAME = "pbrain-tengen"
CONTENTS = "tengen-files"
SUFFIX = ".exe" if sys.platform == "win32" else ""
LIMIT_S = 120.0
UNIX = 3
"""The system of a ZIP's files, by the numbers of the format."""
# One tree may be frozen for two systems.
WORK = BUILD / f"freeze-{sys.platform}"

# Found by PyInstaller through imports that no code path of ours reaches: they cost start-up
# time, memory and size.
EXCLUDED = [
    "_decimal",
    "_hashlib",
    "_ssl",
    "bz2",
    "cffi",
    "decimal",
    "doctest",
    "email",
    "hashlib",
    "http",
    "lzma",
    "multiprocessing",
    "pdb",
    "pydoc",
    "pyengine.diagram",
    "pyengine.game",
    "pyengine.judging",
    "pyengine.position",
    "records.files",
    "records.review",
    "socket",
    "ssl",
    "tkinter",
    "unittest",
    "xml",
]

# A set inside PyInstaller decides the order of the modules in this archive. It is iterated in
# another order if Python reads PyInstaller's own modules from .pyc files than from their sources.
MODULES = "base_library.zip"
SORTED = """\
import sys

sys.path.insert(0, {root!r})
from build_exe import sort_modules

sort_modules(a.datas)
"""
AFTER_ANALYSIS = "pyz = PYZ("

ENTRY = """\
import sys

from protocol.__main__ import main

sys.exit(main())
"""


def freeze(target: Path, stamp: Path, core: Path, *, one_file: bool) -> Path:
    """Freezes into a folder, and returns the executable. Raises BuildError.

    stamp: the file that build_stamp.py wrote. core: the folder with the libraries.
    """
    home = stamp.parent
    work = home / ("one-file" if one_file else "one-folder")
    work.mkdir(parents=True, exist_ok=True)
    entry = work / "entry.py"
    entry.write_text(ENTRY)
    options = ["--onefile"] if one_file else ["--onedir", "--contents-directory", CONTENTS]
    options += ["--name", NAME, "--console", "--noupx", "--optimize", "1"]
    options += ["--paths", str(ROOT), "--hidden-import", "_cffi_backend"]
    for library in build_toolchain.library_names(sys.platform, platform.machine()):
        options += ["--add-binary", f"{core / library}:pyengine"]
    options += ["--add-data", f"{stamp}:pyengine"]
    options += ["--add-data", f"{build_licences.write_licences(ROOT, home)}:."]
    for module in EXCLUDED:
        options += ["--exclude-module", module]
    if sys.platform == "win32":
        properties = work / "properties.txt"
        properties.write_text(build_stamp.file_properties(ROOT, stamp, NAME), encoding="utf-8")
        options += ["--version-file", str(properties)]
    else:
        options.append("--strip")
    settings = {
        **os.environ,
        "PYINSTALLER_CONFIG_DIR": str(home / "pyinstaller"),
        # Two builds of one commit give the same bytes.
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(build_stamp.find_epoch(ROOT)),
    }
    _run_module(
        ["PyInstaller.utils.cliutils.makespec", *options, "--specpath", str(work), str(entry)],
        settings,
    )
    spec = work / f"{NAME}.spec"
    text = spec.read_text(encoding="utf-8")
    if text.count(AFTER_ANALYSIS) != 1:
        raise BuildError(f"{spec} has no single line that begins with {AFTER_ANALYSIS!r}")
    step = SORTED.format(root=str(ROOT))
    spec.write_text(text.replace(AFTER_ANALYSIS, step + AFTER_ANALYSIS), encoding="utf-8")
    places = ["--distpath", str(target), "--workpath", str(work)]
    _run_module(["PyInstaller", "--noconfirm", *places, str(spec)], settings)
    return target / f"{NAME}{SUFFIX}" if one_file else target / NAME / f"{NAME}{SUFFIX}"


def _run_module(command: list[str], settings: dict[str, str]) -> None:
    """Runs a module of PyInstaller. Raises BuildError when that fails."""
    module, *arguments = command
    words = [sys.executable, "-m", module, "--log-level", "WARN", *arguments]
    # Messages go to stderr. The standard output of makespec only says what to start next.
    done = subprocess.run(words, cwd=ROOT, env=settings, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise BuildError(f"{module} failed")


def sort_modules(files: Iterable[tuple[str, str, str]]) -> None:
    """Writes the modules of base_library.zip in the order of their names. Raises BuildError.

    files: those of PyInstaller's analysis, as name, path and kind.
    """
    paths = [path for name, path, _ in files if name == MODULES]
    if len(paths) != 1:
        raise BuildError(f"PyInstaller's analysis has {len(paths)} files {MODULES}: expected 1")
    with zipfile.ZipFile(paths[0]) as archive:
        modules = [(entry, archive.read(entry)) for entry in archive.infolist()]
    with zipfile.ZipFile(paths[0], "w") as archive:
        for entry, content in sorted(modules, key=lambda module: module[0].filename):
            archive.writestr(entry, content)


def pack(folder: Path, archive: Path, epoch: int) -> None:
    """Packs a folder's contents, with their execute bits. Raises BuildError on a second .exe.

    epoch: the time of every file in the archive, in seconds.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    programs = [path.name for path in files if path.suffix.lower() == ".exe"]
    if programs not in ([], [f"{NAME}.exe"]):
        raise BuildError(f"the package may hold no other executable: {programs}")
    fresh = archive.with_suffix(".new")
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        for path in files:
            name = path.relative_to(folder).as_posix()
            entry = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = UNIX  # which has the execute bit
            program = path.stat().st_mode & 0o111 or path.suffix.lower() == ".exe"
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            package.writestr(entry, path.read_bytes(), compresslevel=9)
    fresh.replace(archive)


def _in_time(read: Callable[[], str]) -> str:
    """Reads a pipe, which another program may hold open. Raises TimeoutError."""
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(read()), daemon=True)
    reader.start()
    reader.join(LIMIT_S)
    if not got:
        raise TimeoutError(f"nothing within {LIMIT_S:.0f} s")
    return got[0]


def try_out(executable: Path) -> float:
    """Plays START, BEGIN, END with an executable; the seconds until OK. Raises BuildError.

    It unpacks into a folder that goes with it, however it ends.
    """
    with tempfile.TemporaryDirectory() as elsewhere:
        started = time.monotonic()
        brain = subprocess.Popen(
            [str(executable)],
            cwd=elsewhere,
            env={**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), elsewhere)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert brain.stdin is not None and brain.stdout is not None
            brain.stdin.write("START 15\n")
            brain.stdin.flush()
            answer = _in_time(brain.stdout.readline)
            ready = time.monotonic() - started
            rest = "INFO timeout_turn 500\nBEGIN\nEND\n"
            out, err = brain.communicate(rest, timeout=LIMIT_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError(f"{executable.name} went away or hangs: {error}") from error
        finally:
            brain.kill()
            brain.wait()
    said = [line for line in out.splitlines() if not line.startswith(("MESSAGE ", "DEBUG "))]
    if answer != "OK\n":
        raise BuildError(f"{executable.name} answered START with {answer!r}; stderr: {err}")
    if len(said) != 1 or not re.fullmatch(r"\d+,\d+", said[0]):
        raise BuildError(f"{executable.name} answered BEGIN with {said}; stderr: {err}")
    if brain.returncode != 0 or err:
        raise BuildError(f"{executable.name} ended with {brain.returncode}; stderr: {err}")
    return ready


def build(target: Path, core: Path, work: Path, *, zipped: bool, commit: str | None = None) -> Path:
    """Makes the executable or the package in a folder. Raises BuildError.

    core: the folder with the libraries. work: where files lie meanwhile. commit: for a machine
    without git; None = find it.
    """
    target.mkdir(parents=True, exist_ok=True)
    stamp = build_stamp.write_stamp(ROOT, work, commit)
    if not zipped:
        executable = freeze(work / "out-file", stamp, core, one_file=True)
        ready = try_out(executable)
        made = target / executable.name
        shutil.move(executable, made)
    else:
        executable = freeze(work / "out-folder", stamp, core, one_file=False)
        ready = try_out(executable)
        made = target / f"{NAME}.zip"
        pack(executable.parent, made, build_stamp.find_epoch(ROOT))
    print(f"  {made.name}: {made.stat().st_size / 2**20:.1f} MiB, ready after {ready:.2f} s")
    return made


def main() -> int:
    """Builds what the command line asks for; 1 with the reason when that fails."""
    parser = argparse.ArgumentParser(description="Freezes the brain, and runs what it froze.")
    parser.add_argument("--zip", action="store_true", help="the tournament package")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="default: dist/")
    parser.add_argument("--cc", help="the C compiler (default: $CC, or the first one found)")
    parser.add_argument(
        "--prebuilt",
        nargs="?",
        type=Path,
        const=PACKAGE,
        metavar="FOLDER",
        help="take the libraries that lie in FOLDER (pyengine/) as they are",
    )
    parser.add_argument(
        "--work", type=Path, default=WORK, help=f"default: {WORK.relative_to(ROOT).as_posix()}/"
    )
    parser.add_argument("--commit", help="the commit that the stamp names (default: ask git)")
    args = parser.parse_args()
    try:
        with one_build():
            if args.prebuilt is None:
                toolchain = build_toolchain.find_toolchain(args.cc)
                build_core.build_package_files(PACKAGE, build_core.Builder("release", toolchain))
            core = (args.prebuilt or PACKAGE).resolve()
            build(args.out, core, args.work.resolve(), zipped=args.zip, commit=args.commit)
    except (BuildError, build_licences.LicenceError, build_stamp.StampError) as error:
        print(f"build_exe: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
