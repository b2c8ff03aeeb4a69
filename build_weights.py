"""The weights files, `csrc/assets/RULE.tgw`: checks them for the build, and writes them.

csrc/eval/weights.h describes the format. This module has no number of the format itself. It reads
the parts of the core's headers between the marks "layout" with cffi, so that every size, bound and
rule number has one source.

    python build_weights.py FILE...     prints the contents of each file; fails if one is wrong
"""

import argparse
import functools
import re
import struct
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent
SOURCES: Final = ROOT / "csrc"
ASSETS: Final = SOURCES / "assets"
SUFFIX: Final = ".tgw"
# In the order of their dependencies.
HEADERS: Final = (
    SOURCES / "include" / "tengen.h",
    SOURCES / "base" / "base.h",
    SOURCES / "shape" / "shape.h",
    SOURCES / "shape" / "line_class.h",
    SOURCES / "eval" / "tables.h",
    SOURCES / "eval" / "captures.h",
    SOURCES / "eval" / "nn" / "accumulator.h",
    SOURCES / "eval" / "nn" / "value_net.h",
    SOURCES / "eval" / "nn" / "policy_net.h",
    SOURCES / "eval" / "weights.h",
)
MARKS: Final = ("/* layout: begin */", "/* layout: end */")
# The struct of each part of a file; of those in BY_LAW there is one for each law.
STRUCTS: Final = {
    "codes": "CodeTables",
    "scores": "ScoreTables",
    "captures": "CaptureWeights",
    "squares": "NetSquares",
    "network": "Network",
    "shapes": "PolicyShapes",
    "policy": "Policy",
    "lines": "NetLines",
    "line_layer": "NetLineLayer",
}
BY_LAW: Final = ("codes", "squares", "shapes", "lines")
# The rules with different laws for the colours, and those with captures.
TWO_LAWS: Final = ("renju",)
WITH_CAPTURES: Final = ("ninuki", "pente", "keryo")
UNITS: Final = ("enum NetworkUnits", "enum PolicyUnits")
# The constant that bounds the numbers of a field, or of all fields of a part: -bound..bound.
BOUNDS: Final = {
    "codes.attack": "MOVE_WEIGHT_MAX",
    "codes.defence": "MOVE_WEIGHT_MAX",
    "scores": "SCORE_WEIGHT_MAX",
    "captures": "MOVE_WEIGHT_MAX",
    "squares": "NET_SQUARE_MAX",
    "network.factor": "NET_FACTOR_MAX",
    "network.factor[1]": "NET_RING_MAX",
    "network.factor[2]": "NET_RING_MAX",
    "network.bias": "NET_BIAS_MAX",
    "network.hidden": "NET_WEIGHT_MAX",
    "network.hidden_bias": "NET_PRODUCTS_MAX",
    "network.out": "NET_WEIGHT_MAX",
    "network.out_bias": "NET_PRODUCTS_MAX",
    "shapes": "NET_WEIGHT_MAX",
    "policy": "NET_WEIGHT_MAX",
    "policy.bias": "NET_PRODUCTS_MAX",
    "lines": "NET_LINE_MAX",
    "line_layer": "NET_WEIGHT_MAX",
}
# The same for fields that are never negative.
BOUNDS_FROM_0: Final = {"codes.value": "VALUE_MAX", "policy.scale": "POLICY_SCALE_MAX"}
# The codes of the number types in struct.
TYPES: Final = {"int8_t": "b", "int16_t": "h", "uint16_t": "H", "int32_t": "i"}

Numbers = dict[str, Any]
"""The fields of a struct by name: an integer, nested lists of integers, or another struct."""


class WeightsError(Exception):
    """A weights file or its contents are wrong; the text says where and how."""


@dataclass(frozen=True)
class Weights:
    """The numbers of one rule. A part in BY_LAW has one or two structs, Black's law first.

    captures: only of rules with captures. Three pairs of parts are both there or both missing:
    squares and network, shapes and policy, lines and line_layer.
    """

    rule: int
    codes: list[Numbers]
    scores: Numbers
    captures: Numbers | None = None
    squares: list[Numbers] | None = None
    network: Numbers | None = None
    shapes: list[Numbers] | None = None
    policy: Numbers | None = None
    lines: list[Numbers] | None = None
    line_layer: Numbers | None = None

    def part(self, name: str) -> list[Numbers]:
        """Returns the structs of a part; empty if there are none."""
        value = getattr(self, name)
        return value if isinstance(value, list) else [] if value is None else [value]


