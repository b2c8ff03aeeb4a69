"""Files of games (games.h) in Python, and the programs that write and read them."""

import os
import struct
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_core  # noqa: E402
from arena.openings.book import OpeningError, shipped  # noqa: E402
from build_lock import one_build  # noqa: E402
from build_toolchain import find_toolchain  # noqa: E402
from pyengine import cpu_path  # noqa: E402
from training.textfile import naming  # noqa: E402

HERE = ROOT / "training"
MAGIC = b"TGGAMES\n"
VERSION = 1
_HEADER = struct.Struct("<8sHBBIQIIII16s4BI")
_GAME = struct.Struct("<BBbBHHHH")
_END = struct.Struct("<I")
_PLY_BYTES, _LIST_BYTES = 4, 16


class GamesError(Exception):
    """A file of games cannot be used; the text names the file and what is wrong with it."""


@dataclass(frozen=True)
class Header:
    """The header of a file of games; `asked` is the wanted number, `count` the actual one."""

    rule: int
    size: int
    nodes: int
    seed: int
    asked: int
    count: int
    evaluation: int
    engine: str


@dataclass(frozen=True)
class Contents:
    """The contents of a checked file: its header, and the positions after the openings."""

    header: Header
    positions: int


def read_header(data: bytes, name: str) -> Header:
    """Reads the header of a file. Raises GamesError."""
    if data[:8] != MAGIC[: len(data)] or len(data) < _HEADER.size:
        raise GamesError(f"{name} is no file of games, or is cut short")
    _, version, rule, size, nodes, seed, asked, count, evaluation, _, engine, *_ = (
        _HEADER.unpack_from(data)
    )
    if version != VERSION:
        raise GamesError(f"{name} is of version {version}, not {VERSION}")
    text = engine.rstrip(b"\0").decode("ascii", "replace")
    return Header(rule, size, nodes, seed, asked, count, evaluation, text)


def read_contents(data: bytes, name: str) -> Contents:
    """Checks a whole file by its checksum and number of games. Raises GamesError."""
    header = read_header(data, name)
    end = len(data) - _END.size
    if header.count == 0:
        raise GamesError(f"{name} is not finished")
    if end < _HEADER.size or zlib.crc32(data[:end]) != _END.unpack_from(data, end)[0]:
        raise GamesError(f"{name} is cut short or damaged: its checksum is wrong")
    at, positions = _HEADER.size, 0
    for _ in range(header.count):
        if at + _GAME.size > end:
            raise GamesError(f"{name} has fewer games than its header names")
        *_, opening, _, plies, lists = _GAME.unpack_from(data, at)
        at += _GAME.size + _PLY_BYTES * plies + _LIST_BYTES * lists
        positions += plies - opening
    if at != end:
        raise GamesError(f"{name} does not end with its last game")
    return Contents(header, positions)


def read_file(path: Path) -> Contents:
    """Reads and checks a file. Raises GamesError."""
    try:
        return read_contents(path.read_bytes(), str(path))
    except OSError as error:
        raise GamesError(f"{path}: {error.strerror}") from None


def build_programs(*names: str) -> list[Path]:
    """Builds programs of this folder for the best processor path of this machine.

    They share the objects of the library. Raises build_toolchain.BuildError.
    """
    with one_build():
        builder = build_core.Builder("release", find_toolchain()).for_cpu(cpu_path())
        return builder.programs([HERE / f"{name}.c" for name in names])


def write_openings(rule: int, size: int, target: Path) -> Path | None:
    """Writes the shipped openings of a board for selfplay; returns None if there are none."""
    try:
        openings = shipped(rule, size)
    except OpeningError:
        return None
    lines = [" ".join(f"{x},{y}" for x, y in opening) + "\n" for opening in openings]
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with naming(part):
        part.write_text("".join(lines))
    part.replace(target)
    return target


def engine_text() -> str:
    """Returns the commit of the core's sources, with `+` if they differ; "" without git."""
    command = ["git", "-C", str(ROOT)]
    try:
        commit = _said([*command, "log", "-1", "--format=%h", "--", "csrc"])
        return commit + ("+" if _said([*command, "status", "--porcelain", "--", "csrc"]) else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _said(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
