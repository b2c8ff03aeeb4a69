"""The calls of the core that need no engine, and Python's members for its numbers.

cffi's untyped objects stay in `_library`, `_native` and `_handle`. Every status that comes back is
checked there.
"""

import functools
from enum import Enum
from typing import Any, Final, TypeVar

from pyengine._library import library
from pyengine.errors import WeightsError, check
from pyengine.results import BenchRow, ProofAnswer, Stage, Traced
from pyengine.types import Color, Forbidden, Reason, Rule, Status, Threat

_REASON_BYTES: Final = 160

_Member = TypeVar("_Member", bound=Enum)


class Core:
    """The loaded library, and Python's members for the numbers of its enumerations."""

    def __init__(self) -> None:
        found = library()
        self.ffi = ffi = found.ffi
        self.lib = lib = found.lib
        self.lender = found.lender
        self.codes: dict[int, str] = ffi.typeof("TgStatus").elements
        self.status = _members(ffi, "TgGameStatus", "TG_", Status)
        self.reason = _members(ffi, "TgReason", "TG_REASON_", Reason)
        self.forbidden = _members(ffi, "TgForbidden", "TG_FORBIDDEN_", Forbidden)
        self.proof = _members(ffi, "TgProof", "TG_PROOF_", ProofAnswer)
        self.threat = _members(ffi, "TgThreat", "TG_THREAT_", Threat)
        self.stage = _members(ffi, "TgStage", "TG_STAGE_", Stage)
        self.traced = _members(ffi, "TgTraced", "TG_TRACED_", Traced)
        self.color = _members(ffi, "TgColor", "TG_", Color)
        self.refusals = {
            lib.TG_ERR_OFF_BOARD,
            lib.TG_ERR_OCCUPIED,
            lib.TG_ERR_FORBIDDEN,
            lib.TG_ERR_GAME_OVER,
        }
        self.color_number = {color: number for number, color in self.color.items()}

    def check(self, code: int, subject: object = "") -> None:
        """Raises what a status that is not TG_OK stands for."""
        if code:
            check(self.codes.get(code, f"status {code}"), str(subject))


def _members(ffi: Any, c_type: str, prefix: str, kind: type[_Member]) -> dict[int, _Member]:
    """Maps the enumerators of a C type to members of the same name; C's "none" has none."""
    names = {
        number: name.removeprefix(prefix) for number, name in ffi.typeof(c_type).elements.items()
    }
    return {number: kind[name] for number, name in names.items() if name in kind.__members__}


@functools.cache
def native_core() -> Core:
    """The core, loaded on the first call. Raises LibraryError."""
    return Core()


def option_aliases() -> dict[str, str]:
    """Old names of options, which still set them, with the present names."""
    core = native_core()
    out = core.ffi.new("TgOptionAlias *")
    found: dict[str, str] = {}
    while core.lib.tg_option_alias(len(found), out) == core.lib.TG_OK:
        found[core.ffi.string(out.old).decode()] = core.ffi.string(out.name).decode()
    return found


def proof_bytes() -> int:
    """The memory that the first search allocates for proofs at most, besides the table."""
    return int(native_core().lib.TG_PROOF_KIB) * 1024


def resident_bytes() -> int:
    """Resident memory of this process in bytes; 0 when the system does not say."""
    return int(native_core().lib.tg_resident_bytes())


def one_heap() -> None:
    """Lets all threads of this process allocate from one heap of the C library's.

    For a program that only plays, before it starts threads. It uses less memory, which grows less
    over many games, but its threads wait for each other. Does nothing without glibc.
    """
    native_core().lib.tg_one_heap()


def fill_cache() -> None:
    """Fills this thread's cache of freed blocks in the C library.

    For a thread that lives long: without it the heap grows slowly, by a quarter of a MiB over
    hundreds of games. Does nothing without glibc.
    """
    native_core().lib.tg_fill_cache()


def trim_heap() -> None:
    """Returns the free memory of the C library's heap to the system. Needs glibc."""
    native_core().lib.tg_trim_heap()


def bench_row(index: int) -> BenchRow | None:
    """Searches one bench position; None after the last."""
    core = native_core()
    row = core.ffi.new("TgBenchRow *")
    code = core.lib.tg_bench(index, row)
    if code == core.lib.TG_ERR_ARGUMENT:
        return None
    core.check(code, f"bench position {index}")
    return BenchRow(
        index=index,
        size=row.size,
        rule=Rule(row.rule),
        depth=row.depth,
        move=(row.move.x, row.move.y),
        score=row.score,
        nodes=row.nodes,
        time_us=row.time_us,
    )


def check_weights(data: bytes) -> Rule:
    """The rule of a weights file, from its bytes. Raises WeightsError, which says what is wrong."""
    core = native_core()
    rule, reason = core.ffi.new("int32_t *"), core.ffi.new("char[]", _REASON_BYTES)
    code = core.lib.tg_check_weights(
        core.ffi.from_buffer(data), len(data), rule, reason, _REASON_BYTES
    )
    if code == core.lib.TG_ERR_WEIGHTS:
        raise WeightsError(core.ffi.string(reason).decode())
    core.check(code, "weights")
    return Rule(rule[0])


def builtin_fault(rule: Rule) -> str:
    """Why the weights that the core carries cannot be used."""
    try:
        found = check_weights(builtin_weights(rule))
    except WeightsError as error:
        return str(error)
    return f"they are of rule {found.value}"


def builtin_weights(rule: Rule) -> bytes:
    """The contents of the weights file of a rule that the core carries."""
    core = native_core()
    data, size = core.ffi.new("uint8_t **"), core.ffi.new("int64_t *")
    core.check(core.lender.tg_builtin_weights(rule, data, size), rule.name)
    return bytes(core.ffi.buffer(data[0], size[0]))
