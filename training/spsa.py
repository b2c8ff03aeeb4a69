"""Tunes parameters of the search by games: simultaneous perturbation (SPSA).

    python training/spsa.py training/spsa.toml build/spsa.jsonl --pairs 10000 --workers 2

Each pair of games moves all parameters at once, each by its own step in a random direction. One
side plays with these values, the other with the opposite moves. The pair has one opening and both
colours. Its result moves every parameter a little towards the winner. This does not show the worth
of a single parameter, but tens of them settle within the games of one match. The result is a
proposal: a match decides (docs/strength.md).

The file gets a line every REPORT pairs, {"pairs": n, "won": points, "values": {...}, "config":
digest}. An interrupted run continues from the last line of the same config. Method and decay of the
steps: J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
optimization", 1998.
"""

import argparse
import math
import random
import sys
import threading
import tomllib
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from training.arguments import at_least_one  # noqa: E402
from training.journal import Journal, JournalError  # noqa: E402
from training.search_games import Player, check_values, play_pair, read_boards  # noqa: E402

REPORT = 100
DECAY = 0.602
EARLY = 0.1  # share of all pairs after which the steps are two thirds of the first ones


@dataclass(frozen=True)
class Number:
    """A parameter of the engine: start, step and bounds."""

    name: str
    value: float
    step: float
    low: int
    high: int

    def __post_init__(self) -> None:
        """Raises ValueError for a start out of bounds or a step of 0."""
        if not self.low <= self.value <= self.high or self.step <= 0:
            raise ValueError(f"{self.name}: [value, step, least, most], the value within, step > 0")


def read_numbers(rows: dict[str, Any]) -> list[Number]:
    """Reads the parameters. Raises ValueError for an unknown name or bounds beyond the engine's."""
    numbers = [Number(name, *row) for name, row in rows.items()]
    check_values({number.name: (number.low, number.high) for number in numbers})
    return numbers


class Tuning:
    """Holds the current values, shared by the workers."""

    def __init__(self, config: dict[str, Any], path: Path, pairs: int) -> None:
        """Continues from the last line of the journal, if it has one."""
        self.numbers = read_numbers(config["numbers"])
        self.nodes: int = config["nodes"]
        self.rate: float = config["rate"]
        self.boards = read_boards(config["boards"])
        self.values = {number.name: number.value for number in self.numbers}
        self.pairs = pairs
        self.done = self.begun = self.told = self.won = 0
        self.lock = threading.Lock()
        self.stopped = False
        self.journal = Journal(path, config, first="pairs")
        if self.journal.lines:
            last = self.journal.lines[-1]
            self.done = self.begun = self.told = last["pairs"]
            self.won, self.values = last["won"], last["values"]

    def next_pair(self) -> random.Random | None:
        """Returns the random generator of the next pair; None after the last pair."""
        with self.lock:
            if self.stopped or self.begun >= self.pairs:
                return None
            self.begun += 1
            return random.Random(self.begun)

    def sides(self, chance: random.Random) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        """Returns the integer values of both sides, and the direction of each parameter.

        A value between two integers becomes one of them at random.
        """
        signs = {number.name: chance.choice((-1, 1)) for number in self.numbers}
        with self.lock:
            values = dict(self.values)

        def moved(way: int) -> dict[str, int]:
            side = {}
            for n in self.numbers:
                exact = values[n.name] + way * signs[n.name] * n.step
                side[n.name] = min(n.high, max(n.low, math.floor(exact + chance.random())))
            return side

        return moved(1), moved(-1), signs

    def learn(self, signs: dict[str, int], result: int) -> None:
        """Moves every parameter towards the winner of the pair by its points, -2 to 2."""
        with self.lock:
            left = (self.pairs * (1 + EARLY)) / (self.pairs * EARLY + self.done)
            rate = self.rate * left**DECAY
            for n in self.numbers:
                value = self.values[n.name] + rate * n.step * result * signs[n.name]
                self.values[n.name] = min(float(n.high), max(float(n.low), value))
            self.done += 1
            self.won += result
            if self.done % REPORT == 0:
                self.report()

    def report(self) -> None:
        """Adds a line to the journal if there are new pairs."""
        if self.done > self.told:
            values = {name: round(value, 3) for name, value in self.values.items()}
            self.journal.add({"pairs": self.done, "won": self.won, "values": values})
            self.told = self.done


def work(tuning: Tuning) -> None:
    """Plays pairs until none is left."""
    players = Player(4), Player(4)
    while (chance := tuning.next_pair()) is not None:
        board = chance.choice(tuning.boards)
        opening = chance.choice(board.openings)
        plus, minus, signs = tuning.sides(chance)
        tuning.learn(signs, play_pair(players, board, opening, (plus, minus), tuning.nodes))


def run(tuning: Tuning, workers: int) -> None:
    """Plays all pairs. After Ctrl-C or a failure of a worker, the running pairs finish."""
    try:
        with ThreadPoolExecutor(workers) as pool:
            working = [pool.submit(work, tuning) for _ in range(workers)]
            try:
                wait(working, return_when=FIRST_EXCEPTION)
            finally:
                tuning.stopped = True
        for worker in working:
            worker.result()
    finally:
        tuning.report()


def main() -> None:
    """Reads the arguments and runs the workers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("config", type=Path, help="parameters and matches (TOML)")
    parser.add_argument("out", type=Path, help="journal; an existing one is continued")
    parser.add_argument(
        "--pairs", type=at_least_one, default=10_000, help="pairs of games (default: 10000)"
    )
    parser.add_argument(
        "--workers", type=at_least_one, default=1, help="games at once (default: 1)"
    )
    args = parser.parse_args()
    try:
        tuning = Tuning(tomllib.loads(args.config.read_text()), args.out, args.pairs)
    except (OSError, JournalError) as error:
        sys.exit(str(error))
    except (ValueError, TypeError) as error:
        sys.exit(f"{args.config}: {error}")
    except KeyError as error:
        sys.exit(f"{args.config}: {error} is missing")
    if tuning.done >= tuning.pairs:
        print(f"{args.out}: all {tuning.pairs} pairs have been played")
    try:
        run(tuning, args.workers)
    except JournalError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
