"""Fits the win rate, or the chance of a draw, to games by rule, and checks it on other games.

    training/winrate.py FILE.tg...             prints the curves and the tables of docs/analysis.md
    training/winrate.py --draws FILE.tg...     the same for the chance of a draw

The curve is 1 / (1 + exp(-(score - a) / b)), with a and b in points of score. A draw counts as half
a win. One game in five, by its number, is for validation. Proven scores, openings and varied moves
are left out. The error counts games, because the positions of one game share their result.

The logarithm of the odds of a draw is a sum of five terms (records/winrate.py). The parameter a is
the one of that file. Games of several board sizes are needed.
"""

import argparse
import itertools
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from records.rules import rule_name  # noqa: E402
from records.winrate import CURVES  # noqa: E402
from training.gamefiles import GamesError, build_programs, read_file  # noqa: E402

PROVEN = 20_000
"""Scores beyond it are proven."""
HELD_OUT = 5
EDGES = (0.0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1.0)

DRAW_NAMES = "constant | full | distance | both | larger"
"""The factors of `terms`."""

Floats = npt.NDArray[np.float64]

NODE_RESULT = 2  # of training/games.h: the least in text


@dataclass(frozen=True)
class Samples:
    """Holds positions: the score for the side to move, its result (1, 0.5, 0), and the game.

    size: squares on a side. placed: the stones that were placed.
    """

    score: Floats
    result: Floats
    game: Floats
    size: Floats
    placed: Floats

    def take(self, chosen: npt.NDArray[np.bool_]) -> "Samples":
        """Returns some of the positions."""
        return Samples(*(getattr(self, field.name)[chosen] for field in fields(self)))


def positions(lines: Iterator[str]) -> dict[int, Samples]:
    """Returns the positions of games as text, by rule; raises GamesError."""
    rows: dict[int, list[tuple[float, ...]]] = {}
    for game, line in enumerate(lines):
        try:
            rule, size, result, opening, plies = line.split(" ", 4)
            found = rows.setdefault(int(rule), [])
            for ply, text in enumerate(plies.strip().strip(";").split(";")):
                score = text.split(",")[2]
                if ply < int(opening) or score.endswith("!") or abs(int(score)) >= PROVEN:
                    continue
                if int(result) >= NODE_RESULT:
                    raise GamesError(f"game {game + 1} is a node of a search, without a result")
                mover = 1 if ply % 2 == 0 else -1
                result_of_mover = (1 + mover * int(result)) / 2
                found.append((int(score), result_of_mover, game, int(size), ply))
        except (ValueError, IndexError):
            raise GamesError(f"game {game + 1}: {line[:40]!r}: expected a game as text") from None
    return {rule: Samples(*np.array(found, float).reshape(-1, 5).T) for rule, found in rows.items()}


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


def terms(samples: Samples, a: float) -> Floats:
    """Returns the numbers that the logarithm of the odds of a draw adds up, [position, term]."""
    share, gap = samples.placed / samples.size**2, np.abs(samples.score - a) / 100
    return np.stack([np.ones_like(gap), share, gap, gap * share, (samples.size - 15) / 5], axis=1)


def fit_draws(samples: Samples, a: float) -> Floats:
    """Returns the factors of the terms with the least log loss, and a small penalty on them."""
    given, drawn, penalty = terms(samples, a), samples.result == 0.5, 1e-5

    def loss(factors: Floats) -> tuple[float, Floats]:
        odds = given @ factors
        value = np.mean(np.logaddexp(0, odds) - drawn * odds) + penalty / 2 * factors @ factors
        gap = 1 / (1 + np.exp(-odds)) - drawn
        return float(value), np.asarray(given.T @ gap / len(gap) + penalty * factors)

    found = minimize(loss, np.zeros(given.shape[1]), jac=True, method="BFGS")
    return np.asarray(found.x)


@dataclass(frozen=True)
class Bin:
    """Holds one row of the reliability table: the predicted chance, the actual share, its error."""

    count: int
    games: int
    told: float
    came: float
    error: float


