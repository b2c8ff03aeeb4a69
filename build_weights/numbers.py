"""The numbers of a struct: their bytes, each number checked against its bounds, and back."""

import struct
from typing import Any, Final

from build_weights.headers import WeightsError, layout

# The codes of the number types in struct.
TYPES: Final = {"int8_t": "b", "int16_t": "h", "uint16_t": "H", "int32_t": "i"}

Numbers = dict[str, Any]
"""The fields of a struct by name: an integer, nested lists of integers, or another struct."""


def encode(ctype: Any, value: Any, field: str) -> bytes:
    """Returns the bytes of a struct, an array or a number. Raises WeightsError."""
    if ctype.kind == "struct":
        names = [name for name, _ in ctype.fields]
        if not isinstance(value, dict) or sorted(value) != sorted(names):
            raise WeightsError(f"{field} must have the fields {', '.join(names)}")
        members = ((value[name], member.type, name) for name, member in ctype.fields)
        return b"".join(encode(kind, v, f"{field}.{name}") for v, kind, name in members)
    if ctype.kind != "array":
        return _encode_row(ctype, [value], field)
    if not isinstance(value, list) or len(value) != ctype.length:
        found = f"{len(value)} entries" if isinstance(value, list) else "one number"
        raise WeightsError(f"{field} has {found}, not {ctype.length}")
    if ctype.item.kind == "primitive":
        return _encode_row(ctype.item, value, field)
    return b"".join(encode(ctype.item, v, f"{field}[{i}]") for i, v in enumerate(value))


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


def decode(ctype: Any, data: memoryview) -> Any:
    """Returns the value that `encode` was given; data has the length of the type."""
    if ctype.kind == "struct":
        fields: Numbers = {}
        for name, member in ctype.fields:
            size = layout().ffi.sizeof(member.type)
            fields[name], data = decode(member.type, data[:size]), data[size:]
        return fields
    if ctype.kind != "array":
        return struct.unpack(f"<{TYPES[ctype.cname]}", data)[0]
    if ctype.item.kind == "primitive":
        return list(struct.unpack(f"<{ctype.length}{TYPES[ctype.item.cname]}", data))
    size = layout().ffi.sizeof(ctype.item)
    return [decode(ctype.item, data[i : i + size]) for i in range(0, len(data), size)]
