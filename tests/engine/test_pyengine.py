"""The binding: arguments and results. Other tests check the rules."""

import asyncio
import inspect
import threading
from collections.abc import Callable
from typing import Any

import pytest

import pyengine
from pyengine import (
    BenchRow,
    ClosedError,
    Color,
    Engine,
    EngineError,
    Forbidden,
    ForbiddenError,
    GameOverError,
    IllegalMoveError,
    Limits,
    NoMoveError,
    NoUndoError,
    OccupiedError,
    OptionError,
    OutOfRangeError,
    Reason,
    Rule,
    Stage,
    Status,
    WrongTypeError,
    _native,
    errors,
)
from pyengine.__main__ import FNV_OFFSET, sign
from tests.support.stopwatch import Stopwatch

ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)


def row_of(y: int, xs: range) -> list[tuple[int, int]]:
    return [(x, y) for x in xs]


def test_the_example_of_the_documentation() -> None:
    with Engine(size=19, rule=Rule.NINUKI, threads=1, memory_mib=16) as e:
        e.set_position(black=[(9, 9)], white=[(7, 9), (8, 9)], captures=(0, 0), to_move=Color.BLACK)
        assert e.legal((6, 9))
        assert e.forbidden() == []
        out = e.play((6, 9))
        assert out.captured == [(7, 9), (8, 9)]
        assert (out.status, out.winner, out.reason) == (Status.ONGOING, None, None)
        assert out.status.value == "ongoing"
        e.undo()
        assert not e.legal((7, 9))
        assert isinstance(e.evaluate(), int)
        r = e.search(Limits(time_ms=50, depth=None, nodes=None))
        assert e.legal(r.move)
        assert r.pv[0] == r.move
        assert r.mate is None or r.mate != 0
        assert r.stage in set(Stage)
        assert e.vcf(max_nodes=1000) is None


def test_a_five_ends_the_game() -> None:
    with Engine(size=10) as e:
        for x in range(4):
            e.play((x, 0))
            e.play((x, 9))
        assert e.outcome().status is Status.ONGOING
        out = e.play((4, 0))
        assert (out.status, out.winner, out.reason) == (Status.WIN, Color.BLACK, Reason.FIVE)
        assert out.captured == []
        assert e.outcome() == out
        with pytest.raises(GameOverError):
            e.play((5, 5))
        e.undo()
        assert e.outcome().status is Status.ONGOING
        for _ in range(8):
            e.undo()
        with pytest.raises(NoUndoError):
            e.undo()


def test_place_looks_at_no_ban_and_no_end() -> None:
    with Engine(size=15, rule=Rule.RENJU) as e:
        e.set_position(black=[(7, 6), (7, 8), (6, 7), (8, 7)], white=[(0, 0), (2, 0), (4, 0)])
        assert e.forbidden() == [(7, 7)]
        with pytest.raises(ForbiddenError, match=r"\(7, 7\).*forbidden"):
            e.play((7, 7))
        e.place((7, 7))
        assert not e.legal((7, 7))
        e.undo()
    with Engine(size=15) as e:
        e.set_position(black=row_of(7, range(5)), to_move=Color.WHITE)
        e.place((14, 14))
        with pytest.raises(OccupiedError):
            e.place((14, 14))


@ALL_RULES
def test_every_rule_plays_on_the_smallest_and_the_largest_board(rule: Rule) -> None:
    for size in (5, 22):
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            assert (e.size, e.rule) == (size, rule)
            move = e.search(Limits(time_ms=20)).move
            e.play(move)
            assert not e.legal(move)
            assert e.legal((size - 1, size - 1))
            assert not e.legal((size, 0))


def test_a_position_may_come_from_generators() -> None:
    with Engine(size=15) as e:
        e.set_position(black=(m for m in [(1, 2)]), white=iter([(3, 4)]), to_move=Color.WHITE)
        assert not e.legal((1, 2)) and not e.legal((3, 4))
        e.set_position()
        assert e.legal((1, 2)) and e.legal((3, 4))


def test_reset_changes_what_it_is_given() -> None:
    with Engine(size=15, rule=Rule.RENJU) as e:
        e.play((7, 7))
        e.reset()
        assert (e.size, e.rule) == (15, Rule.RENJU)
        assert e.legal((7, 7))
        e.reset(size=20)
        assert (e.size, e.rule) == (20, Rule.RENJU)
        assert e.legal((19, 19))
        e.reset(rule=Rule.CARO)
        assert (e.size, e.rule) == (20, Rule.CARO)
        with pytest.raises(OutOfRangeError):
            e.reset(size=4)
        assert (e.size, e.rule) == (20, Rule.CARO)


