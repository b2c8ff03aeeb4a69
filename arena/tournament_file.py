"""Tournaments as TOML files: read with each fault told by file, line or key, and expectation."""

import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.brain import CommandError, resolve_command
from arena.engines import EngineSpec, parse_info
from arena.game import GameSettings
from arena.manners import LIKE, STRICT, Manners, manners_like
from arena.openings import OpeningError, read_openings, shipped
from arena.presets import PRESETS, Preset, preset_named
from arena.referee import MAX_SIZE, MIN_SIZE, Point, Rule
from arena.tournament import Kind, Plan, PlanError

__all__ = ["Overrides", "find_openings", "parse_time", "read_plan"]

NO_OPENINGS = "none"
SHIPPED = "shipped"
_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?")
_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, None: 1}
MOST_MS = 2_000_000_000


@dataclass(frozen=True)
class Overrides:
    """Holds what a command line says otherwise than the file; None says nothing."""

    preset: str | None = None
    games: int | None = None
    size: int | None = None
    rule: Rule | None = None
    turn_ms: int | None = None
    match_ms: int | None = None
    memory_mib: int | None = None
    tolerance_ms: int | None = None
    like: str | None = None
    openings: str | None = None
    anchors: tuple[tuple[str, float], ...] = ()


def read_plan(path: Path, overrides: Overrides = Overrides()) -> Plan:
    """Reads a tournament; raises PlanError for the first thing that is wrong with the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlanError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise PlanError(f"{path}, line {line}: expected UTF-8 text") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{path}, {_syntax_error(error)}") from None
    source = _Source(path, text)
    return _plan(_Keys(values, source), source, overrides)


def _syntax_error(error: Exception) -> str:
    """Returns what tomllib says with the line in front."""
    found = re.fullmatch(r"(.*) \(at (.*)\)", str(error), re.DOTALL)
    return f"{found[2]}: {found[1]}: expected TOML" if found else f"{error}: expected TOML"


@dataclass(frozen=True)
class _Source:
    """Knows the lines of a file, so that a fault in a value can be told with its line."""

    path: Path
    text: str

    def fault(self, table: tuple[str, int], key: str, what: str) -> PlanError:
        """Returns the error for a key of the n-th table of a name, ("", 0) for the top."""
        name, number = table
        place = f"{self.path}"
        if line := self._line(name, number, key):
            place += f", line {line}"
        within = f"{name} {number}, " if name else ""
        return PlanError(f"{place}: {within}{key}: {what}")

    def _line(self, name: str, number: int, key: str) -> int | None:
        """Returns the number of a key's line; that of its table's head where it has none."""
        here, count, head = "", 0, None
        for at, line in enumerate(self.text.splitlines(), 1):
            if found := re.match(r"\s*\[+\s*([\w.-]+)\s*\]+", line):
                here = found[1]
                count += here == name
                if here == name and count == number:
                    head = at
            elif (
                here == name
                and (not name or count == number)
                and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]", line)
            ):
                return at
            if here == f"{name}.{key}" and count == number:
                return at
        return head


@dataclass
class _Keys:
    """Hands out the values of one table by key, each checked; at the end none may be left."""

    values: Mapping[str, Any]
    source: _Source
    table: tuple[str, int] = ("", 0)
    known: list[str] = field(default_factory=list)

    def fault(self, key: str, what: str) -> PlanError:
        """Returns the error for a key of this table."""
        return self.source.fault(self.table, key, what)

    def get(self, key: str, kinds: tuple[type, ...], expected: str) -> Any:
        """Returns a value, None where the key is missing."""
        self.known.append(key)
        value = self.values.get(key)
        # In Python a truth value is a number, in TOML it is none.
        wrong = not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)
        if value is not None and wrong:
            raise self.fault(key, f"{_shown(value)}: expected {expected}")
        return value

    def text(self, key: str, expected: str = "a text") -> str | None:
        """Returns a text that is not empty."""
        value: str | None = self.get(key, (str,), expected)
        if value is not None and not value.strip():
            raise self.fault(key, f"is empty: expected {expected}")
        return value

    def whole(self, key: str, least: int, most: int) -> int | None:
        """Returns a whole number within bounds."""
        expected = f"a whole number from {least} to {most}"
        value: int | None = self.get(key, (int,), expected)
        if value is not None and not least <= value <= most:
            raise self.fault(key, f"{value}: expected {expected}")
        return value

    def time(self, key: str) -> int | None:
        """Returns a time in ms."""
        value = self.get(key, (str, int), 'a time, as 500 (ms) or "30s"')
        try:
            return None if value is None else parse_time(str(value))
        except ValueError as error:
            raise self.fault(key, str(error)) from None

    def end(self) -> None:
        """Raises PlanError for a key that nobody asked for."""
        for key in self.values:
            if key not in self.known:
                raise self.fault(key, f"unknown key; known: {', '.join(self.known)}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def parse_time(text: str) -> int:
    """Reads a time, `500` or `500ms`, `30s`, `3m`, `1h`, as whole ms; raises ValueError."""
    found = _TIME.fullmatch(text.strip())
    ms = 0 if found is None else round(float(found[1]) * _UNITS[found[2]])
    if not 1 <= ms <= MOST_MS:
        raise ValueError(f"{text!r}: expected a time of 1 ms or more, as 500ms, 30s or 3m")
    return ms


def _plan(keys: _Keys, source: _Source, overrides: Overrides) -> Plan:
    name = keys.text("name") or source.path.stem
    kind = _choice(keys, "kind", [kind.value for kind in Kind]) or Kind.ROUND_ROBIN.value
    challengers = _challengers(keys)
    games = overrides.games or keys.whole("games", 1, 1_000_000) or 2
    preset = _preset(keys, overrides)
    settings, manners = _settings(keys, overrides, preset)
    openings = _openings(keys, overrides, settings, source.path.parent)
    engines, anchors = _engines(keys, source)
    keys.end()
    if challengers and kind != Kind.GAUNTLET:
        raise keys.fault("challenger", 'only a gauntlet has one: expected kind = "gauntlet"')
    try:
        return Plan(
            name=name,
            engines=engines,
            settings=settings,
            openings=openings,
            games=games,
            kind=Kind(kind),
            challengers=challengers,
            anchors=tuple({**dict(anchors), **dict(overrides.anchors)}.items()),
            manners=manners,
            preset=None if preset is None else preset.name,
        )
    except PlanError as error:
        raise PlanError(f"{source.path}: {error}") from None


def _choice(keys: _Keys, key: str, known: list[str]) -> str | None:
    expected = f"one of {', '.join(known)}"
    value = keys.text(key, expected)
    if value is not None and value not in known:
        raise keys.fault(key, f"{value!r}: expected {expected}")
    return value


def _challengers(keys: _Keys) -> tuple[str, ...]:
    value = keys.get("challenger", (str, list), "a name, or a list of names")
    names = [value] if isinstance(value, str) else value or []
    if not all(isinstance(name, str) for name in names):
        raise keys.fault("challenger", f"{_shown(value)}: expected a name, or a list of names")
    return tuple(names)


def _preset(keys: _Keys, overrides: Overrides) -> Preset | None:
    name = _choice(keys, "preset", list(PRESETS))
    name = overrides.preset or name
    return None if name is None else preset_named(name)


def _rule(keys: _Keys) -> Rule | None:
    known = ", ".join(f"{rule.name.lower()} ({rule.value})" for rule in Rule)
    value = keys.get("rule", (str, int), f"a rule: {known}")
    if value is None:
        return None
    name = str(value).strip().upper().replace("-", "_")
    if name in Rule.__members__:
        return Rule[name]
    if name.isdecimal() and int(name) in set(Rule):
        return Rule(int(name))
    raise keys.fault("rule", f"{value!r}: expected a rule: {known}")


def _settings(
    keys: _Keys, overrides: Overrides, preset: Preset | None
) -> tuple[GameSettings, Manners]:
    """Returns the conditions, and the manners of the manager that is imitated.

    The command line outranks the file's own keys, which outrank the preset.
    """
    said: dict[str, Any] = {
        "size": keys.whole("size", MIN_SIZE, MAX_SIZE),
        "rule": _rule(keys),
        "turn_ms": keys.time("turn"),
        "match_ms": keys.time("match"),
        "memory_mib": keys.whole("memory", 0, 1 << 20),
        "tolerance_ms": keys.whole("tolerance", 0, MOST_MS),
        "like": _choice(keys, "like", list(LIKE)),
    }
    chosen: dict[str, Any] = {}
    for key, value in said.items():
        ranked = (getattr(overrides, key), value, getattr(preset, key, None))
        chosen[key] = next((each for each in ranked if each is not None), None)
    manners = manners_like(chosen.pop("like") or STRICT.name)
    if chosen["tolerance_ms"] is None:
        chosen["tolerance_ms"] = manners.tolerance_ms
    given = {key: value for key, value in chosen.items() if value is not None}
    if "match_ms" in given:
        # A limit for the game is enough: the default of a move is for those who give none.
        given.setdefault("turn_ms", None)
    return GameSettings(**given), manners


def _openings(
    keys: _Keys, overrides: Overrides, settings: GameSettings, base: Path
) -> list[tuple[Point, ...]]:
    where = keys.text("openings", f"a file, {SHIPPED!r} or {NO_OPENINGS!r}") or SHIPPED
    if overrides.openings is not None:
        try:
            return find_openings(overrides.openings, settings)
        except OpeningError as error:
            raise PlanError(f"openings: {error}") from None
    try:
        return find_openings(where, settings, base)
    except OpeningError as error:
        raise keys.fault("openings", str(error)) from None


def find_openings(
    where: str, settings: GameSettings, base: Path | None = None
) -> list[tuple[Point, ...]]:
    """Returns the openings that a word names: the shipped ones, none, or those of a file."""
    if where == NO_OPENINGS:
        return [()]
    if where == SHIPPED:
        return shipped(settings.rule, settings.size)
    return read_openings((base or Path()) / where, size=settings.size, rule=settings.rule)


def _engines(
    keys: _Keys, source: _Source
) -> tuple[tuple[EngineSpec, ...], tuple[tuple[str, float], ...]]:
    """Returns the engines, and the ratings of those that have one."""
    expected = "tables that begin with [[engine]]"
    tables = keys.get("engine", (list,), expected)
    if not tables:
        raise keys.fault("engine", f"there is none: expected {expected}")
    engines, anchors = [], []
    for number, table in enumerate(tables, 1):
        if not isinstance(table, dict):
            raise keys.fault("engine", f"{_shown(table)}: expected {expected}")
        engine = _Keys(table, source, ("engine", number))
        spec = _engine(engine, source.path.parent)
        elo = engine.get("elo", (int, float), "a number, the known rating")
        engine.end()
        engines.append(spec)
        if elo is not None:
            anchors.append((spec.name, float(elo)))
    return tuple(engines), tuple(anchors)


def _engine(keys: _Keys, base: Path) -> EngineSpec:
    name = keys.text("name")
    if name is None:
        raise keys.fault("name", "is missing: expected a text")
    cwd = keys.text("cwd", "a folder")
    if cwd is not None and not (base / cwd).is_dir():
        raise keys.fault("cwd", f"{cwd!r}: there is no such folder")
    return EngineSpec(
        name=name,
        command=_command(keys, base),
        cwd=None if cwd is None else str((base / cwd).absolute()),
        info=_info(keys),
        nodes=keys.whole("nodes", 1, 1 << 62),
        depth=keys.whole("depth", 1, 10_000),
    )


def _command(keys: _Keys, base: Path) -> tuple[str, ...]:
    """Returns the program and its arguments; a path is looked for from the file's folder."""
    expected = "a command, as a text or a list of texts"
    value = keys.get("command", (str, list), expected)
    if not value or not all(isinstance(word, str) for word in value):
        raise keys.fault("command", f"{_shown(value) if value else 'is missing'}: {expected}")
    try:
        if isinstance(value, str):
            value = [value] if (base / value).is_file() else shlex.split(value)
        if value and (base / value[0]).is_file():
            value = [str((base / value[0]).absolute()), *value[1:]]
        return resolve_command(value)
    except (CommandError, ValueError) as error:
        raise keys.fault("command", str(error)) from None


def _info(keys: _Keys) -> tuple[tuple[str, str], ...]:
    table = keys.get("info", (dict,), "a table, as { thread_num = 1 }")
    pairs = []
    for key, value in (table or {}).items():
        if not isinstance(value, str | int | float):
            raise keys.fault("info", f"{key} = {_shown(value)}: expected a text or a number")
        told = int(value) if isinstance(value, bool) else value
        try:
            pairs.append(parse_info(f"{key}={told}"))
        except ValueError as error:
            raise keys.fault("info", str(error)) from None
    return tuple(pairs)
