"""A server of the board with the brains of a test, and the page's side of its socket."""

import asyncio
import contextlib
import http.client
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from aiohttp import ClientSession, ClientWebSocketResponse

from arena.board.keeping import Keeper
from arena.board.server import MARKER, BoardServer
from arena.engines.spec import EngineSpec
from tests.support.fakes import no_brain_is_left

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


class Serve(Protocol):
    """Runs a script against a server that has brains of these names."""

    def __call__(self, script: Script, **commands: list[str]) -> None:
        """Returns when the server is closed."""


def run_host(
    script: Script, folder: Path, engines: list[EngineSpec], own: str | None = None
) -> None:
    """Runs a script against a server; checks that no brain is left.

    folder: for the games. own: the name of the engine that analyses.
    """

    async def main() -> None:
        server = BoardServer(PAGE, engines, Keeper(folder), own=own)
        address = await server.start()
        try:
            async with ClientSession() as session:
                await script(Host(server, address, session))
        finally:
            await server.close()

    asyncio.run(main())
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
