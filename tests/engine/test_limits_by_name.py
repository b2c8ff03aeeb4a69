"""Searches with limits as keywords, squares by name, a Position, and from an event loop."""

import asyncio
import time

import pytest

from pyengine import (
    ClosedError,
    Color,
    Engine,
    Limits,
    NotASquareError,
    OffBoardError,
    OutOfRangeError,
    Position,
    Rule,
    WrongTypeError,
)
from records.winrate import wdl

MOVES = "h8 i9 h10 i8 j7"


def test_keywords_are_limits() -> None:
    position = Position.from_text(MOVES, rule="renju")
    with Engine(rule="renju", memory_mib=1) as engine:
        engine.set_position(position)
        by_limits = engine.search(Limits(nodes=3000, excluded=[(8, 8)]))
        engine.clear_table()
        by_names = engine.search(nodes=3000, excluded=["i7"])
        assert by_names.move == by_limits.move
        assert by_names.nodes == by_limits.nodes
        assert by_names.move != (8, 8)


def test_a_position_brings_rule_and_size() -> None:
    with Engine(memory_mib=1) as engine:
        result = engine.search(Position(9, "caro"), nodes=500)
        assert (engine.size, engine.rule, engine.moves) == (9, Rule.CARO, [])
        assert (result.size, result.rule) == (9, Rule.CARO)
        engine.search(Position.from_text("h8 i9"), nodes=500)
        assert (engine.size, engine.moves) == (15, ["h8", "i9"])
        engine.search(Position.from_text("h8 i9 j10"), nodes=500)
        assert engine.moves == ["h8", "i9", "j10"]
        engine.search(Position.from_text("h8 a1"), nodes=500)
        assert engine.moves == ["h8", "a1"]
        assert engine.stones == {"h8": Color.BLACK, "a1": Color.WHITE}
        engine.undo()
        assert engine.moves == ["h8"]


def test_the_search_goes_on_with_its_table() -> None:
    """A move later in the same game the table is still filled: the way back takes few nodes."""
    with Engine(memory_mib=8) as engine:
        position, later = Position.from_text(MOVES), Position.from_text(MOVES)
        first = engine.search(position, depth=12)
        later.play(first.move)
        engine.search(later, depth=2)
        assert engine.search(position, depth=12).nodes < 0.8 * first.nodes
        engine.clear_table()
        assert engine.search(position, depth=12).nodes == first.nodes


def test_results_have_names_and_win_rates() -> None:
    with Engine(memory_mib=1) as engine:
        engine.set_position(Position.from_text(MOVES))
        result = engine.search(nodes=2000)
        assert result.name == result.names[0]
        assert Position().square(result.name) == result.move
        assert [Position().square(name) for name in result.names] == result.pv
        assert 0 < result.win_rate < 1
        assert str(result).startswith(f"depth {result.depth}  {result.score:+} (")
        assert str(result).endswith(" ".join(result.names))
        line = engine.progress()[-1]
        assert (line.name, line.win_rate > 0) == (line.names[0], True)


def test_results_have_the_chances_of_their_position() -> None:
    """Also after the engine's position has changed."""
    with Engine(memory_mib=1) as engine:
        engine.set_position(Position.from_text(MOVES))
        moves = len(Position.from_text(MOVES).moves)
        result = engine.search(nodes=2000)
        engine.play(result.move)
        assert result.placed == engine.progress()[-1].placed == moves
        assert engine.search(nodes=2000).placed == moves + 1
        assert result.wdl == wdl(0, result.score, result.mate, size=15, placed=moves)
        assert result.wdl.win + result.wdl.draw / 2 == pytest.approx(result.win_rate)


def test_captured_stones_were_placed() -> None:
    with Engine(rule="pente", size=19, memory_mib=1) as engine:
        engine.set_position(black=["k10"], white=["k11"], captures=(1, 0), to_move=Color.BLACK)
        assert engine.search(nodes=500).placed == 4
    with Engine(rule="keryo", size=19, memory_mib=1) as engine:
        engine.set_position(black=["k10"], white=["k11"], captures=(3, 2), to_move=Color.BLACK)
        assert engine.search(nodes=500).placed == 7


