"""Weights files: their parts and header, written, read and checked."""

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from build_weights.headers import (
    ASSETS,
    BY_LAW,
    STRUCTS,
    WeightsError,
    file_name,
    has_captures,
    laws,
    layout,
)
from build_weights.numbers import Numbers, decode, encode


@dataclass(frozen=True)
class Weights:
    """The numbers of one rule. A part in BY_LAW has one or two structs, Black's law first.

    captures: only of rules with captures. These pairs of parts are both there or both missing:
    squares and network, shapes and policy, recent and recent_layer.
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
    recent: list[Numbers] | None = None
    recent_layer: Numbers | None = None

    def part(self, name: str) -> list[Numbers]:
        """Returns the structs of a part; empty if there are none."""
        value = getattr(self, name)
        return value if isinstance(value, list) else [] if value is None else [value]


_PAIRS: Final = (
    ("squares", "network"),
    ("shapes", "policy"),
    ("recent", "recent_layer"),
)


def _check_parts(weights: Weights) -> None:
    """Raises WeightsError unless exactly the parts of the rule are there."""
    file_name(weights.rule)  # raises for an unknown rule
    for name in BY_LAW:
        count, most = len(weights.part(name)), laws(weights.rule)
        if count not in ({most} if name == "codes" else {0, most}):
            raise WeightsError(f"{name} has {count} laws, rule {weights.rule} has {most}")
    if (weights.captures is not None) != has_captures(weights.rule):
        raise WeightsError(f"rule {weights.rule}, and captures: {weights.captures is not None}")
    for one, other in _PAIRS:
        if bool(weights.part(one)) != bool(weights.part(other)):
            raise WeightsError(f"{one} and {other} belong together, and one is missing")
    if weights.policy and not weights.network:
        raise WeightsError("a policy without a network")
    if weights.lines and not weights.network:
        raise WeightsError("lines without a network")
    if weights.recent and not weights.network:
        raise WeightsError("the last stones without a network")


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
        data = b"".join(encode(known.ffi.typeof(kind), fields, name) for fields in structs)
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


def header_of(data: bytes) -> Any:
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
    known, header = layout(), header_of(data)
    parts: dict[str, Any] = {}
    for name, kind in STRUCTS.items():
        part, size = getattr(header, name), known.ffi.sizeof(kind)
        wanted = size * (header.laws if name in BY_LAW else 1)
        if part.bytes not in (0, wanted):
            raise WeightsError(f"{name} has {part.bytes} bytes, not {wanted}")
        rest = memoryview(data)[part.offset : part.offset + part.bytes]
        structs = [
            decode(known.ffi.typeof(kind), rest[i : i + size]) for i in range(0, len(rest), size)
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
    """Writes a rule's file into a folder, in one step; returns its path. Raises OSError."""
    target = folder / file_name(weights.rule)
    data = pack(weights)
    folder.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(".part")
    try:
        fresh.write_bytes(data)
        fresh.replace(target)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        if error.filename is None:  # a full disk
            error.filename = str(target)
        raise
    return target


def check_assets(folder: Path = ASSETS) -> list[Path]:
    """Returns the embedded files, one a rule, after a check. Raises WeightsError."""
    paths = []
    for rule in layout().rules:
        path = folder / file_name(rule)
        try:
            header = header_of(path.read_bytes())
        except OSError as error:
            raise WeightsError(f"{path} cannot be read: {error.strerror}") from None
        except WeightsError as error:
            raise WeightsError(f"{path}: {error}") from None
        if header.rule != rule:
            raise WeightsError(f"{path}: it is of rule {header.rule}, not of rule {rule}")
        paths.append(path)
    return paths
