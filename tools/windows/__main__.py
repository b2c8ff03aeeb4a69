"""Runs one step of `make windows`, which decides when each is due.

python -m tools.windows check             lists what is missing on this machine
python -m tools.windows core              builds pyengine/tengen*.dll, if it is out of date
python -m tools.windows python            installs the Windows Python in build/
python -m tools.windows freeze [--zip]    builds dist/windows/pbrain-tengen.exe, or .zip
"""

import argparse
import os
import sys

import build_core
import build_stamp
from build_core import BUILD, PACKAGE, ROOT
from build_toolchain import BuildError
from tools.windows import compiler, python, wine

DIST = ROOT / "dist" / "windows"
# The C runtime is a part of Windows since Windows 10, and under wine it is built in.
EXPECTED = ("could not resolve 'api-ms-win-",)
LACKING = 3
"""The status of a check that has found what this machine lacks; any other is a fault of ours."""


def core() -> None:
    """Compiles the library and writes the binding's declarations."""
    builder = build_core.Builder("release", compiler.toolchain(), BUILD / "release-windows")
    build_core.build_package_files(PACKAGE, builder)


def freeze(*, zipped: bool) -> None:
    """Runs build_exe.py with the Windows Python: it freezes, and tries out what it froze."""
    arguments = [wine.windows_path(ROOT / "build_exe.py"), "--prebuilt"]
    # There is no git under wine.
    arguments += ["--commit", build_stamp.find_commit(ROOT)]
    os.environ["SOURCE_DATE_EPOCH"] = str(build_stamp.find_epoch(ROOT))
    arguments += ["--out", wine.windows_path(DIST), *(["--zip"] if zipped else [])]
    with wine.kept_running():
        wine.run(wine.PYTHON, arguments, hidden=EXPECTED)


def main() -> int:
    """Does one step; 1 with the reason when that fails, LACKING when a check finds something."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.windows",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("step", choices=["check", "core", "python", "freeze"])
    parser.add_argument("--zip", action="store_true", help="freeze: build the tournament package")
    args = parser.parse_args()
    try:
        wine.require(compiler.NEEDED if args.step in ("check", "core") else {})
        if args.step == "check":
            compiler.toolchain()
            python.find_library()
            wine.try_out()
        elif args.step == "core":
            core()
        elif args.step == "python":
            python.assemble()
        else:
            freeze(zipped=args.zip)
    except (BuildError, build_stamp.StampError) as error:
        print(f"windows: {error}", file=sys.stderr)
        return LACKING if args.step == "check" else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
