"""The conditions of a tournament, combined from a command line, a file and a preset."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..engines.managers import STRICT, ManagerProfile, manager_profile
from ..engines.spec import EngineSpec
from ..game.adjudication import DrawRule, ResignRule
from ..game.game import GameSettings
from ..match.limits import adjudication_of
from ..match.options import opening_play_of, random_openings, tolerance_of
from ..openings.book import OpeningError, read_openings, shipped
from ..openings.order import Arrangement, Order, Policy
from ..rules.referee import Point, Rule
from ..run.jobs import TurnedOpenings
from ..run.opening_play import OpeningPlay
from .presets import preset_named

__all__ = ["NO_OPENINGS", "SHIPPED", "Conditions", "OpeningList"]

NO_OPENINGS = "none"
SHIPPED = "shipped"

DEFAULT_TURN_MS = 1000
FREE_TURN_MS = 60_000
"""The time for a move whose search ends by nodes or depth."""

OpeningList = Sequence[tuple[Point, ...]]


@dataclass(frozen=True)
class Conditions:
    """Holds conditions from one source; None means that the source does not set it.

    `openings` is a file, `shipped` or `none`. `like` names a manager; `suspend` and
    `start_on_clock` replace parts of its profile.
    """

    preset: str | None = None
    games: int | None = None
    size: int | None = None
    rule: Rule | None = None
    turn_ms: int | None = None
    match_ms: int | None = None
    increment_ms: int | None = None
    moves_to_go: int | None = None
    memory_mib: int | None = None
    tolerance_ms: int | None = None
    like: str | None = None
    suspend: bool | None = None
    start_on_clock: bool | None = None
    openings: str | None = None
    seed: int | None = None
    order: Order | None = None
    opening_start: int | None = None
    opening_plies: int | None = None
    policy: Policy | None = None
    opening_rule: str | None = None
    opening_ms: int | None = None
    count_forfeits: bool | None = None
    max_moves: int | None = None
    draw: DrawRule | None = None
    resign: ResignRule | None = None
    mates: bool | None = None

    def over(self, other: "Conditions") -> "Conditions":
        """Returns these conditions, with the other's values where these are None."""
        merged: dict[str, Any] = {}
        for field in fields(self):
            own = getattr(self, field.name)
            merged[field.name] = getattr(other, field.name) if own is None else own
        return Conditions(**merged)

    def with_preset(self) -> "Conditions":
        """Returns these conditions, with the preset's values where they are None."""
        if self.preset is None:
            return self
        preset = preset_named(self.preset)
        known = {field.name for field in fields(self)}
        return self.over(Conditions(**{k: v for k, v in vars(preset).items() if k in known}))

    def manager(self) -> ManagerProfile:
        """Returns the profile of the imitated manager; raises ValueError for an unknown name."""
        name = self.like or STRICT.name
        return manager_profile(name, suspend=self.suspend, start_on_clock=self.start_on_clock)

    def settings(self, engines: Sequence[EngineSpec] = ()) -> GameSettings:
        """Returns the settings of the games, without an opening; raises ValueError.

        The default time is 1 s a move, or a minute if nodes or depth end every search.
        """
        rule = Rule.FREESTYLE if self.rule is None else self.rule
        turn = self.turn_ms
        if turn is None and self.match_ms is None:
            free = all(engine.nodes or engine.depth for engine in engines) and bool(engines)
            turn = FREE_TURN_MS if free else DEFAULT_TURN_MS
        return GameSettings(
            size=self.size or rule.usual_size,
            rule=rule,
            turn_ms=turn,
            match_ms=self.match_ms,
            memory_mib=self.memory_mib or 0,
            tolerance_ms=tolerance_of(self.tolerance_ms, self.like),
            increment_ms=self.increment_ms or 0,
            moves_to_go=self.moves_to_go or 0,
            adjudication=adjudication_of(self.max_moves, self.draw, self.resign, self.mates),
        )

    def opening_play(self, settings: GameSettings) -> OpeningPlay | None:
        """Returns how the engines make openings; None if they do not; raises UsageError."""
        return opening_play_of(
            self.opening_rule,
            self.opening_ms,
            settings,
            seed=1 if self.seed is None else self.seed,
            has_openings=self.openings is not None,
        )

    def opening_list(self, settings: GameSettings) -> tuple[OpeningList, str]:
        """Returns the openings in shuffled order, and a description of their source.

        After the last opening they repeat, turned and mirrored. Random openings are made if none
        are shipped for the rule and size. Raises OpeningError.
        """
        seed = 1 if self.seed is None else self.seed
        order = self.order or Order.RANDOM
        arrangement = Arrangement(order, seed, self.opening_start or 1, self.opening_plies)
        where = self.openings or SHIPPED
        if where == NO_OPENINGS:
            return [()], "the empty board"
        if where == SHIPPED:
            try:
                found = shipped(settings.rule, settings.size)
            except OpeningError:
                return random_openings(settings.rule, settings.size, arrangement)
            source = "shipped"
        else:
            found = read_openings(where, size=settings.size, rule=settings.rule)
            source = Path(where).name
        found = arrangement.apply(found)
        told = f"{len(found)} {source}{arrangement.told}"
        return TurnedOpenings(found, settings.size), told
