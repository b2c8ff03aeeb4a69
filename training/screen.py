"""Measures many parameters of the search in the same games: a design with two values each.

    python training/screen.py training/screen.toml build/screen.jsonl --pairs 500 --workers 2
    python training/screen.py training/screen.toml build/screen.jsonl --report

Each parameter has two values: the current one and an alternative. In each pair of games, the
program chooses at random for each parameter which side gets the alternative. The other side gets
the current value. A group of parameters, name = {a = [1, 2], b = [3, 5]}, changes as one. A pair
has one opening and both colours. So every pair is evidence on every parameter: as many pairs as a
match needs for one of them measure all. A parameter is measured among random values of the others,
not beside the current ones. Therefore the result is a proposal: a match decides (docs/strength.md).

The file gets a line for each pair, {"pair": n, "signs": "+-...", "points": p, "config": digest}:
"+" means that the first side has the alternative of the parameter. The points, -2 to 2, are the
wins of the first side minus its losses. An interrupted run plays the missing pairs of the same
config. The same config plays the same pairs, whatever the number of workers. Method: R. L. Plackett
and J. P. Burman, "The design of optimum multifactorial experiments", 1946, with signs drawn at
random.

A config with one factor is a match. Its report has a row for each board. --sprt ELO0 ELO1 ends the
match as soon as this SPRT (logistic Elo, alpha and beta 0.05) has a result, pair by pair.
Two pairs with the same opening and number of nodes play the same games. So a long match draws the
nodes of each pair: spread = 20 means from 80 to 120 percent of `nodes`.

Exit status: 0, 1 after a fault, 130 after Ctrl-C.
"""

import argparse
import random
import sys
import threading
import tomllib
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from arena.stats.sprt import Sprt, SprtResult  # noqa: E402
from pyengine import EngineError, Square  # noqa: E402
from training.arguments import at_least_one  # noqa: E402
from training.factors import read_factors, read_fixed, whole_number  # noqa: E402
from training.journal import Journal, JournalError, read_journal  # noqa: E402
from training.pairs import Pair, decide, match_counts, worths  # noqa: E402
from training.search_games import Player, play_pair, read_boards  # noqa: E402

KEYS = {"nodes", "spread", "seed", "memory_mib", "boards", "fixed", "factors"}
FIRST_KEY = "pair"


# --- the config ------------------------------------------------------------------------------


class Draw(NamedTuple):
    """The board of a pair (a place in the list), its opening, its signs, and the nodes a move."""

    board: int
    opening: tuple[Square, ...]
    signs: str
    nodes: int


