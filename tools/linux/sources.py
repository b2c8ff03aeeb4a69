"""The sources of that Python: archives out of Debian's source packages, pinned by their content."""

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from build_core import BUILD
from build_toolchain import BuildError

HOME: Final = BUILD / "linux"
FOLDER: Final = HOME / "sources"
RELEASE: Final = "Debian 12"
# An entry of the machine's list, as a line for another list. The quotes are the shell's.
_LINE: Final = "deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)"


@dataclass(frozen=True)
class Source:
    """An archive with sources.

    package: the Debian source package that it is a part of. top: its only folder.
    """

    package: str
    file: str
    sha256: str
    top: str


# The archive of Python is the one that python.org publishes as Python-3.11.2.tgz.
PYTHON: Final = Source(
    "python3.11",
    "python3.11_3.11.2.orig.tar.gz",
    "2411c74bda5bbcfcddaf4531f66d1adc73f247f529aee981b029513aefdbf849",
    "Python-3.11.2",
)
ZLIB: Final = Source(
    "zlib",
    "zlib_1.2.13.dfsg.orig.tar.bz2",
    "71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1",
    "zlib-1.2.13.dfsg",
)
LIBFFI: Final = Source(
    "libffi",
    "libffi_3.4.4.orig.tar.gz",
    "d66c56ad259a82cf2a9dfc408b32bf5da52371500b84745f7fb8b645712df676",
    "libffi-3.4.4",
)
SOURCES: Final = (PYTHON, ZLIB, LIBFFI)


def bring() -> None:
    """Brings all archives into FOLDER. Raises BuildError, also where one has another content."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    lacking = [source for source in SOURCES if not (FOLDER / source.file).is_file()]
    if lacking:
        _download(lacking)
    for source in SOURCES:
        check(source, FOLDER / source.file)


def check(source: Source, archive: Path) -> None:
    """Raises BuildError unless an archive has the content that was chosen."""
    try:
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
    except OSError as error:
        raise BuildError(f"{archive} cannot be read: {error.strerror}. {_by_hand()}") from None
    if found != source.sha256:
        raise BuildError(
            f"{archive} has the SHA-256 {found}: expected {source.sha256}. {_by_hand()}"
        )


def unpack(source: Source, target: Path) -> Path:
    """Unpacks an archive of FOLDER into a new folder, and returns the folder in it."""
    shutil.rmtree(target, ignore_errors=True)
    with tarfile.open(FOLDER / source.file) as archive:
        extract(archive, target)
    return target / source.top


def extract(archive: tarfile.TarFile, target: Path) -> None:
    """Unpacks an archive whose checksum is right, without devices and foreign paths.

    Python 3.11.2, that of Debian 12, cannot refuse these: it has no filter yet.
    """
    if hasattr(tarfile, "data_filter"):
        archive.extraction_filter = tarfile.data_filter
    archive.extractall(target)


def _download(wanted: Sequence[Source]) -> None:
    """Asks the repositories of this machine, with lists of its own: most have no sources listed."""
    if shutil.which("apt-get") is None:
        raise BuildError(f"this machine has no apt-get. {_by_hand()}")
    lists = HOME / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (lists / folder).mkdir(parents=True, exist_ok=True)
    said = _output(["apt-get", "indextargets", "--format", _LINE, "Created-By: Packages"])
    listed = lists / "sources.list"
    listed.write_text("".join(f"{line}\n" for line in dict.fromkeys(said.splitlines())))
    apt: list[str | Path] = ["apt-get", "-q"]
    for name, value in (
        ("Dir::Etc::sourcelist", listed),
        ("Dir::Etc::sourceparts", "/dev/null"),
        ("Dir::State::lists", lists / "lists"),
        ("Dir::Cache", lists / "cache"),
    ):
        apt += ["-o", f"{name}={value}"]
    _output([*apt, "update"])
    packages = [source.package for source in wanted]
    _output([*apt, "source", "--download-only", "--tar-only", *packages])


def _output(command: Sequence[str | Path]) -> str:
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-2000:]
        raise BuildError(f"{' '.join(map(str, command))} failed:\n{said}\n{_by_hand()}")
    return done.stdout


def _by_hand() -> str:
    """Advice for a user whose machine has no source archives."""
    files = ", ".join(source.file for source in SOURCES)
    return f"The archives of {RELEASE} ({files}) may also be put into {FOLDER} by hand"
