"""The board's server: who may connect."""

import asyncio
import contextlib
from urllib.parse import urlsplit

import psutil
import pytest
from aiohttp import WSServerHandshakeError

from tests.support.board_host import Host, Serve, asked, status


def test_the_page_knows_that_it_is_served(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.session.get(host.address) as answer:
            assert answer.status == 200
            assert 'name="tengen-server" content="socket"' in await answer.text()

    serve(script)


def test_only_the_loopback_interface_listens(serve: Serve) -> None:
    async def script(host: Host) -> None:
        port = urlsplit(host.address).port
        own = psutil.Process().net_connections(kind="tcp")
        bound = {c.laddr.ip for c in own if c.status == psutil.CONN_LISTEN and c.laddr.port == port}
        assert bound == {"127.0.0.1"}

    serve(script)


@pytest.mark.parametrize("path", ["/", "/index.html", "/wrong/", "/wrong/socket", "//", "/%00/"])
def test_nothing_is_served_without_the_token(serve: Serve, path: str) -> None:
    async def script(host: Host) -> None:
        assert await asked(host.address, path) == 404

    serve(script)


def test_a_token_is_long_and_another_each_time(serve: Serve) -> None:
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
def test_another_host_is_refused(serve: Serve, name: str) -> None:
    async def script(host: Host) -> None:
        wrong = name.replace("PORT", str(urlsplit(host.address).port))
        assert await asked(host.address, Host=wrong) == 403
        assert await asked(host.address, Host=f"localhost:{urlsplit(host.address).port}") == 200

    serve(script)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", None])
def test_another_origin_gets_no_socket(serve: Serve, origin: str | None) -> None:
    async def script(host: Host) -> None:
        headers = {} if origin is None else {"Origin": origin}
        with pytest.raises(WSServerHandshakeError) as refused:
            await host.session.ws_connect(f"{host.address}socket", headers=headers)
        assert refused.value.status == 403

    serve(script)


def test_the_answers_keep_the_address_to_themselves(serve: Serve) -> None:
    async def script(host: Host) -> None:
        for path in (None, "/wrong/"):
            _, headers = await asyncio.to_thread(status, host.address, path)
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-frame-options"] == "DENY"
            assert headers["cache-control"] == "no-store"
            assert headers["x-content-type-options"] == "nosniff"
            assert "access-control-allow-origin" not in headers

    serve(script)


def test_one_window_at_a_time(serve: Serve) -> None:
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
