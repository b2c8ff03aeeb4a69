"""Engines as the arena's commands name them: command, name, INFO values, limits."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..util.output import shown
from ..util.paths import exists
from .brain import resolve_command
from .clock import Limits

__all__ = ["EngineSpec", "distinct", "parse_engine", "parse_info", "with_options"]

_NAMED = re.compile(r"([^\W_][\w .+#-]{0,39})=(.+)", re.DOTALL)
_KEY = re.compile(r"[A-Za-z][\w.]*")


@dataclass(frozen=True)
class EngineSpec:
    """Describes one engine: its command, its folder, and its INFO values.

    `info` is sent as `INFO key value` after the limits, in this order. `nodes` and `depth` are sent
    as `INFO max_node` and `INFO max_depth`. `cwd` None means the manager's folder. `limits` are the
    engine's own, for time odds.
    """

    name: str
    command: tuple[str, ...]
    cwd: str | None = None
    info: tuple[tuple[str, str], ...] = ()
    nodes: int | None = None
    depth: int | None = None
    limits: Limits | None = None

    @property
    def extra_info(self) -> tuple[tuple[str, str], ...]:
        """Returns every INFO pair other than the limits that both players share."""
        limits = (("max_depth", self.depth), ("max_node", self.nodes))
        return tuple((key, str(n)) for key, n in limits if n is not None) + self.info


def parse_engine(text: str) -> EngineSpec:
    """Reads an engine: a path or a shell command line, optionally after `NAME=`.

    The default name is the file name of the program, or the module or script that an interpreter
    runs. Raises CommandError if the program cannot be started.
    """
    name, command = None, text
    found = None if exists(text) else _NAMED.fullmatch(text)
    if found:
        name, command = found[1].strip(), found[2]
    words = resolve_command(command)
    return EngineSpec(shown(name or _name_of(words)), words)


def parse_info(text: str) -> tuple[str, str]:
    """Reads `KEY=VALUE` for an INFO line; raises ValueError with the expected form."""
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    if not equals or not _KEY.fullmatch(key) or not value or not value.isascii():
        raise ValueError(f"{text!r}: expected KEY=VALUE, e.g. thread_num=1")
    if not value.isprintable():
        raise ValueError(f"{text!r}: expected a value on one line of plain text")
    return key, value


def with_options(
    engine: EngineSpec,
    *,
    info: Sequence[tuple[str, str]] = (),
    nodes: int | None = None,
    depth: int | None = None,
) -> EngineSpec:
    """Returns the engine with further INFO pairs, and with limits if they are given."""
    return replace(
        engine,
        info=(*engine.info, *info),
        nodes=engine.nodes if nodes is None else nodes,
        depth=engine.depth if depth is None else depth,
    )


def distinct(engines: Sequence[EngineSpec]) -> list[EngineSpec]:
    """Returns the engines with distinct names: the second `x` is called `x#2`."""
    seen: set[str] = set()
    named = []
    for engine in engines:
        name, number = engine.name, 1
        while name in seen:
            number += 1
            name = f"{engine.name}#{number}"
        seen.add(name)
        named.append(replace(engine, name=name))
    return named


def _name_of(words: Sequence[str]) -> str:
    """Returns the default name of an engine."""
    program = Path(words[0]).name.removesuffix(".exe")
    if re.fullmatch(r"python[\d.]*", program) and len(words) > 1:
        for index, word in enumerate(words[1:], 1):
            if word == "-m" and index + 1 < len(words):
                return words[index + 1]
            if not word.startswith("-"):
                return Path(word).stem
    return program or shlex.join(words)
