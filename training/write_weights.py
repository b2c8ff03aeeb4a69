"""Writes the fitted tables of all rules as the one file that the library embeds.

python training/write_weights.py OUT.c FIT.json...
"""

import json
import sys
from pathlib import Path
from typing import Any

FORMAT = 1
NAMES = {0: "FREESTYLE", 1: "STANDARD", 4: "RENJU", 8: "CARO", 9: "CARO_STANDARD", 16: "NINUKI"}
# square classes: 6 open four, 7 five; the search decides nearly all positions that have them
LOUD_US, LOUD_THEM = {6: 600, 7: 1500}, {7: 300}
HEAD = """/* weights.c - what eval.h's tables hold, fitted to games of the engine against itself.
 * Format {format}. Written by training/write_weights.py: change the fit, not this file. */
#include "eval/weights.h"

/* clang-format off */
"""


def whole(values: list[float], low: int, high: int) -> list[int]:
    """Returns the values as integers within bounds."""
    return [max(low, min(high, round(v))) for v in values]


def rows(values: list[int]) -> str:
    """Returns a C initializer, twenty numbers a line."""
    lines = [values[i : i + 20] for i in range(0, len(values), 20)]
    return "{\n" + "\n".join(",".join(map(str, line)) + "," for line in lines) + "}"


def table(fit: dict[str, Any], name: str, low: int, high: int) -> str:
    """Returns one table's initializer for both colours."""
    colors = [whole(color, low, high) for color in fit[name]]
    if name == "value":  # only differences count: the least becomes 0
        colors = [[v - min(color) for v in color] for color in colors]
    return "{" + ",\n".join(rows(colors[min(i, len(colors) - 1)]) for i in range(2)) + "}"


def with_loud(threats: list[float], loud: dict[int, int]) -> list[int]:
    """Returns the threat values with those that no quiet position shows put in by hand."""
    return [loud.get(i, v) for i, v in enumerate(whole(threats, -2000, 2000))]


def rule_text(fit: dict[str, Any]) -> str:
    """Returns the definition of one rule's weights."""
    name = NAMES[fit["rule"]]
    us = with_loud(fit["threat_us"], LOUD_US)
    them = with_loud(fit["threat_them"], LOUD_THEM)
    return (
        f"const EvalWeights WEIGHTS_{name} = {{\n"
        f".value = {table(fit, 'value', -2000, 2000)},\n"
        f".attack = {table(fit, 'attack', -8000, 8000)},\n"
        f".defence = {table(fit, 'defence', -8000, 8000)},\n"
        f".threat_us = {rows(us)},\n.threat_them = {rows(them)},\n"
        f".tempo = {round(fit['tempo'][0])}}};\n"
    )


def main() -> int:
    """Writes the file; every rule must be there once."""
    target, *sources = sys.argv[1:]
    fits = [json.loads(Path(source).read_text()) for source in sources]
    missing = set(NAMES) - {fit["rule"] for fit in fits}
    if missing:
        print(f"write_weights: no fit for rule {sorted(missing)}", file=sys.stderr)
        return 1
    text = HEAD.format(format=FORMAT) + "\n".join(rule_text(fit) for fit in fits)
    Path(target).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
