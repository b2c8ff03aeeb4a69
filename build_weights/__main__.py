"""The command: checks weights files and prints their parts."""

import argparse
import sys
from pathlib import Path

from build_weights.files import header_of, read
from build_weights.headers import STRUCTS, WeightsError, layout


def main() -> int:
    """Prints the parts of each file; returns 1, after the reason, if a file is wrong."""
    parser = argparse.ArgumentParser(
        prog="build_weights",
        description="Checks weights files and prints their rule, size, checksum and parts. "
        "Exits with 1 if a file is wrong.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="weights file (.tgw)")
    status = 0
    for path in parser.parse_args().files:
        try:
            weights = read(path)
        except WeightsError as error:
            print(f"build_weights: {error}", file=sys.stderr)
            status = 1
            continue
        data = path.read_bytes()
        known, header = layout(), header_of(data)
        print(f"{path}: {known.rules[weights.rule]}, {len(data)} bytes, 0x{header.checksum:08x}")
        for name in STRUCTS:
            part = getattr(header, name)
            print(
                f"  {name:<12} {part.bytes:>7} bytes at {part.offset}"
                if part.bytes
                else f"  {name:<12}       -"
            )
    return status


if __name__ == "__main__":
    sys.exit(main())
