"""Tunes numbers of the search by games: simultaneous perturbation (SPSA).

    python training/spsa.py training/spsa.toml build/spsa.jsonl --pairs 10000 --workers 2

For each pair of games all numbers are moved at once, each by its own step up or down by chance; one
side plays with them so, the other with all moved the other way, the same opening with both colours.
What the pair says moves every number a little towards the side that won. No number's own worth is
seen in this, but tens of them settle in as many games as a match needs for one. What comes out
is a proposal: a match decides (docs/strength.md).

The file grows by a line every REPORT pairs, {"pairs": n, "won": points, "config": digest, "values":
{...}}, and a run that was cut off goes on from its last one, if that is of the same config. Method
and decay of the steps: J. C. Spall, "Implementation of the simultaneous perturbation algorithm for
stochastic optimization", 1998.
"""

import argparse
import fcntl
import hashlib
import json
import math
import random
import sys
import threading
import tomllib
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pyengine import Color, Engine, EngineError, Limits, Rule, Square, Status  # noqa: E402
from pyengine.constants import PROVEN_SCORE  # noqa: E402

OPENINGS = ROOT / "arena" / "openings" / "data"
REPORT = 100
LONGEST = 150  # moves of a game after which it counts as drawn
DECAY = 0.602
EARLY = 0.1  # of all pairs: by then the steps are two thirds of the first ones


@dataclass(frozen=True)
class Number:
    """An option of the engine: where it begins, how far it is moved, and its bounds."""

    name: str
    value: float
    step: float
    low: int
    high: int

    def __post_init__(self) -> None:
        """Raises ValueError where it begins out of bounds, or is not moved."""
        if not self.low <= self.value <= self.high or self.step <= 0:
            raise ValueError(f"{self.name}: [value, step, least, most], the value within, step > 0")


@dataclass(frozen=True)
class Board:
    """A rule on a board of a side, and the openings that its games begin with."""

    rule: Rule
    size: int
    openings: tuple[tuple[Square, ...], ...]


def read_numbers(rows: dict[str, Any]) -> list[Number]:
    """Raises ValueError for a name that the engine does not know, or bounds beyond its own."""
    numbers = [Number(name, *row) for name, row in rows.items()]
    with Engine(memory_mib=1) as engine:
        known = engine.option_names()
        for number in numbers:
            if number.name not in known:
                raise ValueError(f"{number.name}: the engine has no such number")
            try:
                engine.set_option(number.name, number.low)
                engine.set_option(number.name, number.high)
            except EngineError as error:
                raise ValueError(f"{number.name}: {error}") from None
    return numbers


class JournalError(Exception):
    """The file of the lines cannot be gone on with."""


class Journal:
    """The file of the lines, this run's alone."""

    BEGIN = b'{"pairs"'

    def __init__(self, path: Path, config: dict[str, Any]) -> None:
        """Takes off a last line that a run was cut off from writing. Raises JournalError where the
        file is not to be written to, is none of ours, or is of another config."""
        self.digest = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]
        try:
            self.file: IO[bytes] = path.open("a+b")
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{path}: another run is writing to it") from None
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from None
        self.last = self._read(path)

    def _read(self, path: Path) -> dict[str, Any] | None:
        self.file.seek(0)
        text = self.file.read()
        whole = text[: text.rfind(b"\n") + 1]
        if text and not text.startswith(self.BEGIN[: len(text)]):
            raise JournalError(f"{path}: no lines of a tuning")
        try:
            last: dict[str, Any] | None = json.loads(whole.splitlines()[-1]) if whole else None
        except ValueError as error:
            raise JournalError(f"{path}: the last line: {error}") from None
        if last and last.get("config") != self.digest:
            raise JournalError(f"{path}: lines of another config")
        self.file.truncate(len(whole))
        return last

    def add(self, pairs: int, won: int, values: dict[str, float]) -> None:
        """Adds a line."""
        line = {"pairs": pairs, "won": won, "config": self.digest, "values": values}
        self.file.write(json.dumps(line).encode() + b"\n")
        self.file.flush()


