"""The command `tengen-arena board`: how it starts, how it ends, and its errors."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.support.board_host import PAGE, Host
from tests.support.fakes import fake, no_brain_is_left


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
