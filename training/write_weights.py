"""Writes fits as weights files, RULE.tgw, in three steps that build on each other.

A fourth step gives a rule without games the weights of another rule.

    python training/write_weights.py tables OUT FIT.json...
    python training/write_weights.py networks OUT FROM RULE=NETWORK.json...
    python training/write_weights.py policies OUT FROM RULE=POLICY.json...
    python training/write_weights.py borrowed OUT FROM RULE=LENDER...

The first step makes a file for every rule, with tables only. The others read all files of the
folder FROM and write them to OUT with a network or a policy. Rules that are not named get none. A
new network removes the policy, which depends on it. The last step copies LENDER's file in FROM for
RULE; both are numbers. build_weights/ knows the format.
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from build_weights import (
    Numbers,
    Weights,
    WeightsError,
    file_name,
    has_captures,
    laws,
    layout,
    read,
    write,
)
from training.arguments import file_path

# Worth set by hand, because quiet positions lack it: a side that can make an open four or a five,
# the upper two bits of a set of threats. The search decides nearly all such positions; captures
# leave some.
OPEN_FOUR_US, FIVE_US, FIVE_THEM = 600, 1500, -300
VALUE_MOST = 2000  # on both sides of nothing, before the least is made 0


def whole(values: Any, most: int) -> Any:
    """Returns numbers, nested or not, as integers within symmetric bounds."""
    if isinstance(values, list):
        return [whole(value, most) for value in values]
    return max(-most, min(most, round(values)))


def by_law(structs: list[Numbers], rule: int) -> list[Numbers]:
    """Returns a struct for each law of a rule.

    If the lender has one law, its struct serves for both colours.
    """
    return structs * laws(rule) if len(structs) == 1 else structs


def codes(fit: dict[str, Any]) -> list[Numbers]:
    """Returns the tables by code, one struct for each law."""
    most = layout().constant("MOVE_WEIGHT_MAX")
    values = whole(fit["value"], VALUE_MOST)
    least = min(map(min, values))  # only differences matter, also those between the colours
    colors = zip(values, whole(fit["attack"], most), whole(fit["defence"], most), strict=True)
    structs = [
        {"value": [v - least for v in value], "attack": attack, "defence": defence}
        for value, attack, defence in colors
    ]
    return by_law(structs, fit["rule"])


def threats(fit: dict[str, Any]) -> list[int]:
    """Returns the worth of each set of threats, [other side's << bits | mover's]."""
    bits = layout().constant("THREAT_BITS")
    five, open_four = 1 << (bits - 1), 1 << (bits - 2)
    out: list[int] = whole(fit["threat"], layout().constant("SCORE_WEIGHT_MAX"))
    for i in range(len(out)):
        us, them = i % (1 << bits), i >> bits
        if them & five:
            out[i] = FIVE_THEM
        if us & open_four:
            out[i] = OPEN_FOUR_US
        if us & five:
            out[i] = FIVE_US
    return out


def tables(fit: dict[str, Any]) -> Weights:
    """Returns the weights of a rule from the output of fit.py."""
    rule, most = fit["rule"], layout().constant("SCORE_WEIGHT_MAX")
    scores = {
        "threat": threats(fit),
        "count": whole(fit["count"], most),
        "near": whole(fit["near"], most),
    }
    captures = whole_captures(fit["captures"]) if has_captures(rule) else None
    return Weights(rule, codes(fit), scores, captures)


def whole_captures(fit: dict[str, Any]) -> Numbers:
    """Returns the worth of captures."""
    most = layout().constant("MOVE_WEIGHT_MAX")
    return {name: whole(table, most) for name, table in fit.items()}


def with_network(weights: Weights, network: dict[str, Any] | None) -> Weights:
    """Returns weights with a network from network.c, and without a policy."""
    bare = replace(
        weights,
        squares=None,
        network=None,
        shapes=None,
        policy=None,
        lines=None,
        recent=None,
        recent_layer=None,
    )
    if network is None:
        return bare
    fields = dict(network)
    bare = with_recent(with_lines(bare, fields), fields)
    pairs = [{"own": own, "other": other} for own, other in fields.pop("square")]
    count = layout().constant("NET_CODES")
    structs = [{"code": pairs[i : i + count]} for i in range(0, len(pairs), count)]
    return replace(bare, squares=by_law(structs, weights.rule), network=fields)


def with_lines(weights: Weights, network: dict[str, Any]) -> Weights:
    """Returns weights with the lines of a network, which are removed from it."""
    rows = network.pop("lines", None)
    if rows is None:
        return weights
    count, stands = layout().constant("LINE_CLASSES"), layout().constant("NET_STANDS")
    blocks = [rows[i : i + count] for i in range(0, len(rows), count)]
    structs: list[Numbers] = [
        {"row": blocks[i : i + stands]} for i in range(0, len(blocks), stands)
    ]
    return replace(weights, lines=by_law(structs, weights.rule))


def with_recent(weights: Weights, network: dict[str, Any]) -> Weights:
    """Returns weights with the last stones of a network, which are removed from it."""
    names = ("recent", "recent_hidden", "recent_absent")
    rows, hidden, absent = (network.pop(name, None) for name in names)
    if rows is None:
        return weights
    count, stones = layout().constant("LINE_CLASSES"), layout().constant("NET_RECENT_STONES")
    blocks = [rows[i : i + count] for i in range(0, len(rows), count)]
    structs: list[Numbers] = [
        {"row": blocks[i : i + stones]} for i in range(0, len(blocks), stones)
    ]
    layer: Numbers = {"hidden": hidden, "absent": absent}
    return replace(weights, recent=by_law(structs, weights.rule), recent_layer=layer)


def network_of(weights: Weights) -> dict[str, Any]:
    """Returns the network of weights in the form of network.c. Raises WeightsError without one."""
    if weights.squares is None or weights.network is None:
        raise WeightsError(f"the weights of rule {weights.rule} have no network")
    codes = [code for law in weights.squares for code in law["code"]]
    network = {"square": [[code["own"], code["other"]] for code in codes], **weights.network}
    if weights.lines is not None:
        network["lines"] = [row for law in weights.lines for block in law["row"] for row in block]
    if weights.recent is not None and weights.recent_layer is not None:
        network["recent"] = [row for law in weights.recent for block in law["row"] for row in block]
        network["recent_hidden"] = weights.recent_layer["hidden"]
        network["recent_absent"] = weights.recent_layer["absent"]
    return network


def with_policy(weights: Weights, policy: dict[str, Any] | None) -> Weights:
    """Returns weights with a policy from policy.c."""
    if policy is None:
        return replace(weights, shapes=None, policy=None)
    fields = dict(policy)
    return replace(weights, shapes=by_law(fields.pop("shapes"), weights.rule), policy=fields)


def write_tables(out: Path, fits: list[Path]) -> None:
    """Writes the files of all rules. Raises WeightsError for a rule without a fit."""
    found = [tables(json.loads(path.read_text())) for path in fits]
    if missing := set(layout().rules) - {weights.rule for weights in found}:
        raise WeightsError(f"no fit for the rules {sorted(missing)}")
    for weights in found:
        write(out, weights)


def part_of(path: Path) -> dict[str, Any]:
    """Reads a fitted part. Raises OSError, and WeightsError if the file is not a JSON object."""
    try:
        part = json.loads(path.read_text())
    except ValueError as error:
        raise WeightsError(f"{path}: {error}") from None
    if not isinstance(part, dict):
        raise WeightsError(f"{path}: expected an object")
    return part


def pairs_of(arguments: list[str]) -> list[tuple[int, str]]:
    """Returns the rules and values of arguments such as `4=file`. Raises WeightsError."""
    found = []
    for argument in arguments:
        rule, equals, value = argument.partition("=")
        if not (equals and value and rule.isdecimal()):
            raise WeightsError(f"{argument}: expected the number of a rule, = and a value")
        found.append((int(rule), value))
    return found


def write_part(
    put: Callable[[Weights, dict[str, Any] | None], Weights],
    out: Path,
    source: Path,
    parts: dict[int, Path],
) -> None:
    """Writes the files of a folder, some of them with a new part."""
    there = [rule for rule in layout().rules if (source / file_name(rule)).exists()]
    if not there or set(parts) - set(there):
        raise WeightsError(f"{source} lacks files for the rules {sorted(set(parts) - set(there))}")
    for rule in there:
        part = part_of(parts[rule]) if rule in parts else None
        try:
            write(out, put(read(source / file_name(rule)), part))
        except WeightsError as error:
            raise WeightsError(f"rule {rule}: {error}") from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise WeightsError(f"{parts[rule]} is not what this step writes: {error!r}") from None
        if rule not in parts:
            print(f"{out / file_name(rule)}: without this part, because no RULE={rule} names one")


def write_borrowed(out: Path, source: Path, pairs: list[tuple[int, int]]) -> None:
    """Writes files for rules with the weights of other rules, which must have the same parts."""
    for rule, lender in pairs:
        if unknown := {rule, lender} - set(layout().rules):
            raise WeightsError(f"no such rules: {sorted(unknown)}")
        if (laws(rule), has_captures(rule)) != (laws(lender), has_captures(lender)):
            raise WeightsError(f"rule {rule} needs other parts than rule {lender} has")
        write(out, replace(read(source / file_name(lender)), rule=rule))


_PARTS = {"networks": with_network, "policies": with_policy}


def main() -> int:
    """Runs one step; returns 1 after the reason of a failure."""
    parser = argparse.ArgumentParser(prog="write_weights.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("step", choices=["tables", *_PARTS, "borrowed"])
    parser.add_argument("out", type=file_path, metavar="OUT", help="folder to write to")
    parser.add_argument("rest", nargs="+", metavar="FROM", help="see above")
    given = parser.parse_args()
    if "" in given.rest:
        parser.error("argument FROM: an empty path; the current folder is .")
    step, out, rest = given.step, given.out, given.rest
    try:
        if step == "tables":
            write_tables(out, list(map(Path, rest)))
            return 0
        if step == "borrowed":
            lent = [(rule, int(lender)) for rule, lender in pairs_of(rest[1:])]
            write_borrowed(out, Path(rest[0]), lent)
            return 0
        parts = {rule: Path(path) for rule, path in pairs_of(rest[1:])}
        write_part(_PARTS[step], out, Path(rest[0]), parts)
    except (WeightsError, OSError, ValueError) as error:
        print(f"write_weights: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
