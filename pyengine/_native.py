"""The only door to the core: loads the library, and turns its calls into plain Python values.

cffi's untyped objects stay in here. Arguments come in checked by `engine.py`; every status that
comes back is checked here. The library is looked for beside this file, in a frozen executable in
the folder that it unpacks to, never in the working directory.
"""

import functools
import os
import sys
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, NoReturn, SupportsIndex, TypeVar

from pyengine.errors import ClosedError, LibraryError, WeightsError, check
from pyengine.types import (
    BenchRow,
    Color,
    Forbidden,
    Limits,
    Line,
    Option,
    Outcome,
    Proof,
    ProofAnswer,
    Reason,
    Rule,
    SearchResult,
    Square,
    Stage,
    StageNote,
    Status,
    Threat,
    Traced,
    TraceRow,
)

INT32_MAX: Final = 2**31 - 1
INT64_MAX: Final = 2**63 - 1

_HINT: Final = "run `make` in the source tree, or install the package again"
_STEM: Final = "tengen" if sys.platform == "win32" else "libtengen"
_SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_CPU_VARIABLE: Final = "TENGEN_CPU"
_CPUS: Final = ("baseline", "avx2")  # by the numbers of TgCpu
# A package with only a part of it is damaged: that is said, and not played on as if nothing were.
_MISSING: Final = {
    "baseline": "the core is not built",
    "avx2": f"a part of the core is missing ({_CPU_VARIABLE}=baseline does without it)",
}
_LINES_AT_ONCE: Final = 16
_REASON_BYTES: Final = 160
_VCF_SQUARES: Final = 512  # a line may be longer than the board has squares: captures empty some

_Member = TypeVar("_Member", bound=Enum)


class _Core:
    """The loaded library, and Python's members for the numbers of its enumerations."""

    def __init__(self, ffi: Any, lib: Any, lender: Any = None) -> None:
        self.ffi = ffi
        self.lib = lib
        self.lender = lender  # holds the weights that the library plays with, if not its own
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


def library_path(cpu: str = "baseline") -> str:
    """Where the library for these processors has to lie."""
    # os.path, because pathlib would add 15 ms to every start of the executable.
    if hasattr(sys, "_MEIPASS"):
        folder = os.path.join(sys._MEIPASS, "pyengine")  # noqa: PTH118
    else:
        folder = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    name = f"{_STEM}{_SUFFIX}" if cpu == "baseline" else f"{_STEM}-{cpu}{_SUFFIX}"
    return os.path.join(folder, name)  # noqa: PTH118


@functools.cache
def _core() -> _Core:
    """Loads the library that suits the processor, on the first call. Raises LibraryError."""
    wanted = os.environ.get(_CPU_VARIABLE, "")
    if wanted not in ("", *_CPUS):
        raise LibraryError(f"{_CPU_VARIABLE} must be {' or '.join(_CPUS)}, not '{wanted}'")
    try:
        from pyengine._ffi import ffi
    except ImportError as error:
        raise LibraryError(f"the core is not built ({error}): {_HINT}") from error
    # The plain one runs anywhere, and knows what the processor can do.
    plain = _load(ffi, "baseline")
    best = _CPUS[plain.tg_cpu_best()]
    if wanted == "baseline" or best == "baseline":
        if wanted not in ("", "baseline"):
            raise LibraryError(f"{_CPU_VARIABLE} is {wanted}, which this processor cannot run")
        return _Core(ffi, plain)
    lib = _load(ffi, best)
    _lend_weights(ffi, plain, lib)
    return _Core(ffi, lib, lender=plain)


def _lend_weights(ffi: Any, lender: Any, lib: Any) -> None:
    """Gives a library the weights that another one carries: a package has them once.

    The lender must stay loaded.
    """
    data, size = ffi.new("uint8_t **"), ffi.new("int64_t *")
    for rule in Rule:
        code = lender.tg_builtin_weights(rule, data, size)
        if code == lender.TG_OK:
            code = lib.tg_lend_weights(rule, data[0], size[0])
        if code != lib.TG_OK:
            raise LibraryError(f"the core has no weights for rule {rule.value}: {_HINT}")