def reliability(told: Floats, result: Floats, game: Floats) -> list[Bin | None]:
    """Returns a bin for each step of `EDGES`; None with fewer than ten games.

    told, result: the predicted chance and the result, by position. game: its number.
    """
    rows: list[Bin | None] = []
    for low, high in itertools.pairwise(EDGES):
        chosen = (told >= low) & ((told < high) | (high == 1.0))
        games = np.unique(game[chosen], return_inverse=True)[1]
        count, numbers = int(chosen.sum()), int(games.max() + 1) if chosen.any() else 0
        if numbers < 10:
            rows.append(None)
            continue
        came = float(result[chosen].mean())
        # The positions of one game are correlated: the sum of a game is one sample.
        sums = np.bincount(games, result[chosen] - came, numbers)
        error = 1.96 * float(np.sqrt((sums**2).sum())) / count
        rows.append(Bin(count, numbers, float(told[chosen].mean()), came, error))
    return rows


@dataclass(frozen=True)
class Checked:
    """Holds what was fitted to the games of a rule, and the check on other games of it."""

    rule: int
    samples: Samples
    fitted: str
    rows: list[Bin | None]

    def row(self) -> str:
        """Returns the row of the first table."""
        kept = [row for row in self.rows if row]
        total = sum(row.count for row in kept)
        gap = sum(row.count * abs(row.told - row.came) for row in kept) / total
        games = len(np.unique(self.samples.game))
        return (
            f"| {rule_name(self.rule)} | {games:,} | {len(self.samples.score):,} | {self.fitted} "
            f"| {100 * gap:.1f} % |"
        )


def check_win_rate(rule: int, samples: Samples) -> Checked:
    """Returns the curve of a rule and its check."""
    is_held_out = samples.game % HELD_OUT == 0
    a, b = (round(v) for v in fit(samples.take(~is_held_out)))
    held = samples.take(is_held_out)
    rows = reliability(curve(held.score, a, b), held.result, held.game)
    return Checked(rule, samples, f"{a} | {b}", rows)


def check_draws(rule: int, samples: Samples) -> Checked:
    """Returns the chance of a draw under a rule and its check."""
    is_held_out, a = samples.game % HELD_OUT == 0, CURVES[rule][0]
    factors = np.round(fit_draws(samples.take(~is_held_out), a), 2)
    held = samples.take(is_held_out)
    told = np.asarray(1 / (1 + np.exp(-terms(held, a) @ factors)))
    rows = reliability(told, np.asarray(held.result == 0.5, float), held.game)
    return Checked(rule, samples, " | ".join(f"{factor:.2f}" for factor in factors), rows)


def report(found: dict[int, Samples], *, draws: bool = False) -> str:
    """Returns the fitted numbers and the reliability as tables of Markdown."""
    check, names = (check_draws, DRAW_NAMES) if draws else (check_win_rate, "a | b")
    checked = [check(rule, samples) for rule, samples in sorted(found.items())]
    lines = [
        f"| rule | games | positions | {names} | mean difference |",
        "|---" * (5 + names.count("|")) + "|",
        *(one.row() for one in checked),
        "",
    ]
    share = "chance of a draw" if draws else "win rate"
    lines.append(f"| {share} | " + " | ".join(rule_name(one.rule) for one in checked) + " |")
    lines.append("|---" * (len(checked) + 1) + "|")
    for i, (low, high) in enumerate(itertools.pairwise(EDGES)):
        cells = [
            "" if row is None else f"{100 * row.came:.0f} ± {100 * row.error:.0f}"
            for row in (one.rows[i] for one in checked)
        ]
        lines.append(f"| {100 * low:.0f} to {100 * high:.0f} % | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables; returns 2 if a file cannot be used."""
    parser = argparse.ArgumentParser(prog="winrate.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--draws", action="store_true", help="fit the chance of a draw")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    args = parser.parse_args(arguments)
    try:
        for path in args.files:
            read_file(path)
        (program,) = build_programs("games")
        command = [str(program), "print", *map(str, args.files)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        print(report(positions(iter(text.splitlines())), draws=args.draws))
    except GamesError as error:
        print(f"winrate: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