def test_an_engine_shows_itself() -> None:
    engine = Engine(memory_mib=1)
    assert repr(engine) == "<Engine 15x15 freestyle, 0 moves>"
    engine.play("h8")
    engine.play("i9")
    assert str(engine) == str(Position.from_text("h8 i9"))
    engine.set_position(black=["h8"], white=["a1", (1, 0)], to_move="white")
    assert repr(engine) == "<Engine 15x15 freestyle, 3 stones set up, 0 moves>"
    assert engine.position.turn is Color.WHITE
    assert engine.legal("b1") and not engine.legal("h8")
    engine.close()
    assert repr(engine) == str(engine) == "<Engine, closed>"


def test_proofs_of_a_position() -> None:
    four = Position.from_text("h8 a1 h9 a3 h10 a5 h11 o1")
    with Engine(memory_mib=1) as engine:
        assert four.names(engine.vcf(four)) in (["h12"], ["h7"])
        assert engine.vct(four) is not None
        assert engine.vcf(Position()) is None


def test_wrong_limits_are_named() -> None:
    position = Position()
    with Engine(memory_mib=1) as engine:
        with pytest.raises(OutOfRangeError, match="search needs time_ms, nodes or depth"):
            engine.search()
        with pytest.raises(OutOfRangeError, match="search needs time_ms"):
            engine.search(position, lines=2)
        with pytest.raises(WrongTypeError, match="search takes Limits or time_ms=, not both"):
            engine.search(Limits(nodes=1), time_ms=1)
        with pytest.raises(WrongTypeError, match="limits must be a Limits or a Position, not 500"):
            engine.search(500)  # type: ignore[arg-type]
        with pytest.raises(WrongTypeError, match="a Position or stones, not both"):
            engine.set_position(position, black=["h8"])
        with pytest.raises(WrongTypeError, match="position must be a Position, not 'h8'"):
            engine.set_position("h8")  # type: ignore[arg-type]
        with pytest.raises(NotASquareError, match="expected a square such as h8 or 7,7"):
            engine.play("h")
        with pytest.raises(OffBoardError, match="off the board"):
            engine.search(nodes=1, excluded=["p1"])
        with pytest.raises(OutOfRangeError, match="rule must be one of freestyle"):
            engine.reset(rule="go")
        with pytest.raises(NotASquareError, match="squares must be a list"):
            engine.set_position(black="h8")
        assert engine.moves == []


def test_a_search_is_awaited() -> None:
    async def work() -> tuple[int, list[str]]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        with Engine(memory_mib=1) as one, Engine(memory_mib=1) as other:
            found = await asyncio.gather(
                one.search_async(Position.from_text(MOVES), time_ms=300),
                other.search_async(Position.from_text(MOVES), time_ms=300),
            )
        ticking.cancel()
        return ticks, [result.name for result in found]

    ticks, names = asyncio.run(work())
    assert ticks >= 5
    assert all(names)


def test_a_cancelled_search_stops() -> None:
    async def work(engine: Engine) -> None:
        task = asyncio.create_task(engine.search_async(Position.from_text(MOVES), time_ms=60_000))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    began = time.monotonic()
    with Engine(memory_mib=1) as engine:
        asyncio.run(work(engine))
        assert engine.search(nodes=100).nodes >= 0
    assert time.monotonic() - began < 30


def test_an_analysis_is_awaited() -> None:
    async def work(engine: Engine) -> tuple[list[int], str]:
        depths = []
        analysis = engine.analyse(Position.from_text(MOVES), lines=2, depth=5)
        async for view in analysis:
            depths.append(view.depth)
            assert len(str(view).splitlines()) == len(view.lines) == 2
        return depths, (await analysis).name

    with Engine(memory_mib=1) as engine:
        depths, name = asyncio.run(work(engine))
        assert depths == sorted(depths)
        assert depths[-1] == 5
        assert engine.legal(name)


def test_what_an_awaited_search_raises() -> None:
    engine = Engine(memory_mib=1)
    engine.close()
    with pytest.raises(ClosedError):
        asyncio.run(engine.search_async(nodes=10))
