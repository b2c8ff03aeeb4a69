"""Makes the yardstick, and compares two networks by it.

    python training/yardstick.py make                    adds positions to tests/data/yardstick.txt
    python training/yardstick.py compare A.txt B.txt     of `judge YARDSTICK --each`

`make` continues after the last complete line and may be stopped at any time. `compare` subtracts
the squared errors position by position. Both networks have the same positions, so most of the
variance cancels. It prints the mean difference, its standard error, and the number of positions at
which the difference would be two standard errors.
"""

import argparse
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_toolchain  # noqa: E402
from build_weights import layout  # noqa: E402
from pyengine import Rule  # noqa: E402
from training.arguments import at_least_one  # noqa: E402
from training.gamefiles import build_programs, write_openings  # noqa: E402

YARDSTICK = ROOT / "tests" / "data" / "yardstick.txt"
BOARDS = ((0, 15), (0, 20), (1, 15), (1, 20), (4, 15), (4, 20), (8, 15), (8, 20), (9, 15), (9, 20),
          (16, 19))  # fmt: skip
SCALE = float(layout().constant("NET_SCALE"))
NAMES = {int(rule): rule.name.lower() for rule in Rule} | {int(Rule.CARO_STANDARD): "caro std"}


class CompareError(Exception):
    """Two judgements cannot be compared; the text says why."""


@dataclass(frozen=True)
class Line:
    """One line of `judge --each`: rule, static score, deep score."""

    rule: int
    score: int
    deep: int

    def error(self, factor: float = 1.0) -> float:
        """Returns the squared difference of the two win rates."""
        return (chance(self.score * factor) - chance(self.deep)) ** 2


def chance(score: float) -> float:
    """Returns the win rate of a score."""
    return 1 / (1 + math.exp(-max(-600.0, min(600.0, score / SCALE))))


def read_lines(path: Path) -> list[Line]:
    """Reads a judgement. Raises CompareError."""
    lines = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        try:
            rule, score, deep, _ = text.split()
            lines.append(Line(int(rule), int(score), int(deep)))
        except ValueError:
            raise CompareError(f"{path}:{number}: no line of `judge --each`") from None
    return lines


@dataclass(frozen=True)
class Difference:
    """The mean of paired differences, its standard error, and the positions needed."""

    count: int
    mean: float
    error: float

    @property
    def needed(self) -> int | None:
        """Returns the positions at which it is two standard errors; None if none suffice."""
        if self.mean == 0:
            return None
        return math.ceil(self.count * (2 * self.error / self.mean) ** 2)


def difference(a: list[Line], b: list[Line], *, scaled: bool = False) -> Difference:
    """Returns how much lower the squared error of `b` is than that of `a`.

    `scaled`: the scores of each are first multiplied by their best factor.
    """
    factors = (best_factor(a), best_factor(b)) if scaled else (1.0, 1.0)
    pairs = zip(a, b, strict=True)
    values = [first.error(factors[0]) - second.error(factors[1]) for first, second in pairs]
    count = len(values)
    mean = sum(values) / count
    spread = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return Difference(count, mean, math.sqrt(spread / count))


def best_factor(lines: list[Line]) -> float:
    """Returns the factor of the scores with the smallest error, to one percent.

    The error falls up to the best factor and rises after it, so steps of ten percent find it.
    """

    def error(step: int) -> float:
        return sum(line.error(1.01**step) for line in lines)

    near = min(range(-140, 141, 10), key=error)
    return 1.01 ** min(range(max(-140, near - 9), min(140, near + 9) + 1), key=error)


def compare(first: Path, second: Path) -> None:
    """Prints the differences by rule. Raises CompareError if the positions differ."""
    a, b = read_lines(first), read_lines(second)
    if [(x.rule, x.deep) for x in a] != [(x.rule, x.deep) for x in b]:
        raise CompareError(f"{first} and {second} are not of the same positions")
    print(f"{'rule':9} {'count':>6} {'A':>7} {'B':>7}  difference of squares (A - B)  needed")
    for rule in (*NAMES, None):
        of_a = [line for line in a if rule in (None, line.rule)]
        of_b = [line for line in b if rule in (None, line.rule)]
        if not of_a:
            continue
        for scaled in (False, True):
            by = difference(of_a, of_b, scaled=scaled)
            roots = [
                math.sqrt(sum(line.error(factor) for line in lines) / len(lines))
                for lines, factor in (
                    (of_a, best_factor(of_a) if scaled else 1.0),
                    (of_b, best_factor(of_b) if scaled else 1.0),
                )
            ]
            name = "all" if rule is None else NAMES[rule]
            print(
                f"{name:9} {by.count:6} {roots[0]:7.4f} {roots[1]:7.4f}  "
                f"{by.mean:+.5f} +- {by.error:.5f}  {by.needed}{'  scaled' if scaled else ''}"
            )


def make(out: Path, count: int, niceness: int) -> int:
    """Adds positions up to `count`; returns the exit code of the program."""
    (program,) = build_programs("yardstick")
    folder = ROOT / "build" / "openings"
    folder.mkdir(parents=True, exist_ok=True)
    for rule, size in BOARDS:
        write_openings(rule, size, folder / f"{rule}-{size}.txt")
    os.nice(max(0, niceness - os.nice(0)))
    command = [str(program), str(out), str(count), str(folder)]
    return subprocess.run(command, check=False).returncode


def main() -> int:
    """Runs; 1 with the reason when something fails."""
    parser = argparse.ArgumentParser(
        description="Makes the yardstick, or compares two networks by it."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    maker = commands.add_parser("make", help="add positions")
    maker.add_argument("--out", type=Path, default=YARDSTICK, help="file")
    maker.add_argument(
        "--count", type=at_least_one, default=20_000, help="positions in all (default: 20000)"
    )
    maker.add_argument("--nice", type=int, default=10, help="niceness (default: 10)")
    comparer = commands.add_parser("compare", help="compare two outputs of `judge --each`")
    comparer.add_argument("first", type=Path, help="output for the first network")
    comparer.add_argument("second", type=Path, help="output for the second network")
    args = parser.parse_args()
    try:
        if args.command == "make":
            return make(args.out, args.count, args.nice)
        compare(args.first, args.second)
    except (CompareError, build_toolchain.BuildError, OSError) as error:
        print(f"yardstick: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
