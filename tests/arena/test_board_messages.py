"""The board's server: which messages it accepts, and analyses of positions."""

import asyncio
import sys
import threading
from pathlib import Path

from aiohttp import WSMsgType

from arena.board.messages import MAX_BYTES
from arena.engines.spec import EngineSpec
from arena.play.engine import default_engine
from tests.support.board_host import Host, Script, Serve, run_host
from tests.support.fakes import fake
from tests.support.stopwatch import Stopwatch


def test_a_long_message_ends_the_connection(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            await client.socket.send_str("x" * (MAX_BYTES + 1))
            answer = await client.socket.receive(timeout=30)
            assert answer.type is WSMsgType.CLOSE
            assert answer.data == 1009

    serve(script)


def test_bytes_end_the_connection(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            await client.socket.send_bytes(b"\0")
            answer = await client.socket.receive(timeout=30)
            assert (answer.type, answer.data) == (WSMsgType.CLOSE, 1003)

    serve(script)


WRONG = {
    "nonsense": "JSON object",
    "[1]": "JSON object",
    "[" * 10_000: "JSON object",
    "{}": "do:",
    '{"do": "move"}': "ply:",
    '{"do": "move", "ply": 0, "at": [1]}': "at:",
    '{"do": "move", "ply": 0, "at": [true, 2]}': "at:",
    '{"do": "start", "rule": 3, "size": 15}': "rule:",
    '{"do": "start", "rule": 0, "size": 4, "turn_ms": 1}': "size:",
    '{"do": "start", "rule": 0, "size": 15}': "turn_ms, match_ms",
    '{"do": "start", "rule": 0, "size": 15, "turn_ms": 0}': "turn_ms:",
    '{"do": "start", "rule": 0, "size": 15, "turn_ms": 1, "black": 7}': "black:",
    '{"do": "start", "rule": 0, "size": 15, "turn_ms": 1, "black": "nobody"}': "nobody",
    '{"do": "start", "rule": 0, "size": 15, "turn_ms": 1, "level": 11}': "level:",
    '{"do": "start", "rule": 0, "size": 15, "turn_ms": 1, "moves": [[0,0],[0,0]]}': "move 2",
    '{"do": "analyse", "size": 15, "rule": 0, "lines": 11, "to_move": 1, "id": 1}': "lines:",
    '{"do": "analyse", "size": 15, "rule": 2, "lines": 1, "to_move": 1, "id": 1}': "rule:",
    '{"do": "analyse", "size": 15, "rule": 0, "lines": 1, "to_move": 3, "id": 1}': "to_move:",
    '{"do": "analyse", "size": 9, "stones": [[9, 0, 1]]}': "9,0 is off the board",
    '{"do": "analyse", "size": 9, "stones": [[0, 0, 1], [0, 0, 2]]}': "0,0 is taken",
    '{"do": "analyse", "size": 9, "stones": [[0, 0]]}': "stones:",
    '{"do": "analyse", "size": 9, "stones": [[0, 0, true]]}': "stones:",
    '{"do": "analyse", "size": 9, "to_move": 1, "black_captures": 39}': "black_captures:",
    '{"do": "analyse", "size": 9, "rule": 0, "lines": 1, "to_move": 1, "id": 1}': "not installed",
    '{"do": "stop"}': "no game",
    '{"do": "resign"}': "no game",
    '{"do": "undo"}': "take back",
}


def test_wrong_messages_are_refused_by_name(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            for text, why in WRONG.items():
                await client.socket.send_str(text)
                refused = await client.next("refused")
                assert why in refused["why"], text[:80]

    serve(script)


def analysed(script: Script, tmp_path: Path, engine: EngineSpec) -> None:
    """Runs a script against a server that analyses with this engine."""
    run_host(script, tmp_path / "games", [engine], own=engine.name)


OPEN_FOUR = [[7, 7, 1], [0, 0, 2], [8, 7, 1], [0, 2, 2], [9, 7, 1], [0, 4, 2]]


ASKED = {"do": "analyse", "size": 15, "rule": 0, "lines": 2, "to_move": 1}


def test_tengen_analyses_one_position_after_the_other(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            await client.send(**ASKED, id=1, stones=[])
            event = await client.next("analysis")
            while len(event["lines"]) < 2 or event["lines"][1]["depth"] < 6:
                event = await client.next("analysis")
                assert event["id"] == 1
            assert event["lines"][0]["nodes"] > 1000
            # a new position halts the one before
            watch = Stopwatch()
            await client.send(**ASKED, id=2, stones=OPEN_FOUR)
            assert await client.next("analysed") == {"is": "analysed", "id": 1, "problem": ""}
            assert watch.own_s < 1
            event = await client.next("analysis")
            while not event["lines"][0]["mate"]:
                event = await client.next("analysis")
            assert event["id"] == 2
            assert event["lines"][0]["pv"][0] in ([6, 7], [10, 7])
            assert 0 < event["lines"][0]["mate"] <= 3
            # the same position with the captured pairs of another game and rule
            four = {"black_captures": 4, "size": 19, "rule": 16}
            stones = [[3, 3, 1], [4, 3, 2], [5, 3, 2]]
            await client.send(**{**ASKED, **four}, id=3, stones=stones)
            while event["id"] != 3 or not event["lines"][0]["mate"]:
                event = await client.next("analysis")
            assert event["lines"][0]["pv"][0] == [6, 3], "the fifth pair wins"
            await client.send(do="halt")
            assert (await client.next("analysed"))["id"] in (2, 3)
            # a page that goes leaves no search behind
            await client.send(**ASKED, id=4, stones=[])
            while event["id"] != 4:
                event = await client.next("analysis")
        async with asyncio.timeout(10):
            while analysing():
                await asyncio.sleep(0.05)

    analysed(script, tmp_path, default_engine())


def analysing() -> bool:
    """Whether a thread of an analysis lives."""
    return any(thread.name == "analysis" for thread in threading.enumerate())


def test_an_engine_that_fails_at_analysis_is_told_of(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            for number in (1, 2):
                await client.send(**ASKED, id=number, stones=[])
                told = await client.next("analysed")
                assert told["id"] == number
                assert "broke down" in told["problem"]

    short = "input(); print('OK', flush=True); input()"
    analysed(script, tmp_path, EngineSpec("tengen", (sys.executable, "-c", short)))


def test_an_engine_that_does_not_stop_is_ended(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            await client.send(**ASKED, id=1, stones=[])  # it does not know YXNBEST
            await client.send(do="halt")
            told = await client.next("analysed")
            assert "broke down" in told["problem"]

    analysed(script, tmp_path, EngineSpec("tengen", tuple(fake("none"))))
