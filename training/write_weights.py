"""Writes the fitted tables of all rules as the files that the library embeds.

python training/write_weights.py OUT.c FIT.json...

Ninuki's go to a file of their own beside OUT.c, with what captures are worth.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from build_core import TABLES_FORMAT

NINUKI = 16
NAMES = {0: "FREESTYLE", 1: "STANDARD", 4: "RENJU", 8: "CARO", 9: "CARO_STANDARD", 16: "NINUKI"}
# What no quiet position shows, by hand: a side that could make an open four (bit 4) or a five (5).
# The search decides nearly all positions that have them; captures of ninuki leave some.
THREAT_BITS, OPEN_FOUR, FIVE = 6, 16, 32
OPEN_FOUR_US, FIVE_US, FIVE_THEM = 600, 1500, -300
HEAD = """/* {name} - what {header}.h's tables hold, fitted to games of the engine against itself.
 * Format {format}. Written by training/{writer}: change the fit, not this file.
 * sha256 of all that follows this comment:
 * {digest} */
"""
INCLUDE = """#include "eval/{header}.h"

/* clang-format off */
"""


def whole(values: list[float], low: int, high: int) -> list[int]:
    """Returns the values as integers within bounds."""
    return [max(low, min(high, round(v))) for v in values]


def rows(values: list[int]) -> str:
    """Returns a C initializer, twenty numbers a line."""
    lines = [values[i : i + 20] for i in range(0, len(values), 20)]
    return "{\n" + "\n".join(",".join(map(str, line)) + "," for line in lines) + "}"


def table(fit: dict[str, Any], name: str, low: int, high: int) -> list[str]:
    """Returns one table's initializers: one for both colours, or one for each."""
    colors = [whole(color, low, high) for color in fit[name]]
    if name == "value":  # only differences count, those between the colours, too
        least = min(map(min, colors))
        colors = [[v - least for v in color] for color in colors]
    return list(map(rows, colors))


def threats(fit: dict[str, Any]) -> list[int]:
    """Returns the worth of each set of threats, [other side's << 6 | mover's]."""
    out = whole(fit["threat"], -2000, 2000)
    for i in range(len(out)):
        us, them = i % (1 << THREAT_BITS), i >> THREAT_BITS
        if them & FIVE:
            out[i] = FIVE_THEM
        if us & OPEN_FOUR:
            out[i] = OPEN_FOUR_US
        if us & FIVE:
            out[i] = FIVE_US
    return out


def counts(fit: dict[str, Any]) -> str:
    """Returns the initializer of what the numbers of squares of each class are worth."""
    sides = [[whole(row, -2000, 2000) for row in side] for side in fit["count"]]
    return "{" + ",\n".join("{" + ",".join(rows(row) for row in side) + "}" for side in sides) + "}"


def tables(fit: dict[str, Any], name: str) -> str:
    """Returns the definition of one set of tables."""
    arrays, fields = [], []
    for field, kind, most in (
        ("value", "u16", 2000),
        ("attack", "int16_t", 8000),
        ("defence", "int16_t", 8000),
    ):
        own = f"{field.upper()}_{name}"
        colors = table(fit, field, -most, most)
        initializer = ",\n".join(colors)
        arrays.append(f"static const {kind} {own}[][SQUARE_CODES] = {{{initializer}}};\n")
        fields.append(f".{field} = {{{own}[0], {own}[{len(colors) - 1}]}},\n")
    return (
        f"{''.join(arrays)}"
        f"static const EvalWeights TABLES_{name} = {{\n{''.join(fields)}"
        f".threat = {rows(threats(fit))},\n"
        f".count = {counts(fit)},\n"
        f".near = {rows(whole(fit['near'], -2000, 2000))}}};\n"
    )


def definitions(fits: list[dict[str, Any]]) -> str:
    """Returns each set of tables once, and which of them every rule has."""
    owner: dict[str, str] = {}
    sets, rules = [], []
    for fit in fits:
        name, text = NAMES[fit["rule"]], tables(fit, "")
        if text not in owner:
            owner[text] = name
            sets.append(tables(fit, name))
        rules.append(f"const EvalWeights *const WEIGHTS_{name} = &TABLES_{owner[text]};\n")
    return "\n".join(sets) + "\n" + "".join(rules)


def nested(values: Any) -> str:
    """Returns a C initializer of whole numbers, as deep as the values are nested."""
    if isinstance(values, list):
        return "{" + ",".join(map(nested, values)) + "}"
    return str(whole([values], -8000, 8000)[0])


def captures(fit: dict[str, Any]) -> str:
    """Returns the definition of what captures are worth."""
    fields = "".join(f".{name} = {nested(v)},\n" for name, v in fit["captures"].items())
    return f"const CaptureWeights WEIGHTS_CAPTURES = {{\n{fields}}};\n"


def write(target: Path, header: str, text: str, writer: str = "write_weights.py") -> None:
    """Writes one file, with the digest of its text."""
    text = INCLUDE.format(header=header) + text
    digest = hashlib.sha256(text.encode()).hexdigest()
    names = {"name": target.name, "header": header, "writer": writer}
    head = HEAD.format(**names, format=TABLES_FORMAT, digest=digest)
    target.write_text(head + text)


def main() -> int:
    """Writes both files; every rule must be there once."""
    target, sources = Path(sys.argv[1]), sys.argv[2:]
    fits = [json.loads(Path(source).read_text()) for source in sources]
    missing = set(NAMES) - {fit["rule"] for fit in fits}
    if missing:
        print(f"write_weights: no fit for rule {sorted(missing)}", file=sys.stderr)
        return 1
    ninuki = [fit for fit in fits if fit["rule"] == NINUKI]
    write(target, "weights", definitions([fit for fit in fits if fit["rule"] != NINUKI]))
    own = target.with_stem(f"{target.stem}_ninuki")
    write(own, "captures", definitions(ninuki) + captures(ninuki[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
