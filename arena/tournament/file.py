"""Tournaments as TOML files. Each fault is reported with file, line, key and expectation."""

import argparse
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..engines.brain import CommandError, resolve_command
from ..engines.clock import Limits
from ..engines.managers import PROFILES
from ..engines.spec import EngineSpec, parse_info
from ..match.arguments import MOST_PLIES
from ..match.limits import (
    MOST_MOVES,
    draw_argument,
    duration_ms,
    memory_mib,
    resign_argument,
    tolerance_ms,
)
from ..match.options import check_limits, refuse_other_rule
from ..openings.book import OpeningError
from ..openings.order import Order, Policy
from ..rules.opening_rules import OpeningRule
from ..rules.referee import MAX_SIZE, MIN_SIZE, Rule
from ..util.output import shown
from ..util.paths import exists, is_dir, is_file
from .conditions import NO_OPENINGS, SHIPPED, Conditions
from .presets import PRESETS
from .tournament import Kind, Plan, PlanError

__all__ = ["Draft", "plan_from", "read_draft"]

MAX_ELO = 100_000
TIME = 'a time with its unit, such as "100ms" or "30s"'
MEMORY = 'MiB, such as 350, "350M" or "1G"'
Value = TypeVar("Value")


@dataclass(frozen=True)
class Draft:
    """Holds a tournament from a file, before the command line changes it.

    Without a file the path is None, and all values come from the command line.
    """

    path: Path | None
    name: str
    kind: Kind
    challengers: tuple[str, ...]
    engines: tuple[EngineSpec, ...]
    anchors: tuple[tuple[str, float], ...]
    conditions: Conditions


def plan_from(draft: Draft) -> Plan:
    """Returns the tournament of a draft; raises PlanError if the draft is not valid."""
    conditions = draft.conditions.with_preset()
    where = "" if draft.path is None else f"{draft.path}: "
    try:
        settings = conditions.settings(draft.engines)
        refuse_other_rule(draft.engines, settings.rule)
        check_limits(settings, draft.engines)
        play = conditions.opening_play(settings)
        openings, source = conditions.opening_list(settings) if play is None else ([()], play.told)
        return Plan(
            name=draft.name,
            engines=draft.engines,
            settings=settings,
            openings=openings,
            games=2 if conditions.games is None else conditions.games,
            kind=draft.kind,
            challengers=draft.challengers,
            anchors=draft.anchors,
            manager=conditions.manager(),
            source=source,
            count_forfeits=bool(conditions.count_forfeits),
            policy=conditions.policy or Policy.ROUND,
            opening_play=play,
        )
    except OpeningError as error:
        raise PlanError(f"{where}openings: {error}") from None
    except ValueError as error:
        raise PlanError(f"{where}{error}") from None


