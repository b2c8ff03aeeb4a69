"""Prints the static scores that another version of the engine gives to the yardstick.

    python training/static_scores.py TREE >old.txt
    python training/yardstick.py compare old.txt new.txt

TREE is a checkout of another version with its library built. The output has the form of
`judge --each`: rule, static score, deep score, and 0 for the loss of the move order, which this
script does not know. It uses the public interface of the engine only, so TREE may be an old version
with other weights files.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
YARDSTICK = ROOT / "tests" / "data" / "yardstick.txt"


def square(letters: str) -> tuple[int, int]:
    """Returns the square of two letters, each from `a` for 0."""
    return ord(letters[0]) - ord("a"), ord(letters[1]) - ord("a")


def score_of(engine: Any, line: str) -> str:
    """Returns the line of the output for a position. Raises ValueError if it cannot be played."""
    rule, size, moves, deep, _ = line.split()
    engine.reset(size=int(size), rule=type(engine.rule)(int(rule)))
    for i in range(0, len(moves), 2):
        engine.play(square(moves[i : i + 2]))
    return f"{rule} {engine.evaluate()} {deep} 0"


def main() -> int:
    """Runs; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tree", type=Path, metavar="TREE", help="checkout of the other version")
    parser.add_argument("--yardstick", type=Path, default=YARDSTICK, help="another yardstick")
    args = parser.parse_args()
    tree = args.tree.resolve()
    if not (tree / "pyengine" / "__init__.py").exists():
        print(f"static_scores: {args.tree} has no engine", file=sys.stderr)
        return 1
    sys.path.insert(0, str(tree))
    try:
        from pyengine import Engine, EngineError

        lines = args.yardstick.read_text().splitlines()
        engine = Engine(memory_mib=1)
    except (ImportError, OSError) as error:
        print(f"static_scores: {error}", file=sys.stderr)
        return 1
    with engine:
        for number, line in enumerate(lines, 1):
            try:
                print(score_of(engine, line))
            except (EngineError, ValueError) as error:
                print(f"static_scores: {args.yardstick}:{number}: {error}", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