def _load(ffi: Any, cpu: str) -> Any:
    """Loads one library, and looks whether it is the right one. Raises LibraryError."""
    path = library_path(cpu)
    if not os.path.exists(path):  # noqa: PTH110
        raise LibraryError(f"{_MISSING[cpu]}, there is no {path}: {_HINT}")
    try:
        lib = ffi.dlopen(path)
        found, wanted = lib.tg_abi_version(), lib.TG_ABI_VERSION
        if found != wanted:
            raise LibraryError(f"{path} has ABI version {found}, not {wanted}: {_HINT}")
        built = _CPUS[lib.tg_cpu_built()]
    except (OSError, AttributeError) as error:
        raise LibraryError(f"the core cannot be loaded ({error}): {_HINT}") from error
    if built != cpu:
        raise LibraryError(f"{path} was built for {built}, not {cpu}: {_HINT}")
    return lib


def cpu_path() -> str:
    """The processors that the loaded library was built for: "baseline" or "avx2"."""
    return _CPUS[_core().lib.tg_cpu_built()]


def option_aliases() -> dict[str, str]:
    """Old names of options, which still set them, with the present names."""
    core = _core()
    out = core.ffi.new("TgOptionAlias *")
    found: dict[str, str] = {}
    while core.lib.tg_option_alias(len(found), out) == core.lib.TG_OK:
        found[core.ffi.string(out.old).decode()] = core.ffi.string(out.name).decode()
    return found


def proof_bytes() -> int:
    """What the first search takes for its proof searches at most, beside the table."""
    return int(_core().lib.TG_PROOF_KIB) * 1024


def resident_bytes() -> int:
    """Resident memory of this process in bytes; 0 when the system does not say."""
    return int(_core().lib.tg_resident_bytes())


def one_heap() -> None:
    """Lets all threads of this process allocate from one heap of the C library's.

    For a program that is a brain and nothing else, before it starts threads: it holds less memory,
    which grows less over many games; threads wait for each other. Does nothing without glibc.
    """
    _core().lib.tg_one_heap()


def fill_cache() -> None:
    """Has the C library hold from now on what it will ever keep of freed blocks for this thread.

    For a thread that lives long: else its heap grows by a quarter of a MiB over hundreds of games,
    in pieces. Does nothing without glibc.
    """
    _core().lib.tg_fill_cache()


def trim_heap() -> None:
    """Gives back to the system what is free in the C library's heap. Does nothing without glibc."""
    _core().lib.tg_trim_heap()


def bench_row(index: int) -> BenchRow | None:
    """Searches one bench position; None after the last."""
    core = _core()
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
    core = _core()
    rule, reason = core.ffi.new("int32_t *"), core.ffi.new("char[]", _REASON_BYTES)
    code = core.lib.tg_check_weights(
        core.ffi.from_buffer(data), len(data), rule, reason, _REASON_BYTES
    )
    if code == core.lib.TG_ERR_WEIGHTS:
        raise WeightsError(core.ffi.string(reason).decode())
    core.check(code, "weights")
    return Rule(rule[0])


def _builtin_fault(rule: Rule) -> str:
    """Why the weights that the core carries cannot be used."""
    try:
        found = check_weights(builtin_weights(rule))
    except WeightsError as error:
        return str(error)
    return f"they are of rule {found.value}"


def builtin_weights(rule: Rule) -> bytes:
    """The contents of the weights file of a rule that the core carries."""
    core = _core()
    data, size = core.ffi.new("uint8_t **"), core.ffi.new("int64_t *")
    core.check((core.lender or core.lib).tg_builtin_weights(rule, data, size), rule.name)
    return bytes(core.ffi.buffer(data[0], size[0]))


