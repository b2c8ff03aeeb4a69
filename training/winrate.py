"""Fits the win rate to games, one curve for each rule, and checks it on other games.

    training/winrate.py FILE.tg...     prints the curves and the table of docs/analysis.md

The curve is 1 / (1 + exp(-(score - a) / b)), with a and b in points of score. A draw counts as half
a win. One game in five, by its number, is for validation. Proven scores, openings and varied moves
are left out. The error counts games, because the positions of one game share their result.
"""

import argparse
import itertools
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from records.rules import rule_name  # noqa: E402
from training.gamefiles import GamesError, build_programs, read_file  # noqa: E402

PROVEN = 20_000
"""Scores beyond it are proven."""
HELD_OUT = 5
EDGES = (0.0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1.0)

Floats = npt.NDArray[np.float64]

NODE_RESULT = 2  # of training/games.h: the least in text


@dataclass(frozen=True)
class Samples:
    """Holds positions: the score for the side to move, its result (1, 0.5, 0), and the game."""

    score: Floats
    result: Floats
    game: Floats

    def take(self, chosen: npt.NDArray[np.bool_]) -> "Samples":
        """Returns some of the positions."""
        return Samples(self.score[chosen], self.result[chosen], self.game[chosen])


def positions(lines: Iterator[str]) -> dict[int, Samples]:
    """Returns the positions of games as text, by rule; raises GamesError."""
    rows: dict[int, list[tuple[float, float, float]]] = {}
    for game, line in enumerate(lines):
        try:
            rule, _, result, opening, plies = line.split(" ", 4)
            found = rows.setdefault(int(rule), [])
            for ply, text in enumerate(plies.strip().strip(";").split(";")):
                score = text.split(",")[2]
                if ply < int(opening) or score.endswith("!") or abs(int(score)) >= PROVEN:
                    continue
                if int(result) >= NODE_RESULT:
                    raise GamesError(f"game {game + 1} is a node of a search, without a result")
                mover = 1 if ply % 2 == 0 else -1
                found.append((int(score), (1 + mover * int(result)) / 2, game))
        except (ValueError, IndexError):
            raise GamesError(f"game {game + 1}: {line[:40]!r}: expected a game as text") from None
    return {rule: Samples(*np.array(found, float).reshape(-1, 3).T) for rule, found in rows.items()}


def curve(score: Floats, a: float, b: float) -> Floats:
    """Returns the win rate of scores."""
    return np.asarray(1 / (1 + np.exp(-np.clip((score - a) / b, -40, 40))))


def fit(samples: Samples) -> tuple[float, float]:
    """Returns a and b with the least log loss."""

    def loss(values: Floats) -> float:
        p = np.clip(curve(samples.score, values[0] * 100, np.exp(values[1])), 1e-12, 1 - 1e-12)
        return float(-np.mean(samples.result * np.log(p) + (1 - samples.result) * np.log(1 - p)))

    found = minimize(loss, np.array([0.0, np.log(220.0)]), method="BFGS")
    return float(found.x[0] * 100), float(np.exp(found.x[1]))


@dataclass(frozen=True)
class Bin:
    """Holds one row of the reliability table: the predicted win rate, the actual one, its error."""

    count: int
    games: int
    told: float
    came: float
    error: float


def reliability(samples: Samples, a: float, b: float) -> list[Bin | None]:
    """Returns a bin for each step of `EDGES`; None with fewer than ten games."""
    told = curve(samples.score, a, b)
    rows: list[Bin | None] = []
    for low, high in itertools.pairwise(EDGES):
        chosen = (told >= low) & ((told < high) | (high == 1.0))
        games = np.unique(samples.game[chosen], return_inverse=True)[1]
        count, numbers = int(chosen.sum()), int(games.max() + 1) if chosen.any() else 0
        if numbers < 10:
            rows.append(None)
            continue
        came = float(samples.result[chosen].mean())
        # The positions of one game are correlated: the sum of a game is one sample.
        sums = np.bincount(games, samples.result[chosen] - came, numbers)
        error = 1.96 * float(np.sqrt((sums**2).sum())) / count
        rows.append(Bin(count, numbers, float(told[chosen].mean()), came, error))
    return rows


def report(found: dict[int, Samples]) -> str:
    """Returns the curves and the reliability as tables of Markdown."""
    curves: list[str] = []
    columns: list[tuple[str, list[Bin | None]]] = []
    for rule, samples in sorted(found.items()):
        is_held_out = samples.game % HELD_OUT == 0
        a, b = fit(samples.take(~is_held_out))
        held = samples.take(is_held_out)
        rows = reliability(held, round(a), round(b))
        kept = [row for row in rows if row]
        total = sum(row.count for row in kept)
        gap = sum(row.count * abs(row.told - row.came) for row in kept) / total
        games = len(np.unique(samples.game))
        curves.append(
            f"| {rule_name(rule)} | {games:,} | {len(samples.score):,} | {a:.0f} | {b:.0f} "
            f"| {100 * gap:.1f} % |"
        )
        columns.append((rule_name(rule), rows))
    lines = [
        "| rule | games | positions | a | b | mean difference |",
        "|---|---|---|---|---|---|",
    ]
    lines += [*curves, "", "| win rate | " + " | ".join(name for name, _ in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for i, (low, high) in enumerate(itertools.pairwise(EDGES)):
        cells = [
            "" if row is None else f"{100 * row.came:.0f} ± {100 * row.error:.0f}"
            for row in (rows[i] for _, rows in columns)
        ]
        lines.append(f"| {100 * low:.0f} to {100 * high:.0f} % | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables; returns 2 if a file cannot be used."""
    parser = argparse.ArgumentParser(prog="winrate.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    args = parser.parse_args(arguments)
    try:
        for path in args.files:
            read_file(path)
        (program,) = build_programs("games")
        command = [str(program), "print", *map(str, args.files)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        print(report(positions(iter(text.splitlines()))))
    except GamesError as error:
        print(f"winrate: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
