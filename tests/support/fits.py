"""Runs, stops and continues the programs that fit a network; damages their states."""

import re
import signal
import struct
import subprocess
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from build_weights import ASSETS

FREESTYLE = ASSETS / "freestyle.tgw"


def command_of(fitter: Path, out: Path, *options: object, epochs: int = 1) -> list[str]:
    """Returns the command of a fit for freestyle. The state is beside its result."""
    command = [fitter, epochs, out, FREESTYLE, *options, "--state", out.with_suffix(".state")]
    return list(map(str, command))


def fit(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a fit to its end."""
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def epochs_of(text: str) -> set[str]:
    """Returns the lines with the losses and with the yardstick."""
    return {line for line in text.splitlines() if "  epoch" in line or "yardstick" in line}


def stop(command: list[str], number: int, *, after: str) -> tuple[str, bool]:
    """Sends a signal shortly after a line; returns the output, and whether the fit stopped."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        text = ""
        while after not in text and running.poll() is None:
            text += running.stdout.readline()
        time.sleep(0.03)
        running.send_signal(number)
        text += running.communicate()[0]
    is_stopped = running.returncode != 0
    assert not is_stopped or running.returncode in (-signal.SIGKILL, 128 + number)
    assert ("the same command continues" in text) == (running.returncode == 128 + number)
    return text, is_stopped


def check_interrupted(
    command_of: Callable[..., list[str]],
    folder: Path,
    moments: Sequence[tuple[str, int]],
    batch: int,
) -> list[str]:
    """Checks that a fit of several epochs has the same result with and without interruptions.

    `command_of` takes the path of the result and further options. The fit is stopped after the
    texts of `moments`, by their signals. Returns the last command.
    """
    whole, cut = folder / "whole.json", folder / "cut.json"
    done = fit(command_of(whole))
    assert done.returncode == 0, done.stderr
    batches = int(done.stdout.split()[1]) // batch
    text = ""
    for after, number in moments:
        often = ("--save-minutes", 0) if number == signal.SIGKILL else ()
        said, is_stopped = stop(command_of(cut, *often), number, after=after)
        text += said
        if not is_stopped:
            break
        assert not cut.exists()
    command = command_of(cut)
    text += fit(command).stdout
    steps = list(map(int, re.findall(r"continued after step (\d+) of", text)))
    assert any(step > batches and step % batches for step in steps), "none in a later epoch"
    assert cut.read_bytes() == whole.read_bytes()
    assert cut.with_suffix(".state").read_bytes() == whole.with_suffix(".state").read_bytes()
    assert epochs_of(text) == epochs_of(done.stdout)
    return command


def with_sum(data: bytes) -> bytes:
    """Returns a state with the checksum of its bytes."""
    return data[:-4] + struct.pack("<I", zlib.crc32(data[:-4]))


def changed(data: bytes, place: int) -> bytes:
    """Returns the bytes with one of them changed."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