class Layout:
    """The format as the headers declare it: types, constants and rules."""

    def __init__(self) -> None:
        from cffi import FFI  # imported here: only builds and fits need it

        self.ffi: Any = FFI()
        self.ffi.cdef("".join(part for path in HEADERS for part in _marked(path)))
        self._constants: Any = self.ffi.dlopen(None)
        names = self.ffi.typeof("Rule").relements
        self.rules: dict[int, str] = {
            number: name.removeprefix("RULE_").lower()
            for name, number in sorted(names.items(), key=lambda item: item[1])
        }
        self.header_size: int = self.ffi.sizeof("WeightsHeader")
        for name in ("WeightsHeader", *STRUCTS.values()):
            if self.ffi.sizeof(name) != self._packed_size(self.ffi.typeof(name)):
                raise WeightsError(f"{name} has padding, which a file cannot have")

    def constant(self, name: str) -> int:
        """Returns a constant of the headers, such as SQUARE_CODES."""
        return int(getattr(self._constants, name))

    def architecture(self) -> int:
        """Computes the checksum of the fields and of the units of their numbers."""
        lines = [f"{part} {self._fields(self.ffi.typeof(name))}" for part, name in STRUCTS.items()]
        lines += [str(sorted(self.ffi.typeof(name).relements.items())) for name in UNITS]
        return zlib.crc32("\n".join(lines).encode())

    def bounds(self, field: str) -> tuple[int, int]:
        """Returns the smallest and largest number of a field, by its longest known prefix."""
        for prefix in _prefixes(field):
            if prefix in BOUNDS:
                most = self.constant(BOUNDS[prefix])
                return -most, most
            if prefix in BOUNDS_FROM_0:
                return 0, self.constant(BOUNDS_FROM_0[prefix])
        raise WeightsError(f"{field} has no bounds")

    def _packed_size(self, ctype: Any) -> int:
        if ctype.kind == "array":
            return int(ctype.length) * self._packed_size(ctype.item)
        if ctype.kind == "struct":
            return sum(self._packed_size(field.type) for _, field in ctype.fields)
        return int(self.ffi.sizeof(ctype))

    def _fields(self, ctype: Any) -> str:
        if ctype.kind == "array":
            return f"{self._fields(ctype.item)}[{ctype.length}]"
        if ctype.kind == "struct":
            inner = (f"{name} {self._fields(field.type)}" for name, field in ctype.fields)
            return "{" + "; ".join(inner) + "}"
        return str(ctype.cname)


