"""Writes the fitted networks for the order of moves as the file that the library embeds.

python training/write_policies.py OUT.c RULE=POLICY.json...      a rule without one has none
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from write_networks import nested
from write_weights import NAMES, write

SHAPES, HIDDEN = 14, 16
ROWS = {"near": 12, "around": 16, "position": 64}
BOUNDS = {
    "shapes": 2047,
    "near": 2047,
    "around": 2047,
    "position": 2047,
    "bias": 1 << 29,
    "out": 2047,
    "scale": 1 << 10,
}


def initializer(values: Any) -> str:
    """Returns a C initializer, a row a line."""
    return nested(values).replace("},{", "},\n{")


def check(name: str, policy: dict[str, Any]) -> None:
    """Raises SystemExit where the numbers are not as csrc/eval/policy.h has them."""
    for field, most in BOUNDS.items():
        numbers = re.findall(r"-?\d+", json.dumps(policy[field]))
        if any(abs(int(number)) > most for number in numbers):
            raise SystemExit(f"write_policies: {name}: a number of {field} is beyond {most}")
    laws = policy["shapes"]
    if len(laws) != (2 if name == "RENJU" else 1):
        raise SystemExit(f"write_policies: {name} has shapes of {len(laws)} laws")
    kinds = ("made", "denied")
    tables = {f"{k} {i}": (law.get(k, []), SHAPES) for i, law in enumerate(laws) for k in kinds}
    tables |= {field: (policy[field], rows) for field, rows in ROWS.items()}
    tables |= {field: ([policy[field]], 1) for field in ("bias", "out")}
    for field, (table, rows) in tables.items():
        if [len(row) for row in table] != [HIDDEN] * rows:
            raise SystemExit(f"write_policies: {name}: {field} has not {rows} rows of {HIDDEN}")


def definition(name: str, policy: dict[str, Any]) -> str:
    """Returns one network; under renju each colour's shapes have rows of their own."""
    check(name, policy)
    laws = policy["shapes"]
    shapes = ",\n".join(
        f"{{.made = {initializer(law['made'])},\n.denied = {initializer(law['denied'])}}}"
        for law in laws
    )
    fields = "".join(
        f".{field} = {initializer(policy[field])},\n" for field in BOUNDS if field != "shapes"
    )
    return (
        f"static const PolicyShapes SHAPES_{name}[] = {{\n{shapes}}};\n"
        f"static const Policy TABLES_{name} = {{\n"
        f".shapes = {{SHAPES_{name}, SHAPES_{name} + {len(laws) - 1}}},\n{fields}}};\n"
    )


def main() -> int:
    """Writes the file; rules with the same network share it."""
    target, policies = Path(sys.argv[1]), {}
    for argument in sys.argv[2:]:
        rule, _, path = argument.partition("=")
        policies[int(rule)] = json.loads(Path(path).read_text())
    owner: dict[str, str] = {}
    tables, rules = "", ""
    for rule_number, name in NAMES.items():
        value = "NULL"
        if rule_number in policies:
            key = json.dumps(policies[rule_number])
            if key not in owner:
                owner[key] = name
                tables += definition(name, policies[rule_number])
            value = f"&TABLES_{owner[key]}"
        rules += f"const Policy *const POLICY_{name} = {value};\n"
    write(target, "policy", tables + "\n" + rules, "write_policies.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
