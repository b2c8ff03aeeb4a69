"""One engine of the core: its calls, with plain Python values in and out.

Arguments come in checked. Every status that comes back is checked here.
"""

from collections.abc import Sequence
from typing import Any, Final, NoReturn, SupportsIndex

from pyengine._library import HINT
from pyengine._native import builtin_fault, native_core
from pyengine.errors import ClosedError, LibraryError
from pyengine.results import Line, Proof, SearchResult, StageNote, TraceRow
from pyengine.types import Color, Forbidden, Limits, Option, Outcome, Rule, Square, Threat

_LINES_AT_ONCE: Final = 16
_PROOF_SQUARES: Final = 512  # a line may be longer than the board has squares: captures empty some


class Handle:
    """One TgEngine. Freed by `free()`, at the latest with this object.

    No locks: that no call runs while it is freed is the owner's part. After `free()` every call
    raises ClosedError.
    """

    def __init__(self, size: int, rule: Rule, threads: int, memory_kib: int) -> None:
        self._core = core = native_core()
        config = core.ffi.new("TgConfig *", (size, rule, threads, memory_kib))
        out = core.ffi.new("TgEngine **")
        code = core.lib.tg_new(config, out)
        if code == core.lib.TG_ERR_WEIGHTS:
            fault = builtin_fault(rule)
            raise LibraryError(f"the core's weights for {rule.name} are damaged ({fault}): {HINT}")
        core.check(code, f"size {size}, {rule.name}, {threads} threads, {memory_kib / 1024:g} MiB")
        self._pointer: Any = core.ffi.gc(out[0], core.lib.tg_free)
        self._size, self._rule = size, rule
        self._placed = 0

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

    def search(self, limits: Limits, placed: int) -> SearchResult:
        """Searches. placed: the stones that were placed on the board, for the lines."""
        core, self._placed = self._core, placed
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
        line = _line(out.line, self._size, self._rule, placed)
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
            placed=placed,
            passed=tuple(
                StageNote(core.stage[number], bool(note.found), note.nodes)
                for number, note in enumerate(out.notes)
                if note.ran
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
            lines += [_line(out[i], self._size, self._rule, self._placed) for i in range(count[0])]
            if count[0] < _LINES_AT_ONCE:
                return lines
            after = lines[-1].seq

    def vcf(self, max_nodes: int) -> Proof:
        core = self._core
        out, count = core.ffi.new("TgSquare[]", _PROOF_SQUARES), core.ffi.new("int32_t *")
        answer = core.ffi.new("int32_t *")
        code = core.lib.tg_vcf(self._e, max_nodes, out, _PROOF_SQUARES, count, answer)
        core.check(code, f"{max_nodes} nodes")
        return Proof(core.proof[answer[0]], _squares(out, count[0]))

    def vct(self, max_nodes: int, time_ms: int | None) -> Proof:
        core = self._core
        out, count = core.ffi.new("TgSquare[]", _PROOF_SQUARES), core.ffi.new("int32_t *")
        given, answer = _or_none(time_ms), core.ffi.new("int32_t *")
        code = core.lib.tg_vct(self._e, max_nodes, given, out, _PROOF_SQUARES, count, answer)
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


def _line(c: Any, size: int, rule: Rule, placed: int) -> Line:
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
        placed=placed,
    )