class Handle:
    """One TgEngine. Freed by `free()`, at the latest with this object.

    No locks: that no call runs while it is freed is the owner's part. After `free()` every call
    raises ClosedError.
    """

    def __init__(self, size: int, rule: Rule, threads: int, memory_kib: int) -> None:
        self._core = core = _core()
        config = core.ffi.new("TgConfig *", (size, rule, threads, memory_kib))
        out = core.ffi.new("TgEngine **")
        code = core.lib.tg_new(config, out)
        if code == core.lib.TG_ERR_WEIGHTS:
            fault = _builtin_fault(rule)
            raise LibraryError(f"the core's weights for {rule.name} are damaged ({fault}): {_HINT}")
        core.check(code, f"size {size}, {rule.name}, {threads} threads, {memory_kib / 1024:g} MiB")
        self._pointer: Any = core.ffi.gc(out[0], core.lib.tg_free)
        self._size, self._rule = size, rule

    @property
    def _e(self) -> Any:
        """The pointer. cffi would let the core have one that is freed."""
        if self._pointer is None:
            raise ClosedError("the engine is closed")
        return self._pointer

    def free(self) -> None:
        """Gives the memory back; no other call may run. Does nothing the second time."""
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            self._core.ffi.release(pointer)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuses a copy, which would free the same memory."""
        raise TypeError("a handle of the core cannot be copied or pickled")

    def reset(self, size: int, rule: Rule) -> None:
        self._core.check(self._core.lib.tg_reset(self._e, size, rule), f"size {size}, {rule.name}")
        self._size, self._rule = size, rule

    def load_weights(self, size: int, data: bytes) -> None:
        core = self._core
        code = core.lib.tg_load_weights(self._e, size, core.ffi.from_buffer(data), len(data))
        core.check(code, f"size {size}, weights")

    def weights_checksum(self) -> int:
        return int(self._core.lib.tg_weights_checksum(self._e))

    def resize_table(self, memory_kib: int) -> None:
        code = self._core.lib.tg_resize_table(self._e, memory_kib)
        self._core.check(code, f"{memory_kib / 1024:g} MiB")

    def clear_table(self) -> None:
        self._core.check(self._core.lib.tg_clear_table(self._e))

    def set_option(self, name: str, value: int, rule: Rule) -> None:
        code = self._core.lib.tg_set_rule_option(self._e, rule, name.encode(), value)
        self._core.check(code, f"{name} = {value}")

    def options(self, rule: Rule) -> list[Option]:
        core = self._core
        out = core.ffi.new("TgOption *")
        found: list[Option] = []
        while (code := core.lib.tg_option(self._e, rule, len(found), out)) == core.lib.TG_OK:
            found.append(
                Option(
                    name=core.ffi.string(out.name).decode(),
                    default=out.standard,
                    minimum=out.low,
                    maximum=out.high,
                    value=out.value,
                    rule=rule if out.per_rule else None,
                )
            )
        if code != core.lib.TG_ERR_ARGUMENT:  # which stands after the last one
            core.check(code, rule.name)
        return found

    def set_position(
        self,
        black: Sequence[Square],
        white: Sequence[Square],
        neutral: Sequence[Square],
        captures: tuple[int, int],
        to_move: Color,
    ) -> None:
        core = self._core
        stones = [core.ffi.new("TgSquare[]", list(squares)) for squares in (black, white, neutral)]
        code = core.lib.tg_set_position(
            self._e,
            stones[0],
            len(black),
            stones[1],
            len(white),
            stones[2],
            len(neutral),
            *captures,
            core.color_number[to_move],
        )
        core.check(code, f"position with captures {captures}")

    def legal(self, at: Square) -> bool:
        code = self._core.lib.tg_legal(self._e, at)
        if code in self._core.refusals:
            return False
        self._core.check(code, at)
        return True

    def forbidden(self, capacity: int) -> list[Square]:
        core = self._core
        out, count = core.ffi.new("TgSquare[]", capacity), core.ffi.new("int32_t *")
        core.check(core.lib.tg_forbidden(self._e, out, capacity, count))
        return _squares(out, count[0])

    def threats(self, color: Color) -> dict[Square, Threat]:
        core = self._core
        count = self._size**2
        out = core.ffi.new("int32_t[]", count)
        core.check(core.lib.tg_threats(self._e, core.color_number[color], out, count), color)
        squares = (divmod(i, self._size)[::-1] for i in range(count))
        kinds = (core.threat.get(number) for number in out)
        return {at: kind for at, kind in zip(squares, kinds, strict=True) if kind is not None}

    def why_forbidden(self, at: Square) -> Forbidden | None:
        core = self._core
        out = core.ffi.new("int32_t *")
        core.check(core.lib.tg_why_forbidden(self._e, at, out), at)
        return core.forbidden.get(out[0])

    def play(self, at: Square) -> Outcome:
        return self._outcome(self._core.lib.tg_play, at)

    def place(self, at: Square) -> Outcome:
        return self._outcome(self._core.lib.tg_place, at)

    def undo(self) -> None:
        self._core.check(self._core.lib.tg_undo(self._e))

    def outcome(self) -> Outcome:
        return self._outcome(self._core.lib.tg_outcome)

    def evaluate(self) -> int:
        core = self._core
        score = core.ffi.new("int32_t *")
        core.check(core.lib.tg_evaluate(self._e, score))
        return int(score[0])

    def arm(self) -> None:
        self._core.check(self._core.lib.tg_arm(self._e))

    def stop(self) -> None:
        self._core.lib.tg_stop(self._e)

    def search(self, limits: Limits) -> SearchResult:
        core = self._core
        excluded = core.ffi.new("TgSquare[]", list(limits.excluded))
        given = core.ffi.new(
            "TgLimits *",
            {
                "time_ms": _or_none(limits.time_ms),
                "soft_ms": _or_none(limits.soft_ms),
                "depth": _or_none(limits.depth),
                "lines": limits.lines,
                "nodes": _or_none(limits.nodes),
                "analysis": limits.analysis,
                "excluded": excluded,
                "excluded_count": len(limits.excluded),
            },
        )
        out = core.ffi.new("TgResult *")
        core.check(core.lib.tg_search(self._e, given, out), "search")
        line = _line(out.line, self._size, self._rule)
        return SearchResult(
            move=(out.move.x, out.move.y),
            score=line.score,
            depth=line.depth,
            seldepth=line.seldepth,
            nodes=line.nodes,
            time_ms=line.time_ms,
            pv=line.pv,
            stage=core.stage[out.stage],
            mate=line.mate,
            table_permille=out.table_permille,
            threads=out.threads,
            threads_refused=out.threads_refused,
            table_refused_kib=out.table_refused_kib,
            size=self._size,
            rule=self._rule,
            passed=tuple(
                StageNote(core.stage[number], bool(note.found), note.nodes)
                for number, note in enumerate(out.notes)
                if note.asked
            ),
        )

    def set_trace(self, on: bool) -> None:
        self._core.check(self._core.lib.tg_set_trace(self._e, int(on)), "trace")

    def trace(self) -> list[TraceRow]:
        core = self._core
        most = core.lib.TG_TRACE_ROWS
        out, count = core.ffi.new("TgTraceRow[]", most), core.ffi.new("int32_t *")
        core.check(core.lib.tg_trace(self._e, out, most, count), "trace")
        return [
            TraceRow(
                (row.move.x, row.move.y),
                core.traced[row.outcome],
                row.depth,
                row.place,
                row.alpha,
                row.beta,
                row.reduction / 100,
                row.score,
                row.nodes,
                self._size,
            )
            for row in out[0 : count[0]]
        ]

    def progress(self, after: int) -> list[Line]:
        core = self._core
        out, count = core.ffi.new("TgLine[]", _LINES_AT_ONCE), core.ffi.new("int32_t *")
        lines: list[Line] = []
        while True:
            code = core.lib.tg_progress(self._e, after, out, _LINES_AT_ONCE, count)
            core.check(code, f"progress after {after}")
            lines += [_line(out[i], self._size, self._rule) for i in range(count[0])]
            if count[0] < _LINES_AT_ONCE:
                return lines
            after = lines[-1].seq

    def vcf(self, max_nodes: int) -> Proof:
        core = self._core
        out, count = core.ffi.new("TgSquare[]", _VCF_SQUARES), core.ffi.new("int32_t *")
        answer = core.ffi.new("int32_t *")
        code = core.lib.tg_vcf(self._e, max_nodes, out, _VCF_SQUARES, count, answer)
        core.check(code, f"{max_nodes} nodes")
        return Proof(core.proof[answer[0]], _squares(out, count[0]))

    def vct(self, max_nodes: int, time_ms: int | None) -> Proof:
        core = self._core
        out, count = core.ffi.new("TgSquare[]", _VCF_SQUARES), core.ffi.new("int32_t *")
        given, answer = _or_none(time_ms), core.ffi.new("int32_t *")
        code = core.lib.tg_vct(self._e, max_nodes, given, out, _VCF_SQUARES, count, answer)
        core.check(code, "VCT")
        return Proof(core.proof[answer[0]], _squares(out, count[0]))

    def _outcome(self, call: Any, *at: Square) -> Outcome:
        core = self._core
        out = core.ffi.new("TgOutcome *")
        core.check(call(self._e, *at, out), at[0] if at else "")
        return Outcome(
            captured=_squares(out.captured, out.captured_count),
            status=core.status[out.status],
            winner=core.color.get(out.winner),
            reason=core.reason.get(out.reason),
        )


def _or_none(limit: int | None) -> int:
    """A limit as C takes it: -1 where there is none."""
    return -1 if limit is None else limit


def _squares(array: Any, count: int) -> list[Square]:
    return [(array[i].x, array[i].y) for i in range(count)]


def _line(c: Any, size: int, rule: Rule) -> Line:
    return Line(
        seq=c.seq,
        line=c.line,
        depth=c.depth,
        seldepth=c.seldepth,
        score=c.score,
        mate=c.mate or None,
        time_ms=c.time_ms,
        nodes=c.nodes,
        pv=_squares(c.pv, c.pv_count),
        size=size,
        rule=rule,
    )
