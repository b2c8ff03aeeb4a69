"""The bench: fixed positions, fixed depths, one thread.

The processors that the core was built for, one line per position, a signature over (position,
nodes, move, score) that is the same for every compiler and processor, and as the last line exactly
`<integer> nodes/s`.
"""

import sys
from collections.abc import Sequence

from pyengine import BenchRow, EngineError, bench, cpu_path
from pyengine.output import BROKEN, complain, printing

_HELP = """\
usage: python -m pyengine [-h]

Runs the bench: fixed positions to fixed depths, with one thread. It prints the processors that the
core was built for, one line a position, the signature of the search, and the speed.
"""

FNV_OFFSET = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3


def sign(signature: int, row: BenchRow) -> int:
    """Takes one more row into the signature: FNV-1a over its decimal text."""
    x, y = row.move
    for byte in f"{row.index}:{row.nodes}:{x},{y}:{row.score}\n".encode():
        signature = (signature ^ byte) * FNV_PRIME % 2**64
    return signature


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the bench, or prints the help; returns 2 after an unknown argument.

    arguments: those of the command line if None.
    """
    given = sys.argv[1:] if arguments is None else arguments
    unknown = [argument for argument in given if argument not in ("-h", "--help")]
    if unknown:
        complain(f"bench: unknown argument '{unknown[0]}'; see --help")
        return 2
    return printing(_help if given else run)


def _help() -> int:
    sys.stdout.write(_HELP)
    return 0


def run() -> int:
    """Runs the bench and prints it; returns 1 without a core."""
    signature, nodes, time_us = FNV_OFFSET, 0, 0
    try:
        print(f"cpu path {cpu_path()}", flush=True)
        for row in bench():
            signature = sign(signature, row)
            nodes += row.nodes
            time_us += row.time_us
            x, y = row.move
            print(
                f"{row.index:3} {row.rule.name.lower():13} {row.size:2} depth {row.depth:2}"
                f"  {x:2},{y:<2} score {row.score:7}  {row.nodes:10} nodes"
                f"  {row.time_us / 1000:9.1f} ms",
                flush=True,
            )
    except EngineError as error:
        complain(f"bench: {error}")
        return BROKEN
    print(f"nodes {nodes}")
    print(f"signature 0x{signature:016x}")
    print(f"{nodes * 1_000_000 // max(1, time_us)} nodes/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
