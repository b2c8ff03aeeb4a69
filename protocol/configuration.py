"""Applies the settings of INFO to the engine, the table and the log."""

from dataclasses import replace
from typing import Final

from protocol.commands import Info
from protocol.guard import Guard
from protocol.log import Log
from protocol.port import EnginePort
from protocol.settings import FULL_STRENGTH, Settings, changed, note_on
from protocol.tuning import Host, Tuner

_MOST_NOTES: Final = 10  # with one move
# Settings that the size of the table depends on.
_SIZES_TABLE: Final = frozenset(
    ("max_memory", "hash_size", "thread_num", "timeout_turn", "timeout_match", "time_increment")
)


class Configuration:
    """The settings in force, and the notes about them.

    INFO gets no answer, so that notes wait for the next move.
    """

    def __init__(self, engine: EnginePort, guard: Guard, host: Host, settings: Settings) -> None:
        self.settings = settings
        self.log = Log()
        self._tuner = Tuner(engine, guard, host)
        self._notes: dict[str, str] = {}
        self._note("start", self.settings.start_note)
        if settings.level != FULL_STRENGTH:
            self._tuner.level(settings)

    @property
    def most_threads(self) -> int:
        """The largest number of threads that the manager can set."""
        return self._tuner.most_threads

    @property
    def largest_table(self) -> int:
        """The size in bytes of the largest table that the manager can set."""
        return self._tuner.largest_table(self.settings)

    def take(self, info: Info) -> bool:
        """Applies a setting; returns whether earlier thinking no longer holds.

        The session itself tells the engine about another rule.
        """
        before, now = self.settings, changed(self.settings, info.key, info.value)
        if now is before:
            return False
        self.settings = now
        self._note(info.key, note_on(info.key, info.value))
        if info.key == "level":
            self._tuner.level(now)
        elif info.key == "trace":
            self._tuner.trace(now)
        elif info.key in now.options:
            self._option(info.key)
        elif info.key in _SIZES_TABLE:
            if now.threads != before.threads:
                self._tuner.threads(now)
            self.fit_table()
            return now != before
        elif info.key == "log":
            self._note("log", None if self.log.open(now.log_path) else "the log cannot be written")
            return False
        return info.key in ("rule", "level") or info.key in now.options

    def fit_table(self) -> None:
        """Sizes the table to the settings."""
        self._note("table", self._tuner.fit_table(self.settings))

    def forget(self, *, time_left: bool = False, captures: bool = False) -> None:
        """Drops settings that hold for one game, or for one BOARD."""
        if time_left:
            self.settings = replace(self.settings, time_left=None)
        if captures:
            self.settings = replace(self.settings, captures=(0, 0))

    def notes(self) -> list[str]:
        """Returns the notes since the last call, in their order."""
        notes = list(self._notes.values())
        self._notes = {}
        return notes

    def _option(self, key: str) -> None:
        """Sets an option of the search; a rejected option leaves only a note."""
        refused = self._tuner.option(self.settings, key)
        self._note(key, refused)
        if refused is not None:
            options = {name: value for name, value in self.settings.options.items() if name != key}
            self.settings = replace(self.settings, options=options)

    def _note(self, topic: str, text: str | None) -> None:
        """Keeps the latest note of each topic."""
        if text is not None and (topic in self._notes or len(self._notes) < _MOST_NOTES):
            self._notes[topic] = text
