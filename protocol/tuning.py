"""Applies settings to the engine: threads, options, the size of the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from protocol.clock import longest_ms
from protocol.commands import shown
from protocol.guard import Guard
from protocol.memory import (
    MIB,
    SMALLEST_TABLE,
    largest_table,
    others_bytes,
    table_bytes,
    useful_bytes,
)
from protocol.port import EnginePort
from protocol.settings import Settings
from pyengine import OptionError, Rule
from pyengine.constants import MAX_THREADS

# For a system that does not report the memory of a process: more than it ever uses.
_UNKNOWN_RESIDENT: Final = 48 * MIB
# Options of the engine that have keys of their own in the protocol.
OWN_KEYS: Final = {"threads": "thread_num", "level": "level"}
TOO_SMALL: Final = "max_memory is too small, using the smallest table"


@dataclass(frozen=True)
class Host:
    """The facts about the process and its machine.

    startup_ms: the cost of the start, charged to the first move. resident: bytes held now,
    0 = unknown. physical: the machine's memory, 0 = unknown.
    """

    resident: Callable[[], int]
    startup_ms: float = 0.0
    one_file: bool = False
    physical: int = 0
    cpus: int = 1


class Tuner:
    """Keeps one engine in line with the settings. A rejected setting changes nothing."""

    def __init__(self, engine: EnginePort, guard: Guard, host: Host) -> None:
        self._engine = engine
        self._guard = guard
        self._host = host
        self._fitted: tuple[int, ...] | None = None

    @property
    def most_threads(self) -> int:
        """The largest number of threads that the manager can set."""
        return min(MAX_THREADS, self._host.cpus)

    def largest_table(self, settings: Settings) -> int:
        """Returns the size in bytes of the largest table that the manager can set."""
        return largest_table(settings.max_memory, self._host.physical)

    def threads(self, settings: Settings) -> None:
        """Sets the number of threads, at most one for each processor."""
        self._set("threads", self._threads(settings))

    def level(self, settings: Settings) -> None:
        """Sets the level of play."""
        self._set("level", settings.level)

    def trace(self, settings: Settings) -> None:
        """Begins or ends tracing the root of each search."""
        self._guard.run("trace", lambda: self._engine.set_trace(settings.trace), None)

    def option(self, settings: Settings, key: str) -> str | None:
        """Sets a switch (`prune.NAME`) or a parameter (`tune.NAME`) of the search for every rule.

        Returns a note with the reason if the engine rejects it."""
        name, value = key.removeprefix("tune."), settings.options[key]
        refused = f"{shown(key)} {value} is rejected"
        if name in OWN_KEYS:
            return f"{refused}, use {OWN_KEYS[name]}"

        def taken() -> str:
            try:
                self._engine.set_option(name, value, rules=Rule)
            except OptionError as error:
                return f": {error}"
            return ""

        failed = self._guard.run(key, taken, ": the engine failed")
        return f"{refused}{failed}" if failed else None

    def fit_table(self, settings: Settings) -> str | None:
        """Sizes the table to the memory limit and the time of a move, if they have changed.

        Returns a note if the limit is too small."""
        useful = self._useful(settings)
        key = (settings.max_memory, settings.hash_size_kib, settings.threads, useful)
        if key == self._fitted:
            return None
        self._fitted = key
        # The other memory can be measured only while there is no table.
        self._resize(SMALLEST_TABLE)
        others = others_bytes(
            resident=self._host.resident() or _UNKNOWN_RESIDENT,
            threads=self._threads(settings),
            one_file=self._host.one_file,
        )
        size, fits = table_bytes(
            max_memory=settings.max_memory,
            hash_size=settings.hash_size_kib * 1024,
            others=others,
            physical=self._host.physical,
            useful=useful,
        )
        self._resize(size)
        return None if fits else TOO_SMALL

    def _threads(self, settings: Settings) -> int:
        return min(settings.threads, self._host.cpus)

    def _useful(self, settings: Settings) -> int:
        """Returns the useful size of the table for the time of a move, in bytes.

        The time is rounded up to a power of two, and the size never shrinks by one step alone. A
        new size empties the table, and limits that vary a little from move to move must not do so.
        """
        longest = longest_ms(settings)
        before = self._fitted[-1] if self._fitted else 0
        if longest == 0 and self._fitted:
            return before  # "move now" says nothing about later moves
        if longest is not None:
            longest *= self._threads(settings)
            longest = 1 << max(0, longest - 1).bit_length()
        useful = useful_bytes(
            longest, max_memory=settings.max_memory, hash_size=settings.hash_size_kib * 1024
        )
        return before if useful == before // 2 else useful

    def _resize(self, size: int) -> None:
        self._guard.run("resize_table", lambda: self._engine.resize_table(size / MIB), None)

    def _set(self, name: str, value: int) -> None:
        self._guard.run(name, lambda: self._engine.set_option(name, value), None)
