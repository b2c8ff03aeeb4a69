"""The weights files, `csrc/assets/RULE.tgw`: checks them for the build, and writes them.

    python -m build_weights FILE...     prints the contents of each file; fails if one is wrong

`headers` reads the format from the core's headers, `numbers` turns numbers into bytes, and `files`
reads and writes whole files.
"""

from build_weights.files import Weights, check_assets, pack, read, unpack, write
from build_weights.headers import (
    ASSETS,
    BY_LAW,
    HEADERS,
    SOURCES,
    STRUCTS,
    SUFFIX,
    Layout,
    WeightsError,
    file_name,
    has_captures,
    laws,
    layout,
)
from build_weights.numbers import Numbers

__all__ = [
    "ASSETS",
    "BY_LAW",
    "HEADERS",
    "SOURCES",
    "STRUCTS",
    "SUFFIX",
    "Layout",
    "Numbers",
    "Weights",
    "WeightsError",
    "check_assets",
    "file_name",
    "has_captures",
    "laws",
    "layout",
    "pack",
    "read",
    "unpack",
    "write",
]