def read_openings(path: Path, size: int) -> tuple[tuple[Square, ...], ...]:
    """Reads the arena's openings: a line each, squares as offsets from the middle."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    middle = size // 2
    return tuple(
        tuple((x + middle, y + middle) for x, y in json.loads(f"[[{line.replace(', ', '],[')}]]"))
        for line in lines
    )


class Player:
    """One side of a game: an engine, and the numbers that it plays with."""

    def __init__(self, memory_mib: float) -> None:
        """Opens an engine of one thread."""
        self.engine = Engine(memory_mib=memory_mib)

    def start(self, board: Board, opening: tuple[Square, ...], values: dict[str, int]) -> None:
        """Puts the opening on an empty board, with nothing remembered."""
        self.engine.reset(size=board.size, rule=board.rule)
        for name, value in values.items():
            self.engine.set_option(name, value)
        for square in opening:
            self.engine.play(square)


def play_game(black: Player, white: Player, stones: int, nodes: int) -> int:
    """Plays on from `stones` stones; 1 Black won, 0 draw, -1 White won. A proven score ends it."""
    players = (black, white)
    for ply in range(stones, stones + LONGEST):
        mover = players[ply % 2]
        result = mover.engine.search(Limits(nodes=nodes))
        sign = 1 if ply % 2 == 0 else -1
        if abs(result.score) > PROVEN_SCORE:
            return sign if result.score > 0 else -sign
        for player in players:
            outcome = player.engine.play(result.move)
        if outcome.status in (Status.WIN, Status.DRAW):
            return 0 if outcome.winner is None else (1 if outcome.winner is Color.BLACK else -1)
    return 0


class Tuning:
    """The numbers as they stand, shared by the workers."""

    def __init__(self, config: dict[str, Any], path: Path, pairs: int) -> None:
        """Goes on from the last line of the file, where there is one."""
        self.numbers = read_numbers(config["numbers"])
        self.nodes: int = config["nodes"]
        self.rate: float = config["rate"]
        self.boards = [
            Board(Rule(rule), size, read_openings(OPENINGS / f"{name}.txt", size))
            for name, rule, size in config["boards"]
        ]
        self.values = {number.name: number.value for number in self.numbers}
        self.pairs = pairs
        self.done = self.begun = self.told = self.won = 0
        self.lock = threading.Lock()
        self.stopped = False
        self.journal = Journal(path, config)
        if last := self.journal.last:
            self.done = self.begun = self.told = last["pairs"]
            self.won, self.values = last["won"], last["values"]

    def next_pair(self) -> random.Random | None:
        """The chance of the next pair; None when all have been played."""
        with self.lock:
            if self.stopped or self.begun >= self.pairs:
                return None
            self.begun += 1
            return random.Random(self.begun)

    def sides(self, chance: random.Random) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        """What the two sides play with, whole numbers by chance between the two nearest, and which
        way each number was moved."""
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
        """Moves every number towards the side that won the pair by so many points, -2 to 2."""
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
        """Adds a line to the file, if there is news."""
        if self.done > self.told:
            values = {name: round(value, 3) for name, value in self.values.items()}
            self.journal.add(self.done, self.won, values)
            self.told = self.done


def work(tuning: Tuning) -> None:
    """Plays pairs until there are no more."""
    players = Player(4), Player(4)
    while (chance := tuning.next_pair()) is not None:
        board = chance.choice(tuning.boards)
        opening = chance.choice(board.openings)
        plus, minus, signs = tuning.sides(chance)
        result = 0
        for black in (0, 1):
            players[0].start(board, opening, plus)
            players[1].start(board, opening, minus)
            first, second = players[black], players[1 - black]
            won = play_game(first, second, len(opening), tuning.nodes)
            result += won if black == 0 else -won
        tuning.learn(signs, result)


def run(tuning: Tuning, workers: int) -> None:
    """Plays all pairs; after Ctrl-C, or when a worker fails, the pairs that have begun."""
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
    parser.add_argument("config", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    if args.workers < 1:
        parser.error("--workers: at least one")
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
    run(tuning, args.workers)


if __name__ == "__main__":
    main()
