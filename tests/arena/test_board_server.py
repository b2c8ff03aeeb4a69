"""The board's server with plain clients: who may connect, and what stays behind."""

import asyncio
import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, WSServerHandshakeError

from arena.board.games import Events, Game
from arena.board.keeping import Keeper
from arena.board.messages import MAX_BYTES
from arena.board.server import MARKER, BoardServer
from arena.engines.spec import EngineSpec
from arena.game.files import load_games
from arena.game.game import GameSettings
from arena.game.record import EndReason, GameRecord
from arena.play.engine import default_engine
from arena.rules.referee import Color, Rule
from tests.support.fakes import fake, no_brain_is_left

PAGE = f"<!doctype html><head>{MARKER}</head>"
FIVE = "0,0/1,0/2,0/3,0/4,0"
OTHER = "0,2/1,2/2,2/3,2/4,2"


def brains(**commands: list[str]) -> list[EngineSpec]:
    """The brains of a server, by name."""
    return [EngineSpec(name, tuple(command)) for name, command in commands.items()]


class Client:
    """The page's side of the socket."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send(self, **message: object) -> None:
        await self.socket.send_str(json.dumps(message))

    async def next(self, kind: str) -> dict[str, Any]:
        """Returns the next event of a kind; skips others."""
        async with asyncio.timeout(60):  # a ping restarts the timeout of receive_json
            while True:
                event: dict[str, Any] = await self.socket.receive_json()
                if event["is"] == kind:
                    return event

    async def start(self, black: str | None, white: str | None, **more: object) -> dict[str, Any]:
        values = {"rule": 0, "size": 15, "turn_ms": 5000, **more}
        await self.send(do="start", black=black, white=white, **values)
        return await self.next("game")


class Host:
    """A server with its address."""

    def __init__(self, server: BoardServer, address: str, session: ClientSession) -> None:
        self.server = server
        self.address = address
        self.session = session
        self.origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))

    @contextlib.asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        """Returns a connected page whose greeting is still to be read."""
        async with self.session.ws_connect(
            f"{self.address}socket", headers={"Origin": self.origin}
        ) as socket:
            yield Client(socket)


Script = Callable[[Host], Awaitable[None]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Runs a script against a server with brains; checks that none of them is left."""

    def run(script: Script, **commands: list[str]) -> None:
        async def main() -> None:
            keeper = Keeper(tmp_path / "games")
            server = BoardServer(PAGE, brains(**commands), keeper)
            address = await server.start()
            try:
                async with ClientSession() as session:
                    await script(Host(server, address, session))
            finally:
                await server.close()

        asyncio.run(main())

    yield run
    assert no_brain_is_left()


