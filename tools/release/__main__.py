"""Makes everything that a release consists of: `python -m tools.release`, or `make release`.

    python -m tools.release                    all of it, into dist/release/
    python -m tools.release --only wheels      one part: see --help
    python -m tools.release --dirty            from a tree with changes, for a trial

It refuses a tag of another version, a tree with changes, a version without a section in
CHANGELOG.md or with entries that are still unreleased, and a core whose bench has another
signature than tests/data/bench_signature.txt. Parts: packages (the Linux executables), windows,
wheels, sdists, board, docs, manual (man pages and shell completion). SHA256SUMS, the SBOM and the
notes are written last. The exit code is 1, with the reason, where a part fails.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from .checks import check_changelog, check_signature, check_tag, check_tree, notes_of
from .parts import PARTS, write_sbom, write_sums
from .targets import ROOT, ReleaseError

RELEASE = ROOT / "dist" / "release"


def main() -> int:
    """Makes the parts that the command line asks for; returns 0, or 1 with the reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", choices=list(PARTS), action="append", help="make this part")
    parser.add_argument("--tag", help="refuse a tag that does not name the version")
    parser.add_argument("--dirty", action="store_true", help="take a tree with changes")
    parser.add_argument("--out", type=Path, default=RELEASE, help="the folder (dist/release/)")
    args = parser.parse_args()
    try:
        if args.tag is not None:
            check_tag(args.tag)
        _release(args.out.resolve(), args.only or list(PARTS), dirty=args.dirty)
    except ReleaseError as error:
        print(f"no release: {error}", file=sys.stderr)
        return 1
    return 0


def _release(folder: Path, parts: list[str], *, dirty: bool) -> None:
    if not dirty:
        check_tree()
        check_changelog()
    check_signature()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.is_file():
            old.unlink()
    for part in parts:
        started, used = time.monotonic(), _cpu_s()
        print(f"{part} ...", flush=True)
        files = PARTS[part](folder)
        took = f"{time.monotonic() - started:.0f} s, {_cpu_s() - used:.0f} s of processor time"
        print(f"{part}: {took}")
        for made in files:
            print(f"{made.stat().st_size:>10,} bytes  {made.name}", flush=True)
    write_sbom(folder)
    (folder / "NOTES.md").write_text(notes_of(dirty=dirty), encoding="utf-8")
    print(write_sums(folder))


def _cpu_s() -> float:
    """Returns the processor time of this process and of all that it has run, in seconds."""
    return sum(os.times()[:4])


if __name__ == "__main__":
    sys.exit(main())
