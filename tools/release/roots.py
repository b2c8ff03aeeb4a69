"""Makes the other Linux systems in which the files of a release are tried; as root.

    python -m tools.release.roots FOLDER...

The last part of FOLDER says which one: `debian-11` has glibc 2.31, `arm64` is a Debian 12 for that
processor, with Python and musl, for the emulator qemu-aarch64-static. debootstrap brings both.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .programs import output_of
from .targets import ReleaseError

MINIMAL: Final = ("debootstrap", "--variant=minbase")
# --foreign only unpacks the packages: those for another processor cannot be set up here.
ROOTS: Final[dict[str, tuple[Sequence[str], str]]] = {
    "debian-11": ((*MINIMAL,), "bullseye"),
    "arm64": ((*MINIMAL, "--arch=arm64", "--foreign", "--include=python3,musl"), "bookworm"),
}
PACKAGES: Final = "var/cache/apt/archives"


def make(folder: Path) -> None:
    """Makes a root. Raises ReleaseError; nothing is left in its place then."""
    if folder.name not in ROOTS:
        raise ReleaseError(f"{folder}: the name is one of {', '.join(ROOTS)}")
    if os.geteuid() != 0:
        raise ReleaseError("a root needs the rights of root")
    if shutil.which("debootstrap") is None:
        raise ReleaseError("debootstrap is missing; on Debian: apt-get install debootstrap")
    fresh = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    command, suite = ROOTS[folder.name]
    output_of([*command, suite, fresh])
    if "--foreign" in command:
        for package in sorted((fresh / PACKAGES).glob("*.deb")):
            output_of(["dpkg", "-x", package, fresh])
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def main() -> int:
    """Makes the roots of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.roots",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    try:
        for folder in parser.parse_args().folders:
            make(folder.resolve())
    except ReleaseError as error:
        print(f"roots: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