def status(address: str, path: str | None = None, **headers: str) -> tuple[int, dict[str, str]]:
    """Returns the status of a plain request."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    connection.request("GET", path or parts.path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}


async def asked(address: str, path: str | None = None, **headers: str) -> int:
    return (await asyncio.to_thread(lambda: status(address, path, **headers)))[0]


# ---- who may use it


def test_the_page_knows_that_it_is_served(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.session.get(host.address) as answer:
            assert answer.status == 200
            assert 'name="tengen-server" content="socket"' in await answer.text()

    serve(script)


def test_only_the_loopback_interface_listens(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        port = urlsplit(host.address).port
        own = psutil.Process().net_connections(kind="tcp")
        bound = {c.laddr.ip for c in own if c.status == psutil.CONN_LISTEN and c.laddr.port == port}
        assert bound == {"127.0.0.1"}

    serve(script)


@pytest.mark.parametrize("path", ["/", "/index.html", "/wrong/", "/wrong/socket", "//", "/%00/"])
def test_nothing_is_served_without_the_token(serve: Callable[..., None], path: str) -> None:
    async def script(host: Host) -> None:
        assert await asked(host.address, path) == 404

    serve(script)


def test_a_token_is_long_and_another_each_time(serve: Callable[..., None]) -> None:
    tokens: list[str] = []

    async def script(host: Host) -> None:
        tokens.append(host.server.token)
        near = host.server.token[:-1]
        assert await asked(host.address, f"/{near}/") == 404
        assert await asked(host.address, f"/{host.server.token}x/") == 404

    serve(script)
    serve(script)
    assert tokens[0] != tokens[1]
    assert all(len(token) >= 32 for token in tokens)


@pytest.mark.parametrize("name", ["evil.example", "evil.example:PORT", "127.0.0.1", "[::1]:PORT"])
def test_another_host_is_refused(serve: Callable[..., None], name: str) -> None:
    async def script(host: Host) -> None:
        wrong = name.replace("PORT", str(urlsplit(host.address).port))
        assert await asked(host.address, Host=wrong) == 403
        assert await asked(host.address, Host=f"localhost:{urlsplit(host.address).port}") == 200

    serve(script)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", None])
def test_another_origin_gets_no_socket(serve: Callable[..., None], origin: str | None) -> None:
    async def script(host: Host) -> None:
        headers = {} if origin is None else {"Origin": origin}
        with pytest.raises(WSServerHandshakeError) as refused:
            await host.session.ws_connect(f"{host.address}socket", headers=headers)
        assert refused.value.status == 403

    serve(script)


def test_the_answers_keep_the_address_to_themselves(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        for path in (None, "/wrong/"):
            _, headers = await asyncio.to_thread(status, host.address, path)
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-frame-options"] == "DENY"
            assert headers["cache-control"] == "no-store"
            assert headers["x-content-type-options"] == "nosniff"
            assert "access-control-allow-origin" not in headers

    serve(script)


def test_one_window_at_a_time(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as first:
            await first.next("hello")
            with pytest.raises(WSServerHandshakeError) as refused:
                async with host.client():
                    pass
            assert refused.value.status == 409
        for _ in range(100):  # the server notices a moment later that the first one is gone
            with contextlib.suppress(WSServerHandshakeError):
                async with host.client() as second:
                    await second.next("hello")
                return
            await asyncio.sleep(0.05)
        pytest.fail("the board stays taken")

    serve(script)


# ---- messages


def test_a_long_message_ends_the_connection(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            await client.socket.send_str("x" * (MAX_BYTES + 1))
            answer = await client.socket.receive(timeout=30)
            assert answer.type is WSMsgType.CLOSE
            assert answer.data == 1009

    serve(script)


def test_bytes_end_the_connection(serve: Callable[..., None]) -> None:
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


def test_wrong_messages_are_refused_by_name(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.next("hello")
            for text, why in WRONG.items():
                await client.socket.send_str(text)
                refused = await client.next("refused")
                assert why in refused["why"], text[:80]

    serve(script)


# ---- analysis


def analysed(script: Script, tmp_path: Path, tengen: EngineSpec) -> None:
    """Runs a script against a server that has Tengen, or what stands for it."""

    async def main() -> None:
        server = BoardServer(PAGE, [tengen], Keeper(tmp_path / "games"), own=tengen.name)
        address = await server.start()
        try:
            async with ClientSession() as session:
                await script(Host(server, address, session))
        finally:
            await server.close()

    asyncio.run(main())
    assert no_brain_is_left()


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
            began = time.monotonic()
            await client.send(**ASKED, id=2, stones=OPEN_FOUR)
            assert await client.next("analysed") == {"is": "analysed", "id": 1, "problem": ""}
            assert time.monotonic() - began < 1
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


# ---- games


def test_two_brains_play_and_the_game_is_kept(serve: Callable[..., None], tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            hello = await client.next("hello")
            assert [brain["name"] for brain in hello["brains"]] == ["one", "two"]
            await client.start("one", "two", memory_mib=500)
            at = [(await client.next("move"))["at"] for _ in range(9)]
            assert at[:3] == [[0, 0], [0, 2], [1, 0]]
            end = await client.next("end")
            assert (end["winner"], end["reason"], end["forfeit"]) == ("black", "five", False)
            assert "black wins after 9 moves" in end["verdict"]
            assert [Path(path).suffix for path in end["files"]] == [".psq", ".sgf"]
        async with host.client() as again:
            state = (await again.next("hello"))["game"]
            assert len(state["moves"]) == 9
            assert ["black", ">", "START 15"] in state["said"]
            assert ["white", "<", "0,2"] in state["said"]
            assert state["end"]["winner"] == "black"

    serve(script, one=fake("none", moves=FIVE), two=fake("none", moves=OTHER))
    for path in (tmp_path / "games").rglob("*"):
        if path.is_file():
            (record,) = load_games(path)
            assert (record.winner, record.reason) == ("black", EndReason.FIVE)
    assert (tmp_path / "games" / "games.jsonl").is_file()


@pytest.mark.parametrize(
    ("fault", "reason", "word"),
    [
        ("crash", "crash", "exit code 3"),
        ("stall", "time", "no answer to TURN"),
        ("occupied", "illegal", "is occupied"),
        ("flood", "time", "no answer to TURN"),
        ("start-crash", "crash", "exit code 3"),
        ("says", "protocol", "rubbish"),
    ],
)
def test_a_fault_loses_the_game(
    serve: Callable[..., None], fault: str, reason: str, word: str
) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("good", "bad", turn_ms=300)
            end = await client.next("end")
            assert (end["winner"], end["reason"], end["forfeit"]) == ("black", reason, True)
            assert word in end["verdict"]
            await client.send(do="stop")
            assert "no game" in (await client.next("refused"))["why"]

    serve(script, good=fake("none"), bad=fake(fault, text="rubbish\\n"))


def test_a_game_is_over_when_its_end_is_told() -> None:
    running: list[bool] = []
    end = threading.Event()

    def on_end(_record: GameRecord | None, _problem: str) -> None:
        running.append(game.is_running)
        end.set()

    def ignore(*_told: object) -> None:
        pass

    events = Events(turn=ignore, move=ignore, line=ignore, refused=ignore, end=on_end)
    settings = GameSettings(size=15, rule=Rule.FREESTYLE, turn_ms=5000)
    one, two = brains(one=fake("none", moves=FIVE), two=fake("none", moves=OTHER))
    game = Game({Color.BLACK: one, Color.WHITE: two}, settings, events)
    game.start()
    assert end.wait(60)
    assert running == [False]
    game.stop()
    assert no_brain_is_left()


def test_memory_is_limited_as_in_a_match(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("good", "fat", memory_mib=60)
            assert (await client.next("end"))["reason"] == "memory"

    serve(script, good=fake("none"), fat=fake("memory"))


def test_a_person_plays_a_brain(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            game = await client.start(None, "brain", rule=0)
            assert game["people"] == ["black"]
            for ply, at in ((0, [15, 0]), (0, [-1, 3]), (1, [7, 7])):
                await client.send(do="move", at=at, ply=ply)
                assert await client.next("refused")
            for number in range(5):
                await client.send(do="move", at=[number, 14], ply=2 * number)
                assert (await client.next("move"))["at"] == [number, 14]
                if number == 4:
                    break
                assert (await client.next("move"))["color"] == "white"
                await client.send(do="move", at=[number, 14], ply=2 * number + 2)
                assert "taken" in (await client.next("refused"))["why"]
            assert (await client.next("end"))["winner"] == "black"

    serve(script, brain=fake("none"))


def test_undo_gives_the_turn_back(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start(None, "brain")
            await client.send(do="undo")
            assert "take back" in (await client.next("refused"))["why"]
            for number in range(2):
                await client.send(do="move", at=[7, number + 5], ply=2 * number)
                await client.next("move")
                await client.next("move")
            await client.send(do="undo")
            game = await client.next("game")
            assert game["opening"] == [[7, 5], [0, 0]]
            await client.send(do="move", at=[8, 8], ply=2)
            assert (await client.next("move"))["at"] == [8, 8]
            assert (await client.next("move"))["color"] == "white"

    serve(script, brain=fake("none"))


def test_resigning_and_stopping(serve: Callable[..., None], tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("slow", None, turn_ms=60_000)
            await client.next("move")
            await client.send(do="resign")
            end = await client.next("end")
            assert (end["winner"], end["forfeit"]) == ("black", False)
            assert "white resigns" in end["verdict"]
            # while a brain thinks
            await client.start("slow", "slow2", turn_ms=60_000, moves=[[7, 7]])
            await client.next("move")
            began = time.monotonic()
            await client.send(do="stop")
            end = await client.next("end")
            assert time.monotonic() - began < 30
            assert (end["winner"], end["forfeit"]) == (None, False)
            assert "stopped" in end["verdict"]

    serve(script, slow=fake("stall", at=2), slow2=fake("none"))
    first, second = load_games(tmp_path / "games" / "games.jsonl")
    assert (first.winner, second.winner) == ("black", None)


def test_a_flood_of_lines_is_cut(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("flood", "good", turn_ms=1500)
            dropped = most = 0
            while True:
                async with asyncio.timeout(60):
                    event = await client.socket.receive_json()
                if event["is"] == "said":
                    dropped += event["dropped"]
                    most = max(most, len(event["lines"]))
                if event["is"] == "end":
                    break
            assert dropped > 0
            assert most <= 200

    serve(script, flood=fake("flood", at=1), good=fake("none"))


def test_a_game_goes_on_while_the_page_is_loaded_again(serve: Callable[..., None]) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start(None, "brain")
            await client.send(do="move", at=[7, 7], ply=0)
            await client.next("move")
            await client.next("move")
        await asyncio.sleep(0.2)
        async with host.client() as client:
            state = (await client.next("hello"))["game"]
            assert len(state["moves"]) == 2
            assert state["turn"]["color"] == "black"
            assert state["end"] is None
            await client.send(do="move", at=[8, 8], ply=2)
            assert (await client.next("move"))["at"] == [8, 8]

    serve(script, brain=fake("none"))


# ---- the command


def started(tmp_path: Path, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    """The command, with a page of its own."""
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    return subprocess.Popen(
        [sys.executable, "-m", "arena", "board", *arguments, "--page", str(page)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def address_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    found = re.search(r"http://127\.0\.0\.1:\d+/\S+/", process.stdout.readline())
    assert found
    return found[0]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_ends_the_server_and_every_brain(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    words = " ".join(fake("stall", at=1))
    out = tmp_path / "games"
    process = started(tmp_path, f"X={words}", "--no-browser", "--out", str(out))
    address = address_of(process)

    async def script() -> None:
        async with ClientSession() as session:
            host = Host.__new__(Host)
            host.address, host.session = address, session
            host.origin = address.rsplit("/", 2)[0]
            async with host.client() as client:
                await client.start("X", "X", turn_ms=60_000)
                await client.next("turn")
                process.send_signal(number)
                with contextlib.suppress(TypeError):
                    await client.next("never")

    asyncio.run(script())
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    assert no_brain_is_left()


def test_the_browser_is_opened_unless_told_otherwise(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" >{noted}.part; mv {noted}.part {noted}\n')
    browser.chmod(0o755)
    for arguments in ([], ["--no-browser"]):
        noted.unlink(missing_ok=True)
        process = started(tmp_path, *arguments, BROWSER=str(browser))
        address = address_of(process)
        until = time.monotonic() + (60 if not arguments else 1)
        while not noted.exists() and time.monotonic() < until:
            time.sleep(0.05)
        process.terminate()
        process.communicate(timeout=60)
        assert noted.exists() == (not arguments)
        if not arguments:
            assert noted.read_text() == address


def test_what_is_missing_is_said_in_one_line(tmp_path: Path) -> None:
    hidden = tmp_path / "aiohttp"
    hidden.mkdir()
    (hidden / "__init__.py").write_text("raise ModuleNotFoundError('no', name='aiohttp')")
    process = started(tmp_path, "--no-browser", PYTHONPATH=str(tmp_path))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    advice = "needs aiohttp: pip install 'tengen-arena[board]'"
    assert errors == f"tengen-arena board: error: {advice}\n"


def test_a_wrong_page_or_port_is_said(tmp_path: Path) -> None:
    def said(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "board", "--no-browser", *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        return done.stderr

    assert "no such file" in said("--page", str(tmp_path / "none.html"))
    other = tmp_path / "other.html"
    other.write_text("<p>")
    assert "make board" in said("--page", str(other))
