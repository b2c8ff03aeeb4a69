"""What INFO has set, carried over to the engine, the table and the log as it comes."""

from dataclasses import replace
from typing import Final

from protocol.commands import Info
from protocol.guard import Guard
from protocol.log import Log
from protocol.port import EnginePort
from protocol.settings import FULL_STRENGTH, Settings, changed, note_on
from protocol.tuning import Host, Tuner

_MOST_NOTES: Final = 10  # with one move: no manager has to read more
# Settings that the size of the table depends on.
_SIZES_TABLE: Final = frozenset(
    ("max_memory", "hash_size", "thread_num", "timeout_turn", "timeout_match", "time_increment")
)


class Configuration:
    """The settings in force, and what a person should hear of them.

    INFO gets no answer, so nothing is said here: notes wait until a move is asked for.
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
        """How many threads can be asked for."""
        return self._tuner.most_threads

    @property
    def largest_table(self) -> int:
        """The bytes of the largest table that can be asked for."""
        return self._tuner.largest_table(self.settings)

    def take(self, info: Info) -> bool:
        """Takes a setting, and returns whether it is one to think anew under.

        The session brings another rule to the engine.
        """
        before, now = self.settings, changed(self.settings, info.key, info.value)
        if now is before:
            return False
        self.settings = now
        self._note(info.key, note_on(info.key, info.value))
        if info.key == "level":
            self._tuner.level(now)
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
        """Sizes the table to what the settings allow."""
        self._note("table", self._tuner.fit_table(self.settings))

    def forget(self, *, time_left: bool = False, captures: bool = False) -> None:
        """Drops what was sent for one game, or for one BOARD."""
        if time_left:
            self.settings = replace(self.settings, time_left=None)
        if captures:
            self.settings = replace(self.settings, captures=(0, 0))

    def notes(self) -> list[str]:
        """What has come up since it was last asked, in that order."""
        notes = list(self._notes.values())
        self._notes = {}
        return notes

    def _option(self, key: str) -> None:
        """Sets an option of the search; one that is not taken leaves no trace but the note."""
        refused = self._tuner.option(self.settings, key)
        self._note(key, refused)
        if refused is not None:
            options = {name: value for name, value in self.settings.options.items() if name != key}
            self.settings = replace(self.settings, options=options)

    def _note(self, topic: str, text: str | None) -> None:
        """Keeps one note a topic, the latest."""
        if text is not None and (topic in self._notes or len(self._notes) < _MOST_NOTES):
            self._notes[topic] = text
