"""The server of the board page: one page and one WebSocket on the loopback interface.

Who may use it is decided before anything else: the address holds a random token, `Host` has to be
this server, and the socket's `Origin` has to be this page. Messages have a greatest size, and one
page at a time holds the socket.
"""

import asyncio
import contextlib
import hmac
import secrets
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler, Middleware

from ..engines.spec import EngineSpec
from .keeping import Keeper
from .messages import MAX_BYTES, MessageError, read_message
from .room import Event, Room

__all__ = ["LOOPBACK", "BoardServer", "serve"]

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 24
LINES_S = 0.1
"""The interval at which new lines of the conversation and of an analysis are sent."""
HEARTBEAT_S = 20.0
MARKER = '<meta name="tengen-server" content="">'
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class BoardServer:
    """Serves one board under one token."""

    def __init__(
        self, page: str, brains: Sequence[EngineSpec], keeper: Keeper, *, own: str | None = None
    ) -> None:
        """Takes the text of the page; raises ValueError where it is not the page of a board."""
        if MARKER not in page:
            raise ValueError("the page is of another version: build it again by `make board`")
        self._page = page.replace(MARKER, MARKER.replace('""', '"socket"'))
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._room = Room(brains, keeper, self._tell, own=own)
        self._socket: web.WebSocketResponse | None = None
        self._is_taken = False
        self._runner: web.AppRunner | None = None
        self._port = 0

    async def start(self, port: int = 0) -> str:
        """Listens on the loopback interface and returns the address; raises OSError."""
        app = web.Application(middlewares=[self._guard()], client_max_size=MAX_BYTES)
        app.router.add_get("/{token}/", self._get_page)
        app.router.add_get("/{token}/socket", self._get_socket)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return f"http://{LOOPBACK}:{self._port}/{self.token}/"

    async def close(self) -> None:
        """Ends every brain and lets go of the port."""
        await asyncio.to_thread(self._room.close)
        if self._socket is not None:
            await self._socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server has ended")
        if self._runner is not None:
            await self._runner.cleanup()

    def _tell(self, event: Event) -> None:
        """Queues an event for the page; called from any thread."""
        self._loop.call_soon_threadsafe(self._events.put_nowait, event)

    def _guard(self) -> Middleware:
        """Returns the middleware that checks every request and sets the headers of each answer."""

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            hosts = (f"{LOOPBACK}:{self._port}", f"localhost:{self._port}")
            if request.headers.get("Host") not in hosts:
                return _refusal(403, "this host is not served")
            token = request.match_info.get("token", "")
            if not hmac.compare_digest(token.encode(), self.token.encode()):
                return _refusal(404, "not found")
            try:
                response = await handler(request)
            except web.HTTPException as error:
                return _refusal(error.status, error.reason)
            if not response.prepared:
                response.headers.update(HEADERS)
            return response

        return guard

    async def _get_page(self, _request: web.Request) -> web.Response:
        return web.Response(text=self._page, content_type="text/html")

    async def _get_socket(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Origin") != f"http://{request.headers['Host']}":
            return _refusal(403, "this origin may not connect")
        if self._is_taken:
            return _refusal(409, "the board is open in another window")
        socket = web.WebSocketResponse(max_msg_size=MAX_BYTES, heartbeat=HEARTBEAT_S)
        self._is_taken = True
        try:
            await socket.prepare(request)
            self._socket = socket
            await self._talk(socket)
        finally:
            self._socket = None
            self._is_taken = False
        return socket

    async def _talk(self, socket: web.WebSocketResponse) -> None:
        """Sends events and takes messages until the page goes."""
        while not self._events.empty():
            self._events.get_nowait()  # the greeting says it all
        await socket.send_json(self._room.greeting())
        senders = [asyncio.create_task(self._send_events(socket))]
        senders.append(asyncio.create_task(self._send_lines(socket)))
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    await socket.close(code=WSCloseCode.UNSUPPORTED_DATA, message=b"text only")
                    return
                try:
                    asked = read_message(message.data)
                except MessageError as error:
                    self._room.refuse(str(error))
                    continue
                await asyncio.to_thread(self._room.handle, asked)
        finally:
            for sender in senders:
                sender.cancel()
            self._loop.run_in_executor(None, self._room.halt)  # nobody looks at the analysis now

    async def _send_events(self, socket: web.WebSocketResponse) -> None:
        while True:
            event = await self._events.get()
            if event["is"] == "end" and (said := self._room.lines()) is not None:
                await socket.send_json(said)
            await socket.send_json(event)

    async def _send_lines(self, socket: web.WebSocketResponse) -> None:
        while True:
            await asyncio.sleep(LINES_S)
            for event in self._room.news():
                await socket.send_json(event)


def _refusal(status: int, text: str) -> web.Response:
    return web.Response(status=status, text=f"{text}\n", headers=HEADERS)


async def serve(
    page: Path,
    brains: Sequence[EngineSpec],
    keeper: Keeper,
    *,
    own: str | None,
    port: int,
    on_address: Callable[[str], None],
) -> None:
    """Serves the board until it is cancelled; every brain has ended when this returns.

    SIGTERM cancels it, as `asyncio.run` has Ctrl-C do: an exception out of a signal's handler could
    leave from any line, one that holds a lock among them, and the game's end would wait for ever.

    Raises OSError where the port cannot be had, ValueError where the page cannot be used.
    """
    server = BoardServer(page.read_text(encoding="utf-8"), brains, keeper, own=own)
    try:
        _cancel_at_sigterm()
        address = await server.start(port)
        on_address(address)
        await asyncio.Event().wait()
    finally:
        await server.close()


def _cancel_at_sigterm() -> None:
    """Has SIGTERM cancel the task that is under way; only the first one does."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None

    def cancel(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        loop.call_soon_threadsafe(task.cancel)

    with contextlib.suppress(ValueError):  # only the main thread may say what a signal does
        signal.signal(signal.SIGTERM, cancel)
