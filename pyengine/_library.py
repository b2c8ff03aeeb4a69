"""Finds and loads the library of the core: which build suits the processor, and whether it fits.

The library lies beside this file; in a frozen executable, in the folder that the executable unpacks
to. It is never looked for in the working directory.
"""

import functools
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any, Final

from pyengine.errors import LibraryError
from pyengine.types import Rule

HINT: Final = "run `make` in the source tree, or install the package again"
CPUS: Final = ("baseline", "avx2")  # by the numbers of TgCpu
_STEM: Final = "tengen" if sys.platform == "win32" else "libtengen"
_SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_CPU_VARIABLE: Final = "TENGEN_CPU"
# A package without one of its libraries is damaged: an error, never a slower engine.
_MISSING: Final = {
    "baseline": "the core is not built",
    "avx2": f"a part of the core is missing ({_CPU_VARIABLE}=baseline does without it)",
}


@dataclass(frozen=True, kw_only=True)
class Library:
    """The loaded library.

    lender: the library that holds the built-in weights, which must stay loaded; `lib` itself, if
            that has its own.
    """

    ffi: Any
    lib: Any
    lender: Any


def library_path(cpu: str = "baseline") -> str:
    """The path of the library that is built for these processors."""
    # os.path, because pathlib would add 15 ms to every start of the executable.
    if hasattr(sys, "_MEIPASS"):
        folder = os.path.join(sys._MEIPASS, "pyengine")  # noqa: PTH118
    else:
        folder = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    name = f"{_STEM}{_SUFFIX}" if cpu == "baseline" else f"{_STEM}-{cpu}{_SUFFIX}"
    return os.path.join(folder, name)  # noqa: PTH118


_loading = threading.Lock()


def library() -> Library:
    """Loads the library that suits the processor, on the first call. Raises LibraryError.

    Several threads may make the first call at once.
    """
    with _loading:
        return _load_best()


@functools.cache
def _load_best() -> Library:
    wanted = os.environ.get(_CPU_VARIABLE, "")
    if wanted not in ("", *CPUS):
        raise LibraryError(f"{_CPU_VARIABLE} must be {' or '.join(CPUS)}, not '{wanted}'")
    try:
        from pyengine._ffi import ffi
    except ImportError as error:
        raise LibraryError(f"the core is not built ({error}): {HINT}") from error
    # The baseline library runs on every processor, and knows what this one can do.
    plain = _load(ffi, "baseline")
    best = CPUS[plain.tg_cpu_best()]
    if wanted == "baseline" or best == "baseline":
        if wanted not in ("", "baseline"):
            raise LibraryError(f"{_CPU_VARIABLE} is {wanted}, which this processor cannot run")
        return Library(ffi=ffi, lib=plain, lender=plain)
    lib = _load(ffi, best)
    _lend_weights(ffi, plain, lib)
    return Library(ffi=ffi, lib=lib, lender=plain)


def cpu_path() -> str:
    """The processors that the loaded library was built for: "baseline" or "avx2"."""
    return CPUS[library().lib.tg_cpu_built()]


def _load(ffi: Any, cpu: str) -> Any:
    """Loads one library and checks its version and its processors. Raises LibraryError."""
    path = library_path(cpu)
    if not os.path.exists(path):  # noqa: PTH110
        raise LibraryError(f"{_MISSING[cpu]}, there is no {path}: {HINT}")
    try:
        lib = ffi.dlopen(path)
        found, wanted = lib.tg_abi_version(), lib.TG_ABI_VERSION
        if found != wanted:
            raise LibraryError(f"{path} has ABI version {found}, not {wanted}: {HINT}")
        built = CPUS[lib.tg_cpu_built()]
    except (OSError, AttributeError) as error:
        raise LibraryError(f"the core cannot be loaded ({error}): {HINT}") from error
    if built != cpu:
        raise LibraryError(f"{path} was built for {built}, not {cpu}: {HINT}")
    return lib


def _lend_weights(ffi: Any, lender: Any, lib: Any) -> None:
    """Gives a library the weights of another one: a package holds them once."""
    data, size = ffi.new("uint8_t **"), ffi.new("int64_t *")
    for rule in Rule:
        code = lender.tg_builtin_weights(rule, data, size)
        if code == lender.TG_OK:
            code = lib.tg_lend_weights(rule, data[0], size[0])
        if code != lib.TG_OK:
            raise LibraryError(f"the core has no weights for rule {rule.value}: {HINT}")
