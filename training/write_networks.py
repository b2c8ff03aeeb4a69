"""Writes the fitted networks as the files that the library embeds.

python training/write_networks.py OUT.c RULE=NETWORK.json...      a rule without one has none

Ninuki's goes to a file of its own beside OUT.c.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from write_weights import NAMES, NINUKI, write

CODES = 2380 + 2  # and the two stones
BOUNDS = {
    "square": 63,
    "factor": 30,
    "bias": 1024,
    "hidden": 2047,
    "hidden_bias": 1 << 29,
    "out": 2047,
    "out_bias": 1 << 29,
}


def nested(values: Any) -> str:
    """Returns a C initializer, as deep as the values are nested."""
    return "{" + ",".join(map(nested, values)) + "}" if isinstance(values, list) else str(values)


def check(name: str, network: dict[str, Any]) -> None:
    """Raises SystemExit where numbers go beyond what csrc/eval/network.h promises."""
    for field, most in BOUNDS.items():
        numbers = re.findall(r"-?\d+", json.dumps(network[field]))
        if any(abs(int(number)) > most for number in numbers):
            raise SystemExit(f"write_networks: {name}: a number of {field} is beyond {most}")
    if any(abs(number) > 12 for ring in network["factor"][1:] for number in ring):
        raise SystemExit(f"write_networks: {name}: a factor of the neighbours is beyond 12")


def definition(name: str, network: dict[str, Any]) -> str:
    """Returns one network's tables; under renju the colours have codes of their own."""
    check(name, network)
    square = network["square"]
    if len(square) != CODES * (2 if name == "RENJU" else 1):
        raise SystemExit(f"write_networks: {name} has {len(square)} codes")
    second = f"SQUARES_{name} + {len(square) // 2}" if name == "RENJU" else f"SQUARES_{name}"
    squares = ",\n".join(nested(pair) for pair in square)
    fields = "".join(
        f".{field} = {nested(network[field])},\n"
        for field in ("factor", "bias", "hidden", "hidden_bias", "out", "out_bias")
    )
    return (
        f"static const NetSquare SQUARES_{name}[] = {{\n{squares}}};\n"
        f"static const Network TABLES_{name} = {{\n"
        f".square = {{SQUARES_{name}, {second}}},\n{fields}}};\n"
    )


def definitions(networks: dict[int, dict[str, Any]], names: dict[int, str]) -> str:
    """Returns each network once, and which of them each of some rules has."""
    owner: dict[str, str] = {}
    tables, rules = [], []
    for rule, name in names.items():
        value = "NULL"
        if rule in networks:
            key = json.dumps(networks[rule])
            if key not in owner:
                owner[key] = name
                tables.append(definition(name, networks[rule]))
            value = f"&TABLES_{owner[key]}"
        rules.append(f"const Network *const NETWORK_{name} = {value};\n")
    return "\n".join(tables) + "\n" + "".join(rules)


def main() -> int:
    """Writes both files."""
    target, networks = Path(sys.argv[1]), {}
    for argument in sys.argv[2:]:
        rule, _, path = argument.partition("=")
        networks[int(rule)] = json.loads(Path(path).read_text())
    others = {rule: name for rule, name in NAMES.items() if rule != NINUKI}
    own = target.with_stem(f"{target.stem}_ninuki")
    write(target, "network", definitions(networks, others), "write_networks.py")
    write(own, "network", definitions(networks, {NINUKI: NAMES[NINUKI]}), "write_networks.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