def test_search_keeps_the_position() -> None:
    with Engine(size=15, rule=Rule.NINUKI) as e:
        e.set_position(
            black=[(7, 7), (8, 8), (3, 3)],
            white=[(7, 8), (6, 6), (9, 9)],
            captures=(2, 3),
            to_move=Color.BLACK,
        )
        before = (e.evaluate(), e.forbidden(), e.outcome(), squares_left(e))
        e.search(Limits(time_ms=50))
        e.vcf(max_nodes=10_000)
        assert (e.evaluate(), e.forbidden(), e.outcome(), squares_left(e)) == before


def squares_left(e: Engine) -> list[tuple[int, int]]:
    return [(x, y) for x in range(e.size) for y in range(e.size) if e.legal((x, y))]


def test_search_is_reproducible_and_engines_are_strangers() -> None:
    def think(e: Engine, results: list[tuple[Any, ...]]) -> None:
        e.set_position(black=[(7, 7), (8, 8)], white=[(7, 8), (8, 7)], to_move=Color.BLACK)
        r = e.search(Limits(depth=5))
        results.append((r.move, r.score, r.nodes, r.pv))

    results: list[tuple[Any, ...]] = []
    with Engine(memory_mib=4) as a, Engine(memory_mib=4) as b:
        think(a, results)
        a.reset()
        think(a, results)
        a.reset(size=15, rule=Rule.FREESTYLE)
        both = [threading.Thread(target=think, args=(e, results)) for e in (a, b)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
    assert len(results) == 4
    assert all(result == results[0] for result in results)


def test_limits_are_kept() -> None:
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(black=[(7, 7)], white=[(8, 8)], to_move=Color.BLACK)
        assert e.search(Limits(depth=3)).depth <= 3
        e.clear_table()
        assert e.search(Limits(nodes=2000)).nodes < 20_000
        watch = Stopwatch()
        e.search(Limits(time_ms=0))
        e.search(Limits(time_ms=100, soft_ms=10))
        assert watch.own_s < 5
        assert e.legal(e.search(Limits(time_ms=0)).move)


def test_excluded_squares_are_not_played() -> None:
    with Engine(size=5, memory_mib=1) as e:
        allowed = (0, 4)
        excluded = [m for m in squares_left(e) if m != allowed]
        assert e.search(Limits(time_ms=20, excluded=excluded)).move == allowed


def test_a_full_board_has_no_move() -> None:
    with Engine(size=5, memory_mib=1) as e:
        e.set_position(neutral=squares_left(e))
        with pytest.raises(NoMoveError):
            e.search(Limits(time_ms=20))


def test_mate_is_seen_from_the_side_to_move() -> None:
    four, spread = row_of(7, range(5, 9)), [(0, 0), (2, 0), (4, 0), (0, 14)]
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(black=four, white=spread, to_move=Color.BLACK)
        r = e.search(Limits(time_ms=500))
        assert (r.mate, r.move in [(4, 7), (9, 7)], r.stage) == (1, True, Stage.WIN)
        assert e.vcf() in ([(4, 7)], [(9, 7)])
        e.set_position(black=four, white=spread, to_move=Color.WHITE)
        lost = e.search(Limits(time_ms=500))
        assert lost.mate is not None and lost.mate < 0
        assert lost.score < 0 < r.score


def test_progress_tells_of_each_iteration_once() -> None:
    with Engine(size=15, memory_mib=4) as e:
        e.set_position(black=[(7, 7)], white=[(8, 8)], to_move=Color.BLACK)
        e.search(Limits(depth=4, lines=2))
        lines = e.progress()
        assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
        assert {line.line for line in lines} == {0, 1}
        firsts = lines[::2]
        assert firsts == sorted(firsts, key=lambda line: line.depth)
        assert all(line.pv and line.nodes >= 0 and line.mate != 0 for line in lines)
        assert e.progress(after=lines[0].seq) == lines[1:]
        assert e.progress(lines[-1].seq) == []
        for bad in (-1, 2**31):
            with pytest.raises(OutOfRangeError):
                e.progress(bad)


CALLS: dict[str, Callable[[Engine], object]] = {
    "analyse": lambda e: e.analyse(Limits(time_ms=1)).result(),
    "arm": lambda e: e.arm(),
    "why_forbidden": lambda e: e.why_forbidden((0, 0)),
    "clear_table": lambda e: e.clear_table(),
    "evaluate": lambda e: e.evaluate(),
    "forbidden": lambda e: e.forbidden(),
    "legal": lambda e: e.legal((0, 0)),
    "moves": lambda e: e.moves,
    "option_names": lambda e: e.option_names(),
    "options": lambda e: e.options(),
    "outcome": lambda e: e.outcome(),
    "place": lambda e: e.place((0, 0)),
    "play": lambda e: e.play((0, 0)),
    "position": lambda e: e.position,
    "progress": lambda e: e.progress(),
    "prove_vcf": lambda e: e.prove_vcf(max_nodes=100),
    "prove_vct": lambda e: e.prove_vct(max_nodes=100),
    "reset": lambda e: e.reset(),
    "resize_table": lambda e: e.resize_table(2.5),
    "rule": lambda e: e.rule,
    "search": lambda e: e.search(Limits(time_ms=1)),
    "search_async": lambda e: asyncio.run(e.search_async(time_ms=1)),
    "set_option": lambda e: e.set_option("threads", 1),
    "set_position": lambda e: e.set_position(),
    "set_trace": lambda e: e.set_trace(True),
    "size": lambda e: e.size,
    "stones": lambda e: e.stones,
    "stop": lambda e: e.stop(),
    "threats": lambda e: e.threats("black"),
    "trace": lambda e: e.trace(),
    "undo": lambda e: e.undo(),
    "vcf": lambda e: e.vcf(max_nodes=10),
    "vct": lambda e: e.vct(max_nodes=10),
    "weights_checksum": lambda e: e.weights_checksum(),
}


def test_every_call_is_listed() -> None:
    public = {name for name, _ in inspect.getmembers(Engine) if not name.startswith("_")}
    assert public == CALLS.keys() | {"close"}


@pytest.mark.parametrize("name", CALLS)
def test_a_closed_engine_refuses(name: str) -> None:
    e = Engine(size=5, memory_mib=1)
    e.play((2, 2))
    CALLS[name](e)
    e.close()
    e.close()
    with pytest.raises(ClosedError, match="closed"):
        CALLS[name](e)
    with pytest.raises(ClosedError), e:
        pass


def test_every_enumerator_of_the_core_has_a_name_here() -> None:
    core = _native.native_core()
    assert set(core.status.values()) == set(Status)
    assert set(core.reason.values()) == set(Reason)
    assert set(core.stage.values()) == set(Stage)
    assert set(core.color.values()) == set(Color)
    assert set(core.forbidden.values()) == set(Forbidden)
    for c_type, ours, missing in (
        ("TgGameStatus", core.status, 0),
        ("TgReason", core.reason, 1),
        ("TgStage", core.stage, 0),
        ("TgForbidden", core.forbidden, 1),
        ("TgColor", core.color, 1),
    ):
        assert len(core.ffi.typeof(c_type).elements) == len(ours) + missing
    assert set(core.codes.values()) == errors._MEANINGS.keys() | {"TG_OK"}


def test_the_signature_is_fnv_1a() -> None:
    rows = [
        BenchRow(0, 15, Rule.RENJU, 7, (7, 8), -12, 1234, 5),
        BenchRow(1, 19, Rule.NINUKI, 7, (0, 0), 3, 99, 5),
    ]
    signature, expected = FNV_OFFSET, 0xCBF29CE484222325
    for row in rows:
        signature = sign(signature, row)
    for byte in b"0:1234:7,8:-12\n1:99:0,0:3\n":
        expected = ((expected ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    assert signature == expected
    assert sign(FNV_OFFSET, rows[0]) != sign(FNV_OFFSET, rows[1])


def test_errors_are_builtins_too() -> None:
    for error, builtin in {
        IllegalMoveError: ValueError,
        OutOfRangeError: ValueError,
        OptionError: ValueError,
        WrongTypeError: TypeError,
        NoUndoError: IndexError,
        ClosedError: RuntimeError,
        NoMoveError: RuntimeError,
        errors.LibraryError: OSError,
        errors.OutOfMemoryError: MemoryError,
    }.items():
        assert issubclass(error, EngineError) and issubclass(error, builtin)
    with pytest.raises(EngineError, match="TG_ERR_NEW"):
        errors.check("TG_ERR_NEW")
    errors.check("TG_OK")


def test_the_old_name_of_an_error_is_caught_for_one_more_version() -> None:
    assert pyengine.BarredError is pyengine.ForbiddenError