def read_draft(path: Path) -> Draft:
    """Reads a file; raises PlanError for its first fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlanError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise PlanError(f"{path}, line {line}: expected UTF-8 text") from None
    try:
        values = tomllib.loads(text)
    except ValueError as error:  # also for a number with thousands of digits
        raise PlanError(f"{path}, {_syntax_error(error)}") from None
    except RecursionError:
        raise PlanError(f"{path}: the brackets are nested too deeply") from None
    source = _Source(path, text)
    return _draft(_Keys(values, source), source)


def _syntax_error(error: Exception) -> str:
    """Returns the message of tomllib, with the line first."""
    found = re.fullmatch(r"(.*) \(at (.*)\)", str(error), re.DOTALL)
    return f"{found[2]}: {found[1]}: expected TOML" if found else f"{error}: expected TOML"


@dataclass(frozen=True)
class _Source:
    """Knows the lines of a file, to report a fault in a value with its line."""

    path: Path
    text: str

    def fault(self, table: tuple[str, int], key: str, what: str) -> PlanError:
        """Returns the error for a key of the n-th table of a name; the top is ("", 0)."""
        name, number = table
        place = f"{self.path}"
        if line := self._line(name, number, key):
            place += f", line {line}"
        within = f"{name} {number}, " if name else ""
        return PlanError(f"{place}: {within}{key}: {what}")

    def _line(self, name: str, number: int, key: str) -> int | None:
        """Returns the line of a key, or of the head of its table if the key is missing."""
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
    """Returns checked values of one table by key. Unused keys are faults."""

    values: Mapping[str, Any]
    source: _Source
    table: tuple[str, int] = ("", 0)
    known: list[str] = field(default_factory=list)

    def fault(self, key: str, what: str) -> PlanError:
        """Returns the error for a key of this table."""
        return self.source.fault(self.table, key, what)

    def get(self, key: str, kinds: tuple[type, ...], expected: str) -> Any:
        """Returns a value; None if the key is missing."""
        self.known.append(key)
        value = self.values.get(key)
        # bool is a subclass of int in Python, but not in TOML.
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

    def read(self, key: str, reader: Callable[[str], Value], expected: str) -> Value | None:
        """Returns a value in the form of the command line, such as an amount with its unit."""
        value = self.get(key, (str, int), expected)
        try:
            return None if value is None else reader(str(value))
        except (argparse.ArgumentTypeError, ValueError):
            raise self.fault(key, f"{_shown(value)}: expected {expected}") from None

    def truth(self, key: str) -> bool | None:
        """Returns a boolean."""
        value: bool | None = self.get(key, (bool,), "true or false")
        return value

    def end(self) -> None:
        """Raises PlanError for a key that was not read."""
        for key in self.values:
            if key not in self.known:
                raise self.fault(key, f"unknown key; known: {', '.join(self.known)}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _draft(keys: _Keys, source: _Source) -> Draft:
    name = shown(keys.text("name") or source.path.stem)
    kind = _choice(keys, "kind", [kind.value for kind in Kind]) or Kind.ROUND_ROBIN.value
    challengers = _challengers(keys)
    if challengers and kind != Kind.GAUNTLET:
        raise keys.fault("challenger", 'only a gauntlet has one: expected kind = "gauntlet"')
    conditions = _conditions(keys, source.path.parent)
    engines, anchors = _engines(keys, source)
    keys.end()
    return Draft(source.path, name, Kind(kind), challengers, engines, anchors, conditions)


def _conditions(keys: _Keys, base: Path) -> Conditions:
    openings = keys.text("openings", f"a file, {SHIPPED!r} or {NO_OPENINGS!r}")
    if openings not in (None, SHIPPED, NO_OPENINGS):
        openings = str(base / str(openings))
        if not exists(openings):
            raise keys.fault("openings", f"{openings}: no such file")
    return Conditions(
        preset=_choice(keys, "preset", list(PRESETS)),
        games=keys.whole("games", 1, 1_000_000),
        size=keys.whole("size", MIN_SIZE, MAX_SIZE),
        rule=_rule(keys),
        **vars(_limits(keys)),
        tolerance_ms=keys.read("tolerance", tolerance_ms, f"0, or {TIME}"),
        like=_choice(keys, "like", list(PROFILES)),
        suspend=keys.truth("suspend"),
        start_on_clock=keys.truth("start_on_clock"),
        openings=openings,
        seed=keys.whole("seed", -(1 << 62), 1 << 62),
        order=None if (order := _choice(keys, "order", list(Order))) is None else Order(order),
        opening_start=keys.whole("opening_start", 1, 1 << 31),
        opening_plies=keys.whole("opening_plies", 1, MOST_PLIES),
        policy=None
        if (policy := _choice(keys, "opening_policy", list(Policy))) is None
        else Policy(policy),
        opening_rule=_choice(keys, "opening_rule", list(OpeningRule)),
        opening_ms=keys.read("opening_time", duration_ms, TIME),
        count_forfeits=keys.truth("count_forfeits"),
        max_moves=keys.whole("max_moves", 1, MOST_MOVES),
        draw=keys.read("draw", draw_argument, '"MOVES,SCORE" or "MOVES,SCORE,START"'),
        resign=keys.read("resign", resign_argument, '"MOVES,SCORE", as "4,2000"'),
        mates=keys.truth("mates"),
    )


def _limits(keys: _Keys) -> Limits:
    """Returns the limits of a table, of the game or of an engine."""
    return Limits(
        turn_ms=keys.read("turn", duration_ms, TIME),
        match_ms=keys.read("game", duration_ms, TIME),
        increment_ms=keys.read("increment", tolerance_ms, f"0, or {TIME}"),
        moves_to_go=keys.whole("moves_to_go", 0, MOST_MOVES),
        memory_mib=keys.read("memory", memory_mib, MEMORY),
    )


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


def _rule(keys: _Keys) -> Rule | None:
    known = ", ".join(f"{rule.name.lower()} ({rule.value})" for rule in Rule)
    value = keys.get("rule", (str, int), f"a rule: {known}")
    if value is None:
        return None
    name = str(value).strip().upper().replace("-", "_")
    if name in Rule.__members__:
        return Rule[name]
    if re.fullmatch(r"\d{1,4}", name) and int(name) in set(Rule):
        return Rule(int(name))
    raise keys.fault("rule", f"{_shown(value)}: expected a rule: {known}")


def _engines(
    keys: _Keys, source: _Source
) -> tuple[tuple[EngineSpec, ...], tuple[tuple[str, float], ...]]:
    """Returns the engines, and the known ratings."""
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
        if elo is not None and not abs(elo) <= MAX_ELO:
            expected = f"a number from -{MAX_ELO} to {MAX_ELO}, the known rating"
            raise engine.fault("elo", f"{_shown(elo)}: expected {expected}")
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
    if cwd is not None and not is_dir(base / cwd):
        raise keys.fault("cwd", f"{_shown(cwd)}: no such folder")
    return EngineSpec(
        name=shown(name),
        command=_command(keys, base),
        cwd=None if cwd is None else str((base / cwd).absolute()),
        info=_info(keys),
        nodes=keys.whole("nodes", 1, 1 << 62),
        depth=keys.whole("depth", 1, 10_000),
        limits=None if (limits := _limits(keys)) == Limits() else limits,
    )


def _command(keys: _Keys, base: Path) -> tuple[str, ...]:
    """Returns the program and its arguments; paths are relative to the file's folder."""
    expected = "a command: a text or a list of texts"
    value = keys.get("command", (str, list), expected)
    if not value or not all(isinstance(word, str) for word in value):
        found = _shown(value) if value else "is missing"
        raise keys.fault("command", f"{found}: expected {expected}")
    try:
        if isinstance(value, str):
            value = [value] if is_file(base / value) else shlex.split(value)
        if value and is_file(base / value[0]):
            value = [str((base / value[0]).absolute()), *value[1:]]
        return resolve_command(value)
    except (CommandError, ValueError) as error:
        raise keys.fault("command", str(error)) from None


def _info(keys: _Keys) -> tuple[tuple[str, str], ...]:
    table = keys.get("info", (dict,), "a table such as { thread_num = 1 }")
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