def _marked(path: Path) -> Iterator[str]:
    """Yields the parts of a header that belong to the format. Raises WeightsError without any."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror}") from None
    begin, end = map(re.escape, MARKS)
    parts = re.findall(f"{begin}(.*?){end}", text, re.DOTALL)
    if not parts:
        raise WeightsError(f"{path} lacks the marks {' and '.join(MARKS)}")
    yield from parts


def _prefixes(field: str) -> Iterator[str]:
    """Yields "a.b[1]", "a.b", "a" for "a.b[1]"."""
    while field:
        yield field
        field = field[: max(field.rfind("."), field.rfind("["), 0)]


@functools.cache
def layout() -> Layout:
    """Reads the headers once. Raises WeightsError if they do not fit together."""
    found = Layout()
    named, right = found.constant("WEIGHTS_ARCHITECTURE"), found.architecture()
    if named != right:
        raise WeightsError(
            f"{HEADERS[-1]}: WEIGHTS_ARCHITECTURE is 0x{named:08x}, but the parts have changed: "
            f"it must be 0x{right:08x}, and all weights must be fitted or converted"
        )
    return found


def laws(rule: int) -> int:
    """Returns the number of laws of a rule: 2 if its colours have different ones."""
    return 2 if layout().rules[rule] in TWO_LAWS else 1


def has_captures(rule: int) -> bool:
    """Says whether a rule has captures."""
    return layout().rules[rule] in WITH_CAPTURES


def file_name(rule: int) -> str:
    """Returns the file name of a rule. Raises WeightsError for an unknown number."""
    try:
        return layout().rules[rule] + SUFFIX
    except KeyError:
        raise WeightsError(f"rule {rule} is not one of {sorted(layout().rules)}") from None


# --- numbers and bytes ------------------------------------------------------------------------


def _encode(ctype: Any, value: Any, field: str) -> bytes:
    """Returns the bytes of a struct, an array or a number. Raises WeightsError."""
    if ctype.kind == "struct":
        names = [name for name, _ in ctype.fields]
        if not isinstance(value, dict) or sorted(value) != sorted(names):
            raise WeightsError(f"{field} must have the fields {', '.join(names)}")
        members = ((value[name], member.type, name) for name, member in ctype.fields)
        return b"".join(_encode(kind, v, f"{field}.{name}") for v, kind, name in members)
    if ctype.kind != "array":
        return _encode_row(ctype, [value], field)
    if not isinstance(value, list) or len(value) != ctype.length:
        found = f"{len(value)} entries" if isinstance(value, list) else "one number"
        raise WeightsError(f"{field} has {found}, not {ctype.length}")
    if ctype.item.kind == "primitive":
        return _encode_row(ctype.item, value, field)
    return b"".join(_encode(ctype.item, v, f"{field}[{i}]") for i, v in enumerate(value))


def _encode_row(ctype: Any, row: list[Any], field: str) -> bytes:
    """Returns the bytes of some numbers of a field, each checked against its bounds."""
    least, most = layout().bounds(field)
    for i, number in enumerate(row):
        if not isinstance(number, int) or isinstance(number, bool):
            raise WeightsError(f"{field}: number {i} is {number!r}, not an integer")
        if not least <= number <= most:
            bound = least if number < least else most
            raise WeightsError(f"{field}: number {i} is {number}, beyond {bound}")
    return struct.pack(f"<{len(row)}{TYPES[ctype.cname]}", *row)


def _decode(ctype: Any, data: memoryview) -> Any:
    """Returns the value that `_encode` was given; data has the length of the type."""
    if ctype.kind == "struct":
        fields: Numbers = {}
        for name, member in ctype.fields:
            size = layout().ffi.sizeof(member.type)
            fields[name], data = _decode(member.type, data[:size]), data[size:]
        return fields
    if ctype.kind != "array":
        return struct.unpack(f"<{TYPES[ctype.cname]}", data)[0]
    if ctype.item.kind == "primitive":
        return list(struct.unpack(f"<{ctype.length}{TYPES[ctype.item.cname]}", data))
    size = layout().ffi.sizeof(ctype.item)
    return [_decode(ctype.item, data[i : i + size]) for i in range(0, len(data), size)]


# --- files ------------------------------------------------------------------------------------


def _check_parts(weights: Weights) -> None:
    """Raises WeightsError unless exactly the parts of the rule are there."""
    file_name(weights.rule)  # raises for an unknown rule
    for name in BY_LAW:
        count, most = len(weights.part(name)), laws(weights.rule)
        if count not in ({most} if name == "codes" else {0, most}):
            raise WeightsError(f"{name} has {count} laws, rule {weights.rule} has {most}")
    if (weights.captures is not None) != has_captures(weights.rule):
        raise WeightsError(f"rule {weights.rule}, and captures: {weights.captures is not None}")
    for one, other in (("squares", "network"), ("shapes", "policy"), ("lines", "line_layer")):
        if bool(weights.part(one)) != bool(weights.part(other)):
            raise WeightsError(f"{one} and {other} belong together, and one is missing")
    if weights.policy and not weights.network:
        raise WeightsError("a policy without a network")
    if weights.lines and not weights.network:
        raise WeightsError("lines without a network")


def pack(weights: Weights) -> bytes:
    """Returns the file of a rule. Raises WeightsError if the numbers are not valid."""
    known = layout()
    _check_parts(weights)
    header = known.ffi.new("WeightsHeader *")
    body = b""
    for name, kind in STRUCTS.items():
        structs = weights.part(name)
        if not structs:
            continue
        data = b"".join(_encode(known.ffi.typeof(kind), fields, name) for fields in structs)
        part = getattr(header, name)
        part.offset, part.bytes = known.header_size + len(body), len(data)
        body += data + bytes(-len(data) % known.constant("WEIGHTS_ALIGN"))
    header.magic = known.constant("WEIGHTS_MAGIC")
    header.format = known.constant("WEIGHTS_FORMAT")
    header.architecture = known.constant("WEIGHTS_ARCHITECTURE")
    header.rule, header.laws = weights.rule, laws(weights.rule)
    header.bytes = known.header_size + len(body)
    header.checksum = zlib.crc32(bytes(known.ffi.buffer(header)) + body)
    return bytes(known.ffi.buffer(header)) + body


def _header(data: bytes) -> Any:
    """Returns the header of a complete, undamaged file. Raises WeightsError otherwise."""
    known = layout()
    magic = struct.pack("<Q", known.constant("WEIGHTS_MAGIC"))
    if data[: len(magic)] != magic:
        raise WeightsError("not a weights file")
    if len(data) < known.header_size:
        raise WeightsError(f"cut short: {len(data)} bytes of a header of {known.header_size}")
    header = known.ffi.new("WeightsHeader *")
    known.ffi.memmove(header, data, known.header_size)
    for field, text in (("format", "{}"), ("architecture", "0x{:08x}")):
        found, wanted = getattr(header, field), known.constant(f"WEIGHTS_{field.upper()}")
        if found != wanted:
            raise WeightsError(f"{field} {text.format(found)}, not {text.format(wanted)}")
    if header.bytes != len(data):
        kind = "cut short" if len(data) < header.bytes else "too long"
        raise WeightsError(f"{kind}: {len(data)} bytes of {header.bytes}")
    named, header.checksum = header.checksum, 0
    found = zlib.crc32(bytes(known.ffi.buffer(header)) + data[known.header_size :])
    if found != named:
        raise WeightsError(f"damaged: its checksum is 0x{found:08x}, the header says 0x{named:08x}")
    header.checksum = named
    return header


def unpack(data: bytes) -> Weights:
    """Returns the numbers of a file. Raises WeightsError if `pack` cannot have written it."""
    known, header = layout(), _header(data)
    parts: dict[str, Any] = {}
    for name, kind in STRUCTS.items():
        part, size = getattr(header, name), known.ffi.sizeof(kind)
        wanted = size * (header.laws if name in BY_LAW else 1)
        if part.bytes not in (0, wanted):
            raise WeightsError(f"{name} has {part.bytes} bytes, not {wanted}")
        rest = memoryview(data)[part.offset : part.offset + part.bytes]
        structs = [
            _decode(known.ffi.typeof(kind), rest[i : i + size]) for i in range(0, len(rest), size)
        ]
        parts[name] = structs if name in BY_LAW and structs else structs[0] if structs else None
    weights = Weights(rule=header.rule, **parts)
    if pack(weights) != data:
        raise WeightsError("its parts do not lie where they should")
    return weights


def read(path: Path) -> Weights:
    """Reads a file. Raises WeightsError with its path."""
    try:
        return unpack(path.read_bytes())
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror}") from None
    except WeightsError as error:
        raise WeightsError(f"{path}: {error}") from None


def write(folder: Path, weights: Weights) -> Path:
    """Writes a rule's file into a folder, in one step; returns its path."""
    target = folder / file_name(weights.rule)
    data = pack(weights)
    folder.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(".part")
    fresh.write_bytes(data)
    fresh.replace(target)
    return target


