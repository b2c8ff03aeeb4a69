"""The steps of `make linux`, which knows when each is due.

    python -m tools.linux python            the Python for the old glibc, under build/
    python -m tools.linux core              the engine's libraries for it, under build/
    python -m tools.linux freeze [--zip]    dist/linux/pbrain-tengen, or .zip

The first needs the sources of Python: see sources.py. The last two do their work whether it is due
or not.
"""

import argparse
import os
import platform
import re
import shlex
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

import build_core
import build_exe
import build_stamp
import build_toolchain
from build_core import ROOT
from build_toolchain import BuildError

from ..release import glibc
from ..release.targets import ReleaseError, zig_settings
from . import compiled, python
from .sources import HOME

DIST: Final = ROOT / "dist" / "linux"
CORE: Final = HOME / "core"


def core() -> None:
    """Compiles the libraries for the old glibc."""
    os.environ |= zig_settings()
    toolchain = build_toolchain.find_toolchain(shlex.join(compiled.compiler()))
    build_core.Builder("release", toolchain, HOME / "objects").libraries(CORE)


def freeze(*, zipped: bool) -> None:
    """Runs build_exe.py with the Python for the old glibc, and checks what it froze."""
    arguments = ["build_exe.py", "--prebuilt", str(CORE), "--work", str(HOME / "freeze")]
    python.run([*arguments, "--out", str(DIST), *(["--zip"] if zipped else [])])
    newest = oldest_glibc()
    if not zipped:
        made = DIST / build_exe.NAME
        count = glibc.check_one_file(made, newest)
    else:
        made = DIST / f"{build_exe.NAME}.zip"
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(made) as package:
            package.extractall(folder)
            count = glibc.check_folder(Path(folder), newest)
    print(f"  {made.name}: {count} programs and libraries need glibc 2.{newest} or less")


def oldest_glibc() -> int:
    """Returns the N of the glibc 2.N that the target names."""
    found = re.search(r"gnu\.2\.(\d+)$", compiled.TARGET.triple)
    assert found, compiled.TARGET
    return int(found[1])


def main() -> int:
    """Does one step; 1 with the reason when that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.linux", description="The steps of `make linux`."
    )
    parser.add_argument("step", choices=["python", "core", "freeze"])
    parser.add_argument("--zip", action="store_true", help="freeze: the tournament package")
    args = parser.parse_args()
    try:
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            raise BuildError("these packages are made on Linux, on an x86-64 processor")
        if args.step == "python":
            python.assemble()
        elif args.step == "core":
            core()
        else:
            freeze(zipped=args.zip)
    except (BuildError, ReleaseError, build_stamp.StampError) as error:
        print(f"linux: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
