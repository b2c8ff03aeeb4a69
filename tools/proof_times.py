"""Measures the times of proof searches: `python -m tools.proof_times`, or `make vcf-suite`.

It prints one row for each suite and rule: positions, wins, the longest line in plies, and the times
of a call on a new engine in ms.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from pyengine import Color, Engine, Rule, Square

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
MAX_NODES = 1_000_000

Solver = Callable[[Engine], list[Square] | None]


def by_fours(e: Engine) -> list[Square] | None:
    """Returns a win by fours."""
    return e.vcf(max_nodes=MAX_NODES)


def by_threats(e: Engine) -> list[Square] | None:
    """Returns a win by fours and threes."""
    return e.vct(max_nodes=MAX_NODES)


SUITES: tuple[tuple[str, Solver, bool], ...] = (
    ("vcf_wins", by_fours, True),
    ("vcf_none", by_fours, False),
    ("vct_wins", by_threats, True),
    ("vct_none", by_threats, False),
)


def solve(case: dict[str, Any], solver: Solver) -> tuple[int, float]:
    """Returns the length of the line, 0 without one, and the time in ms."""
    with Engine(size=case["size"], rule=Rule[case["rule"].upper()], memory_mib=1) as e:
        e.set_position(
            black=[tuple(m) for m in case["black"]],
            white=[tuple(m) for m in case["white"]],
            captures=tuple(case.get("captures", (0, 0))),
            to_move=Color(case["to_move"]),
        )
        began = time.perf_counter()
        line = solver(e)
        return len(line or ()), (time.perf_counter() - began) * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; returns 1 if an answer differs from the suite's."""
    parser = argparse.ArgumentParser(prog="python -m tools.proof_times", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.parse_args(arguments)
    wrong = 0
    print(f"{'suite':9} {'rule':14} {'count':>5} {'won':>4} {'longest':>7} {'mean':>8} {'max':>8}")
    for name, solver, winning in SUITES:
        cases = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["cases"]
        rows: dict[str, list[tuple[int, float]]] = {}
        for case in cases:
            row = solve(case, solver)
            wrong += (row[0] > 0) is not winning
            for key in (case["rule"], "all"):
                rows.setdefault(key, []).append(row)
        for rule in [*(r.name.lower() for r in Rule), "all"]:
            if rule in rows:
                lengths, times = zip(*rows[rule], strict=True)
                print(
                    f"{name:9} {rule:14} {len(lengths):5} {sum(n > 0 for n in lengths):4}"
                    f" {max(lengths):7} {mean(times):8.2f} {max(times):8.2f}"
                )
    if wrong:
        print(f"{wrong} answers are wrong", file=sys.stderr)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