def check_assets(folder: Path = ASSETS) -> list[Path]:
    """Returns the embedded files, one a rule, after a check. Raises WeightsError."""
    paths = []
    for rule in layout().rules:
        path = folder / file_name(rule)
        try:
            header = _header(path.read_bytes())
        except OSError as error:
            raise WeightsError(f"{path} cannot be read: {error.strerror}") from None
        except WeightsError as error:
            raise WeightsError(f"{path}: {error}") from None
        if header.rule != rule:
            raise WeightsError(f"{path}: it is of rule {header.rule}, not of rule {rule}")
        paths.append(path)
    return paths


def main() -> int:
    """Prints the parts of each file; returns 1, after the reason, if a file is wrong."""
    parser = argparse.ArgumentParser(
        prog="build_weights",
        description="Checks weights files and prints their rule, size, checksum and parts. "
        "Exits with 1 if a file is wrong.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="weights file (.tgw)")
    status = 0
    for path in parser.parse_args().files:
        try:
            weights = read(path)
        except WeightsError as error:
            print(f"build_weights: {error}", file=sys.stderr)
            status = 1
            continue
        data = path.read_bytes()
        known, header = layout(), _header(data)
        print(f"{path}: {known.rules[weights.rule]}, {len(data)} bytes, 0x{header.checksum:08x}")
        for name in STRUCTS:
            part = getattr(header, name)
            print(
                f"  {name:<9} {part.bytes:>7} bytes at {part.offset}"
                if part.bytes
                else f"  {name:<9}       -"
            )
    return status


if __name__ == "__main__":
    sys.exit(main())
