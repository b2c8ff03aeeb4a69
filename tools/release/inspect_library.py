"""Reads a library of any system with LIEF, in an environment that holds only that: see formats.py.

    python inspect_library.py FILE...

prints a JSON list with one object for each file. Keep this file free of other modules of the
project.
"""

import importlib
import json
import sys
from typing import Any

lief: Any = importlib.import_module("lief")
# A Mach-O library names itself among those that it needs.
OWN_NAME = lief.MachO.LoadCommand.TYPE.ID_DYLIB


def read(path: str) -> dict[str, Any]:
    """Returns what a library says about itself."""
    library = lief.parse(path)
    if isinstance(library, lief.ELF.Binary):
        return {
            "format": "ELF",
            "machine": library.header.machine_type.name,
            "is_library": library.header.file_type == lief.ELF.Header.FILE_TYPE.DYN,
            "exports": [symbol.name for symbol in library.exported_symbols],
            "needs": list(library.libraries),
        }
    if isinstance(library, lief.PE.Binary):
        export = library.get_export()
        dll = lief.PE.Header.CHARACTERISTICS.DLL
        return {
            "format": "PE",
            "machine": library.header.machine.name,
            "is_library": library.header.has_characteristic(dll),
            "exports": [entry.name for entry in export.entries] if export else [],
            "needs": [entry.name for entry in library.imports],
        }
    if isinstance(library, lief.MachO.Binary):
        built = library.build_version
        return {
            "format": "Mach-O",
            "machine": library.header.cpu_type.name,
            "is_library": library.header.file_type == lief.MachO.Header.FILE_TYPE.DYLIB,
            "exports": [symbol.name.removeprefix("_") for symbol in library.exported_symbols],
            "needs": [one.name for one in library.libraries if one.command != OWN_NAME],
            "minimum": ".".join(map(str, built.minos[:2])) if built else None,
            "signed": library.has_code_signature,
        }
    return {"format": None}


print(json.dumps([read(path) for path in sys.argv[1:]]))