class Screen:
    """The config of a run: the factors, the games, and the random choices of each pair."""

    def __init__(self, config: dict[str, Any]) -> None:
        """Reads the config. Raises ValueError, KeyError, OSError or TypeError."""
        if unknown := sorted(config.keys() - KEYS):
            raise ValueError(f"{unknown[0]}: unknown")
        self.factors = read_factors(config["factors"])
        # The signs of a pair are in the order of the factors, so the order belongs to the config.
        self.config = {**config, "factors": list(config["factors"].items())}
        self.fixed = read_fixed(config.get("fixed", {}), self.factors)
        self.nodes = whole_number(config, "nodes", 1)
        self.spread = whole_number({"spread": 0, **config}, "spread", 0)
        if self.spread > 99:
            raise ValueError(f"spread: at most 99 percent, not {self.spread}")
        self.seed = whole_number(config, "seed", 0)
        self.memory_mib = whole_number(config, "memory_mib", 1)
        self.boards = read_boards(config["boards"])
        if not self.boards:
            raise ValueError("boards: at least one")
        self._try_boards()

    def _try_boards(self) -> None:
        player = Player(1)
        for board in self.boards:
            for opening in board.openings:
                try:
                    player.start(board, opening, {})
                except EngineError as error:
                    raise ValueError(f"boards: {board.size}x{board.size}: {error}") from None

    def draw(self, number: int) -> Draw:
        """Draws what chance decides for a pair."""
        chance = random.Random(f"{self.seed} {number}")
        at = chance.randrange(len(self.boards))
        opening = chance.choice(self.boards[at].openings)
        signs = "".join(chance.choice("+-") for _ in self.factors)
        nodes = self.nodes
        if self.spread:
            least, most = (nodes * (100 + by) // 100 for by in (-self.spread, self.spread))
            nodes = chance.randint(max(1, least), most)
        return Draw(at, opening, signs, nodes)

    def values(self, signs: str) -> dict[str, int]:
        """Returns the values of the side with these signs."""
        chosen = dict(self.fixed)
        for factor, sign in zip(self.factors, signs, strict=True):
            chosen |= factor.alternative if sign == "+" else factor.current
        return chosen

    def pairs(self, path: Path, lines: list[dict[str, Any]]) -> dict[int, Pair]:
        """Returns the pairs of a journal by number. Raises JournalError."""
        pairs: dict[int, Pair] = {}
        for at, line in enumerate(lines, 1):
            number, signs, points = line.get(FIRST_KEY), line.get("signs"), line.get("points")
            if type(number) is not int or number < 1 or number in pairs:
                raise JournalError(f"{path}: line {at}: pair {number!r}")
            if signs != self.draw(number).signs:
                raise JournalError(f"{path}: line {at}: not the signs of pair {number}")
            if type(points) is not int or abs(points) > 2:
                raise JournalError(f"{path}: line {at}: points {points!r}")
            pairs[number] = Pair(signs, points)
        return pairs

    def report(self, pairs: dict[int, Pair], sprt: Sprt | None = None) -> str:
        """Returns a table of the factors, the best first; of a match, its boards and its test."""
        if len(pairs) < 2:
            return f"{len(pairs)} of at least 2 pairs have been played"
        rows = [f"{len(pairs)} pairs"]
        if len(self.factors) == 1:
            return "\n".join([*rows, *self._match_rows(pairs, sprt)])
        for worth in worths(self.factors, list(pairs.values())):
            f = worth.factor
            rows.append(f"{f.name:30} {f.change():>16}  {worth.elo:+6.1f} ± {worth.error:.1f} Elo")
        return "\n".join(rows)

    def _match_rows(self, pairs: dict[int, Pair], sprt: Sprt | None) -> list[str]:
        of_board: list[list[Pair]] = [[] for _ in self.boards]
        for number, pair in pairs.items():
            of_board[self.draw(number).board].append(pair)
        parts = [(self.factors[0].name, list(pairs.values()))]
        for (name, _, size), some in zip(self.config["boards"], of_board, strict=True):
            parts.append((f"{name}, {size}x{size}", some))
        rows = []
        for name, some in parts:
            counts = match_counts(some)
            rows.append(f"{name:30} {counts.samples:5} {counts!s:>22}  {counts.elo()} Elo")
        if sprt:
            test = decide(sprt, pairs.values())
            rows.append(f"SPRT after {test.pairs} pairs: {test.state}")
        return rows


# --- a run -----------------------------------------------------------------------------------


def opposite(signs: str) -> str:
    """Returns the signs of the other side."""
    return signs.translate(str.maketrans("+-", "-+"))


def play(screen: Screen, players: tuple[Player, Player], number: int) -> Pair:
    """Plays a pair; its choices depend on the config and its number only."""
    at, opening, signs, nodes = screen.draw(number)
    values = screen.values(signs), screen.values(opposite(signs))
    return Pair(signs, play_pair(players, screen.boards[at], opening, values, nodes))


class Run:
    """The pairs that have been played, and the workers that play the missing ones."""

    def __init__(self, screen: Screen, path: Path, sprt: Sprt | None = None) -> None:
        """Continues a journal. Raises JournalError. sprt: it ends a match."""
        self.screen = screen
        self.sprt = sprt
        self.journal = Journal(path, screen.config, first=FIRST_KEY)
        self.pairs = screen.pairs(path, self.journal.lines)
        self.lock = threading.Lock()
        self.stopped = self._is_decided()

    def _is_decided(self) -> bool:
        if not self.sprt:
            return False
        test = decide(self.sprt, self.pairs.values())
        return test.state.result is not SprtResult.GOES_ON

    def _missing(self, count: int) -> Iterator[int]:
        return iter([number for number in range(1, count + 1) if number not in self.pairs])

    def _work(self, numbers: Iterator[int]) -> None:
        players = Player(self.screen.memory_mib), Player(self.screen.memory_mib)
        while True:
            with self.lock:
                number = None if self.stopped else next(numbers, None)
            if number is None:
                return
            pair = play(self.screen, players, number)
            with self.lock:
                self.pairs[number] = pair
                self.journal.add({FIRST_KEY: number, "signs": pair.signs, "points": pair.points})
                self.stopped = self.stopped or self._is_decided()

    def play(self, count: int, workers: int) -> bool:
        """Plays the missing pairs of 1..count, or until the test has a result; False after Ctrl-C.

        After Ctrl-C or a failure of a worker, the running pairs finish. Raises the failure.
        """
        numbers = self._missing(count)
        working: list[Future[None]] = []
        whole = True
        with ThreadPoolExecutor(workers) as pool:
            try:
                working += [pool.submit(self._work, numbers) for _ in range(workers)]
                wait(working, return_when=FIRST_EXCEPTION)
            except KeyboardInterrupt:
                whole = False
                print("the running pairs finish first", file=sys.stderr)
            finally:
                self.stopped = True
        for worker in working:
            worker.result()
        return whole


def main() -> int:
    """Reads the arguments, runs the workers and prints the report; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("config", type=Path, help="factors and matches (TOML)")
    parser.add_argument("out", type=Path, help="journal; an existing one is continued")
    parser.add_argument(
        "--pairs", type=at_least_one, default=500, help="pairs in all (default: 500)"
    )
    parser.add_argument(
        "--workers", type=at_least_one, default=1, help="games at once (default: 1)"
    )
    parser.add_argument(
        "--report", action="store_true", help="only read the journal, also that of a running run"
    )
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("ELO0", "ELO1"),
        help="end a match when this SPRT has a result",
    )
    args = parser.parse_args()
    try:
        sprt = Sprt(*args.sprt) if args.sprt else None
    except ValueError as error:
        parser.error(f"--sprt: {error}")
    try:
        screen = Screen(tomllib.loads(args.config.read_text()))
        if sprt and len(screen.factors) > 1:
            sys.exit(f"--sprt: a test needs one factor, not {len(screen.factors)}")
        if args.report:
            lines = read_journal(args.out, screen.config, first=FIRST_KEY)
            print(screen.report(screen.pairs(args.out, lines), sprt))
            return 0
        run = Run(screen, args.out, sprt)
    except (OSError, JournalError) as error:
        sys.exit(str(error))
    except (ValueError, TypeError) as error:
        sys.exit(f"{args.config}: {error}")
    except KeyError as error:
        sys.exit(f"{args.config}: {error} is missing")
    try:
        whole = run.play(args.pairs, args.workers)
    except JournalError as error:
        sys.exit(str(error))
    print(screen.report(run.pairs, sprt))
    return 0 if whole else 130


if __name__ == "__main__":
    sys.exit(main())
