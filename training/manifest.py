"""The manifest of a generation: a recipe for games, and a record of the games made."""

import itertools
import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyengine import Rule
from pyengine.constants import MAX_SIZE, MIN_SIZE
from training.gamefiles import Contents
from training.textfile import replace_text
from training.toml_tables import check_keys, is_whole, read_flag, read_rows, read_text, read_whole

__all__ = ["RULES", "SEEDS_APART", "GameSet", "Manifest", "ManifestError", "read_manifest"]

MARK = "# --- made so far; written by training/generate.py ---\n"
SEEDS_APART = 100_000_000  # the range of a set's seeds
RULES = tuple(int(rule) for rule in Rule)
# The limits of selfplay.
NODES_MOST = 1 << 30
CHUNK_MOST = 1 << 20
SEED_MOST = (1 << 63) - 1 - SEEDS_APART
COUNT_MOST = (1 << 63) - 1
SHARE_MOST = 1e9


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
    play_out: bool = False
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
        """Writes the file in one step. Raises OSError."""
        text = [self.recipe.rstrip() + "\n\n" + MARK]
        for made in self.made:
            ranges = ", ".join(f"[{first}, {after}]" for first, after in made.seeds)
            text.append(
                f"\n[[made]]\nseed = {made.seed}\nengine = {_toml_text(made.engine)}\n"
                f"evaluation = {_toml_text(made.evaluation)}\nseeds = [{ranges}]\n"
                f"games = {made.games}\npositions = {made.positions}\n"
            )
        replace_text(self.path, "".join(text))


def _toml_text(text: str) -> str:
    """Returns a text in quotes. TOML has the escapes of JSON, and also escapes DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_manifest(path: Path) -> Manifest:
    """Reads a manifest. Raises ManifestError with the place of a fault."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise ManifestError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ManifestError(f"{path}: {error}") from None
    try:
        check_keys(data, ("positions",), ("chunk", "mix", "play_out", "set", "made"))
        manifest = Manifest(
            path,
            text.partition(MARK)[0],
            tuple(read_rows(data, "set", _read_set)),
            read_whole({"chunk": 1000, **data}, "chunk", 1, CHUNK_MOST),
            _read_mix(data.get("mix", [50, 25, 25])),
            read_whole(data, "positions", 1, COUNT_MOST),
            read_flag(data, "play_out", False),
            read_rows(data, "made", _read_made),
        )
    except ValueError as error:
        raise ManifestError(f"{path}: {error}") from None
    _check_seeds(manifest)
    return manifest


def _read_set(row: dict[str, Any]) -> GameSet:
    check_keys(row, ("rule", "size", "nodes", "seed"), ("share",))
    rule = row["rule"]
    if not is_whole(rule) or rule not in RULES:
        raise ValueError(f"rule = {rule!r}: rules are {', '.join(map(str, RULES))}")
    return GameSet(
        rule,
        read_whole(row, "size", MIN_SIZE, MAX_SIZE),
        read_whole(row, "nodes", 1, NODES_MOST),
        read_whole(row, "seed", 0, SEED_MOST),
        _read_share(row.get("share", 1.0)),
    )


def _read_share(share: Any) -> float:
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= SHARE_MOST:
        raise ValueError(f"share = {share!r}: expected a number above 0, at most {SHARE_MOST:g}")
    return float(share)


def _read_made(row: dict[str, Any]) -> Made:
    check_keys(row, ("seed", "engine", "evaluation", "seeds", "games", "positions"), ())
    return Made(
        read_whole(row, "seed", 0, SEED_MOST),
        read_text(row, "engine"),
        read_text(row, "evaluation"),
        _read_seeds(row["seeds"]),
        read_whole(row, "games", 0, COUNT_MOST),
        read_whole(row, "positions", 0, COUNT_MOST),
    )


def _read_seeds(pairs: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(pairs, list) or not all(_is_range(pair) for pair in pairs):
        raise ValueError(f"seeds = {pairs!r}: expected pairs [first, after], first below after")
    return tuple((first, after) for first, after in pairs)


def _is_range(pair: Any) -> bool:
    if not isinstance(pair, list) or len(pair) != 2 or not all(map(is_whole, pair)):
        return False
    first, after = pair
    return bool(0 <= first < after)


def _read_mix(mix: Any) -> tuple[int, int, int]:
    if isinstance(mix, list) and len(mix) == 3 and all(map(is_whole, mix)):
        random, shipped, branches = mix
        if random + shipped + branches == 100 and min(mix) >= 0:
            return random, shipped, branches
    raise ValueError(f"mix = {mix!r}: expected three percentages that add up to 100")


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
    for number, made in enumerate(manifest.made, 1):
        if made.seed not in seeds:
            raise ManifestError(
                f"{manifest.path}: made {number}: seed = {made.seed}: there is no such set"
            )
        for first, after in made.seeds:
            if first < made.seed or after > made.seed + SEEDS_APART:
                raise ManifestError(
                    f"{manifest.path}: made {number}: seeds [{first}, {after}] are not of the set "
                    f"with seed {made.seed}"
                )
