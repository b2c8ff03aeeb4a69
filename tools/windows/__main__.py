"""The steps of `make windows`, which knows when each is due.

    python -m tools.windows check             says what this machine lacks for them
    python -m tools.windows core              pyengine/tengen*.dll
    python -m tools.windows python            the Windows Python, under build/
    python -m tools.windows freeze [--zip]    dist/windows/pbrain-tengen.exe, or .zip

The last two do their work whether it is due or not.
"""

import argparse
import os
import sys

import build_core
import build_stamp
from build_core import PACKAGE, ROOT, BuildError
from tools.windows import python, wine

DIST = ROOT / "dist" / "windows"
# The C runtime is a part of Windows since Windows 10, and under wine it is built in.
EXPECTED = ("could not resolve 'api-ms-win-",)
LACKING = 3
"""The status of a check that has found what this machine lacks; any other is a fault of ours."""


def core() -> None:
    """Compiles the library and writes the binding's declarations."""
    toolchain = build_core.find_toolchain(wine.COMPILER)
    build_core.build_package_files(PACKAGE, build_core.Builder("release", toolchain))


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
        prog="python -m tools.windows", description="The steps of `make windows`."
    )
    parser.add_argument("step", choices=["check", "core", "python", "freeze"])
    parser.add_argument("--zip", action="store_true", help="freeze: the tournament package")
    args = parser.parse_args()
    try:
        wine.require()
        if args.step == "check":
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
