"""The licences of what an executable holds: Tengen, Python, cffi, libffi, zlib, PyInstaller, and
for Windows mingw-w64.

Each package carries them as LICENSES.txt. The texts come from the installed packages themselves;
those of the C libraries, which have no package of their own, lie in packaging/licences/.
"""

import importlib.metadata
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final

NAME: Final = "LICENSES.txt"
_PACKAGES: Final = {
    "cffi": "cffi (the module _cffi_backend)",
    "pyinstaller": "PyInstaller (the program that starts Python; its exception allows any use)",
}
_LIBRARIES: Final = {
    "libffi": "libffi (a part of _cffi_backend)",
    "zlib": "zlib (a library of Python)",
}
_WINDOWS_LIBRARIES: Final = {
    "mingw-w64": "mingw-w64 and winpthreads (parts of Tengen's library)",
}
_RULE: Final = "=" * 80


class LicenceError(Exception):
    """A licence is missing; the message names it."""


def write_licences(root: Path, folder: Path) -> Path:
    """Writes all licences into a folder and returns the file. Raises LicenceError."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / NAME
    parts = [f"{_RULE}\n{title}\n{_RULE}\n\n{text.strip()}\n" for title, text in _licences(root)]
    file.write_text("\n\n".join(parts), encoding="utf-8", newline="\n")
    return file


def _licences(root: Path) -> Iterator[tuple[str, str]]:
    yield "Tengen", _read(root / "LICENSE")
    yield "Python", _read(Path(sysconfig.get_path("stdlib")) / "LICENSE.txt")
    for name, title in _PACKAGES.items():
        yield title, _of_package(name)
    libraries = _LIBRARIES | (_WINDOWS_LIBRARIES if sys.platform == "win32" else {})
    for name, title in libraries.items():
        yield title, _read(root / "packaging" / "licences" / f"{name}.txt")


def _of_package(name: str) -> str:
    files = importlib.metadata.files(name) or []
    texts = [
        _read(Path(str(file.locate())))
        for file in files
        if file.parent.name == "licenses" and file.parent.parent.suffix == ".dist-info"
    ]
    if not texts:
        raise LicenceError(f"the package {name} brings no licence")
    return "\n\n".join(texts)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise LicenceError(f"the licence {file} cannot be read: {error.strerror}") from None
