"""Tunes parameters of the search by games: simultaneous perturbation (SPSA).

    python training/spsa.py training/spsa.toml build/spsa.jsonl --pairs 10000 --workers 2

Each pair of games moves all parameters at once, each by its own step in a random direction. One
side plays with these values, the other with the opposite moves. The pair has one opening and both
colours. Its result moves every parameter a little towards the winner. This does not show the worth
of a single parameter, but tens of them settle within the games of one match. The result is a
proposal: a match decides (docs/strength.md).

The file gets a line every REPORT pairs, {"pairs": n, "won": points, "config": digest, "values":
{...}}. An interrupted run continues from the last line of the same config. Method and decay of the
steps: J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
optimization", 1998.
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
LONGEST = 150  # moves after which a game is a draw
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


@dataclass(frozen=True)
class Board:
    """A rule, a board size, and the openings of its games."""

    rule: Rule
    size: int
    openings: tuple[tuple[Square, ...], ...]


def read_numbers(rows: dict[str, Any]) -> list[Number]:
    """Reads the parameters. Raises ValueError for an unknown name or bounds beyond the engine's."""
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
    """A run cannot continue with this journal."""


class Journal:
    """The journal of a run, which only this run may write."""

    BEGIN = b'{"pairs"'

    def __init__(self, path: Path, config: dict[str, Any]) -> None:
        """Opens the journal and removes an incomplete last line.

        Raises JournalError if the file is not writable, no journal, or of another config.
        """
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
    """Reads openings of the arena: one a line, squares as offsets from the centre."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    middle = size // 2
    return tuple(
        tuple((x + middle, y + middle) for x, y in json.loads(f"[[{line.replace(', ', '],[')}]]"))
        for line in lines
    )


class Player:
    """One side of a game: an engine and its parameters."""

    def __init__(self, memory_mib: float) -> None:
        """Creates an engine with one thread."""
        self.engine = Engine(memory_mib=memory_mib)

    def start(self, board: Board, opening: tuple[Square, ...], values: dict[str, int]) -> None:
        """Sets up the opening and clears the engine's memory."""
        self.engine.reset(size=board.size, rule=board.rule)
        for name, value in values.items():
            self.engine.set_option(name, value)
        for square in opening:
            self.engine.play(square)


def play_game(black: Player, white: Player, stones: int, nodes: int) -> int:
    """Plays on after `stones` stones; returns 1 if Black won, 0 for a draw, -1 if White won.

    A proven score ends the game.
    """
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
    """Holds the current values, shared by the workers."""

    def __init__(self, config: dict[str, Any], path: Path, pairs: int) -> None:
        """Continues from the last line of the journal, if it has one."""
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
            self.journal.add(self.done, self.won, values)
            self.told = self.done


def work(tuning: Tuning) -> None:
    """Plays pairs until none is left."""
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
    parser.add_argument("--pairs", type=int, default=10_000, help="pairs of games (default: 10000)")
    parser.add_argument("--workers", type=int, default=1, help="games at once (default: 1)")
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
