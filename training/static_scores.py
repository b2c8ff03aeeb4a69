"""Prints the static scores that another version of the engine gives to the yardstick.

    python training/static_scores.py TREE >old.txt
    python training/yardstick.py compare old.txt new.txt

TREE is a checkout of another version with its library built. The output has the form of
`judge --each`: rule, static score, deep score, and 0 for the loss of the move order, which this
script does not know. It uses the public interface of the engine only, so TREE may be an old version
with other weights files.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
YARDSTICK = ROOT / "tests" / "data" / "yardstick.txt"


class ScoresError(Exception):
    """There are no scores; the text says why."""


def squares(letters: str) -> list[tuple[int, int]]:
    """Returns squares of two letters each, from `a` for 0. Raises ValueError."""
    if len(letters) % 2:
        raise ValueError(f"{letters!r} is not made of pairs of letters")
    places = [ord(letter) - ord("a") for letter in letters]
    return list(zip(places[::2], places[1::2], strict=True))


def score_of(engine: Any, line: str) -> str:
    """Returns the line of the output for a position. Raises ValueError if it cannot be read."""
    rule, size, moves, deep, _ = line.split()
    engine.reset(size=int(size), rule=type(engine.rule)(int(rule)))
    for square in squares(moves):
        engine.play(square)
    return f"{rule} {engine.evaluate()} {int(deep)} 0"


def engine_of(tree: Path) -> Any:
    """Returns an engine of the tree. Raises ScoresError, with the reason of that version."""
    if not (tree / "pyengine" / "__init__.py").exists():
        raise ScoresError(f"{tree} has no engine")
    sys.path.insert(0, str(tree.resolve()))
    try:
        from pyengine import Engine

        return Engine(memory_mib=1)
    except Exception as error:  # another version has errors of its own
        raise ScoresError(f"{tree}: {error}") from None


def scores(engine: Any, yardstick: Path) -> list[str]:
    """Returns the lines of the output. Raises ScoresError, with the number of the line."""
    try:
        lines = yardstick.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ScoresError(f"{yardstick}: {error}") from None
    if not lines:
        raise ScoresError(f"{yardstick} has no positions")
    made = []
    for number, line in enumerate(lines, 1):
        try:
            made.append(score_of(engine, line))
        except Exception as error:
            raise ScoresError(f"{yardstick}:{number}: {error}") from None
    return made


def main() -> int:
    """Runs; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tree", type=Path, metavar="TREE", help="checkout of the other version")
    parser.add_argument("--yardstick", type=Path, default=YARDSTICK, help="another yardstick")
    args = parser.parse_args()
    try:
        text = "".join(f"{line}\n" for line in scores(engine_of(args.tree), args.yardstick))
        sys.stdout.write(text)
        sys.stdout.flush()
    except (ScoresError, OSError) as error:
        print(f"static_scores: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    if code:  # what could not be written is not tried again at the end
        os._exit(code)
    sys.exit(code)
