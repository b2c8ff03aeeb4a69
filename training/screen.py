"""Measures many parameters of the search in the same games: a design with two values each.

    python training/screen.py training/screen.toml build/screen.jsonl --pairs 500 --workers 2
    python training/screen.py training/screen.toml build/screen.jsonl --report

Each parameter has two values: the one of now and another one. In a pair of games one side takes
one of the two at random for each parameter, and the other side takes the other one. A pair has one
opening and both colours. So every pair is evidence on every parameter: as many pairs as a match
needs for one of them measure all. A parameter is measured among random values of the others, not
beside those of now. Therefore the result is a proposal: a match decides (docs/strength.md).

The file gets a line a pair, {"pair": n, "signs": "+-...", "points": p, "config": digest}: "+" means
that the first side has the other value of the parameter, and the points, -2 to 2, are those of the
first side. An interrupted run plays the missing pairs of the same config. The same config plays the
same pairs, whatever the number of workers. Method: R. L. Plackett and J. P. Burman, "The design of
optimum multifactorial experiments", 1946, with signs drawn at random.
"""

import argparse
import contextlib
import itertools
import math
import random
import statistics
import sys
import threading
import tomllib
from collections.abc import Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from training.journal import Journal, JournalError  # noqa: E402
from training.search_games import Player, check_values, play_game, read_boards  # noqa: E402

ELO_PER_POINT = 400 / math.log(10)  # near a score of one half; a point is a quarter of a pair
NINETY_FIVE = 1.96  # standard deviations


@dataclass(frozen=True)
class Factor:
    """A parameter of the engine: its value of now and the other one."""

    name: str
    now: int
    other: int

    def __post_init__(self) -> None:
        """Raises ValueError if there is nothing to compare."""
        if self.now == self.other:
            raise ValueError(f"{self.name}: [value of now, another value]")


@dataclass(frozen=True)
class Pair:
    """The result of a pair: the sign of each factor, and the points of the first side."""

    signs: str
    points: int


@dataclass(frozen=True)
class Worth:
    """What the other value of a factor is worth against the one of now, with its 95 % error."""

    factor: Factor
    elo: float
    error: float


def worths(factors: list[Factor], pairs: list[Pair]) -> list[Worth]:
    """Returns the worth of each factor, the highest first. pairs: at least one."""
    found = []
    for place, factor in enumerate(factors):
        points = [pair.points if pair.signs[place] == "+" else -pair.points for pair in pairs]
        error = statistics.pstdev(points) / math.sqrt(len(points))
        found.append(
            Worth(
                factor,
                statistics.fmean(points) * ELO_PER_POINT,
                NINETY_FIVE * error * ELO_PER_POINT,
            )
        )
    return sorted(found, key=lambda worth: -worth.elo)


class Screen:
    """A run: its config, and the pairs that have been played."""

    def __init__(self, config: dict[str, Any], path: Path) -> None:
        """Reads the journal. Raises ValueError, KeyError or JournalError for faults."""
        self.factors = [Factor(name, *row) for name, row in config["factors"].items()]
        self.fixed: dict[str, int] = config.get("fixed", {})
        self.nodes: int = config["nodes"]
        self.seed: int = config["seed"]
        self.memory_mib: float = config["memory_mib"]
        self.boards = read_boards(config["boards"])
        check_values({factor.name: (factor.now, factor.other) for factor in self.factors})
        check_values({name: (value,) for name, value in self.fixed.items()})
        self.journal = Journal(path, config, first="pair")
        self.pairs = {
            line["pair"]: Pair(line["signs"], line["points"]) for line in self.journal.lines
        }
        self.lock = threading.Lock()
        self.stopped = False

    def missing(self, count: int) -> list[int]:
        """Returns the numbers of the pairs of 1..count that have not been played."""
        return [number for number in range(1, count + 1) if number not in self.pairs]

    def values(self, signs: str) -> dict[str, int]:
        """Returns the values of the side with these signs."""
        chosen = {
            factor.name: factor.other if sign == "+" else factor.now
            for factor, sign in zip(self.factors, signs, strict=True)
        }
        return {**self.fixed, **chosen}

    def add(self, number: int, pair: Pair) -> None:
        """Keeps the result of a pair."""
        with self.lock:
            self.pairs[number] = pair
            self.journal.add({"pair": number, "signs": pair.signs, "points": pair.points})

    def report(self) -> str:
        """Returns a table of the factors, the best first."""
        if not self.pairs:
            return "no pair has been played"
        rows = [f"{len(self.pairs)} pairs"]
        for worth in worths(self.factors, list(self.pairs.values())):
            f = worth.factor
            rows.append(
                f"{f.name:30} {f.now:6} -> {f.other:6}  {worth.elo:+6.1f} ± {worth.error:.1f} Elo"
            )
        return "\n".join(rows)


def opposite(signs: str) -> str:
    """Returns the signs of the other side."""
    return signs.translate(str.maketrans("+-", "-+"))


def play_pair(screen: Screen, players: tuple[Player, Player], number: int) -> Pair:
    """Plays a pair; its choices depend on the seed and its number only."""
    chance = random.Random(screen.seed + number)
    board = chance.choice(screen.boards)
    opening = chance.choice(board.openings)
    signs = "".join(chance.choice("+-") for _ in screen.factors)
    points = 0
    for black in (0, 1):
        players[0].start(board, opening, screen.values(signs))
        players[1].start(board, opening, screen.values(opposite(signs)))
        won = play_game(players[black], players[1 - black], len(opening), screen.nodes)
        points += won if black == 0 else -won
    return Pair(signs, points)


def work(screen: Screen, numbers: Iterable[int]) -> None:
    """Plays pairs until none is left. numbers: shared by all workers."""
    players = Player(screen.memory_mib), Player(screen.memory_mib)
    while True:
        with screen.lock:
            number = None if screen.stopped else next(iter(numbers), None)
        if number is None:
            return
        screen.add(number, play_pair(screen, players, number))


def run(screen: Screen, count: int, workers: int) -> None:
    """Plays the missing pairs. After Ctrl-C or a failure of a worker, the running pairs finish."""
    numbers = itertools.chain(screen.missing(count))
    with ThreadPoolExecutor(workers) as pool:
        working = [pool.submit(work, screen, numbers) for _ in range(workers)]
        try:
            wait(working, return_when=FIRST_EXCEPTION)
        finally:
            screen.stopped = True
    for worker in working:
        worker.result()


def main() -> None:
    """Reads the arguments, runs the workers and prints the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("config", type=Path, help="factors and matches (TOML)")
    parser.add_argument("out", type=Path, help="journal; an existing one is continued")
    parser.add_argument("--pairs", type=int, default=500, help="pairs of games (default: 500)")
    parser.add_argument("--workers", type=int, default=1, help="games at once (default: 1)")
    parser.add_argument("--report", action="store_true", help="only print what the journal shows")
    args = parser.parse_args()
    if args.workers < 1:
        parser.error("--workers: at least one")
    try:
        screen = Screen(tomllib.loads(args.config.read_text()), args.out)
    except (OSError, JournalError) as error:
        sys.exit(str(error))
    except (ValueError, TypeError) as error:
        sys.exit(f"{args.config}: {error}")
    except KeyError as error:
        sys.exit(f"{args.config}: {error} is missing")
    if not args.report:
        with contextlib.suppress(KeyboardInterrupt):
            run(screen, args.pairs, args.workers)
    print(screen.report())


if __name__ == "__main__":
    main()
