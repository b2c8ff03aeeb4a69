"""The format as the headers of the core declare it: types, sizes, constants, rules and bounds.

csrc/eval/weights.h describes the format. This module has no number of the format itself. It reads
the parts of the headers between the marks "layout" with cffi, so that every size, bound and rule
number has one source.
"""

import functools
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
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
    SOURCES / "eval" / "nn" / "lines.h",
    SOURCES / "eval" / "nn" / "accumulator.h",
    SOURCES / "eval" / "nn" / "recent.h",
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
    "recent": "NetRecent",
    "recent_layer": "NetRecentLayer",
}
BY_LAW: Final = ("codes", "squares", "shapes", "lines", "recent")
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
    "recent": "NET_RECENT_MAX",
    "recent_layer": "NET_WEIGHT_MAX",
    "recent_layer.absent": "NET_ABSENT_MAX",
}
# The same for fields that are never negative.
BOUNDS_FROM_0: Final = {"codes.value": "VALUE_MAX", "policy.scale": "POLICY_SCALE_MAX"}


class WeightsError(Exception):
    """A weights file or its contents are wrong; the text says where and how."""


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
    return 2 if _has_trait(rule, "TWO_LAWS") else 1


def has_captures(rule: int) -> bool:
    """Says whether a rule has captures."""
    return _has_trait(rule, "CAPTURES")


def _has_trait(rule: int, trait: str) -> bool:
    """Says whether the header gives a rule this trait."""
    known = layout()
    traits = known.constant(f"TG_TRAITS_{known.rules[rule].upper()}")
    return bool(traits & known.constant(f"TG_TRAIT_{trait}"))


def file_name(rule: int) -> str:
    """Returns the file name of a rule. Raises WeightsError for an unknown number."""
    try:
        return layout().rules[rule] + SUFFIX
    except KeyError:
        raise WeightsError(f"rule {rule} is not one of {sorted(layout().rules)}") from None
