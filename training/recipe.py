"""The recipe of the weights from nothing (recipe.toml): games, fits and borrowed rules."""

import itertools
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from build_weights import laws, layout
from pyengine.constants import MAX_SIZE, MIN_SIZE
from training.toml_tables import check_keys, is_whole, read_flag, read_rows, read_text, read_whole

__all__ = [
    "CHUNK",
    "RULES",
    "GameSet",
    "NetworkFit",
    "PolicyFit",
    "Recipe",
    "RecipeError",
    "read_recipe",
]

CHUNK = 100  # games of a file
RULES = tuple(layout().rules)
# The limits of the programs that are run.
NODES_MOST = 1 << 30
GAMES_MOST = 1 << 30
SETS_MOST = 1 << 20
SEED_MOST = (1 << 63) - 1
EPOCHS_MOST = 10_000


class RecipeError(Exception):
    """The recipe cannot be followed; the text says where it is wrong."""


@dataclass(frozen=True)
class GameSet:
    """Games of one kind: rule, size, nodes a move, count, first seed, and the fits that use them.

    `repeat` is the number of such sets, whose first seeds are `apart` from each other.
    """

    rule: int
    size: int
    nodes: int
    games: int
    seed: int
    weights: bool = True
    networks: bool = True
    policies: bool = False
    repeat: int = 1
    apart: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError if no fit uses the games or if seeds repeat."""
        if not (self.weights or self.networks or self.policies):
            raise ValueError("nothing learns from it")
        if self.repeat > 1 and self.apart < self.games:
            raise ValueError("`repeat` is a number of sets, whose seeds are `apart` by their games")
        if (last := self.seeds()[-1][-1]) > SEED_MOST:
            raise ValueError(f"the last seed is {last}, above {SEED_MOST}")

    def seeds(self) -> list[range]:
        """Returns the seeds of the games."""
        firsts = (self.seed + number * self.apart for number in range(self.repeat))
        return [range(first, first + self.games) for first in firsts]

    def shared(self, part: float) -> list["GameSet"]:
        """Returns a part of the set, at least one chunk, as sets without `repeat`."""
        sets = max(1, round(self.repeat * part))
        games = self.games
        if part < 1:
            wanted = round(games * self.repeat * part / sets / CHUNK) * CHUNK
            games = min(games, max(CHUNK, wanted))
        seeds = [self.seed + number * self.apart for number in range(sets)]
        return [replace(self, games=games, seed=seed, repeat=1, apart=0) for seed in seeds]


@dataclass(frozen=True)
class NetworkFit:
    """The fit of a rule's value network: epochs, and the rule whose network it starts from."""

    rule: int
    epochs: int
    start: int | None = None


@dataclass(frozen=True)
class PolicyFit:
    """The fit of a rule's policy network: epochs."""

    rule: int
    epochs: int


@dataclass(frozen=True)
class Recipe:
    """Holds all sets, the rules that borrow weights, and the fits of networks.

    Each value network follows the one that it starts from.
    """

    sets: tuple[GameSet, ...]
    borrowed: dict[int, int]
    networks: tuple[NetworkFit, ...]
    policies: tuple[PolicyFit, ...]


