"""The manifest of a generation: a recipe for games, and a record of the games made."""

import itertools
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyengine import Rule
from pyengine.constants import MAX_SIZE, MIN_SIZE
from training.gamefiles import Contents

__all__ = ["RULES", "SEEDS_APART", "GameSet", "Manifest", "ManifestError", "read_manifest"]

MARK = "# --- made so far; written by training/generate.py ---\n"
SEEDS_APART = 100_000_000  # the range of a set's seeds
RULES = tuple(int(rule) for rule in Rule)


class ManifestError(Exception):
    """The manifest cannot be followed; the text says where it is wrong."""


@dataclass(frozen=True)
class GameSet:
    """Games of one kind: rule, board side, nodes a move, first seed, share of the positions."""

    rule: int
    size: int
    nodes: int
    seed: int
    share: float = 1.0

    def __post_init__(self) -> None:
        """Raises ValueError for numbers that make no games."""
        if self.rule not in RULES:
            raise ValueError(f"rule = {self.rule}: rules are {', '.join(map(str, RULES))}")
        if not MIN_SIZE <= self.size <= MAX_SIZE:
            raise ValueError(f"size = {self.size}: sizes are {MIN_SIZE} to {MAX_SIZE}")
        if self.nodes < 1 or self.seed < 0 or self.share <= 0:
            raise ValueError("nodes and share are above 0, the seed is not below")


@dataclass(frozen=True)
class Made:
    """Games of one set by one engine: ranges of seeds, first and after the last, and counts."""

    seed: int
    engine: str
    evaluation: str
    seeds: tuple[tuple[int, int], ...]
    games: int
    positions: int

    def with_chunk(self, first: int, after: int, games: int, positions: int) -> "Made":
        """Returns the record with one more chunk."""
        ranges: list[tuple[int, int]] = []
        for begin, end in sorted((*self.seeds, (first, after))):
            if ranges and begin <= ranges[-1][1]:
                ranges[-1] = ranges[-1][0], max(end, ranges[-1][1])
            else:
                ranges.append((begin, end))
        games, positions = self.games + games, self.positions + positions
        return Made(self.seed, self.engine, self.evaluation, tuple(ranges), games, positions)


@dataclass
class Manifest:
    """A recipe and a record, as in the file."""

    path: Path
    recipe: str
    sets: tuple[GameSet, ...]
    chunk: int
    mix: tuple[int, int, int]
    positions: int
    made: list[Made] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Returns the name of the generation and of its folder."""
        return self.path.stem

    def next_seed(self, games: GameSet) -> int:
        """Returns the first unused seed of a set."""
        ends = [end for made in self.made if made.seed == games.seed for _, end in made.seeds]
        return max(ends, default=games.seed)

    def positions_of(self, games: GameSet | None = None) -> int:
        """Returns the number of positions of a set, or of all sets."""
        return sum(m.positions for m in self.made if games is None or m.seed == games.seed)

    def has(self, games: GameSet, seed: int) -> bool:
        """Says whether the seed of a set was used."""
        ranges = [r for made in self.made if made.seed == games.seed for r in made.seeds]
        return any(first <= seed < after for first, after in ranges)

    def add(self, games: GameSet, contents: Contents) -> None:
        """Records a finished chunk. Seeds of its missing games stay unused."""
        header = contents.header
        key = games.seed, header.engine, f"{header.evaluation:08x}"
        at = next(
            (i for i, m in enumerate(self.made) if (m.seed, m.engine, m.evaluation) == key), None
        )
        if at is None:
            at = len(self.made)
            self.made.append(Made(*key, (), 0, 0))
        after = header.seed + header.asked
        self.made[at] = self.made[at].with_chunk(
            header.seed, after, header.count, contents.positions
        )

    def write(self) -> None:
        """Writes the file in one step."""
        text = [self.recipe.rstrip() + "\n\n" + MARK]
        for made in self.made:
            ranges = ", ".join(f"[{first}, {after}]" for first, after in made.seeds)
            text.append(
                f'\n[[made]]\nseed = {made.seed}\nengine = "{made.engine}"\n'
                f'evaluation = "{made.evaluation}"\nseeds = [{ranges}]\n'
                f"games = {made.games}\npositions = {made.positions}\n"
            )
        part = self.path.with_name(f"{self.path.name}.part")
        part.write_text("".join(text), encoding="utf-8")
        part.replace(self.path)


def read_manifest(path: Path) -> Manifest:
    """Reads a manifest. Raises ManifestError with the place of a fault."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ManifestError(f"{path}: {error}") from None
    known = {"positions", "chunk", "mix", "set", "made"}
    if strange := sorted(set(data) - known):
        raise ManifestError(f"{path}: {strange[0]} is no key of a manifest")
    sets = tuple(_read_rows(path, "set", data.get("set", []), GameSet))
    made = _read_rows(path, "made", data.get("made", []), _read_made)
    manifest = Manifest(
        path,
        text.partition(MARK)[0],
        sets,
        _number(path, data, "chunk", 1000),
        _read_mix(path, data.get("mix", [50, 25, 25])),
        _number(path, data, "positions", None),
        made,
    )
    _check_seeds(manifest)
    return manifest


def _read_rows(path: Path, name: str, rows: Any, read: Callable[..., Any]) -> list[Any]:
    found = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(read(**row))
        except (TypeError, ValueError) as error:
            raise ManifestError(f"{path}, {name} {number}: {error}") from None
    return found


def _read_made(*, seeds: list[list[int]], **row: Any) -> Made:
    return Made(seeds=tuple((first, after) for first, after in seeds), **row)


def _number(path: Path, data: dict[str, Any], key: str, default: int | None) -> int:
    value = data.get(key, default)
    if not isinstance(value, int) or value < 1:
        raise ManifestError(f"{path}: `{key}` must be a number above 0")
    return value


def _read_mix(path: Path, mix: Any) -> tuple[int, int, int]:
    if isinstance(mix, list) and len(mix) == 3 and all(isinstance(part, int) for part in mix):
        random, shipped, branches = mix
        if random + shipped + branches == 100 and min(mix) >= 0:
            return random, shipped, branches
    raise ManifestError(f"{path}: `mix` is three percentages that add up to 100")


def _check_seeds(manifest: Manifest) -> None:
    seeds = sorted(games.seed for games in manifest.sets)
    if not seeds:
        raise ManifestError(f"{manifest.path}: there is no [[set]]")
    for first, second in itertools.pairwise(seeds):
        if second - first < SEEDS_APART:
            raise ManifestError(
                f"{manifest.path}: the seeds {first} and {second} of two sets are less than "
                f"{SEEDS_APART} apart"
            )
    for made in manifest.made:
        if made.seed not in seeds:
            raise ManifestError(
                f"{manifest.path}: made of a set with seed {made.seed}: no such set"
            )
