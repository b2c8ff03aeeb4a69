"""The stamp of a package: the commit that it is built from, and the signature of its bench.

Packages carry it as `pyengine/stamp.txt`, where `pyengine/stamp.py` reads it. The source tree has
no such file. An sdist has no git history: it carries the commit as `commit.txt`.
"""

import contextlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

STAMP: Final = "stamp.txt"
COMMIT_FILE: Final = "commit.txt"
CHANGED: Final = "+changes"
UNKNOWN: Final = "unknown"
SIGNATURE_FILE: Final = "tests/data/bench_signature.txt"


class StampError(Exception):
    """The tree does not say what it is; the message names the file."""


def find_commit(root: Path) -> str:
    """Returns the commit of a tree, with `+changes` if tracked files differ from it.

    Returns `unknown` for a tree that is neither a checkout nor an unpacked sdist, and where git
    does not tell the commit; stderr says why.
    """
    if (root / ".git").exists():
        try:
            commit = _git(root, "rev-parse", "--short=12", "HEAD")
            changed = _git(root, "status", "--porcelain", "--untracked-files=no")
        except StampError as error:
            print(f"the package will not name its commit: {error}", file=sys.stderr)
            return UNKNOWN
        return commit + (CHANGED if changed else "")
    carried = root / COMMIT_FILE
    if not carried.is_file():
        return UNKNOWN
    commit = carried.read_text(encoding="ascii").strip()
    if not re.fullmatch(rf"[0-9a-f]{{12}}({re.escape(CHANGED)})?|{UNKNOWN}", commit):
        raise StampError(f"{carried} holds {commit!r}: expected a commit of 12 hexadecimal digits")
    return commit


def find_version(root: Path) -> str:
    """Returns the version of a tree. Raises StampError."""
    file = root / "pyengine" / "__init__.py"
    found = re.search(r'^__version__ = "(.+)"$', file.read_text(encoding="utf-8"), re.M)
    if not found:
        raise StampError(f'{file} has no line __version__ = "..."')
    return found[1]


def find_epoch(root: Path) -> int:
    """Returns the time of a tree in seconds: of its commit, else of its CHANGELOG.md.

    $SOURCE_DATE_EPOCH takes precedence. Raises StampError where that is no number.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None and (root / ".git").exists():
        with contextlib.suppress(StampError):  # find_commit has said why
            epoch = _git(root, "log", "-1", "--format=%ct")
    if epoch is None:
        epoch = str(int((root / "CHANGELOG.md").stat().st_mtime))
    if not epoch.isascii() or not epoch.isdigit():
        raise StampError(f"SOURCE_DATE_EPOCH is {epoch!r}: expected a number of seconds")
    return int(epoch)


def find_date(root: Path) -> str:
    """Returns the time of a tree as YYYY-MM-DD. Raises StampError."""
    return time.strftime("%Y-%m-%d", time.gmtime(find_epoch(root)))


def find_signature(root: Path) -> str:
    """Returns the signature that the bench of a tree must have. Raises StampError."""
    file = root / SIGNATURE_FILE
    try:
        text = file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise StampError(f"{file} cannot be read: {error.strerror}") from None
    if not re.fullmatch("0x[0-9a-f]{16}", text):
        raise StampError(f"{file} holds {text!r}: expected 0x and 16 hexadecimal digits")
    return text


def write_stamp(root: Path, folder: Path, commit: str | None = None) -> Path:
    """Writes the stamp of a tree into a folder and returns the file. Raises StampError.

    commit: for a machine without git; None = find it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / STAMP
    text = f"commit {commit or find_commit(root)}\nbench {find_signature(root)}\n"
    file.write_bytes(text.encode("ascii"))
    return file


def file_properties(root: Path, stamp: Path, name: str) -> str:
    """Returns the properties of a Windows executable, as PyInstaller reads them.

    stamp: a file that `write_stamp` made. name: of the executable, without its ending.
    """
    version = find_version(root)
    numbers = [int(number) for number in re.findall(r"\d+", version)][:4]
    four = tuple(numbers + [0] * (4 - len(numbers)))
    built = ", ".join(stamp.read_text(encoding="ascii").splitlines())
    strings = {
        "CompanyName": "Tengen developers",
        "FileDescription": "Tengen, a Gomoku and renju engine",
        "FileVersion": version,
        "InternalName": name,
        "LegalCopyright": "Tengen developers. MIT licence",
        "OriginalFilename": f"{name}.exe",
        "ProductName": "Tengen",
        "ProductVersion": f"{version} ({built})",
    }
    table = ", ".join(f"StringStruct({key!r}, {text!r})" for key, text in strings.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={four}, prodvers={four}, mask=0x3F, flags=0, "
        "OS=0x40004, fileType=1, subtype=0, date=(0, 0)), kids=["
        f"StringFileInfo([StringTable('040904B0', [{table}])]), "
        "VarFileInfo([VarStruct('Translation', [1033, 1200])])])\n"
    )


def _git(root: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=root, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise StampError(f"{root} is a git checkout, and git does not run: {error}") from None
    if done.returncode != 0:
        raise StampError(f"git {words[0]} in {root}: {done.stderr.strip()}")
    return done.stdout.strip()