def read_recipe(path: Path, share: float) -> Recipe:
    """Reads a recipe and takes `share` of each set, at least one chunk.

    Raises RecipeError with the place of a fault.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        check_keys(data, (), ("set", "network", "policy", "borrowed"))
        recipe = Recipe(
            tuple(read_rows(data, "set", _read_set)),
            _read_borrowed(data.get("borrowed", {})),
            tuple(read_rows(data, "network", _read_network)),
            tuple(read_rows(data, "policy", _read_policy)),
        )
        _check_seeds(recipe.sets)
        _check_rules(recipe)
        _check_starts(recipe.networks)
    except OSError as error:
        raise RecipeError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise RecipeError(f"{path}: {error}") from None
    return replace(recipe, sets=tuple(part for s in recipe.sets for part in s.shared(share)))


def _read_rule(row: dict[str, Any], key: str = "rule") -> int:
    rule = row[key]
    if not is_whole(rule) or rule not in RULES:
        raise ValueError(f"{key} = {rule!r}: rules are {', '.join(map(str, RULES))}")
    return int(rule)


def _read_set(row: dict[str, Any]) -> GameSet:
    uses = ("weights", "networks", "policies")
    check_keys(
        row, ("rule", "size", "nodes", "games", "seed"), (*uses, "repeat", "apart", "engine")
    )
    if "engine" in row:
        read_text(row, "engine")  # for readers only
    return GameSet(
        _read_rule(row),
        read_whole(row, "size", MIN_SIZE, MAX_SIZE),
        read_whole(row, "nodes", 1, NODES_MOST),
        read_whole(row, "games", 1, GAMES_MOST),
        read_whole(row, "seed", 0, SEED_MOST),
        weights=read_flag(row, "weights", True),
        networks=read_flag(row, "networks", True),
        policies=read_flag(row, "policies", False),
        repeat=read_whole({"repeat": 1, **row}, "repeat", 1, SETS_MOST),
        apart=read_whole({"apart": 0, **row}, "apart", 0, SEED_MOST),
    )


def _read_network(row: dict[str, Any]) -> NetworkFit:
    check_keys(row, ("rule", "epochs"), ("start",))
    start = _read_rule(row, "start") if "start" in row else None
    return NetworkFit(_read_rule(row), read_whole(row, "epochs", 1, EPOCHS_MOST), start)


def _read_policy(row: dict[str, Any]) -> PolicyFit:
    check_keys(row, ("rule", "epochs"))
    return PolicyFit(_read_rule(row), read_whole(row, "epochs", 1, EPOCHS_MOST))


def _read_borrowed(table: Any) -> dict[int, int]:
    if not isinstance(table, dict):
        raise ValueError("`borrowed` must be one table, under [borrowed]")
    numbers = {str(rule): rule for rule in RULES}
    for name in table:
        if name not in numbers:
            raise ValueError(f"borrowed: {name}: rules are {', '.join(numbers)}")
    try:
        return {numbers[name]: _read_rule(table, name) for name in table}
    except ValueError as error:
        raise ValueError(f"borrowed: {error}") from None


def _check_seeds(sets: tuple[GameSet, ...]) -> None:
    """Raises ValueError if two sets have the same games."""
    found: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    for number, games in enumerate(sets, 1):
        of_kind = found.setdefault((games.rule, games.size, games.nodes), [])
        of_kind += ((seeds.start, seeds.stop, number) for seeds in games.seeds())
    for of_kind in found.values():
        for (_, end, first), (seed, _, second) in itertools.pairwise(sorted(of_kind)):
            if seed < end:
                raise ValueError(f"set {second}: seed {seed} is also one of set {first}")


def _check_rules(recipe: Recipe) -> None:
    """Raises ValueError if a rule has neither games nor a lender, or a fit has no games."""
    fitted = {s.rule for s in recipe.sets if s.weights}
    for rule in RULES:
        if rule not in fitted and recipe.borrowed.get(rule) not in fitted:
            raise ValueError(f"rule {rule} has no games and borrows from none that has")
    fits = (("network", recipe.networks, "networks"), ("policy", recipe.policies, "policies"))
    for name, rows, use in fits:
        rules = [row.rule for row in rows]
        played = {s.rule for s in recipe.sets if getattr(s, use)}
        for number, rule in enumerate(rules, 1):
            if rule not in played:
                raise ValueError(f"{name} {number}: rule {rule} has no games with {use} = true")
            if rule in rules[: number - 1]:
                raise ValueError(f"{name} {number}: rule {rule} has one already")


def _check_starts(networks: tuple[NetworkFit, ...]) -> None:
    """Raises ValueError if a start cannot be used."""
    for number, network in enumerate(networks, 1):
        if network.start is None:
            continue
        if network.start not in (other.rule for other in networks[: number - 1]):
            raise ValueError(f"network {number}: no network of rule {network.start} yet")
        if laws(network.start) > 1:
            raise ValueError(
                f"network {number}: rule {network.start} has two laws, begin with another"
            )
